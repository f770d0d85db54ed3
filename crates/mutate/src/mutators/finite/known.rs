//! Operators of theories as data, also of two that solvers have: on the rows of relations and tables, and on numbers of true formulas.

use crate::theory_file;
use smtlib::{Command, FuncId, Scope, SortId, Store, parse_commands};
use std::sync::LazyLock;

/// The rows of relations and tables in cvc5.
pub(super) static ROWS: LazyLock<String> = LazyLock::new(|| shipped(include_str!("../../../data/theories/rows.toml")));
/// Cardinalities and sums of formulas in z3.
pub(super) static CARDINALITIES: LazyLock<String> =
    LazyLock::new(|| shipped(include_str!("../../../data/theories/pseudo-booleans.toml")));

fn shipped(file: &str) -> String {
    theory_file::read(file).unwrap_or_default()
}

/// A theory as data in a store.
pub(super) struct KnownTheory {
    /// The command that declares it.
    pub declarations: Vec<Command>,
    /// The sorts that it declares.
    pub own: Vec<SortId>,
    /// These, and those of its operators' arguments and results.
    pub sorts: Vec<SortId>,
    /// Its operators.
    pub operators: Vec<FuncId>,
}

impl KnownTheory {
    /// Reads the command that declares a theory; `None` if it is not one without errors.
    pub(super) fn read(store: &mut Store, command: &str) -> Option<KnownTheory> {
        let mut scope = Scope::new(store);
        let parsed = parse_commands(store, &mut scope, command);
        let declarations = parsed.script.commands;
        if !parsed.errors.is_empty() || !matches!(declarations[..], [Command::Theory(_)]) {
            return None;
        }
        let (own, operators) = scope.theory(store);
        let mut sorts = own.clone();
        for &sort in operators.iter().flat_map(|&f| store.func(f).params.iter().chain([&store.func(f).result])) {
            if sort != SortId::BOOL && !sorts.contains(&sort) {
                sorts.push(sort);
            }
        }
        Some(KnownTheory { declarations, own, sorts, operators })
    }
}
