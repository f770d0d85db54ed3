//! The clauses of one gate (Tseitin, "On the complexity of derivation in propositional calculus").

use super::gates::Gate;
use std::ops::Not;

/// Passes on the clauses that make the literal `g` the output of a gate whose operands have these literals, in order; an input has none.
pub fn gate_clauses<L: Copy + Not<Output = L>>(gate: Gate, g: L, operands: [L; 3], mut add: impl FnMut(&[L])) {
    let [a, b, c] = operands;
    match gate {
        Gate::Input => {}
        Gate::True => add(&[g]),
        Gate::And(..) => {
            add(&[!g, a]);
            add(&[!g, b]);
            add(&[g, !a, !b]);
        }
        Gate::Xor(..) => {
            add(&[!g, a, b]);
            add(&[!g, !a, !b]);
            add(&[g, !a, b]);
            add(&[g, a, !b]);
        }
        Gate::Ite(..) => {
            let (condition, yes, no) = (a, b, c);
            add(&[!condition, !yes, g]);
            add(&[!condition, yes, !g]);
            add(&[condition, !no, g]);
            add(&[condition, no, !g]);
            // Redundant, but they propagate where the condition is undecided.
            add(&[!yes, !no, g]);
            add(&[yes, no, !g]);
        }
        Gate::Majority(..) => {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                add(&[!x, !y, g]);
                add(&[x, y, !g]);
            }
        }
    }
}
