//! The causes that reductions of a campaign's wrong answers found, and which kinds of findings still bring new ones.

use crate::answer_vector::SavedVector;
use finding::reward::{CAUSE, RewardByAlike};
use finding::{AnswerVector, BugClass, CauseReward, FindingKind, FindingOrigin, SolverLabel, symptom};
use fuzz::oracle::replay;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// After so many reductions in a row that brought nothing new, hits of a kind are confirmed only now and then.
const MOST_MISSES: u64 = 6;
/// The same of hits of one class from one seed, whatever asks: a seed on which the solver errs shows it under most tactics.
const MOST_SEED_MISSES: u64 = 3;

/// What reductions found so far. Threads share it.
#[derive(Debug, Default)]
pub struct ReducedCauses(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// The causes: class, solver's name without a version, and who errs.
    causes: Vec<(BugClass, String, AnswerVector)>,
    pools: HashMap<Pool, PoolYield>,
}

/// Findings that likely share their causes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Pool {
    /// Those of one kind, from whichever seed.
    Kind(FindingKind),
    /// Those of one class and solver from one seed.
    Seed(BugClass, String, String),
    /// Those of one class and solver in one mode: plain, incremental, or by whichever tactic.
    Mode(BugClass, String, String),
}

/// What reductions of a pool brought.
#[derive(Clone, Copy, Debug, Default)]
struct PoolYield {
    /// All of them.
    reduced: u64,
    /// Those that found a new cause.
    new: u64,
    /// Those since the last one that did.
    misses: u64,
    /// Hits since then that were not confirmed.
    passed: u64,
}

impl Pool {
    /// The pools of a finding, with how many misses make its hits unwanted.
    fn of(kind: &FindingKind) -> Vec<(Pool, u64)> {
        let (class, solver) = (kind.class, &kind.solver);
        let origin = FindingOrigin { seed: None, ..kind.origin.clone() };
        let mut pools = vec![
            (Pool::Kind(FindingKind { origin, ..kind.clone() }), MOST_MISSES),
            (Pool::Mode(class, solver.clone(), kind.mode_word().to_string()), u64::MAX),
        ];
        if let Some(seed) = &kind.origin.seed {
            pools.push((Pool::Seed(class, solver.clone(), seed.clone()), MOST_SEED_MISSES));
        }
        pools
    }
}

impl PoolYield {
    fn add(&mut self, is_new: bool) {
        let misses = if is_new { 0 } else { self.misses + 1 };
        *self = PoolYield { reduced: self.reduced + 1, new: self.new + u64::from(is_new), misses, passed: 0 };
    }

    /// What another finding of the pool is worth by the last reductions.
    fn lately(&self) -> u64 {
        CAUSE * 2 / (2 + self.misses)
    }

    /// What it is worth by all of them.
    fn on_average(&self) -> u64 {
        CAUSE * (self.new + 2) / (self.reduced + 2)
    }
}

impl Inner {
    /// What reductions tell of the worth of a finding; none where there were none of its kind, nor in its mode.
    fn worth(&self, kind: &FindingKind) -> Option<u64> {
        let mut least: Option<u64> = None;
        let (mut of_kind, mut of_mode) = (None, None);
        for (pool, _) in Pool::of(kind) {
            let Some(row) = self.pools.get(&pool) else { continue };
            match pool {
                Pool::Kind(_) => of_kind = Some(row.lately()),
                Pool::Mode(..) => of_mode = Some(row.on_average()),
                Pool::Seed(..) => least = Some(row.lately()),
            }
        }
        // What is known of the very kind says more than what all tactics have in common.
        least.into_iter().chain(of_kind.or(of_mode)).min()
    }
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
        for (pool, _) in Pool::of(kind) {
            inner.pools.entry(pool).or_default().add(is_new);
        }
        is_new
    }

    /// When a finding is to be reduced, for most new causes in the time there is; less is sooner. Wrong answers come first, the likeliest
    /// to be of new causes before others, and those that hardly are behind all else.
    pub fn rank(&self, kind: &FindingKind, symptom: &str) -> (u8, u64) {
        let is_open = matches!(kind.class, BugClass::A | BugClass::B) && !symptom::tells(kind.class, symptom);
        let worth = self.lock().worth(kind).unwrap_or(CAUSE);
        let is_hopeless = worth <= CAUSE * 2 / (2 + MOST_MISSES);
        (if !is_open { 1 } else { u8::from(is_hopeless) * 2 }, if is_open { CAUSE.saturating_sub(worth) } else { 0 })
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
    /// By what reductions brought of its kind lately, of its seed, and in its mode where none of its kind was reduced; by the number
    /// alike where nothing was.
    fn worth(&self, kind: &FindingKind, alike: u64) -> u64 {
        self.lock().worth(kind).unwrap_or_else(|| RewardByAlike.worth(kind, alike))
    }

    fn is_wanted(&self, kind: &FindingKind) -> bool {
        let mut inner = self.lock();
        let mut is_wanted = true;
        for (pool, most) in Pool::of(kind) {
            let Some(row) = inner.pools.get_mut(&pool).filter(|row| row.misses >= most) else { continue };
            row.passed += 1;
            let is_its_turn = row.passed > row.misses;
            row.passed = if is_its_turn { 0 } else { row.passed };
            is_wanted &= is_its_turn;
        }
        is_wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(class: BugClass, mode: &str) -> FindingKind {
        let (solver, options) = ("z3@4.8.7".to_string(), String::new());
        FindingKind { class, solver, mode: mode.to_string(), options, origin: FindingOrigin::default() }
    }

    fn of_seed(kind: FindingKind, seed: &str) -> FindingKind {
        let origin = FindingOrigin { seed: Some(seed.to_string()), ..kind.origin };
        FindingKind { origin, ..kind }
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
        assert_eq!(causes.rank(&kind(BugClass::A, "plain"), "unsat"), (0, 334));
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
        assert_eq!(causes.rank(&horn, "unsat"), (2, 750));
        causes.add(&horn, "unsat", &vector("xxx"));
        assert!(causes.is_wanted(&horn));
    }

    /// A mistake that needs no tactic shows under each of sixty: hits by the others are likely the same.
    #[test]
    fn what_one_tactic_and_one_seed_show_tells_of_others() {
        let causes = ReducedCauses::default();
        let tactic = |n: u64, seed: &str| of_seed(kind(BugClass::A, &format!("tactic t{n}")), seed);
        let check = |kind: &FindingKind, worth: u64, wanted: bool| {
            assert_eq!((causes.worth(kind, 0), causes.is_wanted(kind)), (worth, wanted), "{kind:?}");
        };
        for n in 0..4 {
            causes.add(&tactic(n, "a"), "unsat", &vector("x.."));
        }
        check(&tactic(9, "a"), 400, false);
        check(&tactic(9, "b"), 500, true);
        check(&tactic(0, "b"), 1000, true);
        check(&of_seed(kind(BugClass::A, "plain"), "b"), 1000, true);
        causes.add(&tactic(9, "a"), "unsat", &vector("xx."));
        check(&tactic(8, "a"), 571, true);
    }
}
