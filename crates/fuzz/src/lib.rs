//! Campaigns: seeds in, workers, oracles, findings out.
//!
//! The folders are layers: each imports only those above it in this list, and `config` stands between `schedule` and `state`.
//!
//! The oracle compares what a solver answers with what is true:
//!
//! ```
//! use fuzz::oracle::{Asking, exhaustion, judge};
//! # use solver::{install::Fleet, process::ProcessLimits, session::SessionNeeds};
//!
//! let text = "(declare-const p Bool) (assert (and p (not p))) (check-sat)";
//! assert_eq!(exhaustion::decide_text(text, 0)?.word(), "unsat");
//! # let fleet = Fleet::of_user()?;
//! let solver = fleet.solver(fleet.resolve(&"builtin:sat".parse()?)?);
//! let outcome = solver.check(text, SessionNeeds::SINGLE, &ProcessLimits::default())?;
//! let hit = judge(&[mutate::Expected::Unsat], &outcome, Asking::of(text));
//! assert_eq!(hit.map(|hit| hit.class), Some(finding::BugClass::B));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod campaign;
pub mod config;
pub mod corpus;
pub mod counts;
pub mod digest;
pub mod findings;
#[cfg(feature = "nats")]
pub mod nats;
pub mod oracle;
pub mod persist;
pub mod schedule;
pub mod state;
pub mod sync;
pub mod target;
mod worker;

pub use campaign::{Ended, run};
pub use config::{CampaignBudget, Config};
pub use finding::Finding;
pub use persist::error::CampaignError;
pub use state::event::{CampaignEvent, CampaignWatch};
pub use sync::requests::Requests;
pub use sync::stops::Stops;
pub use target::{Incremental, Tactics, Target, TargetOptions};
