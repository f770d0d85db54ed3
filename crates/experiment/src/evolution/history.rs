//! What changed from release to release.

use super::problems::EvolutionProblems;
use super::release_run::{ProblemVerdict, ReleaseRun};
use serde::Serialize;
use std::collections::BTreeMap;

/// How often each verdict was given.
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
    /// It gave up.
    pub unknown: usize,
    /// A limit was met.
    pub limit: usize,
    /// The problem was not taken.
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

    /// Wrong answers and crashes.
    pub fn bugs(&self) -> usize {
        self.wrong_unsat + self.wrong_sat + self.crash
    }
}

/// One release beside those before it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReleaseRow {
    /// Its label.
    pub label: String,
    /// How often it did what.
    pub counts: VerdictCounts,
    /// The CPU time of all problems, in seconds.
    pub cpu_s: f64,
    /// Wrong answers and crashes by theory, in the order of [`EvolutionHistory::theories`].
    pub bugs: Vec<usize>,
    /// Names of problems on which it errs, and the last earlier release that told did not.
    pub broke: Vec<String>,
    /// Names of problems that it answers rightly, and on which the last earlier release that told erred.
    pub mended: Vec<String>,
    /// Problems that it answers rightly, and on which no earlier release erred or answered, the one before least of all.
    pub gained: usize,
    /// Problems that it does not answer, and the release before answered rightly.
    pub lost: usize,
    /// Problems that it answered wrongly only after others in one process.
    pub wrong_after_others: usize,
}

/// Problems of one theory on which the newest release errs in the same way, since the same release.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StandingBug {
    /// The theory.
    pub theory: String,
    /// What it does.
    pub verdict: ProblemVerdict,
    /// The first release of the stretch of erring ones that ends with the newest.
    pub since: String,
    /// How many problems.
    pub count: usize,
    /// The shortest of them.
    pub shortest: String,
}

/// A solver's releases, the oldest first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EvolutionHistory {
    /// All theories, with the number of problems of each.
    pub theories: Vec<(String, usize)>,
    /// The releases.
    pub releases: Vec<ReleaseRow>,
    /// On what the newest release errs.
    pub standing: Vec<StandingBug>,
}

impl EvolutionHistory {
    /// The history of releases that were asked the same problems, the oldest first.
    pub fn of(problems: &EvolutionProblems, runs: &[ReleaseRun]) -> EvolutionHistory {
        let mut of_theory: BTreeMap<&str, usize> = BTreeMap::new();
        problems.list.iter().for_each(|problem| *of_theory.entry(&problem.theory).or_default() += 1);
        let theories: Vec<(String, usize)> = of_theory.iter().map(|(name, n)| (name.to_string(), *n)).collect();
        let place: BTreeMap<&str, usize> = of_theory.keys().enumerate().map(|(at, name)| (*name, at)).collect();
        // Whether the last release that told erred, a problem each.
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

/// On what the newest release errs, the most frequent first.
fn standing(problems: &EvolutionProblems, runs: &[ReleaseRun]) -> Vec<StandingBug> {
    let Some((newest, earlier)) = runs.split_last() else { return Vec::new() };
    let mut groups: BTreeMap<(&str, ProblemVerdict, usize), Vec<usize>> = BTreeMap::new();
    for (at, verdict) in newest.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.errs() == Some(true)) {
        // A release that does not tell neither ends a stretch nor begins one.
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

#[cfg(test)]
mod tests {
    use super::super::problems::{EvolutionProblem, RightAnswer};
    use super::*;
    use finding::Trust;

    /// A letter a problem: `r`ight, wrong `s`at, wrong `u`nsat, `c`rash, `?` unknown, `t`imeout, `-` refused.
    fn history(runs: &[&str]) -> EvolutionHistory {
        let problem = |n: usize| EvolutionProblem {
            name: format!("p{n}"),
            theory: if n == 0 { "fp" } else { "strings" }.to_string(),
            text: "x".repeat(10 - n),
            answers: vec![Some(RightAnswer::Sat)],
            truth: Trust::Exhausted,
        };
        let count = runs.first().map_or(0, |run| run.len());
        let problems = EvolutionProblems { list: (0..count).map(problem).collect(), untold: Vec::new() };
        let verdict = |letter: char| match letter {
            's' => ProblemVerdict::WrongSat,
            'u' => ProblemVerdict::WrongUnsat,
            'c' => ProblemVerdict::Crash,
            '?' => ProblemVerdict::Unknown,
            't' => ProblemVerdict::Limit,
            '-' => ProblemVerdict::Refused,
            _ => ProblemVerdict::Right,
        };
        let run = |(n, letters): (usize, &&str)| ReleaseRun {
            label: format!("z3@{}", n + 1),
            problems: String::new(),
            limit_ms: 1,
            verdicts: letters.chars().map(verdict).collect(),
            cpu_us: vec![500_000; letters.len()],
            wrong_after_others: 0,
        };
        EvolutionHistory::of(&problems, &runs.iter().enumerate().map(run).collect::<Vec<_>>())
    }

    #[test]
    fn changes_are_told_beside_the_last_release_that_told() {
        let check = |runs: &[&str], broke: &[&str], mended: &[&str], gained: &[usize], lost: &[usize]| {
            let history = history(runs);
            let of = |names: fn(&ReleaseRow) -> &Vec<String>| -> Vec<String> {
                history.releases.iter().map(|row| names(row).join(" ")).collect()
            };
            assert_eq!(of(|row| &row.broke), broke, "{runs:?}");
            assert_eq!(of(|row| &row.mended), mended, "{runs:?}");
            assert_eq!(history.releases.iter().map(|row| row.gained).collect::<Vec<_>>(), gained, "{runs:?}");
            assert_eq!(history.releases.iter().map(|row| row.lost).collect::<Vec<_>>(), lost, "{runs:?}");
        };
        check(&["rr", "rs", "rr"], &["", "p1", ""], &["", "", "p1"], &[0, 0, 0], &[0, 0, 0]);
        // What a release does not answer hides neither a bug nor a repair.
        check(&["rs", "?-", "ur"], &["", "", "p0"], &["", "", "p1"], &[0, 0, 1], &[0, 1, 0]);
        check(&["??", "rt", "rr"], &["", "", ""], &["", "", ""], &[0, 1, 1], &[0, 0, 0]);
        // Nothing was right before the first release.
        check(&["us", "us"], &["", ""], &["", ""], &[0, 0], &[0, 0]);
    }

    #[test]
    fn what_the_newest_does_wrongly_is_told_with_its_age() {
        let history = history(&["rssr", "rs?c", "usuc", "ussc"]);
        let rows: Vec<(&str, ProblemVerdict, &str, usize, &str)> = history
            .standing
            .iter()
            .map(|bug| (bug.theory.as_str(), bug.verdict, bug.since.as_str(), bug.count, bug.shortest.as_str()))
            .collect();
        assert_eq!(
            rows,
            [
                ("strings", ProblemVerdict::WrongSat, "z3@1", 2, "p2"),
                ("fp", ProblemVerdict::WrongUnsat, "z3@3", 1, "p0"),
                ("strings", ProblemVerdict::Crash, "z3@2", 1, "p3"),
            ]
        );
        assert_eq!(history.theories, [("fp".to_string(), 1), ("strings".to_string(), 3)]);
        let last = history.releases.last().expect("a release");
        assert_eq!((last.bugs.as_slice(), last.counts.bugs(), last.cpu_s), ([1, 3].as_slice(), 4, 2.0));
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert_eq!(history(&[]).releases, []);
        assert_eq!(history(&["rr"]).standing, []);
    }
}
