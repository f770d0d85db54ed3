//! Lemmas of arithmetic to and from other searches, as constraints: atoms are terms of one store.

use super::theories::TheorySolver;
use crate::engines::arithmetic::LinearConstraint;
use crate::engines::clauses::SatSolver;
use crate::shared_lemmas::{LemmaReader, SharedLemmas};
use batsat::Lit;
use rustc_hash::FxHashMap;
use smtlib::TermId;

/// The most lemmas that one search takes from others.
const MOST: usize = 2000;

/// What a search tells others, and hears of them.
pub(super) struct LemmaExchange {
    reader: LemmaReader,
    constraints: FxHashMap<Lit, LinearConstraint>,
    literals: FxHashMap<LinearConstraint, Lit>,
    taken: usize,
}

impl LemmaExchange {
    /// With nothing known of atoms.
    pub(super) fn new(shared: &SharedLemmas) -> LemmaExchange {
        LemmaExchange {
            reader: shared.reader(),
            constraints: FxHashMap::default(),
            literals: FxHashMap::default(),
            taken: 0,
        }
    }

    /// Who hears of others' lemmas.
    pub(super) fn reader(&self) -> &LemmaReader {
        &self.reader
    }

    /// Makes an atom known, if it is one of arithmetic.
    pub(super) fn admit(&mut self, theory: &dyn TheorySolver, atom: TermId, literal: Lit) {
        let Some(constraints) = theory.constraints(atom) else { return };
        for (literal, constraint) in [literal, !literal].into_iter().zip(constraints) {
            self.constraints.insert(literal, constraint.clone());
            self.literals.insert(constraint.clone(), literal);
        }
    }

    /// Tells that these literals cannot hold together, if all are of arithmetic.
    pub(super) fn tell(&self, conflict: &[Lit]) {
        let lemma: Option<Vec<LinearConstraint>> = conflict.iter().map(|l| self.constraints.get(l).cloned()).collect();
        if let Some(lemma) = lemma {
            self.reader.tell(lemma);
        }
    }

    /// Adds as clauses what others told of atoms that are known here.
    pub(super) fn hear(&mut self, solver: &mut SatSolver) {
        for lemma in self.reader.hear() {
            let clause: Option<Vec<Lit>> =
                lemma.iter().map(|constraint| self.literals.get(constraint).map(|&literal| !literal)).collect();
            if let Some(clause) = clause.filter(|_| self.taken < MOST) {
                self.taken += 1;
                solver.add(&clause);
            }
        }
    }
}
