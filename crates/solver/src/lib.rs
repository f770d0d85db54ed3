//! Solver programs: profiles, installed versions, processes, answers.
//!
//! `builtin:sat` answers `sat` to every script; `z3@4.8.7` names an installed program in the same way:
//!
//! ```
//! use solver::install::Fleet;
//! use solver::outcome::Answer;
//! use solver::process::ProcessLimits;
//! use solver::session::SessionNeeds;
//!
//! let fleet = Fleet::of_user()?;
//! let solver = fleet.solver(fleet.resolve(&"builtin:sat".parse()?)?);
//! let outcome = solver.check("(assert false) (check-sat)", SessionNeeds::SINGLE, &ProcessLimits::default())?;
//! assert_eq!(outcome.last_answer(), Answer::Sat);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
pub mod build;
pub mod cache;
pub mod consent;
pub mod coverage;
pub mod crash;
pub mod dialogue;
pub mod doctor;
pub mod frames;
pub mod gate;
mod inherit;
pub mod install;
pub mod launcher;
pub mod leftovers;
pub mod misread;
mod orphan_processes;
pub mod outcome;
pub mod parallel;
pub mod probe;
pub mod proc_stat;
pub mod process;
pub mod profile;
pub mod profiles;
pub mod promises;
pub mod recipe;
pub mod response;
pub mod script;
pub mod series;
pub mod session;
pub mod settings;
pub mod sources;
pub mod spec;
pub mod term_shape;
pub mod testing;
pub mod version;
