//! Reduces any text that a test finds interesting, without understanding it.

use crate::judge::{CandidateVerdict, Evidence, TextJudge};
use crate::parallel_judge::{ParallelJudge, Ticket};
use crate::pass::Grouping;
use crate::reducer::is_smaller;
use crate::sweep::{self, Sweep};
use crate::text_passes::{self, TextChange};
use rustc_hash::FxHashSet;
use smtlib::Store;
use smtlib::sexpr::Sexprs;
use std::ops::Range;
use std::sync::Arc;

/// The number of candidates with mistakes that are rejected in a row before a test is assumed to want none.
const MISREAD: u32 = 8;

/// The smallest text found, and why it is interesting.
pub struct ReducedText {
    /// The text.
    pub text: Arc<str>,
    /// Why the text is interesting.
    pub evidence: Evidence,
    /// The number of judged candidates.
    pub judged: u64,
    /// The current pass.
    pub pass: &'static str,
}

/// Observes and ends a reduction.
pub trait TextWatch {
    /// Whether the reduction must end.
    fn is_over(&self) -> bool;

    /// Called for each smaller text.
    fn improved(&mut self, smaller: &ReducedText);
}

/// Reduces a text on `jobs` threads until no pass finds a smaller one, or its watch ends it.
pub fn reduce<W: TextWatch>(
    judge: Arc<TextJudge>,
    text: &str,
    evidence: Evidence,
    jobs: usize,
    watch: &mut W,
) -> ReducedText {
    let mut parallel = ParallelJudge::new(judge, jobs);
    let mut best = ReducedText { text: text.into(), evidence, judged: 0, pass: "" };
    let mut learned = Learned::default();
    let (mut rounds, mut is_stale) = (0, false);
    loop {
        let before = Arc::clone(&best.text);
        let mut next = 0;
        while let Some(pass) = text_passes::PASSES.get(next) {
            if watch.is_over() {
                return best;
            }
            best.pass = pass.name;
            let base = Arc::clone(&best.text);
            let all = Sexprs::read(&base);
            let is_large = all.nodes().nth(pass.most).is_some();
            let batches = if is_large { Vec::new() } else { (pass.propose)(&all, &base) };
            learned.begin(&all, &base);
            // After the first round, most of the rest is needed.
            let group = if rounds > 0 && pass.group == Grouping::Halving { Grouping::Single } else { pass.group };
            let mut run = TextRun { parallel: &mut parallel, base, best: &mut best, learned: &mut learned, watch };
            let taken = sweep::batches(&mut run, group, batches);
            best.judged = parallel.judged();
            next += usize::from(group != Grouping::Again || taken == 0);
        }
        rounds += 1;
        if best.text == before {
            // In another language, an edit that failed may succeed after a change of the text around its list.
            if learned.reads || !is_stale {
                return best;
            }
            learned.vain.clear();
        }
        is_stale = best.text != before;
    }
}

/// What rejected candidates revealed about the test.
#[derive(Default)]
struct Learned {
    /// Failed edits, each with its command.
    vain: FxHashSet<u64>,
    /// How many candidates with parse errors were accepted, made from a text without errors, and how many were rejected.
    misread: [u32; 2],
    /// Whether the current text has no parse errors.
    reads: bool,
    commands: Vec<Range<usize>>,
}

impl Learned {
    fn begin(&mut self, all: &Sexprs<'_>, text: &str) {
        self.commands = all.top().map(|node| all.span(node)).collect();
        self.reads = all.is_whole() && reads(text);
    }

    /// Whether the test can be skipped: the edit failed before, or the test seems to reject parse errors.
    fn is_vain(&self, key: Option<u64>, misread: bool) -> bool {
        let wants_none = self.misread[0] == 0 && self.misread[1] >= MISREAD;
        misread && wants_none || key.is_some_and(|key| self.vain.contains(&key))
    }
}

fn reads(text: &str) -> bool {
    smtlib::parse(&mut Store::new(), text).errors.is_empty()
}

/// A candidate.
struct TextCandidate {
    text: Arc<str>,
    /// Its edit, if it is a single one.
    key: Option<u64>,
    /// Whether the candidate has parse errors that its origin does not have.
    misread: bool,
}

/// One pass of a reduction.
struct TextRun<'r, W> {
    parallel: &'r mut ParallelJudge,
    /// The text for which the pass proposed its edits.
    base: Arc<str>,
    best: &'r mut ReducedText,
    learned: &'r mut Learned,
    watch: &'r mut W,
}

impl<W: TextWatch> Sweep for TextRun<'_, W> {
    type Edit = TextChange;
    type Candidate = TextCandidate;

    fn is_over(&self) -> bool {
        self.watch.is_over()
    }

    fn width(&self) -> usize {
        self.parallel.width()
    }

    fn prepare(&mut self, accepted: &[TextChange], chunk: &[TextChange]) -> Option<TextCandidate> {
        let key = match chunk {
            [one] => one.key(&self.base, &self.learned.commands),
            _ => None,
        };
        if self.learned.is_vain(key, false) {
            return None;
        }
        let text = text_passes::edited(&self.base, accepted.iter().chain(chunk));
        if !is_smaller(&text, &self.best.text) || self.parallel.is_useless(&text, true) {
            return None;
        }
        let misread = self.learned.reads && !reads(&text);
        (!self.learned.is_vain(key, misread)).then(|| TextCandidate { text: text.into(), key, misread })
    }

    fn submit(&mut self, candidate: &TextCandidate) -> Ticket {
        self.parallel.submit(Arc::clone(&candidate.text), None, true)
    }

    fn wait(&mut self, ticket: Ticket, candidate: &TextCandidate) -> CandidateVerdict {
        let verdict = self.parallel.wait(ticket);
        // On a single thread this was known before submission.
        if self.learned.is_vain(candidate.key, candidate.misread) {
            return CandidateVerdict::NotShown("not asked".to_string());
        }
        let is_vain = !matches!(verdict, CandidateVerdict::Interesting(_));
        if is_vain {
            self.learned.vain.extend(candidate.key);
        }
        if candidate.misread {
            self.learned.misread[usize::from(is_vain)] += 1;
        }
        verdict
    }

    fn take(&mut self, candidate: TextCandidate, evidence: Evidence) {
        (self.best.text, self.best.evidence) = (candidate.text, evidence);
        self.best.judged = self.parallel.judged();
        self.watch.improved(self.best);
    }
}
