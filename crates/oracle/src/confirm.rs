//! From a hit to a finding: the truth is checked against the exact text that was sent, and the solver is asked again.

use crate::candidate::Candidate;
use crate::model_oracle::{self, Examined, ScriptVerdict};
use crate::question::{SolverQuestion, SolverReply, asking_for_models, confirming_limits};
use crate::relation::AskedPair;
use crate::tested::TestedSolver;
use crate::{exhaustion, refusal, translate};
use finding::record::{ContradictoryAnswers, Other, SymptomRepeats};
use finding::{BugClass, Observation, Trust, symptom};
use semantics::truth::CheckTruth;
use semantics::truth::witness::{NotCertified, certify_check};
use smtlib::Status;
use solver::outcome::{Answer, SolverOutcome};
use std::sync::Arc;
use std::time::Duration;

/// How often a solver is asked again, alone in a fresh process.
const REPEATS: u32 = 2;

/// A confirmed hit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// The source of the right answer.
    pub trust: Trust,
    /// How many of the repetitions reproduced the symptom. Fewer than all means flaky.
    pub repeats: SymptomRepeats,
    /// The answers of other solvers.
    pub others: Vec<Other>,
    /// Why the solver gave up, if that is the finding.
    pub reason_unknown: Option<String>,
    /// The witness depends on a value that the standard leaves open.
    pub by_choice: bool,
    /// The witness found by exhaustion, as a file, if the candidate has none.
    pub witness: Option<String>,
    /// Whether the symptom is also reproduced without the options that the solver's profile adds.
    pub is_bare: bool,
    /// The two answers that contradict each other, if that is the finding.
    pub contradiction: Option<ContradictoryAnswers>,
    /// The scripts with these answers.
    pub pair: Option<[String; 2]>,
}

/// The source of the right answer, and its witness.
struct KnownTruth {
    trust: Trust,
    by_choice: bool,
    witness: Option<String>,
}

impl KnownTruth {
    fn of(trust: Trust) -> KnownTruth {
        KnownTruth { trust, by_choice: false, witness: None }
    }
}

/// Why a hit is not a finding.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Dropped {
    /// This version is known to misread the text.
    #[error("this version misreads the text ({0}), so its right answer is unknown")]
    Misread(String),
    /// The witness does not satisfy the text.
    #[error("the witness does not certify the text: {0}")]
    NotCertified(NotCertified),
    /// A live recursive definition is not proven total.
    #[error("the recursive function `{0}` is not proven total, and solvers interpret such definitions differently")]
    NotTotal(String),
    /// Exhaustion does not show the right answer.
    #[error("exhaustion does not certify the text: {0}")]
    NotExhausted(String),
    /// A trusted truth is contradicted by another solver.
    #[error("{0} contradicts the trusted answer")]
    Contradicted(String),
    /// No other release answers, and the solver does not claim to decide the script, so `unknown` is not a bug.
    #[error("no other release answers either, and the solver does not claim to decide this logic")]
    NobodyKnows,
    /// The seed's status is wrong according to our evaluator, for this reason.
    #[error("the trusted answer is wrong: {0}")]
    WrongStatus(String),
    /// A limit was reached after all.
    #[error("the solver gave up at a limit: {0}")]
    Limit(String),
    /// The reason for `unknown` is missing support, according to its profile.
    #[error("the solver reports missing support: {0}")]
    Unsupported(String),
    /// The rejected script has parts that no solver must read.
    #[error("the script has parts outside the standard's theories or the solver's")]
    NotStandard,
    /// The symptom did not reappear.
    #[error("it did not reappear in {0} runs")]
    Gone(u32),
    /// The run could not be repeated, or was interrupted.
    #[error("it could not be repeated: {0}")]
    NotRun(String),
}

