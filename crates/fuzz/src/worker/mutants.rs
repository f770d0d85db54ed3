//! The mutants of a unit: made and sent in batches, looked at alone where that is needed, and their hits handed on.

use super::{Run, Worker};
use crate::counts::answer_counts::Cell;
use crate::counts::stats::add;
use crate::findings::finding::AFTER_RESET;
use crate::oracle::confirm::Sent;
use crate::oracle::model_oracle::{self, FalseAssertion, Verdict};
use crate::oracle::{self, Asking, Hit};
use crate::schedule::unit::PairVerdict;
use crate::state::finding_index::GroupKey;
use crate::target::mode::Mode;
use crate::worker::differential::{self, Proof};
use crate::worker::job::JobContext;
use crate::worker::record::{Find, Origin};
use mutate::{Batch, Mutant, Mutator, Truth};
use smtlib::Store;
use solver::batch::{BatchSize, Lesson};
use solver::outcome::{Answer, CheckAnswer, Outcome};
use solver::profile::BugClass;
use solver::session::Purpose;

/// How the mutants of a unit fared.
#[derive(Default)]
struct Yield {
    sent: u64,
    answered: u64,
    cell: Cell,
    first_error: Option<String>,
}

/// A mutant that has a process to itself.
#[derive(Clone, Copy)]
struct Alone<'a> {
    mutant: &'a Mutant,
    index: u64,
    mutator: &'a dyn Mutator,
    job: &'a JobContext<'a>,
}

