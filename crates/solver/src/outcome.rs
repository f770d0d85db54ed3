//! The outcome of one run of a solver on one script: an answer for each `check-sat`, errors, a crash.

mod reader;

pub use reader::read;
use std::borrow::Cow;
use std::time::Duration;

use crate::crash::Crash;
use crate::process::RunStatus;
use crate::response::SatResponse;
use finding::BugClass;
use serde::{Deserialize, Serialize};

/// The message of the error that represents the response `unsupported`.
pub const UNSUPPORTED: &str = "unsupported";

/// The answer to one `check-sat` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The solver says satisfiable.
    Sat,
    /// The solver says unsatisfiable.
    Unsat,
    /// The solver answers `unknown`.
    Unknown,
    /// A time limit (wall or CPU, ours or the solver's own) was reached first.
    Timeout,
    /// The memory limit was reached first.
    MemOut,
    /// The output limit was reached first, or right after the answer, which may be incomplete.
    OutputOut,
    /// The run was cancelled.
    Cancelled,
    /// The solver crashed before it answered.
    Crashed,
    /// The solver reported an error at or before this command, so any answer is about another problem.
    Void,
    /// The solver ended without an answer or a known reason.
    Missing,
}

impl Answer {
    /// Whether the answer is sat or unsat.
    pub fn is_definite(self) -> bool {
        matches!(self, Answer::Sat | Answer::Unsat)
    }

    /// Returns the answer as one lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown => "unknown",
            Answer::Timeout => "timeout",
            Answer::MemOut => "memout",
            Answer::OutputOut => "outputout",
            Answer::Cancelled => "cancelled",
            Answer::Crashed => "crashed",
            Answer::Void => "void",
            Answer::Missing => "missing",
        }
    }
}

/// One `check-sat` and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckAnswer {
    /// The answer that counts.
    pub answer: Answer,
    /// The printed answer, kept with a voided one.
    pub said: Option<SatResponse>,
    /// The s-expressions and strings printed after it and before the next answer: models, values, cores.
    pub responses: Vec<String>,
}

/// An error the solver reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverError {
    /// The message.
    pub message: String,
    /// The first `check-sat`, from 0, that it voids, if any.
    pub voids_from: Option<usize>,
}

/// A solver's own message that its answer is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfCheck {
    /// The message.
    pub message: String,
    /// The class of bug according to the profile.
    pub class: BugClass,
    /// The `check-sat`, from 0, whose answer is wrong: the last one answered before.
    pub check: Option<usize>,
    /// Whether the profile's ignore list contains it.
    pub ignored: bool,
}

/// Something that a solver does not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedFeature {
    /// Its message.
    pub message: String,
    /// The feature, as named by [`smtlib::logic::feature`], if the profile knows.
    pub feature: Option<String>,
}

/// The outcome of one run.
///
/// Invariant: `answers` has exactly one entry for each `check-sat` of the script, in order.
#[derive(Clone, Debug)]
pub struct SolverOutcome {
    /// One entry per `check-sat`.
    pub answers: Vec<CheckAnswer>,
    /// Errors, in the order printed.
    pub errors: Vec<SolverError>,
    /// Self-check messages, in the order printed.
    pub self_checks: Vec<SelfCheck>,
    /// Messages about missing support, as printed.
    pub unsupported: Option<UnsupportedFeature>,
    /// The crash, if it crashed.
    pub crash: Option<Crash>,
    /// How the process ended.
    pub status: RunStatus,
    /// Wall-clock time.
    pub wall: Duration,
    /// CPU time.
    pub cpu: Duration,
    /// Largest resident set in bytes.
    pub peak_rss_bytes: u64,
    /// Standard output as printed.
    pub stdout: Vec<u8>,
    /// Standard error as printed.
    pub stderr: Vec<u8>,
}

/// Returns the first line that is not blank.
pub(crate) fn first_line(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let line = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty())?;
    Some(String::from_utf8_lossy(line))
}

impl SolverOutcome {
    /// Returns the answer to the last `check-sat`, [`Answer::Missing`] if the script has none.
    pub fn last_answer(&self) -> Answer {
        self.answers.last().map_or(Answer::Missing, |check| check.answer)
    }

    /// Returns the solver's message where it gave no answer: its first error, else the first line of its standard error.
    pub fn complaint(&self) -> Option<Cow<'_, str>> {
        let error = self.errors.first().map(|error| Cow::Borrowed(&*error.message));
        error.or_else(|| first_line(&self.stderr)).filter(|text| !text.is_empty())
    }

    /// Returns the part for a script that comes after others with `checks` `check-sat` in the same process.
    pub(crate) fn after(mut self, checks: usize) -> SolverOutcome {
        let earlier = checks.min(self.answers.len());
        let crashed_earlier = self.answers[..earlier].iter().any(|check| check.answer == Answer::Crashed);
        self.crash = self.crash.filter(|_| !crashed_earlier);
        self.answers.drain(..earlier);
        self.self_checks.retain_mut(|own| {
            own.check = own.check.and_then(|check| check.checked_sub(checks));
            own.check.is_some() || checks == 0
        });
        for error in &mut self.errors {
            error.voids_from = error.voids_from.map(|check| check.saturating_sub(checks));
        }
        self
    }

    /// Returns the outcome of a program that exited normally, printed nothing and used nothing.
    pub fn nothing() -> SolverOutcome {
        SolverOutcome {
            answers: Vec::new(),
            errors: Vec::new(),
            self_checks: Vec::new(),
            unsupported: None,
            crash: None,
            status: RunStatus::Exited(0),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_rss_bytes: 0,
            stdout: Vec::new(),
            stderr: Vec::new(),
        }
    }

    /// Returns the outcome of a stand-in with the same answer to every `check-sat`; without one, an error voids all answers.
    pub(crate) fn uniform(checks: usize, said: Option<SatResponse>) -> SolverOutcome {
        let answer = CheckAnswer { answer: said.map_or(Answer::Void, Answer::from), said, responses: Vec::new() };
        let error = || SolverError { message: "it reads nothing".to_string(), voids_from: Some(0) };
        SolverOutcome {
            answers: vec![answer; checks],
            errors: said.is_none().then(error).into_iter().collect(),
            ..SolverOutcome::nothing()
        }
    }
}

impl From<SatResponse> for Answer {
    fn from(said: SatResponse) -> Answer {
        match said {
            SatResponse::Sat => Answer::Sat,
            SatResponse::Unsat => Answer::Unsat,
            SatResponse::Unknown => Answer::Unknown,
        }
    }
}
