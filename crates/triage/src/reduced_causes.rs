//! The causes that reductions of a campaign's wrong answers found, and which kinds of findings still bring new ones.

use finding::folder::{self, FindingFolder};
use finding::reward::{CAUSE, RewardByAlike};
use finding::{AnswerVector, BugClass, CauseReward, FindingKind, FindingOrigin, ReducedCause, SolverLabel, symptom};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// After so many reductions in a row that brought nothing new, hits of a kind are confirmed only now and then.
const MOST_MISSES: u64 = 6;
/// The same of hits of one class from one seed, whatever asks: a seed on which the solver errs shows it under most tactics.
const MOST_SEED_MISSES: u64 = 3;

/// So many hits that wait for their reduction count as one that brought nothing new: what is known of a kind by one reduction must not
/// have the schedule ask for a hundred more.
const WAITING_AS_MISS: u64 = 4;

/// What reductions found so far. Threads share it.
#[derive(Debug, Default)]
pub struct ReducedCauses(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    causes: Vec<ReducedCause>,
    pools: HashMap<Pool, PoolYield>,
}

/// Findings that likely share their causes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Pool {
    /// Those of one kind, from whichever seed, under whichever drawn options if under any. By a tactic, whatever the mutator
    /// and the options.
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
    /// Hits since the last new cause that were to be confirmed, less those that were reduced.
    waiting: u64,
}

impl Pool {
    fn of_kind(kind: &FindingKind) -> Pool {
        if kind.asks_by_tactic() {
            // Its mistake shows in the mutants of every mutator.
            return Pool::Kind(FindingKind {
                options: String::new(),
                origin: FindingOrigin::default(),
                ..kind.clone()
            });
        }
        // Hardly two units draw the same options: one by one nothing would ever be known of them.
        let options = if kind.options.is_empty() { String::new() } else { "drawn".to_string() };
        let origin = FindingOrigin { seed: None, ..kind.origin.clone() };
        Pool::Kind(FindingKind { options, origin, ..kind.clone() })
    }

    fn of_seed(kind: &FindingKind) -> Option<Pool> {
        Some(Pool::Seed(kind.class, kind.solver.clone(), kind.origin.seed.clone()?))
    }

    fn of_mode(kind: &FindingKind) -> Pool {
        Pool::Mode(kind.class, kind.solver.clone(), kind.mode_word().to_string())
    }
}

impl PoolYield {
    fn add(&mut self, is_new: bool) {
        let (misses, waiting) = if is_new { (0, 0) } else { (self.misses + 1, self.waiting.saturating_sub(1)) };
        *self = PoolYield { reduced: self.reduced + 1, new: self.new + u64::from(is_new), misses, passed: 0, waiting };
    }

    /// The reductions since the last new cause, with those that wait.
    fn stale(&self) -> u64 {
        self.misses + self.waiting / WAITING_AS_MISS
    }

    /// What reducing another finding of the pool is worth by the last reductions. Without any nothing is known, but where many hits wait
    /// the first one is due.
    fn reduction(&self) -> Option<u64> {
        match self.reduced {
            0 => (self.stale() >= MOST_MISSES).then_some(CAUSE),
            _ => Some(CAUSE * 2 / (2 + self.misses)),
        }
    }

    /// What another hit is worth, beside those that wait.
    fn hit(&self) -> u64 {
        CAUSE * 2 / (2 + self.stale())
    }

    /// What it is worth by all of them.
    fn on_average(&self) -> u64 {
        CAUSE * (self.new + 2) / (self.reduced + 2)
    }
}

impl Inner {
    /// What is known of its kind, and of its seed.
    fn of(&self, kind: &FindingKind) -> [Option<PoolYield>; 2] {
        [Some(Pool::of_kind(kind)), Pool::of_seed(kind)].map(|pool| self.pools.get(&pool?).copied())
    }

    /// What a finding is worth whose kind nothing is known of: what reductions in its mode brought, if there were any.
    fn in_mode(&self, kind: &FindingKind) -> Option<u64> {
        self.pools.get(&Pool::of_mode(kind)).map(PoolYield::on_average)
    }

