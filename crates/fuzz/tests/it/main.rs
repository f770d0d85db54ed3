//! Tests of campaigns, their parts and their readers, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process has a binary of its own in the folder above.

mod counts_untested;
mod nats;
mod nats_wire;
mod parts;
mod persist_history;
mod readers;
mod schedule;
mod schedule_bandit;
mod small_campaigns;
mod state_finding_index;
mod support;
mod wellformed;
