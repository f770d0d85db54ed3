//! Smaller findings: certified reduction of scripts on which a solver is wrong, and bisection over its versions.
//!
//! A [`Reducer`] applies the passes of [`passes::REGISTRY`] to a [`Subject`] as long as a [`TextJudge`] confirms that the solver is still
//! wrong and the known truth still valid.
//!
//! Reduced scripts that differ only in names and constants have one cause:
//!
//! ```
//! use reduce::groups::{GroupMember, group};
//! use reduce::signature::{Circumstances, ScriptSignature};
//!
//! let member = |text: &str| {
//!     let mut store = smtlib::Store::new();
//!     let script = smtlib::parse(&mut store, text).script;
//!     let circumstances = Circumstances { class: finding::BugClass::A, symptom: "unsat", options: &[] };
//!     let signature = ScriptSignature::of(&store, &script, circumstances);
//!     GroupMember { solver: "z3".into(), signature, vector: Default::default(), bytes: text.len() }
//! };
//! let text = "(declare-const x Int) (assert (= (div x 7) 2)) (check-sat)";
//! let groups = group(&[text, &text.replace("x", "y"), &text.replace("div", "mod")].map(member));
//! assert_eq!(groups, [vec![0, 1], vec![2]]);
//! ```

pub mod bisect;
pub mod commits;
pub mod cpu_budget;
pub mod finding;
pub mod groups;
pub mod judge;
pub mod model_text;
pub mod neutral;
pub mod parallel_judge;
pub mod pass;
pub mod passes;
pub mod plan;
pub mod predecessors;
pub mod query;
pub mod raw;
pub mod readable;
mod rebuild;
pub mod reducer;
mod retype;
pub mod shown;
pub mod signature;
pub mod size;
pub mod start;
pub mod subject;
mod sweep;
pub mod text_passes;
pub mod text_reducer;
pub mod text_test;
pub mod verdict;

pub use cpu_budget::CpuBudget;
pub use judge::TextJudge;
pub use plan::ScriptEdit;
pub use reducer::{Reducer, ReductionReport};
pub use shown::ShownFailure;
pub use size::Size;
pub use subject::{Subject, ThreadWitness};
pub use verdict::CandidateVerdict;
