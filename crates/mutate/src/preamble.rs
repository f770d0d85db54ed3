//! The preamble of a set of formulas: logic, options, sorts, datatypes, definitions and declarations.

use crate::mutator::{TargetSpelling, UnnamedLogic};
use semantics::totality::Totality;
use semantics::truth;
use smtlib::printer::quote_symbol;
use smtlib::sort::Sort;
use smtlib::{Command, DatatypeId, FuncBody, FuncId, Instance, Kind, Printer, SortId, Status, Store, Symbol, TermId};

/// The logic of Horn clauses.
pub(crate) const HORN: &str = "HORN";

/// Appends the preamble of `terms`, all of which belong to `instance`, one command per line.
///
/// Only what the terms use is declared. A logic that promises more than a mutant keeps (`HORN`, unless every assertion is a clause) is left out, and
/// only options that `target` knows are kept. If no logic is named and the target requires one, it is the smallest.
pub fn print(store: &Store, instance: &Instance, terms: &[TermId], target: &TargetSpelling, out: &mut String) {
    let mut printer = Printer::new(store, &target.dialect);
    for option in &instance.options {
        if let Command::SetOption(key, value) = option
            && target.keeps_option(key, value)
        {
            printer.command(option, out);
            out.push('\n');
        }
    }
    let logic = match instance.logic {
        Some(logic) if store.name(logic) != HORN || keeps_clauses(store, terms, target) => Some(store.name(logic)),
        _ => inferred_logic(store, instance, terms, target),
    };
    let needed_of_all = || {
        let declarations = needed(store, &instance.declarations, terms).into_iter().cloned().collect();
        let whole = Instance { declarations, assertions: terms.to_vec(), ..Instance::default() };
        smtlib::logic::of_instance(store, &whole)
    };
    if let Some(logic) = target.dialect.logic(logic, needed_of_all) {
        out.push_str("(set-logic ");
        quote_symbol(&logic, out);
        out.push_str(")\n");
    }
    for command in &target.commands {
        out.push_str(command);
        out.push('\n');
    }
    for command in needed(store, &instance.declarations, terms) {
        printer.command(command, out);
        out.push('\n');
    }
}

/// Whether terms are still clauses, for a solver with a logic of them.
fn keeps_clauses(store: &Store, terms: &[TermId], target: &TargetSpelling) -> bool {
    target.takes_all_logics() && !target.lacks_name(HORN) && truth::are_clauses(store, terms)
}

/// Appends a script that asserts `terms` and checks them, one command per line, with their preamble first.
pub fn print_check(store: &Store, instance: &Instance, terms: &[TermId], target: &TargetSpelling, out: &mut String) {
    print(store, instance, terms, target, out);
    let mut printer = Printer::new(store, &target.dialect);
    for &t in terms {
        out.push_str("(assert ");
        printer.term(t, out);
        out.push_str(")\n");
    }
    out.push_str("(check-sat)\n");
}

/// Returns the logic for scripts with these terms, all of which belong to `instance`, for a target that requires one if the seed
/// names none. `None` if the seed names one, the target requires none, or it accepts none that is large enough.
pub fn inferred_logic<'a>(
    store: &Store,
    instance: &Instance,
    terms: &[TermId],
    target: &'a TargetSpelling,
) -> Option<&'a str> {
    let UnnamedLogic::Smallest { accepted } = &target.unnamed_logic else { return None };
    if instance.logic.is_some_and(|logic| store.name(logic) != HORN) {
        return None;
    }
    let declarations = needed(store, &instance.declarations, terms).into_iter().cloned().collect();
    let asked = Instance { declarations, assertions: terms.to_vec(), ..Instance::default() };
    smtlib::logic::smallest(store, &asked, accepted)
}

/// Returns the declarations among `declarations` that `terms` need, in order.
pub fn needed<'d>(store: &Store, declarations: &'d [Command], terms: &[TermId]) -> Vec<&'d Command> {
    let mut uses = Uses::new(store);
    for &t in terms {
        uses.term(t);
    }
    // A definition comes after everything it mentions, so one pass from the last to the first finds all.
    let mut is_kept = |command: &&Command| {
        let is_needed = uses.needs(command);
        if is_needed && let Command::DefineFunsRec(group) = command {
            // Each is printed with all of them.
            for &f in group {
                uses.func(f);
                store.func(f).definition().into_iter().for_each(|(_, body)| uses.term(body));
            }
        }
        is_needed
    };
    let mut kept: Vec<&Command> = declarations.iter().rev().filter(|c| is_kept(c)).collect();
    kept.reverse();
    kept
}

/// The symbols found so far. Tables are indexed by id.
pub(crate) struct Uses<'s> {
    store: &'s Store,
    terms: Vec<bool>,
    funcs: Vec<bool>,
    met: Vec<FuncId>,
    sorts: Vec<bool>,
    sort_names: Vec<bool>,
    datatypes: Vec<DatatypeId>,
    has_heap: bool,
    stack: Vec<TermId>,
}

