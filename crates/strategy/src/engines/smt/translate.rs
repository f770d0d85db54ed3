//! Translates assertions to gates, with the inside theory of their atoms.

use super::inside::{ArithmeticAtoms, AtomLiteral, DifferenceTheory, InsideTheory, LinearTheory, TrailTheory};
use super::relevance::Polarities;
use super::{GiveUp, SmtSearch};
use crate::budget::Budget;
use smtlib::{Store, TermId};

impl SmtSearch<'_> {
    pub(super) fn translate(
        &mut self,
        store: &Store,
        assertions: &[TermId],
        definitions: &[TermId],
        budget: &Budget,
    ) -> Result<(), GiveUp> {
        for &t in definitions {
            budget.check()?;
            self.define(store, t, budget)?;
        }
        for &t in assertions {
            budget.check()?;
            let bit = self.translator.boolean(store, t)?;
            self.roots.push((bit, self.encoder.literal(&self.translator.gates, bit, budget)?));
        }
        self.admit(store, budget)
    }

    /// Adds an unconditional fact.
    pub(super) fn define(&mut self, store: &Store, t: TermId, budget: &Budget) -> Result<(), GiveUp> {
        let bit = self.translator.boolean(store, t)?;
        let literal = self.encoder.literal(&self.translator.gates, bit, budget)?;
        self.encoder.solver.add(&[literal]);
        self.definitions.push(bit);
        Ok(())
    }

    /// Registers new atoms with the theory, and passes its implications to the SAT solver. Must be called whenever a fact was added,
    /// since it may need existing atoms.
    pub(super) fn admit(&mut self, store: &Store, budget: &Budget) -> Result<(), GiveUp> {
        let known = self.admitted;
        let atoms = &self.translator.abstracted()[known..];
        let mut meter = budget.meter();
        for &(atom, bit) in atoms {
            meter.tick()?;
            self.theory.admit(store, atom)?;
            self.atoms.insert(bit.gate(), atom);
        }
        self.admitted += atoms.len();
        for ((a, holds), (b, follows)) in self.theory.implications(store)? {
            let (Some(a), Some(b)) = (self.encoder.known(self.bit_of(a)), self.encoder.known(self.bit_of(b))) else {
                continue;
            };
            self.encoder.solver.add(&[if holds { !a } else { a }, if follows { b } else { !b }]);
        }
        if let Some(exchange) = &mut self.exchange {
            for (atom, bit) in &self.translator.abstracted()[known..] {
                if let Some(literal) = self.encoder.known(*bit) {
                    exchange.admit(self.theory, *atom, literal);
                }
            }
        }
        self.inside = self.theory.arithmetic(store).map(|atoms| InsideTheory::new(self.of_atoms(atoms), budget));
        Ok(())
    }

    /// Returns the theory of these atoms.
    fn of_atoms(&self, atoms: ArithmeticAtoms) -> Box<dyn TrailTheory> {
        let polarities = Polarities::of(&self.translator.gates, self.held());
        let literal = |atom: TermId| {
            let bit = self.bit_of(atom);
            let literal = self.encoder.known(bit)?;
            Some(AtomLiteral { literal, needed: [polarities.may_need(bit), polarities.may_need(!bit)] })
        };
        match atoms {
            ArithmeticAtoms::Differences(differences, atoms) => {
                let literals: Vec<Option<AtomLiteral>> = atoms.into_iter().map(literal).collect();
                Box::new(DifferenceTheory::new(differences, &literals))
            }
            ArithmeticAtoms::Linear(tableau, atoms) => {
                let atoms = atoms.into_iter().filter_map(|(atom, bounds)| Some((literal(atom)?, bounds)));
                Box::new(LinearTheory::new(*tableau, atoms))
            }
        }
    }
}
