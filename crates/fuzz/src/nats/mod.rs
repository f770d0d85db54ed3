//! Campaigns over many machines, on NATS JetStream: one coordinator owns the campaign, workers anywhere take its units.
//!
//! ```text
//! coordinator --- squall.ID.unit ----> work queue ----> any worker       a unit's plan
//! coordinator <-- squall.ID.result --- work queue <---- any worker       findings with their files, then the unit's report
//! coordinator <-> squall.ID.seed       request, reply   any worker       a piece of a seed, by its SHA-256
//! coordinator <-- squall.ID.heartbeat     not kept        any worker       its presence and progress
//! coordinator --- squall.campaign.ID -> last message -> any worker       the campaign's description
//! ```
//!
//! Invariant: a worker acknowledges a unit after the server has stored its report, and the coordinator acknowledges a report after the
//! campaign's store has it. So a process that dies in between leaves a message that is delivered again, and duplicates are recognized by
//! the unit's number or the finding's name. A finding is acknowledged after the coordinator's own solver has repeated it.

mod claims;
mod client;
mod coordinator;
mod labels;
mod machines;
mod parts;
mod seeds;
pub mod wire;
mod worker_link;

pub use client::{Access, NatsError};
pub use coordinator::{CampaignSolvers, coordinate};
pub use worker_link::{Joined, WorkerSetup, join};