impl<'s> Uses<'s> {
    pub(crate) fn new(store: &'s Store) -> Uses<'s> {
        Uses {
            store,
            terms: vec![false; store.len()],
            funcs: vec![false; store.func_count()],
            met: Vec::new(),
            sorts: vec![false; store.sorts.len()],
            sort_names: vec![false; store.symbols.len()],
            datatypes: Vec::new(),
            has_heap: false,
            stack: Vec::new(),
        }
    }

    /// Adds everything that occurs in `root`.
    pub(crate) fn term(&mut self, root: TermId) {
        let store = self.store;
        self.has_heap |= truth::mentions_hidden(store, root);
        self.stack.push(root);
        while let Some(t) = self.stack.pop() {
            if std::mem::replace(&mut self.terms[t.index()], true) {
                continue;
            }
            self.sort(store.sort(t));
            let op = store.op(t);
            if let Some(f) = op.func() {
                self.func(f);
            }
            if let Some((d, _)) = op.constructor() {
                self.datatype(d);
            }
            if let Some(b) = op.binder() {
                for &(_, sort) in &store.binder(b).vars {
                    self.sort(sort);
                }
            }
            self.stack.extend_from_slice(store.args(t));
        }
    }

    /// Whether `f` was found.
    pub(crate) fn has_func(&self, f: FuncId) -> bool {
        self.funcs[f.index()]
    }

    /// Returns the functions found.
    pub(crate) fn funcs(&self) -> impl Iterator<Item = FuncId> {
        self.met.iter().copied()
    }

    fn func(&mut self, f: FuncId) {
        if std::mem::replace(&mut self.funcs[f.index()], true) {
            return;
        }
        self.met.push(f);
        let store = self.store;
        let func = store.func(f);
        for &sort in func.params.iter().chain([&func.result]) {
            self.sort(sort);
        }
        if let Some((_, body)) = func.definition() {
            self.stack.push(body);
        }
    }

    fn sort(&mut self, sort: SortId) {
        if std::mem::replace(&mut self.sorts[sort.index()], true) {
            return;
        }
        let store = self.store;
        match store.sorts.get(sort) {
            Sort::Uninterpreted(name, _) => self.sort_names[name.index()] = true,
            Sort::Datatype(d, _) => self.datatype(*d),
            _ => {}
        }
        // Sorts nest no deeper than the reader allows, so recursion is safe.
        for child in store.sorts.children(sort) {
            self.sort(child);
        }
    }

    fn datatype(&mut self, d: DatatypeId) {
        if self.datatypes.contains(&d) {
            return;
        }
        self.datatypes.push(d);
        let store = self.store;
        for constructor in &store.datatype(d).constructors {
            for &(_, sort) in &constructor.fields {
                self.sort(sort);
            }
        }
    }

    /// Whether a found symbol needs a declaration. The symbols of a needed definition are found with it, and the sorts of a heap here.
    fn needs(&mut self, command: &Command) -> bool {
        match command {
            Command::DeclareSort(name, _) => self.has_sort_name(*name),
            // Uses of a defined sort are expanded; nothing mentions its name.
            Command::DefineSort(..) => false,
            Command::DeclareSortParameter(_) | Command::Theory(_) => true,
            Command::DeclareHeap(location, data) => {
                // Its sorts come before it, and need not occur in a term.
                if self.has_heap {
                    self.sort(*location);
                    self.sort(*data);
                }
                self.has_heap
            }
            Command::DeclareDatatypes(first, count) => {
                let members = first.index()..first.index() + *count as usize;
                self.datatypes.iter().any(|d| members.contains(&d.index()))
            }
            Command::DeclareFun(f) | Command::DefineFun(f) => self.has_func(*f),
            Command::DefineFunsRec(funcs) => funcs.iter().any(|f| self.has_func(*f)),
            _ => false,
        }
    }

    fn has_sort_name(&self, name: Symbol) -> bool {
        self.sort_names[name.index()]
    }
}

/// Whether an instance's assertions are unsatisfiable according to its status. Excluded are instances with a recursive definition that is
/// not proven total, which may be the reason but is left out of mutants that do not need it, or with unknown commands, which the status
/// may be about.
pub(crate) fn is_labelled_unsat(store: &Store, instance: &Instance) -> bool {
    instance.status == Some(Status::Unsat)
        && !instance.incomplete
        && truth::unproven(store, &instance.declarations).is_none()
}

/// For every term, whether it needs a recursive definition that is not proven total, also through other definitions.
/// Fragments that do are left out.
pub(crate) fn needs_unproven(store: &Store, declarations: &[Command]) -> Vec<bool> {
    let mut totality = Totality::default();
    let mut proven = vec![false; store.func_count()];
    for declaration in declarations {
        // The functions of one command are treated together, since it is printed as a whole.
        if let Command::DefineFunsRec(funcs) = declaration
            && totality.is_proven(store, declaration)
        {
            funcs.iter().for_each(|f| proven[f.index()] = true);
        }
    }
    let mut tainted = vec![false; store.len()];
    // Children come before parents and bodies before the applications of what they define, so one pass in order is enough.
    for n in 0..store.len() {
        let t = TermId::from_index(n);
        let own = store.op(t).func().is_some_and(|f| match &store.func(f).body {
            FuncBody::Declared | FuncBody::Relation => false,
            FuncBody::Defined { body, .. } => tainted[body.index()],
            FuncBody::Recursive { .. } => !proven[f.index()],
        });
        tainted[n] = own || store.args(t).iter().any(|a| tainted[a.index()]);
    }
    tainted
}

/// Whether a term is a literal `true` or `false`.
pub(crate) fn is_truth_constant(store: &Store, t: TermId) -> bool {
    matches!(store.kind(t), Kind::True | Kind::False)
}
