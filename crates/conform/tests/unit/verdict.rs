//! Truths before and after a pass are compared, and passes judged.

use super::*;
use crate::passes::after::GoalPrecision::{self, Over, Precise, Under, UnderOver};

const SAT: WorldTruth = WorldTruth::Sat { by_choice: false };
const CHOSEN: WorldTruth = WorldTruth::Sat { by_choice: true };
use WorldTruth::Unsat;

fn open() -> WorldTruth {
    WorldTruth::Open("why".to_string())
}

#[test]
fn goals_speak_as_far_as_their_precision_goes() {
    let check = |goals: &[(GoalPrecision, WorldTruth)], expect: &str| {
        let after = AfterPass {
            declarations: String::new(),
            goals: vec![Vec::new(); goals.len()],
            precisions: goals.iter().map(|g| g.0).collect(),
            is_over_problem: true,
        };
        let truths: Vec<WorldTruth> = goals.iter().map(|g| g.1.clone()).collect();
        assert_eq!(truth_of_goals(&after, &truths).word(), expect, "{goals:?}");
    };
    check(&[], "unsat");
    check(&[(Precise, SAT)], "sat");
    check(&[(Precise, Unsat)], "unsat");
    check(&[(Precise, Unsat), (Precise, open()), (Precise, SAT)], "sat");
    check(&[(Precise, Unsat), (Precise, open())], "unknown");
    check(&[(Under, SAT)], "sat");
    check(&[(Under, Unsat)], "unknown");
    check(&[(Over, SAT)], "unknown");
    check(&[(Over, Unsat)], "unsat");
    check(&[(UnderOver, SAT)], "unknown");
    check(&[(UnderOver, Unsat)], "unknown");
    check(&[(Over, SAT), (Precise, Unsat)], "unknown");
}

#[test]
fn truths_before_and_after_are_compared() {
    let check = |before: WorldTruth, after: WorldTruth, expect: PassVerdict| {
        assert_eq!(compare(&before, &after), expect, "{before:?} {after:?}");
    };
    let kept = PassVerdict::Kept { equivalent: None };
    check(SAT, SAT, kept.clone());
    check(SAT, CHOSEN, kept.clone());
    check(Unsat, Unsat, kept);
    check(SAT, Unsat, PassVerdict::Different);
    check(Unsat, SAT, PassVerdict::Different);
    check(CHOSEN, Unsat, PassVerdict::ByChoice);
    check(Unsat, CHOSEN, PassVerdict::ByChoice);
    check(SAT, open(), PassVerdict::Open("why".to_string()));
}

#[test]
fn a_pass_is_judged_by_exhaustion() {
    let check = |formula: &str, goals: &[&str], fresh: &str, expect: PassVerdict| {
        let problem = PassProblem::of_text("bv", &declared(formula), &mutate::TargetSpelling::default());
        let problem = problem.expect("a small world");
        let after = AfterPass {
            declarations: format!("{}{fresh}", problem.declarations),
            goals: goals.iter().map(|goal| vec![(*goal).to_string()]).collect(),
            precisions: vec![Precise; goals.len()],
            is_over_problem: fresh.is_empty(),
        };
        assert_eq!(judge(&problem, &after), expect, "{formula} {goals:?}");
    };
    let kept = |equivalent: Option<bool>| PassVerdict::Kept { equivalent };
    check("(bvult x y)", &["(not (bvule y x))"], "", kept(Some(true)));
    check("(bvult x y)", &["(= x (bvand y #b00))"], "", kept(Some(false)));
    // A pass may leave out solved parts.
    check("(bvult x y)", &["(= x #b00)"], "", kept(None));
    check("(or (= x #b00) (= y #b00))", &["(= x #b00)", "(= y #b00)"], "", kept(Some(true)));
    check("(or (= x #b00) (= y #b00))", &["(= x #b00)", "(= y #b01)"], "", kept(Some(false)));
    check("(bvult x x)", &["(bvult x #b01)"], "", PassVerdict::Different);
    check("(bvult x y)", &["(bvult x x)"], "", PassVerdict::Different);
    check("(bvult x y)", &[], "", PassVerdict::Different);
    check("(bvult x y)", &["k!0"], "(declare-fun k!0 () Bool)\n", kept(None));
    check("(bvult x x)", &["k!0"], "(declare-fun k!0 () Bool)\n", PassVerdict::Different);
    // A symbol of an infinite sort: a satisfying assignment counts, but its absence proves nothing.
    let k = "(declare-fun k!0 () Int)\n";
    check("(bvult x x)", &["(> k!0 3)"], k, PassVerdict::Different);
    check("(bvult x y)", &["(> (* k!0 k!0) 3)"], k, kept(None));
    let lost = "symbols are no longer confined to finite sets".to_string();
    check("(bvult x y)", &["(= (* k!0 k!0) 7)"], k, PassVerdict::Open(lost));
    // The value of a division by zero is unspecified.
    check("(= (div 1 0) 0)", &["false"], "", PassVerdict::ByChoice);
    check("(= 1 0)", &["(= (div 1 0) 0)"], "", PassVerdict::ByChoice);
    check(
        "(= x y)",
        &["(strange x)"],
        "",
        PassVerdict::Open("the text cannot be read: unknown symbol `strange`".to_string()),
    );
}

fn declared(formula: &str) -> String {
    format!("(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(assert {formula})(check-sat)")
}
