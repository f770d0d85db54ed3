//! What a campaign knows beside its findings: units done, the counts, the pairs; and what of it is not yet stored.

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
use crate::target::mode::Mode;
use finding::BugSeverity;
use finding::record::AFTER_RESET;
use finding::{Finding, ScriptOrigin};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What is gained, in thousandths of a group.
const ANSWER_KIND: u64 = 10;
const UNUSUAL_TIME: u64 = 5;
/// The bit of a pair for a limit met.
const LIMIT_SEEN: u16 = 1 << 15;
/// What is spent, in thousandths of a mutant: reading the seed, sending a mutant, waiting for a limit of time. Seconds have no
/// part in it: a campaign of one worker depends on its seed and the solvers' answers alone.
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
    /// What solvers said in place of answers in this run.
    pub(crate) errors: ErrorTexts,
    /// The end of the units: no unit has this number or a later one.
    pub(crate) units: Option<u64>,
    /// Whether any mutator takes seeds; otherwise all problems are generated.
    pub(crate) uses_seeds: bool,
    seeds: Vec<String>,
    targets: Vec<String>,
    sent: Vec<bool>,
    skipped: FxHashSet<usize>,
    /// What units under way brought by new groups.
    fresh: FxHashMap<u64, NewGroups>,
    delta: Delta,
}

/// The new groups of a unit under way, in thousandths of a group: those of the seed as it is, and those of mutants by how they
/// ask.
#[derive(Clone, Debug, Default)]
struct NewGroups {
    seed: u64,
    groups: Vec<(String, u64)>,
}

/// What happened since the last time the store was written. Counts are what is to be added, the rest is as it is now.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// Units done, by their position in the shard.
    pub done: Vec<u64>,
    /// The watermark of completed units now.
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
    /// Seeds that were sent as they are, with the SHA-256 of their bytes.
    pub sent: Vec<(usize, String)>,
    /// Seeds that gave nothing for one solver at least, and why.
    pub skipped: Vec<(usize, String)>,
    /// New groups.
    pub groups: u64,
    /// What is known of seeds since.
    pub labels: Vec<(usize, PartnerLabel)>,
    /// Models that solvers were asked for since.
    pub models: Vec<(ModelKey, Option<Arc<str>>)>,
}

/// A place in the space that a campaign covers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CoverageKey {
    /// The position of the seed.
    pub seed: usize,
    /// The mutator's name.
    pub mutator: String,
    /// The position of the solver.
    pub solver: usize,
    /// How the mutants asked.
    pub mode: Mode,
}

/// What was done at such a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Covered {
    /// Units.
    pub units: u64,
    /// Mutants.
    pub mutants: u64,
}

/// What a store remembers of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Remembered {
    /// The watermark of completed units.
    pub watermark: u64,
    /// The positions done above it.
    pub done: Vec<u64>,
    /// All counts.
    pub totals: Snapshot,
    /// What is known of pairs of seed and solver, by their positions.
    pub pairs: Vec<(usize, usize, SeedSolverPair)>,
    /// The arms of the schedule.
    pub arms: Vec<(ArmName, Arm)>,
    /// Seeds that were sent as they are.
    pub sent: Vec<usize>,
    /// Seeds that gave nothing for one solver at least.
    pub skipped: Vec<usize>,
    /// What is known of seeds.
    pub labels: Vec<(usize, PartnerLabel)>,
    /// Wall-clock seconds of all runs before.
    pub wall_s: f64,
    /// CPU seconds of this program in all runs before, solvers not included.
    pub own_cpu_s: f64,
}

/// What comes next.
pub(crate) enum NextUnit {
    /// This unit.
    Unit(UnitPlan),
    /// Nothing: every unit is given out, or no pair is left.
    Nothing,
}

impl CampaignState {
    /// The state of a new campaign over these seeds and solvers, by their names, with what is remembered of it.
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

    /// The next unit to be given out.
    pub(crate) fn next(&mut self) -> NextUnit {
        while !self.pairs.is_all_given_up() && self.units.is_none_or(|end| self.completed.peek() < end) {
            let number = self.completed.take();
            match self.schedule.plan(number, &self.pairs) {
                Some(plan) => {
                    self.pairs.get_mut(plan.seed, plan.target).visits += 1;
                    return NextUnit::Unit(plan);
                }
                // There is nothing to do in it, now or later.
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

    /// A unit under way brought a new cause, of this worth, by its first finding. A crash that only comes after other scripts and
    /// `(reset)`, whichever seed comes next, counts, but speaks for nothing that was chosen for the unit.
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

    /// A seed's logic and statuses became known.
    pub(crate) fn label(&mut self, seed: usize, label: PartnerLabel) {
        self.delta.labels.push((seed, label));
    }

    /// A solver was asked for a model of a seed.
    pub(crate) fn model(&mut self, key: ModelKey, model: Option<Arc<str>>) {
        self.delta.models.push((key, model));
    }

    /// Takes what came of a unit. Returns what there is to tell; a unit done before changes nothing.
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
        let gone = self.pairs.judge(seed, target, &report.verdict);
        let every = matches!(report.verdict, PairVerdict::ForNobody(_));
        for target in if every { 0..self.targets.len() } else { target..target + 1 } {
            self.delta.pairs.insert((seed, target), *self.pairs.get(seed, target));
        }
        let (solver, reason) = match &report.verdict {
            PairVerdict::Failed(reason) | PairVerdict::NotForSolver(reason) => {
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

    /// What a unit cost and brought: new groups, kinds of answers new for its pair, and a limit met by mutants of a seed that
    /// was answered before, which is as unusual a time as can be told without a clock.
    fn reward(&mut self, report: &UnitReport, fresh: NewGroups) -> Reward {
        let counts = &report.counts;
        let limits = counts.timeouts.saturating_add(counts.memouts);
        let pair = self.pairs.get_mut(report.plan.seed, report.plan.target);
        let kinds = [counts.sat, counts.unsat, counts.unknown, counts.crashed, counts.models_invalid];
        let answered = pair.seen & 0b111 != 0;
        let mut answers = 0;
        for (n, _) in kinds.iter().enumerate().filter(|(_, seen)| **seen > 0) {
            let bit = 1 << n;
            // The first kind of all is no news.
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

    /// Gives a seed up for all solvers. Returns what there is to tell; none if that was done before.
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

    /// The seed's name; `None` where all problems are generated.
    pub(crate) fn seed_name(&self, seed: usize) -> Option<String> {
        self.seeds.get(seed).filter(|_| self.uses_seeds).cloned()
    }

    /// The solver's name.
    pub(crate) fn target_name(&self, target: usize) -> String {
        self.targets.get(target).cloned().unwrap_or_default()
    }

    /// How many seeds gave nothing, for one solver at least.
    pub(crate) fn skipped(&self) -> usize {
        self.skipped.len()
    }

    /// What happened since this was last asked; none if nothing did.
    pub(crate) fn take_delta(&mut self) -> Option<Delta> {
        let delta = std::mem::take(&mut self.delta);
        let watermark = self.completed.watermark();
        (!delta.is_empty()).then_some(Delta { watermark, ..delta })
    }
}

impl Delta {
    /// Adds what happened after this.
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
