//! Reduces the scripts that precede a finding in the same process: fewer by delta debugging, and each smaller by the passes.
//!
//! Some solvers keep state over `(reset)`, so an answer may be wrong only after other scripts. Unneeded ones are dropped, and the others
//! are reduced like any script; a candidate is kept if the finding still shows after it. The rest precedes every candidate of the finding
//! itself.

use crate::judge::{CandidateVerdict, Evidence, SolverJudge, TextJudge, TextTest};
use crate::reducer::{Best, Reducer, ReducerConfig, Sink};
use crate::size::Size;
use crate::subject::{Subject, ThreadWitness};
use finding::Trust;
use oracle::question::SolverQuestion;
use smtlib::{Dialect, Store};
use std::sync::Arc;
use std::time::Instant;

/// The last line of a preceding script.
const END: &str = "(reset)\n";

/// The numbers of preceding scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fewer {
    /// Before.
    pub before: usize,
    /// After.
    pub after: usize,
}

/// Drops scripts of `judge.question.earlier` that `text` does not need for its wrong answer: all, then halves, quarters and so on, until
/// no single script can be dropped or `is_over` returns true.
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

/// Reduces each script of `judge.question.earlier` while `text` still gets its wrong answer, starting with the last one, which most
/// likely matters.
pub fn shrink(
    judge: &mut SolverJudge,
    text: &str,
    witness: Option<&ThreadWitness>,
    dialect: &Dialect,
    config: &ReducerConfig,
) {
    let started = Instant::now();
    let all = Arc::clone(&judge.question.earlier);
    let mut scripts: Vec<String> = all.split_inclusive(END).map(str::to_string).collect();
    for n in (0..scripts.len()).rev() {
        let Ok(subject) = Subject::read(body(&scripts[n]).as_bytes(), dialect.clone()) else { continue };
        let test = AfterPredecessor {
            judge: judge.clone(),
            before: scripts[..n].concat(),
            after: scripts[n + 1..].concat(),
            text: text.to_string(),
            witness: witness.cloned(),
        };
        // If its exact spelling matters, it stays unchanged.
        let CandidateVerdict::Interesting(evidence) = test.judge(&subject.text()) else { continue };
        let time = config.time.map(|time| time.saturating_sub(started.elapsed()));
        let config = ReducerConfig { before: subject.size(), time, ..config.clone() };
        let judge_of_script = Arc::new(TextJudge::Test(Box::new(test)));
        let mut silent = Silent;
        let (subject, ..) = Reducer::new(subject, evidence, judge_of_script, config, &mut silent).run();
        let reduced = joined(&subject.text());
        if reduced.len() < scripts[n].len() {
            scripts[n] = reduced;
            judge.question.earlier = scripts.concat().into();
        }
    }
}

/// Returns the size of preceding scripts: total bytes and assertions, and maximum depth.
pub fn size(earlier: &str) -> Size {
    let mut size = Size { bytes: earlier.len(), ..Size::default() };
    for script in earlier.split_inclusive(END) {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, body(script));
        size = size.with(Size::of(&store, &parsed.script, 0));
    }
    size
}

/// Tests a script after a predecessor with another text.
struct AfterPredecessor {
    judge: SolverJudge,
    /// The scripts before the predecessor, and those between it and the script.
    before: String,
    after: String,
    /// The script.
    text: String,
    witness: Option<ThreadWitness>,
}

impl TextTest for AfterPredecessor {
    fn judge(&self, text: &str) -> CandidateVerdict {
        let earlier = format!("{}{}{}", self.before, joined(text), self.after);
        let judge = with_earlier(&self.judge, earlier.into());
        match judge.judge(&self.text, self.witness.as_ref(), true) {
            // The solver's error concerns the script, not the predecessor.
            CandidateVerdict::Interesting(_) => Evidence::verdict(Trust::Observed, 0),
            other => other,
        }
    }
}

/// Ignores improvements: the result is written when all scripts are done.
struct Silent;

impl Sink for Silent {
    fn improved(&mut self, _: &Best<'_>) {}
}

/// Returns the judge with other preceding scripts.
fn with_earlier(judge: &SolverJudge, earlier: Arc<str>) -> SolverJudge {
    SolverJudge { question: SolverQuestion { earlier, ..judge.question.clone() }, ..judge.clone() }
}

/// Removes a script's last line.
fn body(script: &str) -> &str {
    script.strip_suffix(END).unwrap_or(script)
}

/// Appends a script's last line.
fn joined(text: &str) -> String {
    format!("{}\n{END}", text.trim_end())
}
