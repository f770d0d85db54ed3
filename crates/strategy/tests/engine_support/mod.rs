//! Asking engines from text, and checking what they say.
#![allow(dead_code, reason = "each test uses a part")]

use semantics::{Verdict, validate};
use smtlib::{Store, TermId};
use strategy::{Budget, Decision, Engine};

/// The store and the assertions live at a script's first check.
pub fn read(text: &str) -> (Store, Vec<TermId>) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{:?} in {text}", parsed.errors);
    let assertions = parsed.script.instances().remove(0).assertions;
    (store, assertions)
}

/// Engines and what they have to say of scripts.
pub struct Bench<'e>(pub &'e dyn Engine);

impl Bench<'_> {
    fn decide(&self, text: &str) -> (Store, Vec<TermId>, Decision) {
        let (mut store, assertions) = read(text);
        let decision = self.0.decide(&mut store, &assertions, &Budget::default());
        (store, assertions, decision)
    }

    /// It is sat, with a model that the evaluator finds right.
    #[track_caller]
    pub fn sat(&self, text: &str) {
        let (store, assertions, decision) = self.decide(text);
        let Decision::Sat(model) = decision else { panic!("{decision:?} to {text}") };
        assert_eq!(validate(&store, &assertions, model), Verdict::Valid, "{text}");
    }

    /// It is unsat by these assertions.
    #[track_caller]
    pub fn core(&self, text: &str, core: &[usize]) {
        match self.decide(text).2 {
            Decision::Unsat(got) => assert_eq!(got, core, "{text}"),
            other => panic!("{other:?} to {text}"),
        }
    }

    /// It is given up, for a cause that mentions this.
    #[track_caller]
    pub fn unknown(&self, text: &str, cause: &str) {
        match self.decide(text).2 {
            Decision::Unknown(why) => assert!(why.contains(cause), "{why}"),
            other => panic!("{other:?} to {text}"),
        }
    }
}
