//! Generated problems over small domains, whose truth is certified by exhaustion, both ways.
//!
//! `(declare-const x (_ FloatingPoint 3 3)) (assert (fp.lt (fp.rem x x) x)) (check-sat)`: every operator of the theories, few
//! symbols, each confined to few values by its sort or by a guard in the text. The evaluator tries every assignment, so
//! `unsat` is as certain as `sat`, and no solver is asked. The nearest work is ET (Winterer and Su, OOPSLA 2024), which
//! enumerates small formulas and lets two solvers judge each other.

mod batch;
mod compare;
mod data_theory;
mod domain;
pub mod grow;
mod heaps;
mod horn;
mod known;
mod objectives;
mod polynomials;
pub mod problem;
mod recursion;
mod squares;
pub mod theme;

pub use batch::{DEFINITION, ENTRY, FiniteBatch, FiniteMutator, THEORY, themes_for};
