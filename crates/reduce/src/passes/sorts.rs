//! Passes that shrink sorts: bit-vectors and datatypes.

use super::{Grouping, ReductionPass, View, declarations};
use crate::plan::{ScriptEdit, terms};
use crate::retype::Retyping;
use rustc_hash::FxHashSet;
use smtlib::printer::quote_symbol;
use smtlib::{Command, Constructor, DatatypeId, Script, Sort, Store};
use std::collections::BTreeSet;

/// Narrows bit-vectors: all of one width, or halves all widths.
///
/// Before: `(declare-fun x () (_ BitVec 32))(assert (bvult x #x00000007))`. After:
/// `(declare-fun x () (_ BitVec 4))(assert (bvult x #x7))`. The witness keeps the lower bits of its values.
pub const WIDTHS: ReductionPass =
    ReductionPass { name: "widths", about: "narrows bit-vectors", group: Grouping::Single, propose: widths };

/// Drops unused constructors of datatypes, and unused datatypes of a group.
///
/// Before: `(declare-datatypes ((T 0) (U 0)) (((a) (b (f U))) ((c (g T)))))(assert (= x a))`. After:
/// `(declare-datatypes ((T 0)) (((a))))(assert (= x a))`.
pub const DATATYPES: ReductionPass = ReductionPass {
    name: "datatypes",
    about: "drops unused constructors and datatypes",
    group: Grouping::Single,
    propose: datatypes,
};

/// The constructors and datatypes that a candidate leaves out.
#[derive(Clone, Default)]
struct Without {
    datatypes: FxHashSet<DatatypeId>,
    constructors: FxHashSet<(DatatypeId, usize)>,
}

fn widths(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
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

fn datatypes(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let used: FxHashSet<(DatatypeId, usize)> =
        terms(view.store, view.script).into_iter().filter_map(|t| view.store.op(t).constructor()).collect();
    let sorts = declarations::used_sorts(view);
    let is_needed =
        |d: DatatypeId| sorts.iter().any(|&s| matches!(view.store.sorts.get(s), Sort::Datatype(e, _) if *e == d));
    let mut all = Without::default();
    let mut single = Vec::new();
    for group in groups(view.script) {
        let members: Vec<DatatypeId> = view.store.datatype_group(group).collect();
        for &d in &members {
            // Whole groups belong to another pass.
            if members.len() > 1 && !is_needed(d) {
                all.datatypes.insert(d);
                single.push(Without { datatypes: [d].into_iter().collect(), ..Without::default() });
            }
            let constructors = &view.store.datatype(d).constructors;
            let mut unused: Vec<usize> = (0..constructors.len()).filter(|&c| !used.contains(&(d, c))).collect();
            if unused.len() == constructors.len() {
                // One constructor must stay: the one with the fewest fields needs the least.
                let kept = unused.iter().copied().min_by_key(|&c| constructors[c].fields.len());
                unused.retain(|&c| Some(c) != kept);
            }
            all.constructors.extend(unused.iter().map(|&c| (d, c)));
            single.extend(
                unused.iter().map(|&c| Without { constructors: [(d, c)].into_iter().collect(), ..Without::default() }),
            );
        }
    }
    if single.is_empty() {
        return Vec::new();
    }
    let tried = std::iter::once(all).chain(single);
    vec![tried.filter_map(|left_out| without(view, &left_out)).collect()]
}

/// Returns the first datatypes of the declared groups.
fn groups(script: &Script) -> impl Iterator<Item = DatatypeId> {
    script.commands.iter().filter_map(|command| match command {
        Command::DeclareDatatypes(first, _) => Some(*first),
        _ => None,
    })
}

/// Returns the script with other datatypes. All are declared again, since later ones may mention earlier ones.
fn without(view: &mut View<'_>, left_out: &Without) -> Option<ScriptEdit> {
    // A datatype is made by parsing its declaration, which rejects ill-founded ones.
    let sorts: Vec<Command> =
        view.script.commands.iter().filter(|c| matches!(c, Command::DeclareSort(..))).cloned().collect();
    let mut text = view.store.script_text(&Script { commands: sorts });
    let old: Vec<(DatatypeId, Vec<DatatypeId>)> = groups(view.script)
        .map(|first| {
            let members = view.store.datatype_group(first);
            (first, members.filter(|d| !left_out.datatypes.contains(d)).collect())
        })
        .collect();
    for (_, members) in old.iter().filter(|(_, members)| !members.is_empty()) {
        declaration(view.store, members, left_out, &mut text);
    }
    let parsed = smtlib::parse(view.store, &text);
    let mut new = groups(&parsed.script).filter(|_| parsed.errors.is_empty());
    let mut retyping = Retyping::default();
    for (first, members) in &old {
        if members.is_empty() {
            retyping.declarations.insert(*first, None);
            continue;
        }
        let becomes = new.next()?;
        let count = u32::try_from(members.len()).ok()?;
        retyping.declarations.insert(*first, Some(Command::DeclareDatatypes(becomes, count)));
        for (&from, to) in members.iter().zip(view.store.datatype_group(becomes)) {
            if from == to {
                continue;
            }
            retyping.datatypes.insert(from, to);
            let kept = kept(view.store, from, left_out).enumerate();
            retyping.constructors.extend(kept.map(|(position, (c, _))| ((from, c), (to, position))));
        }
    }
    retyping.edit(view)
}

fn kept<'s>(
    store: &'s Store,
    d: DatatypeId,
    left_out: &'s Without,
) -> impl Iterator<Item = (usize, &'s Constructor)> + 's {
    let all = store.datatype(d).constructors.iter().enumerate();
    all.filter(move |&(c, _)| !left_out.constructors.contains(&(d, c)))
}

/// Appends the declaration of a group's remaining datatypes.
fn declaration(store: &Store, members: &[DatatypeId], left_out: &Without, text: &mut String) {
    let names = |text: &mut String, names: &[smtlib::Symbol]| {
        for &name in names {
            text.push(' ');
            quote_symbol(store.name(name), text);
        }
    };
    text.push_str("(declare-datatypes (");
    for &d in members {
        let datatype = store.datatype(d);
        text.push('(');
        names(text, &[datatype.name]);
        text.push_str(&format!(" {})", datatype.params.len()));
    }
    text.push_str(") (");
    for &d in members {
        let params = &store.datatype(d).params;
        if !params.is_empty() {
            text.push_str("(par (");
            names(text, params);
            text.push_str(") ");
        }
        text.push('(');
        for (_, constructor) in kept(store, d, left_out) {
            text.push('(');
            names(text, &[constructor.name]);
            for &(selector, sort) in &constructor.fields {
                text.push_str(" (");
                names(text, &[selector]);
                text.push_str(&format!(" {})", store.sort_text(sort)));
            }
            text.push(')');
        }
        text.push_str(if params.is_empty() { ")" } else { "))" });
    }
    text.push_str("))\n");
}
