//! Narrows bit-vectors: all of one width, or halves all widths.
//!
//! Before: `(declare-fun x () (_ BitVec 32))(assert (bvult x #x00000007))`. After:
//! `(declare-fun x () (_ BitVec 4))(assert (bvult x #x7))`. The witness keeps the lower bits of its values.

use super::{Grouping, ReductionPass, View};
use crate::plan::{ScriptEdit, terms};
use crate::retype::Retyping;
use std::collections::BTreeSet;

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "widths", about: "narrows bit-vectors", group: Grouping::Single, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let widths: BTreeSet<u32> =
        terms(view.store, view.script).into_iter().filter_map(|t| view.store.sorts.width(view.store.sort(t))).collect();
    let mut edits = Vec::new();
    for divisor in [8u32, 4, 2] {
        let map: Vec<(u32, u32)> = widths.iter().map(|&w| (w, w.div_ceil(divisor))).collect();
        edits.extend(narrowed(view, &map));
    }
    for &width in widths.iter().rev() {
        let mut smaller = vec![1, 2, 3, 4, width / 2, width.saturating_sub(1)];
        smaller.retain(|&w| w > 0 && w < width);
        smaller.sort_unstable();
        smaller.dedup();
        for new in smaller {
            edits.extend(narrowed(view, &[(width, new)]));
        }
    }
    vec![edits]
}

fn narrowed(view: &mut View<'_>, map: &[(u32, u32)]) -> Option<ScriptEdit> {
    let mut retyping = Retyping::default();
    for &(from, to) in map.iter().filter(|(from, to)| from != to) {
        let (from, to) = (view.store.sorts.bitvec(from), view.store.sorts.bitvec(to));
        retyping.sorts.insert(from, to);
    }
    if retyping.sorts.is_empty() { None } else { retyping.edit(view) }
}
