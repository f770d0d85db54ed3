//! Decides whether a rule holds at small sizes: every instance is decided by exhaustion.

use super::build::RuleBuilder;
use super::instance::{RuleInstance, RuleInstances, instances};
use super::rule::Rule;
use mutate::small_values::{ValueAmount, assignment_text, assignments, confined, equation};
use mutate::small_world::{CheckTruth, decide_terms};
use semantics::truth::ExhaustLimits;
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Kind, SortId, Store, TermId};

/// The limits of one instance.
const LIMITS: ExhaustLimits = ExhaustLimits {
    assignments: MAX_ASSIGNMENTS,
    values: 1 << 10,
    evaluations: MAX_ASSIGNMENTS,
    steps: u64::MAX,
    each: EvalLimits { steps: 1 << 14, memory: 1 << 22, regex_steps: 1 << 14, ..mutate::small_world::LIMITS.each },
};

/// The maximum number of assignments of a decided instance.
const MAX_ASSIGNMENTS: u64 = 1 << 14;

/// The maximum number of decided instances of a rule, and the maximum number of their assignments in total.
const MAX_DECIDED: usize = 1000;
const MAX_WORK: u64 = 1 << 21;

/// The verdict on a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleVerdict {
    /// The sides are equal for all values in all decided instances, and the premises hold for some.
    Holds,
    /// The sides differ.
    Wrong(RuleCounterexample),
    /// The sides differ for some value that the standard leaves open, such as a division by zero.
    ByChoice(RuleCounterexample),
    /// Unknown, for this reason.
    Unchecked(String),
}

/// The results for a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleReport {
    /// The verdict.
    pub verdict: RuleVerdict,
    /// The number of decided instances.
    pub decided: usize,
    /// The number of instances found at small sizes.
    pub instances: usize,
    /// Whether there are more instances.
    pub has_more: bool,
    /// An instance whose premises can hold and whose sides have different sorts.
    pub ill_sorted: Option<String>,
}

/// Values for which the sides of a rule differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleCounterexample {
    /// The left side at these sizes, and its value.
    pub left: (String, String),
    /// The right side.
    pub right: (String, String),
    /// The values: ` where n = 1 with x = #b01`.
    pub values: String,
}

/// The result of one instance.
enum InstanceTruth {
    Holds,
    Wrong(RuleCounterexample),
    ByChoice(RuleCounterexample),
    Open(String),
}

/// Checks a rule at small sizes.
pub fn check(rule: &Rule) -> RuleReport {
    let mut builder = RuleBuilder::default();
    let RuleInstances { mut all, ill_sorted, is_cut } = instances(rule, &mut builder);
    let store = &mut builder.store;
    let ill_sorted = ill_sorted.iter().find(|instance| can_apply(store, instance)).map(|instance| {
        let left = store.term_text(instance.sides[0]);
        format!("{left}{}", where_fixed(&instance.fixed))
    });
    let instances = all.len();
    let mut report = RuleReport { verdict: RuleVerdict::Holds, decided: 0, instances, has_more: is_cut, ill_sorted };
    all.sort_by_cached_key(|instance| assignments(store, &instance.constants, ValueAmount::Few).unwrap_or(u64::MAX));
    let (mut applies, mut work) = (rule.premises.is_empty(), 0u64);
    let (mut by_choice, mut open) = (None, None);
    for instance in sampled(&all) {
        let Some((amount, size)) = amount(store, instance) else {
            open.get_or_insert_with(|| "an instance has too many assignments".to_string());
            continue;
        };
        work = work.saturating_add(size);
        if work > MAX_WORK && report.decided > 0 {
            break;
        }
        match decide(store, instance, amount) {
            InstanceTruth::Holds => {
                report.decided += 1;
                applies = applies || can_apply(store, instance);
            }
            InstanceTruth::Wrong(counterexample) => {
                report.decided += 1;
                report.verdict = RuleVerdict::Wrong(counterexample);
                return report;
            }
            InstanceTruth::ByChoice(counterexample) => {
                report.decided += 1;
                by_choice.get_or_insert(counterexample);
            }
            InstanceTruth::Open(reason) => {
                open.get_or_insert(reason);
            }
        }
    }
    report.verdict = match (by_choice, open) {
        (Some(counterexample), _) => RuleVerdict::ByChoice(counterexample),
        (None, Some(reason)) if report.decided == 0 => RuleVerdict::Unchecked(reason),
        (None, _) if report.instances == 0 => RuleVerdict::Unchecked(no_instance(&report)),
        (None, _) if !applies => RuleVerdict::Unchecked("the premises hold at no small size".to_string()),
        (None, _) => RuleVerdict::Holds,
    };
    report
}

