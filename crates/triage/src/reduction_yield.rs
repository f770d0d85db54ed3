//! Learns from a campaign's reductions of wrong answers: the causes, and which kinds of findings still bring new ones.

use crate::folder::CampaignFindings;
use crate::matching::CauseTrigger;
use finding::folder::{self, FindingFolder};
use finding::kind::{CAUSE, RewardByAlike};
use finding::{AnswerVector, BugClass, CauseReward, FindingKind, FindingOrigin, ReducedCause, SolverLabel, symptom};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// After this many consecutive reductions without a new cause, hits of a kind are confirmed only occasionally.
pub const MOST_MISSES: u64 = 6;
/// The same for hits of one class from one seed, whatever the mode: a seed on which the solver fails does so under most tactics.
const MOST_SEED_MISSES: u64 = 3;

/// The maximum number of causes whose operators are avoided: a theory without half of its operators shows little.
const MOST_TRIGGERS: usize = 16;

/// From this rank on findings hardly have new causes.
pub const HOPELESS: u8 = 2;

/// How long a campaign waits for one reduction. A longer one continues in parallel.
const PATIENCE: Duration = Duration::from_secs(60);

/// This many hits that wait for reduction count as one without a new cause: a single reduction must not make the schedule ask for a
/// hundred more of the kind.
const WAITING_AS_MISS: u64 = 4;

/// The results of reductions so far, shared by threads.
#[derive(Debug, Default)]
pub struct ReductionYield(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    causes: Vec<ReducedCause>,
    pools: HashMap<Pool, PoolYield>,
    /// The triggers of the known causes of each solver.
    triggers: HashMap<String, Vec<CauseTrigger>>,
    /// When the campaign began to wait for a running reduction; `None` if little waits.
    behind_since: Option<Instant>,
}

/// Pools of findings that likely share their causes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Pool {
    /// Findings of one kind, from any seed, with any drawn options or with none. Under a tactic, with any mutator and options.
    Kind(FindingKind),
    /// Findings of one class and solver from one seed.
    Seed(BugClass, String, String),
    /// Findings of one class and solver in one mode: plain, incremental, or any tactic.
    Mode(BugClass, String, String),
}

/// The results of a pool's reductions.
#[derive(Clone, Copy, Debug, Default)]
struct PoolYield {
    /// The number of reductions.
    reduced: u64,
    /// The number that found a new cause.
    new: u64,
    /// The number since the last new cause.
    misses: u64,
    /// Hits since then that were not confirmed.
    passed: u64,
    /// Hits since the last new cause that were to be confirmed, minus the reduced ones.
    waiting: u64,
}

impl Pool {
    fn of_kind(kind: &FindingKind) -> Pool {
        if kind.asks_by_tactic() {
            // A tactic's mistake shows in the mutants of every mutator.
            return Pool::Kind(FindingKind {
                options: String::new(),
                origin: FindingOrigin::default(),
                ..kind.clone()
            });
        }
        // Hardly two units draw the same options: counted separately, nothing would ever be learned.
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

    /// Returns the number of reductions since the last new cause, including waiting ones.
    fn stale(&self) -> u64 {
        self.misses + self.waiting / WAITING_AS_MISS
    }

    /// Returns the worth of reducing another finding of the pool, by the last reductions. `None` without reductions, unless many hits
    /// wait and a first one is due.
    fn reduction(&self) -> Option<u64> {
        match self.reduced {
            0 => (self.stale() >= MOST_MISSES).then_some(CAUSE),
            _ => Some(CAUSE * 2 / (2 + self.misses)),
        }
    }

    /// Returns the worth of another hit, given the waiting ones.
    fn hit(&self) -> u64 {
        CAUSE * 2 / (2 + self.stale())
    }

    /// Returns the worth by all reductions.
    fn on_average(&self) -> u64 {
        CAUSE * (self.new + 2) / (self.reduced + 2)
    }
}

impl Inner {
    /// Records whether a finding of this kind had a new cause.
    fn reduced(&mut self, kind: &FindingKind, is_new: bool) {
        for pool in [Pool::of_kind(kind), Pool::of_mode(kind)].into_iter().chain(Pool::of_seed(kind)) {
            self.pools.entry(pool).or_default().add(is_new);
        }
    }