/// Confirms a hit or drops it (design invariant 2). `others` are further solvers that may be asked.
/// Errors: [`Dropped`]: the right answer is not certain, the symptom does not reappear, the failure is not a bug (such
/// as a reached limit), or
/// a run fails.
pub fn confirm(
    candidate: Candidate<'_>,
    target: &TestedSolver,
    others: &[&TestedSolver],
) -> Result<Confirmed, Dropped> {
    // A crash is a crash, whatever the text means.
    if candidate.hit.class != BugClass::D
        && let Some(spelling) = target.misread(candidate.text)
    {
        return Err(Dropped::Misread(spelling.to_string()));
    }
    if candidate.hit.class == BugClass::R && !refusal::must_read(target, candidate.text) {
        return Err(Dropped::NotStandard);
    }
    let KnownTruth { trust, by_choice, witness } = truth(candidate)?;
    let mut answers = Vec::new();
    if candidate.hit.class == BugClass::C {
        answers = match first_right_solver(candidate, target, others) {
            Ok(other) => vec![other],
            // If it claims to decide the script, no other solver is needed.
            Err(Dropped::NobodyKnows) if target.is_complete_for(candidate.text) => Vec::new(),
            Err(reason) => return Err(reason),
        };
    }
    let mut trust = trust;
    if candidate.hit.class == BugClass::R {
        let reader = reader(candidate, target, others)?;
        trust = Trust::in_words(reader.solver.clone());
        answers = vec![reader];
    }
    let (repeats, reply) = repeat(candidate, target)?;
    let pair = reply.and_then(|reply| reply.pair);
    let reason_unknown = match candidate.hit.class {
        BugClass::C => within_limits(candidate, target)?,
        _ => None,
    };
    if candidate.hit.class == BugClass::B && matches!(trust, Trust::Trusted(_)) && model_holds(candidate, target) {
        return Err(Dropped::WrongStatus("the solver's model makes every assertion true".to_string()));
    }
    if matches!(trust, Trust::Trusted(_)) && candidate.hit.class.is_wrong_answer() {
        answers = cross_examine(candidate, target, others)?;
    }
    let is_bare = shows_bare(candidate, target)?;
    let contradiction = pair.as_ref().map(AskedPair::record);
    let pair = pair.and_then(|pair| Some([pair.first?.0.text, pair.second?.0.text]));
    Ok(Confirmed { trust, repeats, others: answers, reason_unknown, by_choice, witness, is_bare, contradiction, pair })
}

fn truth(candidate: Candidate<'_>) -> Result<KnownTruth, Dropped> {
    let expected = candidate.expected.get(candidate.hit.check).copied().unwrap_or(Status::Unknown);
    match candidate.hit.class {
        BugClass::D | BugClass::P | BugClass::S | BugClass::R | BugClass::X => {
            return Ok(KnownTruth::of(Trust::Observed));
        }
        // Our evaluator finds the model right, or an assertion false under it; each repetition checks again.
        BugClass::E => return Ok(KnownTruth::of(Trust::Certified)),
        BugClass::B if candidate.hit.symptom == symptom::WRONG_OPTIMUM => return Ok(KnownTruth::of(Trust::Exhausted)),
        BugClass::B if candidate.false_assertion.is_some() => return Ok(KnownTruth::of(Trust::Certified)),
        BugClass::B if expected != Status::Unsat => return Ok(KnownTruth::of(Trust::Observed)),
        _ => {}
    }
    let (checks, check) = (candidate.expected.len(), candidate.hit.check);
    if let Some(name) = exhaustion::unproven(candidate.text, check) {
        // A script refuted without the definition is unsatisfiable under every reading.
        return match exhaustion::decide_text(candidate.text, check) {
            Ok(known) if known.certain().is_some() => against(expected, &known, None),
            _ => Err(Dropped::NotTotal(name)),
        };
    }
    let trusted = candidate.truth.clone().filter(|trust| matches!(trust, Trust::Trusted(_)));
    match (candidate.witness, expected) {
        (Some(model), Status::Sat) => match certify_check(candidate.store, model, candidate.text, checks, check) {
            Ok(_) => Ok(KnownTruth { by_choice: !model.choices().is_empty(), ..KnownTruth::of(Trust::Certified) }),
            // An unknown assertion may still be true; a false one refutes the model, whatever the source of the status.
            Err(NotCertified::Assertion { value, .. }) if value != "false" && trusted.is_some() => {
                checked_label(candidate, expected, trusted)
            }
            Err(reason) => Err(Dropped::NotCertified(reason)),
        },
        // Mutators that certify without a witness make small finite problems.
        (None, Status::Sat | Status::Unsat) if *candidate.truth == Some(Trust::Certified) => {
            exhausted(candidate, expected)
        }
        _ => checked_label(candidate, expected, trusted),
    }
}

