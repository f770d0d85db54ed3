//! Campaigns: seeds in, workers, findings out.
//!
//! The folders are layers: each imports only from those above it in this list, and `config` is between `schedule` and `state`.

mod campaign;
pub mod config;
pub mod counts;
pub mod findings;
#[cfg(feature = "nats")]
pub mod nats;
pub mod persist;
pub mod schedule;
pub mod seeds;
pub mod state;
pub mod sync;
pub mod under_test;
mod worker;

pub use campaign::{Ended, run};
pub use config::{CampaignBudget, Config};
pub use finding::Finding;
pub use persist::CampaignError;
pub use state::event::{CampaignEvent, CampaignWatch};
pub use sync::Requests;
pub use sync::Stops;
pub use under_test::{Incremental, Tactics, Target, TargetOptions};
pub use worker::sample::SampledMutant;
