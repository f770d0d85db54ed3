//! One worker: takes units, makes their mutants, asks the solver, hands hits on.

use crate::book::GroupKey;
use crate::campaign::Shared;
use crate::confirm::Sent;
use crate::models::ModelKey;
use crate::oracle::{self, Asking};
use crate::plan::{Plan, Slot};
use crate::record::{Find, Origin};
use crate::seed::Seed;
use crate::stats::add;
use crate::target::Target;
use crate::volley::Volley;
use mutate::assignment::Given;
use mutate::{Batch, Expected, Mutant, Mutator, Parent, Request, Truth};
use smtlib::{Command, Instance, Printer, Status, Store};
use solver::outcome::{Answer, CheckAnswer, Outcome};
use solver::process::Limits;
use solver::session::Purpose;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How many mutants share a process of a solver that can be reset.
const VOLLEY: u64 = 8;
/// How long a run may take at the first visit of a seed; twice as long at each later one, up to the limit.
const FIRST_TIMEOUT: Duration = Duration::from_secs(1);
/// How often, in percent, a unit has the solver check its own models.
const VALIDATING: u32 = 20;
/// How often, in percent, a unit asks for a model of what the seed's status makes unlikely.
const UNLIKELY_MODEL: u32 = 25;

/// A worker. It owns what it works with; what workers share is behind `shared`.
pub(crate) struct Worker<'c> {
    shared: &'c Shared<'c>,
    plan: Plan,
    volley: Volley,
}

/// How the mutants of a unit fared.
#[derive(Default)]
struct Yield {
    sent: u64,
    answered: u64,
    first_error: Option<String>,
}

