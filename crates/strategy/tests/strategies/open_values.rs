//! What the standard leaves open is one function an operator, fixed outside of all quantifiers; what it defines is never open.

use crate::support::{instance, read, run};
use smtlib::Store;
use strategy::defaults::default_strategy;

/// Runs strategies, the default one by the word `default`, on a script without its check.
fn check(text: &str, strategies: &[&str], expect: &str) {
    for name in strategies {
        let mut store = Store::new();
        let instance = instance(&mut store, &format!("{text}(check-sat)"));
        let text_of = if *name == "default" { default_strategy("QF_BVFP") } else { name };
        let report = run(&mut store, &instance, &read(text_of), 60.0, true);
        assert_eq!(report.answer.word(), expect, "{name} on {text}: {:?}\n{}", report.answer, report.trace.text());
    }
}

/// A negative number that rounds to zero was taken for one out of range, so that a wrong `sat` was said. The definition of
/// `fp.to_ubv` fixes the value wherever the rounded integer fits; only the note before it reads otherwise.
#[test]
fn a_negative_number_that_rounds_to_zero_is_zero() {
    let all =
        &["default", "(then fp-to-bv sat)", "(then simplify sat)", "(then simplify fp-to-bv simplify bit-blast sat)"];
    check("(assert (not (= ((_ fp.to_ubv 8) RTZ ((_ to_fp 8 24) #xbe800000)) #x00)))", all, "unsat");
    check("(assert (not (= ((_ fp.to_ubv 1) RTP (fp #b1 #b00000 #b0000000001)) #b0)))", all, "unsat");
    let some = &["default", "(then fp-to-bv sat)"];
    let symbolic = "(declare-const x Float16)(declare-const m RoundingMode)(assert (fp.isNegative x))
         (assert (fp.isZero (fp.roundToIntegral m x)))";
    check(&format!("{symbolic}(assert (distinct ((_ fp.to_ubv 4) m x) #x0))"), some, "unsat");
    check(&format!("{symbolic}(assert (= ((_ fp.to_ubv 4) m x) #x0))"), some, "sat");
    // The least negative number that rounds to one below zero is out of range, and any value is right.
    let open = "(declare-const m RoundingMode)(assert (= m RTN))";
    check(&format!("{open}(assert (= ((_ fp.to_ubv 4) m (fp #b1 #b00000 #b0000000001)) #xa))"), some, "sat");
}
