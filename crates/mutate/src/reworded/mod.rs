//! Rephrased mutants: some mutants of a mutator are rewritten so that the answers must stay the same.
//!
//! This is metamorphic testing: incremental against fresh, definitions, names, `let`, assumptions and order change how a solver finds
//! its answer, but never the answer.

mod names;
mod wording;

pub use wording::{RenamedSymbols, RewordingRules, Wording, reword, reword_as};

use crate::mutator::Mutant;
use crate::rewritten::{Rewrite, RewrittenBatch};
use crate::rng::Unit;
use smtlib::{Dialect, Status};

/// Which mutants are rephrased, and their solver's spelling.
#[derive(Clone, Copy, Debug)]
pub struct RewordingOptions<'d> {
    /// The percentage of mutants.
    pub percent: u32,
    /// The solver's spelling, in which mutants are read and written.
    pub dialect: &'d Dialect,
    /// Whether the solver is known to support sessions, definitions, names and `(reset)`. Otherwise only the order, names and `let`
    /// change: a young solver's missing support would look like a bug.
    pub takes_commands: bool,
    /// Whether the solver goes on after errors.
    pub takes_errors: bool,
    /// The unit, on which the choices depend.
    pub unit: Unit,
}

/// The mutants of a batch, some of them rephrased.
pub type RewordedBatch<'s> = RewrittenBatch<'s, RewordingOptions<'s>>;

impl Rewrite for RewordingOptions<'_> {
    type Done = Wording;

    fn rewrite(&self, index: u64, mutant: &mut Mutant) -> Option<Wording> {
        let mut rng = self.unit.rewording_stream(index);
        if mutant.expected.is_empty() || !rng.percent(self.percent) {
            return None;
        }
        // An unsatisfiable script has no witness that names its functions.
        let is_unsat = mutant.expected.iter().all(|expected| *expected == Status::Unsat);
        let rules = RewordingRules {
            dialect: self.dialect,
            takes_commands: self.takes_commands,
            takes_errors: self.takes_errors,
            renamed: if is_unsat { RenamedSymbols::All } else { RenamedSymbols::Variables },
        };
        let (text, wording) = reword(&mutant.text, rules, &mut rng)?;
        mutant.text = text;
        Some(wording)
    }

    fn record(wording: &Wording, record: &mut Vec<(&'static str, String)>) {
        let is_plain = record.iter().all(|(name, mode)| *name != "mode" || mode == "plain");
        if is_plain && matches!(wording, Wording::Assume | Wording::Levels) {
            record.retain(|(name, _)| *name != "mode");
            record.push(("mode", "incremental".to_string()));
        }
        record.push(("reworded", wording.to_string()));
    }
}
