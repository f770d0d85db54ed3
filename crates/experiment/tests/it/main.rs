//! Tests of experiments through the crate's public interface.

mod campaigns_comparison;
mod campaigns_plan;
mod change;
mod coverage;
mod coverage_map;
mod examples;
mod journal;
mod portfolio;
mod problem;
mod process_group;
mod results;
mod stability;
mod statistics;
mod tuning;

#[path = "../../../triage/tests/it/support/mod.rs"]
mod support;
