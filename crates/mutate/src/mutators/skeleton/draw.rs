//! The holes of an assertion to fill, and their fillings.

use crate::edit::{DrawChange, PrintedTree, Replacement, SeedFormula, TextEdit};
use crate::mutators::generative::{ExpressionGrammar, NewTerm};
use crate::mutators::skeleton::atom::Atom;
use crate::mutators::skeleton::fill::Filler;
use crate::rng::RandomStream;
use smtlib::{SortId, Store};

/// How often a filling is redrawn if it does not fit or is already there.
const MAX_REDRAWS: u32 = 6;

/// How many holes of an assertion are filled at once, at most.
const MAX_FILLED: usize = 32;

/// The sources of atoms, with probabilities in percent.
#[derive(Clone, Copy)]
pub(super) struct DrawOdds {
    /// The filled ones among the holes of an assertion.
    pub filled: u32,
    /// New atoms, among all.
    pub fresh: u32,
    /// Atoms of the second seed, among those of the seeds.
    pub second: u32,
    /// False assertions for which the negation of an atom is tried.
    pub negated: u32,
}

/// The holes of one assertion.
pub(super) struct Skeleton {
    /// The number of the assertion.
    pub line: usize,
    /// Their places.
    pub holes: Vec<u32>,
}

/// The skeletons of the first seed, and their fillings.
pub struct SkeletonDraw<'d> {
    pub(super) skeletons: Vec<Skeleton>,
    /// The atoms of the first seed and of the second.
    pub(super) atoms: [Vec<Atom>; 2],
    pub(super) filler: Filler,
    pub(super) grammar: ExpressionGrammar<'d>,
    pub(super) odds: DrawOdds,
}

impl DrawChange for SkeletonDraw<'_> {
    fn draw(
        &mut self,
        store: &mut Store,
        formula: &SeedFormula,
        rng: &mut RandomStream,
        edits: &mut Vec<TextEdit>,
    ) -> Option<usize> {
        let skeleton = rng.pick(&self.skeletons)?;
        let tree = formula.lines[skeleton.line].tree()?;
        let surely = rng.index(skeleton.holes.len());
        for (n, &hole) in skeleton.holes.iter().enumerate() {
            if edits.len() < MAX_FILLED && (n == surely || rng.percent(self.odds.filled)) {
                edits.extend(self.edit(store, tree, hole, rng));
            }
        }
        Some(skeleton.line)
    }

    fn negates(&self) -> bool {
        self.odds.negated > 0
    }

    fn negated(&mut self, store: &mut Store, edit: &TextEdit, rng: &mut RandomStream) -> Option<TextEdit> {
        let Replacement::Whole(term) = edit.change else { return None };
        if !rng.percent(self.odds.negated) {
            return None;
        }
        let text = format!("(not {})", edit.text);
        Some(TextEdit { change: Replacement::Whole(store.not(term)), text, ..*edit })
    }
}

impl SkeletonDraw<'_> {
    /// Fills one hole.
    fn edit(&self, store: &mut Store, tree: &PrintedTree, hole: u32, rng: &mut RandomStream) -> Option<TextEdit> {
        let (scope, old) = (tree.scope(hole), tree.place(hole).term);
        for _ in 0..MAX_REDRAWS {
            let new = if rng.percent(self.odds.fresh) {
                self.grammar.draw(store, SortId::BOOL, scope, rng)
            } else {
                let n = usize::from(rng.percent(self.odds.second));
                // If one seed has no atoms, the other's are used.
                let n = if self.atoms[n].is_empty() { 1 - n } else { n };
                let atom = rng.pick(&self.atoms[n]);
                atom.and_then(|atom| self.filler.fill(store, atom, scope, rng))
            };
            if let Some(NewTerm { term, text, features }) = new.filter(|new| new.term != old) {
                return Some(TextEdit { place: hole, change: Replacement::Whole(term), text, features });
            }
        }
        None
    }
}
