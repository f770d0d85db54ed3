//! What a solver shows on a script: how it is wrong, and what makes two runs show the same thing.

use finding::{FailureKind, Finding, Observation, failure};
use oracle::question::{SolverQuestion, SolverReply};
use oracle::refusal;
use oracle::relation::AskedPair;
use solver::process::RunError;
use solver::session::Solver;
use std::time::Duration;

/// What is to be shown again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownFailure {
    /// How the solver is wrong.
    pub wrong: FailureKind,
    /// The crash's signature, or the words by which the solver or our evaluator convicts it. None: whatever the first run shows.
    pub symptom: Option<String>,
    /// The check that was answered wrongly, from 0, where that is known; it is looked at before the others.
    pub check: Option<usize>,
}

impl ShownFailure {
    /// A failure kind of which nothing else is known.
    pub fn any(wrong: FailureKind) -> ShownFailure {
        ShownFailure { wrong, symptom: None, check: None }
    }

    /// What a finding shows.
    pub fn of(finding: &Finding) -> ShownFailure {
        let symptom = finding.symptom.as_str();
        let wrong = failure::row(finding.class, symptom).kind;
        let tells_more = !matches!(wrong, FailureKind::Unsat | FailureKind::Sat | FailureKind::Unknown);
        ShownFailure { wrong, symptom: tells_more.then(|| symptom.to_string()), check: Some(finding.check) }
    }

    /// The same in another version, which may word it in another way.
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

    /// Whether a run shows it: the crash or the message, and not only one like it.
    pub fn is_in(&self, response: &SolverReply) -> bool {
        self.symptoms(response).iter().any(|seen| self.symptom.as_ref().is_none_or(|symptom| symptom == seen))
    }

    /// What a run shows of this kind against the solver itself.
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

    /// What must be looked at to see it.
    pub fn observation(&self) -> Observation {
        self.wrong.observation()
    }
}

/// Another version of the solver that shows a crash or a message against itself on the script as it was given.
///
/// A crash is known by its signature: the assertion's text and place, the top of the stack where one is printed, else the
/// signal. A bare signal is the same for very many bugs; which versions die of it tells them apart better than anything else that
/// can be seen from outside.
#[derive(Clone, Debug)]
pub struct Companion {
    /// The version.
    pub solver: Solver,
    /// What it shows; versions word one bug differently.
    pub shown: ShownFailure,
    /// How long it took on the script as it was given.
    pub wall: Duration,
}

/// How often a version must show the same thing to be a companion.
const TRIALS: u32 = 2;

/// Those of the versions that show on `text` what `shown` is about.
pub fn companions(versions: &[Solver], question: &SolverQuestion, shown: &ShownFailure, text: &str) -> Vec<Companion> {
    if !matches!(shown.wrong, FailureKind::Crash | FailureKind::SelfCheck | FailureKind::FalseSelfCheck) {
        return Vec::new();
    }
    let companion = |solver: &Solver| {
        let any = shown.clone().in_another_version();
        let response = question.ask(solver, text).ok()?;
        let symptom = any.symptoms(&response).into_iter().next()?;
        let shown = ShownFailure { symptom: Some(symptom), ..any };
        let companion = Companion { solver: solver.clone(), shown, wall: response.outcome.wall };
        let again = (1..TRIALS).all(|_| companion.shows(question, text, 1).unwrap_or(false));
        again.then_some(companion)
    };
    versions.iter().filter_map(companion).collect()
}

impl Companion {
    /// Whether the version shows the same thing on a text, in one of so many runs.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn shows(&self, question: &SolverQuestion, text: &str, tries: u32) -> Result<bool, RunError> {
        for _ in 0..tries.max(1) {
            if self.shown.is_in(&question.ask(&self.solver, text)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The version's name.
    pub fn label(&self) -> String {
        self.solver.installed().label()
    }
}
