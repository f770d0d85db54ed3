//! The types that two seeds share, so that terms of one can be used in the other.

use crate::edit::constructor_names;
use crate::joined::rename::names;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Command, DatatypeId, Dialect, Instance, Printer, Store, Symbol};

/// Declarations of types in the second seed that are replaced by the first seed's.
#[derive(Default)]
pub struct SharedTypes {
    /// The names they declare, with the first seed's names.
    pub names: FxHashMap<Symbol, Symbol>,
    /// The datatypes among them, each by the first of its command.
    datatypes: FxHashSet<DatatypeId>,
}

impl SharedTypes {
    /// Sorts of the second seed become sorts of the first with as many parameters, of the same name if there is one.
    /// Datatypes are shared if both declare them identically.
    pub fn of(store: &Store, first: &Instance, second: &Instance) -> SharedTypes {
        let mut shared = SharedTypes::default();
        let sorts = |instance: &Instance| {
            let sorts = instance.declarations.iter().filter_map(|c| match c {
                Command::DeclareSort(name, arity) => Some((*name, *arity)),
                _ => None,
            });
            sorts.collect::<Vec<_>>()
        };
        // A name is replaced everywhere, so it must mean only the sort.
        let others = second.declarations.iter().filter(|c| !matches!(c, Command::DeclareSort(..))).cloned();
        let others = names(store, &Instance { declarations: others.collect(), ..second.clone() });
        let mut unused = sorts(first);
        let mut open = sorts(second);
        open.retain(|(name, _)| !others.contains(name));
        open.retain(|sort| match unused.iter().position(|known| known == sort) {
            Some(n) => {
                unused.remove(n);
                shared.names.insert(sort.0, sort.0);
                false
            }
            None => true,
        });
        for (name, arity) in open {
            if let Some(n) = unused.iter().position(|known| known.1 == arity) {
                shared.names.insert(name, unused.remove(n).0);
            }
        }
        let dialect = Dialect::default();
        let mut printer = Printer::new(store, &dialect);
        let mut text = |command: &Command| {
            let mut out = String::new();
            printer.command(command, &mut out);
            out
        };
        let is_datatype = |c: &&Command| matches!(c, Command::DeclareDatatypes(..));
        let known: FxHashSet<String> = first.declarations.iter().filter(is_datatype).map(&mut text).collect();
        for command in &second.declarations {
            if let Command::DeclareDatatypes(group, _) = command
                && known.contains(&text(command))
            {
                let declared = store.datatype_group(*group).map(|d| store.datatype(d).name);
                shared.names.extend(constructor_names(store, command).into_iter().chain(declared).map(|n| (n, n)));
                shared.datatypes.insert(*group);
            }
        }
        shared
    }

    /// Whether a declaration of the second seed is dropped, since the first has it.
    pub fn declares(&self, command: &Command) -> bool {
        match command {
            Command::DeclareSort(name, _) => self.names.contains_key(name),
            Command::DeclareDatatypes(group, _) => self.datatypes.contains(group),
            _ => false,
        }
    }
}