/// Checks a label: for a small finite problem, exhaustion proves or refutes it.
fn checked_label(candidate: Candidate<'_>, expected: Status, trusted: Option<Trust>) -> Result<KnownTruth, Dropped> {
    let trusted = trusted.ok_or(Dropped::NobodyKnows)?;
    match exhaustion::decide_with_witness(candidate.text, candidate.hit.check) {
        Ok((known, witness)) => Ok(KnownTruth { witness, ..against(expected, &known, Some(trusted))? }),
        Err(_) => Ok(KnownTruth::of(trusted)),
    }
}

/// Decides the check from the text that was sent.
fn exhausted(candidate: Candidate<'_>, expected: Status) -> Result<KnownTruth, Dropped> {
    let (known, witness) = exhaustion::decide_with_witness(candidate.text, candidate.hit.check)
        .map_err(|why| Dropped::NotExhausted(why.to_string()))?;
    match against(expected, &known, None) {
        Err(Dropped::WrongStatus(why)) => Err(Dropped::NotExhausted(why)),
        standing => Ok(KnownTruth { witness, ..standing? }),
    }
}

/// Returns who vouches for the expected answer, given the result of exhaustion. If no answer is expected, `trusted`
/// decides.
fn against(expected: Status, known: &CheckTruth, trusted: Option<Trust>) -> Result<KnownTruth, Dropped> {
    match (expected, known) {
        // A choice of what the standard leaves open is part of the interpretation: `unsat` is wrong if some choice satisfies the
        // assertions.
        (Status::Sat, CheckTruth::Sat(_)) | (Status::Unsat, CheckTruth::Unsat(_)) => {
            Ok(KnownTruth { by_choice: known.is_by_choice(), ..KnownTruth::of(Trust::Exhausted) })
        }
        (Status::Sat, CheckTruth::Unsat(_)) | (Status::Unsat, CheckTruth::Sat(_)) => {
            Err(Dropped::WrongStatus(known.to_string()))
        }
        (Status::Unknown, _) => trusted.map(KnownTruth::of).ok_or(Dropped::NobodyKnows),
    }
}

/// Whether the solver does the same without the options of its profile. Times under other options are not comparable.
fn shows_bare(candidate: Candidate<'_>, target: &TestedSolver) -> Result<bool, Dropped> {
    if target.confirming.added_options().is_empty() || candidate.hit.class == BugClass::S {
        return Ok(false);
    }
    let mut bare = target.clone();
    bare.confirming = bare.confirming.bare();
    let reply = ask(&bare, candidate, candidate.hit.observation())?;
    Ok(reply.hit_like(&candidate.hit.symptom, candidate.expected, candidate.asking()).as_ref() == Some(candidate.hit))
}

/// Asks the solver again and counts how often the symptom reappears. Returns the last reply with it.
fn repeat(candidate: Candidate<'_>, target: &TestedSolver) -> Result<(SymptomRepeats, Option<SolverReply>), Dropped> {
    let (mut shown, mut last) = (0, None);
    for _ in 0..REPEATS {
        let reply = ask(target, candidate, candidate.hit.observation())?;
        let again = reply.hit_like(&candidate.hit.symptom, candidate.expected, candidate.asking());
        if again.as_ref() == Some(candidate.hit) {
            (shown, last) = (shown + 1, Some(reply));
        }
    }
    // Times vary; a script that is slow only sometimes is not a finding.
    let wanted = if candidate.hit.class == BugClass::S { REPEATS } else { 1 };
    if shown < wanted { Err(Dropped::Gone(REPEATS)) } else { Ok((SymptomRepeats { shown, runs: REPEATS }, last)) }
}

