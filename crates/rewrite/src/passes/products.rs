//! Passes over products.

use crate::goal::Goal;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::polynomial::Polynomial;
use crate::values::bits;
use dashu_base::PowerOfTwo;
use dashu_int::UBig;
use smtlib::{Kind, Op, Sort, Store, TermId};

/// The limit on one product. The name is that of Z3's parameter.
const BLOWUP: TacticParameter = TacticParameter {
    name: "som-blowup",
    about: "the maximum number of monomials of a product, as a multiple of those of its factors; larger ones stay unchanged",
    default: 10,
    words: &[],
};

/// `mul2concat`: a product of bit-vectors with a power of two is a shift, written as a `concat` with zeros.
pub static MUL2CONCAT: RewritePass = RewritePass {
    name: "mul2concat",
    about: "replaces products of bit-vectors with powers of two by concatenations with zeros",
    example: Example {
        before: "(declare-const b (_ BitVec 8))(declare-const c (_ BitVec 8))
                 (assert (= (bvmul b #x04) #x0c))(assert (bvult (bvmul b #x02 c) c))",
        after: &["(= (concat ((_ extract 5 0) b) #b00) #x0c)
                 (bvult (concat ((_ extract 6 0) (bvmul b c)) #b0) c)"],
    },
    params: &[],
    is_consequence: true,
    rewrite: mul2concat,
};

fn mul2concat(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    PassResult::rebuilt(store, goal, settings, |store, t| match (store.kind(t), store.sorts.get(store.sort(t))) {
        (Kind::BvMul, &Sort::BitVec(width)) => shifted(store, t, width),
        _ => Ok(t),
    })
}

/// `som`: products of sums are expanded, so that sums are sums of monomials.
pub static SOM: RewritePass = RewritePass {
    name: "som",
    about: "multiplies out products of sums of numbers and bit-vectors, and joins like monomials",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(declare-const b (_ BitVec 8))
                 (assert (= (* (+ x y) (- x y)) 1))
                 (assert (= (bvmul (bvadd b #x10) (bvadd b #xf0)) #x01))",
        after: &["(= (+ (* x x) (* (- 1) y y)) 1) (= (bvmul b b) #x01)"],
    },
    params: &[BLOWUP],
    is_consequence: true,
    rewrite: som,
};

fn som(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let blowup = usize::try_from(settings.params.number(&BLOWUP)).unwrap_or(usize::MAX);
    let mut watch = settings.watch(store);
    PassResult::rebuilt(store, goal, settings, |store, t| match Polynomial::of(store, t, blowup, &mut watch)? {
        Some(polynomial) => polynomial.to_term(store),
        None => Ok(t),
    })
}

/// Returns a product with its factors that are powers of two as zeros at the low end.
fn shifted(store: &mut Store, t: TermId, width: u32) -> Result<TermId, PassError> {
    let mut others = Vec::new();
    let mut zeros = Some(0_u32);
    for &a in store.args(t) {
        match bits(store, a).and_then(|(_, value)| exponent(value)) {
            // More zeros than bits are equivalent to all zeros.
            Some(power) => zeros = zeros.and_then(|n| n.checked_add(power)).filter(|&n| n < width),
            None => others.push(a),
        }
    }
    if others.len() == store.args(t).len() {
        return Ok(t);
    }
    let Some(zeros) = zeros else { return Ok(store.bitvec(width, &UBig::ZERO)) };
    let rest = match others.as_slice() {
        [] => return Ok(store.bitvec(width, &(UBig::ONE << zeros as usize))),
        &[one] => one,
        _ => store.app(Op::new(Kind::BvMul), &others)?,
    };
    if zeros == 0 {
        return Ok(rest);
    }
    let kept = store.app(Op::indexed(Kind::BvExtract, width - 1 - zeros, 0), &[rest])?;
    let low = store.bitvec(zeros, &UBig::ZERO);
    Ok(store.app(Op::new(Kind::BvConcat), &[kept, low])?)
}

/// Returns the exponent of a power of two.
fn exponent(value: &UBig) -> Option<u32> {
    if value.is_zero() || !value.is_power_of_two() {
        return None;
    }
    value.trailing_zeros().and_then(|n| u32::try_from(n).ok())
}
