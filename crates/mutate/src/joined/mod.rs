//! Two seeds in one store: with disjoint names, in one scope, under one assignment.

mod rename;
mod types;

use crate::assignment::{self, AssignmentKind, AssignmentSource};
use crate::edit::names_extension;
use crate::mutator::{Parent, Unfit};
use crate::preamble;
use crate::rng::RandomStream;
use rename::Renamed;
use semantics::Model;
use smtlib::{Command, Instance, Printer, Scope, Store, TermId, parse_commands};
use types::SharedTypes;

/// Two seeds that share only names of theories.
pub(crate) struct JoinedSeeds {
    /// The first. It keeps its names, unless one belongs to some solver's own theory.
    pub first: Parent,
    /// The second, under other names.
    pub second: Renamed,
    /// The declarations of both.
    pub scope: Scope,
}

/// An assignment for both seeds.
pub(crate) struct JoinedAssignment {
    /// The assignment.
    pub model: Model,
    /// Where that of the first seed came from.
    pub source: AssignmentSource,
    /// For every term, whether certified mutants may contain it.
    pub proven: Vec<bool>,
}

/// Whether terms of one seed can be used among terms of the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeUse {
    /// The declared types of both stay distinct.
    Apart,
    /// Declared sorts and datatypes of the second become those of the first if they are alike.
    Shared,
}

impl JoinedSeeds {
    /// Renames the second seed apart from the first.
    /// Errors: [`Unfit`] if the declarations of one do not parse again.
    pub fn new(store: &mut Store, parents: [&Parent; 2], types: TypeUse) -> Result<JoinedSeeds, Unfit> {
        let apart = SharedTypes::default();
        let unreadable =
            || Unfit::Nothing("the declarations of the seeds do not parse again, so they cannot be renamed apart");
        let [first, second] = parents;
        let first = if names_extension(store, &first.instance) {
            // Mutants of two seeds often need the logic `ALL`, where such a name could belong to a solver's own theory.
            let mut scope = Scope::new(store);
            rename::apart(store, &mut scope, first, &apart).ok_or_else(unreadable)?.parent
        } else {
            first.clone()
        };
        if types == TypeUse::Shared {
            let shared = SharedTypes::of(store, &first.instance, &second.instance);
            let mut scope = declared(store, &first.instance).ok_or_else(unreadable)?;
            if let Some(second) = rename::apart(store, &mut scope, second, &shared) {
                return Ok(JoinedSeeds { first, second, scope });
            }
        }
        let mut scope = declared(store, &first.instance).ok_or_else(unreadable)?;
        let second = rename::apart(store, &mut scope, second, &apart).ok_or_else(unreadable)?;
        Ok(JoinedSeeds { first, second, scope })
    }

    /// Returns both parents.
    pub fn parents(&self) -> [&Parent; 2] {
        [&self.first, &self.second.parent]
    }

    /// Draws an assignment for each and joins them.
    pub fn assignment(&self, store: &mut Store, kind: AssignmentKind, rng: &mut RandomStream) -> JoinedAssignment {
        let parents = self.parents();
        let declarations: Vec<Command> = parents.iter().flat_map(|p| p.instance.declarations.iter().cloned()).collect();
        let proven: Vec<bool> = preamble::needs_unproven(store, &declarations).into_iter().map(|u| !u).collect();
        let [first, second] = parents.map(|parent| {
            let assertions: Vec<TermId> =
                parent.instance.assertions.iter().copied().filter(|t| proven[t.index()]).collect();
            assignment::choose(store, parent, &assertions, u32::MAX, kind, rng)
        });
        let model = rename::union(store, &first.model, &second.model, &self.second);
        JoinedAssignment { model, source: first.source, proven }
    }
}

/// Returns a scope with the declarations of the first parent.
fn declared(store: &mut Store, instance: &Instance) -> Option<Scope> {
    let mut text = String::new();
    {
        let dialect = smtlib::Dialect::default();
        let mut printer = Printer::new(store, &dialect);
        for command in &instance.declarations {
            printer.command(command, &mut text);
            text.push('\n');
        }
    }
    let mut scope = Scope::new(store);
    parse_commands(store, &mut scope, &text).errors.is_empty().then_some(scope)
}
