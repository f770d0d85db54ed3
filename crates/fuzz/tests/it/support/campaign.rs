//! A small campaign that depends on no solver program.

use corpus::seed::SeedSource;
use finding::Build;
use finding::kind::RewardByAlike;
use fuzz::config::{MutantOptions, SolverOptions};
use fuzz::schedule::completed::Shard;
use fuzz::under_test::{Target, TargetOptions};
use fuzz::{CampaignBudget, Config, Stops};
use solver::install::Fleet;
use solver::process::ProcessLimits;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Makes a campaign with the given number of units on `seeds` seeds, which are written to a folder.
pub fn config(folder: &Path, seeds: usize, units: u64) -> Config {
    let seeds = (0..seeds).map(|n| {
        let path = folder.join(format!("s{n}.smt2"));
        std::fs::write(&path, format!("(declare-const x Int)(assert (> x {n}))(check-sat)")).expect("a seed");
        SeedSource::File(path)
    });
    Config {
        seeds: seeds.collect(),
        mutants: MutantOptions { seed: 5, options: Some(SolverOptions::Default), ..MutantOptions::default() },
        jobs: 1,
        budget: CampaignBudget {
            time: Some(Duration::from_secs(3600)),
            cpu: None,
            mutants: None,
            units: Some(units),
            found: None,
        },
        limits: ProcessLimits::default(),
        wants_models: false,
        per_process: 1,
        relations: false,
        keep_mutants: None,
        sample: 0,
        progress_every: Duration::from_secs(3600),
        reward: Arc::new(RewardByAlike),
        shard: Shard::WHOLE,
        build: Build::unknown(),
        identity: BTreeMap::new(),
        note: serde_json::json!({"arguments": []}),
    }
}

/// The stand-in that answers `sat` to everything.
pub fn target(stops: &Stops) -> Target {
    target_named("builtin:sat", stops)
}

/// Makes a solver from its name or path.
pub fn target_named(name: &str, stops: &Stops) -> Target {
    let fleet = Fleet::of_user().expect("a fleet");
    let installed = fleet.resolve(&name.parse().expect("a name")).expect("it is there");
    Target::new(fleet.solver(installed), &TargetOptions::default(), stops).expect("a target")
}
