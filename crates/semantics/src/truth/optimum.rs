//! The best values of the objectives of a check: better values are asserted until exhaustion finds none.
//!
//! Objectives are commands of z3. It compares bit-vectors as unsigned numbers. All soft assertions with one `:id` are one objective, placed
//! where the first of them is: the least weight of those that are false. Its objectives are not meant for quantifiers (it says so itself)
//! and nonlinear terms.

use super::{CheckTruth, OpenTruth, TruthQuery, of_instance};
use crate::eval::Evaluator;
use crate::limits::EvalLimits;
use crate::model::Model;
use crate::value::Value;
use dashu_ratio::RBig;
use smtlib::sexpr::{Sexprs, bare};
use smtlib::{Command, Instance, Kind, Op, Sort, Store, TermId, logic};

/// The maximum number of models of one objective, each better than the one before.
const MAX_MODELS: usize = 512;

/// The best value of an objective.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// Whether the largest value is best. Otherwise the smallest is.
    pub is_maximum: bool,
    /// The term; for soft assertions the weight of those that are false, a real number.
    pub term: TermId,
    /// The best value.
    pub value: Value,
    /// A model of the check in which it has that value.
    pub model: Model,
}

/// Whether each objective has its best value among the models that are best for those before it, as by default. `false` if each is alone,
/// `None` if the priority is another one.
pub fn is_lexicographic(instance: &Instance) -> Option<bool> {
    let named = instance.options.iter().rev().find_map(|option| match option {
        Command::SetOption(key, value) if &**key == ":opt.priority" => Some(&**value),
        _ => None,
    });
    match named {
        None | Some("lex") => Some(true),
        Some("box") => Some(false),
        Some(_) => None,
    }
}

/// Finds the best values of a check's objectives, in order.
/// Errors: [`OpenTruth`]: an objective is not understood, not linear, next to quantifiers, or exhaustion finds no best value.
pub fn optima(store: &mut Store, instance: &Instance, query: TruthQuery<'_>) -> Result<Vec<Optimum>, OpenTruth> {
    let is_lexicographic = is_lexicographic(instance).ok_or(OpenTruth::Objective)?;
    if logic::of_instance(store, instance) & logic::QUANTIFIERS != 0 {
        return Err(OpenTruth::Objective);
    }
    let (mut instance, mut all) = (instance.clone(), Vec::new());
    for cost in costs(store, &instance).ok_or(OpenTruth::Objective)? {
        let best = best(store, &mut instance, cost, query)?;
        if is_lexicographic {
            let sort = store.sort(best.term);
            let literal = best.value.to_term(store, sort).ok_or(OpenTruth::Objective)?;
            instance.assertions.push(store.eq(best.term, literal).map_err(|_| OpenTruth::Objective)?);
        }
        all.push(best);
    }
    Ok(all)
}

/// Returns the number that a solver reports for a value; `None` unless it is an integer, a rational or a bit-vector.
pub fn as_number(value: &Value) -> Option<RBig> {
    match value {
        Value::Int(n) => Some(n.clone().into()),
        Value::Real(r) => Some(RBig::clone(r)),
        Value::BitVec { value, .. } => Some(value.clone().into()),
        _ => None,
    }
}

/// Reads a number as solvers print it, such as `(- (/ 7.0 2.0))`; `None` for other texts.
pub fn read_number(text: &str) -> Option<RBig> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &format!("(set-logic QF_LRA)(assert (<= 0.0 {text}))"));
    let [Command::SetLogic(_), Command::Assert(atom, _)] = parsed.script.commands[..] else { return None };
    let [_, number] = *store.args(atom) else { return None };
    let value = Evaluator::new(Model::new(), EvalLimits::default()).eval(&store, number).ok()?;
    value.as_real().filter(|_| parsed.errors.is_empty()).cloned()
}

