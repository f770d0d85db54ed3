//! Edits of scripts, and plans that apply several of them at once.

use crate::rebuild::{Changes, NodeChange, Rebuilder};
use rustc_hash::FxHashMap;
use smtlib::{Command, Func, FuncBody, FuncId, Script, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// One change of a script. Any edits of one batch can be combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptEdit {
    /// Drop these commands, by number.
    Drop(Vec<usize>),
    /// Replace a command by others.
    Command(usize, Vec<Command>),
    /// Replace a term by another of the same sort, wherever it occurs.
    Replace(TermId, TermId),
    /// Replace one argument of a term, wherever the term occurs.
    Argument(TermId, u32, TermId),
    /// Drop some arguments of an application, wherever it occurs.
    DropArguments(TermId, Vec<u32>),
    /// Replace a function by another of the same rank, including its declaration.
    Function(FuncId, FuncId),
    /// Declare a function, before everything that may mention it.
    Declare(FuncId),
    /// All of these edits, or none.
    All(Vec<ScriptEdit>),
    /// Replace the whole script; cannot be combined with other edits.
    Script(Script),
}

/// Several edits of one script.
#[derive(Clone, Default, Debug)]
pub struct EditPlan {
    dropped: BTreeSet<usize>,
    commands: BTreeMap<usize, Vec<Command>>,
    declared: Vec<FuncId>,
    changes: Changes,
    script: Option<Script>,
}

impl EditPlan {
    /// Makes a plan. If edits conflict, the first applies.
    pub fn new<'e>(edits: impl IntoIterator<Item = &'e ScriptEdit>) -> EditPlan {
        let mut plan = EditPlan::default();
        for edit in edits {
            plan.add(edit);
        }
        plan
    }

    fn add(&mut self, edit: &ScriptEdit) {
        match edit {
            ScriptEdit::Drop(commands) => self.dropped.extend(commands),
            ScriptEdit::Command(n, commands) => {
                self.commands.entry(*n).or_insert_with(|| commands.clone());
            }
            ScriptEdit::Replace(old, new) => {
                self.changes.nodes.insert(*old, NodeChange::Replace(*new));
            }
            ScriptEdit::Argument(parent, n, new) => {
                if let NodeChange::Args { put, .. } = self.args_of(*parent) {
                    put.push((*n, *new));
                }
            }
            ScriptEdit::DropArguments(parent, list) => {
                if let NodeChange::Args { drop, .. } = self.args_of(*parent) {
                    drop.extend(list);
                    drop.sort_unstable();
                    drop.dedup();
                }
            }
            ScriptEdit::Function(old, new) => {
                self.changes.functions.insert(*old, *new);
            }
            ScriptEdit::Declare(f) => self.declared.push(*f),
            ScriptEdit::All(edits) => edits.iter().for_each(|e| self.add(e)),
            ScriptEdit::Script(script) => self.script = Some(script.clone()),
        }
    }

    fn args_of(&mut self, parent: TermId) -> &mut NodeChange {
        let fresh = || NodeChange::Args { drop: Vec::new(), put: Vec::new() };
        self.changes.nodes.entry(parent).or_insert_with(fresh)
    }

    /// Applies the plan to a script. Also drops declarations that became unused.
    pub fn apply(&self, store: &mut Store, script: &Script) -> Script {
        if let Some(script) = &self.script {
            return script.clone();
        }
        let mut rebuilder = Rebuilder::new(&self.changes);
        let mut commands = Vec::with_capacity(script.commands.len());
        for (n, command) in script.commands.iter().enumerate() {
            if self.dropped.contains(&n) {
                continue;
            }
            match self.commands.get(&n) {
                Some(others) => commands.extend(others.iter().map(|c| rebuilt(store, &mut rebuilder, c))),
                None => commands.push(rebuilt(store, &mut rebuilder, command)),
            }
        }
        // Sorts and datatypes come before all functions; a new function is inserted after the last of them.
        let at = commands.iter().rposition(is_prelude).map_or(0, |n| n + 1);
        commands.splice(at..at, self.declared.iter().map(|&f| Command::DeclareFun(f)));
        let mut new = Script { commands };
        without_orphans(store, script, &mut new);
        new
    }
}

fn is_prelude(command: &Command) -> bool {
    matches!(
        command,
        Command::SetLogic(_)
            | Command::SetOption(..)
            | Command::Theory(_)
            | Command::DeclareSort(..)
            | Command::DeclareDatatypes(..)
            | Command::DeclareSortParameter(_)
            | Command::DefineSort(..)
    )
}

