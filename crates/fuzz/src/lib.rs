//! Campaigns: seeds in, workers, oracles, findings out.

mod barren;
pub mod book;
pub mod campaign;
pub mod cells;
pub mod chronicle;
pub mod confirm;
mod differential;
pub mod event;
pub mod finding;
pub mod model_oracle;
mod models;
mod options;
pub mod oracle;
pub mod outdir;
mod partner;
pub mod plan;
mod record;
pub mod replay;
pub mod seed;
pub mod spell;
pub mod stats;
pub mod target;
mod volley;
pub mod witness;
mod worker;

pub use campaign::{Budget, CampaignError, Config, Ended, run};
pub use event::{Event, Watch};
pub use finding::Finding;
pub use target::{Incremental, Stops, Tactics, Target, Wishes};
