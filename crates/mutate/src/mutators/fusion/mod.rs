//! Semantic fusion: two seeds made into one whose status is known (Winterer, Zhang, Su, PLDI 2020).
//!
//! Before: `(assert (> x 0))` and `(assert (< y 9))`. After: `(assert (> (- z y) 0))`, `(assert (< y 9))`, `(assert (= z (+ x y)))`,
//! `(assert (= x (- z y)))`, `(assert (= y (- z x)))`: satisfiable as the seeds are.
//!
//! Invariant: the equations of a fusion are in every mutant that uses it.

mod batch;
mod config;
mod entry;
pub mod function;
pub mod generated;
mod parents;
mod shape;

pub use batch::FusionBatch;
pub use config::{FusionConfig, Oracle, PARAMETERS};
pub use entry::{FusionBuilder, FusionEntry};
pub use function::FusionFunction;
pub use shape::FusionShape;

use crate::data_file::{DataFile, Loaded};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, Unfit};
use crate::parameter::{ParameterTable, file};
use smtlib::Store;

/// The entry of fusion.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "fusion",
    about: "fuses two seeds: replaces variables by terms of fusion functions over both",
    truth: "sat, certified by both assignments; unsat, trusted as the seeds' statuses are; else differential",
    parents: 2,
    makes_small_worlds: false,
    share: 1,
    parameters: || FILES.beside(&PARAMETERS),
    build: |settings| Ok(Box::new(FILES.with_shared(ENTRY.name, settings, &PARAMETERS, |c| &mut c.config)?)),
};

/// Files of fusion functions.
pub const FUNCTIONS: DataFile<Vec<FusionFunction>> = DataFile {
    parameter: "functions",
    expected: "a file of fusion functions between `#begin` and `#end`",
    read: function::read,
    is_empty: Vec::is_empty,
    default: || function::read(function::DEFAULT).0,
};

/// The parameters in addition to those of [`FusionConfig`].
const FILES: ParameterTable<Fusion> = ParameterTable(&[file(
    FUNCTIONS.parameter,
    FUNCTIONS.expected,
    "a file of fusion functions instead of the built-in ones",
    |text| FUNCTIONS.problems(text),
    |c| c.functions.path.clone(),
    |c, v| FUNCTIONS.load_into(&mut c.functions, v),
)]);

/// The fusion mutator.
#[derive(Clone, Debug)]
pub struct Fusion {
    /// Its parameters.
    pub config: FusionConfig,
    /// The fusion functions.
    pub functions: Loaded<Vec<FusionFunction>>,
}

impl Default for Fusion {
    fn default() -> Self {
        Fusion { config: FusionConfig::default(), functions: FUNCTIONS.built_in() }
    }
}

impl Fusion {
    /// Returns all parameters as text.
    fn settings(&self) -> Vec<(&'static str, String)> {
        PARAMETERS.settings(&self.config).into_iter().chain(FILES.settings(self)).collect()
    }

    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if no variables of the two seeds can be fused, or the intended status is not possible.
    pub fn batch<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<FusionBatch<'s>, Unfit> {
        FusionBatch::new(self, store, request)
    }
}

impl Mutator for Fusion {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}
