//! Generated problems of arrays: of vectors, of numbers with functions on them, of elements.

use super::{assertions, pick};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus as Rng;

/// What array problems are made of.
struct ArrayWords {
    sort: &'static str,
    indices: &'static [&'static str],
    elements: &'static [&'static str],
    declarations: &'static str,
    /// Whether constant arrays are among them. Over few indices z3 4.15.4 is wrong about them: it says that writing twice can
    /// turn one into another.
    constants: bool,
}

fn array(rng: &mut Rng, words: &ArrayWords, depth: u32) -> String {
    if depth == 0 {
        return match rng.random_range(0..8u32) {
            0 if words.constants => {
                format!("((as const {}) {})", words.sort, pick(rng, words.elements))
            }
            _ => pick(rng, &["a", "b", "c"]).to_string(),
        };
    }
    let inner = |rng: &mut Rng| array(rng, words, depth - 1);
    match rng.random_range(0..5u32) {
        0 => inner(rng),
        1 => {
            format!("(ite (= {} {}) {} {})", pick(rng, words.indices), pick(rng, words.indices), inner(rng), inner(rng))
        }
        2 if words.sort == "(Array Int Int)" => {
            format!("(t {} {})", inner(rng), pick(rng, &["a", "b", "(store a 0 0)"]))
        }
        _ => format!("(store {} {} {})", inner(rng), pick(rng, words.indices), cell(rng, words, depth - 1)),
    }
}

fn cell(rng: &mut Rng, words: &ArrayWords, depth: u32) -> String {
    match rng.random_range(0..3u32) {
        0 => pick(rng, words.elements).to_string(),
        _ => format!("(select {} {})", array(rng, words, depth), pick(rng, words.indices)),
    }
}

fn arrays(rng: &mut Rng, words: &ArrayWords) -> String {
    let mut atom = |rng: &mut Rng| match rng.random_range(0..5u32) {
        0 => format!("(= {} {})", pick(rng, words.indices), pick(rng, words.indices)),
        1 => format!("(= {} {})", array(rng, words, 1), array(rng, words, 2)),
        2 => format!("(distinct {} {} {})", array(rng, words, 1), array(rng, words, 1), array(rng, words, 0)),
        _ => format!("(= {} {})", cell(rng, words, 2), cell(rng, words, 1)),
    };
    let count = rng.random_range(2..10);
    let names = ["a", "b", "c"].map(|n| format!("(declare-const {n} {}) ", words.sort));
    words.declarations.to_string() + &names.concat() + &assertions(rng, count, 1, &mut atom)
}

pub(super) fn bit_arrays(rng: &mut Rng) -> String {
    arrays(
        rng,
        &ArrayWords {
            sort: "(Array (_ BitVec 6) (_ BitVec 2))",
            indices: &["i", "j", "#b000000", "(bvadd i #b000001)"],
            elements: &["e", "#b01", "#b10", "(bvnot e)"],
            declarations: "(declare-const i (_ BitVec 6)) (declare-const j (_ BitVec 6)) (declare-const e (_ BitVec 2)) ",
            constants: false,
        },
    )
}

pub(super) fn number_arrays(rng: &mut Rng) -> String {
    arrays(
        rng,
        &ArrayWords {
            sort: "(Array Int Int)",
            indices: &["i", "j", "0", "(+ i 1)"],
            elements: &["i", "e", "1", "(s a i)", "(s (store b i j) 0)", "(select (t a (store b 0 e)) i)"],
            declarations: "(declare-fun s ((Array Int Int) Int) Int)
                (declare-fun t ((Array Int Int) (Array Int Int)) (Array Int Int)) (declare-const i Int) (declare-const j Int)
                (declare-const e Int) ",
            constants: true,
        },
    )
}

pub(super) fn element_arrays(rng: &mut Rng) -> String {
    arrays(
        rng,
        &ArrayWords {
            sort: "(Array U V)",
            indices: &["i", "j", "k"],
            elements: &["e", "d"],
            declarations:
                "(declare-sort U 0) (declare-sort V 0) (declare-const i U) (declare-const j U) (declare-const k U)
                (declare-const e V) (declare-const d V) ",
            constants: false,
        },
    )
}
