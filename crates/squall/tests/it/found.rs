//! Kept findings hold: the proof of each is valid, and installed solvers show it again.

use oracle::replay;
use reduce::bisect::VersionVerdict;
use solver::install::Fleet;
use solver::process::CancelToken;
use std::fs;
use std::path::{Path, PathBuf};
use triage::explain::{ExplainBound, ExplainOrder, explain};
use triage::explanation::{AskingPart, FindingExplanation, PartKind};

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../found")
}

#[test]
fn every_kept_finding_is_proven_and_small() {
    let page = fs::read_to_string(kept().join("README.md")).expect("the page");
    let folders = finding::folder::find(&kept()).expect("there are some");
    for folder in &folders {
        let saved = replay::load(folder).expect("a whole finding");
        let id = &saved.finding.id;
        assert!(saved.is_unchanged(), "{id}");
        let check = saved.check_witness();
        let is_proven = check.as_ref().is_ok_and(|shown| shown.trust.rank() < 2);
        assert!(is_proven, "{id}: {check:?}");
        assert!(page.contains(&format!("squall replay found/{id}`")), "{id} stands on the page");
        assert!(saved.mutant.len() + saved.earlier.len() < 2000, "{id} is small");
        let record = fs::read_to_string(folder.join("finding.json")).expect("the record");
        assert!(!record.contains("/root/") && !record.contains("/home/"), "{id} names no machine");
    }
    assert_eq!(page.matches("squall replay found/").count(), folders.len(), "the page shows no other");
}

#[test]
fn installed_solvers_show_kept_findings() {
    let fleet = Fleet::of_user().expect("a cache");
    for folder in finding::folder::find(&kept()).expect("there are some") {
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

/// Explains what a kept finding depends on. `None` if its solver is not installed.
fn explained(id: &str) -> Option<FindingExplanation> {
    let fleet = Fleet::of_user().expect("a cache");
    let folder = tempfile::tempdir().expect("a folder");
    let saved = replay::load(&kept().join(id)).expect("a whole finding");
    let spec = saved.finding.solver.spec.parse().expect("a solver");
    testing::require(&saved.finding.solver.label, fleet.resolve(&spec).ok())?;
    for entry in fs::read_dir(kept().join(id)).expect("a folder").flatten() {
        fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("copied");
    }
    let bound = ExplainBound::new(None, CancelToken::new());
    let order =
        ExplainOrder { folder: folder.path(), jobs: 2, bound: &bound, progress: |_| (), say: |_| (), watch: None };
    Some(explain(&order, &fleet).expect("it reproduces"))
}

#[test]
fn kept_findings_are_explained() {
    let part = |kind: PartKind, text: &str| AskingPart { kind, text: text.to_string() };
    // Under most of the profile's options the answer stays wrong; for a crash, some options show something else.
    let check = |id: &str, needs: &[AskingPart], operator: &str, least: usize| {
        let Some(explanation) = explained(id) else { return };
        assert_eq!(explanation.needs, needs, "{id}");
        assert!(explanation.shown.confirmed() && explanation.untried == 0, "{explanation:?}");
        assert!(operator.is_empty() || explanation.operators.iter().any(|name| name == operator), "{explanation:?}");
        let stays = explanation.changes.iter().filter(|change| change.did == VersionVerdict::Wrong).count();
        assert!(stays >= least, "{explanation:?}");
    };
    check("yices2@2.6.5-B-74a4ad73", &[], "/", 4);
    check("yices2@2.6.5-D-d435e37c", &[part(PartKind::Predecessors, "predecessors.smt2")], "bvadd", 2);
}
