//! Tests of comparisons, through what the crate offers.

mod campaigns_comparison;
mod campaigns_plan;
mod coverage_gains;
mod coverage_least;
mod coverage_plan;
mod evolution_history;
mod examples;
mod fuzzers_mutants;
mod fuzzers_seeds;
mod kept_runs;
mod known_bugs_manifest;
mod known_bugs_run;
mod median_interval;
mod portfolio;
mod problem;
mod process_group;
mod pruning;
mod reductions_results;
mod results;
mod sampling;
mod statistics;

#[path = "../../../triage/tests/it/support/mod.rs"]
mod support;
