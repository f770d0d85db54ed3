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
use mutate::assignment::Given;
use mutate::{Batch, Expected, Mutant, Mutator, Parent, Request, Truth};
use smtlib::{Command, Instance, Printer, Status, Store};
use solver::outcome::{Answer, Outcome};
use solver::session::Purpose;
use std::sync::atomic::Ordering;

/// How often, in percent, a unit has the solver check its own models.
const VALIDATING: u32 = 20;
/// How often, in percent, a unit asks for a model of what the seed's status makes unlikely.
const UNLIKELY_MODEL: u32 = 25;

/// A worker. It owns what it works with; what workers share is behind `shared`.
pub(crate) struct Worker<'c> {
    shared: &'c Shared<'c>,
    plan: Plan,
    mutant: Mutant,
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
        Worker { shared, plan: shared.plan.clone(), mutant: Mutant::default() }
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
        let Some(mutator) = choices.pick(&target.mutators) else { return };
        let negated = unsatisfiable(&seed.instances[instance]) != choices.percent(UNLIKELY_MODEL);
        let key = ModelKey { seed: slot.seed, instance, negated };
        let validate = !target.solver.profile().options.validate.is_empty() && choices.percent(VALIDATING);
        let given = self.given(key, &mut seed, slot);
        let parent = [Parent { instance: seed.instances[instance].clone(), given }];
        let request = Request { parents: &parent, target: &target.spelling, unit: slot.unit };
        let mut store = std::mem::take(&mut seed.store);
        let place = Place { slot, seed: &seed, instance, validate };
        match mutator.prepare(&mut store, request) {
            Ok(batch) => self.mutants(batch, &**mutator, &place),
            Err(unfit) => self.shared.strike(slot, &seed.name, &unfit.to_string()),
        }
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
        let mut fared = Yield::default();
        for index in 0..count {
            if shared.is_over() || !shared.take_mutant() {
                break;
            }
            batch.mutant(index, &mut self.mutant);
            let asking = if self.mutant.text.contains("(check-sat-using ") { Asking::Tactic } else { Asking::Plain };
            let purpose = place.purpose(self.mutant.expected.len());
            let Some(outcome) = shared.ask(target, &self.mutant.text, purpose) else { break };
            add(&shared.counters.mutants, 1);
            fared.count(&outcome);
            if let Some(hit) = oracle::judge(&self.mutant.expected, &outcome, asking)
                && shared.matters(&hit)
            {
                let parameters = batch.parameters(index);
                let mode = parameters.iter().find(|(name, _)| *name == "mode").map_or("plain", |(_, mode)| mode);
                let key = place.group(&hit, mode.to_string(), false);
                let witness = batch.witness(index);
                let sent = Sent {
                    text: &self.mutant.text,
                    expected: &self.mutant.expected,
                    truth: &self.mutant.truth,
                    store: batch.store(),
                    witness: witness.as_ref(),
                    asking,
                    purpose,
                    limits: &shared.config.limits,
                };
                let origin = Origin::Mutant { mutator: mutator.entry().name, parameters, index };
                shared.hit(&key, &Find { hit: &hit, sent, outcome: &outcome, place, origin });
            }
            if outcome.answers.iter().any(|check| check.answer == Answer::Timeout) {
                // One slow seed delays nobody: the rest of the unit is given up.
                break;
            }
        }
        if fared.sent > 0 && fared.answered == 0 {
            let reason = fared.first_error.unwrap_or_else(|| "no answer within the limits".to_string());
            shared.strike(place.slot, &place.seed.name, &reason);
        }
    }

    /// Sends the seed as it is. False if the solver cannot read it, so that its mutants are not worth the time.
    fn seed_itself(&mut self, seed: &Seed, slot: Slot) -> bool {
        let shared = self.shared;
        let target = &shared.targets[slot.target];
        let text = unmutated(seed, target);
        let statuses: Vec<Option<Status>> = seed.script.instances().iter().map(|i| i.status).collect();
        let expected: Vec<Expected> = statuses.iter().map(|status| answer_of(*status)).collect();
        let asking = if text.contains("(check-sat-using ") { Asking::Tactic } else { Asking::Plain };
        let place = Place { slot, seed, instance: 0, validate: false };
        let purpose = place.purpose(expected.len());
        let Some(outcome) = shared.ask(target, &text, purpose) else { return false };
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
                limits: &shared.config.limits,
            };
            let mode = if expected.len() > 1 { "incremental" } else { "plain" };
            let place = Place { instance: hit.check, ..place };
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
}

impl Place<'_> {
    fn purpose(&self, checks: usize) -> Purpose {
        let incremental = if checks > 1 { Purpose::INCREMENTAL } else { Purpose::SINGLE };
        let validate = if self.validate { Purpose::VALIDATE | Purpose::MODELS } else { Purpose::SINGLE };
        incremental | validate
    }

    fn group(&self, hit: &oracle::Hit, mode: String, from_seed: bool) -> GroupKey {
        GroupKey {
            class: hit.class,
            target: self.slot.target,
            mode,
            seed: self.slot.seed,
            from_seed,
            flaky: false,
        }
    }
}

impl Yield {
    fn count(&mut self, outcome: &Outcome) {
        self.sent += 1;
        let useful = |answer| matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown | Answer::Crashed);
        self.answered += u64::from(outcome.answers.iter().any(|check| useful(check.answer)));
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
