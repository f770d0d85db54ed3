//! What a finding is: its class, trust, cause, record, and the names of its files.
//!
//! This crate knows no terms and no solvers, so that everything from the runner of solvers to the reports can speak of
//! findings in the same words.

pub mod answer_vector;
pub mod build;
pub mod cause;
pub mod class;
pub mod folder;
pub mod label;
pub mod record;
pub mod reward;
pub mod symptom;
pub mod trust;

pub use answer_vector::AnswerVector;
pub use build::Build;
pub use cause::{Cause, CauseKey};
pub use class::BugClass;
pub use label::SolverLabel;
pub use record::{Finding, ScriptOrigin};
pub use reward::CauseReward;
pub use trust::Trust;
