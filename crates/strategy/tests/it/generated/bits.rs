//! Problems about bit-vectors and floats.

use super::{assertions, pick};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus as Rng;

fn bit_term(rng: &mut Rng, width: u32, depth: u32) -> String {
    if depth == 0 {
        return match rng.random_range(0..4u32) {
            0 => format!("(_ bv{} {width})", rng.random_range(0..1u64 << width)),
            _ if width == 6 => pick(rng, &["x", "y", "z"]).to_string(),
            _ if width < 6 => format!("((_ extract {} 0) {})", width - 1, pick(rng, &["x", "y", "z"])),
            _ => format!("((_ sign_extend {}) {})", width - 6, pick(rng, &["x", "y", "z"])),
        };
    }
    let part = |rng: &mut Rng| bit_term(rng, width, depth - 1);
    match rng.random_range(0..10u32) {
        0 => format!("({} {})", pick(rng, &["bvnot", "bvneg"]), part(rng)),
        1 => {
            format!("((_ {} {}) {})", pick(rng, &["rotate_left", "rotate_right"]), rng.random_range(0..9u32), part(rng))
        }
        2 => format!("((_ extract {} 2) (concat {} {}))", width + 1, part(rng), bit_term(rng, 3, 0)),
        3 => format!("(ite (bvslt {} {}) {} {})", part(rng), part(rng), part(rng), part(rng)),
        4 => format!("((_ zero_extend {}) {})", width - 1, bit_term(rng, 1, 0)),
        _ => {
            let name = pick(
                rng,
                &[
                    "bvand", "bvor", "bvxor", "bvxnor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv",
                    "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr",
                ],
            );
            format!("({name} {} {})", part(rng), part(rng))
        }
    }
}

pub fn bits(rng: &mut Rng) -> String {
    let mut atom = |rng: &mut Rng| {
        let name = pick(rng, &["=", "distinct", "bvult", "bvsle", "bvsgt", "bvuge", "bvult"]);
        let width = if rng.random_range(0..3u32) == 0 { 9 } else { 6 };
        format!("({name} {} {})", bit_term(rng, width, 2), bit_term(rng, width, 2))
    };
    let count = rng.random_range(2..6);
    let names = ["x", "y", "z"].map(|n| format!("(declare-const {n} (_ BitVec 6)) "));
    names.concat() + &assertions(rng, count, 1, &mut atom)
}

fn float_term(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 {
        return match rng.random_range(0..6u32) {
            0 => pick(rng, &["(_ +zero 4 5)", "(_ -zero 4 5)", "(_ +oo 4 5)", "(_ NaN 4 5)"]).to_string(),
            1 => format!("((_ to_fp 4 5) {} {}.25)", mode(rng), rng.random_range(0..40u32)),
            _ => pick(rng, &["u", "v", "w"]).to_string(),
        };
    }
    let part = |rng: &mut Rng| float_term(rng, depth - 1);
    let m = mode(rng);
    match rng.random_range(0..12u32) {
        0 | 1 => format!("(fp.add {m} {} {})", part(rng), part(rng)),
        2 => format!("(fp.sub {m} {} {})", part(rng), part(rng)),
        3 => format!("(fp.mul {m} {} {})", part(rng), part(rng)),
        4 => format!("(fp.div {m} {} {})", part(rng), part(rng)),
        5 => format!("(fp.sqrt {m} {})", part(rng)),
        6 => format!("(fp.roundToIntegral {m} {})", part(rng)),
        7 => format!("(fp.rem {} {})", part(rng), part(rng)),
        8 => format!("(fp.fma {m} {} {} {})", part(rng), part(rng), part(rng)),
        9 => format!("((_ to_fp 4 5) {m} ((_ to_fp 3 3) {m} {}))", part(rng)),
        10 => format!("((_ to_fp 4 5) {m} (bvadd n ((_ extract 4 0) b)))"),
        _ => format!("({} {})", pick(rng, &["fp.abs", "fp.neg"]), part(rng)),
    }
}

fn mode(rng: &mut Rng) -> String {
    pick(rng, &["RNE", "RNA", "RTP", "RTN", "RTZ", "m"]).to_string()
}

