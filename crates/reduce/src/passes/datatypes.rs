//! Drops constructors of datatypes that nothing uses.
//!
//! Before: `(declare-datatype T ((a) (b (f Int)) (c)))(assert (= x a))`. After: `(declare-datatype T ((a)))(assert (= x a))`.

use super::{Group, Pass, View};
use crate::plan::{Edit, terms};
use crate::retype::Retyping;
use rustc_hash::FxHashSet;
use smtlib::{Command, DatatypeId, Script, Sort, SortId};

/// The pass.
pub const PASS: Pass = Pass { name: "datatypes", about: "drops unused constructors", group: Group::Single, propose };

fn propose(view: &mut View<'_>) -> Vec<Vec<Edit>> {
    let used: FxHashSet<(DatatypeId, usize)> =
        terms(view.store, view.script).into_iter().filter_map(|t| view.store.op(t).constructor()).collect();
    let mut edits = Vec::new();
    for command in view.script.commands.clone() {
        // One datatype without parameters; groups keep what they have.
        let Command::DeclareDatatypes(d, 1) = command else { continue };
        let count = view.store.datatype(d).constructors.len();
        if !view.store.datatype(d).params.is_empty() || count < 2 {
            continue;
        }
        let unused: Vec<usize> = (0..count).filter(|&c| !used.contains(&(d, c))).collect();
        let all: Vec<Vec<usize>> = std::iter::once(unused.clone()).chain(unused.iter().map(|&c| vec![c])).collect();
        for left_out in all.into_iter().filter(|l| !l.is_empty() && l.len() < count) {
            edits.extend(without(view, d, &left_out));
        }
    }
    vec![edits]
}

fn without(view: &mut View<'_>, d: DatatypeId, left_out: &[usize]) -> Option<Edit> {
    // A datatype is made by reading its declaration; there is no other way to make one, so that none is ill-founded.
    let before: Vec<Command> =
        view.script.commands.iter().filter(|c| matches!(c, Command::DeclareSort(..))).cloned().collect();
    let mut text = view.store.script_text(&Script { commands: before });
    let datatype = view.store.datatype(d).clone();
    let quoted = |name: &str| {
        let mut out = String::new();
        smtlib::printer::quote_symbol(name, &mut out);
        out
    };
    text.push_str(&format!("(declare-datatypes (({} 0)) ((", quoted(view.store.name(datatype.name))));
    let kept = datatype.constructors.iter().enumerate().filter(|(n, _)| !left_out.contains(n));
    for (_, constructor) in kept.clone() {
        text.push_str(&format!("({}", quoted(view.store.name(constructor.name))));
        for &(selector, sort) in &constructor.fields {
            text.push_str(&format!(" ({} {})", quoted(view.store.name(selector)), view.store.sort_text(sort)));
        }
        text.push(')');
    }
    text.push_str(")))");
    let parsed = smtlib::parse(view.store, &text);
    let declaration = parsed.script.commands.last().filter(|_| parsed.errors.is_empty())?.clone();
    let Command::DeclareDatatypes(new, 1) = declaration else { return None };
    let (from, to) = (sort_of(view, d)?, sort_of(view, new)?);
    let mut retyping = Retyping::default();
    retyping.sorts.insert(from, to);
    retyping.constructors = kept.enumerate().map(|(position, (n, _))| ((d, n), (new, position))).collect();
    retyping.declarations.insert(d, declaration);
    retyping.edit(view)
}

fn sort_of(view: &mut View<'_>, d: DatatypeId) -> Option<SortId> {
    Some(view.store.sorts.intern(Sort::Datatype(d, [].into())))
}
