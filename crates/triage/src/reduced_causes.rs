//! The causes that reductions of a campaign's wrong answers found, and which kinds of findings still bring new ones.

use crate::folder::CampaignFindings;
use crate::matching::CauseTrigger;
use finding::folder::{self, FindingFolder};
use finding::kind::{CAUSE, RewardByAlike};
use finding::{AnswerVector, BugClass, CauseReward, FindingKind, FindingOrigin, ReducedCause, SolverLabel, symptom};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// After so many reductions in a row that brought nothing new, hits of a kind are confirmed only now and then.
pub const MOST_MISSES: u64 = 6;
/// The same of hits of one class from one seed, whatever asks: a seed on which the solver errs shows it under most tactics.
const MOST_SEED_MISSES: u64 = 3;

/// The most causes whose operators are avoided: a theory without half of its operators shows little.
const MOST_TRIGGERS: usize = 16;

/// The rank from which on findings are hardly of new causes.
pub const HOPELESS: u8 = 2;

/// For so long a campaign waits for one reduction. One that takes longer goes on beside it.
const PATIENCE: Duration = Duration::from_secs(60);

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
    /// What shows the known causes of each solver.
    triggers: HashMap<String, Vec<CauseTrigger>>,
    /// Since when what waits is for a reduction under way; none where little waits.
    behind_since: Option<Instant>,
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
    /// Takes whether a finding of this kind was of a new cause.
    fn reduced(&mut self, kind: &FindingKind, is_new: bool) {
        for pool in [Pool::of_kind(kind), Pool::of_mode(kind)].into_iter().chain(Pool::of_seed(kind)) {
            self.pools.entry(pool).or_default().add(is_new);
        }
    }

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
        inner.reduced(kind, is_new);
        is_new
    }

    /// Takes that a finding was of a known cause.
    pub fn matched(&self, kind: &FindingKind) {
        self.lock().reduced(kind, false);
    }

    /// Takes what shows a cause of a solver.
    pub fn know(&self, solver: &str, trigger: CauseTrigger) {
        let mut inner = self.lock();
        let known = inner.triggers.entry(solver.to_string()).or_default();
        if !trigger.is_empty() && known.len() < MOST_TRIGGERS && known.iter().all(|other| !other.is_like(&trigger)) {
            known.push(trigger);
        }
    }

    /// What shows the known causes of a solver.
    pub fn known(&self, solver: &str) -> Vec<CauseTrigger> {
        self.lock().triggers.get(solver).cloned().unwrap_or_default()
    }

    /// Takes what shows the causes of the findings in a folder that are reduced.
    pub fn know_all(&self, findings: &CampaignFindings) {
        for finding in &findings.findings {
            if let Some(trigger) = CauseTrigger::of(finding) {
                self.know(&finding.finding.solver.label, trigger);
            }
        }
    }

    /// Takes whether more hits wait than reductions keep pace with, and whether a reduction begins.
    pub fn fall_behind(&self, is_behind: bool, begins: bool) {
        let mut inner = self.lock();
        let since = inner.behind_since.filter(|_| !begins);
        inner.behind_since = is_behind.then(|| since.unwrap_or_else(Instant::now));
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
        (if is_hopeless { HOPELESS } else { 0 }, CAUSE.saturating_sub(worth))
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

    fn triggers(&self, solver: &str) -> Vec<Arc<[Box<str>]>> {
        let names = |trigger: &CauseTrigger| Arc::from(trigger.operators());
        self.lock().triggers.get(solver).into_iter().flatten().map(names).collect()
    }

    fn avoided_settings(&self, solver: &str) -> Vec<Arc<[String]>> {
        let settings = |trigger: &CauseTrigger| Arc::from(trigger.settings());
        self.lock().triggers.get(solver).into_iter().flatten().map(settings).collect()
    }

    fn keeps_pace(&self) -> bool {
        self.lock().behind_since.is_none_or(|since| since.elapsed() > PATIENCE)
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
