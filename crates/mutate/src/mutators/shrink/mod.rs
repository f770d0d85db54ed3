//! Small worlds made of seeds: every symbol and variable confined to few values, the rest as it was.
//!
//! Before: `(assert (< (* x x) (+ y 7)))`. After: the same with `(assert (or (= x 3) (= x (- 1))))` and
//! `(assert (<= 0 y 4))` in front of it. The evaluator looks at every assignment, so `unsat` is as certain as `sat`.

mod batch;
mod draw;
mod narrow;
mod seed;

pub use batch::{ENTRY, ShrinkBatch, ShrinkMutator};
