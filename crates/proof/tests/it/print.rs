//! The text of proofs.

use proof::{ProofGraph, ProofStep, StepId, StepKind, proof_text};
use smtlib::{Store, TermId};

/// The assertions of a text, used to write terms in the tests.
fn terms(store: &mut Store, text: &str) -> Vec<TermId> {
    let parsed = smtlib::parse(store, text);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    parsed.script.instances().remove(0).assertions
}

fn step(rule: &str, kind: StepKind, premises: &[StepId], discharges: &[StepId], conclusion: TermId) -> ProofStep {
    let (premises, discharges) = (premises.to_vec(), discharges.to_vec());
    ProofStep { name: "".into(), rule: rule.into(), kind, premises, discharges, conclusion: Some(conclusion) }
}

#[test]
fn cases_stand_in_scopes_and_what_is_not_used_is_left_out() {
    let mut store = Store::new();
    let all = terms(
        &mut store,
        "(declare-const x Int)(declare-const y Int)(declare-const k Int)(declare-fun f (Int) Int)
         (assert (or (= x y) (< x y)))(assert (> x (+ y y)))(assert (= (f 0) 0))(assert (= x y))(assert (< x y))
         (assert (= k (f (+ y y))))(assert false)(assert (not (= x y)))(assert (not (< x y)))(check-sat)",
    );
    let &[either, greater, of_f, first, second, name, falsum, not_first, not_second] = &all[..] else {
        panic!("nine terms")
    };
    let mut graph = ProofGraph::default();
    let either = graph.assume(either);
    let greater = graph.assume(greater);
    graph.assume(of_f);
    graph.conclude("simplify", &[greater], second);
    let named = graph.push(step("ackermannize", StepKind::Definition, &[], &[], name));
    // The cases are worked on in turns, but are printed separately.
    let cases = [first, second].map(|case| graph.assume(case));
    let ends = cases.map(|case| graph.conclude("trust z3@1.0", &[greater, case, named], falsum));
    let scopes =
        [0, 1].map(|n| graph.push(step("scope", StepKind::Claim, &[ends[n]], &[cases[n]], [not_first, not_second][n])));
    let last = graph.conclude("cases", &[either, scopes[0], scopes[1]], falsum);
    let expect = "(
(define @t1 () (= x y))
(define @t2 () (< x y))
(assume @p1 (or @t1 @t2))
(define @t3 () (+ y y))
(assume @p2 (> x @t3))
(declare-const k Int)
(step @p3 (= k (f @t3)) :rule ackermannize :fresh (k))
(assume-push @p4 @t1)
(step @p5 false :rule trust :premises (@p2 @p4 @p3) :args (\"z3@1.0\"))
(step-pop @p6 (not @t1) :rule scope :premises (@p5))
(assume-push @p7 @t2)
(step @p8 false :rule trust :premises (@p2 @p7 @p3) :args (\"z3@1.0\"))
(step-pop @p9 (not @t2) :rule scope :premises (@p8))
(step @p10 false :rule cases :premises (@p1 @p6 @p9))
)
";
    assert_eq!(proof_text(&mut store, &graph, last), expect);
}
