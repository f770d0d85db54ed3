//! A campaign's state besides its findings: units done, counts, pairs; and the part that is not yet stored.

pub mod event;
pub mod finding_index;

use crate::counts::answer_counts::{AnswerCounts, Cell, CellKey};
use crate::counts::error_texts::ErrorTexts;
use crate::counts::stats::Snapshot;
use crate::schedule::Schedule;
use crate::schedule::bandit::{Arm, ArmName, Reward};
use crate::schedule::completed::CompletedUnits;
use crate::schedule::pairs::{Pairs, SeedSolverPair};
use crate::schedule::unit::{PairVerdict, UnitPlan, UnitReport};
use crate::seeds::models::ModelKey;
use crate::seeds::partner::PartnerLabel;
use crate::state::event::CampaignEvent;
use crate::under_test::Mode;
use finding::BugSeverity;
use finding::record::AFTER_RESET;
use finding::{Finding, ScriptOrigin};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Yields, in thousandths of a group.
const ANSWER_KIND: u64 = 10;
const UNUSUAL_TIME: u64 = 5;
/// The bit of a pair for a reached limit.
const LIMIT_SEEN: u16 = 1 << 15;
/// Costs, in thousandths of a mutant: reading the seed, sending a mutant, waiting for a timeout. Seconds are not used: a campaign of one
/// worker depends only on its seed and the solvers' answers.
const UNIT_COST: u64 = 8_000;
const MUTANT_COST: u64 = 1_000;
const LIMIT_COST: u64 = 100_000;

/// The state of a campaign.
pub(crate) struct CampaignState {
    pub(crate) schedule: Schedule,
    pub(crate) completed: CompletedUnits,
    pub(crate) pairs: Pairs,
    pub(crate) totals: Snapshot,
    /// Answers of this run.
    pub(crate) cells: AnswerCounts,
    /// The messages in place of answers and mutants.
    pub(crate) errors: ErrorTexts,
    /// The end of the unit numbers.
    pub(crate) units: Option<u64>,
    /// Whether any mutator takes seeds; otherwise all problems are generated.
    pub(crate) uses_seeds: bool,
    seeds: Vec<String>,
    targets: Vec<String>,
    sent: Vec<bool>,
    skipped: FxHashSet<usize>,
    /// The yield of units in progress from new groups.
    fresh: FxHashMap<u64, NewGroups>,
    delta: Delta,
}

/// The new groups of a unit in progress, in thousandths of a group: those of the unmutated seed, and those of mutants by mode.
#[derive(Clone, Debug, Default)]
struct NewGroups {
    seed: u64,
    groups: Vec<(String, u64)>,
}

/// The changes since the store was last written. Counts are increments, the rest are current values.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// Units done, by position in the shard.
    pub done: Vec<u64>,
    /// The current watermark of completed units.
    pub watermark: u64,
    /// All counts.
    pub counts: Snapshot,
    /// Answers by solver, mutator and logic.
    pub cells: FxHashMap<CellKey, Cell>,
    /// Units and mutants, by seed, mutator, solver and mode.
    pub coverage: FxHashMap<CoverageKey, Covered>,
    /// Pairs that changed.
    pub pairs: FxHashMap<(usize, usize), SeedSolverPair>,
    /// Arms of the schedule that changed.
    pub arms: FxHashMap<ArmName, Arm>,
    /// Seeds that were sent unmutated, with the SHA-256 of their bytes.
    pub sent: Vec<(usize, String)>,
    /// Seeds that yielded nothing for at least one solver, with the reason.
    pub skipped: Vec<(usize, String)>,
    /// New groups.
    pub groups: u64,
    /// New labels of seeds.
    pub labels: Vec<(usize, PartnerLabel)>,
    /// New models of seeds.
    pub models: Vec<(ModelKey, Option<Arc<str>>)>,
}

/// A point of the space that a campaign covers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CoverageKey {
    /// The position of the seed.
    pub seed: usize,
    /// The mutator's name.
    pub mutator: String,
    /// The position of the solver.
    pub solver: usize,
    /// The mode of the mutants.
    pub mode: Mode,
}

/// The work at such a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Covered {
    /// Units.
    pub units: u64,
    /// Mutants.
    pub mutants: u64,
}

/// The stored state of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Remembered {
    /// The watermark of completed units.
    pub watermark: u64,
    /// The positions done above it.
    pub done: Vec<u64>,
    /// All counts.
    pub totals: Snapshot,
    /// The state of pairs of seed and solver, by position.
    pub pairs: Vec<(usize, usize, SeedSolverPair)>,
    /// The arms of the schedule.
    pub arms: Vec<(ArmName, Arm)>,
    /// Seeds that were sent unmutated.
    pub sent: Vec<usize>,
    /// Seeds that yielded nothing for at least one solver.
    pub skipped: Vec<usize>,
    /// The labels of seeds.
    pub labels: Vec<(usize, PartnerLabel)>,
    /// Wall-clock seconds of all earlier runs.
    pub wall_s: f64,
    /// CPU seconds of all earlier runs, without the counted time of solvers.
    pub own_cpu_s: f64,
}

