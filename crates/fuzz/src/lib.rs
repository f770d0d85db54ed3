//! Campaigns: seeds in, workers, oracles, findings out.

mod bench;
pub mod book;
pub mod campaign;
pub mod cells;
pub mod chronicle;
pub mod config;
pub mod confirm;
mod control;
mod coordinator;
mod crew;
pub mod desk;
mod differential;
mod error;
pub mod event;
pub mod finding;
mod identity;
pub mod journal;
mod keeper;
pub mod ledger;
#[cfg(feature = "store")]
pub mod merge;
pub mod mode;
pub mod model_oracle;
pub mod models;
#[cfg(feature = "nats")]
pub mod nats;
mod options;
pub mod oracle;
pub mod outdir;
pub mod partner;
pub mod past;
mod place;
pub mod plan;
pub mod quarantine;
pub mod question;
mod record;
pub mod replay;
pub mod requests;
pub mod schedule;
pub mod seed;
mod shelf;
pub mod spell;
pub mod state;
pub mod stats;
pub mod stops;
#[cfg(feature = "store")]
pub mod store;
mod sync;
mod tactic_names;
pub mod target;
pub mod unit;
mod volley;
pub mod witness;
mod worker;

pub use campaign::{Ended, run};
pub use config::{Budget, Config};
pub use error::CampaignError;
pub use event::{Event, Watch};
pub use finding::Finding;
pub use requests::Requests;
pub use stops::Stops;
pub use target::{Incremental, Tactics, Target, Wishes};