    /// Returns the results of its kind and of its seed.
    fn of(&self, kind: &FindingKind) -> [Option<PoolYield>; 2] {
        [Some(Pool::of_kind(kind)), Pool::of_seed(kind)].map(|pool| self.pools.get(&pool?).copied())
    }

    /// Returns the worth of a finding of an unknown kind: the results of its mode, if any.
    fn in_mode(&self, kind: &FindingKind) -> Option<u64> {
        self.pools.get(&Pool::of_mode(kind)).map(PoolYield::on_average)
    }

    /// Returns the worth of reducing a finding, by the last reductions; `None` without any of its kind, seed or mode.
    fn reduction(&self, kind: &FindingKind) -> Option<u64> {
        let [of_kind, of_seed] = self.of(kind).map(|row| row.as_ref().and_then(PoolYield::reduction));
        // Results of the kind are more specific than those of all tactics.
        of_kind.or_else(|| self.in_mode(kind)).into_iter().chain(of_seed).min()
    }

    /// Returns the worth of another hit of a kind with the given number of hits.
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

impl ReductionYield {
    /// Loads the earlier reductions of a campaign's folder.
    pub fn load(out: &Path) -> ReductionYield {
        let found = ReductionYield::default();
        // A new campaign has no findings.
        for folder in folder::find(out).unwrap_or_default().into_iter().map(FindingFolder::at) {
            if let (Ok(record), Some(saved)) = (folder.record(), folder.vector()) {
                found.add(&FindingKind::of(&record), &record.symptom, &saved.vector);
            }
        }
        found
    }

    /// Records who fails on a reduced script; returns whether the cause is new. Findings that need no reduction, and scripts with a
    /// single release asked, are ignored.
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

    /// Records that a finding had a known cause.
    pub fn matched(&self, kind: &FindingKind) {
        self.lock().reduced(kind, false);
    }

    /// Adds the trigger of a solver's cause.
    pub fn know(&self, solver: &str, trigger: CauseTrigger) {
        let mut inner = self.lock();
        let known = inner.triggers.entry(solver.to_string()).or_default();
        if !trigger.is_empty() && known.len() < MOST_TRIGGERS && known.iter().all(|other| !other.is_like(&trigger)) {
            known.push(trigger);
        }
    }

    /// Returns the triggers of a solver's known causes.
    pub fn known(&self, solver: &str) -> Vec<CauseTrigger> {
        self.lock().triggers.get(solver).cloned().unwrap_or_default()
    }

    /// Adds the triggers of a folder's reduced findings.
    pub fn know_all(&self, findings: &CampaignFindings) {
        for finding in &findings.findings {
            if let Some(trigger) = CauseTrigger::of(finding) {
                self.know(&finding.finding.solver.label, trigger);
            }
        }
    }

    /// Records whether reductions fall behind the hits, and whether a reduction begins.
    pub fn fall_behind(&self, is_behind: bool, begins: bool) {
        let mut inner = self.lock();
        let since = inner.behind_since.filter(|_| !begins);
        inner.behind_since = is_behind.then(|| since.unwrap_or_else(Instant::now));
    }

    /// Returns the priority of a finding's reduction; less is sooner. Wrong answers come first, most promising first; those that hardly
    /// have new causes come last.
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
        // Every change is atomic, so the data is valid even after a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CauseReward for ReductionYield {
    /// Ranks by the recent results of its kind, its seed, or (if none of its kind was reduced) its mode, and by the number of waiting
    /// hits; by this number alone if nothing was reduced.
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
