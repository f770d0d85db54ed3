//! The failure that a solver shows on a script, and the symptom that identifies it.

use finding::{FailureKind, Finding, Observation, failure};
use oracle::question::{SolverQuestion, SolverReply};
use oracle::refusal;
use oracle::relation::AskedPair;
use solver::process::RunError;
use solver::session::Solver;
use std::time::Duration;

/// A failure to reproduce.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownFailure {
    /// The kind of failure.
    pub wrong: FailureKind,
    /// The crash's signature, or the message by which the solver or our evaluator reveals the error. `None`: whatever the first run
    /// shows.
    pub symptom: Option<String>,
    /// The wrongly answered check, from 0, if known; it is examined first.
    pub check: Option<usize>,
}

impl ShownFailure {
    /// Makes a failure with only a known kind.
    pub fn any(wrong: FailureKind) -> ShownFailure {
        ShownFailure { wrong, symptom: None, check: None }
    }

    /// Returns the failure of a finding.
    pub fn of(finding: &Finding) -> ShownFailure {
        let symptom = finding.symptom.as_str();
        let wrong = failure::row(finding.class, symptom).kind;
        let tells_more = !matches!(wrong, FailureKind::Unsat | FailureKind::Sat | FailureKind::Unknown);
        ShownFailure { wrong, symptom: tells_more.then(|| symptom.to_string()), check: Some(finding.check) }
    }

    /// Returns the same failure for another version, whose message may differ.
    pub fn in_another_version(self) -> ShownFailure {
        let is_worded = matches!(
            self.wrong,
            FailureKind::Crash
                | FailureKind::SelfCheck
                | FailureKind::FalseSelfCheck
                | FailureKind::Refused
                | FailureKind::BrokenProof
        );
        let symptom = self.symptom.filter(|_| !is_worded);
        ShownFailure { symptom, ..self }
    }

    /// Whether a run shows exactly this crash or message.
    pub fn is_in(&self, response: &SolverReply) -> bool {
        self.symptoms(response).iter().any(|seen| self.symptom.as_ref().is_none_or(|symptom| symptom == seen))
    }

    /// Returns the symptoms of this kind in a run.
    pub fn symptoms(&self, response: &SolverReply) -> Vec<String> {
        match self.wrong {
            FailureKind::Crash => oracle::crashed(&response.outcome).into_iter().map(|hit| hit.symptom).collect(),
            FailureKind::SelfCheck | FailureKind::FalseSelfCheck => {
                oracle::self_accusations(&response.outcome).map(|hit| hit.symptom).collect()
            }
            FailureKind::Refused => refusal::refused(&response.outcome).into_iter().map(|hit| hit.symptom).collect(),
            FailureKind::Contradiction => {
                response.pair.iter().filter_map(AskedPair::hit).map(|hit| hit.symptom).collect()
            }
            FailureKind::BrokenProof => response.proofs.iter().map(|fault| fault.hit.symptom.clone()).collect(),
            FailureKind::Slow => response.slowness.iter().map(|measured| measured.hit().symptom).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the observation that reveals it.
    pub fn observation(&self) -> Observation {
        self.wrong.observation()
    }
}

/// Another version of the solver that shows the same crash or error message on the original script.
///
/// A crash is identified by its signature: the assertion's text and location, the top of the stack if printed, else the signal. A bare
/// signal is common to very many bugs; the set of versions that die of it distinguishes them better than anything else visible from
/// outside.
#[derive(Clone, Debug)]
pub struct OtherWrongVersion {
    /// The version.
    pub solver: Solver,
    /// Its symptom; versions phrase the message of one bug differently.
    pub shown: ShownFailure,
    /// Its run time on the original script.
    pub wall: Duration,
}

/// The number of runs in which a other version must show the failure.
const TRIALS: u32 = 2;

/// Returns the versions that show the failure `shown` on `text`.
pub fn other_wrong_versions(
    versions: &[Solver],
    question: &SolverQuestion,
    shown: &ShownFailure,
    text: &str,
) -> Vec<OtherWrongVersion> {
    if !matches!(shown.wrong, FailureKind::Crash | FailureKind::SelfCheck | FailureKind::FalseSelfCheck) {
        return Vec::new();
    }
    let other = |solver: &Solver| {
        let any = shown.clone().in_another_version();
        let response = question.ask(solver, text).ok()?;
        let symptom = any.symptoms(&response).into_iter().next()?;
        let shown = ShownFailure { symptom: Some(symptom), ..any };
        let other = OtherWrongVersion { solver: solver.clone(), shown, wall: response.outcome.wall };
        let again = (1..TRIALS).all(|_| other.shows(question, text, 1).unwrap_or(false));
        again.then_some(other)
    };
    versions.iter().filter_map(other).collect()
}

impl OtherWrongVersion {
    /// Whether the version shows the failure on a text, in one of `tries` runs.
    /// Errors: it cannot be run.
    pub fn shows(&self, question: &SolverQuestion, text: &str, tries: u32) -> Result<bool, RunError> {
        for _ in 0..tries.max(1) {
            if self.shown.is_in(&question.ask(&self.solver, text)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the version's label.
    pub fn label(&self) -> String {
        self.solver.installed().label()
    }
}
