//! Skeletons: the Boolean structure and the quantifiers of one seed, filled with atoms of another. The family of HistFuzz
//! (Sun, Yang, Yang, Wang, Zhang, ICSE 2023).
//!
//! Before: `(assert (forall ((v Int)) (or (< v x) (= x 7))))` and `(assert (>= (* a a) b))`. After: `(assert (forall
//! ((v Int)) (or (>= (* v v) x) (= x 7))))`, or its negation if the assignment makes that true.

mod atom;
mod draw;
mod fill;
pub mod hole;

pub use draw::SkeletonDraw;

use crate::edit::{EditBatch, EditConfig, FormulaSource, GuardUse, PARAMETERS, PrintedTree, SeedFormula, unfolded};
use crate::joined::{JoinedSeeds, TypeUse};
use crate::mutator::{Batch, MutantRequest, Mutator, MutatorEntry, TargetSpelling, Unfit};
use crate::mutators::generative::{ExpressionGrammar, SIGNATURES};
use crate::parameter::{parameters, percent};
use crate::preamble::{self, Uses};
use crate::rng::RandomStream;
use atom::{Atom, atoms};
use draw::{DrawOdds, Skeleton};
use fill::{Filler, Ranks};
use hole::holes;
use smtlib::{Instance, Printer, SortId, Store, TermId};
use std::sync::Arc;

/// The entry of skeletons.
pub const ENTRY: MutatorEntry = MutatorEntry {
    name: "skeleton",
    about: "fills the Boolean structure of one seed with atoms of another",
    truth: "sat, certified by both assignments; or differential",
    parents: 2,
    makes_small_worlds: false,
    share: 1,
    parameters: || OWN.beside(&PARAMETERS),
    build: |settings| Ok(Box::new(OWN.with_shared(ENTRY.name, settings, &PARAMETERS, |c| &mut c.config)?)),
};

/// Atoms of the second seed that a unit uses, at most: a mutant declares the symbols of all of them.
const MAX_GUESTS: usize = 60;

parameters! { OWN of
    /// The skeleton mutator.
    #[derive(Clone, Debug)]
    SkeletonMutator;

    /// Its parameters.
    config: EditConfig = EditConfig::default();
    filled: u32 = 50 => percent("filled") "percent of an assertion's atoms that are replaced when it changes";
    fresh: u32 = 20 => percent("fresh") "percent of new atoms that an operator makes from the first seed's expressions";
    second: u32 = 60 => percent("second") "percent of the others that are the second seed's";
    shared: u32 = 70 => percent("shared") "percent of the second seed's symbols that become symbols of the first";
    bound: u32 = 40 => percent("bound") "percent of an atom's constants that become variables bound where it is put";
    negated: u32 = 70 => percent("negated") "percent of false assertions for which an atom is negated first";
}

impl SkeletonMutator {
    /// Returns the batch of a unit, with its concrete type.
    /// Errors: [`Unfit`] if the seeds cannot be renamed apart, or the first has no atom that can be replaced.
    pub fn batch<'s>(
        &self,
        store: &'s mut Store,
        request: MutantRequest<'s>,
    ) -> Result<EditBatch<'s, SkeletonDraw<'s>>, Unfit> {
        let [first, second] = request.parents else {
            return Err(Unfit::Parents { expected: ENTRY.parents, given: request.parents.len() });
        };
        let mut rng = request.unit.stream();
        store.symbols.intern("ALL");
        let joined = JoinedSeeds::new(store, [first, second], TypeUse::Shared)?;
        let assigned = joined.assignment(store, self.config.assignment, &mut rng);
        let [first, second] = joined.parents().map(|parent| &parent.instance);
        let mut instance = first.clone();
        instance.declarations.extend(second.declarations.iter().cloned());
        instance.logic = if first.logic == second.logic { first.logic } else { store.symbols.get("ALL") };
        let guests = guests(store, &instance, second, request.target, &mut rng);
        let guest_terms: Vec<TermId> = guests.iter().map(|atom| atom.term).collect();
        let (model, assignment) = (Arc::new(assigned.model), assigned.source);
        let source = FormulaSource { instance: &instance, guests: &guest_terms, model, assignment };
        let formula = SeedFormula::of(store, source, request.target, &self.config);
        let draw = self.draw(store, &formula, guests, request.target, &mut rng)?;
        let settings = PARAMETERS.settings(&self.config).into_iter().chain(OWN.settings(self)).collect();
        Ok(EditBatch::of(store, formula, draw, &self.config, request.unit, settings))
    }

    /// Returns the skeletons of a formula, and their fillings: its own atoms and those of the guests.
    fn draw<'d>(
        &self,
        store: &mut Store,
        formula: &SeedFormula,
        guests: Vec<Atom>,
        target: &'d TargetSpelling,
        rng: &mut RandomStream,
    ) -> Result<SkeletonDraw<'d>, Unfit> {
        let trees = || formula.lines.iter().enumerate().filter_map(|(line, l)| Some((line, l.tree()?)));
        let skeletons: Vec<Skeleton> = trees()
            .map(|(line, tree)| Skeleton { line, holes: holes(store, tree) })
            .filter(|skeleton| !skeleton.holes.is_empty())
            .collect();
        if skeletons.is_empty() {
            return Err(Unfit::Nothing("no assertion of the first seed has an atom that can be replaced"));
        }
        let own = atoms(store, trees().map(|(_, tree)| tree), &target.dialect);
        let mut grammar = ExpressionGrammar::new(store, formula, &SIGNATURES.built_in().data, 20, target, rng);
        grammar.keep_atoms();
        // The functions of the formula, which its preamble declares.
        let mut uses = Uses::new(store);
        formula.lines.iter().filter(|l| !l.is_unproven).for_each(|l| uses.term(l.term));
        let odds = DrawOdds {
            filled: self.filled,
            fresh: if grammar.makes(SortId::BOOL) { self.fresh } else { 0 },
            second: self.second,
            negated: self.negated,
        };
        let filler = Filler {
            ranks: Ranks::new(store, uses.funcs()),
            shared: self.shared,
            bound: self.bound,
            // The guards that make a world small are those of the first seed's symbols.
            shares_all: self.config.guards == GuardUse::Keep,
        };
        Ok(SkeletonDraw { skeletons, atoms: [own, guests], filler, grammar, odds })
    }
}

impl Mutator for SkeletonMutator {
    fn entry(&self) -> &'static MutatorEntry {
        &ENTRY
    }

    fn prepare<'s>(&self, store: &'s mut Store, request: MutantRequest<'s>) -> Result<Box<dyn Batch + 's>, Unfit> {
        Ok(Box::new(self.batch(store, request)?))
    }
}

/// Returns some atoms of the second seed that certified mutants may hold, too.
fn guests(
    store: &mut Store,
    joined: &Instance,
    second: &Instance,
    target: &TargetSpelling,
    rng: &mut RandomStream,
) -> Vec<Atom> {
    let assertions = unfolded(store, second);
    let unproven = preamble::needs_unproven(store, &joined.declarations);
    let mut printer = Printer::new(store, &target.dialect);
    let proven = assertions.into_iter().filter(|t| !unproven[t.index()]);
    let trees: Vec<PrintedTree> = proven
        .filter_map(|t| {
            let mut text = String::new();
            printer.term(t, &mut text);
            PrintedTree::new(store, t, text)
        })
        .collect();
    let mut guests = atoms(store, trees.iter(), &target.dialect);
    rng.shuffle(&mut guests);
    guests.truncate(MAX_GUESTS);
    guests.iter_mut().for_each(|atom| atom.is_guest = true);
    guests
}
