//! A worker: takes units, makes their mutants, asks the solver, reports hits.

pub(crate) mod batch;
pub(crate) mod context;
pub(crate) mod control;
pub(crate) mod differential;
pub(crate) mod extra_share;
pub(crate) mod job;
pub(crate) mod limit_share;
mod mutants;
pub(crate) mod pool;
mod proofs;
pub(crate) mod record;
pub(crate) mod refuted;
mod related;
pub(crate) mod sample;
pub(crate) mod seed_run;
mod slow;
pub(crate) mod work_source;

use crate::counts::stats::Counters;
use crate::schedule::plan::PlanSlot;
use crate::schedule::unit::{PairVerdict, UnitPlan};
use crate::seeds::models::ModelKey;
use crate::under_test::{Target, options};
use crate::worker::batch::MutantBatch;
use crate::worker::context::{CampaignContext, UnitContext};
use crate::worker::control::TICK;
use crate::worker::job::{JobContext, Partner};
use corpus::seed::Seed;
use finding::kind::OWN_SPELLING;
use mutate::choice::draw_order;
use mutate::mutator::GivenModel;
use mutate::reworded::{RewordedBatch, RewordingOptions};
use mutate::rng::RandomStream;
use mutate::{MutantRequest, Parent, TargetSpelling};
use oracle::tested::DrawnOptions;
use smtlib::{Instance, Status, Store};
use solver::batch::BatchSize;
use solver::process::ProcessLimits;
use std::borrow::Cow;
use std::time::Duration;

/// The CPU time limit of a run at the first visit of a seed; doubled at each later one, up to the limit. Limits below the user's own are
/// of CPU time, so a loaded machine changes no result.
const FIRST_PATIENCE: Duration = Duration::from_secs(1);
/// The CPU time limit of a generated problem's later runs, in addition to twice the solver's start.
const SMALL_PATIENCE: Duration = Duration::from_millis(400);
/// The CPU time limit of a generated problem's first run, in addition to twice the solver's start. It is small: a problem not answered at
/// once is seldom answered later (docs/measurements/2026-11-finite.md has the measurement).
const SMALL_CPU: Duration = Duration::from_millis(25);
/// The factor on both for problems of finite fields, for which cvc5 computes Gröbner bases (docs/measurements/2026-11-finite.md has the measurement).
const FIELD_FACTOR: u32 = 8;
/// The percentage of units that avoid the operators of a known cause.
const AVOIDED: u32 = 95;
/// The percentage of units in which the solver checks its own models.
const VALIDATING: u32 = 20;
/// The percentage of units that ask for a model that the seed's status makes unlikely.
const UNLIKELY_MODEL: u32 = 25;

/// A worker thread. It owns its buffers and counts; shared data is behind `campaign`.
pub(crate) struct Worker<'c> {
    campaign: &'c CampaignContext<'c>,
    unit: UnitContext<'c>,
    batch: MutantBatch,
    /// The number of mutants per process, for each solver under test.
    sizes: Vec<BatchSize>,
}