fn no_instance(report: &RuleReport) -> String {
    match report.ill_sorted {
        Some(_) => "at no small size do the two sides have the same sort".to_string(),
        None => "no small size has a well-sorted left side and satisfiable premises".to_string(),
    }
}

/// Returns some of the instances, evenly spread from the smallest to the largest.
fn sampled(all: &[RuleInstance]) -> impl Iterator<Item = &RuleInstance> {
    let count = all.len().min(MAX_DECIDED);
    (0..count).map(move |n| &all[n * all.len() / count.max(1)])
}

/// Returns how many values each constant gets, and the number of assignments; `None` if always too many.
fn amount(store: &Store, instance: &RuleInstance) -> Option<(ValueAmount, u64)> {
    let sizes = ValueAmount::ALL.into_iter().map(|amount| (amount, assignments(store, &instance.constants, amount)));
    sizes
        .filter_map(|(amount, size)| Some((amount, size?)))
        .find(|&(_, size)| size <= MAX_ASSIGNMENTS / word_factor(store, instance))
}

/// Returns the cost factor of comparing languages on a list of words.
fn word_factor(store: &Store, instance: &RuleInstance) -> u64 {
    if store.sort(instance.sides[0]) == SortId::REGLAN { 16 } else { 1 }
}

/// Whether the premises hold for some values.
fn can_apply(store: &mut Store, instance: &RuleInstance) -> bool {
    let Some((amount, _)) = amount(store, instance) else { return false };
    let mut assertions = confined(store, &instance.constants, amount);
    assertions.extend(&instance.premises);
    matches!(decide_terms(store, &assertions, &LIMITS), Ok(CheckTruth::Sat(_)))
}

fn decide(store: &mut Store, instance: &RuleInstance, amount: ValueAmount) -> InstanceTruth {
    let mut assertions = confined(store, &instance.constants, amount);
    let Some(equal) = equation(store, instance.sides, &mut assertions) else {
        return InstanceTruth::Open("the sides cannot be compared".to_string());
    };
    assertions.extend(&instance.premises);
    assertions.push(store.not(equal));
    let model = match decide_terms(store, &assertions, &LIMITS) {
        Ok(CheckTruth::Unsat(_)) => return InstanceTruth::Holds,
        Err(why) => return InstanceTruth::Open(why.to_string()),
        Ok(CheckTruth::Sat(model)) => model,
    };
    if model.choices().is_empty() {
        return InstanceTruth::Wrong(counterexample(store, instance, &model));
    }
    // First search for a difference that does not depend on a division by zero.
    let roots = [&instance.premises[..], &instance.sides].concat();
    let divisors = divisors(store, &roots);
    for divisor in divisors {
        let zero = match store.sort(divisor) {
            SortId::INT => store.int(&dashu_int::IBig::ZERO),
            _ => store.real(&dashu_ratio::RBig::ZERO),
        };
        if let Ok(is_zero) = store.eq(divisor, zero) {
            assertions.push(store.not(is_zero));
        }
    }
    match decide_terms(store, &assertions, &LIMITS) {
        Ok(CheckTruth::Sat(model)) if model.choices().is_empty() => {
            InstanceTruth::Wrong(counterexample(store, instance, &model))
        }
        _ => InstanceTruth::ByChoice(counterexample(store, instance, &model)),
    }
}

/// Returns the divisors anywhere in these terms.
fn divisors(store: &Store, roots: &[TermId]) -> Vec<TermId> {
    let mut list = roots.to_vec();
    let mut seen: rustc_hash::FxHashSet<TermId> = list.iter().copied().collect();
    let (mut at, mut found) = (0, Vec::new());
    while let Some(&t) = list.get(at) {
        at += 1;
        let args = store.args(t);
        if matches!(store.kind(t), Kind::IntDiv | Kind::IntMod | Kind::RealDiv) {
            found.extend(args.iter().skip(1));
        }
        list.extend(args.iter().copied().filter(|&arg| seen.insert(arg)));
    }
    found
}

fn counterexample(store: &mut Store, instance: &RuleInstance, model: &Model) -> RuleCounterexample {
    let [left, right] = instance.sides.map(|side| (store.term_text(side), value_text(store, side, model)));
    RuleCounterexample { left, right, values: where_fixed(&instance.fixed) + &assignment_text(store, model) }
}

/// Returns the value of a side; empty if it cannot be written, as for a regular expression.
fn value_text(store: &mut Store, side: TermId, model: &Model) -> String {
    let sort = store.sort(side);
    let value = Evaluator::new(model.clone(), LIMITS.each).eval(store, side).ok();
    let value = value.and_then(|value| value.to_term(store, sort));
    value.map(|t| store.term_text(t)).unwrap_or_default()
}

fn where_fixed(fixed: &[String]) -> String {
    if fixed.is_empty() { String::new() } else { format!(" where {}", fixed.join(", ")) }
}
