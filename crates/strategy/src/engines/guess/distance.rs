//! How far an assertion is from true, as a number that local search can lower.

use rewrite::complete::eval_with;
use semantics::{Evaluator, Value};
use smtlib::{Kind, Store, TermId};

/// What an atom costs whose value is not known.
const UNKNOWN: f64 = 2.0;
/// What a false atom costs at least.
const FALSE: f64 = 0.1;

/// Returns 0 if a formula has the wanted truth value, and otherwise the more, the more of it is wrong. The depth of recursion is that of the
/// Boolean structure.
pub fn cost(store: &Store, evaluator: &mut Evaluator, formula: TermId, wanted: bool) -> f64 {
    let truth = match eval_with(store, evaluator, formula) {
        Ok(Value::Bool(truth)) => Some(truth),
        _ => None,
    };
    if truth == Some(wanted) {
        return 0.0;
    }
    let args = store.args(formula);
    let mut parts = |wanted: &dyn Fn(usize) -> bool| -> Vec<f64> {
        args.iter().enumerate().map(|(n, &arg)| cost(store, evaluator, arg, wanted(n))).collect()
    };
    let sum = |costs: Vec<f64>| costs.iter().sum::<f64>();
    let least = |costs: Vec<f64>| costs.into_iter().fold(f64::INFINITY, f64::min);
    let costs = match (store.op(formula).kind, wanted) {
        (Kind::Not, _) => sum(parts(&|_| !wanted)),
        (Kind::And, true) => sum(parts(&|_| true)),
        (Kind::And, false) => least(parts(&|_| false)),
        (Kind::Or, true) => least(parts(&|_| true)),
        (Kind::Or, false) => sum(parts(&|_| false)),
        (Kind::Implies, true) => least(parts(&|n| n + 1 == args.len())),
        (Kind::Implies, false) => sum(parts(&|n| n + 1 < args.len())),
        _ if truth.is_none() => UNKNOWN,
        _ => atom(store, evaluator, args),
    };
    // The whole may be unknown although every part is as wanted.
    costs.max(FALSE)
}

/// Returns what a false atom costs: less than 1 if its sides are near to each other.
fn atom(store: &Store, evaluator: &mut Evaluator, args: &[TermId]) -> f64 {
    let [left, right] = args else { return 1.0 };
    let [left, right] = [left, right].map(|&side| eval_with(store, evaluator, side));
    match (left, right) {
        (Ok(Value::String(a)), Ok(Value::String(b))) => unlike(a.code_points(), b.code_points()),
        (Ok(Value::Seq(a)), Ok(Value::Seq(b))) => unlike(a.elements(), b.elements()),
        (Ok(a), Ok(b)) => match (number(&a), number(&b)) {
            (Some(a), Some(b)) => FALSE + 0.9 * (1.0 - 1.0 / (1.0 + (a - b).abs().ln_1p())),
            _ => 1.0,
        },
        _ => UNKNOWN,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(n) => Some(n.to_f64().value()),
        Value::Real(r) => Some(r.to_f64().value()),
        Value::BitVec { value, .. } => Some(value.to_f64().value()),
        _ => None,
    }
}

/// Returns the share of a list that differs from the other, by their common prefix.
fn unlike<T: PartialEq>(left: &[T], right: &[T]) -> f64 {
    let same = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let longer = left.len().max(right.len()).max(1);
    FALSE + 0.9 * (1.0 - same as f64 / (longer + 1) as f64)
}