    /// What the last reductions tell of the worth of reducing a finding; none where there were none of its kind, its seed or its mode.
    fn reduction(&self, kind: &FindingKind) -> Option<u64> {
        let [of_kind, of_seed] = self.of(kind).map(|row| row.as_ref().and_then(PoolYield::reduction));
        // What is known of the very kind says more than what all tactics have in common.
        of_kind.or_else(|| self.in_mode(kind)).into_iter().chain(of_seed).min()
    }

    /// What another hit of its kind is worth, of which there are so many.
    fn hit(&self, kind: &FindingKind, alike: u64) -> u64 {
        let rows = self.of(kind);
        let is_reduced = rows[0].is_some_and(|row| row.reduced > 0);
        let unknown = || self.in_mode(kind).unwrap_or_else(|| RewardByAlike.worth(kind, alike));
        let least = rows.iter().flatten().map(PoolYield::hit).min();
        match least {
            Some(least) if is_reduced => least,
            Some(least) => least.min(unknown()),
            None => unknown(),
        }
    }
}

impl ReducedCauses {
    /// What was reduced in a campaign's folder before.
    pub fn load(out: &Path) -> ReducedCauses {
        let found = ReducedCauses::default();
        // A campaign that is new has no findings.
        for folder in folder::find(out).unwrap_or_default().into_iter().map(FindingFolder::at) {
            if let (Ok(record), Some(saved)) = (folder.record(), folder.vector()) {
                found.add(&FindingKind::of(&record), &record.symptom, &saved.vector);
            }
        }
        found
    }

    /// Takes who errs on a reduced script, and says whether that is a cause that was not known. What needs no reduction, and a
    /// script that only one release was asked about, teach nothing.
    pub fn add(&self, kind: &FindingKind, symptom: &str, vector: &AnswerVector) -> bool {
        if !symptom::needs_reduction(kind.class, symptom) || vector.len() < 2 {
            return false;
        }
        let cause = ReducedCause::new(kind.class, SolverLabel::of(&kind.solver).name, symptom, vector);
        let mut inner = self.lock();
        let known = inner.causes.iter_mut().find(|known| known.is_same(&cause));
        let is_new = known.is_none();
        match known {
            Some(known) => known.vector.add(vector),
            None => inner.causes.push(cause),
        }
        for pool in [Pool::of_kind(kind), Pool::of_mode(kind)].into_iter().chain(Pool::of_seed(kind)) {
            inner.pools.entry(pool).or_default().add(is_new);
        }
        is_new
    }

