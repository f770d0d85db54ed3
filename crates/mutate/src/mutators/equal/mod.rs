//! Terms replaced by equal ones: laws as data, used in both directions, keep the answer of a seed.
//!
//! Before: `(assert (bvult (bvadd x y) z))`. After: `(assert (not (bvule z (bvsub x (bvneg y)))))`.

mod apply;
mod batch;
mod binding;
mod config;
pub mod law;
mod occurrence;
mod proof;
mod read;

pub use apply::{DirectedLaw, LawBook, sampled};
pub use batch::EqualBatch;
pub use binding::LawBindings;
pub use config::{EqualConfig, EqualTruth};
pub use law::Law;
pub use occurrence::{Occurrence, occurrences, replaced};
pub use proof::{LawFault, prove};
pub use read::read;

use crate::data_file::{DataFile, DataFileProblem, Loaded};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, Unfit};
use crate::parameter::{ParameterTable, file};
use config::PARAMETERS;
use smtlib::Store;
use std::sync::{Arc, LazyLock};

/// The mutator's entry.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "equal",
    about: "replaces terms by equal ones, by algebraic laws in both directions",
    truth: "sat, certified by the assignment; unsat, trusted; or differential",
    parents: 1,
    makes_small_worlds: false,
    // It was not compared with the others.
    share: 0,
    parameters: || FILES.beside(&PARAMETERS),
    build: |settings| Ok(Box::new(FILES.with_shared(ENTRY.name, settings, &PARAMETERS, |c| &mut c.config)?)),
};

/// The project's own laws. A test proves each at all small sizes.
pub const DEFAULT: &str = include_str!("../../../data/equal_laws.txt");

/// Files of laws.
pub const LAWS: DataFile<Arc<[Law]>> = DataFile {
    parameter: "laws",
    expected: "a file of laws such as `(forall ((x Int)) (= (- (- x)) x))`",
    read: read_proven,
    is_empty: |laws| laws.is_empty(),
    default: || BUILT_IN.clone(),
};

/// The laws of [`DEFAULT`], read once.
static BUILT_IN: LazyLock<Arc<[Law]>> = LazyLock::new(|| read(DEFAULT).0.into());

/// Reads laws, and drops those that exhaustion refutes or cannot decide.
pub fn read_proven(text: &str) -> (Arc<[Law]>, Vec<DataFileProblem>) {
    let (mut laws, mut problems) = read(text);
    laws.retain(|law| match prove(law) {
        Ok(_) => true,
        Err(fault) => {
            problems.push(DataFileProblem { line: law.line, reason: fault.to_string() });
            false
        }
    });
    problems.sort_by_key(|problem| problem.line);
    (laws.into(), problems)
}

/// The parameters in addition to those of [`EqualConfig`].
const FILES: ParameterTable<EqualMutator> = ParameterTable(&[file(
    LAWS.parameter,
    LAWS.expected,
    "a file of laws instead of the built-in ones",
    |text| LAWS.problems(text),
    |c| c.laws.path.clone(),
    |c, v| LAWS.load_into(&mut c.laws, v),
)]);

/// The mutator.
#[derive(Clone, Debug)]
pub struct EqualMutator {
    /// Its parameters.
    pub config: EqualConfig,
    /// The laws.
    pub laws: Loaded<Arc<[Law]>>,
}

impl Default for EqualMutator {
    fn default() -> Self {
        EqualMutator { config: EqualConfig::default(), laws: LAWS.built_in() }
    }
}

impl EqualMutator {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if no assertion of the seed may change.
    pub fn batch<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<EqualBatch<'s>, Unfit> {
        let settings = PARAMETERS.settings(&self.config).into_iter().chain(FILES.settings(self)).collect();
        EqualBatch::new(store, request, &self.config, self.laws.data.clone(), settings)
    }
}

impl Mutator for EqualMutator {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}