impl<'c> Worker<'c> {
    /// Makes a worker that counts in `counters`.
    pub(crate) fn new(campaign: &'c CampaignContext<'c>, counters: &'c Counters) -> Worker<'c> {
        let sizes = vec![BatchSize::new(campaign.config.per_process); campaign.targets.len()];
        Worker { campaign, unit: UnitContext::new(campaign, counters), batch: MutantBatch::default(), sizes }
    }

    /// Works until the campaign ends.
    pub(crate) fn run(&mut self) {
        while !self.campaign.is_over()
            && let Some(plan) = self.campaign.source.next()
        {
            let status = &self.unit.counters.status;
            status.begin(plan.number, plan.seed, plan.target);
            self.unit(&plan);
            status.end();
            let report = self.unit.report(plan);
            if !report.complete {
                // The budget is used up, but mutants returned by other workers may allow another unit.
                std::thread::sleep(TICK);
            }
            self.campaign.source.done(report);
        }
    }

    fn unit(&mut self, plan: &UnitPlan) {
        let slot = plan.slot(self.campaign.config.mutants.seed);
        let mut seed = match self.campaign.config.seeds[slot.seed].load() {
            Ok(seed) => seed,
            Err(reason) => return self.unit.verdict(PairVerdict::ForNobody(reason.to_string())),
        };
        self.unit.seed(&seed);
        self.unit.about(seed.logic(0).unwrap_or_default());
        if self.is_quarantined(&seed) {
            return;
        }
        let any = &self.campaign.targets[slot.target];
        // If all problems are generated, the seed only numbers the unit.
        let seeded = any.mutators.iter().any(|(mutator, _)| mutator.parents() > 0);
        let needs = if seeded { smtlib::logic::of_script(&seed.store, &seed.script) } else { 0 };
        let default = any.for_needs(needs);
        if let Some(reason) = default.tested.lacks(needs) {
            return self.unit.verdict(PairVerdict::NotForSolver(reason));
        }
        if seeded && slot.visit == 0 && !self.seed_itself(&seed, slot) {
            return;
        }
        if seeded && slot.visit > 0 {
            self.relate_seed_again(&seed, slot);
        }
        let mut choices = slot.choices();
        // A seed's first visit uses the solver's defaults; generated problems need no such visit.
        let is_varied = slot.visit > 0 || !seeded;
        let drawn = self.campaign.config.mutants.options();
        let varied = (is_varied && choices.percent(drawn.percent())).then(|| {
            let mut set = options::draw(&default.tested, drawn.grade(), needs, &mut choices);
            self.without_settings(default, &mut set, &mut choices);
            default.with_options(set)
        });
        let target = varied.as_ref().unwrap_or(default);
        let instance = choices.index(seed.instances.len());
        let negated = unsatisfiable(&seed.instances[instance]) != choices.percent(UNLIKELY_MODEL);
        let key = ModelKey { seed: slot.seed, instance, negated };
        let validate = !target.tested.solver.profile().options.validate.is_empty() && choices.percent(VALIDATING);
        let models =
            !validate && target.tested.models().is_some() && choices.percent(self.campaign.config.mutants.models);
        let given = if seeded { self.given(key, &mut seed, slot) } else { GivenModel::Nothing };
        let logic = seed.logic(instance).map(str::to_string);
        let store = std::mem::take(&mut seed.store);
        let seed = Seed { store: Store::new(), ..seed };
        let first = self.parent(&seed, instance, &store, given, slot);
        let (logic, limits) = (logic.as_deref(), self.limits(slot));
        let mut job = JobContext {
            slot,
            target,
            seed: &seed,
            partner: None,
            instance,
            logic,
            validate,
            models,
            limits,
            first_cpu: None,
            watches_time: false,
        };
        let mut reason = "no mutator takes one seed".to_string();
        let chosen = plan.choice.as_ref().and_then(|choice| target.variant(choice.mutator, &choice.settings));
        let spelling = self.without_triggers(target, &mut choices);
        for mutator in chosen.as_deref().into_iter().chain(draw_order(&target.mutators, &mut choices)) {
            // A failed mutator may leave terms behind, which must not affect the next one.
            let mut store = store.clone();
            let mut parents = vec![first.clone()];
            job.partner = None;
            if mutator.parents() > 1 {
                match self.partner(&mut parents[0], store, &job, &mut choices) {
                    Some((second, partner, both)) => {
                        parents.push(second);
                        (job.partner, store) = (Some(partner), both);
                    }
                    None => {
                        reason = "no other seed has its logic and status".to_string();
                        continue;
                    }
                }
            }
            let request = MutantRequest { parents: &parents, target: &spelling, unit: slot.unit };
            match mutator.prepare_any(&mut store, request) {
                Ok(batch) => {
                    if let Some(lacking) = default.tested.lacks(batch.needs()) {
                        reason = lacking;
                        continue;
                    }
                    self.unit.mutator(mutator.name());
                    let theme = plan.choice.as_ref().and_then(|choice| choice.setting(mutate::finite::THEORY));
                    self.unit.about(&format!("{} {}", mutator.name(), theme.or(logic).unwrap_or_default()));
                    job.watches_time =
                        self.campaign.config.mutants.slow && target.tested.drawn.is_default() && mutator.parents() > 0;
                    if mutator.parents() == 0 {
                        let has_fields = batch.needs() & smtlib::logic::FINITE_FIELDS != 0;
                        let factor = if has_fields { FIELD_FACTOR } else { 1 };
                        let start = 2 * target.tested.measured_start();
                        job.limits.script_cpu = Some(factor * SMALL_PATIENCE + start);
                        job.first_cpu = Some(factor * SMALL_CPU + start);
                    }
                    let reworded = self.campaign.config.mutants.reworded;
                    let options = RewordingOptions {
                        percent: if spelling.lacks_name(OWN_SPELLING) { 0 } else { reworded },
                        dialect: &target.tested.spelling.dialect,
                        takes_commands: target.tested.takes_sessions(),
                        takes_errors: target.tested.takes_errors(),
                        unit: slot.unit,
                    };
                    let drawn = plan.choice.as_ref().map_or(&[][..], |choice| &choice.settings);
                    let batch = target.with_queries(batch, mutator.name(), drawn, slot.unit);
                    let batch = Box::new(RewordedBatch::new(batch, options));
                    return self.mutants(batch, mutator, &job);
                }
                Err(unfit) => reason = unfit.to_string(),
            }
        }
        // The seed may need an operator that was avoided, so the next unit does not avoid it.
        let avoided = &spelling.lacks[target.tested.spelling.lacks.len()..];
        if avoided.iter().all(|name| **name == *OWN_SPELLING) {
            self.unit.verdict(if seeded { PairVerdict::Failed(reason) } else { PairVerdict::NoProblem(reason) });
        }
    }

    /// Removes a drawn option that triggers a known cause, in most cases.
    fn without_settings(&self, target: &Target, set: &mut DrawnOptions, choices: &mut RandomStream) {
        for trigger in self.campaign.config.reward.avoided_settings(&target.tested.label) {
            let has =
                |setting: &String| set.words.contains(setting) || set.commands.iter().any(|own| **own == **setting);
            if !trigger.is_empty()
                && trigger.iter().all(has)
                && choices.percent(AVOIDED)
                && let Some(setting) = choices.pick(&trigger)
            {
                set.words.retain(|own| own != setting);
                set.commands.retain(|own| **own != **setting);
            }
        }
    }

    /// Returns the spelling of mutants: it usually lacks an operator of a known cause, so mutators do not use it.
    fn without_triggers<'t>(&self, target: &'t Target, choices: &mut RandomStream) -> Cow<'t, TargetSpelling> {
        let triggers = self.campaign.config.reward.triggers(&target.tested.label);
        let mut spelling = Cow::Borrowed(&target.tested.spelling);
        for trigger in triggers {
            if choices.percent(AVOIDED)
                && let Some(name) = choices.pick(&trigger)
            {
                spelling.to_mut().lacks.push(name.clone());
            }
        }
        spelling
    }

    /// Returns one check of a seed as a parent.
    fn parent(&self, seed: &Seed, instance: usize, store: &Store, given: GivenModel, slot: PlanSlot) -> Parent {
        let target = &self.campaign.targets[slot.target];
        let mut asked = seed.instances[instance].clone();
        asked.logic = asked.logic.filter(|logic| target.tested.knows_logic(store.name(*logic)));
        Parent { instance: asked, given }
    }

    /// Returns a second parent, read into the first one's store. Also fills in the first one's status.
    fn partner(
        &self,
        first: &mut Parent,
        store: Store,
        job: &JobContext<'_>,
        choices: &mut RandomStream,
    ) -> Option<(Parent, Partner, Store)> {
        let (campaign, slot) = (self.campaign, job.slot);
        // The label is of the seed as read, whatever the target knows about its logic.
        let mut labelled = Seed { store, ..job.seed.clone_without_terms() };
        let label = campaign.labels.apply(slot.seed, &mut labelled, &self.unit);
        first.instance.status = labelled.instances[job.instance].status;
        let (number, mut second, check) =
            campaign.labels.partner((label, job.instance), &labelled.store, choices, &self.unit)?;
        let key = ModelKey { seed: number, instance: check, negated: unsatisfiable(&second.instances[check]) };
        let given = self.given(key, &mut second, slot);
        let parent = self.parent(&second, check, &second.store, given, slot);
        let both = std::mem::take(&mut second.store);
        let partner = Partner { name: second.name, sha256: second.sha256, check: second.instances[check].check };
        Some((parent, partner, both))
    }

    /// Returns the limits of one run: shorter for first visits, so that all seeds get their turn.
    fn limits(&self, slot: PlanSlot) -> ProcessLimits {
        let limits = &self.campaign.config.limits;
        let patience = FIRST_PATIENCE.saturating_mul(1 << slot.visit.min(16));
        ProcessLimits { script_cpu: (patience < limits.wall).then_some(patience), ..limits.clone() }
    }

    /// Returns an initial model: from the reference solver if there is one, else from the solver under test.
    fn given(&self, key: ModelKey, seed: &mut Seed, slot: PlanSlot) -> GivenModel {
        let campaign = self.campaign;
        let target = &campaign.targets[slot.target];
        let reference = campaign.reference;
        let source = reference.unwrap_or(&campaign.targets[0]);
        if !campaign.config.wants_models || source.tested.solver.is_builtin() {
            return GivenModel::Nothing;
        }
        let limits = &campaign.config.limits;
        let Some(text) = campaign.models.get(key, seed, source, limits, &self.unit) else { return GivenModel::Nothing };
        // An unreadable model is replaced by a random assignment.
        let Ok(model) = semantics::read_model(&mut seed.store, &seed.instances[key.instance], &text) else {
            return GivenModel::Nothing;
        };
        // Only a solver that is not under test here makes a value trusted.
        let independent =
            reference.is_some() && !target.tested.solver.installed().is_itself(source.tested.solver.installed());
        match independent && !key.negated {
            true => GivenModel::Trusted(model.into(), format!("the model of {}", source.tested.label).into()),
            false => GivenModel::Assignment(model.into()),
        }
    }
}

fn unsatisfiable(instance: &Instance) -> bool {
    instance.status == Some(Status::Unsat)
}
