//! The folder of a campaign that ended before it began.

#![cfg(feature = "store")]

use fuzz::ledger::Shard;
use fuzz::outdir::OutDir;
use fuzz::schedule::Kind;
use fuzz::seed::SeedSource;
use fuzz::target::{Stops, Target, Wishes};
use fuzz::{Budget, Config, Event, Watch};
use solver::install::Fleet;
use solver::process::Limits;
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

struct Silent;

impl Watch for Silent {
    fn event(&self, _: &Event) {}
}

/// A campaign that was killed between making its store and marking its folder was refused from then on: the folder held a
/// store and no mark. Here the store cannot be made, which ends the campaign at the same place.
#[test]
fn a_folder_is_known_as_ours_before_its_store_is_made() {
    let root = tempfile::tempdir().expect("a folder");
    let (out, seed) = (root.path().join("out"), root.path().join("s.smt2"));
    fs::write(&seed, "(declare-const x Int)(assert (> x 1))(check-sat)").expect("a seed");
    let config = Config {
        seeds: vec![SeedSource::File(seed)],
        seed: 5,
        jobs: 1,
        budget: Budget { time: Some(Duration::from_secs(3600)), cpu: None, mutants: None, units: Some(1) },
        limits: Limits::default(),
        wants_models: false,
        judged_models: 0,
        per_process: 1,
        drawn_options: 0,
        progress_every: Duration::from_secs(3600),
        schedule: Kind::Yield,
        shard: Shard::WHOLE,
        identity: BTreeMap::new(),
        note: serde_json::json!({"arguments": []}),
    };
    let stops = Stops::default();
    let fleet = Fleet::of_user().expect("a fleet");
    let installed = fleet.resolve(&"builtin:sat".parse().expect("a name")).expect("it is built in");
    let targets = [Target::new(fleet.solver(installed), &Wishes::default(), &stops).expect("a target")];
    let run = |claimed: OutDir| fuzz::run(&config, claimed, &targets, None, &stops, &Silent);

    let claimed = OutDir::claim(&out).expect("a new folder");
    fs::create_dir(out.join("campaign.db")).expect("a folder in the store's place");
    run(claimed).map(drop).expect_err("there is no place for a store");
    fs::remove_dir(out.join("campaign.db")).expect("it is empty");
    fs::write(out.join("campaign.db"), "").expect("what sqlite makes first");
    assert_eq!(run(OutDir::claim(&out).expect("it is ours")).expect("it runs").standing.counts.units, 1);
}
