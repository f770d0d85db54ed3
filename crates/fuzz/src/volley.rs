//! Several mutants in one process: most of a short run's time is the solver's start.

use crate::bench::Bench;
use crate::model_oracle::{self, Verdict};
use crate::oracle::{self, Asking};
use crate::target::Target;
use crate::worker::Place;
use mutate::{Batch, Mutant};
use solver::outcome::{Answer, CheckAnswer, Outcome};
use solver::session::Purpose;

/// Mutants made and not yet judged. Its buffers grow once.
#[derive(Default)]
pub(crate) struct Volley {
    pub(crate) mutants: Vec<Mutant>,
    spare: Vec<Mutant>,
    joint: String,
    /// Where in `joint` each mutant begins.
    begins: Vec<usize>,
}

/// What a common process said.
pub(crate) struct Fired {
    /// The answers to the first mutants, as far as all checks of each were answered.
    pub(crate) settled: Vec<Vec<CheckAnswer>>,
    /// Those among them that must be asked again alone: what counts is only what a mutant gets in a process of its own.
    pub(crate) suspicious: Vec<usize>,
    /// Those among them whose models look wrong.
    pub(crate) bad_models: Vec<usize>,
    /// A limit was met, so that the mutants left are not worth the time.
    pub(crate) ended: bool,
    /// The mutant at which the process crashed.
    pub(crate) crashed: Option<usize>,
    /// What the process was asked to be ready for.
    pub(crate) purpose: Purpose,
}

impl Fired {
    /// Whether a mutant's answer in the common process would be a bug if it was its own doing.
    pub(crate) fn is_doubtful(&self, n: usize) -> bool {
        self.crashed == Some(n) || self.suspicious.contains(&n)
    }
}

impl Volley {
    /// Makes `count` mutants from index `first` on, or fewer: up to the first that could not be made, which has no check.
    /// Returns how many could not.
    pub(crate) fn fill(&mut self, batch: &mut dyn Batch, first: u64, count: u64) -> u64 {
        self.spare.append(&mut self.mutants);
        for n in 0..count {
            let mut mutant = self.spare.pop().unwrap_or_default();
            batch.mutant(first + n, &mut mutant);
            let is_made = !mutant.expected.is_empty();
            self.mutants.push(mutant);
            if !is_made {
                return 1;
            }
        }
        0
    }

    /// Sends all mutants to one process, `(reset)` between them. One mutant alone is left to the caller. None if the campaign
    /// is over.
    pub(crate) fn fire(&mut self, bench: &Bench<'_>, target: &Target, place: &Place<'_>) -> Option<Fired> {
        let checks = self.mutants.iter().map(|mutant| mutant.expected.len()).max().unwrap_or(1);
        let models = if place.models { Purpose::MODELS } else { Purpose::SINGLE };
        let purpose = place.purpose(checks) | models;
        let (settled, suspicious, bad_models) = (Vec::new(), Vec::new(), Vec::new());
        let mut fired = Fired { settled, suspicious, bad_models, ended: false, crashed: None, purpose };
        if self.mutants.len() < 2 {
            self.begins.clear();
            return Some(fired);
        }
        self.joint.clear();
        self.begins.clear();
        for mutant in &self.mutants {
            self.begins.push(self.joint.len());
            let asking = if place.models { model_oracle::with_models(&mutant.text, &mutant.expected) } else { None };
            self.joint.push_str(asking.as_ref().unwrap_or(&mutant.text));
            self.joint.push_str("(reset)\n");
        }
        let outcome = bench.ask(target, &self.joint, purpose, &place.limits)?;
        self.settle(bench, &outcome, &mut fired);
        if place.models {
            self.glance(bench, target, &mut fired);
        }
        Some(fired)
    }

    /// What went before a mutant in the process that all were sent to; nothing if none were.
    pub(crate) fn before(&self, n: usize) -> &str {
        self.begins.get(n).map_or("", |begin| &self.joint[..*begin])
    }

    /// Judges the models of what was answered.
    fn glance(&self, bench: &Bench<'_>, target: &Target, fired: &mut Fired) {
        for (n, (mutant, answers)) in self.mutants.iter().zip(&fired.settled).enumerate() {
            match model_oracle::glance(&mutant.text, answers, &target.misreads) {
                // It counts once it has been asked for alone.
                Verdict::Invalid(_) => fired.bad_models.push(n),
                verdict => bench.counters.judged(&verdict),
            }
        }
    }

    fn settle(&self, bench: &Bench<'_>, outcome: &Outcome, fired: &mut Fired) {
        let mut from = 0;
        for (n, mutant) in self.mutants.iter().enumerate() {
            let checks = from..from + mutant.expected.len();
            let Some(answers) = outcome.answers.get(checks.clone()) else { return };
            let answered = |answer| matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown);
            let whole = answers.iter().all(|check| answered(check.answer));
            let limited = |answer| matches!(answer, Answer::Timeout | Answer::MemOut | Answer::OutputOut);
            fired.ended = answers.iter().any(|check| limited(check.answer));
            if !whole && !fired.ended {
                let crashed = answers.iter().any(|check| check.answer == Answer::Crashed);
                fired.crashed = crashed.then_some(n);
                return;
            }
            bench.counters.count(answers);
            fired.settled.push(answers.to_vec());
            if fired.ended {
                return;
            }
            let accused = outcome.self_checks.iter().any(|own| own.check.is_some_and(|check| checks.contains(&check)));
            let unknown = Asking::of(&mutant.text) == Asking::Plain
                && bench.shared.has_others()
                && answers.iter().any(|check| check.answer == Answer::Unknown);
            if accused || unknown || oracle::is_suspicious(&mutant.expected, answers) {
                fired.suspicious.push(n);
            }
            from = checks.end;
        }
    }
}
