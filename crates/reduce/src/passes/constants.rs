//! Shrinks literals: numbers towards 0, strings to parts of themselves.
//!
//! Before: `(assert (> x 123456))(assert (= s "hello world"))`. After: `(assert (> x 1))(assert (= s "h"))`.

use super::{Grouping, MAX_TERMS, ReductionPass, View};
use crate::plan::{ScriptEdit, terms};
use dashu_int::{IBig, UBig};
use smtlib::{Constant, Store, TermId};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "constants", about: "shrinks literals", group: Grouping::Single, propose };

/// The maximum number of characters of one string that are removed or replaced, one at a time.
const MAX_PARTS: usize = 24;

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut edits = Vec::new();
    for t in terms(view.store, view.script).into_iter().take(MAX_TERMS) {
        let Some(constant) = view.store.constant(t).cloned() else { continue };
        let smaller = smaller(view.store, &constant);
        edits.extend(smaller.into_iter().filter(|&s| s != t).map(|s| ScriptEdit::Replace(t, s)));
    }
    vec![edits]
}

fn smaller(store: &mut Store, constant: &Constant) -> Vec<TermId> {
    match constant {
        Constant::Int(n) => numbers(n).into_iter().map(|n| store.int(&n)).collect(),
        Constant::Real(r) => {
            let whole = r.trunc();
            let (_, magnitude) = whole.into_parts();
            let mut list = numbers(&magnitude);
            list.push(magnitude.into());
            list.into_iter().map(|n| store.real(&n.into())).collect()
        }
        Constant::BitVec { width, value } => {
            let mut list = numbers(value);
            list.push(IBig::ZERO);
            list.into_iter().map(|n| store.bitvec(*width, &n.into_parts().1)).collect()
        }
        Constant::FieldElement { order, value } => {
            numbers(value).into_iter().map(|n| store.field_element(order, &n)).collect()
        }
        Constant::String(code_points) => parts(code_points).into_iter().map(|p| store.string(&p)).collect(),
    }
}

/// Returns smaller numbers, the smallest first.
fn numbers(n: &UBig) -> Vec<IBig> {
    let mut list: Vec<UBig> = [0u8, 1, 2, 3, 10].into_iter().map(UBig::from).collect();
    list.push(n >> 1usize);
    list.push(n / UBig::from(10u8));
    if *n > UBig::ONE {
        list.push(n - UBig::ONE);
    }
    list.retain(|m| m < n);
    list.sort();
    list.dedup();
    list.into_iter().map(IBig::from).collect()
}

/// Returns simpler strings: the empty one, the halves, the string without one character, and the string with an `a` for one character.
fn parts(code_points: &[u32]) -> Vec<Vec<u32>> {
    let length = code_points.len();
    let mut list = Vec::new();
    if length == 0 {
        return list;
    }
    list.push(Vec::new());
    if length > 1 {
        list.push(code_points[..length / 2].to_vec());
        list.push(code_points[length / 2..].to_vec());
    }
    for n in 0..length.min(MAX_PARTS) {
        let mut fewer = code_points.to_vec();
        fewer.remove(n);
        list.push(fewer);
    }
    for n in 0..length.min(MAX_PARTS) {
        let mut plain = code_points.to_vec();
        plain[n] = u32::from(b'a');
        list.push(plain);
    }
    list
}
