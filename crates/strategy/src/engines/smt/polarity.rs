//! Finds which values of inputs some root may need: if a bit occurs only under an even number of negations, making it false never makes a
//! root true, so no theory must agree (Sebastiani, "Lazy satisfiability modulo theories", JSAT 2007, section 4.3.2, "pure-literal
//! filtering").

use crate::engines::bitblast::{Bit, Gate, Gates};

/// The gates that roots reach, by the parity of the negations on the way.
#[derive(Debug, Default)]
pub struct Polarities {
    /// By index of the gate: whether it is reached by an even, and by an odd number of negations.
    reached: Vec<[bool; 2]>,
}

impl Polarities {
    /// Computes those of a circuit whose roots must all be true.
    pub fn of(gates: &Gates, roots: impl Iterator<Item = Bit>) -> Polarities {
        let mut reached = vec![[false; 2]; gates.len()];
        let mut stack: Vec<Bit> = roots.collect();
        while let Some(bit) = stack.pop() {
            if std::mem::replace(&mut reached[bit.gate()][usize::from(bit.is_negated())], true) {
                continue;
            }
            let signed = |operand: Bit| if bit.is_negated() { !operand } else { operand };
            match gates.gate(bit.gate()) {
                Gate::True | Gate::Input => {}
                Gate::And(a, b) => stack.extend([a, b].map(signed)),
                Gate::Majority(a, b, c) => stack.extend([a, b, c].map(signed)),
                Gate::Ite(c, yes, no) => stack.extend([c, !c, signed(yes), signed(no)]),
                Gate::Xor(a, b) => stack.extend([a, !a, b, !b]),
            }
        }
        Polarities { reached }
    }

    /// Whether a root may need this bit to be true.
    pub fn may_need(&self, bit: Bit) -> bool {
        self.reached.get(bit.gate()).is_some_and(|reached| reached[usize::from(bit.is_negated())])
    }
}
