//! The contexts of workers: of the campaign, shared by all workers of a process, and of the current unit.

use crate::config::Config;
use crate::counts::answer_counts::{Cell, CellKey, CellRow};
use crate::counts::error_texts::ErrorTexts;
use crate::counts::stats::{Counters, add};
use crate::findings::disagreements::{MAX_BYTES, PER_UNIT, SolverDisagreement};
use crate::persist::CampaignError;
use crate::schedule::unit::{PairVerdict, UnitPlan, UnitReport};
use crate::seeds::models::{ModelContext, ModelKey, Models};
use crate::seeds::partner::{LabelContext, Labels, PartnerLabel};
use crate::state::event::CampaignEvent;
use crate::state::finding_index::{GroupKey, HitWorth};
use crate::under_test::Mode;
use crate::under_test::Target;
use crate::worker::control::Control;
use crate::worker::extra_share::ExtraShare;
use crate::worker::job::JobContext;
use crate::worker::limit_share::{LimitShare, RunCost, ScriptKind};
use crate::worker::work_source::WorkSource;
use crate::worker::{record, refuted};
use corpus::seed::{Seed, SeedSource};
use finding::folder::{FindingFile, SentFile};
use finding::record::Effort;
use finding::{BugClass, CountsUnder, Finding, FindingKind, FindingOrigin, symptom};
use mutate::mutators;
use oracle::candidate::CpuMeter;
use oracle::candidate::{Candidate, ScriptSource};
use oracle::confirm::{self, Dropped};
use oracle::model_oracle::{self, Examined, ScriptVerdict};
use oracle::question::asking_for_models;
use oracle::tested::TestedSolver;
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

