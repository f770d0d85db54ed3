//! Questions to a solver, and how its replies are read.
//!
//! Confirmation, replay, reduction and bisection all ask with [`SolverQuestion::ask`], so they share the finding's options,
//! limits and predecessors.

use crate::judge::{self, Asking, Hit};
use crate::model_oracle::{self, Examined, ScriptVerdict};
use crate::proof_oracle::{self, BrokenProof};
use crate::relation::{AskedPair, RelatedScript, Relation};
use crate::slowness::{MeasuredSlowness, ReferenceSolver};
use crate::tested::{self, ModelQuery};
use crate::{refusal, translate};
use finding::{BugClass, Finding, Observation, failure};
use smtlib::{Command, Status, Store};
use solver::outcome::SolverOutcome;
use solver::process::{ProcessLimits, RunError};
use solver::session::{SessionNeeds, Solver};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// How many times longer than at first a solver may take: this machine may be busier or slower than the first, and a limit
/// must not hide a finding.
const PATIENCE: u32 = 3;

/// The names of purposes, for the record and back.
const PURPOSES: [(SessionNeeds, &str); 6] = [
    (SessionNeeds::INCREMENTAL, "incremental"),
    (SessionNeeds::MODELS, "models"),
    (SessionNeeds::CORES, "cores"),
    (SessionNeeds::PROOFS, "proofs"),
    (SessionNeeds::VALIDATE, "validate"),
    (SessionNeeds::CHECKED_PROOFS, "checked-proofs"),
];

/// Everything that determines a solver's answer besides the text and its options, and how the answer is read.
#[derive(Clone, Debug)]
pub struct SolverQuestion {
    /// The requested features.
    pub purpose: SessionNeeds,
    /// The limits of one run.
    pub limits: ProcessLimits,
    /// The preceding scripts in the same process, each ended by `(reset)`; usually none, and none when models are
    /// judged.
    pub earlier: Arc<str>,
    /// What to observe.
    pub observation: Observation,
    /// The reference solver, when CPU time is observed.
    pub reference_solver: Option<Arc<ReferenceSolver>>,
    /// The relation of the two derived scripts, when their answers are observed.
    pub relation: Option<Relation>,
}

/// What a solver did.
#[derive(Clone, Debug)]
pub struct SolverReply {
    /// The run: the one with the wrong model, if any; the reference solver's if it gives no answer in time.
    pub outcome: SolverOutcome,
    /// The verdict on its models; [`ScriptVerdict::None`] if they are not observed.
    pub models: ScriptVerdict,
    /// The CPU times, if they are observed and the solver is slow.
    pub slowness: Option<MeasuredSlowness>,
    /// The result of the two derived scripts, if they are observed.
    pub pair: Option<AskedPair>,
    /// The faults of its proofs, if they are observed.
    pub proofs: Vec<BrokenProof>,
    observation: Observation,
}

impl SolverQuestion {
    /// Returns the question of a finding, as it was asked but with more time.
    pub fn of(finding: &Finding, earlier: &str) -> SolverQuestion {
        let record = &finding.solver;
        let wall = Duration::try_from_secs_f64(record.timeout_s).unwrap_or(ProcessLimits::default().wall);
        let limits = ProcessLimits { wall, memory_bytes: record.memory_bytes, ..ProcessLimits::default() };
        SolverQuestion {
            purpose: purpose_of(&record.purposes),
            limits: confirming_limits(&limits),
            earlier: earlier.into(),
            observation: failure::row(finding.class, &finding.symptom).observation,
            reference_solver: ReferenceSolver::of(finding),
            relation: Relation::of(finding),
        }
    }

    /// Returns the question and the script for a solver of another kind: in its spelling, without the original solver's tactics and
    /// options, and without the preceding scripts, which are in the original spelling.
    pub fn elsewhere(&self, store: &Store, commands: &[Command], solver: &Solver) -> (SolverQuestion, String) {
        let text = translate::for_solver(store, commands, solver);
        let text = match self.observation {
            Observation::Models => asking_for_models(&text).into_owned(),
            _ => text,
        };
        (SolverQuestion { earlier: Arc::from(""), ..self.clone() }, text)
    }

