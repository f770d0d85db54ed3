//! What the campaigns of a comparison found: causes per run and arm, grouped over all runs together.

use super::plan::{CampaignPlan, PlannedRun};
use super::run::RunRecord;
use crate::statistics::{RankComparison, compare_ranks, median};
use anyhow::Result;
use finding::folder::FINDINGS;
use finding::{BugClass, BugSeverity};
use serde::Serialize;
use std::path::Path;
use triage::folder::CampaignFindings;

/// A completed campaign.
#[derive(Clone, Debug)]
pub struct FinishedRun {
    /// The planned campaign.
    pub run: PlannedRun,
    /// Its record.
    pub record: RunRecord,
}

/// What one campaign found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunResult {
    /// The campaign's seed.
    pub seed: u64,
    /// Causes of wrong answers: classes A and B.
    pub wrong: usize,
    /// Causes of wrong `unsat`: class A, also counted in `wrong`.
    pub wrong_unsat: usize,
    /// Causes of crashes: class D.
    pub crashes: usize,
    /// Findings of classes A and B that were not reduced. They are not counted.
    pub unreduced: usize,
    /// Mutants sent.
    pub mutants: u64,
    /// CPU time used, in seconds.
    pub cpu_s: f64,
    /// Scripts that reached a time limit.
    pub timeouts: u64,
}

/// What one arm found.
#[derive(Clone, Debug, Serialize)]
pub struct ArmResult {
    /// The arm's name.
    pub name: String,
    /// Its options as given.
    pub options: String,
    /// Its campaigns, in the order of their seeds.
    pub runs: Vec<RunResult>,
    /// The median number of causes of wrong answers per run.
    pub median: Option<f64>,
    /// Causes of wrong answers of all runs together.
    pub all: usize,
    /// Causes of wrong answers that no other arm found.
    pub only: usize,
    /// Its causes of wrong answers per run compared with those of the first arm. `None` for the first arm.
    pub beside_first: Option<RankComparison>,
}

/// One cause, with the number of campaigns of each arm that found it.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedCause {
    /// The class.
    pub class: BugClass,
    /// One line about it.
    pub about: String,
    /// The number of campaigns that found it, by arm.
    pub runs: Vec<usize>,
    /// The folder of its best finding.
    pub folder: String,
}

/// A comparison.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignComparison {
    /// One result per arm.
    pub arms: Vec<ArmResult>,
    /// The causes of wrong answers and crashes, the most important first.
    pub causes: Vec<ComparedCause>,
    /// One message per finding that cannot be read.
    pub damaged: Vec<String>,
}

impl CampaignComparison {
    /// Reads the findings of completed campaigns. Two findings have one cause if [`CampaignFindings`] groups them when the findings of
    /// all campaigns are loaded together.
    /// Errors: a campaign's folder cannot be read.
    pub fn read(plan: &CampaignPlan, finished: &[FinishedRun]) -> Result<CampaignComparison> {
        let folders: Vec<_> = finished.iter().map(|one| plan.folder(one.run)).collect();
        let mut pool = CampaignFindings::none(&plan.out);
        // A run that found nothing may have no folder of findings.
        for folder in folders.iter().filter(|folder| folder.join(FINDINGS).is_dir()) {
            pool.add(CampaignFindings::load(folder)?);
        }
        let of_folder = |path: &Path| folders.iter().position(|folder| path.starts_with(folder));
        let mut results: Vec<RunResult> = finished.iter().map(RunResult::before_findings).collect();
        let mut causes = Vec::new();
        for group in pool.groups() {
            let class = group.best().finding.class;
            let mut runs: Vec<usize> = group.members.iter().filter_map(|member| of_folder(&member.folder)).collect();
            if group.waits() {
                if class.is_wrong_answer() {
                    runs.iter().for_each(|&at| results[at].unreduced += 1);
                }
                continue;
            }
            runs.sort_unstable();
            runs.dedup();
            for &at in &runs {
                results[at].count(class);
            }
            if class.severity() < BugSeverity::Minor {
                let of_arm = |arm: usize| runs.iter().filter(|&&at| finished[at].run.arm == arm).count();
                causes.push(ComparedCause {
                    class,
                    about: group.about(),
                    runs: (0..plan.arms.len()).map(of_arm).collect(),
                    folder: group.best().folder.display().to_string(),
                });
            }
        }
        Ok(CampaignComparison { arms: arms(plan, finished, &results, &causes), causes, damaged: pool.damaged })
    }
}

impl RunResult {
    fn before_findings(finished: &FinishedRun) -> RunResult {
        let record = &finished.record;
        RunResult {
            seed: finished.run.seed,
            wrong: 0,
            wrong_unsat: 0,
            crashes: 0,
            unreduced: 0,
            mutants: record.mutants,
            cpu_s: record.cpu_s,
            timeouts: record.timeouts,
        }
    }

    fn count(&mut self, class: BugClass) {
        match class.severity() {
            BugSeverity::WrongAnswer => {
                self.wrong += 1;
                self.wrong_unsat += usize::from(class == BugClass::A);
            }
            BugSeverity::Crash => self.crashes += 1,
            BugSeverity::BrokenPromise | BugSeverity::Minor => {}
        }
    }
}

fn arms(
    plan: &CampaignPlan,
    finished: &[FinishedRun],
    results: &[RunResult],
    causes: &[ComparedCause],
) -> Vec<ArmResult> {
    let of = |arm: usize| -> Vec<RunResult> {
        let with = finished.iter().zip(results).filter(|(one, _)| one.run.arm == arm);
        with.map(|(_, result)| result.clone()).collect()
    };
    let counts = |runs: &[RunResult]| -> Vec<f64> { runs.iter().map(|run| run.wrong as f64).collect() };
    let first = counts(&of(0));
    let wrong = || causes.iter().filter(|cause| cause.class.is_wrong_answer());
    let result = |(arm, given): (usize, &super::plan::CampaignArm)| {
        let runs = of(arm);
        let values = counts(&runs);
        let is_only =
            |cause: &&ComparedCause| cause.runs.iter().enumerate().all(|(n, count)| (*count > 0) == (n == arm));
        ArmResult {
            name: given.name.clone(),
            options: given.words.join(" "),
            median: median(&values),
            all: wrong().filter(|cause| cause.runs[arm] > 0).count(),
            only: wrong().filter(is_only).count(),
            beside_first: if arm == 0 { None } else { compare_ranks(&values, &first) },
            runs,
        }
    };
    plan.arms.iter().enumerate().map(result).collect()
}
