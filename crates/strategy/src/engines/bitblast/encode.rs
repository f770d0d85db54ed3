//! Circuits as clauses in a SAT solver: a literal for every requested gate and those below it.

use super::gates::gate_clauses;
use super::gates::{Bit, Gate, Gates};
use crate::budget::{Budget, Stopped};
use crate::engines::clauses::SatSolver;
use batsat::Lit;

/// A SAT solver with literals for some gates of one circuit.
#[derive(Default)]
pub struct Encoder {
    /// The solver.
    pub solver: SatSolver,
    /// By position of the gate.
    literals: Vec<Option<Lit>>,
}

impl Encoder {
    /// Returns the literal of a bit after encoding its whole cone. Every call must use the same circuit, which may have grown.
    /// Errors: [`Stopped`] when the budget is spent; the solver is unusable then.
    pub fn literal(&mut self, gates: &Gates, bit: Bit, budget: &Budget) -> Result<Lit, Stopped> {
        self.literals.resize(gates.len(), None);
        let mut steps = 0u32;
        let mut stack = vec![bit.gate()];
        while let Some(&position) = stack.last() {
            steps += 1;
            if steps.is_multiple_of(4096) {
                budget.check()?;
            }
            if self.literals[position].is_some() {
                stack.pop();
                continue;
            }
            let gate = gates.gate(position);
            let before = stack.len();
            stack.extend(gate.operands().map(Bit::gate).filter(|&p| self.literals[p].is_none()));
            if stack.len() == before {
                self.define(position, gate);
                stack.pop();
            }
        }
        Ok(self.of(bit))
    }

    /// Returns the literal of a bit, if it has one.
    pub fn known(&self, bit: Bit) -> Option<Lit> {
        let literal = self.literals.get(bit.gate()).copied().flatten()?;
        Some(if bit.is_negated() { !literal } else { literal })
    }

    /// Returns the literal of a bit whose gate has one: operands of an encoded gate always do.
    fn of(&mut self, bit: Bit) -> Lit {
        let literal = match self.literals[bit.gate()] {
            Some(literal) => literal,
            None => {
                // An input without constraints yet.
                let literal = self.solver.new_literal();
                self.literals[bit.gate()] = Some(literal);
                literal
            }
        };
        if bit.is_negated() { !literal } else { literal }
    }

    fn define(&mut self, position: usize, gate: Gate) {
        let g = self.solver.new_literal();
        self.literals[position] = Some(g);
        let mut operands = [g; 3];
        for (literal, bit) in operands.iter_mut().zip(gate.operands()) {
            *literal = self.of(bit);
        }
        gate_clauses(gate, g, operands, |clause| self.solver.add(clause));
    }

    /// Returns the value of a bit in the solver's last assignment; a bit in no clause is free, and false.
    pub fn value(&self, bit: Bit) -> bool {
        if let Some(value) = bit.as_constant() {
            return value;
        }
        let literal = self.literals.get(bit.gate()).copied().flatten();
        literal.is_some_and(|l| self.solver.value(l)) ^ bit.is_negated()
    }
}
