//! The script by which a program is asked about a goal.

use super::{External, GoalLogic};
use crate::incremental_process::{AskedGoal, core_name};
use crate::probes::logic_to_print;
use crate::run::TacticRun;
use rewrite::Goal;
use rewrite::walk::visit;
use rustc_hash::FxHashSet;
use smtlib::{Command, DatatypeId, FuncId, Instance, Printer, Sort, SortId, Store, Symbol, TermId};
use solver::session::SessionNeeds;
use std::borrow::Cow;
use std::fmt::Write;

impl External {
    /// Returns a goal in this solver's input.
    pub(super) fn asked(&self, store: &Store, goal: &Goal, run: &TacticRun) -> AskedGoal {
        let mut printer = Printer::new(store, &self.program.dialect);
        let mut printed = |print: &mut dyn FnMut(&mut Printer<'_>, &mut String)| {
            let mut text = String::new();
            print(&mut printer, &mut text);
            text
        };
        let declarations = declarations(store, goal, run);
        AskedGoal {
            declarations: declarations.iter().map(|c| printed(&mut |printer, text| printer.command(c, text))).collect(),
            formulas: goal.terms().map(|t| printed(&mut |printer, text| printer.term(t, text))).collect(),
        }
    }

    /// Returns the solver's name for a logic that covers a goal.
    pub(super) fn logic<'n>(&self, store: &Store, goal: &Goal, run: &TacticRun, logic: &'n str) -> Cow<'n, str> {
        let needed = || {
            let (declarations, assertions) = (declarations(store, goal, run), goal.terms().collect());
            smtlib::logic::of_instance(store, &Instance { declarations, assertions, ..Instance::default() })
        };
        self.program.dialect.logic(Some(logic), needed).unwrap_or(Cow::Borrowed(logic))
    }

    /// Returns the options for a goal.
    pub(super) fn head(&self, goal: &Goal) -> String {
        let mut text = String::new();
        for (key, value) in &self.options {
            let _ = writeln!(text, "(set-option :{key} {value})");
        }
        if goal.wants.models {
            text.push_str("(set-option :produce-models true)\n");
        }
        if goal.wants.cores {
            text.push_str("(set-option :produce-unsat-cores true)\n");
        }
        text
    }

    pub(super) fn ask_values(&self, store: &Store, terms: &[TermId], text: &mut String) {
        let mut printer = Printer::new(store, &self.program.dialect);
        text.push_str("(get-value (");
        for &t in terms {
            printer.term(t, text);
            text.push(' ');
        }
        text.push_str("))\n");
    }

    /// Returns the goal as a script.
    pub(super) fn text(
        &self,
        store: &Store,
        goal: &Goal,
        run: &TacticRun,
        values: &[TermId],
        logic: GoalLogic,
    ) -> String {
        let mut text = self.head(goal);
        let declarations = declarations(store, goal, run);
        let named = match run.shared.logic {
            Some(name) if goal.depth == 0 => store.name(name).to_string(),
            _ => logic_to_print(store, goal, &declarations),
        };
        let named = if logic == GoalLogic::All { "ALL" } else { &named };
        let _ = writeln!(text, "(set-logic {})", self.logic(store, goal, run, named));
        let mut printer = Printer::new(store, &self.program.dialect);
        for command in &declarations {
            printer.command(command, &mut text);
            text.push('\n');
        }
        for (n, t) in goal.terms().enumerate() {
            text.push_str(if goal.wants.cores { "(assert (! " } else { "(assert " });
            printer.term(t, &mut text);
            match goal.wants.cores {
                true => {
                    let _ = writeln!(text, " :named {}))", core_name(n));
                }
                false => text.push_str(")\n"),
            }
        }
        match &self.tactic {
            Some(tactic) => {
                let _ = writeln!(text, "(check-sat-using {tactic})");
            }
            None => text.push_str("(check-sat)\n"),
        }
        if goal.wants.models {
            text.push_str("(get-model)\n");
        }
        if !values.is_empty() {
            self.ask_values(store, values, &mut text);
        }
        if goal.wants.cores {
            text.push_str("(get-unsat-core)\n");
        }
        text
    }
}

/// Returns the requested features of a goal.
pub(super) fn purpose(goal: &Goal) -> SessionNeeds {
    let mut purpose = SessionNeeds::SINGLE;
    if goal.wants.models {
        purpose = purpose | SessionNeeds::MODELS;
    }
    if goal.wants.cores {
        purpose = purpose | SessionNeeds::CORES;
    }
    purpose
}

/// Returns the declarations of a goal: those of the input, and of symbols that passes added.
pub fn declarations(store: &Store, goal: &Goal, run: &TacticRun) -> Vec<Command> {
    let mut all = run.shared.declarations.clone();
    add_fresh(store, goal.terms(), &mut all);
    all
}

/// Adds the declarations of symbols in `terms` that are missing: sorts and datatypes before all others, functions after.
pub fn add_fresh(store: &Store, terms: impl Iterator<Item = TermId>, all: &mut Vec<Command>) {
    let mut known: FxHashSet<FuncId> = FxHashSet::default();
    let mut sorts: FxHashSet<SortId> = FxHashSet::default();
    let mut names: FxHashSet<Symbol> = FxHashSet::default();
    let mut datatypes: FxHashSet<DatatypeId> = FxHashSet::default();
    for command in all.iter() {
        match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => {
                known.insert(*f);
            }
            Command::DefineFunsRec(fs) => known.extend(fs.iter().copied()),
            Command::DeclareSort(name, _) => {
                names.insert(*name);
            }
            Command::DeclareDatatypes(first, _) => {
                datatypes.insert(*first);
            }
            _ => {}
        }
    }
    let mut before = Vec::new();
    let mut need = |sort: SortId, before: &mut Vec<Command>| {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            if !sorts.insert(sort) {
                continue;
            }
            match store.sorts.get(sort) {
                Sort::Uninterpreted(name, args) if names.insert(*name) => {
                    before.insert(0, Command::DeclareSort(*name, args.len() as u32));
                }
                Sort::Datatype(d, _) if !d.is_built_in() => {
                    let (first, count) = store.datatype(*d).group;
                    if datatypes.insert(first) {
                        before.push(Command::DeclareDatatypes(first, count));
                    }
                }
                _ => {}
            }
            stack.extend(store.sorts.children(sort));
        }
    };
    visit(store, terms, |t| {
        need(store.sort(t), &mut before);
        if let Some(f) = store.op(t).func()
            && store.func(f).is_declared()
            && known.insert(f)
        {
            for &sort in &store.func(f).params {
                need(sort, &mut before);
            }
            all.push(Command::DeclareFun(f));
        }
    });
    all.splice(0..0, before);
}
