//! From findings to causes: grouping, reducing and bisecting the findings of a campaign, and comparing them with a baseline.
//!
//! The answers of a solver's releases to a finding, as shown in reports:
//!
//! ```
//! use finding::AnswerVector;
//! use triage::releases::ReleaseAnswers;
//!
//! let errs = [("z3@4.8.7", true), ("z3@4.8.5", false), ("z3@4.15.4", true)];
//! let vector: AnswerVector = errs.map(|(release, errs)| (release.to_string(), errs)).into_iter().collect();
//! let releases = ReleaseAnswers::of(None, Some(&vector));
//! assert_eq!(releases.brief().as_deref(), Some("4.8.7 to 4.15.4; good: 4.8.5"));
//! assert_eq!(releases.newest_erring(), Some("z3@4.15.4"));
//! ```

pub mod baseline;
pub mod bisection;
pub mod commit_bisection;
pub mod explain;
pub mod explanation;
pub mod folder;
pub mod hit_groups;
pub mod ledger;
pub mod matching;
pub mod progress;
pub mod reduction;
pub mod reduction_yield;
pub mod releases;
pub mod suite;
mod words;

pub use words::error_text;