    /// When a finding is to be reduced, for most new causes in the time there is; less is sooner. Wrong answers come first, the likeliest
    /// to be of new causes before others, and those that hardly are behind all else.
    pub fn rank(&self, kind: &FindingKind, symptom: &str) -> (u8, u64) {
        if !symptom::needs_reduction(kind.class, symptom) {
            return (1, 0);
        }
        let inner = self.lock();
        let worth = inner.reduction(kind).unwrap_or(CAUSE);
        let is_hopeless = inner.of(kind).iter().flatten().any(|row| row.misses >= MOST_MISSES);
        (if is_hopeless { 2 } else { 0 }, CAUSE.saturating_sub(worth))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change is whole, so that a panic elsewhere leaves it so.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CauseReward for ReducedCauses {
    /// By what reductions brought of its kind lately, of its seed, and in its mode where none of its kind was reduced, and by how many
    /// wait; by the number alike where nothing was reduced.
    fn worth(&self, kind: &FindingKind, alike: u64) -> u64 {
        self.lock().hit(kind, alike)
    }

    fn is_wanted(&self, kind: &FindingKind) -> bool {
        let mut inner = self.lock();
        let mut is_wanted = true;
        let pools = [(Some(Pool::of_kind(kind)), MOST_MISSES), (Pool::of_seed(kind), MOST_SEED_MISSES)];
        for (pool, most) in &pools {
            let known = pool.as_ref().and_then(|pool| inner.pools.get_mut(pool));
            let Some(row) = known.filter(|row| row.stale() >= *most) else { continue };
            row.passed += 1;
            let is_its_turn = row.passed > row.stale();
            row.passed = if is_its_turn { 0 } else { row.passed };
            is_wanted &= is_its_turn;
        }
        if is_wanted {
            for pool in pools.into_iter().filter_map(|(pool, _)| pool) {
                inner.pools.entry(pool).or_default().waiting += 1;
            }
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
        let wrong_model = symptom::WRONG_MODEL;
        assert!(causes.add(&kind(BugClass::B, "plain"), wrong_model, &vector("x..")), "a wrong model is no wrong sat");
        assert!(!causes.add(&kind(BugClass::B, "plain"), wrong_model, &vector("x..")));
        assert_eq!(causes.lock().causes.len(), 4);
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

    /// With options drawn for each unit z3 4.8.7 had 500 findings of `qfufbv_ackr` in a quarter of an hour, nearly all under options of their own.
    #[test]
    fn what_drawn_options_show_tells_of_others() {
        let causes = ReducedCauses::default();
        let under = |mode: &str, made_by: &str, options: &str| {
            let origin = FindingOrigin { made_by: made_by.to_string(), seed: None };
            FindingKind { options: options.to_string(), origin, ..kind(BugClass::B, mode) }
        };
        for mode in ["plain", "tactic horn"] {
            for n in 0..=MOST_MISSES {
                causes.add(&under(mode, "storm", &format!("a={n}")), "sat", &vector("x.."));
            }
            assert!(!causes.is_wanted(&under(mode, "storm", "b=1 c=2")), "{mode}");
            assert_eq!(causes.worth(&under(mode, "storm", "b=1"), 0), if mode == "plain" { 250 } else { 222 });
        }
        assert!(causes.is_wanted(&under("plain", "storm", "")), "the solver as it comes is another matter");
        assert!(causes.is_wanted(&under("plain", "weave", "b=1")), "so are problems of other kinds");
        assert!(!causes.is_wanted(&under("tactic horn", "weave", "")), "but a tactic errs on all");
    }

    /// Of z3 4.8.7's `qfufbv_ackr` 143 findings waited in a quarter of an hour, of which four were reduced: other kinds were before them.
    #[test]
    fn hits_that_wait_for_reductions_count_in_part() {
        let causes = ReducedCauses::default();
        let horn = kind(BugClass::B, "tactic horn");
        let wanted = || (0..100).filter(|_| causes.is_wanted(&horn)).count();
        causes.add(&horn, "sat", &vector("x.."));
        assert!((25..40).contains(&wanted()));
        assert!(causes.worth(&horn, 0) < 250);
        assert_eq!(causes.rank(&horn, "sat"), (0, 0), "none of its reductions was for nothing");
        causes.add(&horn, "sat", &vector("xx."));
        assert!(causes.is_wanted(&horn) && causes.worth(&horn, 0) == 1000, "it brings new causes");
    }

    /// In half an hour 653 of that tactic waited and none was reduced: other kinds were always before them, and nothing held them back.
    #[test]
    fn a_kind_of_which_many_wait_is_reduced_once() {
        let causes = ReducedCauses::default();
        let (horn, other) = (kind(BugClass::B, "tactic horn"), kind(BugClass::B, "tactic smt"));
        causes.add(&other, "sat", &vector("x.."));
        causes.add(&other, "sat", &vector("x.."));
        assert_eq!((causes.worth(&horn, 0), causes.rank(&horn, "sat")), (750, (0, 250)), "as its mode is");
        let wanted = (0..100).filter(|_| causes.is_wanted(&horn)).count();
        assert!((25..40).contains(&wanted), "{wanted}");
        assert!(causes.worth(&horn, 0) < 250);
        assert_eq!(causes.rank(&horn, "sat"), (0, 0), "it is due");
        causes.add(&horn, "sat", &vector("x.."));
        assert_eq!(causes.rank(&horn, "sat"), (0, 334), "now it is known");
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
        assert_eq!(causes.rank(&tactic(9, "b"), "unsat"), (0, 500), "none of its own kind was reduced");
        check(&tactic(9, "b"), 500, true);
        check(&tactic(0, "b"), 1000, true);
        check(&of_seed(kind(BugClass::A, "plain"), "b"), 1000, true);
        causes.add(&tactic(9, "a"), "unsat", &vector("xx."));
        check(&tactic(8, "a"), 571, true);
    }
}
