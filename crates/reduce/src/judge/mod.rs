//! The judge: is the solver still wrong on a text, and is its known truth still valid?
//!
//! Invariant: it judges exactly the text that is sent, parsed again; how the text was made does not matter.

mod answers;

use crate::query::{CheckQuery, TrustedSolver};
use crate::shown::{OtherWrongVersion, ShownFailure};
use crate::subject::ThreadWitness;
use crate::text_test::CheckCommand;
use finding::{FailureKind, Trust};
use oracle;
use oracle::model_oracle::ScriptVerdict;
use oracle::proof_oracle::BrokenProof;
use oracle::question::{SolverQuestion, SolverReply};
use oracle::refusal;
use smtlib::Store;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{ProcessLimits, RunError};
use solver::session::Solver;

pub use crate::verdict::{CandidateVerdict, Evidence, TextTest};

/// The maximum number of checks examined per text, starting with the first wrong answer.
const MAX_SUSPECTS: usize = 4;

/// Decides whether a text is interesting.
pub enum TextJudge {
    /// A solver that gives wrong answers, judged against a truth.
    Solver(Box<SolverJudge>),
    /// A user's command.
    Command(CheckCommand),
    /// Another test.
    Test(Box<dyn TextTest>),
}

/// A solver, its failure, and the sources of truth.
#[derive(Clone)]
pub struct SolverJudge {
    /// The solver.
    pub target: Solver,
    /// The question: as for a finding, or as the script needs it.
    pub question: SolverQuestion,
    /// The failure that it must show.
    pub shown: ShownFailure,
    /// Other versions that must continue to show the failure.
    pub other_wrong_versions: Vec<OtherWrongVersion>,
    /// Solvers trusted where our evaluator has no answer.
    pub trusted: Vec<TrustedSolver>,
    /// The limits of a trusted solver's run.
    pub trusted_limits: ProcessLimits,
    /// The basis of the file's truth, which its candidates must keep where no witness shows it: a certified truth stays certified, and
    /// depends on values that the standard leaves open only if the file's does; exhaustion that failed on the file is not tried on
    /// candidates. `None` if unknown: then the strongest available.
    pub basis: Option<Trust>,
    /// The number of attempts to make the solver fail: 1 unless it is flaky.
    pub tries: u32,
}

impl TextJudge {
    /// Judges a text. `asks` allows questions to trusted solvers if `witness` does not show the truth.
    pub fn judge(&self, text: &str, witness: Option<&ThreadWitness>, asks: bool) -> CandidateVerdict {
        match self {
            TextJudge::Solver(judge) => judge.judge(text, witness, asks),
            TextJudge::Command(command) => command.judge(text),
            TextJudge::Test(test) => test.judge(text),
        }
    }

    /// Returns the kind of failure; `None` for a user's command.
    pub fn wrong(&self) -> Option<FailureKind> {
        match self {
            TextJudge::Solver(judge) => Some(judge.shown.wrong),
            TextJudge::Command(_) | TextJudge::Test(_) => None,
        }
    }
}

impl SolverJudge {
    pub(crate) fn judge(&self, text: &str, witness: Option<&ThreadWitness>, asks: bool) -> CandidateVerdict {
        let mut last = CandidateVerdict::NotShown("not asked".to_string());
        for _ in 0..self.tries.max(1) {
            last = match self.run(text) {
                Ok(response) => self.of_response(text, &response, witness, asks),
                Err(error) => CandidateVerdict::NotShown(error.to_string()),
            };
            if !matches!(last, CandidateVerdict::NotShown(_)) {
                break;
            }
        }
        match last {
            CandidateVerdict::Interesting(evidence) => self.with_companions(text, evidence),
            other => other,
        }
    }

    /// Runs the solver.
    /// Errors: the solver could not be started.
    pub fn run(&self, text: &str) -> Result<SolverReply, RunError> {
        self.question.ask(&self.target, text)
    }

