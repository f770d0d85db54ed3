//! The scripts that go before a finding in the same process, made fewer by delta debugging.
//!
//! Some solvers keep state over `(reset)`, so that an answer is wrong only after other scripts. Those are dropped that the wrong
//! answer does not need; what is left goes before every candidate.

use crate::judge::{CandidateVerdict, SolverJudge};
use crate::subject::ThreadWitness;
use std::sync::Arc;

/// The line that ends a script.
const END: &str = "(reset)\n";

/// How many scripts went before, and how many still do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fewer {
    /// Before.
    pub before: usize,
    /// After.
    pub after: usize,
}

/// Leaves out of `judge.question.earlier` what `text` does not need to be answered wrongly: all, then halves, quarters and so on, until
/// no single script can go or `is_over`.
pub fn reduce(
    judge: &mut SolverJudge,
    text: &str,
    witness: Option<&ThreadWitness>,
    is_over: impl Fn() -> bool,
) -> Fewer {
    let all = Arc::clone(&judge.question.earlier);
    let mut scripts: Vec<&str> = all.split_inclusive(END).collect();
    let before = scripts.len();
    let mut size = before;
    while size > 0 {
        let mut at = 0;
        while at < scripts.len() && !is_over() {
            let end = (at + size).min(scripts.len());
            let fewer: Vec<&str> = scripts[..at].iter().chain(&scripts[end..]).copied().collect();
            let kept = std::mem::replace(&mut judge.question.earlier, fewer.concat().into());
            match judge.judge(text, witness, true) {
                CandidateVerdict::Interesting(_) => scripts = fewer,
                CandidateVerdict::NotShown(_) | CandidateVerdict::TruthLost(_) => {
                    judge.question.earlier = kept;
                    at = end;
                }
            }
        }
        size /= 2;
    }
    Fewer { before, after: scripts.len() }
}
