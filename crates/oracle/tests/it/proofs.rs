//! Holes in proofs that solvers print.

use oracle::proof_oracle::holes;
use solver::promises::ProofReading;

#[test]
fn holes_are_told_by_what_is_trusted_and_the_shape_of_the_conclusion() {
    let reading = ProofReading { holes: vec!["trust".to_string()], versions: "*".parse().expect("all") };
    let check = |proof: &str, expect: &[&str]| {
        let found: Vec<String> = holes(proof, &reading).into_iter().map(|hole| hole.symptom).collect();
        assert_eq!(found, expect, "{proof}");
    };
    check("", &[]);
    check("((step @p1 :rule refl :args (a)))", &[]);
    check("((step @p1 :rule trust :premises () :args ((= a b))))", &["trust: (= _ _)"]);
    check(
        "(\n(define @t1 () (str.<= a a))\n; WARNING: add trust step for T\n; trust T\n(step @p1 :rule trust :args ((= @t1 true))))",
        &["trust T: (= (str.<= …) true)"],
    );
    // The comment belongs to the preceding step.
    check(
        "((assume @p0 a) ; trust T\n(step @p1 :rule trust :args (a)) (step @p2 :rule trust :args ((f a (g b)))))",
        &["trust T: _", "trust: (f _ (g …))"],
    );
    check("((step @p1 :rule trust))", &["trust: "]);
    check("((step @p1 :rule trust :args ((= a", &["trust: (= _)"]);
    check("((define @t () @t) (step @p1 :rule trust :args (@t)))", &["trust: _"]);
    check(&format!("((step @p :rule trust :args ({}", "(f ".repeat(1_000_000)), &["trust: (f (f …))"]);
    check(&format!("((step @p \"{}\" :rule x))", ":rule trust ".repeat(1000)), &[]);
}
