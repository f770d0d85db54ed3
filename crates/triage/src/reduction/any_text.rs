//! Reduces any text, parsed or not, by a test that needs no truth: a user's command, or a solver's slowness.

use super::passes::{PassedScript, passed};
use super::{Given, ReductionOrder, ReductionResult, finished, limits, spec, writer};
use crate::progress::ReductionStep;
use anyhow::{Context, Result, bail};
use reduce::finding::{ReductionWriter, key, resumable};
use reduce::query::dialect;
use reduce::subject::Unreadable;
use reduce::text_reducer::{self, ReducedText, TextWatch};
use reduce::text_test::CheckCommand;
use reduce::text_test::SlowTest;
use reduce::text_test::TextEncoding;
use reduce::{CandidateVerdict, ReductionReport, Size, Subject, TextJudge};
use smtlib::Dialect;
use solver::install::Fleet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The name prefix of the temporary folders in which commands find their texts.
pub const TEMPORARY: &str = "squall-check-";

/// Reduces a text by a user's command.
/// Errors: the file cannot be read, is not interesting, or the result cannot be written.
pub fn by_command(order: &ReductionOrder<'_>, command: &str) -> Result<ReductionResult> {
    let order = &order.bounded();
    let input = files::named(&order.paths.input)?;
    let encoding = TextEncoding::of(&input);
    let folder = tempfile::Builder::new().prefix(TEMPORARY).tempdir().context("cannot make a temporary folder")?;
    let (limits, cancel) = (limits(order.timeout), order.cancel.clone());
    let file = folder.path().join(order.paths.input.file_name().unwrap_or_default());
    let check = CheckCommand::new(command.to_string(), encoding, limits, file, cancel);
    by_test(order, &input, TextJudge::Command(check), Dialect::default(), &format!("check {command}"))
}

/// Reduces a text on which a solver spends at least this much CPU time, whatever it answers.
/// Errors: the file cannot be read, the solver cannot be run or is faster, or the result cannot be written.
pub fn by_slowness(order: &ReductionOrder<'_>, fleet: &Fleet, at_least: Duration) -> Result<ReductionResult> {
    let order = &order.bounded();
    let input = files::named(&order.paths.input)?;
    if let Err(error) = std::str::from_utf8(&input) {
        bail!("cannot reduce {}: {}", order.paths.input.display(), Unreadable::NotUtf8(error.valid_up_to()));
    }
    let spec = spec(order.solver.as_ref(), None, fleet)?;
    let solver = fleet.solver(fleet.ensure(&spec, &mut { order.progress })?).with_cancel(order.cancel.clone());
    let dialect = dialect(solver.installed());
    let judge = TextJudge::Test(Box::new(SlowTest::new(solver, at_least)));
    by_test(order, &input, judge, dialect, &format!("slower {spec} {at_least:?}"))
}

/// Reduces with Squall's passes if the text parses and its printed form is interesting, too; then, or otherwise at once, as plain text.
fn by_test(
    order: &ReductionOrder<'_>,
    input: &[u8],
    judge: TextJudge,
    dialect: Dialect,
    question: &str,
) -> Result<ReductionResult> {
    let began = Instant::now();
    let (judge, key) = (Arc::new(judge), key(input, question));
    let earlier = if order.restart { None } else { resumable(&order.paths, &key) };
    if let Some(report) = earlier.as_ref().and_then(|(_, _, account)| finished(account)) {
        return Ok(ReductionResult { report, earlier: true });
    }
    let bytes = earlier.map_or_else(|| input.to_vec(), |earlier| earlier.0);
    let given = Given { input, predecessors: [Size::default(); 2], time: order.time };
    let encoding = TextEncoding::of(input);
    let writer = writer(order, key, None).with_encoding(encoding);
    let mut reduced = if encoding == TextEncoding::Utf8
        && let Ok(subject) = Subject::read(&bytes, dialect.clone())
        && let CandidateVerdict::Interesting(evidence) = judge.judge(&subject.text(), None, true)
    {
        passed(order, &given, subject, evidence, &judge, writer)?
    } else {
        let text = encoding.decode(&bytes);
        let evidence = match judge.judge(&text, None, true) {
            CandidateVerdict::Interesting(evidence) => evidence,
            CandidateVerdict::NotShown(seen) | CandidateVerdict::TruthLost(seen) => {
                bail!("{seen}")
            }
        };
        let subject = Subject::read_loosely(&text, dialect);
        let report = ReductionReport {
            before: subject.size(),
            after: subject.size(),
            judged: 0,
            seconds: 0.0,
            truth: evidence.truth.clone(),
            finished: true,
            passes: Vec::new(),
            told: None,
            only_as_spelled: false,
        };
        PassedScript { text: text.into_owned(), subject, evidence, report, writer }
    };
    as_it_stands(order, &mut reduced, began, &judge);
    reduced.make_readable(input, &judge);
    reduced.written(order, &given)
}

/// Reduces a plain text.
fn as_it_stands(order: &ReductionOrder<'_>, given: &mut PassedScript, began: Instant, judge: &Arc<TextJudge>) {
    let PassedScript { text, subject, evidence, report, writer } = given;
    let mut keeper = TextKeeper { order, began, before: report.before.bytes, subject, writer };
    let reduced = text_reducer::reduce(Arc::clone(judge), text, evidence.clone(), order.jobs, &mut keeper);
    report.finished &= !keeper.is_over();
    report.judged += reduced.judged;
    report.seconds = began.elapsed().as_secs_f64();
    if reduced.text.len() < text.len() {
        report.after = Subject::read_loosely(&reduced.text, subject.dialect.clone()).size();
    }
    (*text, *evidence) = (reduced.text.to_string(), reduced.evidence);
}

/// Writes each smaller text, and stops the reduction when the time is up.
struct TextKeeper<'k, 'w> {
    order: &'k ReductionOrder<'w>,
    began: Instant,
    /// The size of the input in bytes.
    before: usize,
    subject: &'k Subject,
    writer: &'k mut ReductionWriter,
}

impl TextWatch for TextKeeper<'_, '_> {
    fn is_over(&self) -> bool {
        self.order.cancel.is_cancelled() || self.order.time.is_some_and(|time| self.began.elapsed() >= time)
    }

    fn improved(&mut self, smaller: &ReducedText) {
        if let Err(error) = self.writer.write(&smaller.text, self.subject, &smaller.evidence, None) {
            self.writer.failure.get_or_insert(error);
        }
        if let Some(watch) = self.order.watch {
            let ReducedText { text, judged, pass, .. } = smaller;
            watch(&ReductionStep { pass, bytes: (self.before, text.len()), judged: *judged });
        }
    }
}
