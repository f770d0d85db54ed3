//! Proofs as graphs of claims: what a solver, or our own passes and engines, concluded from what.
//!
//! ```
//! use proof::{ProofGraph, StepKind};
//! use smtlib::Store;
//!
//! let mut store = Store::new();
//! let instance = smtlib::parse(&mut store, "(assert false)(check-sat)").script.instances().remove(0);
//! let mut proof = ProofGraph::default();
//! let first = proof.assume(instance.assertions[0]);
//! proof.conclude("simplify", &[first], instance.assertions[0]);
//! assert_eq!(proof.steps()[0].kind, StepKind::Assumption);
//! assert_eq!(proof.steps()[1].premises, [first]);
//! ```

mod graph;
mod print;

pub use graph::{ProofGraph, ProofStep, StepId, StepKind};
pub use print::proof_text;
