//! The definition of a reduction pass, and helpers that passes share.

use crate::plan::{self, ScriptEdit};
use crate::subject::WitnessValues;
use semantics::{Model, Value};
use smtlib::{Script, Sort, SortId, Store, TermId};

/// A way to make scripts smaller.
pub struct ReductionPass {
    /// Its name.
    pub name: &'static str,
    /// What the pass does, in one line.
    pub about: &'static str,
    /// How its edits are tried.
    pub group: Grouping,
    /// Proposes edits in batches, which are processed one after the other. Within a batch the most profitable edits come first.
    pub propose: fn(&mut View<'_>) -> Vec<Vec<ScriptEdit>>,
}

/// How the edits of a batch are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// All together, then in halves, quarters and so on (delta debugging).
    Halving,
    /// In halves and quarters; in smaller groups as long as a larger one succeeded.
    Coarse,
    /// One by one.
    Single,
    /// One by one, repeating the pass as long as an edit succeeds.
    Again,
}

/// The input of a pass.
pub struct View<'a> {
    /// The terms.
    pub store: &'a mut Store,
    /// The script.
    pub script: &'a Script,
    /// The wrongly answered check, from 0.
    pub check: usize,
    /// Values under the witness, if there is one.
    pub values: Option<&'a mut WitnessValues>,
    /// The witness, to be extended for new symbols.
    pub model: Option<&'a mut Model>,
    /// Whether the pass extended the witness.
    pub extended: bool,
}

/// Writes a value as a term of a script. `None` for values that contain elements of uninterpreted sorts, since their constants are not
/// declared.
pub(crate) fn literal(store: &mut Store, value: &Value, sort: SortId) -> Option<TermId> {
    let mut sorts = vec![sort];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(sort) = sorts.pop() {
        if !seen.insert(sort) {
            continue;
        }
        match store.sorts.get(sort) {
            Sort::Uninterpreted(..) => return None,
            Sort::Datatype(datatype, _) => {
                let constructors = store.datatype(*datatype).constructors.len();
                sorts.extend((0..constructors).flat_map(|n| store.field_sorts(sort, n)));
            }
            _ => {}
        }
        sorts.extend(store.sorts.children(sort));
    }
    value.to_term(store, sort)
}

/// The maximum number of terms that a pass examines: other passes first shrink larger scripts.
pub(crate) const MAX_TERMS: usize = 20_000;

/// Returns the terms of the script by their distance from the roots: the levels that hold at most `most` terms together.
pub(crate) fn levels(view: &View<'_>, most: usize) -> Vec<Vec<TermId>> {
    let mut left = most;
    let fits = |level: &Vec<TermId>| {
        let rest = left.checked_sub(level.len());
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    plan::levels(view.store, view.script).into_iter().take_while(fits).collect()
}

/// Returns one batch per level, with the `edits` of each of its terms.
pub(crate) fn by_level<E: IntoIterator<Item = ScriptEdit>>(
    view: &mut View<'_>,
    most: usize,
    mut edits: impl FnMut(&mut View<'_>, TermId) -> E,
) -> Vec<Vec<ScriptEdit>> {
    let levels = levels(view, most);
    levels.into_iter().map(|level| level.into_iter().flat_map(|t| edits(view, t)).collect()).collect()
}
