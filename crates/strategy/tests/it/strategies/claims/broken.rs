//! Broken passes and engines, whose claims must be found wrong.

use super::{Tally, planned, recorded};
use crate::strategies::support::{instance, read};
use rewrite::{Example, GoalFormula, Params, PassResult, RewritePass};
use smtlib::{Kind, Store, TermId};
use std::time::Duration;
use strategy::engine::Engine;
use strategy::tactic::{OfEngine, OfPass};
use strategy::{Budget, Decision, StrategyPlan};

/// Takes the first part of a disjunction for all of it.
static TOO_STRONG: RewritePass = RewritePass {
    name: "too-strong",
    rewrite: |store, goal, _| {
        let part = |f: &GoalFormula| if store.kind(f.term) == Kind::Or { store.args(f.term)[0] } else { f.term };
        let parts: Vec<GoalFormula> =
            goal.formulas().iter().map(|f| GoalFormula::new(part(f), f.origins.clone())).collect();
        Ok(PassResult::new(goal.with(store, parts)))
    },
    ..WRONG
};

/// Refutes the goal by all its formulas, and says that it was the first.
static WRONG_CORE: RewritePass = RewritePass {
    name: "wrong-core",
    rewrite: |store, goal, _| {
        let refuted = GoalFormula::new(store.bool(false), goal.formulas()[0].origins.clone());
        Ok(PassResult::new(goal.with(store, [refuted])))
    },
    ..WRONG
};

/// A pass with a fault.
const WRONG: RewritePass = RewritePass {
    name: "",
    about: "is wrong",
    example: Example { before: "", after: &[] },
    params: &[],
    is_consequence: false,
    rewrite: |_, goal, _| Ok(PassResult::new(goal)),
};

/// An engine that refutes whatever it is asked.
struct Refuter;

impl Engine for Refuter {
    fn decide(&self, _: &mut Store, assertions: &[TermId], _: &Budget) -> Decision {
        Decision::Unsat((0..assertions.len()).collect())
    }
}

#[test]
fn broken_passes_and_engines_are_caught() {
    let pass = |pass: &'static RewritePass| StrategyPlan::Leaf {
        name: pass.name.into(),
        tactic: Box::new(OfPass { pass, params: Params::default(), name: pass.name.into() }),
    };
    let engine = OfEngine { engine: Box::new(Refuter), name: "refuter".into(), external: false, takes: u32::MAX };
    let engine = StrategyPlan::Leaf { name: "refuter".into(), tactic: Box::new(engine) };
    let text = "(declare-const p Bool)(declare-const q Bool)(declare-const x (_ BitVec 2))
        (assert (or p q))(assert (not p))(assert (=> q (bvult x #b10)))(check-sat)";
    for (plan, expect) in [
        (pass(&TOO_STRONG), Some("too-strong: [\n    \"(or p q)\",\n] do not imply p")),
        (pass(&WRONG_CORE), Some("wrong-core: [\n    \"(or p q)\",\n] do not imply false")),
        (engine, Some("do not imply false")),
        (StrategyPlan::Then(vec![planned(&read("(then simplify split-or)"))]), None),
    ] {
        let mut store = Store::new();
        let instance = instance(&mut store, text);
        let (report, claims) = recorded(&mut store, &instance, &plan, Duration::from_secs(5));
        let mut tally = Tally::default();
        tally.add(&mut store, &instance, &report, &claims, "");
        match expect {
            Some(expect) => assert!(tally.wrong.iter().any(|wrong| wrong.contains(expect)), "{:?}", tally.wrong),
            None => assert!(tally.wrong.is_empty() && claims.graph.steps().len() > 3, "{:?}", tally.wrong),
        }
    }
}
