//! The passes that lead to the engines, on their own examples.

use crate::engine_support::read;
use rewrite::{Goal, PassSettings, Wants};
use strategy::passes::PASSES;

#[test]
fn every_example_is_what_the_pass_does() {
    for pass in PASSES {
        let example = pass.example;
        let (mut store, assertions) = read(&format!("{} (check-sat)", example.before));
        let goal = Goal::of(&mut store, &assertions, Wants::ALL, &PassSettings::default()).unwrap();
        let step = pass.apply(&mut store, goal, &PassSettings::default()).unwrap();
        let found: Vec<String> = step.goal.terms().map(|t| store.term_text(t)).collect();
        // One text per goal.
        assert_eq!([found.join(" ")], example.after, "{}", pass.name);
    }
}
