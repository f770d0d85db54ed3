//! What exhaustion says of assertions, with more time than mutators give it.

use mutate::Expected;
use semantics::Stop;
use semantics::exhaust::{ExhaustLimits, ExhaustiveAnswer, World, decide, proper_parts};
use smtlib::{Store, TermId};

/// The answer to a check of these assertions: `unsat` where a part of them is refuted, `sat`
/// where all together have a model that rests on no open value. None where exhaustion does not decide.
pub fn decided(store: &mut Store, assertions: &[TermId]) -> Option<Expected> {
    let limits = ExhaustLimits { assignments: 1 << 16, evaluations: 1 << 12, ..ExhaustLimits::default() };
    let answer = |store: &mut Store, world: &World| match decide(store, world, &limits, &Stop::default()) {
        ExhaustiveAnswer::Sat(model) if model.choices().is_empty() => Some(Expected::Sat),
        ExhaustiveAnswer::Unsat => Some(Expected::Unsat),
        ExhaustiveAnswer::Sat(_) | ExhaustiveAnswer::Unknown(_) => None,
    };
    let parts = proper_parts(store, assertions, &limits);
    match parts.iter().any(|world| answer(store, world) == Some(Expected::Unsat)) {
        true => Some(Expected::Unsat),
        false => World::of(store, assertions, &limits).ok().and_then(|world| answer(store, &world)),
    }
}

/// Fails where it does not tell the answers apart.
pub fn check_itself() {
    let check = |text: &str, expect: Option<Expected>| {
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, text).script;
        assert_eq!(decided(&mut store, &script.instances()[0].assertions), expect, "{text}");
    };
    check("(declare-const p Bool)(assert p)(check-sat)", Some(Expected::Sat));
    check("(declare-const p Bool)(assert p)(assert (not p))(check-sat)", Some(Expected::Unsat));
    let open = "(declare-const x Int)(assert (> x 1))(declare-const p Bool)(assert p)";
    check(&format!("{open}(check-sat)"), None);
    check(&format!("{open}(assert (not p))(check-sat)"), Some(Expected::Unsat));
    // What ties the refuted part to an open symbol is left aside.
    check(&format!("{open}(assert (or p (= x 3)))(assert (not p))(check-sat)"), Some(Expected::Unsat));
    check(&format!("{open}(assert (or (not p) (= (* x x) x)))(check-sat)"), None);
}
