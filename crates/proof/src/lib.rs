//! Proofs as graphs of claims, by solvers or by our own passes and engines, and the judge of their steps.
//!
//! ```
//! use proof::{JudgeLimits, StepVerdict, judge_text};
//!
//! let problem = "(declare-const x (_ BitVec 2)) (assert (= (bvmul x #b10) #b01)) (check-sat)";
//! let proof = "(assume @p1 (= (bvmul x #b10) #b01)) (step @p2 false :rule bv_theory :premises (@p1))";
//! let judged = judge_text(problem, proof, &JudgeLimits::default(), None)?;
//! assert_eq!(judged.steps[1].verdict.word(), "holds");
//!
//! let wrong = "(assume @p1 (= (bvmul x #b10) #b01)) (step @p2 (= x (bvneg x)) :rule bv_theory :args (x))";
//! let judged = judge_text(problem, wrong, &JudgeLimits::default(), None)?;
//! let (step, refutation) = judged.refuted().next().expect("x may be 01");
//! assert_eq!((&*step.name, &*refutation.conclusion), ("@p2", "(= x (bvneg x))"));
//! # Ok::<(), proof::ProofReadError>(())
//! ```

mod graph;
mod judge;
mod limits;
mod print;
mod read;
mod rules;
mod verdict;

pub use graph::{ProofGraph, ProofStep, StepId, StepKind};
pub use judge::{EngineAnswer, StepEngine, judge_graph, judge_text};
pub use limits::JudgeLimits;
pub use print::proof_text;
pub use read::{ProofReadError, trusted};
pub use rules::{ProofFormat, RuleReading};
pub use verdict::{FaultKind, JudgedProof, JudgedStep, ProofFault, StepCounts, StepProof, StepRefutation, StepVerdict};
