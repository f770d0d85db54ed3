//! Several mutants in one process: the solver's start takes most of a short run's time.

use crate::under_test::Target;
use crate::worker::context::UnitContext;
use crate::worker::job::JobContext;
use mutate::{Batch, Mutant};
use oracle::Asking;
use oracle::model_oracle::{self, ScriptVerdict};
use solver::batch::{Lesson, SharedAnswers, Together};
use solver::outcome::{Answer, CheckAnswer};
use solver::process::RunStatus;
use solver::session::SessionNeeds;

/// The maximum text size of a batch, in bytes, before its last mutant.
const MAX_TEXT: usize = 1 << 20;

/// Mutants made and not yet judged. Its buffers are reused.
#[derive(Default)]
pub(crate) struct MutantBatch {
    pub(crate) mutants: Vec<Mutant>,
    spare: Vec<Mutant>,
    /// Whether the current mutants were sent to a common process.
    shared: bool,
}

/// The result of a batch.
pub(crate) struct BatchResult {
    /// One result per mutant, up to the one at which a common process ended; at least one if there is a mutant.
    pub(crate) mutants: Vec<MutantResult>,
    /// The features requested from the process.
    pub(crate) purpose: SessionNeeds,
    /// The cost of the process; `None` if every mutant gets its own.
    pub(crate) lesson: Option<Lesson>,
}

/// A common process's answer to a mutant.
#[derive(Default)]
pub(crate) struct MutantResult {
    /// Its answers, if there was no problem. Without them, the mutant counts as not sent.
    pub(crate) settled: Option<Vec<CheckAnswer>>,
    /// The answer is suspicious. The mutant is run again in its own process; only that answer counts.
    pub(crate) suspicious: bool,
    /// A model looks wrong.
    pub(crate) bad_model: bool,
}

impl MutantBatch {
    /// Makes up to `count` mutants from index `first` on: stops after one that could not be made, which has no check, and soon after
    /// [`MAX_TEXT`] bytes.
    pub(crate) fn fill(&mut self, prepared: &mut dyn Batch, first: u64, count: u64) {
        self.spare.append(&mut self.mutants);
        let mut bytes = 0;
        for n in 0..count {
            let mut mutant = self.spare.pop().unwrap_or_default();
            prepared.mutant(first + n, &mut mutant);
            let is_made = !mutant.expected.is_empty();
            bytes += mutant.text.len();
            self.mutants.push(mutant);
            if !is_made || bytes > MAX_TEXT {
                return;
            }
        }
    }

    /// Sends as many mutants as possible to one process. A single mutant is left to the caller. `None` if the campaign is over.
    pub(crate) fn run(&mut self, unit: &UnitContext<'_>, target: &Target, job: &JobContext<'_>) -> Option<BatchResult> {
        let checks = self.mutants.iter().map(|mutant| mutant.expected.len()).max().unwrap_or(1);
        let models = if job.models { SessionNeeds::MODELS } else { SessionNeeds::SINGLE };
        let purpose = self.mutants.iter().fold(models, |all, mutant| all | job.purpose(checks, &mutant.text));
        self.shared = false;
        let made = self.mutants.iter().filter(|mutant| !mutant.expected.is_empty());
        let asking = |mutant: &Mutant| model_oracle::with_models(&mutant.text, &mutant.expected);
        let asking: Vec<Option<String>> = made.clone().map(|m| if job.models { asking(m) } else { None }).collect();
        if asking.len() >= 2 {
            let texts: Vec<&str> =
                made.zip(&asking).map(|(m, asking)| asking.as_ref().unwrap_or(&m.text).as_str()).collect();
            let together = unit.ask_together(target, &texts, purpose, &job.first_limits())?;
            if together.asked > 0 {
                self.shared = true;
                return Some(self.settle(unit, target, job, together, purpose));
            }
        }
        Some(BatchResult {
            mutants: self.mutants.iter().map(|_| MutantResult::default()).collect(),
            purpose,
            lesson: None,
        })
    }

    /// Whether all were sent to one process.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared
    }

    /// Returns the scripts before a mutant in the common process; empty if there was none.
    pub(crate) fn before(&self, n: usize) -> String {
        let earlier = self.mutants.iter().take(if self.shared { n } else { 0 });
        earlier.flat_map(|mutant| [&mutant.text, "(reset)\n"]).collect()
    }

    fn settle(
        &self,
        unit: &UnitContext<'_>,
        target: &Target,
        job: &JobContext<'_>,
        together: Together,
        purpose: SessionNeeds,
    ) -> BatchResult {
        let judged = |(mutant, told): (&Mutant, SharedAnswers)| {
            let mut result = classify(unit, target, job, mutant, told);
            if job.models
                && let Some(answers) = &result.settled
            {
                match model_oracle::glance(&mutant.text, answers, &target.tested.misreads) {
                    // It counts once it has been run alone.
                    ScriptVerdict::Invalid(_) => result.bad_model = true,
                    verdict => unit.counters.judged(&verdict),
                }
            }
            result
        };
        let mut results: Vec<MutantResult> = self.mutants.iter().zip(together.told).map(judged).collect();
        if let Some(last) = together.last {
            let suspicious = match together.status {
                RunStatus::Exited(_) | RunStatus::Signaled(_) => last.crash.is_some(),
                _ => oracle::is_suspicious(&self.mutants[results.len()].expected, &last.answers),
            };
            // A limit reached in a common process may be caused by another mutant, except for CPU time, which is measured per mutant.
            let is_late = together.status == RunStatus::TimedOut && job.first_cpu.is_some();
            let settled = is_late.then_some(last.answers);
            results.push(MutantResult { settled, suspicious, bad_model: false });
        }
        let twice = results.iter().filter(|result| result.settled.is_none()).count();
        let lesson =
            Some(Lesson { scripts: results.len(), twice, cpu: together.cpu, cut_short: together.status.is_limit() });
        // A mutant that could not be made has nothing to wait for.
        if self.mutants.get(results.len()).is_some_and(|mutant| mutant.expected.is_empty()) {
            results.push(MutantResult::default());
        }
        BatchResult { mutants: results, purpose, lesson }
    }
}

/// Classifies the answers to one mutant in a common process.
fn classify(
    unit: &UnitContext<'_>,
    target: &Target,
    job: &JobContext<'_>,
    mutant: &Mutant,
    told: SharedAnswers,
) -> MutantResult {
    let SharedAnswers { outcome, smooth } = told;
    let accused = outcome.self_checks.iter().any(|own| !own.ignored);
    if !smooth {
        return MutantResult { settled: None, suspicious: accused, bad_model: false };
    }
    let unknown = Asking::of(&mutant.text) == Asking::Plain
        && outcome.answers.iter().any(|check| check.answer == Answer::Unknown)
        && unit.campaign.counts_unknown(target, &mutant.text)
        && !unit.campaign.source.gives_up_often(job.slot.target);
    let suspicious = unknown || oracle::is_suspicious(&mutant.expected, &outcome.answers);
    MutantResult { settled: Some(outcome.answers), suspicious, bad_model: false }
}