/// The next step.
pub(crate) enum NextUnit {
    /// This unit.
    Unit(UnitPlan),
    /// Nothing: every unit is given out, or no pair is left.
    Nothing,
}

impl CampaignState {
    /// Makes the state of a campaign with these seeds and solvers, by name, from its stored state.
    pub(crate) fn new(
        schedule: Schedule,
        completed: CompletedUnits,
        seeds: Vec<String>,
        targets: Vec<String>,
        remembered: &Remembered,
    ) -> CampaignState {
        let mut schedule = schedule;
        schedule.restore(remembered.arms.iter().copied());
        let mut pairs = Pairs::new(seeds.len(), targets.len());
        pairs.restore(remembered.pairs.iter().copied());
        let mut sent = vec![false; seeds.len()];
        for &seed in &remembered.sent {
            if let Some(sent) = sent.get_mut(seed) {
                *sent = true;
            }
        }
        CampaignState {
            schedule,
            completed,
            pairs,
            totals: remembered.totals,
            cells: AnswerCounts::default(),
            errors: ErrorTexts::default(),
            units: None,
            uses_seeds: true,
            sent,
            skipped: remembered.skipped.iter().copied().filter(|seed| *seed < seeds.len()).collect(),
            seeds,
            targets,
            fresh: FxHashMap::default(),
            delta: Delta::default(),
        }
    }

    /// Returns the next unit to give out.
    pub(crate) fn next(&mut self) -> NextUnit {
        while !self.pairs.is_all_given_up() && self.units.is_none_or(|end| self.completed.peek() < end) {
            let number = self.completed.take();
            match self.schedule.plan(number, &self.pairs) {
                Some(plan) => {
                    self.pairs.get_mut(plan.seed, plan.target).visits += 1;
                    return NextUnit::Unit(plan);
                }
                // It has no work, now or later.
                None => {
                    self.finish(number);
                }
            }
        }
        NextUnit::Nothing
    }

    fn finish(&mut self, number: u64) -> bool {
        let new = self.completed.finish(number);
        if new {
            self.delta.done.extend(self.completed.shard().position(number));
        }
        new
    }

    /// Records that a unit in progress found a new cause, of this worth, by its first finding. A crash that only happens after other
    /// scripts and `(reset)`, whichever seed comes next, counts, but credits none of the unit's choices.
    pub(crate) fn new_cause(&mut self, finding: &Finding, worth: u64) {
        if finding.class.severity() != BugSeverity::Crash || finding.mode != AFTER_RESET {
            let fresh = self.fresh.entry(finding.campaign.unit).or_default();
            match finding.origin {
                ScriptOrigin::Seed => fresh.seed += worth,
                ScriptOrigin::Mutant => fresh.groups.push((finding.mode.clone(), worth)),
            }
        }
        self.delta.groups += 1;
    }

    /// Records a seed's logic and statuses.
    pub(crate) fn label(&mut self, seed: usize, label: PartnerLabel) {
        self.delta.labels.push((seed, label));
    }

    /// Records the answer to a request for a seed's model.
    pub(crate) fn model(&mut self, key: ModelKey, model: Option<Arc<str>>) {
        self.delta.models.push((key, model));
    }

    /// Applies a unit's results. Returns an event to report, if any; a unit done before changes nothing.
    pub(crate) fn apply(&mut self, report: &UnitReport) -> Option<CampaignEvent> {
        let UnitPlan { number, seed, target, .. } = report.plan;
        if seed >= self.seeds.len() || target >= self.targets.len() || self.completed.is_done(number) {
            return None;
        }
        self.count(report);
        let fresh = self.fresh.remove(&number).unwrap_or_default();
        if !report.complete {
            return None;
        }
        self.finish(number);
        let reward = self.reward(report, fresh);
        self.delta.arms.extend(self.schedule.learn(report, &mut self.pairs, &reward));
        self.totals.units += 1;
        self.delta.counts.units += 1;
        if report.counts.sat + report.counts.unsat + report.counts.unknown > 0 {
            self.pairs.answered(seed, target);
        }
        let gone = self.pairs.judge(seed, target, &report.verdict);
        let every = matches!(report.verdict, PairVerdict::ForNobody(_));
        for target in if every { 0..self.targets.len() } else { target..target + 1 } {
            self.delta.pairs.insert((seed, target), *self.pairs.get(seed, target));
        }
        let (solver, reason) = match &report.verdict {
            PairVerdict::Failed(reason) | PairVerdict::NoProblem(reason) | PairVerdict::NotForSolver(reason) => {
                (Some(self.targets[target].clone()), reason)
            }
            PairVerdict::ForNobody(reason) => (None, reason),
            PairVerdict::Useful => return None,
        };
        if !gone {
            return None;
        }
        self.skipped.insert(seed);
        self.delta.skipped.push((seed, reason.clone()));
        Some(CampaignEvent::SkippedSeed { seed: self.seed_name(seed), solver, reason: reason.clone() })
    }

