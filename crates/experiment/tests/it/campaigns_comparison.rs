//! Tests of `campaigns::comparison`: causes of all campaigns together, counted by run and by arm.

use crate::support::campaign;
use experiment::campaigns::comparison::{CampaignComparison, FinishedRun};
use experiment::campaigns::plan::CampaignPlan;
use experiment::campaigns::run::RunRecord;
use std::path::Path;
use std::time::Duration;

/// Two arms with two campaigns each.
fn plan(out: &Path) -> CampaignPlan {
    CampaignPlan {
        common: Vec::new(),
        arms: ["a=", "b="].map(|arm| arm.parse().expect("an arm")).into(),
        seeds: vec![1, 2],
        cpu: Duration::from_secs(1),
        reduce: Duration::ZERO,
        jobs: 1,
        out: out.to_path_buf(),
    }
}

/// Compares campaigns, whose findings are in the order of [`CampaignPlan::runs`]: the first of `a`, of `b`, the second of `a`, of `b`.
fn compared(out: &Path, findings: [&[&str]; 4]) -> CampaignComparison {
    let plan = plan(out);
    let record = RunRecord { words: Vec::new(), reduce_s: 0, mutants: 10, units: 5, cpu_s: 1.0, timeouts: 0 };
    let finished = plan.runs().into_iter().zip(findings).map(|(run, lines)| {
        campaign(&plan.folder(run), lines);
        FinishedRun { run, record: record.clone() }
    });
    CampaignComparison::read(&plan, &finished.collect::<Vec<_>>()).expect("campaigns")
}

/// Checks, for each arm: wrong answers by run, all causes of its runs together, and those that no other arm found.
fn check(findings: [&[&str]; 4], expect: [(&[usize], usize, usize); 2]) {
    let out = tempfile::tempdir().expect("a folder");
    let found = compared(out.path(), findings);
    let by_run = found.arms.iter().map(|arm| arm.runs.iter().map(|run| run.wrong).collect::<Vec<_>>());
    let by_run: Vec<Vec<usize>> = by_run.collect();
    let arms: Vec<_> = found.arms.iter().zip(&by_run).map(|(arm, runs)| (&runs[..], arm.all, arm.only)).collect();
    assert_eq!(arms, expect, "{findings:#?}");
    assert!(found.damaged.is_empty(), "{:?}", found.damaged);
}

const MOD: &str = "A-1 z3 unsat a reduced=mod";
const DIV: &str = "A-2 z3 unsat b reduced=div";

#[test]
fn a_cause_is_counted_once_over_all_campaigns() {
    check([&[], &[], &[], &[]], [(&[0, 0], 0, 0), (&[0, 0], 0, 0)]);
    check([&[MOD], &[], &[DIV], &[]], [(&[1, 1], 2, 2), (&[0, 0], 0, 0)]);
    check([&[MOD, DIV], &[MOD], &[MOD], &[]], [(&[2, 1], 2, 1), (&[1, 0], 1, 0)]);
    // Two findings of one cause in one campaign count once.
    check([&[MOD, "A-3 z3 unsat c reduced=mod"], &[], &[], &[MOD]], [(&[1, 0], 1, 0), (&[0, 1], 1, 0)]);
}

#[test]
fn unreduced_findings_count_for_no_arm() {
    check([&["A-1 z3 unsat c", DIV], &[], &[], &[]], [(&[1, 0], 1, 1), (&[0, 0], 0, 0)]);
    // If a hit of the same seed is reduced in another campaign, it has that cause.
    check([&["A-1 z3 unsat a"], &[MOD], &[], &[]], [(&[1, 0], 1, 0), (&[1, 0], 1, 0)]);
    let out = tempfile::tempdir().expect("a folder");
    let found =
        compared(out.path(), [&["A-1 z3 unsat c", "A-2 z3 unsat d"], &[MOD], &[], &["D-1 z3 assertion:_a.cpp a"]]);
    let unreduced: Vec<_> = found.arms.iter().flat_map(|arm| arm.runs.iter().map(|run| run.unreduced)).collect();
    assert_eq!(unreduced, [2, 0, 0, 0]);
    // The symptom of a crash identifies its cause without a reduction.
    let crashes: Vec<_> = found.arms.iter().flat_map(|arm| arm.runs.iter().map(|run| run.crashes)).collect();
    assert_eq!(crashes, [0, 0, 0, 1]);
    let causes: Vec<_> = found.causes.iter().map(|cause| (cause.class.letter(), &cause.runs[..])).collect();
    assert_eq!(causes, [("A", &[0, 1][..]), ("D", &[0, 1])]);
}

#[test]
fn arms_are_compared_with_the_first() {
    let out = tempfile::tempdir().expect("a folder");
    let found = compared(out.path(), [&[MOD, DIV], &[], &[MOD], &[]]);
    let [first, second] = &found.arms[..] else { panic!("{:?}", found.arms) };
    assert_eq!((first.median, second.median), (Some(1.5), Some(0.0)));
    assert!(first.beside_first.is_none() && second.beside_first.is_some());
}
