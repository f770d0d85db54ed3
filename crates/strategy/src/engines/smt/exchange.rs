//! The exchange of arithmetic lemmas with other searches, as constraints: atoms are terms of one store.

use super::theories::TheorySolver;
use crate::engines::arithmetic::LinearConstraint;
use crate::engines::clauses::SatSolver;
use crate::shared_lemmas::{LemmaReader, SharedLemmas};
use batsat::Lit;
use rustc_hash::FxHashMap;
use smtlib::TermId;

/// The maximum number of lemmas that one search takes from others.
const MOST: usize = 2000;

/// The lemmas that a search sends and receives.
pub(super) struct LemmaExchange {
    reader: LemmaReader,
    constraints: FxHashMap<Lit, LinearConstraint>,
    literals: FxHashMap<LinearConstraint, Lit>,
    taken: usize,
}

impl LemmaExchange {
    /// Makes an exchange without known atoms.
    pub(super) fn new(shared: &SharedLemmas) -> LemmaExchange {
        LemmaExchange {
            reader: shared.reader(),
            constraints: FxHashMap::default(),
            literals: FxHashMap::default(),
            taken: 0,
        }
    }

    /// Returns the receiver of others' lemmas.
    pub(super) fn reader(&self) -> &LemmaReader {
        &self.reader
    }

    /// Registers an atom, if it is arithmetic.
    pub(super) fn admit(&mut self, theory: &dyn TheorySolver, atom: TermId, literal: Lit) {
        let Some(constraints) = theory.constraints(atom) else { return };
        for (literal, constraint) in [literal, !literal].into_iter().zip(constraints) {
            self.constraints.insert(literal, constraint.clone());
            self.literals.insert(constraint.clone(), literal);
        }
    }

    /// Sends that these literals cannot hold together, if all are arithmetic.
    pub(super) fn tell(&self, conflict: &[Lit]) {
        let lemma: Option<Vec<LinearConstraint>> = conflict.iter().map(|l| self.constraints.get(l).cloned()).collect();
        if let Some(lemma) = lemma {
            self.reader.tell(lemma);
        }
    }

    /// Adds others' lemmas about known atoms as clauses.
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