    /// Returns a unit's cost and yield: new groups, kinds of answers new for its pair, and a timeout of mutants whose seed was answered
    /// before, the best sign of an unusual run time without a clock.
    fn reward(&mut self, report: &UnitReport, fresh: NewGroups) -> Reward {
        let counts = &report.counts;
        let limits = counts.timeouts.saturating_add(counts.memouts);
        let pair = self.pairs.get_mut(report.plan.seed, report.plan.target);
        let kinds = [counts.sat, counts.unsat, counts.unknown, counts.crashed, counts.models_invalid];
        let answered = pair.seen & 0b111 != 0;
        let mut answers = 0;
        for (n, _) in kinds.iter().enumerate().filter(|(_, seen)| **seen > 0) {
            let bit = 1 << n;
            // The very first kind is not news.
            answers += if pair.seen & bit == 0 && pair.seen != 0 { ANSWER_KIND } else { 0 };
            pair.seen |= bit;
        }
        if limits > 0 && answered && pair.seen & LIMIT_SEEN == 0 {
            pair.seen |= LIMIT_SEEN;
            answers += UNUSUAL_TIME;
        }
        let waited = limits.saturating_mul(LIMIT_COST);
        let cost = UNIT_COST.saturating_add(counts.mutants.saturating_mul(MUTANT_COST)).saturating_add(waited);
        Reward { cost, seed: fresh.seed, answers, groups: fresh.groups }
    }

    fn count(&mut self, report: &UnitReport) {
        let UnitPlan { seed, target, .. } = report.plan;
        let mut counts = Snapshot { seeds: 0, units: 0, ..report.counts };
        if report.seed_sent && !std::mem::replace(&mut self.sent[seed], true) {
            counts.seeds = 1;
            self.delta.sent.push((seed, report.seed_sha256.clone()));
        }
        self.totals.add(&counts);
        self.delta.counts.add(&counts);
        self.errors.extend(&report.errors);
        for row in &report.cells {
            self.cells.add(row.key.clone(), &row.cell);
            self.delta.cells.entry(row.key.clone()).or_default().add(&row.cell);
        }
        for &(mode, mutants) in &report.modes {
            let key = CoverageKey { seed, mutator: report.mutator.clone().unwrap_or_default(), solver: target, mode };
            let covered = self.delta.coverage.entry(key).or_default();
            covered.units += 1;
            covered.mutants += mutants;
        }
    }

    /// Skips a seed for all solvers. Returns the event to report; `None` if that was done before.
    pub(crate) fn skip(&mut self, seed: usize, reason: &str) -> Option<CampaignEvent> {
        let name = self.seed_name(seed);
        let verdict = PairVerdict::ForNobody(reason.to_string());
        if !self.pairs.judge(seed, 0, &verdict) {
            return None;
        }
        for target in 0..self.targets.len() {
            self.delta.pairs.insert((seed, target), *self.pairs.get(seed, target));
        }
        self.skipped.insert(seed);
        self.delta.skipped.push((seed, reason.to_string()));
        Some(CampaignEvent::SkippedSeed { seed: name, solver: None, reason: reason.to_string() })
    }

    /// Returns the seed's name; `None` where all problems are generated.
    pub(crate) fn seed_name(&self, seed: usize) -> Option<String> {
        self.seeds.get(seed).filter(|_| self.uses_seeds).cloned()
    }

    /// Returns the solver's name.
    pub(crate) fn target_name(&self, target: usize) -> String {
        self.targets.get(target).cloned().unwrap_or_default()
    }

    /// Returns the number of seeds that yielded nothing for at least one solver.
    pub(crate) fn skipped(&self) -> usize {
        self.skipped.len()
    }

    /// Returns the changes since the last call; `None` without any.
    pub(crate) fn take_delta(&mut self) -> Option<Delta> {
        let delta = std::mem::take(&mut self.delta);
        let watermark = self.completed.watermark();
        (!delta.is_empty()).then_some(Delta { watermark, ..delta })
    }
}

impl Delta {
    /// Adds later changes.
    pub(crate) fn extend(&mut self, later: Delta) {
        self.done.extend(later.done);
        self.watermark = later.watermark;
        self.counts.add(&later.counts);
        for (key, cell) in later.cells {
            self.cells.entry(key).or_default().add(&cell);
        }
        for (key, more) in later.coverage {
            let covered = self.coverage.entry(key).or_default();
            covered.units += more.units;
            covered.mutants += more.mutants;
        }
        self.pairs.extend(later.pairs);
        self.arms.extend(later.arms);
        self.sent.extend(later.sent);
        self.skipped.extend(later.skipped);
        self.groups += later.groups;
        self.labels.extend(later.labels);
        self.models.extend(later.models);
    }

    fn is_empty(&self) -> bool {
        self.done.is_empty()
            && self.counts == Snapshot::default()
            && self.labels.is_empty()
            && self.models.is_empty()
            && self.skipped.is_empty()
            && self.groups == 0
    }
}
