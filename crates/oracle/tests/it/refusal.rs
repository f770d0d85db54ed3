//! Tests of `refusal`.

use oracle::refusal::is_standard;

#[test]
fn what_every_solver_must_read_is_told() {
    let check = |text: &str, expect: bool| assert_eq!(is_standard(text), expect, "{text}");
    check("(declare-const x Int) (assert (> x 1)) (check-sat)", true);
    check("(set-logic QF_LIA) (declare-const x Int) (assert (> x 1)) (check-sat)", true);
    check("(set-logic QF_BV) (declare-const x Int) (assert (> x 1)) (check-sat)", false);
    check("(declare-const x Int) (assert (= (rem x 2) 1)) (check-sat)", false);
    check("(declare-const b (_ BitVec 4)) (assert (bvuaddo b b)) (check-sat)", false);
    check("(declare-const s (Seq Int)) (assert (= (seq.len s) 1)) (check-sat)", false);
    check("(declare-const s (Set Int)) (assert (= s s)) (check-sat)", false);
    check("(declare-const p Bool) (assert p) (check-sat-using smt)", false);
    check("(set-option :smt.arith.solver 2) (declare-const p Bool) (assert p) (check-sat)", false);
    check("(declare-const p Bool) (assert q) (check-sat)", false);
    check("(declare-const p Bool) (check-sat-assuming (p (not p)))", true);
    check("(declare-const p Bool) (check-sat-assuming ((and p p)))", false);
    check("(declare-const p Bool) (assert p) (block-model values) (check-sat)", false);
}
