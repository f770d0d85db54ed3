//! The mutants of a unit: generated and run in batches, classified, run again alone if needed, and reported.

mod examine;

use crate::counts::answer_counts::Cell;
use crate::counts::stats::add;
use crate::persist::CampaignError;
use crate::schedule::unit::PairVerdict;
use crate::under_test::Mode;
use crate::worker::Worker;
use crate::worker::batch::{BatchResult, MutantBatch, MutantResult};
use crate::worker::context::{CampaignContext, UnitContext};
use crate::worker::job::JobContext;
use crate::worker::sample::SampledMutant;
use crate::worker::slow::SlowMutants;
use mutate::{Batch, Mutant, Mutator};
use oracle::model_oracle::FalseAssertion;
use oracle::slowness::MeasuredSlowness;
use smtlib::Status;
use solver::batch::{BatchSize, Lesson};
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::session::SessionNeeds;

/// The current unit's mutants.
struct UnitRun<'r> {
    unit: &'r UnitContext<'r>,
    campaign: &'r CampaignContext<'r>,
    job: &'r JobContext<'r>,
    mutator: &'r dyn Mutator,
    /// Makes the mutants.
    prepared: Box<dyn Batch + 'r>,
    /// The number of mutants to make.
    count: u64,
    /// The index of the first mutant of the current batch.
    first: u64,
    /// The number of mutants per process.
    size: BatchSize,
    slow: SlowMutants,
    stats: UnitStats,
}

/// Statistics of a unit's mutants.
#[derive(Default)]
struct UnitStats {
    sent: u64,
    answered: u64,
    cell: Cell,
    first_error: Option<String>,
}

/// The progress of a batch.
#[derive(Default)]
struct BatchProgress {
    /// The number of mutants sent and judged.
    sent: u64,
    /// The number of mutants that could not be made.
    unmade: u64,
    /// A single mutant reached the time limit: one slow seed must not delay the others, so the rest of the unit is skipped.
    timed_out: bool,
}

/// One run of a mutant under examination.
#[derive(Clone, Copy)]
struct MutantRun<'r> {
    text: &'r str,
    /// The preceding scripts in the same process.
    earlier: &'r str,
    purpose: SessionNeeds,
    outcome: &'r SolverOutcome,
    false_assertion: Option<&'r FalseAssertion>,
    slowness: Option<&'r MeasuredSlowness>,
}

impl<'r> MutantRun<'r> {
    /// Makes a run in its own process.
    fn of(text: &'r str, purpose: SessionNeeds, outcome: &'r SolverOutcome) -> MutantRun<'r> {
        MutantRun { text, earlier: "", purpose, outcome, false_assertion: None, slowness: None }
    }
}

impl Worker<'_> {
    /// Makes and sends the mutants of a unit.
    pub(super) fn mutants(&mut self, prepared: Box<dyn Batch + '_>, mutator: &dyn Mutator, job: &JobContext<'_>) {
        let target = job.target;
        // A unit grows with the visits to its seed, if a seed is used.
        let is_whole = target.tested.solver.is_builtin() || mutator.parents() == 0;
        let count = if is_whole { prepared.size() } else { prepared.size().min(job.slot.mutants()) };
        let size = match target.tested.shares_process() {
            true => self.sizes.get(job.slot.target).cloned().unwrap_or_else(|| BatchSize::new(1)),
            false => BatchSize::new(1),
        };
        let (unit, campaign, stats) = (&self.unit, self.campaign, UnitStats::default());
        let slow = SlowMutants::default();
        let mut run = UnitRun { unit, campaign, job, mutator, prepared, count, first: 0, size, slow, stats };
        let mut batch = std::mem::take(&mut self.batch);
        while let Some(taken) = run.generate(&mut batch) {
            let Some(result) = run.run_batch(&mut batch) else { break };
            let sent = run.classify(&batch, &result);
            let progress = run.recheck(&batch, &result, sent);
            if !run.report(taken, &progress) {
                break;
            }
            // Mutants that the process did not reach are made again.
            run.first += result.mutants.len() as u64;
        }
        run.end();
        let size = run.size;
        if let Some(kept) = self.sizes.get_mut(job.slot.target)
            && target.tested.shares_process()
        {
            *kept = size;
        }
        self.batch = batch;
    }
}

