//! Mutants of mutators that know nothing of tactics: a part of them is asked by one, and nothing else of them changes.

use super::config::{QueryConfig, QueryMode};
use crate::mutator::{Batch, Mutant};
use crate::rng::Unit;
use semantics::Model;
use smtlib::Store;
use std::sync::Arc;

/// The command that is replaced, alone on its line as all mutators write it.
const CHECK: &str = "(check-sat)";

/// The mutants of a batch, some of them with `(check-sat-using T)` for each `(check-sat)`.
///
/// Checks under assumptions stay, since there is no such command with a tactic. The right answers stay, and so does the witness. The draws
/// have a stream of their own, so that a mutant is the same whatever the tactics are.
pub struct TacticalBatch<'s> {
    inner: Box<dyn Batch + 's>,
    query: QueryConfig,
    unit: Unit,
    /// The index of the last mutant made, and the tactic that it got.
    last: Option<(u64, Option<String>)>,
}

impl<'s> TacticalBatch<'s> {
    /// The mutants of a batch, of which as many as `query` says are asked by one of its tactics.
    pub fn new(inner: Box<dyn Batch + 's>, query: QueryConfig, unit: Unit) -> TacticalBatch<'s> {
        TacticalBatch { inner, query: QueryConfig { incremental: 0, ..query }, unit, last: None }
    }

    /// Writes a mutant's checks anew if it is its turn, and gives the tactic.
    fn by_tactic(&self, index: u64, mutant: &mut Mutant) -> Option<String> {
        let mode = QueryMode::draw(&self.query, &mut self.unit.tactic_stream(index));
        let tactic = mode.tactic(&self.query)?;
        let checks = mutant.text.lines().filter(|line| *line == CHECK).count();
        // A line of a literal would look the same.
        if checks == 0 || checks > mutant.expected.len() {
            return None;
        }
        let command = format!("(check-sat-using {tactic})");
        let lines = mutant.text.split_inclusive('\n');
        mutant.text = lines
            .map(|line| match line.strip_suffix('\n').unwrap_or(line) == CHECK {
                true => line.replacen(CHECK, &command, 1),
                false => line.to_string(),
            })
            .collect();
        Some(tactic)
    }
}

impl Batch for TacticalBatch<'_> {
    fn size(&self) -> u64 {
        self.inner.size()
    }

    fn mutant(&mut self, index: u64, out: &mut Mutant) {
        self.inner.mutant(index, out);
        self.last = Some((index, self.by_tactic(index, out)));
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
        if self.last.as_ref().is_none_or(|(last, _)| *last != index) {
            self.mutant(index, &mut Mutant::default());
        }
        if let Some((_, Some(tactic))) = &self.last {
            list.retain(|(name, _)| *name != "mode");
            list.push(("mode", format!("tactic {tactic}")));
        }
        list
    }
}
