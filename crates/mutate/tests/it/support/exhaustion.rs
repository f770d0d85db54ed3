//! What exhaustion says of assertions, with more time than mutators give it.

use mutate::small_world;
use semantics::Stop;
use semantics::truth::{self, ExhaustLimits, Search, TruthQuery};
use smtlib::{Instance, Status, Store};

/// The answer to a check: `unsat` where a part of them is refuted, `sat`
/// where all together have a model, possibly by the choice of a value that the standard leaves open. None where exhaustion does not decide.
pub fn decided(store: &mut Store, instance: &Instance) -> Option<Status> {
    let limits = ExhaustLimits { assignments: 1 << 16, evaluations: 1 << 12, ..ExhaustLimits::default() };
    let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Quick };
    truth::of_instance(store, instance, query).ok().as_ref().map(small_world::expected)
}

/// Fails if it does not distinguish the answers.
pub fn check_itself() {
    let check = |text: &str, expect: Option<Status>| {
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, text).script;
        assert_eq!(decided(&mut store, &script.instances()[0]), expect, "{text}");
    };
    check("(declare-const p Bool)(assert p)(check-sat)", Some(Status::Sat));
    check("(declare-const p Bool)(assert p)(assert (not p))(check-sat)", Some(Status::Unsat));
    let open = "(declare-const x Int)(assert (> x 1))(declare-const p Bool)(assert p)";
    check(&format!("{open}(check-sat)"), None);
    check(&format!("{open}(assert (not p))(check-sat)"), Some(Status::Unsat));
    // What ties the refuted part to an open symbol is left aside.
    check(&format!("{open}(assert (or p (= x 3)))(assert (not p))(check-sat)"), Some(Status::Unsat));
    check(&format!("{open}(assert (or (not p) (= (* x x) x)))(check-sat)"), None);
}
