//! Laws between operators, on random operands of many widths.

use proptest::prelude::*;
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Kind, Op, Store, TermId};

fn apply(store: &mut Store, kind: Kind, args: &[TermId]) -> TermId {
    match store.app(Op::new(kind), args) {
        Ok(t) => t,
        Err(error) => panic!("{error}"),
    }
}

/// Checks that two terms over literals are equal.
fn equal(store: &mut Store, a: TermId, b: TermId) {
    let equation = apply(store, Kind::Eq, &[a, b]);
    let truth = Evaluator::new(Model::new(), EvalLimits::default()).truth(store, equation);
    assert_eq!(truth, Some(true), "{}", store.term_text(equation));
}

/// The orders of vectors are those of the integers they stand for, signed (`x` and `y`) and unsigned.
fn orders(s: &mut Store, (a, b): (TermId, TermId), (x, y): (TermId, TermId)) {
    let (m, n) = (apply(s, Kind::UbvToInt, &[a]), apply(s, Kind::UbvToInt, &[b]));
    for (unsigned, signed, integer) in [
        (Kind::BvUlt, Kind::BvSlt, Kind::IntLt),
        (Kind::BvUle, Kind::BvSle, Kind::IntLe),
        (Kind::BvUgt, Kind::BvSgt, Kind::IntGt),
        (Kind::BvUge, Kind::BvSge, Kind::IntGe),
    ] {
        for (of_vectors, args) in [(unsigned, [m, n]), (signed, [x, y])] {
            let (left, right) = (apply(s, of_vectors, &[a, b]), apply(s, integer, &args));
            equal(s, left, right);
        }
    }
}

/// Unsigned, too, overflow is that the integer result is another.
fn unsigned_overflow(s: &mut Store, a: TermId, b: TermId) {
    let (x, y) = (apply(s, Kind::UbvToInt, &[a]), apply(s, Kind::UbvToInt, &[b]));
    for (overflows, vector, integer) in [
        (Kind::BvUaddo, Kind::BvAdd, Kind::IntAdd),
        (Kind::BvUsubo, Kind::BvSub, Kind::IntSub),
        (Kind::BvUmulo, Kind::BvMul, Kind::IntMul),
    ] {
        let (o, v, n) = (apply(s, overflows, &[a, b]), apply(s, vector, &[a, b]), apply(s, integer, &[x, y]));
        let v = apply(s, Kind::UbvToInt, &[v]);
        let differs = apply(s, Kind::Distinct, &[v, n]);
        equal(s, o, differs);
    }
    let (fits, overflows) = (apply(s, Kind::BvUmulNoOverflow, &[a, b]), apply(s, Kind::BvUmulo, &[a, b]));
    let not = apply(s, Kind::Not, &[overflows]);
    equal(s, fits, not);
}

/// The signed product `x * y` of two vectors is not above the greatest vector, and not below the least.
fn one_sided_overflow(s: &mut Store, width: u32, (a, b): (TermId, TermId), (x, y): (TermId, TermId)) {
    let half = dashu_int::IBig::ONE << (width as usize - 1);
    let (product, greatest, least) = (apply(s, Kind::IntMul, &[x, y]), s.int(&(half.clone() - 1)), s.int(&-half));
    for (fits, low, high) in [(Kind::BvSmulNoOverflow, product, greatest), (Kind::BvSmulNoUnderflow, least, product)] {
        let (fits, within) = (apply(s, fits, &[a, b]), apply(s, Kind::IntLe, &[low, high]));
        equal(s, fits, within);
    }
}

