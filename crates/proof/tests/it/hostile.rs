//! Texts that are not proofs, or are expensive on purpose: errors have a position, and bounds hold.

use proof::{
    FaultKind, JudgeLimits, JudgedProof, ProofGraph, ProofReadError, ProofStep, StepId, StepKind, judge_graph,
    judge_text,
};
use std::fmt::Write;

const PROBLEM: &str = "(declare-const x Int)(assert (and (> x 0) (< x 0)))(check-sat)";

fn judge(proof: &str) -> Result<JudgedProof, ProofReadError> {
    judge_text(PROBLEM, proof, &JudgeLimits::default(), None)
}

fn said(proof: &str) -> String {
    judge(proof).expect_err(proof).to_string()
}

#[test]
fn texts_that_are_no_proofs_are_told_with_their_place() {
    assert!(said("").contains("no proof"), "{}", said(""));
    assert!(said("sat\n((x 1))").contains("no proof"));
    assert!(said("(assume @p1 (> x 0))\n  (step @p2 (> x").contains("line 2, column 3"));
    let wrong = judge_text(
        "(declare-const x Int)\n(assert (> x y))(check-sat)",
        "(assume @p1 true)",
        &JudgeLimits::default(),
        None,
    );
    assert!(wrong.expect_err("a mistake").to_string().contains("the problem, line 2, column 14"));
    let none = judge_text("(assert true)", "(assume @p1 true)", &JudgeLimits::default(), None);
    assert_eq!(none.expect_err("no check"), ProofReadError::NoCheck);
}

#[test]
fn what_names_nothing_is_a_fault_with_its_place() {
    let judged =
        judge("(assume @p1 (and (> x 0) (< x 0)))\n(step @p2 false :rule r :premises (@p1 @p9))").expect("a proof");
    let fault = &judged.faults[0];
    assert_eq!((fault.kind, fault.line, fault.column), (FaultKind::MissingPremise, 2, 40));
    assert_eq!(judged.steps[1].verdict.word(), "open");
}

#[test]
fn a_cycle_is_a_fault_in_text_and_in_graphs() {
    let judged =
        judge("(step @p1 false :rule r :premises (@p2))(step @p2 false :rule r :premises (@p1))").expect("a proof");
    assert_eq!(judged.faults[0].kind, FaultKind::MissingPremise);
    let mut store = smtlib::Store::new();
    let conclusion = Some(store.bool(false));
    let mut graph = ProofGraph::default();
    let step = |premise| ProofStep {
        name: "".into(),
        rule: "r".into(),
        kind: StepKind::Claim,
        premises: vec![StepId(premise)],
        discharges: Vec::new(),
        conclusion,
    };
    graph.push(step(1));
    graph.push(step(0));
    let judged = judge_graph(&mut store, &[], &graph, &JudgeLimits::default(), None);
    assert_eq!(judged.faults[0].kind, FaultKind::Cycle);
    assert_eq!([judged.steps[0].verdict.word(), judged.steps[1].verdict.word()], ["open", "holds"]);
}

#[test]
fn the_bounds_hold() {
    let long =
        format!("(assume @p1 (and (> x 0) (< x 0)))\n{}", "(step @p2 (> x 0) :rule r :premises (@p1))\n".repeat(2000));
    let limited = |limits: JudgeLimits| judge_text(PROBLEM, &long, &limits, None).expect_err("a bound").to_string();
    assert!(limited(JudgeLimits { bytes: 1000, ..JudgeLimits::default() }).contains("more than 1000 bytes"));
    assert!(limited(JudgeLimits { steps: 1000, ..JudgeLimits::default() }).contains("more than 1000 steps"));
    assert!(limited(JudgeLimits { nodes: 8, ..JudgeLimits::default() }).contains("more than 8 terms"));
    assert_eq!(judge(&long).expect("a proof").theory.holds, 2000);
}

#[test]
fn bombs_of_lets_and_deep_terms_cost_no_more_than_their_text() {
    let mut lets = String::from("(proof (let ((?x0 (+ x x))) ");
    for n in 1..20_000 {
        let _ = write!(lets, "(let ((?x{n} (+ ?x{} ?x{}))) ", n - 1, n - 1);
    }
    let _ = write!(lets, "(mp (asserted (> ?x19999 0)) false){}", ")".repeat(20_001));
    let judged = judge(&lets).expect("a proof");
    assert_eq!(judged.steps.len(), 2);
    let depth = 200_000;
    let deep = format!("(assume @p1 {}true{})(step @p2 false :rule r)", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(judge(&deep).expect("a proof").steps.len(), 2);
    let mut scopes = "(assume-push @a (> x 0))".repeat(20_000);
    scopes.push_str(&"(step-pop @b :rule scope :premises (@a))".repeat(20_000));
    let limits = JudgeLimits { total: std::time::Duration::from_millis(200), ..JudgeLimits::default() };
    assert_eq!(judge_text(PROBLEM, &scopes, &limits, None).expect("a proof").steps.len(), 40_000);
}