impl UnitRun<'_> {
    fn is_over(&self) -> bool {
        self.campaign.is_over() || self.unit.counters.status.is_given_up()
    }

    /// Makes the next mutants, and returns the number taken from the budget. `None` if the unit is done or interrupted.
    fn generate(&mut self, batch: &mut MutantBatch) -> Option<u64> {
        if self.first >= self.count || self.is_over() {
            return None;
        }
        let taken = self.campaign.control.take_mutants((self.size.get() as u64).min(self.count - self.first));
        if taken == 0 {
            self.unit.cut();
            return None;
        }
        batch.fill(&mut *self.prepared, self.first, taken);
        self.keep(batch);
        self.sample(batch);
        Some(taken)
    }

    /// Offers the mutants to the sample.
    fn sample(&self, batch: &MutantBatch) {
        if self.campaign.config.sample == 0 {
            return;
        }
        let made = batch.mutants.iter().zip(self.first..).filter(|(mutant, _)| !mutant.expected.is_empty());
        for (mutant, index) in made {
            self.campaign.sample.offer(self.job.slot.unit.sample_stream(index).bits(), || SampledMutant {
                text: mutant.text.clone(),
                checks: mutant.expected.len(),
                options: self.job.target.tested.drawn.words.clone(),
            });
        }
    }

    /// Writes the mutants to the user's folder. If it cannot be written, the campaign ends.
    fn keep(&self, batch: &MutantBatch) {
        let Some(folder) = &self.campaign.config.keep_mutants else { return };
        let unit = self.job.slot.unit.number;
        let made = batch.mutants.iter().enumerate().filter(|(_, mutant)| !mutant.expected.is_empty());
        for (n, mutant) in made {
            let name = format!("{unit:06}-{:04}.smt2", self.first + n as u64);
            if let Err(error) = files::inside::overwrite(folder, &name, mutant.text.as_bytes()) {
                let (path, cause) = (folder.join(name).display().to_string(), error.to_string());
                return self.campaign.control.fail(CampaignError::Write { path, cause });
            }
        }
    }

    /// Sends as many mutants as possible to one process. `None` if the campaign is over.
    fn run_batch(&mut self, batch: &mut MutantBatch) -> Option<BatchResult> {
        let result = batch.run(self.unit, self.job.target, self.job)?;
        if let Some(lesson) = result.lesson {
            self.size.learn(lesson);
        }
        Some(result)
    }

    /// Counts final answers, and returns the number of mutants that have some.
    fn classify(&mut self, batch: &MutantBatch, result: &BatchResult) -> u64 {
        let mut settled = 0;
        for (mutant, result) in batch.mutants.iter().zip(&result.mutants) {
            if let Some(answers) = &result.settled {
                self.count(mutant, answers);
                settled += 1;
            }
        }
        settled
    }

    /// Runs the others alone, and repeats suspicious ones; then asks the further questions about each mutant.
    fn recheck(&mut self, batch: &MutantBatch, result: &BatchResult, settled: u64) -> BatchProgress {
        let mut progress = BatchProgress { sent: settled, ..BatchProgress::default() };
        for (n, seen) in result.mutants.iter().enumerate() {
            if self.is_over() || progress.timed_out || !self.recheck_one(batch, result, n, seen, &mut progress) {
                break;
            }
        }
        for (n, seen) in result.mutants.iter().enumerate() {
            if self.is_over() {
                break;
            }
            if let Some(answers) = &seen.settled {
                self.proofs(batch, n, answers);
                self.compare(batch, n, answers);
            }
            if let Some(answers) = seen.settled.as_ref().filter(|_| !seen.suspicious) {
                self.relate(batch, n, answers);
            }
            if seen.bad_model {
                self.examine(batch, n);
            }
            if self.job.models
                && let Some(answers) = &seen.settled
            {
                self.values(batch, n, answers);
            }
        }
        progress
    }

    /// Runs one mutant alone if needed. Returns false if the campaign is over.
    fn recheck_one(
        &mut self,
        batch: &MutantBatch,
        result: &BatchResult,
        n: usize,
        seen: &MutantResult,
        progress: &mut BatchProgress,
    ) -> bool {
        if seen.settled.is_some() && !seen.suspicious {
            return true;
        }
        let mutant = &batch.mutants[n];
        if mutant.expected.is_empty() {
            // The mutator made no mutant: there is nothing to send.
            progress.unmade += 1;
            return true;
        }
        let Some((outcome, hit)) = self.alone(batch, n) else { return false };
        if result.lesson.is_none() {
            let cut_short = outcome.answers.iter().any(|check| check.answer == Answer::Timeout);
            self.size.learn(Lesson { scripts: 1, twice: 0, cpu: outcome.cpu, cut_short });
        }
        if !hit && seen.suspicious {
            self.after_reset(batch, n, result.purpose);
        }
        progress.timed_out = outcome.answers.iter().any(|check| check.answer == Answer::Timeout);
        if seen.settled.is_none() {
            self.count(mutant, &outcome.answers);
            self.stats.error(&outcome);
            self.unit.errors(&outcome);
            progress.sent += 1;
            if self.job.models && !progress.timed_out {
                self.examine(batch, n);
                self.values(batch, n, &outcome.answers);
            }
            self.proofs(batch, n, &outcome.answers);
            self.compare(batch, n, &outcome.answers);
            if !hit {
                self.relate(batch, n, &outcome.answers);
            }
        }
        true
    }

    /// Settles the budget and the counts of a batch. Returns false if the rest of the unit is skipped.
    fn report(&mut self, taken: u64, progress: &BatchProgress) -> bool {
        let &BatchProgress { sent, unmade, timed_out } = progress;
        if unmade > 0 {
            let reason = self.prepared.failure();
            self.unit.unmade(unmade, reason.as_deref().unwrap_or_default());
            self.stats.sent += unmade;
            self.stats.first_error = self.stats.first_error.take().or(reason);
        }
        self.campaign.control.return_mutants(taken - sent);
        self.unit.sent(sent);
        // A failing mutator may be slow: the rest of the unit is skipped then, too.
        !timed_out && (unmade == 0 || sent > 0)
    }

    /// Reports the counts of the unit, and a verdict if it yielded nothing.
    fn end(&mut self) {
        self.unit.cell(self.job, self.mutator.name(), std::mem::take(&mut self.stats.cell));
        if self.stats.sent > 0 && self.stats.answered == 0 {
            let reason = self.stats.first_error.take();
            let name = self.mutator.name();
            self.unit.verdict(match self.mutator.parents() {
                0 => PairVerdict::NoProblem(
                    reason.unwrap_or_else(|| format!("no problem of {name} was answered within the limits")),
                ),
                _ => PairVerdict::Failed(
                    reason.unwrap_or_else(|| "no mutant was answered within the limits".to_string()),
                ),
            });
        }
    }

    /// Counts the answers to one mutant.
    fn count(&mut self, mutant: &Mutant, answers: &[CheckAnswer]) {
        self.stats.count(answers);
        self.unit.counters.count(answers);
        let known = mutant.expected.iter().zip(answers);
        let compared = known.filter(|(e, check)| **e != Status::Unknown && check.answer.is_definite()).count();
        add(&self.unit.counters.compared, compared as u64);
        self.unit.mode(Mode::of(&mutant.text, mutant.expected.len()));
    }

    /// Sends one mutant in its own process, and reports a hit; returns whether there was one. `None` if the campaign is over.
    fn alone(&mut self, batch: &MutantBatch, n: usize) -> Option<(SolverOutcome, bool)> {
        let (mutant, job) = (&batch.mutants[n], self.job);
        let purpose = job.purpose(mutant.expected.len(), &mutant.text);
        // A mutant asked in a batch before is asked again here.
        let limits = if batch.is_shared() || job.watches_time { job.limits.clone() } else { job.first_limits() };
        let outcome = self.unit.ask(job.target, &mutant.text, purpose, &limits)?;
        let hit = self.campaign.judge(&mutant.expected, &outcome, (job.target, &mutant.text));
        if let Some(hit) = &hit {
            self.hit(batch, n, hit, MutantRun::of(&mutant.text, purpose, &outcome));
        } else if let Some((measured, outcome)) = self.slow.measure(self.unit, job, &mutant.text, purpose, &outcome) {
            let run = MutantRun::of(&mutant.text, purpose, &outcome);
            self.hit(batch, n, &measured.hit(), MutantRun { slowness: Some(&measured), ..run });
        }
        Some((outcome, hit.is_some()))
    }

    /// Runs a correctly answered mutant again after those that it shared a process with, and reports failures that only they cause.
    fn after_reset(&mut self, batch: &MutantBatch, n: usize, purpose: SessionNeeds) {
        let (mutant, job) = (&batch.mutants[n], self.job);
        let earlier = batch.before(n);
        if earlier.is_empty() || self.campaign.is_over() {
            return;
        }
        let Ok(outcome) = job.target.tested.solver.check_after(&earlier, &mutant.text, purpose, &job.limits) else {
            return;
        };
        self.unit.ran(job.target, &outcome);
        if let Some(hit) = self.campaign.judge(&mutant.expected, &outcome, (job.target, &mutant.text))
            && !hit.class.needs_another()
        {
            let run = MutantRun { earlier: &earlier, ..MutantRun::of(&mutant.text, purpose, &outcome) };
            self.hit(batch, n, &hit, run);
        }
    }
}

impl UnitStats {
    fn count(&mut self, answers: &[CheckAnswer]) {
        self.sent += 1;
        self.cell.count(answers);
        let useful = |answer| matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown | Answer::Crashed);
        self.answered += u64::from(answers.iter().any(|check| useful(check.answer)));
    }

    fn error(&mut self, outcome: &SolverOutcome) {
        if self.first_error.is_none() {
            self.first_error = outcome.errors.first().map(|error| error.message.clone());
        }
    }
}
