//! How a script is put to a solver, and what shows there.
//!
//! A campaign that confirms a hit, a replay, a reduction and a bisection all ask by [`SolverQuestion::ask`], so that none of them
//! judges by other options, limits or predecessors than the finding had.

use crate::judge::{self, Asking, Hit};
use crate::model_oracle::{self, Examined, ScriptVerdict};
use crate::proof_oracle::BrokenProof;
use crate::relation::{AskedPair, RelatedScript, Relation};
use crate::slowness::{MeasuredSlowness, ReferenceSolver};
use crate::tested::{self, Asked};
pub use crate::words::purpose_of;
use crate::{proof_oracle, refusal, translate};
use finding::{BugClass, Finding, LooksAt, failure};
use smtlib::Status;
use smtlib::{Command, Store};
use solver::outcome::SolverOutcome;
use solver::process::{ProcessLimits, RunError};
use solver::session::{SessionNeeds, Solver};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

/// How much longer than at first a solver may take: the machine may be busier, or slower than the one something was found on,
/// and a limit must not hide a finding.
const PATIENCE: u32 = 3;

/// What decides a solver's answer beside the text and its own options, and how the answer is read.
#[derive(Clone, Debug)]
pub struct SolverQuestion {
    /// What the solver is asked to be ready for.
    pub purpose: SessionNeeds,
    /// What one run may use.
    pub limits: ProcessLimits,
    /// The scripts that go before in the same process, each ended by `(reset)`; mostly none, and none where models are judged.
    pub earlier: Arc<str>,
    /// What is looked at.
    pub looks_at: LooksAt,
    /// By whom CPU time is measured, where that is looked at.
    pub reference_solver: Option<Arc<ReferenceSolver>>,
    /// How the two scripts relate that follow from a text, where their answers are looked at.
    pub relation: Option<Relation>,
}

/// What a solver did.
#[derive(Clone, Debug)]
pub struct SolverReply {
    /// The run; where a model is wrong, the one that gave it; where slowness is measured and the other solver gives no answer in time,
    /// that one's.
    pub outcome: SolverOutcome,
    /// What its models are worth; [`ScriptVerdict::None`] where they are not looked at.
    pub models: ScriptVerdict,
    /// The CPU times, if they are looked at and the solver is slow.
    pub slowness: Option<MeasuredSlowness>,
    /// What came of the two scripts that follow from the text, if they are looked at.
    pub pair: Option<AskedPair>,
    /// What is wrong with its proofs, if they are looked at.
    pub proofs: Vec<BrokenProof>,
    looks_at: LooksAt,
}

impl SolverQuestion {
    /// The question of a finding, as it was asked but for more time.
    pub fn of(finding: &Finding, earlier: &str) -> SolverQuestion {
        let record = &finding.solver;
        let wall = Duration::try_from_secs_f64(record.timeout_s).unwrap_or(ProcessLimits::default().wall);
        let limits = ProcessLimits { wall, memory_bytes: record.memory_bytes, ..ProcessLimits::default() };
        SolverQuestion {
            purpose: purpose_of(&record.purposes),
            limits: patient(&limits),
            earlier: earlier.into(),
            looks_at: failure::row(finding.class, &finding.symptom).looks_at,
            reference_solver: ReferenceSolver::of(finding),
            relation: Relation::of(finding),
        }
    }

    /// The question and the script as a solver of another kind is asked them: in its own spelling, without the tactics and options of the
    /// solver that the script was written for, and without what went before, which is spelled for that one too.
    pub fn elsewhere(&self, store: &Store, commands: &[Command], solver: &Solver) -> (SolverQuestion, String) {
        let text = translate::for_solver(store, commands, solver);
        let text = match self.looks_at {
            LooksAt::Models => asking_for_models(&text).into_owned(),
            _ => text,
        };
        (SolverQuestion { earlier: Arc::from(""), ..self.clone() }, text)
    }