impl<'c> Worker<'c> {
    pub(crate) fn new(shared: &'c Shared<'c>) -> Worker<'c> {
        Worker { shared, plan: shared.plan.clone(), volley: Volley::default() }
    }

    /// Works until the campaign ends.
    pub(crate) fn run(&mut self) {
        while !self.shared.is_over() {
            let number = self.shared.next_unit.fetch_add(1, Ordering::Relaxed);
            let slot = self.plan.slot(number);
            if self.shared.barren.is_barren(slot) {
                continue;
            }
            self.unit(slot);
            add(&self.shared.counters.units, 1);
        }
    }

    fn unit(&mut self, slot: Slot) {
        let mut seed = match self.shared.config.seeds[slot.seed].load() {
            Ok(seed) => seed,
            Err(reason) => return self.shared.skip_seed(slot.seed, &reason.to_string()),
        };
        if slot.visit == 0 && !self.seed_itself(&seed, slot) {
            return;
        }
        let target = &self.shared.targets[slot.target];
        let mut choices = slot.choices();
        let instance = choices.index(seed.instances.len());
        let negated = unsatisfiable(&seed.instances[instance]) != choices.percent(UNLIKELY_MODEL);
        let key = ModelKey { seed: slot.seed, instance, negated };
        let validate = !target.solver.profile().options.validate.is_empty() && choices.percent(VALIDATING);
        let given = self.given(key, &mut seed, slot);
        let mut asked = seed.instances[instance].clone();
        asked.logic = asked.logic.filter(|logic| target.knows_logic(seed.store.name(*logic)));
        let parent = [Parent { instance: asked, given }];
        let store = std::mem::take(&mut seed.store);
        let place = Place { slot, seed: &seed, instance, validate, limits: self.limits(slot) };
        let mut order: Vec<usize> = (0..target.mutators.len()).collect();
        choices.shuffle(&mut order);
        let mut reason = "no mutator takes one seed".to_string();
        for mutator in order.into_iter().map(|n| &*target.mutators[n]) {
            // A mutator that failed may have left terms behind, on which the next one must not depend.
            let mut store = store.clone();
            let request = Request { parents: &parent, target: &target.spelling, unit: slot.unit };
            match mutator.prepare(&mut store, request) {
                Ok(batch) => return self.mutants(batch, mutator, &place),
                Err(unfit) => reason = unfit.to_string(),
            }
        }
        self.shared.strike(slot, &seed.name, &reason);
    }

    /// The limits of one run: the first visits wait less, so that all seeds have their turn.
    fn limits(&self, slot: Slot) -> Limits {
        let limits = &self.shared.config.limits;
        let patience = FIRST_TIMEOUT.saturating_mul(1 << slot.visit.min(16));
        Limits { wall: limits.wall.min(patience), ..limits.clone() }
    }

    /// A model to start from: of the reference solver if there is one, else of the solver under test.
    fn given(&self, key: ModelKey, seed: &mut Seed, slot: Slot) -> Given {
        let shared = self.shared;
        let target = &shared.targets[slot.target];
        let reference = shared.reference;
        let source = reference.unwrap_or(&shared.targets[0]);
        if !shared.config.wants_models || source.solver.is_builtin() {
            return Given::Nothing;
        }
        let limits = &shared.config.limits;
        let Some(text) = shared.models.get(key, seed, source, limits, &shared.counters) else { return Given::Nothing };
        // A model that does not read is no loss: a random assignment takes its place.
        let Ok(model) = semantics::read_model(&mut seed.store, &seed.instances[key.instance], &text) else {
            return Given::Nothing;
        };
        // Only the word of somebody who is not under test here makes a value trusted.
        let independent = reference.is_some() && source.label != target.label;
        match independent && !key.negated {
            true => Given::Trusted(model.into(), format!("the model of {}", source.label).into()),
            false => Given::Assignment(model.into()),
        }
    }

    fn mutants(&mut self, mut batch: Box<dyn Batch + '_>, mutator: &dyn Mutator, place: &Place<'_>) {
        let shared = self.shared;
        let target = &shared.targets[place.slot.target];
        let count = if target.solver.is_builtin() { batch.size() } else { batch.size().min(place.slot.mutants()) };
        let most = if target.shares_process() { VOLLEY } else { 1 };
        let mut fared = Yield::default();
        let mut volley = std::mem::take(&mut self.volley);
        let mut next = 0;
        while next < count && !shared.is_over() {
            let taken = shared.take_mutants(most.min(count - next));
            if taken == 0 {
                break;
            }
            volley.fill(&mut *batch, next, taken);
            let fired = volley.fire(shared, target, place);
            let Some(fired) = fired else { break };
            for answers in &fired.settled {
                fared.count(answers);
            }
            let mut sent = fired.settled.len() as u64;
            let mut ended = fired.ended;
            let unsettled = if ended { 0..0 } else { fired.settled.len()..volley.mutants.len() };
            for n in fired.suspicious.iter().copied().chain(unsettled.clone()) {
                if shared.is_over() || ended {
                    break;
                }
                let alone = Alone { mutant: &volley.mutants[n], index: next + n as u64, mutator, place };
                let Some(outcome) = self.alone(&alone, &mut *batch) else { break };
                if unsettled.contains(&n) {
                    fared.count(&outcome.answers);
                    shared.counters.count(&outcome.answers);
                    fared.error(&outcome);
                    sent += 1;
                }
                // One slow seed delays nobody: the rest of the unit is given up.
                ended = outcome.answers.iter().any(|check| check.answer == Answer::Timeout);
            }
            shared.return_mutants(taken - sent);
            shared.sent(sent);
            if ended {
                break;
            }
            next += taken;
        }
        self.volley = volley;
        if fared.sent > 0 && fared.answered == 0 {
            let reason = fared.first_error.unwrap_or_else(|| "no answer within the limits".to_string());
            shared.strike(place.slot, &place.seed.name, &reason);
        }
    }

    /// Sends one mutant in a process of its own, and hands a hit on. None if the campaign is over.
    fn alone(&self, alone: &Alone<'_>, batch: &mut dyn Batch) -> Option<Outcome> {
        let Alone { mutant, index, mutator, place } = *alone;
        let shared = self.shared;
        let target = &shared.targets[place.slot.target];
        let purpose = place.purpose(mutant.expected.len());
        let outcome = shared.ask(target, &mutant.text, purpose, &place.limits)?;
        let asking = Asking::of(&mutant.text);
        if let Some(hit) = oracle::judge(&mutant.expected, &outcome, asking)
            && shared.matters(&hit)
        {
            let parameters = batch.parameters(index);
            let mode = parameters.iter().find(|(name, _)| *name == "mode").map_or("plain", |(_, mode)| mode);
            let key = place.group(&hit, mode.to_string(), false);
            let witness = batch.witness(index);
            let sent = Sent {
                text: &mutant.text,
                expected: &mutant.expected,
                truth: &mutant.truth,
                store: batch.store(),
                witness: witness.as_ref(),
                asking,
                purpose,
                limits: &place.limits,
            };
            let origin = Origin::Mutant { mutator: mutator.entry().name, parameters, index };
            shared.hit(&key, &Find { hit: &hit, sent, outcome: &outcome, place, origin });
        }
        Some(outcome)
    }

    /// Sends the seed as it is. False if the solver cannot read it, so that its mutants are not worth the time.
    fn seed_itself(&mut self, seed: &Seed, slot: Slot) -> bool {
        let shared = self.shared;
        let target = &shared.targets[slot.target];
        let text = unmutated(seed, target);
        let statuses: Vec<Option<Status>> = seed.script.instances().iter().map(|i| i.status).collect();
        let expected: Vec<Expected> = statuses.iter().map(|status| answer_of(*status)).collect();
        let asking = Asking::of(&text);
        let place = Place { slot, seed, instance: 0, validate: false, limits: self.limits(slot) };
        let purpose = place.purpose(expected.len());
        let Some(outcome) = shared.ask(target, &text, purpose, &place.limits) else { return false };
        shared.counters.count(&outcome.answers);
        shared.seed_done(slot.seed);
        if let Some(hit) = oracle::judge(&expected, &outcome, asking)
            && shared.matters(&hit)
        {
            let truth = Truth::Trusted("the seed's own :status".into());
            let sent = Sent {
                text: &text,
                expected: &expected,
                truth: &truth,
                store: &Store::new(),
                witness: None,
                asking,
                purpose,
                limits: &place.limits,
            };
            let mode = if expected.len() > 1 { "incremental" } else { "plain" };
            let limits = place.limits.clone();
            let place = Place { instance: hit.check, limits, ..place };
            let key = place.group(&hit, mode.to_string(), true);
            shared.hit(&key, &Find { hit: &hit, sent, outcome: &outcome, place: &place, origin: Origin::Seed });
        }
        let unreadable = outcome.answers.iter().all(|check| check.answer == Answer::Void);
        if unreadable && let Some(error) = outcome.errors.first() {
            shared.skip(slot, &seed.name, &error.message);
        }
        !unreadable
    }
}

