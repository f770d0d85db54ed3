//! Simplifies regular expressions: all strings, none, one character, smaller repetitions.
//!
//! Before: `(str.in_re s ((_ re.loop 3 9) (re.range "a" "z")))`. After: `(str.in_re s re.all)`.

use super::{Grouping, MAX_TERMS, ReductionPass, View};
use crate::plan::{ScriptEdit, terms};
use smtlib::{Kind, Op, SortId, Store, TermId};

/// The pass.
pub const PASS: ReductionPass =
    ReductionPass { name: "regexes", about: "makes regular expressions plainer", group: Grouping::Single, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut edits = Vec::new();
    for t in terms(view.store, view.script).into_iter().take(MAX_TERMS) {
        if view.store.sort(t) == SortId::REGLAN {
            let plainer = plainer(view.store, t);
            edits.extend(plainer.into_iter().filter(|&p| p != t).map(|p| ScriptEdit::Replace(t, p)));
        }
    }
    vec![edits]
}

fn plainer(store: &mut Store, t: TermId) -> Vec<TermId> {
    let op = store.op(t);
    let args = store.args(t).to_vec();
    let mut list = Vec::new();
    for kind in [Kind::ReNone, Kind::ReAll, Kind::ReAllchar] {
        list.extend(store.app(Op::new(kind), &[]).ok());
    }
    let empty = store.string(&[]);
    list.extend(store.app(Op::new(Kind::StrToRe), &[empty]).ok());
    let smaller: Vec<(u32, u32)> = match op.kind {
        Kind::ReLoop => {
            vec![(0, 0), (0, 1), (1, 1), (op.i / 2, op.j / 2), (op.i, op.i), (0, op.j), (op.i.saturating_sub(1), op.j)]
        }
        Kind::RePower => vec![(0, 0), (1, 0), (2, 0), (op.i / 2, 0), (op.i.saturating_sub(1), 0)],
        _ => Vec::new(),
    };
    let indexed = |(i, j)| Op::indexed(op.kind, i, j);
    list.extend(smaller.into_iter().filter_map(|bounds| store.app(indexed(bounds), &args).ok()));
    if matches!(op.kind, Kind::ReLoop | Kind::RePower | Kind::RePlus) {
        list.extend(store.app(Op::new(Kind::ReStar), &args).ok());
    }
    list
}