    /// Asks a solver, in a fresh process.
    ///
    /// # Errors
    /// The solver cannot be run.
    pub fn ask(&self, solver: &Solver, text: &str) -> Result<SolverReply, RunError> {
        let SolverQuestion { purpose, limits, earlier, looks_at, reference_solver, relation } = self;
        let reply = |outcome, models| SolverReply {
            outcome,
            models,
            slowness: None,
            pair: None,
            proofs: Vec::new(),
            looks_at: *looks_at,
        };
        match looks_at {
            LooksAt::Answers | LooksAt::Refusals => {
                let outcome = solver.check_after(earlier, text, *purpose, limits)?;
                Ok(reply(outcome, ScriptVerdict::None))
            }
            LooksAt::Proof => {
                let outcome = solver.check_after(earlier, text, *purpose, limits)?;
                let proofs = proof_oracle::judge(&outcome, solver, text).faults;
                Ok(SolverReply { proofs, ..reply(outcome, ScriptVerdict::None) })
            }
            LooksAt::Models => {
                let installed = solver.installed();
                let (dialect, misreads) = (tested::dialect(installed), tested::misreads(installed));
                let asked = Asked { solver, dialect: &dialect, misreads: &misreads };
                let examined = model_oracle::examine(asked, text, *purpose, limits)?;
                Ok(reply(examined.outcome, examined.verdict))
            }
            LooksAt::SelfCheck => {
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
            LooksAt::Pairs => {
                let Some(relation) = relation else {
                    let cause = "how two scripts relate, only the record of a finding names".to_string();
                    return Err(RunError::Spawn { program: solver.installed().label(), cause });
                };
                let mut run = |script: &RelatedScript| solver.check(&script.text, script.needs(*purpose), limits);
                let pair = relation.ask(solver, text, None, &mut run)?;
                let outcome = match pair.outcome() {
                    Some(outcome) => outcome,
                    // No two scripts follow from it; what it is answered itself is said.
                    None => solver.check(text, *purpose, limits)?,
                };
                Ok(SolverReply { pair: Some(pair), ..reply(outcome, ScriptVerdict::None) })
            }
            LooksAt::CpuTime => {
                let Some(reference_solver) = reference_solver else {
                    let cause =
                        "slowness is measured by another release, which only the record of a finding names".to_string();
                    return Err(RunError::Spawn { program: solver.installed().label(), cause });
                };
                let (outcome, slowness) = reference_solver.measure(solver, text, *purpose, limits)?;
                Ok(SolverReply { slowness, ..reply(outcome, ScriptVerdict::None) })
            }
        }
    }

    /// The model that a solver gives for one check, judged by our evaluator. `text` asks for models.
    ///
    /// # Errors
    /// The solver cannot be run.
    pub fn model_of(&self, solver: &Solver, text: &str, check: usize) -> Result<Examined, RunError> {
        let installed = solver.installed();
        let (dialect, misreads) = (tested::dialect(installed), tested::misreads(installed));
        let asked = Asked { solver, dialect: &dialect, misreads: &misreads };
        model_oracle::examine_check(asked, text, check, self.purpose, &self.limits)
    }
}

impl SolverReply {
    /// What contradicts the right answers, if anything does.
    pub fn hit(&self, expected: &[Status], asking: Asking) -> Option<Hit> {
        match self.looks_at {
            LooksAt::Answers => judge::judge(expected, &self.outcome, asking),
            LooksAt::Models => model_oracle::hit(&self.models),
            LooksAt::SelfCheck => judge::judge(expected, &self.outcome, asking).map(|hit| self.acquitted(hit)),
            LooksAt::Refusals => refusal::refused(&self.outcome),
            LooksAt::Pairs => self.pair.as_ref().and_then(AskedPair::hit),
            LooksAt::Proof => self.proofs.first().map(|fault| fault.hit.clone()),
            LooksAt::CpuTime => self.slowness.as_ref().map(MeasuredSlowness::hit),
        }
    }
}

impl SolverReply {
    /// What contradicts the right answers, as [`SolverReply::hit`]; of several faults of proofs the one that shows this symptom, if one does.
    pub fn hit_like(&self, symptom: &str, expected: &[Status], asking: Asking) -> Option<Hit> {
        let like = self.proofs.iter().map(|fault| &fault.hit).find(|hit| hit.symptom == symptom);
        like.cloned().or_else(|| self.hit(expected, asking))
    }

    /// A solver's word against a model that our evaluator proves right is a mistake of its self-check.
    fn acquitted(&self, hit: Hit) -> Hit {
        match hit.is_own_word() && hit.class == BugClass::B && self.models == ScriptVerdict::Valid {
            true => Hit { class: BugClass::E, ..hit },
            false => hit,
        }
    }
}

/// The limits of a run that repeats another: more time, and none of CPU time, which is for first answers.
pub fn patient(limits: &ProcessLimits) -> ProcessLimits {
    ProcessLimits { wall: limits.wall.saturating_mul(PATIENCE), script_cpu: None, ..limits.clone() }
}

/// The script with `(get-model)` after every check; as it is where it does not read, or asks already.
pub fn asking_for_models(text: &str) -> Cow<'_, str> {
    if text.contains("(get-model)") {
        return Cow::Borrowed(text);
    }
    let mut store = Store::new();
    let checks = smtlib::parse(&mut store, text).script.commands.iter().filter(|command| command.is_check()).count();
    model_oracle::with_models(text, &vec![Status::Unknown; checks]).map_or(Cow::Borrowed(text), Cow::Owned)
}