/// A hit because of the solver's own error message about its model.
#[derive(Clone, Copy)]
struct Accused<'a> {
    candidate: Candidate<'a>,
    /// The candidate's text, with a request for models.
    asking: &'a str,
    /// The solver's model, judged.
    examined: &'a Examined,
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

    /// Confirms a hit and passes it on, or counts it.
    pub(crate) fn hit(&self, key: &GroupKey, candidate: Candidate<'_>, job: &JobContext<'_>, target: &Target) {
        let campaign = self.campaign;
        // A stand-in is wrong on purpose, for measurements.
        if target.tested.solver.is_builtin() {
            return;
        }
        // Counted separately, so that their group stays open for texts that the solver reads correctly. A crash is a crash whatever the
        // text means.
        if candidate.hit.class != BugClass::D && target.tested.misread(candidate.text).is_some() {
            return add(&self.counters.misread, 1);
        }
        let worth = match campaign.source.worth(key, candidate.text.len()) {
            HitWorth::NewCause if !self.is_wanted(key, &candidate, job, target) => HitWorth::Nothing,
            worth => worth,
        };
        if worth != HitWorth::Nothing {
            self.examine(key, candidate, job, target);
        }
        let confirmed = self.confirm_cpu.take();
        self.counters.confirmed(confirmed);
        if worth != HitWorth::NewCause {
            self.counters.known(candidate.outcome.cpu + confirmed);
        }
    }

    /// Whether a hit may have an unknown cause, according to earlier reductions of its kind.
    fn is_wanted(&self, key: &GroupKey, candidate: &Candidate<'_>, job: &JobContext<'_>, target: &Target) -> bool {
        if !symptom::needs_reduction(key.class, &key.symptom) {
            return true;
        }
        let ScriptSource::Mutant { mutator, parameters, .. } = candidate.source else { return true };
        let theory = parameters.iter().find(|(name, _)| *name == "theory").map(|(_, theory)| theory.as_str());
        let seed = candidate.source.has_seed().then_some((job.seed.name.as_str(), job.logic));
        let kind = FindingKind {
            class: key.class,
            solver: target.tested.label.clone(),
            mode: key.mode.clone(),
            options: key.options.clone(),
            origin: FindingOrigin::new(mutator, &key.mode, theory, seed),
        };
        self.campaign.source.is_wanted(key, &kind)
    }

    /// Confirms a hit, or the one that its model makes of it.
    fn examine(&self, key: &GroupKey, candidate: Candidate<'_>, job: &JobContext<'_>, target: &Target) {
        let asking = asking_for_models(candidate.text);
        match confirm::accused_model(candidate, &asking, &target.tested) {
            Some(examined) => {
                self.confirm_cpu.add(examined.outcome.cpu);
                self.accused(Accused { candidate, asking: &asking, examined: &examined }, key, job, target);
            }
            None => self.confirm(key, candidate, job, target),
        }
    }

    /// Handles a solver's message against its own model: our evaluator may refute the model, or prove it right.
    fn accused(&self, accused: Accused<'_>, key: &GroupKey, job: &JobContext<'_>, target: &Target) {
        let Accused { candidate, asking, examined } = accused;
        let as_hit = |hit: &Hit| GroupKey { class: hit.class, symptom: hit.symptom.clone(), ..key.clone() };
        if let ScriptVerdict::Invalid(found) = &examined.verdict
            && let Some(hit) = model_oracle::hit(&examined.verdict)
        {
            let key = as_hit(&hit);
            let purpose = candidate.purpose | SessionNeeds::MODELS;
            let (outcome, false_assertion) = (&examined.outcome, Some(found));
            let candidate = Candidate { hit: &hit, text: asking, purpose, outcome, false_assertion, ..candidate };
            if self.campaign.source.worth(&key, asking.len()) != HitWorth::Nothing {
                self.confirm(&key, candidate, job, target);
            }
            return;
        }
        if examined.verdict != ScriptVerdict::Valid {
            return self.confirm(key, candidate, job, target);
        }
        let hit = Hit { class: BugClass::E, ..candidate.hit.clone() };
        let key = as_hit(&hit).grouped();
        if self.campaign.source.worth(&key, candidate.text.len()) != HitWorth::Nothing {
            self.confirm(&key, Candidate { hit: &hit, ..candidate }, job, target);
        }
    }

    /// Confirms a hit and passes it on, or counts it.
    fn confirm(&self, key: &GroupKey, candidate: Candidate<'_>, job: &JobContext<'_>, target: &Target) {
        let campaign = self.campaign;
        let others = campaign.reference.into_iter().chain(campaign.targets).map(|other| &other.tested);
        let others: Vec<&TestedSolver> = others.filter(|other| other.label != target.tested.label).collect();
        match confirm::confirm(candidate, &target.tested, &others) {
            Ok(confirmed) => {
                let key = GroupKey { flaky: !confirmed.repeats.confirmed(), ..key.clone() };
                let build = &self.campaign.config.build;
                let finding = record::finding(&candidate, &confirmed, job, target, &key.mode, build);
                // The owner of the whole campaign adds the effort before this unit.
                let finding = Finding { effort: Some(self.effort()), ..finding };
                let witness = record::witness_file(&candidate).or_else(|| confirmed.witness.clone());
                let output = record::output_file(candidate.outcome, candidate.false_assertion);
                let mut files: Vec<SentFile<'_>> =
                    vec![(FindingFile::Mutant, candidate.text.as_bytes()), (FindingFile::Output, output.as_bytes())];
                if !candidate.earlier.is_empty() {
                    files.push((FindingFile::Predecessors, candidate.earlier.as_bytes()));
                }
                let pair = confirmed.pair.as_ref();
                files.extend(pair.map(|[first, _]| (FindingFile::First, first.as_bytes())));
                files.extend(pair.map(|[_, second]| (FindingFile::Second, second.as_bytes())));
                files.extend(witness.as_ref().map(|text| (FindingFile::Witness, text.as_bytes())));
                let seed = self.seed_of(candidate.source, job);
                files.extend(seed.as_ref().map(|bytes| (FindingFile::Seed, bytes.as_slice())));
                campaign.source.found(&key, &finding, &files);
            }
            Err(Dropped::NotRun(_)) => {}
            Err(reason) => {
                let told = (!candidate.hit.class.needs_another()).then(|| CampaignEvent::Unconfirmed {
                    class: candidate.hit.class,
                    solver: target.tested.label.clone(),
                    seed: candidate.source.has_seed().then(|| job.seed.name.clone()),
                    reason: reason.to_string(),
                });
                campaign.source.unconfirmed(key, told);
                if matches!(candidate.source, ScriptSource::Seed)
                    && let Some(entry) =
                        refuted::quarantine_entry(candidate, &reason, job.seed, &target.tested, &others)
                {
                    campaign.source.quarantine(entry, candidate.text);
                }
            }
        }
    }

    /// Returns the effort of the current unit; its wall-clock time is the campaign's.
    fn effort(&self) -> Effort {
        let counts = self.counters.snapshot();
        Effort { mutants: counts.mutants, wall_s: 0.0, cpu_s: counts.solver_cpu().as_secs_f64() }
    }

    /// Returns the seed of a script, to be stored with it. `None` if the script is the seed, if it was generated, or if the seed is large
    /// and its name and hash must suffice.
    fn seed_of(&self, source: &ScriptSource, job: &JobContext<'_>) -> Option<Vec<u8>> {
        if !source.has_seed() || matches!(source, ScriptSource::Seed) {
            return None;
        }
        let bytes = self.campaign.config.seeds.get(job.slot.seed)?.bytes().ok()?;
        (bytes.len() <= MAX_SEED_COPY).then_some(bytes)
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
