//! Findings: their classes, trust, causes, records, and folders with all files.
//!
//! This crate knows no terms and no solvers, so that everything from the solver runner to the reports shares these
//! types.
//!
//! A crash is identified by its symptom, a wrong answer by where it was found:
//!
//! ```
//! use finding::{BugClass, Cause, ScriptOrigin};
//!
//! let wrong = |seed: &str| Cause {
//!     class: BugClass::A,
//!     origin: ScriptOrigin::Mutant,
//!     solver: "z3".into(),
//!     symptom: "unsat".into(),
//!     mode: "plain".into(),
//!     options: String::new(),
//!     seed: Some(seed.into()),
//!     place: None,
//! };
//! let crash = |seed: &str| Cause { class: BugClass::D, symptom: "assertion: a.cpp Line: 3".into(), ..wrong(seed) };
//! assert_ne!(wrong("a.smt2").key(), wrong("b.smt2").key());
//! assert_eq!(crash("a.smt2").key(), crash("b.smt2").key());
//! ```

pub mod answer_vector;
pub mod class;
pub mod event;
pub mod failure;
pub mod folder;
pub mod grade;
pub mod kind;
pub mod label;
pub mod record;
pub mod same_cause;
pub mod symptom;
pub mod trust;

pub use answer_vector::AnswerVector;
pub use class::BugClass;
pub use class::BugSeverity;
pub use class::CountsUnder;
pub use class::KeptWith;
pub use event::FindingEvent;
pub use failure::FailureKind;
pub use failure::Observation;
pub use grade::OptionGrade;
pub use kind::{CauseReward, FindingKind, FindingOrigin};
pub use label::{Instrument, SolverLabel};
pub use record::{Build, Finding, KnownMatch, ScriptOrigin};
pub use same_cause::{Cause, CauseCount, ReducedCause};
pub use trust::Trust;