/// Asks again, with more time. Only the user's interrupt stops it, not the end of the campaign's time.
fn ask(target: &TestedSolver, candidate: Candidate<'_>, observation: Observation) -> Result<SolverReply, Dropped> {
    let response = question(candidate, observation)
        .ask(&target.confirming, candidate.text)
        .map_err(|error| Dropped::NotRun(error.to_string()))?;
    candidate.confirm_cpu.add(response.outcome.cpu);
    if response.outcome.answers.iter().any(|check| check.answer == Answer::Cancelled) {
        return Err(Dropped::NotRun("the campaign was stopped".to_string()));
    }
    Ok(response)
}

/// Returns the query that reproduces a candidate.
fn question(candidate: Candidate<'_>, observation: Observation) -> SolverQuestion {
    SolverQuestion {
        purpose: candidate.purpose,
        limits: confirming_limits(candidate.limits),
        earlier: candidate.earlier.into(),
        observation,
        reference_solver: candidate.slowness.map(|slowness| Arc::clone(&slowness.reference_solver)),
        relation: candidate.relation,
    }
}

/// Judges the model that a solver gives with an answer it calls wrong. `asking` is the text that asks for models.
/// `None` if it calls no answer wrong.
pub fn accused_model(candidate: Candidate<'_>, asking: &str, target: &TestedSolver) -> Option<Examined> {
    let is_model = candidate.hit.class == BugClass::B && candidate.hit.is_own_word() && candidate.earlier.is_empty();
    let question = is_model.then(|| question(candidate, Observation::SelfCheck))?;
    question.model_of(&target.confirming, asking, candidate.hit.check).ok()
}

fn run(target: &TestedSolver, candidate: Candidate<'_>) -> Result<SolverOutcome, Dropped> {
    ask(target, candidate, Observation::Answers).map(|response| response.outcome)
}

/// Returns the first other solver that gives the right answer within the same limits. Unless the solver claims to decide the
/// script, only its other releases are considered: a stronger solver does not make `unknown` a bug.
fn first_right_solver(
    candidate: Candidate<'_>,
    target: &TestedSolver,
    others: &[&TestedSolver],
) -> Result<Other, Dropped> {
    let claims = target.is_complete_for(candidate.text);
    let right = match candidate.expected.get(candidate.hit.check) {
        Some(Status::Sat) => Answer::Sat,
        Some(Status::Unsat) => Answer::Unsat,
        _ => return Err(Dropped::NobodyKnows),
    };
    for other in independent(target, others, candidate.text) {
        if !claims && other.solver.profile().family() != target.solver.profile().family() {
            continue;
        }
        let Some(text) = translate::again(candidate.text, other) else { continue };
        let Ok(outcome) = other.confirming.check(&text, candidate.purpose, candidate.limits) else { continue };
        candidate.confirm_cpu.add(outcome.cpu);
        if outcome.answers.get(candidate.hit.check).is_some_and(|check| check.answer == right) {
            return Ok(testimony(other, &outcome));
        }
    }
    Err(Dropped::NobodyKnows)
}

/// Returns the first other solver that reads the script. A built-in stand-in reads nothing.
fn reader(candidate: Candidate<'_>, target: &TestedSolver, others: &[&TestedSolver]) -> Result<Other, Dropped> {
    for other in independent(target, others, candidate.text).filter(|other| !other.solver.is_builtin()) {
        let Some(text) = translate::again(candidate.text, other) else { continue };
        let Ok(outcome) = other.confirming.check(&text, candidate.purpose, candidate.limits) else { continue };
        candidate.confirm_cpu.add(outcome.cpu);
        if refusal::is_read(&outcome, candidate.hit.check) {
            return Ok(testimony(other, &outcome));
        }
    }
    Err(Dropped::NobodyKnows)
}