    /// Returns the verdict, unless a version that showed the failure on the original script no longer does: then this is a similar but
    /// different bug.
    fn with_companions(&self, text: &str, evidence: Evidence) -> CandidateVerdict {
        for other in &self.other_wrong_versions {
            match other.shows(&self.question, text, self.tries) {
                Ok(true) => {}
                Ok(false) => return CandidateVerdict::NotShown(format!("{} no longer shows it", other.label())),
                Err(error) => return CandidateVerdict::NotShown(error.to_string()),
            }
        }
        CandidateVerdict::Interesting(evidence)
    }

    fn must_be_certified(&self) -> bool {
        self.basis.as_ref().is_some_and(Trust::is_certified)
    }

    /// Returns the wrong answer.
    fn answer(&self) -> Answer {
        match self.shown.wrong {
            FailureKind::Unsat => Answer::Unsat,
            FailureKind::Unknown => Answer::Unknown,
            _ => Answer::Sat,
        }
    }

    /// Whether the solver's reply may be the failure, whatever the truth.
    pub fn is_suspicious(&self, response: &SolverReply) -> bool {
        match self.shown.wrong {
            FailureKind::Crash
            | FailureKind::SelfCheck
            | FailureKind::FalseSelfCheck
            | FailureKind::Refused
            | FailureKind::BrokenProof
            | FailureKind::Contradiction => self.shown.is_in(response),
            FailureKind::Slow => response.slowness.is_some(),
            FailureKind::InvalidModel => matches!(response.models, ScriptVerdict::Invalid(_)),
            _ => response.outcome.answers.iter().any(|check| check.answer == self.answer()),
        }
    }

    /// Judges the solver's reply.
    pub fn of_response(
        &self,
        text: &str,
        response: &SolverReply,
        witness: Option<&ThreadWitness>,
        asks: bool,
    ) -> CandidateVerdict {
        match self.shown.wrong {
            FailureKind::Crash => self.crash(response),
            FailureKind::Refused => self.refusal(text, response),
            FailureKind::BrokenProof => self.proof(response),
            FailureKind::SelfCheck | FailureKind::FalseSelfCheck => self.self_check(text, response),
            FailureKind::InvalidModel => self.model(response),
            FailureKind::Contradiction => self.contradiction(text, response),
            FailureKind::Slow => match response.slowness {
                Some(_) => Evidence::verdict(Trust::Measured, 0),
                None => CandidateVerdict::NotShown(describe(&response.outcome)),
            },
            FailureKind::Unsat | FailureKind::Sat | FailureKind::Unknown => {
                self.answers(text, &response.outcome, witness, asks)
            }
        }
    }

    fn crash(&self, response: &SolverReply) -> CandidateVerdict {
        match oracle::crashed(&response.outcome) {
            Some(hit) if self.shown.is_in(response) => Evidence::verdict(Trust::Observed, hit.check),
            _ => CandidateVerdict::NotShown(describe(&response.outcome)),
        }
    }

    /// Whether the proof is broken as before. This needs no truth: it does not depend on the answer.
    fn proof(&self, response: &SolverReply) -> CandidateVerdict {
        let same =
            |fault: &&BrokenProof| self.shown.symptom.as_ref().is_none_or(|symptom| *symptom == fault.hit.symptom);
        match response.proofs.iter().find(same) {
            Some(BrokenProof { hit, step }) => CandidateVerdict::Interesting(Evidence {
                told: step.clone(),
                ..Evidence::of(Trust::Observed, hit.check)
            }),
            None => CandidateVerdict::NotShown(describe(&response.outcome)),
        }
    }

    fn self_check(&self, text: &str, response: &SolverReply) -> CandidateVerdict {
        let same = |hit: &oracle::Hit| self.shown.symptom.as_ref().is_none_or(|symptom| *symptom == hit.symptom);
        let Some(hit) = oracle::self_accusations(&response.outcome).find(same) else {
            return CandidateVerdict::NotShown(describe(&response.outcome));
        };
        if let Some(verdict) = self.misread(text) {
            return verdict;
        }
        // A false self-check is not the same mistake as a wrong model, and much more common.
        match (self.shown.wrong, &response.models) {
            (FailureKind::FalseSelfCheck, ScriptVerdict::Valid) => Evidence::verdict(Trust::ModelProven, hit.check),
            (FailureKind::FalseSelfCheck, _) => {
                CandidateVerdict::TruthLost("the model is not proved right".to_string())
            }
            (_, ScriptVerdict::Valid) => CandidateVerdict::TruthLost("the model is right".to_string()),
            _ => Evidence::verdict(Trust::Observed, hit.check),
        }
    }

