//! The oracle: does a solver's run contradict the truth? (Classes of the STORM paper, Table 1.)

use finding::{BugClass, Observation, failure, symptom};
use smtlib::Status;
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::profile::CrashKind;

/// A contradiction before its confirmation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// Its class.
    pub class: BugClass,
    /// The check it is about, from 0; for a crash the first check without an answer.
    pub check: usize,
    /// What makes two runs show the same thing: the answer, the crash's signature, the self-check's message.
    pub symptom: String,
}

impl Hit {
    /// What must be looked at for it to show.
    pub fn observation(&self) -> Observation {
        failure::row(self.class, &self.symptom).observation
    }

    /// Whether the solver itself says that its answer is wrong.
    pub fn is_own_word(&self) -> bool {
        symptom::is_own_word(self.class, &self.symptom)
    }
}

/// How a script asks, as far as it matters to the oracle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asking {
    /// With `(check-sat)`.
    Plain,
    /// With `(check-sat-using …)`, where `unknown` is not the solver's fault.
    Tactic,
}

impl Asking {
    /// How a script asks.
    pub fn of(text: &str) -> Asking {
        if text.contains("(check-sat-using ") { Asking::Tactic } else { Asking::Plain }
    }
}

/// Returns the worst contradiction between an outcome and the right answers, if there is one.
///
/// Invariant: answers voided by an error or missing because of a limit contradict nothing. A hit of class C is only a
/// candidate: another solver has to answer first.
pub fn judge(expected: &[Status], outcome: &SolverOutcome, asking: Asking) -> Option<Hit> {
    wrong_answer(expected, outcome)
        .or_else(|| self_accused(outcome))
        .or_else(|| crashed(outcome))
        .or_else(|| if asking == Asking::Plain { gave_up(expected, outcome) } else { None })
}

/// Whether a script that shared a process with others should be asked again alone.
pub fn is_suspicious(expected: &[Status], answers: &[CheckAnswer]) -> bool {
    expected.iter().zip(answers).any(|(expected, check)| contradiction(*expected, check.answer).is_some())
}

fn contradiction(expected: Status, answer: Answer) -> Option<(BugClass, &'static str)> {
    match (expected, answer) {
        (Status::Sat, Answer::Unsat) => Some((BugClass::A, "unsat")),
        (Status::Unsat, Answer::Sat) => Some((BugClass::B, "sat")),
        _ => None,
    }
}

fn wrong_answer(expected: &[Status], outcome: &SolverOutcome) -> Option<Hit> {
    let pairs = expected.iter().zip(&outcome.answers).enumerate();
    let (check, (class, symptom)) =
        pairs.into_iter().find_map(|(n, (expected, check))| Some((n, contradiction(*expected, check.answer)?)))?;
    Some(Hit { class, check, symptom: symptom.to_string() })
}

fn self_accused(outcome: &SolverOutcome) -> Option<Hit> {
    self_accusations(outcome).next()
}

/// Returns the solver's reports against its own answers, except where an error voids them.
pub fn self_accusations(outcome: &SolverOutcome) -> impl Iterator<Item = Hit> {
    let stands = |check: Option<usize>| {
        check.and_then(|n| outcome.answers.get(n)).is_none_or(|check| check.answer != Answer::Void)
    };
    let standing = outcome.self_checks.iter().filter(move |own| !own.ignored && stands(own.check));
    standing.map(|own| Hit { class: own.class, check: own.check.unwrap_or(0), symptom: without_places(&own.message) })
}

/// Returns the crash, if one counts.
pub fn crashed(outcome: &SolverOutcome) -> Option<Hit> {
    let crash = outcome.crash.as_ref().filter(|crash| !crash.ignored)?;
    let check = outcome.answers.iter().position(|check| check.answer == Answer::Crashed).unwrap_or(0);
    // Its own proof check ended it.
    let class = if crash.kind == CrashKind::Proof { BugClass::P } else { BugClass::D };
    Some(Hit { class, check, symptom: crash.signature.to_string() })
}

fn gave_up(expected: &[Status], outcome: &SolverOutcome) -> Option<Hit> {
    let known = |n: usize| matches!(expected.get(n), Some(Status::Sat | Status::Unsat));
    let check = (0..outcome.answers.len()).find(|&n| known(n) && outcome.answers[n].answer == Answer::Unknown)?;
    Some(Hit { class: BugClass::C, check, symptom: "unknown".to_string() })
}

/// Strips the position from a message: `line 3 column 5: …`.
fn without_places(message: &str) -> String {
    let message = match message.strip_prefix("line ") {
        Some(rest) => rest.split_once(": ").map_or(rest, |(_, text)| text),
        None => message,
    };
    message.trim().to_string()
}
