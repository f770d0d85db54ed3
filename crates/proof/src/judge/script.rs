//! A claim as a script that anyone can check: satisfiable if the claim is wrong.

use rustc_hash::FxHashSet;
use smtlib::{Command, FuncBody, FuncId, Script, Store, TermId};

/// Lists the symbols of formulas and of the definitions that they use, in order of declaration.
pub(super) fn symbols(store: &Store, formulas: &[TermId]) -> Vec<FuncId> {
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut found: FxHashSet<FuncId> = FxHashSet::default();
    let mut stack = formulas.to_vec();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Some(f) = store.op(t).func()
            && found.insert(f)
        {
            stack.extend(store.func(f).definition().map(|(_, body)| body));
        }
        stack.extend_from_slice(store.args(t));
    }
    let mut list: Vec<FuncId> = found.into_iter().collect();
    list.sort_unstable();
    list
}

/// Returns the declarations of a problem that formulas need, and those of further constants.
pub(super) fn declarations(store: &Store, declarations: &[Command], formulas: &[TermId]) -> Vec<Command> {
    let needed: FxHashSet<FuncId> = symbols(store, formulas).into_iter().collect();
    let mut declared: FxHashSet<FuncId> = FxHashSet::default();
    let mut kept: Vec<Command> = Vec::new();
    for command in declarations {
        let is_needed = match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => {
                declared.insert(*f);
                needed.contains(f)
            }
            Command::DefineFunsRec(funcs) => {
                declared.extend(funcs.iter().copied());
                funcs.iter().any(|f| needed.contains(f))
            }
            _ => true,
        };
        if is_needed {
            kept.push(command.clone());
        }
    }
    let mut others: Vec<FuncId> = needed.into_iter().filter(|f| !declared.contains(f)).collect();
    others.sort_unstable();
    kept.extend(others.into_iter().map(|f| match store.func(f).body {
        FuncBody::Declared | FuncBody::Relation => Command::DeclareFun(f),
        _ => Command::DefineFun(f),
    }));
    kept
}

/// Returns the script.
pub(super) fn text(store: &mut Store, declarations: Vec<Command>, formulas: &[TermId]) -> String {
    let logic = store.symbols.intern("ALL");
    let mut commands = vec![Command::SetLogic(logic)];
    commands.extend(declarations);
    commands.extend(formulas.iter().map(|&t| Command::Assert(t, None)));
    commands.push(Command::CheckSat);
    store.script_text(&Script { commands })
}
