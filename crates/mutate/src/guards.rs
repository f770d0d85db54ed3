//! Guards, which only confine a symbol or variable to listed values: building, insertion into quantifiers, and recognition.

use smtlib::term::HAS_VARIABLE;
use smtlib::{Binder, Kind, Op, SortId, Store, Symbol, TermId};

/// `(or (= subject c1) …)`; `None` without values, or for values of another sort.
pub fn one_of(store: &mut Store, subject: TermId, values: &[TermId]) -> Option<TermId> {
    let cases: Option<Vec<TermId>> = values.iter().map(|&value| store.eq(subject, value).ok()).collect();
    let cases = cases.filter(|cases| !cases.is_empty())?;
    Some(store.or(&cases))
}

/// Returns the body of a quantifier (`Kind::Forall` or `Kind::Exists`) whose variables are confined by guards: `(=> guards body)`
/// or `(and guards body)`. `None` if a part is not a formula.
pub fn guarded(store: &mut Store, quantifier: Kind, guards: &[TermId], body: TermId) -> Option<TermId> {
    if guards.is_empty() {
        return Some(body);
    }
    if quantifier == Kind::Exists {
        return Some(store.and(&[guards, &[body]].concat()));
    }
    let guard = store.and(guards);
    store.app(Op::new(Kind::Implies), &[guard, body]).ok()
}

/// Returns a quantified formula without patterns and attributes; `None` if the body is not a formula.
pub fn quantified(store: &mut Store, quantifier: Kind, vars: Vec<(Symbol, SortId)>, body: TermId) -> Option<TermId> {
    let binder = Binder { vars: vars.into(), patterns: [].into(), no_patterns: 0, qid: None, weight: None };
    store.bind(quantifier, binder, &[body]).ok()
}

/// Whether a term is a guard: `(or (= x 1) (= x 4))` or `(<= 0 x 5)` of a declared constant, `(forall ((y S)) (or (= y a) …))`, or
/// `(forall ((y S)) (or (= (f y) 1) …))`.
pub fn is_guard(store: &Store, t: TermId) -> bool {
    match store.kind(t) {
        Kind::Forall => store.args(t).first().is_some_and(|&body| {
            is_split(store, body, |t| store.flags(t) & HAS_VARIABLE != 0, |t| store.flags(t) & HAS_VARIABLE == 0)
        }),
        Kind::IntLe => match *store.args(t) {
            [low, subject, high] => is_constant(store, subject) && is_ground(store, low) && is_ground(store, high),
            _ => false,
        },
        _ => is_split(store, t, |t| is_constant(store, t), |t| is_ground(store, t)),
    }
}

/// Whether a formula is a disjunction of equations of one subject with values, as two tests say.
fn is_split(
    store: &Store,
    formula: TermId,
    is_subject: impl Fn(TermId) -> bool,
    is_value: impl Fn(TermId) -> bool,
) -> bool {
    let cases = if store.kind(formula) == Kind::Or { store.args(formula) } else { std::slice::from_ref(&formula) };
    let subject = cases.first().and_then(|&case| store.args(case).first()).copied();
    subject.is_some_and(is_subject)
        && cases.iter().all(|&case| match *store.args(case) {
            [left, right] => store.kind(case) == Kind::Eq && Some(left) == subject && is_value(right),
            _ => false,
        })
}

fn is_constant(store: &Store, t: TermId) -> bool {
    store.applied(t).is_some_and(|f| store.func(f).is_declared()) && store.args(t).is_empty()
}

/// Whether neither a symbol nor a variable occurs in a term.
pub fn is_ground(store: &Store, t: TermId) -> bool {
    let mut open = vec![t];
    while let Some(t) = open.pop() {
        if store.op(t).func().is_some() || store.flags(t) & HAS_VARIABLE != 0 {
            return false;
        }
        open.extend_from_slice(store.args(t));
    }
    true
}
