//! Bisection over the commits of a solver: the search, and its result.
//!
//! The search assumes, like `git bisect`, that the behavior changes once between two commits that differ.

use crate::verdict::VersionVerdict;
use serde::{Deserialize, Serialize};
use solver::build::git::SolverCommit;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The number of skipped commits after which a search stops with a range.
pub const MOST_SKIPPED: usize = 40;
/// The number of commits, spread over the history, that are searched for a failing one.
const SPREAD: usize = 32;

/// A commit's verdict on the script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommitAnswer {
    /// The commit.
    #[serde(flatten)]
    pub commit: SolverCommit,
    /// Its verdict; `None` if it does not build.
    pub did: Option<VersionVerdict>,
    /// Its answers as text, or why it does not build.
    pub said: String,
}

impl CommitAnswer {
    /// Whether the commit fails; `None` if unknown, so that another commit is asked. A commit that rejects the script does not fail.
    pub fn errs(&self) -> Option<bool> {
        match self.did? {
            VersionVerdict::Wrong => Some(true),
            VersionVerdict::Right | VersionVerdict::Refused => Some(false),
            VersionVerdict::Undecided => None,
        }
    }
}

/// A change of behavior.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommitChange {
    /// The oldest commit known to have changed.
    pub commit: SolverCommit,
    /// The oldest candidate for the change, if the commits between do not build or have no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<SolverCommit>,
    /// The number of candidates, from `since` to `commit`.
    pub candidates: usize,
    /// The preceding commit; `None` at the beginning of the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<CommitAnswer>,
}

/// The result of a bisection over commits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommitHistory {
    /// The number of first-parent commits.
    pub commits: usize,
    /// Whether the repository lacks older commits.
    #[serde(default)]
    pub is_shallow: bool,
    /// The first failing commit, if any.
    pub first_bad: Option<CommitChange>,
    /// The first later commit that no longer fails; `None` if the newest still fails.
    pub first_good: Option<CommitChange>,
    /// The commits asked, oldest first.
    pub asked: Vec<CommitAnswer>,
}

impl CommitHistory {
    /// Whether the newest commit with a verdict fails.
    pub fn newest_errs(&self) -> bool {
        self.asked.iter().rev().find_map(CommitAnswer::errs).unwrap_or(false)
    }

    /// Describes the result in sentences, for users who have the repository.
    pub fn describe(&self) -> Vec<String> {
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
        // A folder may be from an untrusted source.
        [first, last].map(|text| text.chars().filter(|c| !c.is_control()).collect()).to_vec()
    }
}

/// Formats a commit for texts.
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

/// Returns the first changed position, or the candidates for it: the last of `range` has changed, and the position before it has not.
/// Asks each position at most once; skips those for which `ask` returns `None`.
/// Errors: the first error of `ask`.
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
        // Moves away from unbuildable commits by growing steps, in both directions: such commits are often neighbours.
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

/// Returns the positions to ask from the newest backward, by growing steps, until one has a verdict.
pub fn backward(count: usize) -> impl Iterator<Item = usize> {
    let steps = std::iter::successors(Some(0usize), |back| Some(2 * back + 1));
    steps.map_while(move |back| count.checked_sub(back + 1))
}

/// Returns positions spread over the history, coarse ones first, ending with the oldest.
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
