//! The oracle: asks a solver, judges its answers against the truth, confirms contradictions, and replays findings.
//!
//! Campaigns, replays, reductions, bisections and experiments all ask here, so they share options and limits.
//!
//! ```
//! use oracle::{Asking, exhaustion, judge};
//! # use solver::{install::Fleet, process::ProcessLimits, session::SessionNeeds};
//!
//! let text = "(declare-const p Bool) (assert (and p (not p))) (check-sat)";
//! assert_eq!(exhaustion::decide_text(text, 0)?.word(), "unsat");
//! # let fleet = Fleet::of_user()?;
//! let solver = fleet.solver(fleet.resolve(&"builtin:sat".parse()?)?);
//! let outcome = solver.check(text, SessionNeeds::SINGLE, &ProcessLimits::default())?;
//! let hit = judge(&[smtlib::Status::Unsat], &outcome, Asking::of(text));
//! assert_eq!(hit.map(|hit| hit.class), Some(finding::BugClass::B));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod candidate;
pub mod confirm;
pub mod exhaustion;
mod judge;
pub mod model_oracle;
mod optimum_oracle;
pub mod proof_oracle;
pub mod question;
pub mod refusal;
pub mod relation;
pub mod replay;
pub mod slowness;
pub mod tested;
pub mod translate;
pub mod value_oracle;
pub mod witness_file;

pub use judge::{Asking, Hit, crashed, is_suspicious, judge, self_accusations};
pub use tested::TestedSolver;
