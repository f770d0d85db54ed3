//! The infinite parts of a seed: its symbols, and an assignment with values worth keeping.

use crate::assignment::{self, AssignmentKind, ValueGenerator};
use crate::edit;
use crate::mutator::GivenModel;
use crate::mutator::{Parent, Unfit};
use crate::preamble::{self, Uses};
use crate::rng::RandomStream;
use semantics::Model;
use smtlib::{Command, FuncId, Instance, Sort, SortId, Store, TermId};
use std::sync::Arc;

/// The common basis of a seed's mutants.
pub(super) struct ShrinkSeed {
    /// The declarations and assertions of the check.
    pub instance: Instance,
    /// The declared constants that occur, in order.
    pub constants: Vec<(FuncId, TermId)>,
    /// The declared functions with arguments that occur, in order.
    pub functions: Vec<FuncId>,
    /// The assignment whose values are often kept.
    pub model: Arc<Model>,
    /// A source of values that includes those written in the seed.
    pub values: ValueGenerator,
    /// Features that neither the logic grants nor the seed needs.
    pub refused: u32,
    /// Whether the seed must keep its logic: in `ALL` one of its names would mean something else.
    pub keeps_logic: bool,
}

impl ShrinkSeed {
    /// Examines a seed and draws an assignment.
    /// Errors: [`Unfit`] if not all of the seed is understood, or one of its recursive definitions is not proven total.
    pub fn new(store: &mut Store, parent: &Parent, rng: &mut RandomStream) -> Result<ShrinkSeed, Unfit> {
        let instance = &parent.instance;
        if instance.incomplete {
            return Err(Unfit::Nothing("the seed has commands that are not understood"));
        }
        if instance.assertions.is_empty() {
            return Err(Unfit::Nothing("the seed asserts nothing"));
        }
        let unproven = preamble::needs_unproven(store, &instance.declarations);
        if instance.assertions.iter().any(|t| unproven[t.index()]) {
            return Err(Unfit::Nothing("a recursive definition of the seed is not proven total"));
        }
        let (mut found, mut functions) = (Vec::new(), Vec::new());
        let mut uses = Uses::new(store);
        instance.assertions.iter().for_each(|&t| uses.term(t));
        for command in &instance.declarations {
            match command {
                Command::DeclareFun(f) if uses.has_func(*f) => match store.func(*f).params.is_empty() {
                    true => found.push(*f),
                    false => functions.push(*f),
                },
                _ => {}
            }
        }
        let constants = found.into_iter().filter_map(|f| Some((f, store.constant_of(f).ok()?))).collect();
        let kind = match parent.given {
            GivenModel::Nothing => AssignmentKind::Search,
            GivenModel::Assignment(_) | GivenModel::Trusted(..) => AssignmentKind::Model,
        };
        let model = assignment::choose(store, parent, &instance.assertions, u32::MAX, kind, rng).model;
        let values = assignment::constants(store, &instance.assertions);
        let logic = instance.logic.map_or("ALL", |logic| store.name(logic));
        let refused = edit::refused(logic) & !edit::needs(store, &instance.declarations, &instance.assertions);
        let keeps_logic = edit::names_extension(store, instance);
        let instance = instance.clone();
        Ok(ShrinkSeed { instance, constants, functions, model, values, refused, keeps_logic })
    }

    /// Returns the uninterpreted sorts that constants have, in order, each with its constants.
    pub fn universes(&self, store: &Store) -> Vec<(SortId, Vec<TermId>)> {
        let mut found: Vec<(SortId, Vec<TermId>)> = Vec::new();
        for &(_, constant) in &self.constants {
            let sort = store.sort(constant);
            if !matches!(store.sorts.get(sort), Sort::Uninterpreted(..)) {
                continue;
            }
            match found.iter_mut().find(|(known, _)| *known == sort) {
                Some((_, constants)) => constants.push(constant),
                None => found.push((sort, vec![constant])),
            }
        }
        found
    }
}
