//! Operator mutation: operators replaced by others of conforming type (Winterer, Zhang, Su, OOPSLA 2020).
//!
//! Before: `(assert (< (+ x y) 7))`. After: `(assert (>= (- x y) 7))`, or its negation if the assignment makes that true.

mod table;

pub use table::{DEFAULT, DataFileProblem, OperatorTable};

use crate::data_file::{DataFile, Loaded};
use crate::edit::{DrawChange, EditBatch, EditConfig, PARAMETERS, Replacement, SeedFormula, TextEdit, head_text};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, TargetSpelling, Unfit};
use crate::parameter::{self, file};
use crate::rng::RandomStream;
use smtlib::{Dialect, Op, Store};
use std::ops::Range;

/// The entry of operator mutation.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "operator",
    about: "replaces operators by others that take the same arguments",
    truth: "sat, certified by the assignment; or differential",
    parents: 1,
    makes_small_worlds: false,
    share: 1,
    parameters: || FILES.beside(&PARAMETERS),
    build: |settings| Ok(Box::new(FILES.with_shared(ENTRY.name, settings, &PARAMETERS, |c| &mut c.config)?)),
};

/// Files of operator classes.
pub const TABLE: DataFile<OperatorTable> = DataFile {
    parameter: "table",
    expected: "a file with one class of operators per line, such as `bvand,bvor,bvxor`",
    read: OperatorTable::read,
    is_empty: OperatorTable::is_empty,
    default: || OperatorTable::read(DEFAULT).0,
};

/// The parameters in addition to those of [`EditConfig`].
const FILES: parameter::ParameterTable<OperatorMutator> = parameter::ParameterTable(&[file(
    TABLE.parameter,
    TABLE.expected,
    "a file of operator classes instead of the built-in one",
    |text| TABLE.problems(text),
    |c| c.table.path.clone(),
    |c, v| TABLE.load_into(&mut c.table, v),
)]);

/// The operator mutator.
#[derive(Clone, Debug)]
pub struct OperatorMutator {
    /// Its parameters.
    pub config: EditConfig,
    /// Which operators may replace which.
    pub table: Loaded<OperatorTable>,
}

impl Default for OperatorMutator {
    fn default() -> Self {
        OperatorMutator { config: EditConfig::default(), table: TABLE.built_in() }
    }
}

impl OperatorMutator {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if no assertion has a known value or no operator can be replaced.
    pub fn batch<'s>(
        &self,
        store: &'s mut Store,
        request: MutantRequest<'s>,
    ) -> Result<EditBatch<'s, OperatorDraw<'s>>, Unfit> {
        let settings = PARAMETERS.settings(&self.config).into_iter().chain(FILES.settings(self)).collect();
        EditBatch::new(&ENTRY, store, request, &self.config, settings, |store, formula, request, _| {
            OperatorDraw::new(store, formula, &self.table.data, request.target)
        })
    }
}

impl Mutator for OperatorMutator {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

/// A place whose operator can be replaced.
struct OperatorSite {
    line: u32,
    place: u32,
    /// The span of its replacements in the common list.
    replacements: Range<u32>,
}

/// The replacements that a seed allows.
pub struct OperatorDraw<'d> {
    candidates: Vec<OperatorSite>,
    replacements: Vec<Op>,
    dialect: &'d Dialect,
}

impl<'d> OperatorDraw<'d> {
    /// Finds every place with a replacement.
    /// Errors: [`Unfit::Nothing`] if there is none.
    fn new(
        store: &mut Store,
        formula: &SeedFormula,
        table: &OperatorTable,
        target: &'d TargetSpelling,
    ) -> Result<OperatorDraw<'d>, Unfit> {
        let mut draw = OperatorDraw { candidates: Vec::new(), replacements: Vec::new(), dialect: &target.dialect };
        let mut found = Vec::new();
        for (line, l) in formula.lines.iter().enumerate() {
            let Some(tree) = l.tree() else { continue };
            for (n, place) in tree.places().iter().enumerate() {
                if place.frozen || place.is_reference {
                    continue;
                }
                found.clear();
                table.replacements(store, place.term, &mut found);
                let arguments = store.args(place.term).len();
                found.retain(|op| !target.lacks_with(op.kind, arguments));
                if found.is_empty() {
                    continue;
                }
                let start = draw.replacements.len() as u32;
                draw.replacements.append(&mut found);
                let replacements = start..draw.replacements.len() as u32;
                draw.candidates.push(OperatorSite { line: line as u32, place: n as u32, replacements });
            }
        }
        match draw.candidates.is_empty() {
            true => Err(Unfit::Nothing("the table has no replacement for any operator of the seed")),
            false => Ok(draw),
        }
    }
}

impl DrawChange for OperatorDraw<'_> {
    fn draw(
        &mut self,
        _: &mut Store,
        _: &SeedFormula,
        rng: &mut RandomStream,
        edits: &mut Vec<TextEdit>,
    ) -> Option<usize> {
        let candidate = rng.pick(&self.candidates)?;
        let range = candidate.replacements.start as usize..candidate.replacements.end as usize;
        let &op = rng.pick(&self.replacements[range])?;
        let mut text = String::new();
        head_text(self.dialect, op, &mut text);
        // The new node's features are found when it is made.
        edits.push(TextEdit { place: candidate.place, change: Replacement::Head(op), text, features: 0 });
        Some(candidate.line as usize)
    }
}