impl Worker<'_> {
    /// Makes and sends the mutants of a unit.
    pub(super) fn mutants(&mut self, mut prepared: Box<dyn Batch + '_>, mutator: &dyn Mutator, job: &JobContext<'_>) {
        let campaign = self.campaign;
        let target = job.target;
        let count = if target.solver.is_builtin() { prepared.size() } else { prepared.size().min(job.slot.mutants()) };
        let mut size = match target.shares_process() {
            true => self.sizes.get(job.slot.target).cloned().unwrap_or_else(|| BatchSize::new(1)),
            false => BatchSize::new(1),
        };
        let mut fared = Yield::default();
        let mut batch = std::mem::take(&mut self.batch);
        let mut next = 0;
        let status = &self.unit.counters.status;
        while next < count && !campaign.is_over() && !status.is_given_up() {
            let taken = campaign.control.take_mutants((size.get() as u64).min(count - next));
            if taken == 0 {
                self.unit.cut();
                break;
            }
            batch.fill(&mut *prepared, next, taken);
            let Some(result) = batch.run(&self.unit, target, job) else { break };
            if let Some(lesson) = result.lesson {
                size.learn(lesson);
            }
            let alone = |n: usize| Alone { mutant: &batch.mutants[n], index: next + n as u64, mutator, job };
            let (mut sent, mut unmade, mut ended) = (0, 0, false);
            for (n, seen) in result.mutants.iter().enumerate() {
                if let Some(answers) = &seen.settled {
                    self.count(&alone(n), answers, &mut fared);
                    sent += 1;
                }
            }
            for (n, seen) in result.mutants.iter().enumerate() {
                if campaign.is_over() || ended || status.is_given_up() {
                    break;
                }
                if seen.settled.is_some() && !seen.suspicious {
                    continue;
                }
                let alone = alone(n);
                if alone.mutant.expected.is_empty() {
                    // A mutator that made no mutant: there is nothing to send.
                    unmade += 1;
                    continue;
                }
                let Some((outcome, hit)) = self.alone(&alone, &mut *prepared) else { break };
                if result.lesson.is_none() {
                    size.learn(Lesson { scripts: 1, twice: 0, cpu: outcome.cpu });
                }
                if !hit && seen.suspicious {
                    self.after_reset(&alone, &mut *prepared, &batch.before(n), result.purpose);
                }
                // One slow seed delays nobody: the rest of the unit is given up.
                ended = outcome.answers.iter().any(|check| check.answer == Answer::Timeout);
                if seen.settled.is_none() {
                    self.count(&alone, &outcome.answers, &mut fared);
                    fared.error(&outcome);
                    sent += 1;
                    if job.models && !ended {
                        self.examine(&alone, &mut *prepared);
                    }
                    self.compare(&alone, &mut *prepared, &outcome.answers);
                }
            }
            for (n, seen) in result.mutants.iter().enumerate() {
                if let Some(answers) = &seen.settled {
                    self.compare(&alone(n), &mut *prepared, answers);
                }
                if seen.bad_model {
                    self.examine(&alone(n), &mut *prepared);
                }
            }
            if unmade > 0 {
                add(&self.unit.counters.unmade, unmade);
                fared.sent += unmade;
                fared.first_error = fared.first_error.or_else(|| prepared.failure());
            }
            campaign.control.return_mutants(taken - sent);
            self.unit.sent(sent);
            // A mutator that fails may take long to do so: the rest of the unit is given up then too.
            if ended || unmade > 0 && sent == 0 {
                break;
            }
            // What the process did not come to is made again.
            next += result.mutants.len() as u64;
        }
        if let Some(kept) = self.sizes.get_mut(job.slot.target)
            && target.shares_process()
        {
            *kept = size;
        }
        self.batch = batch;
        self.unit.cell(job, mutator.name(), fared.cell);
        if fared.sent > 0 && fared.answered == 0 {
            let reason = fared.first_error.unwrap_or_else(|| "no mutant was answered within the limits".to_string());
            self.unit.verdict(PairVerdict::Failed(reason));
        }
    }

    /// Counts the answers to one mutant.
    fn count(&self, alone: &Alone<'_>, answers: &[CheckAnswer], fared: &mut Yield) {
        fared.count(answers);
        self.unit.counters.count(answers);
        self.unit.mode(Mode::of(&alone.mutant.text, alone.mutant.expected.len()));
    }

    /// Sends one mutant in a process of its own, and hands a hit on; says whether there was one. None if the campaign is over.
    fn alone(&self, alone: &Alone<'_>, prepared: &mut dyn Batch) -> Option<(Outcome, bool)> {
        let Alone { mutant, job, .. } = *alone;
        let campaign = self.campaign;
        let target = job.target;
        let purpose = job.purpose(mutant.expected.len());
        let outcome = self.unit.ask(target, &mutant.text, purpose, &job.limits)?;
        let asking = Asking::of(&mutant.text);
        if let Some(hit) = oracle::judge(&mutant.expected, &outcome, asking)
            && campaign.matters(&hit, target)
        {
            let run = Run { text: &mutant.text, earlier: "", purpose, outcome: &outcome };
            self.hit(alone, prepared, &hit, run, None);
            return Some((outcome, true));
        }
        Some((outcome, false))
    }

    /// Sends a mutant that is answered rightly alone once more after those that it shared a process with, and hands on what
    /// only they bring about.
    fn after_reset(&self, alone: &Alone<'_>, prepared: &mut dyn Batch, earlier: &str, purpose: Purpose) {
        let Alone { mutant, job, .. } = *alone;
        let (campaign, target) = (self.campaign, job.target);
        if earlier.is_empty() || campaign.is_over() {
            return;
        }
        let Ok(outcome) = target.solver.check_after(earlier, &mutant.text, purpose, &job.limits) else { return };
        self.unit.counters.spent(outcome.cpu);
        if let Some(hit) = oracle::judge(&mutant.expected, &outcome, Asking::of(&mutant.text))
            && hit.class != BugClass::C
            && campaign.matters(&hit, target)
        {
            let run = Run { text: &mutant.text, earlier, purpose, outcome: &outcome };
            self.hit(alone, prepared, &hit, run, None);
        }
    }

    /// Asks for the models of one mutant in a process of its own, and hands on one that is wrong.
    fn examine(&self, alone: &Alone<'_>, prepared: &mut dyn Batch) {
        let Alone { mutant, job, .. } = *alone;
        let target = job.target;
        let Some(asked) = target.models() else { return };
        let Some(text) = model_oracle::with_models(&mutant.text, &mutant.expected) else { return };
        let purpose = job.purpose(mutant.expected.len()) | Purpose::MODELS;
        let Ok(examined) = model_oracle::examine(asked, &text, purpose, &job.limits) else { return };
        self.unit.counters.spent(examined.outcome.cpu);
        self.unit.counters.judged(&examined.verdict);
        if let Verdict::Invalid(found) = &examined.verdict
            && let Some(hit) = model_oracle::hit(&examined.verdict)
        {
            let run = Run { text: &text, earlier: "", purpose, outcome: &examined.outcome };
            self.hit(alone, prepared, &hit, run, Some(found));
        }
    }

    /// Compares all solvers' answers to a mutant of which nothing is known, and hands on who is wrong.
    fn compare(&self, alone: &Alone<'_>, prepared: &mut dyn Batch, answers: &[CheckAnswer]) {
        let Alone { mutant, index, mutator, job } = *alone;
        if mutant.truth != Truth::Differential {
            return;
        }
        for accusation in differential::compare(&self.unit, job, mutant, answers) {
            let mode = if mutant.expected.len() > 1 { "incremental" } else { "plain" };
            let key = GroupKey { target: accusation.position, ..job.group(&accusation.hit, mode.to_string(), false) };
            let truth = accusation.truth();
            let nothing = Store::new();
            let (store, witness, false_assertion) = match &accusation.proof {
                Proof::Witness(model, store) => (&**store, Some(model), None),
                Proof::OwnModel(found) => (&nothing, None, Some(found)),
                Proof::Vote(_) => (&nothing, None, None),
            };
            let sent = Sent {
                text: &accusation.text,
                earlier: "",
                expected: &accusation.expected,
                truth: &truth,
                store,
                witness,
                asking: Asking::of(&accusation.text),
                purpose: accusation.purpose,
                limits: &job.limits,
            };
            let parameters = job.parameters(prepared.parameters(index));
            let origin = Origin::Mutant { mutator: mutator.name().to_string(), parameters, index };
            let (hit, outcome) = (&accusation.hit, &accusation.outcome);
            let accused = match accusation.position == job.slot.target {
                true => job.target,
                false => &self.campaign.targets[accusation.position],
            };
            self.unit.hit(&key, &Find { hit, sent, outcome, job, origin, false_assertion }, accused);
        }
    }

    /// Hands a hit of a mutant on.
    fn hit(
        &self,
        alone: &Alone<'_>,
        prepared: &mut dyn Batch,
        hit: &Hit,
        run: Run<'_>,
        false_assertion: Option<&FalseAssertion>,
    ) {
        let Alone { mutant, index, mutator, job } = *alone;
        let parameters = job.parameters(prepared.parameters(index));
        let mode = match run.earlier {
            "" => parameters.iter().find(|(name, _)| *name == "mode").map_or("plain", |(_, mode)| mode),
            _ => AFTER_RESET,
        };
        let key = job.group(hit, mode.to_string(), false);
        let witness = prepared.witness(index);
        let sent = Sent {
            text: run.text,
            earlier: run.earlier,
            expected: &mutant.expected,
            truth: &mutant.truth,
            store: prepared.store(),
            witness: witness.as_ref(),
            asking: Asking::of(run.text),
            purpose: run.purpose,
            limits: &job.limits,
        };
        let origin = Origin::Mutant { mutator: mutator.name().to_string(), parameters, index };
        self.unit.hit(&key, &Find { hit, sent, outcome: run.outcome, job, origin, false_assertion }, job.target);
    }
}

impl Yield {
    fn count(&mut self, answers: &[CheckAnswer]) {
        self.sent += 1;
        self.cell.count(answers);
        let useful = |answer| matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown | Answer::Crashed);
        self.answered += u64::from(answers.iter().any(|check| useful(check.answer)));
    }

    fn error(&mut self, outcome: &Outcome) {
        if self.first_error.is_none() {
            self.first_error = outcome.errors.first().map(|error| error.message.clone());
        }
    }
}
