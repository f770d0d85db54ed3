//! The contexts of workers: of the campaign, shared by all workers of a process, and of the current unit.

mod hits;

use crate::config::Config;
use crate::counts::answer_counts::{Cell, CellKey, CellRow};
use crate::counts::error_texts::ErrorTexts;
use crate::counts::stats::{Counters, add};
use crate::findings::disagreements::{MAX_BYTES, PER_UNIT, SolverDisagreement};
use crate::persist::CampaignError;
use crate::schedule::unit::{PairVerdict, UnitPlan, UnitReport};
use crate::seeds::models::{ModelContext, ModelKey, Models};
use crate::seeds::partner::{LabelContext, Labels, PartnerLabel};
use crate::under_test::Mode;
use crate::under_test::Target;
use crate::worker::control::Control;
use crate::worker::extra_share::ExtraShare;
use crate::worker::job::JobContext;
use crate::worker::limit_share::{LimitShare, RunCost, ScriptKind};
use crate::worker::sample::MutantSample;
use crate::worker::work_source::WorkSource;
use corpus::seed::{Seed, SeedSource};
use finding::{BugClass, CountsUnder};
use mutate::mutators;
use oracle::candidate::CpuMeter;
use oracle::{Asking, Hit, refusal};
use smtlib::Status;
use solver::batch::Together;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{ProcessLimits, RunError, RunStatus};
use solver::session::SessionNeeds;
use std::cell::RefCell;
use std::time::Duration;

/// The maximum size of a seed that is copied to a finding's folder, in bytes.
const MAX_SEED_COPY: usize = 1 << 20;

/// The data shared by all workers of a process.
pub(crate) struct CampaignContext<'c> {
    pub(crate) config: &'c Config,
    pub(crate) targets: &'c [Target],
    pub(crate) reference: Option<&'c Target>,
    pub(crate) models: Models,
    pub(crate) labels: Labels,
    pub(crate) control: &'c Control,
    pub(crate) source: &'c dyn WorkSource,
    /// The budget of extra questions.
    pub(crate) extra: ExtraShare,
    /// The budget of runs that reach a limit.
    pub(crate) limit_share: LimitShare,
    pub(crate) sample: MutantSample,
}

/// A worker's current unit: its counts and its verdict.
pub(crate) struct UnitContext<'c> {
    pub(crate) campaign: &'c CampaignContext<'c>,
    /// The counts of the unit. Other threads read them meanwhile.
    pub(crate) counters: &'c Counters,
    /// The CPU time spent to confirm the current hit.
    pub(crate) confirm_cpu: CpuMeter,
    /// The subject of the unit's scripts.
    about: RefCell<String>,
    log: RefCell<Log>,
}

/// Further data about the current unit.
#[derive(Default)]
struct Log {
    seed_sent: bool,
    cells: Vec<CellRow>,
    seed_sha256: String,
    mutator: Option<String>,
    modes: [u64; Mode::ALL.len()],
    errors: ErrorTexts,
    disagreements: Vec<SolverDisagreement>,
    verdict: PairVerdict,
    cut: bool,
}

impl CampaignContext<'_> {
    /// Whether workers must stop.
    pub(crate) fn is_over(&self) -> bool {
        self.control.is_over()
    }

    /// Whether there is any solver to ask besides the one under test.
    pub(crate) fn has_others(&self) -> bool {
        self.reference.is_some() || self.targets.len() > 1
    }

    /// Whether `unknown` may be a bug: another release of the solver may answer, or the solver claims to decide the script.
    pub(crate) fn counts_unknown(&self, target: &Target, text: &str) -> bool {
        let own = target.tested.solver.installed();
        let mut others = self.reference.into_iter().chain(self.targets);
        let is_release = |other: &Target| own.is_other_release(other.tested.solver.installed());
        others.any(is_release) || target.tested.is_complete_for(text)
    }

    /// Returns the hit shown by an outcome that is worth examining: a contradiction, or else a rejection.
    pub(crate) fn judge(&self, expected: &[Status], outcome: &SolverOutcome, asked: (&Target, &str)) -> Option<Hit> {
        let (target, text) = asked;
        let hit = oracle::judge(expected, outcome, Asking::of(text)).or_else(|| refusal::refused(outcome));
        hit.filter(|hit| self.matters(hit, target, text))
    }

    /// Whether a hit is worth examining: not `unknown` if nobody claims to decide the script. Drawn options may make a solver answer
    /// `unknown` sooner, and options not known to preserve answers may leave open what the standard fixes, so under these only `unsat`
    /// and crashes count.
    pub(crate) fn matters(&self, hit: &Hit, target: &Target, text: &str) -> bool {
        let drawn = &target.tested.drawn;
        let counts = match hit.class.row().counts_under {
            CountsUnder::AnyOptions => true,
            CountsUnder::SoundOptions => !drawn.may_change_answers,
            CountsUnder::DefaultOptions => drawn.is_default(),
        };
        counts
            && match hit.class {
                BugClass::C => self.counts_unknown(target, text),
                BugClass::R => self.reference.is_some() || self.targets.len() > 1,
                _ => true,
            }
    }
}

