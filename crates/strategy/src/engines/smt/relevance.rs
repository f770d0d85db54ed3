//! What an assignment must cover. [`needed`] finds which atoms an assignment really needs: walking down from the roots, it follows only
//! operands that alone fix a gate's value (Barrett, Dill and Stump, "Checking satisfiability of first-order formulas by incremental
//! translation to SAT", section 4, call such a part of the assignment a justification).
//!
//! [`Polarities`] finds which values of inputs some root may need: if a bit occurs only under an even number of negations, making it false
//! never makes a root true, so no theory must agree (Sebastiani, "Lazy satisfiability modulo theories", JSAT 2007, section 4.3.2,
//! "pure-literal filtering").

use crate::engines::bitblast::{Bit, Encoder, Gate, Gates};
use rustc_hash::FxHashSet;

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

/// Returns the inputs whose values alone make the roots true, ascending by index.
pub fn needed(gates: &Gates, encoder: &Encoder, roots: &[Bit]) -> Vec<usize> {
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut inputs = Vec::new();
    let mut stack: Vec<usize> = roots.iter().map(|b| b.gate()).collect();
    // Disjunctive choices wait until everything forced is known, since they may then cost nothing.
    let mut choices: Vec<(Bit, Bit)> = Vec::new();
    loop {
        while let Some(position) = stack.pop() {
            if !seen.insert(position) {
                continue;
            }
            let value = |b: Bit| encoder.value(b);
            match gates.gate(position) {
                Gate::True => {}
                Gate::Input => inputs.push(position),
                Gate::Xor(a, b) => stack.extend([a.gate(), b.gate()]),
                Gate::Ite(c, yes, no) => stack.extend([c.gate(), if value(c) { yes.gate() } else { no.gate() }]),
                Gate::And(a, b) => match (value(a), value(b)) {
                    (true, true) => stack.extend([a.gate(), b.gate()]),
                    (false, true) => stack.push(a.gate()),
                    (true, false) => stack.push(b.gate()),
                    (false, false) => choices.push((a, b)),
                },
                Gate::Majority(a, b, c) => {
                    let majority = u8::from(value(a)) + u8::from(value(b)) + u8::from(value(c)) >= 2;
                    let agreeing = [a, b, c].into_iter().filter(|&x| value(x) == majority);
                    stack.extend(agreeing.take(2).map(Bit::gate));
                }
            }
        }
        let Some((a, b)) = choices.pop() else { break };
        if !seen.contains(&a.gate()) && !seen.contains(&b.gate()) {
            stack.push(a.gate());
        }
    }
    inputs.sort_unstable();
    inputs
}
