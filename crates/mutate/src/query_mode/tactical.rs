//! Mutants of mutators that know nothing of tactics: a part of them is asked by one, and nothing else of them changes.

use super::config::{QueryConfig, QueryMode};
use crate::mutator::Mutant;
use crate::rewritten::{Rewrite, RewrittenBatch};
use crate::rng::Unit;

/// The command that is replaced, alone on its line as all mutators write it.
const CHECK: &str = "(check-sat)";

/// The mutants of a batch, some of them asked by a tactic.
pub type TacticalBatch<'s> = RewrittenBatch<'s, TacticalQueries>;

/// Writes `(check-sat-using T)` for each `(check-sat)` of a part of the mutants.
///
/// Checks under assumptions stay, since there is no such command with a tactic. The draws have a stream of their own, so that a mutant is the
/// same whatever the tactics are.
#[derive(Clone, Debug)]
pub struct TacticalQueries {
    query: QueryConfig,
    unit: Unit,
}

impl TacticalQueries {
    /// As many as `query` says, by one of its tactics each.
    pub fn new(query: QueryConfig, unit: Unit) -> TacticalQueries {
        TacticalQueries { query: QueryConfig { incremental: 0, ..query }, unit }
    }
}

impl Rewrite for TacticalQueries {
    /// The tactic.
    type Done = String;

    fn rewrite(&self, index: u64, mutant: &mut Mutant) -> Option<String> {
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

    fn record(tactic: &String, record: &mut Vec<(&'static str, String)>) {
        record.retain(|(name, _)| *name != "mode");
        record.push(("mode", format!("tactic {tactic}")));
    }
}