fn rebuilt(store: &mut Store, rebuilder: &mut Rebuilder<'_>, command: &Command) -> Command {
    let mut all = |store: &mut Store, terms: &[TermId]| terms.iter().map(|&t| rebuilder.term(store, t)).collect();
    match command {
        Command::Assert(t, name) => Command::Assert(rebuilder.term(store, *t), *name),
        Command::Extension(name, t, attributes) => {
            Command::Extension(name.clone(), rebuilder.term(store, *t), attributes.clone())
        }
        Command::Rule(t, by, name) => Command::Rule(rebuilder.term(store, *t), *by, name.clone()),
        Command::CheckSatAssuming(terms) => Command::CheckSatAssuming(all(store, terms)),
        Command::GetValue(terms) => Command::GetValue(all(store, terms)),
        Command::DeclareFun(f) => Command::DeclareFun(rebuilder.function(*f)),
        Command::DefineFun(f) => {
            let g = rebuilder.function(*f);
            let func = store.func(g).clone();
            let FuncBody::Defined { vars, body } = func.body.clone() else { return Command::DefineFun(g) };
            let new = rebuilder.term(store, body);
            if new == body {
                return Command::DefineFun(g);
            }
            let changed = store.declare(Func { body: FuncBody::Defined { vars, body: new }, ..func });
            rebuilder.map_function(*f, changed);
            Command::DefineFun(changed)
        }
        Command::DefineFunsRec(funcs) => Command::DefineFunsRec(regrouped(store, rebuilder, funcs)),
        other => other.clone(),
    }
}

/// Returns the functions of a recursive group with rebuilt bodies; the group itself if nothing changed.
fn regrouped(store: &mut Store, rebuilder: &mut Rebuilder<'_>, funcs: &[FuncId]) -> Box<[FuncId]> {
    let definition = |f: &FuncId| store.func(*f).definition().map(|(vars, body)| (Box::from(vars), body));
    let old: Option<Vec<(Box<[_]>, TermId)>> = funcs.iter().map(definition).collect();
    let Some(old) = old else { return funcs.into() };
    if old.iter().all(|(_, body)| rebuilder.term(store, *body) == *body) {
        return funcs.into();
    }
    let mut group = Vec::with_capacity(funcs.len());
    for &f in funcs {
        let func = store.func(f).clone();
        group.push(store.reserve_recursive(func.name, func.params, func.result));
    }
    map_all(rebuilder, funcs, &group);
    let new = old.into_iter().map(|(vars, body)| (vars, rebuilder.term(store, body))).collect();
    let group = store.define_recursive(&group, new);
    map_all(rebuilder, funcs, &group);
    group
}

fn map_all(rebuilder: &mut Rebuilder<'_>, old: &[FuncId], new: &[FuncId]) {
    old.iter().zip(new).for_each(|(&f, &g)| rebuilder.map_function(f, g));
}

/// Drops the declarations of functions that occur in `old` and not in `new`.
fn without_orphans(store: &Store, old: &Script, new: &mut Script) {
    let before = occurrences(store, old);
    let after = occurrences(store, new);
    let orphan = |f: FuncId| before.contains_key(&f) && !after.contains_key(&f);
    new.commands.retain(|command| match command {
        Command::DeclareFun(f) | Command::DefineFun(f) => !orphan(*f),
        _ => true,
    });
}

/// Returns the functions that occur outside of their own declarations, with the number of nodes.
pub fn occurrences(store: &Store, script: &Script) -> FxHashMap<FuncId, usize> {
    functions_in(store, &roots(store, script))
}

/// Returns the functions that occur in terms, with the number of nodes.
pub fn functions_in(store: &Store, roots: &[TermId]) -> FxHashMap<FuncId, usize> {
    let mut found: FxHashMap<FuncId, usize> = FxHashMap::default();
    for t in terms_of(store, roots) {
        if let Some(f) = store.op(t).func() {
            *found.entry(f).or_default() += 1;
        }
    }
    found
}

/// Returns the terms of a script's commands, including bodies of definitions.
pub fn roots(store: &Store, script: &Script) -> Vec<TermId> {
    let mut list = Vec::new();
    for command in &script.commands {
        match command {
            Command::Assert(t, _) | Command::Extension(_, t, _) | Command::Rule(t, ..) => list.push(*t),
            // Only its relation is printed.
            Command::Derive(goal) => list.push(*goal),
            Command::CheckSatAssuming(terms) | Command::GetValue(terms) => list.extend_from_slice(terms),
            Command::DefineFun(f) => list.extend(store.func(*f).definition().map(|d| d.1)),
            Command::DefineFunsRec(funcs) => {
                list.extend(funcs.iter().filter_map(|&f| store.func(f).definition()).map(|d| d.1));
            }
            _ => {}
        }
    }
    list
}

/// Returns every term of a script once, breadth first from the roots.
pub fn terms(store: &Store, script: &Script) -> Vec<TermId> {
    terms_of(store, &roots(store, script))
}

fn terms_of(store: &Store, roots: &[TermId]) -> Vec<TermId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut list: Vec<TermId> = roots.iter().copied().filter(|t| seen.insert(*t)).collect();
    let mut next = 0;
    while let Some(&t) = list.get(next) {
        next += 1;
        list.extend(store.args(t).iter().filter(|a| seen.insert(**a)));
    }
    list
}

/// Returns the terms of a script by their distance from the roots.
pub fn levels(store: &Store, script: &Script) -> Vec<Vec<TermId>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut level: Vec<TermId> = roots(store, script).into_iter().filter(|t| seen.insert(*t)).collect();
    let mut all = Vec::new();
    while !level.is_empty() {
        let next: Vec<TermId> =
            level.iter().flat_map(|&t| store.args(t).iter().copied()).filter(|a| seen.insert(*a)).collect();
        all.push(std::mem::replace(&mut level, next));
    }
    all
}
