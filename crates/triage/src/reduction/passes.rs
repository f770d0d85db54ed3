//! Reduces a script by passes, and writes the result.

use super::{Given, ReductionOrder, ReductionResult, size};
use crate::progress::WatchedWriter;
use anyhow::{Context, Result};
use reduce::finding::ReductionWriter;
use reduce::judge::Evidence;
use reduce::readable;
use reduce::reducer::ReducerConfig;
use reduce::start::witness_of;
use reduce::{CandidateVerdict, Reducer, ReductionReport, Subject, TextJudge};
use std::sync::Arc;

/// The script after all passes.
pub(super) struct PassedScript {
    pub(super) text: String,
    pub(super) subject: Subject,
    pub(super) evidence: Evidence,
    pub(super) report: ReductionReport,
    pub(super) writer: ReductionWriter,
}

impl PassedScript {
    /// Uses the readable form if its verdict is the same. A small input stays unchanged.
    pub(super) fn make_readable(&mut self, input: &[u8], judge: &TextJudge) {
        let text = readable::shaped(&self.text);
        if self.report.finished
            && self.text.as_bytes() != input
            && text != self.text
            && let CandidateVerdict::Interesting(same) = judge.judge(&text, witness_of(&self.subject).as_ref(), true)
        {
            (self.text, self.evidence) = (text, same);
            self.report.after.bytes = self.text.len();
        }
    }

    /// Writes the result, unless an earlier write failed.
    pub(super) fn written(mut self, order: &ReductionOrder<'_>, given: &Given<'_>) -> Result<ReductionResult> {
        if let Some(error) = self.writer.failure.take() {
            return Err(error).with_context(|| order.cannot_write());
        }
        let [before, now] = given.predecessors;
        let report = &mut self.report;
        // A finding's size includes everything that the solver receives.
        (report.before, report.after) = (report.before.with(before), report.after.with(now));
        let written = self.writer.write(&self.text, &self.subject, &self.evidence, Some(&self.report));
        written.with_context(|| order.cannot_write())?;
        Ok(ReductionResult { report: self.report, earlier: false })
    }
}

pub(super) fn by_passes(
    order: &ReductionOrder<'_>,
    given: &Given<'_>,
    subject: Subject,
    evidence: Evidence,
    judge: Arc<TextJudge>,
    writer: ReductionWriter,
) -> Result<ReductionResult> {
    let mut reduced = passed(order, given, subject, evidence, &judge, writer)?;
    reduced.make_readable(given.input, &judge);
    reduced.written(order, given)
}

pub(super) fn passed(
    order: &ReductionOrder<'_>,
    given: &Given<'_>,
    subject: Subject,
    evidence: Evidence,
    judge: &Arc<TextJudge>,
    writer: ReductionWriter,
) -> Result<PassedScript> {
    writer.write(&subject.text(), &subject, &evidence, None).with_context(|| order.cannot_write())?;
    let config = ReducerConfig {
        jobs: order.jobs,
        time: given.time,
        cancel: order.cancel.clone(),
        before: size(given.input),
        cpu_budget: order.cpu_budget.clone(),
    };
    let bytes = (given.input.len(), subject.text().len());
    let mut sink = WatchedWriter::new(writer, order.watch, bytes);
    let reducer = Reducer::new(subject, evidence, Arc::clone(judge), config, &mut sink);
    let (subject, mut evidence, mut report) = reducer.run();
    let mut text = subject.text();
    // Our printed form of a small script may be longer than the user's.
    if let Ok(own) = std::str::from_utf8(given.input)
        && own.len() < text.len()
        && let CandidateVerdict::Interesting(same) = judge.judge(own, witness_of(&subject).as_ref(), true)
    {
        (text, evidence, report.after) = (own.to_string(), same, report.before);
    }
    Ok(PassedScript { text, subject, evidence, report, writer: sink.into_writer() })
}
