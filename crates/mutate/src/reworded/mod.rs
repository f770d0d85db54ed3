//! Mutants in other words: a part of those that a mutator makes is written anew, so that the answers must be the same.
//!
//! This is metamorphic testing: incremental against fresh, definitions, names, `let`, assumptions and order change how a solver comes
//! to its answer, and never the answer.

mod lets;
mod names;
mod wording;

pub use wording::{RenamedSymbols, RewordingRules, Wording, reword};

use crate::mutator::{Batch, Expected, Mutant};
use crate::rng::Unit;
use semantics::Model;
use smtlib::{Dialect, Store};
use std::sync::Arc;

/// Which mutants are written anew, and how their solver wants them spelled.
#[derive(Clone, Copy, Debug)]
pub struct RewordingOptions<'d> {
    /// The percentage of mutants.
    pub percent: u32,
    /// The solver's spelling, in which mutants are read and written.
    pub dialect: &'d Dialect,
    /// Whether the solver is known to take sessions, definitions, names and `(reset)`. Of one of which that is not known only the order,
    /// names and `let` change: what a young solver cannot read would be taken for a mistake of it.
    pub takes_commands: bool,
    /// The unit, on which the choices depend.
    pub unit: Unit,
}

/// The mutants of a batch, some of them in other words.
///
/// Invariant: a mutant has as many checks as the one that it is made of, with the same right answers. Where one is `sat`, the free
/// symbols are the same, too, so that the witness stays one.
pub struct RewordedBatch<'s> {
    inner: Box<dyn Batch + 's>,
    options: RewordingOptions<'s>,
    /// How the mutant of an index was written, of the last one made.
    last: Option<(u64, Option<Wording>)>,
}

impl<'s> RewordedBatch<'s> {
    /// The mutants of a batch.
    pub fn new(inner: Box<dyn Batch + 's>, options: RewordingOptions<'s>) -> RewordedBatch<'s> {
        RewordedBatch { inner, options, last: None }
    }

    /// Writes a mutant anew if it is its turn.
    fn reworded(&self, index: u64, mutant: &mut Mutant) -> Option<Wording> {
        let mut rng = self.options.unit.rewording_stream(index);
        if mutant.expected.is_empty() || !rng.percent(self.options.percent) {
            return None;
        }
        // No witness names the functions of what is unsatisfiable.
        let is_unsat = mutant.expected.iter().all(|expected| *expected == Expected::Unsat);
        let rules = RewordingRules {
            dialect: self.options.dialect,
            takes_commands: self.options.takes_commands,
            renamed: if is_unsat { RenamedSymbols::All } else { RenamedSymbols::Variables },
        };
        let (text, wording) = reword(&mutant.text, rules, &mut rng)?;
        mutant.text = text;
        Some(wording)
    }
}

impl Batch for RewordedBatch<'_> {
    fn size(&self) -> u64 {
        self.inner.size()
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        self.inner.mutant(index, out);
        self.last = Some((index, self.reworded(index, out)));
    }

    fn store(&self) -> &Store {
        self.inner.store()
    }

    fn needs(&self) -> u32 {
        self.inner.needs()
    }

    fn witness(&mut self, index: u64) -> Option<Arc<Model>> {
        self.inner.witness(index)
    }

    fn check_witness(&mut self, index: u64, check: usize) -> Option<Arc<Model>> {
        self.inner.check_witness(index, check)
    }

    fn failure(&self) -> Option<String> {
        self.inner.failure()
    }

    fn parameters(&mut self, index: u64) -> Vec<(&'static str, String)> {
        let mut list = self.inner.parameters(index);
        let wording = match self.last {
            Some((last, wording)) if last == index => wording,
            _ => {
                let mut mutant = Mutant::default();
                self.inner.mutant(index, &mut mutant);
                self.reworded(index, &mut mutant)
            }
        };
        if let Some(wording) = wording {
            let is_plain = list.iter().all(|(name, mode)| *name != "mode" || mode == "plain");
            if is_plain && matches!(wording, Wording::Assume | Wording::Levels) {
                list.retain(|(name, _)| *name != "mode");
                list.push(("mode", "incremental".to_string()));
            }
            list.push(("reworded", wording.to_string()));
        }
        list
    }
}