    /// Whether a script that other solvers read is rejected as before.
    fn refusal(&self, text: &str, response: &SolverReply) -> CandidateVerdict {
        let Some(hit) = refusal::refused(&response.outcome).filter(|_| self.shown.is_in(response)) else {
            return CandidateVerdict::NotShown(describe(&response.outcome));
        };
        if !refusal::is_standard(text) {
            return CandidateVerdict::TruthLost("the script uses more than the standard theories".to_string());
        }
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, text).script;
        let instances = script.instances();
        let Some(instance) = instances.get(hit.check) else {
            return CandidateVerdict::TruthLost("there is no check".to_string());
        };
        let asked = CheckQuery { script: &script, instance };
        let reads = |trusted: &&TrustedSolver| {
            let answer = trusted.answer(&store, asked, &self.trusted_limits);
            matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown)
        };
        match self.trusted.iter().find(reads) {
            Some(reader) => Evidence::verdict(Trust::by_solvers("readable", vec![reader.label.clone()]), hit.check),
            None => CandidateVerdict::TruthLost("no other solver is known to read the script".to_string()),
        }
    }

    /// Whether the answers to the two scripts derived from a text still contradict each other.
    fn contradiction(&self, text: &str, response: &SolverReply) -> CandidateVerdict {
        let Some(pair) = response.pair.as_ref().filter(|_| self.shown.is_in(response)) else {
            return CandidateVerdict::NotShown(describe(&response.outcome));
        };
        let both = pair.first.as_ref().zip(pair.second.as_ref());
        let pair = both.map(|((first, _), (second, _))| [first.text.clone(), second.text.clone()]);
        let evidence = Evidence { pair, ..Evidence::of(Trust::Observed, 0) };
        self.misread(text).unwrap_or(CandidateVerdict::Interesting(evidence))
    }

    /// Whether the solver's model is wrong.
    fn model(&self, response: &SolverReply) -> CandidateVerdict {
        match &response.models {
            // A false assertion and a value that contradicts the model are two mistakes.
            ScriptVerdict::Invalid(found) if self.shown.symptom.as_ref().is_some_and(|s| s != found.part.symptom()) => {
                CandidateVerdict::NotShown(found.part.symptom().to_string())
            }
            ScriptVerdict::Invalid(found) => CandidateVerdict::Interesting(Evidence {
                told: Some(found.description.clone()),
                ..Evidence::of(Trust::ModelRefuted, found.check)
            }),
            ScriptVerdict::Valid => CandidateVerdict::TruthLost("the model is right".to_string()),
            ScriptVerdict::Open(why) => CandidateVerdict::TruthLost(format!("the model is not refuted: {why}")),
            ScriptVerdict::None => CandidateVerdict::NotShown(describe(&response.outcome)),
        }
    }

    /// Returns the verdict on a text that this version misreads, so its answers prove nothing.
    fn misread(&self, text: &str) -> Option<CandidateVerdict> {
        let installed = self.target.installed();
        let spelling = installed.profile.misread(installed.version.as_ref(), text)?;
        Some(CandidateVerdict::TruthLost(format!("this version misreads the text ({spelling})")))
    }
}

/// Describes what a solver did.
pub fn describe(outcome: &SolverOutcome) -> String {
    let mut words: Vec<String> = outcome.answers.iter().map(|c| c.answer.word().to_string()).collect();
    words.dedup();
    if let Some(crash) = &outcome.crash {
        words.push(format!("crash ({})", crash.signature));
    }
    words.extend(outcome.self_checks.first().map(|own| format!("it reports: {}", own.message)));
    words.extend(outcome.errors.first().map(|e| format!("error: {}", e.message)));
    words.join(", ")
}
