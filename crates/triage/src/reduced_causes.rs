//! The causes that reductions of a campaign's wrong answers found, and which kinds of findings still bring new ones.

use crate::answer_vector::SavedVector;
use finding::reward::{CAUSE, RewardByAlike};
use finding::{AnswerVector, BugClass, CauseReward, FindingKind, SolverLabel, symptom};
use fuzz::oracle::replay;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// After so many reductions in a row that brought nothing new, a kind's hits are confirmed only now and then.
const MOST_MISSES: u64 = 6;

/// What reductions found so far. Threads share it.
#[derive(Debug, Default)]
pub struct ReducedCauses(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// The causes: class, solver's name without a version, and who errs.
    causes: Vec<(BugClass, String, AnswerVector)>,
    kinds: HashMap<FindingKind, KindYield>,
}

/// What reductions of one kind brought.
#[derive(Clone, Copy, Debug, Default)]
struct KindYield {
    /// Reductions since the last one that found a new cause.
    misses: u64,
    /// Hits since then that were not confirmed.
    passed: u64,
}

impl ReducedCauses {
    /// What was reduced in a campaign's folder before.
    pub fn load(out: &Path) -> ReducedCauses {
        let found = ReducedCauses::default();
        // A campaign that is new has no findings.
        for folder in replay::find(out).unwrap_or_default() {
            if let (Ok(record), Some(saved)) = (replay::load_record(&folder), SavedVector::load(&folder)) {
                found.add(&FindingKind::of(&record), &record.symptom, &saved.vector);
            }
        }
        found
    }

    /// Takes who errs on a reduced script, and says whether that is a cause that was not known. A symptom that tells the cause, and a
    /// script that only one release was asked about, teach nothing.
    pub fn add(&self, kind: &FindingKind, symptom: &str, vector: &AnswerVector) -> bool {
        if symptom::tells(kind.class, symptom) || vector.len() < 2 {
            return false;
        }
        let name = SolverLabel::of(&kind.solver).name.to_string();
        let mut inner = self.lock();
        let known = inner.causes.iter_mut().find(|(class, solver, known)| {
            (*class, solver.as_str()) == (kind.class, name.as_str()) && !known.contradicts(vector)
        });
        let is_new = known.is_none();
        match known {
            Some((_, _, known)) => known.add(vector),
            None => inner.causes.push((kind.class, name, vector.clone())),
        }
        let row = inner.kinds.entry(kind.clone()).or_default();
        *row = KindYield { misses: if is_new { 0 } else { row.misses + 1 }, passed: 0 };
        is_new
    }

    /// When a finding is to be reduced, for most new causes in the time there is; less is sooner. Wrong answers come first, those of
    /// kinds that brought nothing new lately after others, and after many misses behind all else.
    pub fn rank(&self, kind: &FindingKind, symptom: &str) -> (u8, u64) {
        let is_open = matches!(kind.class, BugClass::A | BugClass::B) && !symptom::tells(kind.class, symptom);
        let misses = self.lock().kinds.get(kind).map_or(0, |row| row.misses);
        match (is_open, misses) {
            (true, MOST_MISSES..) => (2, misses),
            (true, _) => (0, misses),
            (false, _) => (1, 0),
        }
    }

    /// How many causes were found.
    pub fn len(&self) -> usize {
        self.lock().causes.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change is whole, so that a panic elsewhere leaves it so.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CauseReward for ReducedCauses {
    /// By what reductions of its kind brought lately, and by those alike where none was reduced.
    fn worth(&self, kind: &FindingKind, alike: u64) -> u64 {
        match self.lock().kinds.get(kind) {
            Some(row) => CAUSE * 2 / (2 + row.misses),
            None => RewardByAlike.worth(kind, alike),
        }
    }

    fn is_wanted(&self, kind: &FindingKind) -> bool {
        let mut inner = self.lock();
        let Some(row) = inner.kinds.get_mut(kind).filter(|row| row.misses >= MOST_MISSES) else { return true };
        row.passed += 1;
        let is_its_turn = row.passed > row.misses;
        row.passed = if is_its_turn { 0 } else { row.passed };
        is_its_turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(class: BugClass, mode: &str) -> FindingKind {
        let (solver, options, origin) = ("z3@4.8.7".to_string(), String::new(), "storm".to_string());
        FindingKind { class, solver, mode: mode.to_string(), options, origin }
    }

    fn vector(errs: &str) -> AnswerVector {
        let rows = errs.chars().enumerate().filter(|(_, c)| *c != '?');
        rows.map(|(n, c)| (format!("v{n}"), c == 'x')).collect()
    }

    #[test]
    fn a_kind_that_brings_nothing_new_is_worth_less_and_less() {
        let causes = ReducedCauses::default();
        let horn = kind(BugClass::A, "tactic horn");
        let check = |kind: &FindingKind, errs: &str, new: bool, worth: u64| {
            assert_eq!(causes.add(kind, "unsat", &vector(errs)), new, "{kind:?} {errs}");
            assert_eq!(causes.worth(kind, 0), worth, "{kind:?} {errs}");
        };
        check(&horn, "x..", true, 1000);
        check(&horn, "x?.", false, 666);
        check(&horn, "x..", false, 500);
        check(&kind(BugClass::A, "plain"), "x..", false, 666);
        check(&kind(BugClass::B, "tactic horn"), "x..", true, 1000);
        check(&horn, "xx.", true, 1000);
        // One answer is that of the solver itself, which every finding has.
        check(&horn, "x", false, 1000);
        assert_eq!(causes.len(), 3);
        assert_eq!(causes.worth(&kind(BugClass::A, "incremental"), 8), 500, "of a kind of which none was reduced");
        assert_eq!(causes.rank(&horn, "unsat"), (0, 0));
        assert_eq!(causes.rank(&kind(BugClass::A, "plain"), "unsat"), (0, 1));
        assert_eq!(causes.rank(&kind(BugClass::D, "plain"), "signal: SIGSEGV"), (1, 0));
    }

    #[test]
    fn hits_of_a_kind_that_brings_nothing_new_are_confirmed_now_and_then() {
        let causes = ReducedCauses::default();
        let horn = kind(BugClass::A, "tactic horn");
        for _ in 0..MOST_MISSES {
            causes.add(&horn, "unsat", &vector("x.."));
            assert!(causes.is_wanted(&horn));
        }
        causes.add(&horn, "unsat", &vector("x.."));
        let wanted: Vec<bool> = (0..14).map(|_| causes.is_wanted(&horn)).collect();
        assert_eq!(wanted.iter().filter(|wanted| **wanted).count(), 2, "{wanted:?}");
        assert!(causes.is_wanted(&kind(BugClass::A, "plain")));
        assert_eq!(causes.rank(&horn, "unsat"), (2, MOST_MISSES));
        causes.add(&horn, "unsat", &vector("xxx"));
        assert!(causes.is_wanted(&horn));
    }
}
