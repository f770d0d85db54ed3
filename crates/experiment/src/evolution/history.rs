//! Compares each release with earlier ones.

use super::problems::EvolutionProblems;
use super::release_run::{ProblemVerdict, ReleaseRun};
use serde::Serialize;
use std::collections::BTreeMap;

/// The number of problems by verdict.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct VerdictCounts {
    /// Right answers.
    pub right: usize,
    /// `unsat` where `sat` is right.
    pub wrong_unsat: usize,
    /// `sat` where `unsat` is right.
    pub wrong_sat: usize,
    /// Crashes.
    pub crash: usize,
    /// `unknown`.
    pub unknown: usize,
    /// A limit was reached.
    pub limit: usize,
    /// The problem was rejected.
    pub refused: usize,
}

impl VerdictCounts {
    fn add(&mut self, verdict: ProblemVerdict) {
        *match verdict {
            ProblemVerdict::Right => &mut self.right,
            ProblemVerdict::WrongUnsat => &mut self.wrong_unsat,
            ProblemVerdict::WrongSat => &mut self.wrong_sat,
            ProblemVerdict::Crash => &mut self.crash,
            ProblemVerdict::Unknown => &mut self.unknown,
            ProblemVerdict::Limit => &mut self.limit,
            ProblemVerdict::Refused => &mut self.refused,
        } += 1;
    }

    /// Returns the number of wrong answers and crashes.
    pub fn bugs(&self) -> usize {
        self.wrong_unsat + self.wrong_sat + self.crash
    }
}

/// One release compared with earlier ones.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReleaseRow {
    /// Its label.
    pub label: String,
    /// Its verdicts.
    pub counts: VerdictCounts,
    /// The CPU time of all problems, in seconds.
    pub cpu_s: f64,
    /// Wrong answers and crashes by theory, in the order of [`EvolutionHistory::theories`].
    pub bugs: Vec<usize>,
    /// Names of problems that this release gets wrong, and the preceding release with an answer or crash got right.
    pub broke: Vec<String>,
    /// Names of problems that this release gets right, and the preceding release with an answer or crash got wrong.
    pub mended: Vec<String>,
    /// The number of problems that this release gets right, and no earlier release answered or got wrong.
    pub gained: usize,
    /// The number of problems that this release does not answer, and the previous release got right.
    pub lost: usize,
    /// Problems that it answered wrongly only after other problems in one process.
    pub wrong_after_others: usize,
}

/// Problems of one theory on which the newest release is wrong in the same way, since the same release.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StandingBug {
    /// The theory.
    pub theory: String,
    /// The wrong verdict.
    pub verdict: ProblemVerdict,
    /// The first of the consecutive wrong releases up to the newest.
    pub since: String,
    /// The number of problems.
    pub count: usize,
    /// The shortest problem.
    pub shortest: String,
}

/// A solver's releases, the oldest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EvolutionHistory {
    /// All theories, with the number of problems of each.
    pub theories: Vec<(String, usize)>,
    /// The releases.
    pub releases: Vec<ReleaseRow>,
    /// Errors of the newest release.
    pub standing: Vec<StandingBug>,
}

impl EvolutionHistory {
    /// Computes the history of releases, the oldest first, that ran the same problems.
    pub fn of(problems: &EvolutionProblems, runs: &[ReleaseRun]) -> EvolutionHistory {
        let mut of_theory: BTreeMap<&str, usize> = BTreeMap::new();
        problems.list.iter().for_each(|problem| *of_theory.entry(&problem.theory).or_default() += 1);
        let theories: Vec<(String, usize)> = of_theory.iter().map(|(name, n)| (name.to_string(), *n)).collect();
        let place: BTreeMap<&str, usize> = of_theory.keys().enumerate().map(|(at, name)| (*name, at)).collect();
        // By problem, whether the last release with an answer or crash was wrong.
        let mut erred: Vec<Option<bool>> = vec![None; problems.list.len()];
        let mut before: Option<&ReleaseRun> = None;
        let mut releases = Vec::new();
        for run in runs {
            let mut row = ReleaseRow {
                label: run.label.clone(),
                counts: VerdictCounts::default(),
                cpu_s: run.cpu_us.iter().sum::<u64>() as f64 / 1e6,
                bugs: vec![0; theories.len()],
                broke: Vec::new(),
                mended: Vec::new(),
                gained: 0,
                lost: 0,
                wrong_after_others: run.wrong_after_others,
            };
            for ((at, problem), verdict) in problems.list.iter().enumerate().zip(&run.verdicts) {
                row.counts.add(*verdict);
                let errs = verdict.errs();
                match (erred[at], errs) {
                    (Some(false), Some(true)) => row.broke.push(problem.name.clone()),
                    (Some(true), Some(false)) => row.mended.push(problem.name.clone()),
                    _ => {}
                }
                let earlier = before.map(|run| run.verdicts[at].errs());
                row.gained += usize::from(earlier == Some(None) && errs == Some(false));
                row.lost += usize::from(earlier == Some(Some(false)) && errs.is_none());
                erred[at] = errs.or(erred[at]);
                if errs == Some(true)
                    && let Some(place) = place.get(problem.theory.as_str())
                {
                    row.bugs[*place] += 1;
                }
            }
            before = Some(run);
            releases.push(row);
        }
        EvolutionHistory { theories, releases, standing: standing(problems, runs) }
    }
}

/// Groups the errors of the newest release, the most frequent first.
fn standing(problems: &EvolutionProblems, runs: &[ReleaseRun]) -> Vec<StandingBug> {
    let Some((newest, earlier)) = runs.split_last() else { return Vec::new() };
    let mut groups: BTreeMap<(&str, ProblemVerdict, usize), Vec<usize>> = BTreeMap::new();
    for (at, verdict) in newest.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.errs() == Some(true)) {
        // A release without an answer or crash neither ends a run of errors nor starts one.
        let mut since = earlier.len();
        for (n, run) in earlier.iter().enumerate().rev() {
            match run.verdicts[at].errs() {
                Some(true) => since = n,
                Some(false) => break,
                None => {}
            }
        }
        groups.entry((&problems.list[at].theory, *verdict, since)).or_default().push(at);
    }
    let mut list: Vec<StandingBug> = groups
        .into_iter()
        .map(|((theory, verdict, since), members)| {
            let shortest = members.iter().map(|at| &problems.list[*at]).min_by_key(|problem| problem.text.len());
            StandingBug {
                theory: theory.to_string(),
                verdict,
                since: runs[since].label.clone(),
                count: members.len(),
                shortest: shortest.map(|problem| problem.name.clone()).unwrap_or_default(),
            }
        })
        .collect();
    list.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.theory.cmp(&b.theory)));
    list
}
