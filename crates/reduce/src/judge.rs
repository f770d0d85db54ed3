//! The judge: does the solver still err on a text, and does its known truth still stand?
//!
//! Invariant: it judges the very text that is sent, read afresh into terms; nothing of how the text was made counts.

use crate::check_command::CheckCommand;
use crate::query::{AskedCheck, TrustedSolver};
use crate::shown::{Companion, ShownFailure};
use crate::subject::{ThreadWitness, WitnessValues};
use finding::{FailureKind, Trust};
use oracle;
use oracle::model_oracle::ScriptVerdict;
use oracle::proof_oracle::BrokenProof;
use oracle::question::{SolverQuestion, SolverReply};
use oracle::{exhaustion, refusal, witness_file};
use semantics::Model;
use semantics::truth::{CheckTruth, OpenTruth, unproven};
use smtlib::{Instance, Store};
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{ProcessLimits, RunError};
use solver::session::Solver;

pub use crate::candidate_verdict::{CandidateVerdict, Evidence, TextTest};

/// How many checks of one text are looked at, at most: those from the first wrong answer on.
const MAX_SUSPECTS: usize = 4;

/// What decides whether a text is interesting.
pub enum TextJudge {
    /// A solver that answers wrongly about a truth.
    Solver(Box<SolverJudge>),
    /// A command of the user's.
    Command(CheckCommand),
    /// Another test.
    Test(Box<dyn TextTest>),
}

/// A solver, the way in which it is wrong, and who says so.
#[derive(Clone)]
pub struct SolverJudge {
    /// The solver.
    pub target: Solver,
    /// How it is asked: as a finding was, or as the script needs it.
    pub question: SolverQuestion,
    /// What it must show.
    pub shown: ShownFailure,
    /// Other versions that must go on showing it, too.
    pub companions: Vec<Companion>,
    /// Whose word is taken where our evaluator does not know.
    pub trusted: Vec<TrustedSolver>,
    /// What one run of a trusted solver may use.
    pub trusted_limits: ProcessLimits,
    /// What the truth of the file rests on, and that of its candidates must where no witness shows it: what was certified stays so, by the
    /// choice of a value that the standard leaves open only if the file's does; where exhaustion failed, it is not tried on every
    /// candidate. None while it is not known: then the best that there is.
    pub basis: Option<Trust>,
    /// How often the solver is asked until it is wrong: 1 unless it is flaky.
    pub tries: u32,
}

impl TextJudge {
    /// Judges a text. `asks` says whether trusted solvers may be asked for the truth when `witness` does not show it.
    pub fn judge(&self, text: &str, witness: Option<&ThreadWitness>, asks: bool) -> CandidateVerdict {
        match self {
            TextJudge::Solver(judge) => judge.judge(text, witness, asks),
            TextJudge::Command(command) => command.judge(text),
            TextJudge::Test(test) => test.judge(text),
        }
    }

    /// The way in which the solver is wrong; none for a command of the user's.
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

    /// Asks the solver.
    ///
    /// # Errors
    /// It could not be run at all.
    pub fn run(&self, text: &str) -> Result<SolverReply, RunError> {
        self.question.ask(&self.target, text)
    }

    /// The verdict, unless a version that showed the same thing on the script as it was given does so no more: then it is
    /// another bug that looks like it.
    fn with_companions(&self, text: &str, evidence: Evidence) -> CandidateVerdict {
        for companion in &self.companions {
            match companion.shows(&self.question, text, self.tries) {
                Ok(true) => {}
                Ok(false) => return CandidateVerdict::NotShown(format!("{} shows it no more", companion.label())),
                Err(error) => return CandidateVerdict::NotShown(error.to_string()),
            }
        }
        CandidateVerdict::Interesting(evidence)
    }

    fn must_be_certified(&self) -> bool {
        self.basis.as_ref().is_some_and(Trust::is_certified)
    }

    /// The answer that is wrong.
    fn answer(&self) -> Answer {
        match self.shown.wrong {
            FailureKind::Unsat => Answer::Unsat,
            FailureKind::Unknown => Answer::Unknown,
            _ => Answer::Sat,
        }
    }