    /// Asks a solver, in a fresh process.
    /// Errors: the solver cannot be run.
    pub fn ask(&self, solver: &Solver, text: &str) -> Result<SolverReply, RunError> {
        let SolverQuestion { purpose, limits, earlier, observation, reference_solver, relation } = self;
        let reply = |outcome, models| SolverReply {
            outcome,
            models,
            slowness: None,
            pair: None,
            proofs: Vec::new(),
            observation: *observation,
        };
        match observation {
            Observation::Answers | Observation::Refusals => {
                let outcome = solver.check_after(earlier, text, *purpose, limits)?;
                Ok(reply(outcome, ScriptVerdict::None))
            }
            Observation::Proof => {
                let outcome = solver.check_after(earlier, text, *purpose, limits)?;
                let proofs = proof_oracle::judge(&outcome, solver, text).faults;
                Ok(SolverReply { proofs, ..reply(outcome, ScriptVerdict::None) })
            }
            Observation::Models => {
                let installed = solver.installed();
                let (dialect, misreads) = (tested::dialect(installed), tested::misreads(installed));
                let asked = ModelQuery { solver, dialect: &dialect, misreads: &misreads };
                let examined = model_oracle::examine(asked, text, *purpose, limits)?;
                Ok(reply(examined.outcome, examined.verdict))
            }
            Observation::SelfCheck => {
                let mut outcome = solver.check_after(earlier, text, *purpose, limits)?;
                let accused = judge::self_accusations(&outcome).find(|hit| hit.class == BugClass::B);
                let models = match accused {
                    Some(hit) if earlier.is_empty() => {
                        let examined = self.model_of(solver, &asking_for_models(text), hit.check)?;
                        outcome.cpu += examined.outcome.cpu;
                        examined.verdict
                    }
                    _ => ScriptVerdict::None,
                };
                Ok(reply(outcome, models))
            }
            Observation::Pairs => {
                let Some(relation) = relation else {
                    let cause = "only the record of a finding has the relation of two scripts".to_string();
                    return Err(RunError::Spawn { program: solver.installed().label(), cause });
                };
                let mut run = |script: &RelatedScript| solver.check(&script.text, script.needs(*purpose), limits);
                let pair = relation.ask(solver, text, None, &mut run)?;
                let outcome = match pair.outcome() {
                    Some(outcome) => outcome,
                    // No pair of scripts can be derived from it; the answer to the text itself is returned.
                    None => solver.check(text, *purpose, limits)?,
                };
                Ok(SolverReply { pair: Some(pair), ..reply(outcome, ScriptVerdict::None) })
            }
            Observation::CpuTime => {
                let Some(reference_solver) = reference_solver else {
                    let cause =
                        "slowness is measured against another release, which only the record of a finding names"
                            .to_string();
                    return Err(RunError::Spawn { program: solver.installed().label(), cause });
                };
                let (outcome, slowness) = reference_solver.measure(solver, text, *purpose, limits)?;
                Ok(SolverReply { slowness, ..reply(outcome, ScriptVerdict::None) })
            }
        }
    }

    /// Judges the model that a solver gives for one check. `text` asks for models.
    /// Errors: the solver cannot be run.
    pub fn model_of(&self, solver: &Solver, text: &str, check: usize) -> Result<Examined, RunError> {
        let installed = solver.installed();
        let (dialect, misreads) = (tested::dialect(installed), tested::misreads(installed));
        let asked = ModelQuery { solver, dialect: &dialect, misreads: &misreads };
        model_oracle::examine_check(asked, text, check, self.purpose, &self.limits)
    }
}

impl SolverReply {
    /// Returns what contradicts the right answers, if anything.
    pub fn hit(&self, expected: &[Status], asking: Asking) -> Option<Hit> {
        match self.observation {
            Observation::Answers => judge::judge(expected, &self.outcome, asking),
            Observation::Models => model_oracle::hit(&self.models),
            Observation::SelfCheck => judge::judge(expected, &self.outcome, asking).map(|hit| self.acquitted(hit)),
            Observation::Refusals => refusal::refused(&self.outcome),
            Observation::Pairs => self.pair.as_ref().and_then(AskedPair::hit),
            Observation::Proof => self.proofs.first().map(|fault| fault.hit.clone()),
            Observation::CpuTime => self.slowness.as_ref().map(MeasuredSlowness::hit),
        }
    }
}

impl SolverReply {
    /// Returns what contradicts the right answers, as [`SolverReply::hit`]; among several proof faults the one with
    /// this symptom, if any.
    pub fn hit_like(&self, symptom: &str, expected: &[Status], asking: Asking) -> Option<Hit> {
        let like = self.proofs.iter().map(|fault| &fault.hit).find(|hit| hit.symptom == symptom);
        like.cloned().or_else(|| self.hit(expected, asking))
    }

    /// If our evaluator proves a rejected model right, the self-check is wrong.
    fn acquitted(&self, hit: Hit) -> Hit {
        match hit.is_own_word() && hit.class == BugClass::B && self.models == ScriptVerdict::Valid {
            true => Hit { class: BugClass::E, ..hit },
            false => hit,
        }
    }
}

/// Returns the limits of a run that repeats another: more time, and no CPU limit, which is for first answers.
pub fn confirming_limits(limits: &ProcessLimits) -> ProcessLimits {
    ProcessLimits { wall: limits.wall.saturating_mul(PATIENCE), script_cpu: None, ..limits.clone() }
}

/// Returns the script with `(get-model)` after every check; unchanged if it does not parse, or asks already.
pub fn asking_for_models(text: &str) -> Cow<'_, str> {
    if text.contains("(get-model)") {
        return Cow::Borrowed(text);
    }
    let mut store = Store::new();
    let checks = smtlib::parse(&mut store, text).script.commands.iter().filter(|command| command.is_check()).count();
    model_oracle::with_models(text, &vec![Status::Unknown; checks]).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the names of purposes.
pub fn purpose_words(purpose: SessionNeeds) -> Vec<String> {
    PURPOSES.iter().filter(|(p, _)| purpose.contains(*p)).map(|(_, word)| word.to_string()).collect()
}

/// Parses names of purposes; others are ignored.
pub fn purpose_of(words: &[String]) -> SessionNeeds {
    PURPOSES
        .iter()
        .filter(|(_, word)| words.iter().any(|w| w == word))
        .fold(SessionNeeds::SINGLE, |all, (p, _)| all | *p)
}

/// Returns the name of an expected answer.
pub fn expected_word(expected: Status) -> &'static str {
    match expected {
        Status::Sat => "sat",
        Status::Unsat => "unsat",
        Status::Unknown => "open",
    }
}
