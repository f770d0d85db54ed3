//! What was found is true: the proof of each kept finding holds, and installed solvers show it again.

use fuzz::oracle::replay::{self, WitnessCheck};
use solver::install::Fleet;
use std::fs;
use std::path::{Path, PathBuf};

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../found")
}

#[test]
fn every_kept_finding_is_proven_and_small() {
    let page = fs::read_to_string(kept().join("README.md")).expect("the page");
    let folders = replay::find(&kept()).expect("there are some");
    for folder in &folders {
        let saved = replay::load(folder).expect("a whole finding");
        let id = &saved.finding.id;
        assert!(saved.is_unchanged(), "{id}");
        let check = saved.check_witness();
        let is_proven = matches!(check, WitnessCheck::Holds(_) | WitnessCheck::Exhausted(_) | WitnessCheck::NotNeeded);
        assert!(is_proven, "{id}: {check:?}");
        assert!(page.contains(&format!("squall replay found/{id}`")), "{id} stands on the page");
        assert!(saved.mutant.len() + saved.earlier.len() < 2000, "{id} is small");
        let record = fs::read_to_string(folder.join("finding.json")).expect("the record");
        assert!(!record.contains("/root/") && !record.contains("/home/"), "{id} names no machine");
    }
    assert_eq!(page.matches("squall replay found/").count(), folders.len(), "the page shows no other");
}

#[test]
fn installed_solvers_show_what_was_found() {
    let fleet = Fleet::of_user().expect("a cache");
    for folder in replay::find(&kept()).expect("there are some") {
        let saved = replay::load(&folder).expect("a whole finding");
        let spec = saved.finding.solver.spec.parse().expect("a solver");
        let Ok(installed) = fleet.resolve(&spec) else {
            println!("skipped: {} is not installed", saved.finding.solver.label);
            continue;
        };
        let replayed = saved.replay(&fleet.solver(installed)).expect("it runs");
        assert!(replayed.reproduces, "{}: {replayed:?}", saved.finding.id);
    }
}
