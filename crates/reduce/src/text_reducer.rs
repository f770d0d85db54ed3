//! Reduction of a text of which nothing need be understood: any text that a test finds interesting.

use crate::judge::{CandidateVerdict, Evidence, TextJudge};
use crate::parallel_judge::{ParallelJudge, Ticket};
use crate::reducer::is_smaller;
use crate::sweep::{self, Sweep};
use crate::text_passes::{self, TextChange};
use smtlib::sexpr::Sexprs;
use std::sync::Arc;

/// The smallest text that was found, and why it is interesting.
pub struct ReducedText {
    /// The text.
    pub text: Arc<str>,
    /// Why it is interesting.
    pub evidence: Evidence,
    /// Candidates judged.
    pub judged: u64,
    /// The pass that is under way.
    pub pass: &'static str,
}

/// Who is told of a reduction, and ends it.
pub trait TextWatch {
    /// Whether it must end.
    fn is_over(&self) -> bool;

    /// A smaller text was found.
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
    let mut next = 0;
    while let Some(pass) = text_passes::PASSES.get(next)
        && !watch.is_over()
    {
        best.pass = pass.name;
        let base = Arc::clone(&best.text);
        let batches = (pass.propose)(&Sexprs::read(&base), &base);
        let mut run = TextRun { parallel: &mut parallel, base, best: &mut best, watch };
        // Passes that win much come first, so that those that cost much are for small texts.
        next = if sweep::batches(&mut run, pass.group, batches) > 0 { 0 } else { next + 1 };
    }
    best
}

/// One pass of a reduction.
struct TextRun<'r, W> {
    parallel: &'r mut ParallelJudge,
    /// What the pass proposed its edits for.
    base: Arc<str>,
    best: &'r mut ReducedText,
    watch: &'r mut W,
}

impl<W: TextWatch> Sweep for TextRun<'_, W> {
    type Edit = TextChange;
    type Candidate = Arc<str>;

    fn is_over(&self) -> bool {
        self.watch.is_over()
    }

    fn width(&self) -> usize {
        self.parallel.width()
    }

    fn prepare(&mut self, accepted: &[TextChange], chunk: &[TextChange]) -> Option<Arc<str>> {
        let text = text_passes::edited(&self.base, accepted.iter().chain(chunk));
        (is_smaller(&text, &self.best.text) && !self.parallel.is_useless(&text, true)).then(|| text.into())
    }

    fn submit(&mut self, candidate: &Arc<str>) -> Ticket {
        self.parallel.submit(Arc::clone(candidate), None, true)
    }

    fn wait(&mut self, ticket: Ticket) -> CandidateVerdict {
        self.parallel.wait(ticket)
    }

    fn take(&mut self, text: Arc<str>, evidence: Evidence) {
        (self.best.text, self.best.evidence, self.best.judged) = (text, evidence, self.parallel.judged());
        self.watch.improved(self.best);
    }
}