impl<'c> UnitContext<'c> {
    pub(crate) fn new(campaign: &'c CampaignContext<'c>, counters: &'c Counters) -> UnitContext<'c> {
        UnitContext {
            campaign,
            counters,
            confirm_cpu: CpuMeter::default(),
            about: RefCell::default(),
            log: RefCell::default(),
        }
    }

    /// Returns the results of the current unit and resets them.
    pub(crate) fn report(&self, plan: UnitPlan) -> UnitReport {
        let log = self.log.take();
        let modes = Mode::ALL.into_iter().zip(log.modes).filter(|(_, mutants)| *mutants > 0).collect();
        UnitReport {
            plan,
            complete: !log.cut && !self.campaign.is_over(),
            counts: self.counters.take(),
            cells: log.cells,
            seed_sent: log.seed_sent,
            seed_sha256: log.seed_sha256,
            mutator: log.mutator,
            modes,
            errors: log.errors,
            disagreements: log.disagreements,
            verdict: log.verdict,
        }
    }

    /// Asks a target. `None` if the campaign ended during the run, or it could not be started.
    pub(crate) fn ask(
        &self,
        target: &Target,
        text: &str,
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Option<SolverOutcome> {
        match target.tested.solver.check(text, purpose, &self.limits_now(target, limits)) {
            Ok(outcome) => {
                self.ran(target, &outcome);
                if let Some(said) = &outcome.unsupported {
                    target.tested.note_unsupported(said);
                }
                let cut = outcome.answers.iter().any(|check| check.answer == Answer::Cancelled);
                (!cut).then_some(outcome)
            }
            Err(error) => self.cannot_run(target, &error),
        }
    }

    /// Asks one process of a target about as many of several scripts as possible. `None` if the campaign ended during the run, or it
    /// could not be started.
    pub(crate) fn ask_together(
        &self,
        target: &Target,
        texts: &[&str],
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Option<Together> {
        let limits = self.limits_now(target, limits);
        match target.tested.solver.ask_together(texts, purpose, &limits) {
            Ok(together) => {
                let last = limits.script_cpu.map_or(together.cpu, |most| most.min(together.cpu));
                let cut = if together.status.is_limit() { last } else { Duration::ZERO };
                let answered = u32::try_from(together.told.len()).unwrap_or(u32::MAX);
                self.used(target, RunCost { all: together.cpu, cut, answered });
                (together.status != RunStatus::Cancelled).then_some(together)
            }
            Err(error) => self.cannot_run(target, &error),
        }
    }

    /// Records a target's run.
    pub(crate) fn ran(&self, target: &Target, outcome: &SolverOutcome) {
        self.used(target, RunCost::of(outcome));
    }

    /// Counts the cost of a run, in the unit and in the shares of the campaign.
    fn used(&self, target: &Target, cost: RunCost) {
        self.counters.spent(cost.all);
        self.counters.cut_off(cost.cut);
        self.campaign.extra.spent(cost.all);
        self.campaign.limit_share.ran(&self.kind(target), cost);
    }

    /// Returns the current limits of a script: shorter than given while limits cost too much.
    pub(crate) fn limits_now(&self, target: &Target, given: &ProcessLimits) -> ProcessLimits {
        self.campaign.limit_share.limits(&self.kind(target), target.tested.measured_start(), given)
    }

    fn kind(&self, target: &Target) -> ScriptKind {
        (target.tested.label.clone(), self.about.borrow().clone())
    }

    /// Sets the subject of the next scripts: those of the same mutator and theme or logic take about the same time.
    pub(crate) fn about(&self, about: &str) {
        about.clone_into(&mut self.about.borrow_mut());
    }

    fn cannot_run<T>(&self, target: &Target, error: &RunError) -> Option<T> {
        add(&self.counters.failed_runs, 1);
        self.campaign.control.fail(CampaignError::Solver(format!("{} cannot be run: {error}", target.tested.label)));
        None
    }

    /// Records that the unmutated seed was sent.
    pub(crate) fn seed_sent(&self) {
        self.log.borrow_mut().seed_sent = true;
    }

    /// Records the answers to a job's scripts.
    pub(crate) fn cell(&self, job: &JobContext<'_>, mutator: &str, cell: Cell) {
        if cell.scripts == 0 {
            return;
        }
        let key = CellKey {
            solver: self.campaign.targets[job.slot.target].tested.label.clone(),
            mutator: mutator.to_string(),
            // A generated problem does not use the seed that numbers its unit.
            logic: job.logic.filter(|_| !mutators::needs_no_seed(mutator)).unwrap_or_default().to_string(),
        };
        self.log.borrow_mut().cells.push(CellRow { key, cell });
    }

    /// Records the solver's messages in place of answers.
    pub(crate) fn errors(&self, outcome: &SolverOutcome) {
        self.log.borrow_mut().errors.add(outcome);
    }

    /// Records mutants that could not be made, and why.
    pub(crate) fn unmade(&self, mutants: u64, reason: &str) {
        add(&self.counters.unmade, mutants);
        self.log.borrow_mut().errors.add_unmade(reason, mutants);
    }

    /// Records an unresolved contradiction between solvers.
    pub(crate) fn unresolved(&self, found: SolverDisagreement) {
        add(&self.counters.unresolved, 1);
        let mut log = self.log.borrow_mut();
        if log.disagreements.len() < PER_UNIT && found.scripts.iter().all(|script| script.len() <= MAX_BYTES) {
            log.disagreements.push(found);
        }
    }

    /// Sets the unit's seed.
    pub(crate) fn seed(&self, seed: &Seed) {
        self.log.borrow_mut().seed_sha256.clone_from(&seed.sha256);
    }

    /// Sets the mutator of the unit's mutants.
    pub(crate) fn mutator(&self, name: &str) {
        self.counters.status.mutator(name);
        self.log.borrow_mut().mutator = Some(name.to_string());
    }

    /// Counts a mutant of this mode that was sent and judged.
    pub(crate) fn mode(&self, mode: Mode) {
        self.log.borrow_mut().modes[mode as usize] += 1;
    }

    /// Counts mutants that were sent and judged.
    pub(crate) fn sent(&self, mutants: u64) {
        add(&self.counters.mutants, mutants);
        self.campaign.control.sent(mutants);
    }

    /// Sets the unit's verdict on its pair of seed and solver. An interrupted unit has none.
    pub(crate) fn verdict(&self, verdict: PairVerdict) {
        if !self.campaign.is_over() {
            self.log.borrow_mut().verdict = verdict;
        }
    }

    /// Marks the unit as interrupted because the budget of mutants is used up.
    pub(crate) fn cut(&self) {
        self.log.borrow_mut().cut = true;
    }
}

impl LabelContext for UnitContext<'_> {
    fn seeds(&self) -> &[SeedSource] {
        &self.campaign.config.seeds
    }

    fn reference(&self) -> Option<&Target> {
        self.campaign.reference
    }

    fn limits(&self) -> &ProcessLimits {
        &self.campaign.config.limits
    }

    fn ask(&self, target: &Target, text: &str, purpose: SessionNeeds, limits: &ProcessLimits) -> Option<SolverOutcome> {
        UnitContext::ask(self, target, text, purpose, limits)
    }

    fn is_quarantined(&self, sha256: &str) -> bool {
        self.campaign.source.is_quarantined(sha256)
    }

    fn labelled(&self, seed: usize, label: &PartnerLabel) {
        self.campaign.source.labelled(seed, label);
    }
}

impl ModelContext for UnitContext<'_> {
    fn ran(&self, target: &Target, outcome: &SolverOutcome) {
        UnitContext::ran(self, target, outcome);
    }

    fn limits_now(&self, target: &Target, given: &ProcessLimits) -> ProcessLimits {
        UnitContext::limits_now(self, target, given)
    }

    fn is_over(&self) -> bool {
        self.campaign.is_over()
    }

    fn modelled(&self, key: ModelKey, model: Option<&str>) {
        self.campaign.source.modelled(key, model);
    }
}