/// Returns each objective as a term, and whether it is maximized.
fn costs(store: &mut Store, instance: &Instance) -> Option<Vec<(bool, TermId)>> {
    let (mut costs, mut groups) = (Vec::new(), Vec::new());
    for command in &instance.objectives {
        let Command::Extension(name, term, attributes) = command else { return None };
        let (declarations, assertions) = (instance.declarations.clone(), vec![*term]);
        let features = logic::of_instance(store, &Instance { declarations, assertions, ..Instance::default() });
        if features & logic::QUANTIFIERS != 0 {
            return None;
        }
        if &**name != "assert-soft" {
            if !attributes.is_empty() || features & logic::NONLINEAR != 0 {
                return None;
            }
            costs.push((&**name == "maximize", *term));
            continue;
        }
        let (weight, group) = soft(attributes)?;
        let weights = [store.real(&RBig::ZERO), store.real(&weight)];
        let violated = store.app(Op::new(Kind::Ite), &[*term, weights[0], weights[1]]).ok()?;
        match groups.iter().find(|(name, _)| *name == group) {
            Some(&(_, at)) => {
                let (_, sum): &mut (bool, TermId) = costs.get_mut(at)?;
                *sum = store.app(Op::new(Kind::RealAdd), &[*sum, violated]).ok()?;
            }
            None => {
                groups.push((group, costs.len()));
                costs.push((false, violated));
            }
        }
    }
    Some(costs)
}

/// Reads the weight, 1 by default, and the group of a soft assertion; `None` for other attributes, and weights that are not positive.
fn soft(attributes: &str) -> Option<(RBig, String)> {
    let (mut weight, mut group) = (RBig::ONE, String::new());
    let all = Sexprs::read(attributes);
    let words: Vec<&str> = all.top().map(|node| all.text(node)).collect();
    for pair in words.chunks(2) {
        match *pair {
            [":weight", number] => weight = read_number(number)?,
            [":id", name] => group = bare(name).to_string(),
            _ => return None,
        }
    }
    (weight > RBig::ZERO).then_some((weight, group))
}

/// Finds the best value of one objective.
fn best(
    store: &mut Store,
    instance: &mut Instance,
    (is_maximum, term): (bool, TermId),
    query: TruthQuery<'_>,
) -> Result<Optimum, OpenTruth> {
    let zero = match *store.sorts.get(store.sort(term)) {
        Sort::Int => Value::Int(0.into()),
        Sort::BitVec(width) => Value::bitvec(width, 0u8.into()),
        _ => Value::real(RBig::ZERO),
    };
    // Always true, but it asks for the values of all symbols in the term.
    let above = better(store, is_maximum, term, &zero)?;
    let not_above = store.not(above);
    let mut wanted = store.or(&[above, not_above]);
    let (before, mut best) = (instance.assertions.len(), None);
    for _ in 0..MAX_MODELS {
        instance.assertions.push(wanted);
        let truth = of_instance(store, instance, query);
        instance.assertions.truncate(before);
        match truth? {
            // It depends on what the standard leaves open.
            truth if truth.certain().is_none() => break,
            CheckTruth::Sat(model) => {
                let value = Evaluator::new(Model::clone(&model), query.limits.each).eval(store, term);
                let value = value.map_err(|_| OpenTruth::Objective)?;
                wanted = better(store, is_maximum, term, &value)?;
                best = Some(Optimum { is_maximum, term, value, model: *model });
            }
            CheckTruth::Unsat(_) => return best.ok_or(OpenTruth::Objective),
        }
    }
    Err(OpenTruth::Objective)
}

/// Returns the formula that a term has a better value than this one.
fn better(store: &mut Store, is_maximum: bool, term: TermId, than: &Value) -> Result<TermId, OpenTruth> {
    let sort = store.sort(term);
    let literal = than.to_term(store, sort).ok_or(OpenTruth::Objective)?;
    let [less, more] = match than {
        Value::Int(_) => [Kind::IntLt, Kind::IntGt],
        Value::BitVec { .. } => [Kind::BvUlt, Kind::BvUgt],
        _ => [Kind::RealLt, Kind::RealGt],
    };
    let kind = if is_maximum { more } else { less };
    store.app(Op::new(kind), &[term, literal]).map_err(|_| OpenTruth::Objective)
}
