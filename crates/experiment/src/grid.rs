//! Bounds on the depth and number of assertions compared by how soon a bug is found, after research question 3 of STORM (ESEC/FSE 2020).

use crate::censored_median::{CensoredMedian, CensoredValue};
use crate::known_bugs::manifest::ReleaseBug;
use crate::known_bugs::run::BugRun;
use serde::Serialize;
use std::time::Duration;

/// The options of `squall fuzz` that the experiment varies.
const ASSERTS: &str = "--max-asserts";
const DEPTH: &str = "--max-depth";
/// The mutator whose bounds they are.
const MUTATOR: &str = "storm";

/// Why a bug cannot be looked for on the grid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GridError {
    /// Its options set what the grid varies.
    #[error("bug '{0}' sets {1}, which the grid varies")]
    Varied(String, &'static str),
    /// Another mutator makes its mutants.
    #[error("bug '{0}' names its mutator, and the bounds are those of the mutator storm")]
    Mutator(String),
}

/// A pair of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct GridCell {
    /// Amax, the most assertions of a mutant.
    pub asserts: u32,
    /// Dmax, the depth of the deepest assertion.
    pub depth: u32,
}

impl GridCell {
    /// All pairs of some bounds.
    pub fn all(bounds: &[u32]) -> Vec<GridCell> {
        bounds.iter().flat_map(|&asserts| bounds.iter().map(move |&depth| GridCell { asserts, depth })).collect()
    }

    /// The bug as it is looked for within these bounds.
    ///
    /// # Errors
    /// Its options do not fit the grid.
    pub fn bounded(self, bug: &ReleaseBug) -> Result<ReleaseBug, GridError> {
        let mut bug = bug.clone();
        if let Some(varied) = [ASSERTS, DEPTH].into_iter().find(|option| bug.sets(option)) {
            return Err(GridError::Varied(bug.id, varied));
        }
        let mutator = bug.words.iter().position(|word| word == "--mutator");
        match mutator.map(|at| bug.words.get(at + 1).map(String::as_str)) {
            Some(Some(MUTATOR)) => {}
            None if !bug.sets("--mutator") => bug.words.extend(["--mutator", MUTATOR].map(String::from)),
            _ => return Err(GridError::Mutator(bug.id)),
        }
        for (option, bound) in [(ASSERTS, self.asserts), (DEPTH, self.depth)] {
            bug.words.extend([option.to_string(), bound.to_string()]);
        }
        Ok(bug)
    }
}

/// A run within bounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GridRun {
    /// The bounds.
    #[serde(flatten)]
    pub cell: GridCell,
    /// How it ended.
    #[serde(flatten)]
    pub run: BugRun,
}

/// What the runs of one bug within the same bounds came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GridCellResult {
    /// The bounds.
    #[serde(flatten)]
    pub cell: GridCell,
    /// How many runs there were.
    pub runs: usize,
    /// How many of them found the bug.
    pub found: usize,
    /// CPU seconds until then; a run that found nothing counts as longer than its limit. None without runs.
    pub cpu_s: Option<CensoredMedian>,
    /// Mutants until then; a run that found nothing counts as more than it sent.
    pub mutants: Option<CensoredMedian>,
}

/// The results of one bug, a cell each, in the order of `cells`.
pub fn results(bug: &str, cells: &[GridCell], runs: &[GridRun], limit: Duration) -> Vec<GridCellResult> {
    let result = |&cell: &GridCell| {
        let own: Vec<&BugRun> =
            runs.iter().filter(|run| run.cell == cell && run.run.bug == bug).map(|run| &run.run).collect();
        let median = |value: fn(&BugRun) -> f64, least: f64| {
            let value = |run: &&BugRun| match run.found {
                Some(_) => CensoredValue::Seen(value(run)),
                None => CensoredValue::Above(value(run).max(least)),
            };
            CensoredMedian::of(&own.iter().map(value).collect::<Vec<_>>())
        };
        GridCellResult {
            cell,
            runs: own.len(),
            found: own.iter().filter(|run| run.found.is_some()).count(),
            // What is left at the end of a run may be too little for another campaign.
            cpu_s: median(|run| run.cpu_s, limit.as_secs_f64()),
            mutants: median(|run| run.mutants as f64, 0.0),
        }
    };
    cells.iter().map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use finding::BugClass;
    use std::path::PathBuf;

    fn bug(words: &[&str]) -> ReleaseBug {
        ReleaseBug {
            id: "b".into(),
            seed: None,
            revealing: None,
            solver: "z3@4.8.7".into(),
            last: None,
            fixed: None,
            class: BugClass::A,
            words: words.iter().map(|word| (*word).to_string()).collect(),
        }
    }

    #[test]
    fn bounds_are_those_of_storm() {
        let cell = GridCell { asserts: 4, depth: 64 };
        let check = |words: &[&str], expect: Result<&str, GridError>| {
            let given = cell.bounded(&bug(words)).map(|bug| bug.words.join(" "));
            assert_eq!(given, expect.map(String::from), "{words:?}");
        };
        check(&[], Ok("--mutator storm --max-asserts 4 --max-depth 64"));
        check(&["--mutator", "storm"], Ok("--mutator storm --max-asserts 4 --max-depth 64"));
        check(&["--mutator", "operator"], Err(GridError::Mutator("b".into())));
        check(&["--mutator=storm,finite"], Err(GridError::Mutator("b".into())));
        check(&["--max-depth", "3"], Err(GridError::Varied("b".into(), DEPTH)));
        check(&["--max-asserts=3"], Err(GridError::Varied("b".into(), ASSERTS)));
    }

    #[test]
    fn a_run_that_found_nothing_is_longer_than_its_limit() {
        let cells = GridCell::all(&[4, 8]);
        assert_eq!(cells.len(), 4);
        let run = |cell: GridCell, found: bool, cpu_s: f64, mutants: u64| GridRun {
            cell,
            run: BugRun {
                bug: "b".into(),
                seed: 1,
                words: Vec::new(),
                found: found.then(PathBuf::new),
                cpu_s,
                mutants,
                refused: 0,
            },
        };
        let runs = [
            run(cells[0], true, 2.0, 10),
            run(cells[0], true, 3.0, 20),
            run(cells[0], false, 9.9, 5),
            run(cells[1], false, 9.9, 5),
        ];
        let results = results("b", &cells, &runs, Duration::from_secs(10));
        assert_eq!(results.iter().map(|r| (r.runs, r.found)).collect::<Vec<_>>(), [(3, 2), (1, 0), (0, 0), (0, 0)]);
        assert_eq!(results[0].cpu_s.and_then(|m| m.exact()), Some(3.0));
        // It was given up after five mutants: it may have needed six, or any number more.
        assert_eq!(results[0].mutants.map(|m| (m.at_least, m.at_most)), Some((10.0, Some(20.0))));
        assert_eq!(results[1].cpu_s.map(|m| (m.at_least, m.at_most)), Some((10.0, None)));
        assert_eq!(results[2].cpu_s, None);
    }
}
