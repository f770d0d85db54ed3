//! Bisection over the commits of a solver: the search, and its result.
//!
//! The search assumes, as `git bisect` does, that what a script shows changes once between two commits that differ.

use crate::version_verdict::VersionVerdict;
use serde::{Deserialize, Serialize};
use solver::build::git::SolverCommit;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// How many commits are passed over before a search ends with those that are left.
pub const MOST_SKIPPED: usize = 40;
/// How many commits, spread over the history, are asked for one that errs.
const SPREAD: usize = 32;

/// What a commit does with the script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommitAnswer {
    /// The commit.
    #[serde(flatten)]
    pub commit: SolverCommit,
    /// What its program does; none if it does not build.
    pub did: Option<VersionVerdict>,
    /// Its answers in words, or why it does not build.
    pub said: String,
}

impl CommitAnswer {
    /// Whether it errs; none if that is not known, so that another one is asked. One that does not accept the script does not err.
    pub fn errs(&self) -> Option<bool> {
        match self.did? {
            VersionVerdict::Wrong => Some(true),
            VersionVerdict::Right | VersionVerdict::Refused => Some(false),
            VersionVerdict::Undecided => None,
        }
    }
}

/// Where the answer changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommitChange {
    /// The oldest commit that was seen to have changed.
    pub commit: SolverCommit,
    /// The oldest one that may have brought the change, where those between do not build or do not decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<SolverCommit>,
    /// How many commits may have brought it, from `since` to `commit`.
    pub candidates: usize,
    /// The commit before them; none at the beginning of the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<CommitAnswer>,
}

/// The result of a bisection over commits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommitHistory {
    /// How many commits there are from first parent to first parent.
    pub commits: usize,
    /// Whether older ones are missing in the repository.
    #[serde(default)]
    pub is_shallow: bool,
    /// The first commit that errs; none where none does.
    pub first_bad: Option<CommitChange>,
    /// The first one after it that no longer does; none where the newest still errs.
    pub first_good: Option<CommitChange>,
    /// Those that were asked, the oldest first.
    pub asked: Vec<CommitAnswer>,
}

impl CommitHistory {
    /// Whether the newest commit that decides errs.
    pub fn newest_errs(&self) -> bool {
        self.asked.iter().rev().find_map(CommitAnswer::errs).unwrap_or(false)
    }

    /// What was found out, in sentences, for people who have the repository.
    pub fn words(&self) -> Vec<String> {
        let Some(bad) = &self.first_bad else {
            return vec![format!("No commit asked errs ({} of {}).", self.asked.len(), self.commits)];
        };
        let first = match (&bad.before, bad.candidates) {
            (None, 1) if self.is_shallow => {
                format!(
                    "Every commit asked errs since the first, {}, and the clone has no older ones.",
                    name(&bad.commit)
                )
            }
            (None, 1) => format!("The first commit of the history errs: {}.", name(&bad.commit)),
            _ => format!("First bad commit: {}.", change(bad)),
        };
        let last = match &self.first_good {
            Some(good) => format!("First good commit after it: {}.", change(good)),
            None => "The newest commit asked still errs.".to_string(),
        };
        // A folder may come from a stranger.
        [first, last].map(|text| text.chars().filter(|c| !c.is_control()).collect()).to_vec()
    }
}

/// A commit as it is named in texts.
fn name(commit: &SolverCommit) -> String {
    format!("{} ({}, {})", commit.hash, commit.date, commit.subject)
}

fn change(change: &CommitChange) -> String {
    let commit = match &change.since {
        None => name(&change.commit),
        Some(since) => format!(
            "one of {} from {} to {}: those between do not build, do not decide or were not asked",
            change.candidates,
            name(since),
            name(&change.commit)
        ),
    };
    match &change.before {
        Some(before) if before.did == Some(VersionVerdict::Refused) => {
            format!("{commit}; the one before, {}, does not accept the script", before.commit.short())
        }
        _ => commit,
    }
}

/// The first position that has changed, or those of which one is the first: of `range` the last has changed, and what is before it has
/// not. Asks for each at most once; `None` of `ask` is passed over.
///
/// # Errors
/// Those of `ask`.
pub fn first_changed<E>(
    range: RangeInclusive<usize>,
    mut ask: impl FnMut(usize) -> Result<Option<bool>, E>,
) -> Result<RangeInclusive<usize>, E> {
    let (mut start, mut end) = range.into_inner();
    let mut skipped = BTreeSet::new();
    loop {
        let open: Vec<usize> = (start..end).filter(|at| !skipped.contains(at)).collect();
        if open.is_empty() || skipped.len() >= MOST_SKIPPED {
            return Ok(start..=end);
        }
        // Away from what does not build by steps that grow, to either side: commits that do not build stand together.
        let skips = skipped.range(start..end).count();
        let step = if skips == 0 { 0 } else { 1usize << ((skips - 1) / 2) };
        let middle = open.len() / 2;
        let at = if skips % 2 == 1 { middle.saturating_sub(step) } else { (middle + step).min(open.len() - 1) };
        match ask(open[at])? {
            Some(true) => end = open[at],
            Some(false) => start = open[at] + 1,
            None => {
                skipped.insert(open[at]);
            }
        }
    }
}

/// Positions to be asked from the newest backward, by steps that grow, until one decides.
pub fn backward(count: usize) -> impl Iterator<Item = usize> {
    let steps = std::iter::successors(Some(0usize), |back| Some(2 * back + 1));
    steps.map_while(move |back| count.checked_sub(back + 1))
}

/// Positions spread over the history, the coarse ones first, and at last the oldest.
pub fn spread(count: usize) -> Vec<usize> {
    let mut list: Vec<usize> = Vec::new();
    let fractions = (1..).map(|level| 1usize << level).take_while(|parts| *parts <= SPREAD);
    for parts in fractions {
        for part in (1..parts).step_by(2) {
            let at = count / parts * part + count % parts * part / parts;
            if !list.contains(&at) {
                list.push(at);
            }
        }
    }
    if !list.contains(&0) {
        list.push(0);
    }
    list
}