proptest! {
    #[test]
    fn bit_vectors(width in 1u32..200, x: [u128; 2], y: [u128; 2], small: bool) {
        let mut s = Store::new();
        let wide = |v: [u128; 2]| (dashu_int::UBig::from(v[0]) << 128) | dashu_int::UBig::from(v[1]);
        let a = s.bitvec(width, &wide(x));
        let b = s.bitvec(width, &if small { dashu_int::UBig::from(y[0] % 5) } else { wide(y) });
        // -a = ~a + 1
        let one = s.bitvec(width, &1u8.into());
        let not = apply(&mut s, Kind::BvNot, &[a]);
        let (left, right) = (apply(&mut s, Kind::BvNeg, &[a]), apply(&mut s, Kind::BvAdd, &[not, one]));
        equal(&mut s, left, right);
        // a = b * (a / b) + a % b, for all three divisions
        for (div, rem) in [(Kind::BvUdiv, Kind::BvUrem), (Kind::BvSdiv, Kind::BvSrem)] {
            let (q, r) = (apply(&mut s, div, &[a, b]), apply(&mut s, rem, &[a, b]));
            let product = apply(&mut s, Kind::BvMul, &[b, q]);
            let sum = apply(&mut s, Kind::BvAdd, &[product, r]);
            equal(&mut s, a, sum);
        }
        // smod and srem differ by a multiple of the divisor
        let (m, r) = (apply(&mut s, Kind::BvSmod, &[a, b]), apply(&mut s, Kind::BvSrem, &[a, b]));
        let shifted = apply(&mut s, Kind::BvAdd, &[r, b]);
        let same = apply(&mut s, Kind::Eq, &[m, r]);
        let moved = apply(&mut s, Kind::Eq, &[m, shifted]);
        let either = apply(&mut s, Kind::Or, &[same, moved]);
        let yes = s.bool(true);
        equal(&mut s, either, yes);
        // a - b = a + -b; de Morgan
        let (difference, negated) = (apply(&mut s, Kind::BvSub, &[a, b]), apply(&mut s, Kind::BvNeg, &[b]));
        let sum = apply(&mut s, Kind::BvAdd, &[a, negated]);
        equal(&mut s, difference, sum);
        let (nand, not_b) = (apply(&mut s, Kind::BvNand, &[a, b]), apply(&mut s, Kind::BvNot, &[b]));
        let or = apply(&mut s, Kind::BvOr, &[not, not_b]);
        equal(&mut s, nand, or);
        let (x, y) = (apply(&mut s, Kind::SbvToInt, &[a]), apply(&mut s, Kind::SbvToInt, &[b]));
        // overflow is that the integer result is another
        for (overflows, vector, integer) in [
            (Kind::BvSaddo, Kind::BvAdd, Kind::IntAdd),
            (Kind::BvSsubo, Kind::BvSub, Kind::IntSub),
            (Kind::BvSmulo, Kind::BvMul, Kind::IntMul),
        ] {
            let (o, v, n) = (
                apply(&mut s, overflows, &[a, b]),
                apply(&mut s, vector, &[a, b]),
                apply(&mut s, integer, &[x, y]),
            );
            let v = apply(&mut s, Kind::SbvToInt, &[v]);
            let differs = apply(&mut s, Kind::Distinct, &[v, n]);
            equal(&mut s, o, differs);
        }
        orders(&mut s, (a, b), (x, y));
        unsigned_overflow(&mut s, a, b);
        one_sided_overflow(&mut s, width, (a, b), (x, y));
    }

    #[test]
    fn integers(a: i128, b in prop_oneof![any::<i128>(), -3i128..4]) {
        let mut s = Store::new();
        let (x, y) = (s.int(&a.into()), s.int(&b.into()));
        if b != 0 {
            let (q, r) = (apply(&mut s, Kind::IntDiv, &[x, y]), apply(&mut s, Kind::IntMod, &[x, y]));
            let product = apply(&mut s, Kind::IntMul, &[y, q]);
            let sum = apply(&mut s, Kind::IntAdd, &[product, r]);
            equal(&mut s, x, sum);
            let (zero, bound) = (s.int(&0.into()), apply(&mut s, Kind::IntAbs, &[y]));
            let (low, high) = (apply(&mut s, Kind::IntLe, &[zero, r]), apply(&mut s, Kind::IntLt, &[r, bound]));
            let (both, yes) = (apply(&mut s, Kind::And, &[low, high]), s.bool(true));
            equal(&mut s, both, yes);
        }
        let real = apply(&mut s, Kind::ToReal, &[x]);
        let back = apply(&mut s, Kind::ToInt, &[real]);
        equal(&mut s, x, back);
    }
}
