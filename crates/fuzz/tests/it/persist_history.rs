//! Tests of `persist::history`.

use fuzz::counts::answer_counts::{Cell, CellKey, CellRow};
use fuzz::counts::stats::Snapshot;
use fuzz::persist::history::{CampaignRun, FILE, FORMAT, RunHistory};
use fuzz::state::event::CampaignStatus;
use fuzz::state::finding_index::FindingCounts;
use std::collections::BTreeMap;

fn standing(n: u64) -> CampaignStatus {
    CampaignStatus {
        wall_s: n as f64,
        cpu_s: 0.0,
        solver_cpu_s: 0.0,
        counts: Snapshot { mutants: n, ..Snapshot::default() },
        tally: FindingCounts::default(),
        causes: None,
        quarantined: 0,
        skipped: 0,
        refused: 0,
        error_texts: Vec::new(),
        unmade_texts: Vec::new(),
    }
}

#[test]
fn a_long_run_keeps_few_points_in_order() {
    let mut run = CampaignRun::default();
    for tick in 0..100_000 {
        run.note(tick, &standing(tick), false);
    }
    run.note(100_000, &standing(100_001), true);
    assert!((129..=512).contains(&run.points.len()), "{}", run.points.len());
    assert!(run.points.windows(2).all(|pair| pair[0].wall_s < pair[1].wall_s));
    assert_eq!(run.points.last().map(|p| p.mutants), Some(100_001), "the end is always there");
}

#[test]
fn it_reads_back_and_damage_is_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = CampaignRun { solvers: vec!["z3".into()], ..CampaignRun::default() };
    run.note(0, &standing(3), true);
    let key = CellKey { solver: "z3".into(), mutator: "storm".into(), logic: "QF_LIA".into() };
    let cell = Cell { scripts: 2, answers: BTreeMap::from([("sat".to_string(), 2)]) };
    run.cells.push(CellRow { key: key.clone(), cell: cell.clone() });
    let history = RunHistory { format: FORMAT, runs: vec![run.clone(), run] };
    std::fs::write(folder.path().join(FILE), history.text().unwrap()).unwrap();
    let back = RunHistory::load(folder.path());
    assert_eq!(back, history);
    assert_eq!(back.cells()[&key].scripts, 4, "runs are added up");
    std::fs::write(folder.path().join(FILE), "{\"format\": 1, \"runs\": [").unwrap();
    assert_eq!(RunHistory::load(folder.path()), RunHistory::default());
    std::fs::write(folder.path().join(FILE), "{\"format\": 2, \"runs\": []}").unwrap();
    assert_eq!(RunHistory::load(folder.path()), RunHistory::default());
}