    /// Whether the solver did what may be wrong, whatever the truth.
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

    /// Judges what the solver did.
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
                None => CandidateVerdict::NotShown(words(&response.outcome)),
            },
            FailureKind::Unsat | FailureKind::Sat | FailureKind::Unknown => {
                self.answers(text, &response.outcome, witness, asks)
            }
        }
    }

    fn crash(&self, response: &SolverReply) -> CandidateVerdict {
        match oracle::crashed(&response.outcome) {
            Some(hit) if self.shown.is_in(response) => Evidence::verdict(Trust::Observed, hit.check),
            _ => CandidateVerdict::NotShown(words(&response.outcome)),
        }
    }

    /// Whether the proof is broken as before. That needs no truth: it says nothing of the answer.
    fn proof(&self, response: &SolverReply) -> CandidateVerdict {
        let same =
            |fault: &&BrokenProof| self.shown.symptom.as_ref().is_none_or(|symptom| *symptom == fault.hit.symptom);
        match response.proofs.iter().find(same) {
            Some(BrokenProof { hit, step }) => CandidateVerdict::Interesting(Evidence {
                told: step.clone(),
                ..Evidence::of(Trust::Observed, hit.check)
            }),
            None => CandidateVerdict::NotShown(words(&response.outcome)),
        }
    }

    fn self_check(&self, text: &str, response: &SolverReply) -> CandidateVerdict {
        let same = |hit: &oracle::Hit| self.shown.symptom.as_ref().is_none_or(|symptom| *symptom == hit.symptom);
        let Some(hit) = oracle::self_accusations(&response.outcome).find(same) else {
            return CandidateVerdict::NotShown(words(&response.outcome));
        };
        if let Some(verdict) = self.misread(text) {
            return verdict;
        }
        // A false self-check is another mistake than a wrong model, and by far the more common one.
        match (self.shown.wrong, &response.models) {
            (FailureKind::FalseSelfCheck, ScriptVerdict::Valid) => Evidence::verdict(Trust::ModelProven, hit.check),
            (FailureKind::FalseSelfCheck, _) => {
                CandidateVerdict::TruthLost("the model is not proven right".to_string())
            }
            (_, ScriptVerdict::Valid) => CandidateVerdict::TruthLost("the model is right after all".to_string()),
            _ => Evidence::verdict(Trust::Observed, hit.check),
        }
    }

    /// Whether a script that others read is refused as before.
    fn refusal(&self, text: &str, response: &SolverReply) -> CandidateVerdict {
        let Some(hit) = refusal::refused(&response.outcome).filter(|_| self.shown.is_in(response)) else {
            return CandidateVerdict::NotShown(words(&response.outcome));
        };
        if !refusal::is_standard(text) {
            return CandidateVerdict::TruthLost("the script holds more than theories of the standard".to_string());
        }
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, text).script;
        let instances = script.instances();
        let Some(instance) = instances.get(hit.check) else {
            return CandidateVerdict::TruthLost("there is no check".to_string());
        };
        let asked = AskedCheck { script: &script, instance };
        let reads = |trusted: &&TrustedSolver| {
            let answer = trusted.answer(&store, asked, &self.trusted_limits);
            matches!(answer, Answer::Sat | Answer::Unsat | Answer::Unknown)
        };
        match self.trusted.iter().find(reads) {
            Some(reader) => Evidence::verdict(Trust::by_solvers("readable", vec![reader.label.clone()]), hit.check),
            None => CandidateVerdict::TruthLost("nobody else is known to read the script".to_string()),
        }
    }

    /// Whether the answers to the two scripts that follow from a text contradict each other as before.
    fn contradiction(&self, text: &str, response: &SolverReply) -> CandidateVerdict {
        let Some(pair) = response.pair.as_ref().filter(|_| self.shown.is_in(response)) else {
            return CandidateVerdict::NotShown(words(&response.outcome));
        };
        let both = pair.first.as_ref().zip(pair.second.as_ref());
        let pair = both.map(|((first, _), (second, _))| [first.text.clone(), second.text.clone()]);
        let evidence = Evidence { pair, ..Evidence::of(Trust::Observed, 0) };
        self.misread(text).unwrap_or(CandidateVerdict::Interesting(evidence))
    }

    /// Whether the model the solver gives is none.
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
            ScriptVerdict::None => CandidateVerdict::NotShown(words(&response.outcome)),
        }
    }

    /// The verdict on a text that the solver's version reads differently, so that its answers say nothing.
    fn misread(&self, text: &str) -> Option<CandidateVerdict> {
        let installed = self.target.installed();
        let spelling = installed.profile.misread(installed.version.as_ref(), text)?;
        Some(CandidateVerdict::TruthLost(format!("this version misreads the text ({spelling})")))
    }

    fn answers(
        &self,
        text: &str,
        outcome: &SolverOutcome,
        witness: Option<&ThreadWitness>,
        asks: bool,
    ) -> CandidateVerdict {
        let wanted = self.answer();
        let mut suspects: Vec<usize> =
            (0..outcome.answers.len()).filter(|&n| outcome.answers[n].answer == wanted).collect();
        // The check that is known to be answered wrongly comes first.
        suspects.sort_by_key(|&n| Some(n) != self.shown.check);
        suspects.truncate(MAX_SUSPECTS);
        if suspects.is_empty() {
            return CandidateVerdict::NotShown(words(outcome));
        }
        if let Some(verdict) = self.misread(text) {
            return verdict;
        }
        let (mut store, model) = match witness {
            Some(w) => (Store::clone(&w.store), Some(&w.model)),
            None => (Store::new(), None),
        };
        let parsed = smtlib::parse(&mut store, text);
        if let Some(error) = parsed.errors.first() {
            return CandidateVerdict::TruthLost(format!("the text does not read back: {error}"));
        }
        let mut why = "there is no check".to_string();
        for check in suspects {
            let Some(instance) = parsed.script.instance(check) else { continue };
            let instance = &instance;
            if let Some(model) = model
                && matches!(self.shown.wrong, FailureKind::Unsat | FailureKind::Unknown)
                && WitnessValues::new(model.clone()).satisfy(&store, instance)
            {
                return Evidence::verdict(by_witness(model), check);
            }
            match self.without_witness(&mut store, AskedCheck { script: &parsed.script, instance }, check, asks) {
                CandidateVerdict::TruthLost(reason) => why = reason,
                verdict => return verdict,
            }
        }
        CandidateVerdict::TruthLost(why)
    }

    /// The verdict, where looking at every assignment shows whether the answer is wrong.
    fn exhausted(&self, store: &mut Store, instance: &Instance, check: usize) -> Option<CandidateVerdict> {
        if self.basis.is_some() && !self.must_be_certified() {
            return None;
        }
        let known = exhaustion::decide(store, instance).ok().filter(|known| known.definition().is_none())?;
        if known.is_by_choice() && self.must_be_certified() && self.basis != Some(Trust::CertifiedByChoice) {
            return Some(CandidateVerdict::TruthLost(known.to_string()));
        }
        match (self.shown.wrong, known) {
            (FailureKind::Unsat, CheckTruth::Sat(model)) => {
                let truth = by_witness(&model);
                Some(match (witness_file::write(store, &model, instance), &truth) {
                    (Some(text), _) => {
                        CandidateVerdict::Interesting(Evidence { model: Some(text), ..Evidence::of(truth, check) })
                    }
                    (None, Trust::Certified) => Evidence::verdict(Trust::Exhausted, check),
                    (None, _) => CandidateVerdict::TruthLost("what the witness chooses has no text".to_string()),
                })
            }
            // Whatever trusted solvers say.
            (FailureKind::Unsat, CheckTruth::Unsat(_)) => {
                Some(CandidateVerdict::TruthLost("no assignment makes every assertion true".to_string()))
            }
            (FailureKind::Sat, CheckTruth::Sat(_)) => {
                Some(CandidateVerdict::TruthLost("an assignment makes every assertion true".to_string()))
            }
            (FailureKind::Sat, CheckTruth::Unsat(_)) | (FailureKind::Unknown, _) => {
                Some(Evidence::verdict(Trust::Exhausted, check))
            }
            _ => None,
        }
    }

    fn without_witness(&self, store: &mut Store, asked: AskedCheck<'_>, check: usize, asks: bool) -> CandidateVerdict {
        if !asks {
            return CandidateVerdict::TruthLost("the witness does not make every assertion true".to_string());
        }
        // Nobody is accused on a definition that solvers read in different ways, and a reduction keeps one that is proven total.
        if let Some(name) = unproven(store, &asked.instance.declarations) {
            let why = OpenTruth::NotTotal(name.to_string()).to_string();
            return self.exhausted(store, asked.instance, check).unwrap_or(CandidateVerdict::TruthLost(why));
        }
        if self.shown.wrong == FailureKind::Unsat {
            return self.satisfiable(store, asked, check);
        }
        if matches!(self.shown.wrong, FailureKind::Sat | FailureKind::Unknown) {
            if let Some(verdict) = self.exhausted(store, asked.instance, check) {
                return verdict;
            }
            if self.must_be_certified() {
                return CandidateVerdict::TruthLost("the symbols no longer range over few values".to_string());
            }
        }
        let mut answers = Vec::new();
        let mut common = None;
        for trusted in &self.trusted {
            let answer = trusted.answer(store, asked, &self.trusted_limits);
            answers.push(format!("{} ({})", answer.word(), trusted.label));
            let fits = match self.shown.wrong {
                FailureKind::Sat => answer == Answer::Unsat,
                _ => answer.is_definite(),
            };
            if !fits || common.is_some_and(|c| c != answer) {
                return lost("no proof is certified", &answers);
            }
            common = Some(answer);
        }
        let by = self.trusted.iter().map(|t| t.label.clone()).collect();
        match common {
            Some(answer) => Evidence::verdict(Trust::by_solvers(answer.word(), by), check),
            None => lost("no proof is certified", &answers),
        }
    }

    /// A trusted solver's model that our evaluator agrees with, or one that exhaustion finds; where there is none, and trust is
    /// accepted, the answers of all trusted solvers.
    fn satisfiable(&self, store: &mut Store, asked: AskedCheck<'_>, check: usize) -> CandidateVerdict {
        let mut answers = Vec::new();
        for trusted in &self.trusted {
            let answer = match trusted.model(store, asked, &self.trusted_limits) {
                Ok(found) => {
                    let (truth, model) = (by_witness(&found.model), Some(found.text));
                    let evidence = Evidence { model, ..Evidence::of(truth, check) };
                    return CandidateVerdict::Interesting(evidence);
                }
                Err(answer) => answer,
            };
            answers.push(format!("{} ({})", answer.word(), trusted.label));
            if answer == Answer::Unsat {
                break;
            }
        }
        if let Some(verdict) = self.exhausted(store, asked.instance, check) {
            return verdict;
        }
        let all = !answers.is_empty() && answers.iter().all(|a| a.starts_with("sat "));
        if !all || self.must_be_certified() {
            return lost("no model is certified", &answers);
        }
        let by = self.trusted.iter().map(|t| t.label.clone()).collect();
        Evidence::verdict(Trust::by_solvers("sat", by), check)
    }
}

/// What a model that satisfies all assertions shows.
fn by_witness(model: &Model) -> Trust {
    if model.choices().is_empty() { Trust::Certified } else { Trust::CertifiedByChoice }
}

/// The verdict on a text whose truth nobody confirms: what our evaluator lacks, and what other solvers answer.
fn lost(lacking: &str, answers: &[String]) -> CandidateVerdict {
    let others = if answers.is_empty() { String::new() } else { format!("; others say {}", answers.join(", ")) };
    CandidateVerdict::TruthLost(format!("{lacking}{others}"))
}

/// What a solver did, in words.
pub fn words(outcome: &SolverOutcome) -> String {
    let mut words: Vec<String> = outcome.answers.iter().map(|c| c.answer.word().to_string()).collect();
    words.dedup();
    if let Some(crash) = &outcome.crash {
        words.push(format!("crash ({})", crash.signature));
    }
    words.extend(outcome.self_checks.first().map(|own| format!("its own word: {}", own.message)));
    words.extend(outcome.errors.first().map(|e| format!("error: {}", e.message)));
    words.join(", ")
}