/// Where a mutant comes from.
pub(crate) struct Place<'p> {
    pub(crate) slot: Slot,
    pub(crate) seed: &'p Seed,
    pub(crate) instance: usize,
    validate: bool,
    pub(crate) limits: Limits,
}

/// A mutant that has a process to itself.
#[derive(Clone, Copy)]
struct Alone<'a> {
    mutant: &'a Mutant,
    index: u64,
    mutator: &'a dyn Mutator,
    place: &'a Place<'a>,
}

impl Place<'_> {
    pub(crate) fn purpose(&self, checks: usize) -> Purpose {
        let incremental = if checks > 1 { Purpose::INCREMENTAL } else { Purpose::SINGLE };
        let validate = if self.validate { Purpose::VALIDATE | Purpose::MODELS } else { Purpose::SINGLE };
        incremental | validate
    }

    fn group(&self, hit: &oracle::Hit, mode: String, from_seed: bool) -> GroupKey {
        GroupKey { class: hit.class, target: self.slot.target, mode, seed: self.slot.seed, from_seed, flaky: false }
    }
}

impl Yield {
    fn count(&mut self, answers: &[CheckAnswer]) {
        self.sent += 1;
        let useful = |answer| matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown | Answer::Crashed);
        self.answered += u64::from(answers.iter().any(|check| useful(check.answer)));
    }

    fn error(&mut self, outcome: &Outcome) {
        if self.first_error.is_none() {
            self.first_error = outcome.errors.first().map(|error| error.message.clone());
        }
    }
}

fn unsatisfiable(instance: &Instance) -> bool {
    instance.status == Some(Status::Unsat)
}

fn answer_of(status: Option<Status>) -> Expected {
    match status {
        Some(Status::Sat) => Expected::Sat,
        Some(Status::Unsat) => Expected::Unsat,
        Some(Status::Unknown) | None => Expected::Differential,
    }
}

/// The seed in the target's dialect: what declares, asserts, moves levels and checks. `:status` is never sent (design
/// invariant 3), nor are options the target does not know, nor questions whose answers nobody reads.
fn unmutated(seed: &Seed, target: &Target) -> String {
    let mut text = String::new();
    let mut printer = Printer::new(&seed.store, &target.spelling.dialect);
    for command in &seed.script.commands {
        let kept = match command {
            Command::SetOption(key, _) => target.spelling.keeps_option(key),
            Command::SetInfo(..) | Command::GetModel | Command::GetValue(_) | Command::Echo(_) | Command::Query(_) => {
                false
            }
            Command::SetLogic(logic) => target.knows_logic(seed.store.name(*logic)),
            Command::Exit => break,
            _ => true,
        };
        if kept {
            printer.command(command, &mut text);
            text.push('\n');
        }
    }
    text
}
