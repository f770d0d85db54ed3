//! Tries edits in groups: a whole batch, then halves, quarters and so on (delta debugging; Zeller and Hildebrandt 2002).

use crate::judge::{CandidateVerdict, Evidence};
use crate::parallel_judge::Ticket;
use crate::pass::Grouping;
use std::collections::VecDeque;

/// One pass of a reduction by edits.
pub(crate) trait Sweep {
    /// The type of an edit.
    type Edit: Clone;
    /// A candidate, made by some edits.
    type Candidate;

    /// Whether the reduction must end.
    fn is_over(&self) -> bool;

    /// Returns the number of candidates judged in parallel.
    fn width(&self) -> usize;

    /// Builds the candidate of the edits in `accepted` and `chunk`, if it is worth judging.
    fn prepare(&mut self, accepted: &[Self::Edit], chunk: &[Self::Edit]) -> Option<Self::Candidate>;

    /// Submits a candidate.
    fn submit(&mut self, candidate: &Self::Candidate) -> Ticket;

    /// Waits for the verdict.
    fn wait(&mut self, ticket: Ticket, candidate: &Self::Candidate) -> CandidateVerdict;

    /// Continues from an interesting candidate.
    fn take(&mut self, candidate: Self::Candidate, evidence: Evidence);
}

/// Tries the edits of a pass, batch by batch; returns the number of accepted groups.
pub(crate) fn batches<S: Sweep>(sweep: &mut S, group: Grouping, batches: Vec<Vec<S::Edit>>) -> u32 {
    let mut accepted = Vec::new();
    let mut count = 0;
    for mut pending in batches {
        let mut size = match group {
            Grouping::Halving => pending.len(),
            Grouping::Coarse => pending.len().div_ceil(2),
            Grouping::Single | Grouping::Again => 1,
        };
        let coarse = if group == Grouping::Coarse { pending.len() / 4 } else { 0 };
        while !pending.is_empty() && !sweep.is_over() {
            let taken;
            (pending, taken) = groups(sweep, &mut accepted, pending, size);
            count += taken;
            if size <= 1 || size <= coarse && taken == 0 {
                break;
            }
            size /= 2;
        }
    }
    count
}

/// Tries the edits in groups of `size`; returns the rejected edits and the number of accepted groups.
fn groups<S: Sweep>(
    sweep: &mut S,
    accepted: &mut Vec<S::Edit>,
    pending: Vec<S::Edit>,
    size: usize,
) -> (Vec<S::Edit>, u32) {
    let mut rest = Vec::new();
    let mut taken = 0;
    let mut at = 0;
    while at < pending.len() && !sweep.is_over() {
        let Some((start, end, candidate, evidence)) = first(sweep, accepted, &pending, at, size) else { break };
        rest.extend_from_slice(&pending[at..start]);
        accepted.extend_from_slice(&pending[start..end]);
        sweep.take(candidate, evidence);
        taken += 1;
        at = end;
    }
    rest.extend_from_slice(&pending[at..]);
    (rest, taken)
}

/// Returns the first interesting group from `at` on. Later groups are judged in parallel, in case this one fails.
fn first<S: Sweep>(
    sweep: &mut S,
    accepted: &[S::Edit],
    pending: &[S::Edit],
    at: usize,
    size: usize,
) -> Option<(usize, usize, S::Candidate, Evidence)> {
    let mut underway = VecDeque::new();
    let mut cursor = at;
    loop {
        while underway.len() < sweep.width() && cursor < pending.len() && !sweep.is_over() {
            let end = (cursor + size).min(pending.len());
            if let Some(candidate) = sweep.prepare(accepted, &pending[cursor..end]) {
                let ticket = sweep.submit(&candidate);
                underway.push_back((cursor, end, candidate, ticket));
            }
            cursor = end;
        }
        let (start, end, candidate, ticket) = underway.pop_front()?;
        if let CandidateVerdict::Interesting(evidence) = sweep.wait(ticket, &candidate) {
            return Some((start, end, candidate, evidence));
        }
    }
}