pub fn floats(rng: &mut Rng) -> String {
    let mut atom = |rng: &mut Rng| match rng.random_range(0..8u32) {
        0 => format!(
            "({} {})",
            pick(rng, &["fp.isNaN", "fp.isNormal", "fp.isNegative", "fp.isInfinite"]),
            float_term(rng, 2)
        ),
        1 => format!("(= ((_ to_fp 4 5) b) {})", float_term(rng, 1)),
        2 => format!("(= m {})", mode(rng)),
        _ => {
            let name = pick(rng, &["fp.lt", "fp.leq", "fp.eq", "=", "fp.gt"]);
            format!("({name} {} {})", float_term(rng, 2), float_term(rng, 1))
        }
    };
    let floats = ["u", "v", "w"].map(|n| format!("(declare-const {n} (_ FloatingPoint 4 5)) "));
    let count = rng.random_range(1..5);
    floats.concat()
        + "(declare-const m RoundingMode) (declare-const b (_ BitVec 9)) (declare-const n (_ BitVec 5)) "
        + &assertions(rng, count, 1, &mut atom)
}

/// One operator on halves, with a fact about its result.
pub(super) fn halves(rng: &mut Rng) -> String {
    let operator = match rng.random_range(0..7u32) {
        0 => "(fp.add m u v)",
        1 => "(fp.mul m u v)",
        2 => "(fp.sub m u (fp.roundToIntegral m v))",
        3 => "((_ to_fp 5 11) m ((_ to_fp 8 24) RNE (fp.abs u)))",
        4 => "((_ to_fp 5 11) m ((_ fp.to_sbv 12) m u))",
        5 => "(fp.add RNE (fp.neg u) (fp.add m u v))",
        _ => "(fp.div m u ((_ to_fp 5 11) RNE 3.0))",
    };
    let known = match rng.random_range(0..4u32) {
        0 => format!("(fp.lt w ((_ to_fp 5 11) RNE {}.5))", rng.random_range(0..9u32)),
        1 => format!("(= ((_ extract 4 0) b) (_ bv{} 5))", rng.random_range(0..32u32)),
        2 => "(fp.isSubnormal w)".to_string(),
        _ => format!("(and (fp.leq u v) (fp.leq v ((_ to_fp 5 11) RNE {}.0)))", rng.random_range(0..99u32)),
    };
    // Out of the range of 12 bits the standard leaves the value open, and z3 fixes one.
    format!(
        "(declare-const u Float16) (declare-const v Float16) (declare-const w Float16) (declare-const m RoundingMode)
         (declare-const b (_ BitVec 16)) (assert (= w {operator} ((_ to_fp 5 11) b)))
         (assert (fp.leq ((_ to_fp 5 11) RNE (- 999.0)) u ((_ to_fp 5 11) RNE 999.0)))
         (assert (not (= ((_ extract 7 0) b) #x00))) (assert (distinct w u v)) (assert {known}) (check-sat)"
    )
}

/// Functions on vectors.
pub(super) fn bit_functions(rng: &mut Rng) -> String {
    let term = |rng: &mut Rng| match rng.random_range(0..4u32) {
        0 => format!("(f {})", bit_term(rng, 6, 1)),
        1 => format!("(f (f {}))", pick(rng, &["x", "y", "(bvadd x y)"])),
        2 => format!("(g {} {} (bvult x z))", bit_term(rng, 6, 0), bit_term(rng, 3, 0)),
        _ => bit_term(rng, 6, 1),
    };
    let mut atom = |rng: &mut Rng| format!("({} {} {})", pick(rng, &["=", "distinct", "bvult"]), term(rng), term(rng));
    let names = ["x", "y", "z"].map(|n| format!("(declare-const {n} (_ BitVec 6)) "));
    let functions =
        "(declare-fun f ((_ BitVec 6)) (_ BitVec 6)) (declare-fun g ((_ BitVec 6) (_ BitVec 3) Bool) (_ BitVec 6)) ";
    let count = rng.random_range(3..9);
    functions.to_string() + &names.concat() + &assertions(rng, count, 1, &mut atom)
}
