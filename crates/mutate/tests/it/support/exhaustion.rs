//! What exhaustion says of assertions, with more time than mutators give it.

use mutate::Expected;
use semantics::Stop;
use semantics::exhaust::{ExhaustLimits, ExhaustiveAnswer, World, components, decide};
use smtlib::{Store, TermId};

/// The answer to a check of these assertions: `unsat` where a group that shares no symbol with the others is refuted, `sat`
/// where all together have a model that rests on no open value. None where exhaustion does not decide.
pub fn decided(store: &mut Store, assertions: &[TermId]) -> Option<Expected> {
    let limits = ExhaustLimits { assignments: 1 << 16, evaluations: 1 << 12, ..ExhaustLimits::default() };
    let answer = |store: &mut Store, assertions: &[TermId]| {
        let world = World::of(store, assertions, &limits).ok()?;
        match decide(store, &world, &limits, &Stop::default()) {
            ExhaustiveAnswer::Sat(model) if model.choices().is_empty() => Some(Expected::Sat),
            ExhaustiveAnswer::Unsat => Some(Expected::Unsat),
            ExhaustiveAnswer::Sat(_) | ExhaustiveAnswer::Unknown(_) => None,
        }
    };
    let groups = components(store, assertions);
    match groups.iter().any(|group| answer(store, group) == Some(Expected::Unsat)) {
        true => Some(Expected::Unsat),
        false => answer(store, assertions),
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
}
