//! Arbitrary solver output, read and judged as proofs.

use proof::{JudgeLimits, judge_text};
use std::time::Duration;

/// Symbols of several sorts.
const PROBLEM: &str = "
(set-logic ALL)
(declare-sort U 0)
(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
(declare-const x (_ BitVec 2))(declare-const i Int)(declare-const l L)(declare-const s (Set Int))(declare-const u U)
(declare-fun f (Int) Int)(declare-fun p (U Bool) Bool)
(assert (and (= (bvmul x #b10) #b01) (forall ((y Int)) (> (f y) y)) (= (div i 0) 1) ((_ is cons) l) (set.member i s) (p u true)))
(check-sat)";

/// Proofs in each format, with each notation.
pub const EXAMPLES: &[&str] = &[
    "unsat\n(\n(declare-const x (_ BitVec 2))\n(define @t1 () (@var \"y\" Int))\n(define @t2 () (f @t1))\n(define @t3 () (> @t2 @t1))
      (define @t4 () (@list @t1))\n(define @t5 () (forall @t4 @t3))\n(define @t6 () (@bv 2 2))\n(assume @p1 @t5)
      (assume @p2 (= (bvmul x #b10) #b01))\n(step @p3 (= @t6 #b10) :rule evaluate :args (@t6))\n(assume-push @p4 (= (extract 0 0 x) #b1))
      (step @p5 (= (+ i (* -1 (f i))) (- i (f i))) :rule arith_poly_norm)\n(step-pop @p6 :rule scope :premises (@p5))
      (step @p7 (not (is cons l)) :rule trust :premises (@p1 @p6))\n(step @p8 (< (f i) i) :rule instantiate :premises (@p1) :args ((@list i)))
      (step @p9 (= @t3 (< @t1 @t2)) :rule arith-elim-gt)\n(step @p10 (= (/ 5/2 -1/2) -5/1) :rule evaluate)
      (step @p11 (= (@quantifiers_skolemize @t5 0) (@purify i)) :rule skolemize)\n(step @p12 (= (mod_total i 0) (@mod_by_zero i)) :rule r)
      (step @p13 (and (@bit 0 x) (= x (@from_bools true false))) :rule r)\n(step @p14 false :rule r :premises (@p8 @p13))\n)",
    "(assume a0 (! (= (bvmul x #b10) #b01) :named @p_1))\n(anchor :step t1)\n(assume t1.a0 (= i 1))
      (step t1.t1 (cl (= (+ i 1) 2)) :rule lia_generic :premises (t1.a0))\n(step t1 (cl (not (= i 1)) (= (+ i 1) 2)) :rule subproof :discharge (t1.a0))
      (anchor :step t2 :args ((y Int) (:= (z Int) y)))\n(step t2.t1 (cl (= z y)) :rule refl)
      (step t2 (cl (= (forall ((z Int)) (> z 0)) (forall ((y Int)) (> y 0)))) :rule bind)\n(step t3 (cl) :rule resolution :premises (a0 t1))",
    "((set-logic ALL)\n(proof\n(let ((?x1 (f i)))\n(let (($x2 (<= ?x1 i)))\n(let ((?x3 (lambda ((y Int)) (rewrite (= (> (f y) y) (not (<= (f y) y)))))))
      (let (($x4 (forall ((y Int)) (! (not (<= (f y) y)) :pattern ((f y)) :qid q))))\n(let ((@x5 (hypothesis $x2)))
      (let ((@x6 (mp (asserted (forall ((y Int)) (> (f y) y))) (quant-intro (proof-bind ?x3) (= (forall ((y Int)) (> (f y) y)) $x4)) $x4)))
      (let ((@x7 (unit-resolution ((_ quant-inst i) (or (not $x4) (not $x2))) @x6 @x5 false)))
      (let ((@x8 (lemma @x7 (not $x2))))\n((_ th-lemma arith farkas 1 1) @x8 (rewrite (= (_ bv1 2) #b01)) (refl (~ $x2 $x2)) false))))))))))",
];

/// Reads bytes as a proof and judges it.
///
/// # Panics
/// The reader or the judge exceeds its bounds.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (each, total) = (Duration::from_millis(5), Duration::from_millis(20));
    let limits =
        JudgeLimits { steps: 1000, nodes: 1 << 16, assignments: 64, samples: 3, each, total, ..JudgeLimits::default() };
    if let Ok(judged) = judge_text(PROBLEM, &text, &limits, None) {
        let counted = judged.theory.all() + judged.core.all();
        assert!(counted <= judged.steps.len() && judged.steps.len() <= limits.steps);
    }
}