/// Returns the other solvers that count for a text: they read it correctly, and are not the same program under another
/// name.
fn independent<'t>(
    target: &TestedSolver,
    others: &[&'t TestedSolver],
    text: &str,
) -> impl Iterator<Item = &'t TestedSolver> {
    let own = target.solver.installed().program();
    let is_other = move |other: &&TestedSolver| own != other.solver.installed().program();
    others.iter().copied().filter(is_other).filter(move |other| other.misread(text).is_none())
}

/// Invariant: a trusted truth is not enough if any other solver gives the same answer as this one.
fn cross_examine(
    candidate: Candidate<'_>,
    target: &TestedSolver,
    others: &[&TestedSolver],
) -> Result<Vec<Other>, Dropped> {
    let wrong = if candidate.hit.class == BugClass::A { Answer::Unsat } else { Answer::Sat };
    let mut answers = Vec::new();
    for other in independent(target, others, candidate.text) {
        let Some(text) = translate::again(candidate.text, other) else { continue };
        let Ok(outcome) = other.confirming.check(&text, candidate.purpose, candidate.limits) else { continue };
        candidate.confirm_cpu.add(outcome.cpu);
        if outcome.answers.get(candidate.hit.check).is_some_and(|check| check.answer == wrong) {
            return Err(Dropped::Contradicted(other.label.clone()));
        }
        answers.push(testimony(other, &outcome));
    }
    Ok(answers)
}

/// Whether the solver supports its `sat` with a model that satisfies every assertion.
fn model_holds(candidate: Candidate<'_>, target: &TestedSolver) -> bool {
    let question = question(candidate, Observation::SelfCheck);
    let asking = asking_for_models(candidate.text);
    let examined = question.model_of(&target.confirming, &asking, candidate.hit.check);
    candidate.confirm_cpu.add(examined.as_ref().map_or(Duration::ZERO, |examined| examined.outcome.cpu));
    examined.is_ok_and(|examined| examined.verdict == ScriptVerdict::Valid)
}

fn testimony(other: &TestedSolver, outcome: &SolverOutcome) -> Other {
    Other { solver: other.label.clone(), answers: describe_answers(outcome) }
}

/// Lists the answers of an outcome in words.
pub fn describe_answers(outcome: &SolverOutcome) -> Vec<String> {
    outcome.answers.iter().map(|check| check.answer.word().to_string()).collect()
}

/// Returns the solver's reason for `unknown`, unless it is a limit.
fn within_limits(candidate: Candidate<'_>, target: &TestedSolver) -> Result<Option<String>, Dropped> {
    const LIMITS: [&str; 6] = ["timeout", "time limit", "memout", "memory", "resource", "cancel"];
    const QUESTION: &str = "(get-info :reason-unknown)";
    let check = candidate.hit.check;
    // Right after the check: later checks and pops change the answer. Text that is only carried is asked at its end.
    let right_after = model_oracle::asking_after(candidate.text, |at| at == check, QUESTION);
    let is_at_end = right_after.is_none();
    let text = right_after.unwrap_or_else(|| format!("{}{QUESTION}\n", candidate.text));
    let outcome = run(target, Candidate { text: &text, ..candidate })?;
    let answers = &outcome.answers;
    let asked = if is_at_end { answers.last() } else { answers.get(check) };
    let said = asked.map(|check| check.responses.join(" ")).unwrap_or_default();
    let reason = said.to_lowercase();
    if LIMITS.iter().any(|word| reason.contains(word)) {
        return Err(Dropped::Limit(reason));
    }
    if target.solver.profile().unsupported.iter().any(|pattern| said.contains(&pattern.text)) {
        return Err(Dropped::Unsupported(said));
    }
    let said = said.trim().trim_start_matches("(:reason-unknown").trim_end_matches(')').trim().trim_matches('"');
    Ok((!said.is_empty()).then(|| said.to_string()))
}
