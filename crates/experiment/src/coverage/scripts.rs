//! The scripts of an experiment: seeds in the solver's spelling, and mutants by their numbers.

use super::plan::{CoverageArm, CoveragePlan};
use corpus::seed::Seed;
use mutate::mutator::GivenModel;
use mutate::{Mutant, MutantRequest, Mutator, Parent, Unit, choice};
use oracle::{TestedSolver, translate};
use smtlib::Store;

/// An index that no mutant has. Its random stream draws the order of mutators.
const NO_INDEX: u64 = u64::MAX;

/// A script to run.
#[derive(Clone, Debug)]
pub(super) struct MeasuredScript {
    pub(super) text: String,
    pub(super) checks: usize,
    /// The right answers, as words; empty if they are not known.
    pub(super) expected: Vec<String>,
}

/// Returns a seed by number in the solver's spelling, or `None` if it cannot be read or needs what the solver lacks.
pub(super) fn of_seed(plan: &CoveragePlan, number: u64) -> Option<MeasuredScript> {
    let seed = plan.seeds.get(usize::try_from(number).ok()?)?.load().ok()?;
    let text = translate::script(&seed.store, &seed.script.commands, &plan.target);
    let lacks = plan.target.lacks(smtlib::logic::of_script(&seed.store, &seed.script));
    (lacks.is_none() && plan.target.misread(&text).is_none()).then_some(MeasuredScript {
        text,
        checks: seed.instances.len(),
        expected: Vec::new(),
    })
}

/// Returns the mutant of an arm's attempt, or `None` if none can be made. Each attempt visits the next seed, and each round of all seeds
/// visits the next check of each seed. The mutant depends only on the seeds, the plan's seed and the attempt.
pub(super) fn of_attempt(plan: &CoveragePlan, arm: &CoverageArm, attempt: u64) -> Option<MeasuredScript> {
    let count = plan.seeds.len().max(1) as u64;
    let (place, round) = (attempt % count, attempt / count);
    let unit = Unit { campaign: plan.seed, number: attempt };
    let at = |number: u64| plan.seeds.get(usize::try_from(number % count).ok()?);
    let target = &arm.target;
    for mutator in choice::draw_order(&arm.mutators, &mut unit.mutant_stream(NO_INDEX)) {
        let made = match mutator.parents() {
            // A unit's first problem, so that it does not depend on the number of seeds.
            0 => made(mutator, target, Store::new(), &[], unit, 0),
            parents => {
                let Ok(first) = at(place)?.load() else { continue };
                if target.lacks(smtlib::logic::of_script(&first.store, &first.script)).is_some() {
                    continue;
                }
                let mut all = vec![parent(&first, round, target)];
                let mut store = first.store;
                if parents > 1 {
                    // Each round takes another second parent.
                    let Ok(second) = at(place + 1 + round)?.load_into(store.clone()) else { continue };
                    all.push(parent(&second, round, target));
                    store = second.store;
                }
                made(mutator, target, store, &all, unit, round)
            }
        };
        if made.is_some() {
            return made;
        }
    }
    None
}

fn parent(seed: &Seed, round: u64, target: &TestedSolver) -> Parent {
    let number = usize::try_from(round).unwrap_or(0) % seed.instances.len().max(1);
    let mut instance = seed.instances[number].clone();
    instance.logic = instance.logic.filter(|logic| target.knows_logic(seed.store.name(*logic)));
    Parent { instance, given: GivenModel::Nothing }
}

fn made(
    mutator: &dyn Mutator,
    target: &TestedSolver,
    mut store: Store,
    parents: &[Parent],
    unit: Unit,
    index: u64,
) -> Option<MeasuredScript> {
    let mut batch = mutator.prepare_any(&mut store, MutantRequest { parents, target: &target.spelling, unit }).ok()?;
    if target.lacks(batch.needs()).is_some() {
        return None;
    }
    let mut mutant = Mutant::default();
    batch.mutant(index, &mut mutant);
    let is_sent = !mutant.expected.is_empty() && target.misread(&mutant.text).is_none();
    let expected = mutant.expected.iter().map(|status| status.word().to_string()).collect();
    is_sent.then_some(MeasuredScript { checks: mutant.expected.len(), text: mutant.text, expected })
}
