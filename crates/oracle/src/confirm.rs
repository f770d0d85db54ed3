//! From a hit to a finding: the truth is checked against the very text that was sent, and the solver is asked again.

use crate::candidate::Candidate;
use crate::model_oracle::{self, Examined, ScriptVerdict};
use crate::question::{SolverQuestion, SolverReply, asking_for_models, patient};
use crate::relation::AskedPair;
use crate::tested::TestedSolver;
use crate::{exhaustion, refusal, translate};
use finding::record::{ContradictoryAnswers, Other, SymptomRepeats};
use finding::{BugClass, LooksAt, Trust};
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
    /// On whose word the right answer stands.
    pub trust: Trust,
    /// How often it showed again; not every time means it is flaky.
    pub repeats: SymptomRepeats,
    /// What others answered.
    pub others: Vec<Other>,
    /// Why the solver gave up, if that is the finding.
    pub reason_unknown: Option<String>,
    /// The witness rests on the choice of a value that the standard leaves open.
    pub by_choice: bool,
    /// The witness that exhaustion found, as a file, where the candidate has none.
    pub witness: Option<String>,
    /// Whether it shows without what the solver's profile adds, too.
    pub is_bare: bool,
    /// The two answers that contradict each other, if that is the finding.
    pub contradiction: Option<ContradictoryAnswers>,
    /// The scripts that they are to.
    pub pair: Option<[String; 2]>,
}

/// How the right answer stands.
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

/// Why a hit is no finding.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Dropped {
    /// This version is known to read the text differently.
    #[error("this version misreads the text ({0}), so that it has no truth for it")]
    Misread(String),
    /// The witness does not satisfy the text.
    #[error("the witness does not certify the text: {0}")]
    NotCertified(NotCertified),
    /// A recursive definition is live that is not proven total.
    #[error("the recursive function `{0}` is not proven total, and solvers do not read such a definition alike")]
    NotTotal(String),
    /// Looking at every assignment does not show the right answer.
    #[error("exhaustion does not certify the text: {0}")]
    NotExhausted(String),
    /// A trusted truth is contradicted by another solver.
    #[error("{0} contradicts the trusted answer")]
    Contradicted(String),
    /// No other release answers, and the solver does not claim to decide the script, so that `unknown` is no bug.
    #[error("no other release answers either, and the solver does not claim to decide this logic")]
    NobodyKnows,
    /// The seed's status is wrong, as our own evaluator says, for this reason.
    #[error("the trusted answer is wrong: {0}")]
    WrongStatus(String),
    /// The limits were met after all.
    #[error("the solver gave up for a limit: {0}")]
    Limit(String),
    /// The reason for `unknown` is that it has no support for something, as its profile knows.
    #[error("the solver says that it has no support for it: {0}")]
    Unsupported(String),
    /// A script that a solver refuses holds what no solver has to read.
    #[error("the script holds more than theories of the standard, or than the solver takes")]
    NotStandard,
    /// It did not show again.
    #[error("it did not show again in {0} runs")]
    Gone(u32),
    /// The run could not be repeated, or was cut off.
    #[error("it could not be repeated: {0}")]
    NotRun(String),
}

/// Confirms a hit or drops it (design invariant 2). `others` are solvers that may be asked too.
///
/// # Errors
/// [`Dropped`] with the reason.
pub fn confirm(
    candidate: Candidate<'_>,
    target: &TestedSolver,
    others: &[&TestedSolver],
) -> Result<Confirmed, Dropped> {
    // A crash is a crash whatever the text means.
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
        answers = match somebody(candidate, target, others) {
            Ok(other) => vec![other],
            // What it claims to decide needs no other solver.
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
        // Our evaluator finds the model right, or an assertion false under it; each repetition looks again.
        BugClass::E => return Ok(KnownTruth::of(Trust::Certified)),
        BugClass::B if candidate.false_assertion.is_some() => return Ok(KnownTruth::of(Trust::Certified)),
        BugClass::B if expected != Status::Unsat => return Ok(KnownTruth::of(Trust::Observed)),
        _ => {}
    }
    let (checks, check) = (candidate.expected.len(), candidate.hit.check);
    if let Some(name) = exhaustion::unproven(candidate.text, check) {
        // What is refuted without the definition is unsatisfiable however it is read.
        return match exhaustion::decide_text(candidate.text, check) {
            Ok(known) if known.certain().is_some() => against(expected, &known, None),
            _ => Err(Dropped::NotTotal(name)),
        };
    }
    let trusted = candidate.truth.clone().filter(|trust| matches!(trust, Trust::Trusted(_)));
    match (candidate.witness, expected) {
        (Some(model), Status::Sat) => match certify_check(candidate.store, model, candidate.text, checks, check) {
            Ok(_) => Ok(KnownTruth { by_choice: !model.choices().is_empty(), ..KnownTruth::of(Trust::Certified) }),
            // An unknown assertion may still be true; a false one is not, whatever the source of the status.
            Err(NotCertified::Assertion { value, .. }) if value != "false" && trusted.is_some() => {
                checked_label(candidate, expected, trusted)
            }
            Err(reason) => Err(Dropped::NotCertified(reason)),
        },
        // A mutator that certifies without a witness makes small finite problems.
        (None, Status::Sat | Status::Unsat) if *candidate.truth == Some(Trust::Certified) => {
            exhausted(candidate, expected)
        }
        _ => checked_label(candidate, expected, trusted),
    }
}

/// A label, which nobody has checked: where the text is a small finite problem, looking at every assignment proves it or
/// refutes it.
fn checked_label(candidate: Candidate<'_>, expected: Status, trusted: Option<Trust>) -> Result<KnownTruth, Dropped> {
    let trusted = trusted.ok_or(Dropped::NobodyKnows)?;
    match exhaustion::decide_with_witness(candidate.text, candidate.hit.check) {
        Ok((known, witness)) => Ok(KnownTruth { witness, ..against(expected, &known, Some(trusted))? }),
        Err(_) => Ok(KnownTruth::of(trusted)),
    }
}

/// Decides the check afresh from the text that was sent.
fn exhausted(candidate: Candidate<'_>, expected: Status) -> Result<KnownTruth, Dropped> {
    let (known, witness) = exhaustion::decide_with_witness(candidate.text, candidate.hit.check)
        .map_err(|why| Dropped::NotExhausted(why.to_string()))?;
    match against(expected, &known, None) {
        Err(Dropped::WrongStatus(why)) => Err(Dropped::NotExhausted(why)),
        standing => Ok(KnownTruth { witness, ..standing? }),
    }
}

/// What the expected answer is worth, given what exhaustion says. Where no answer is expected, `trusted` has the last word.
fn against(expected: Status, known: &CheckTruth, trusted: Option<Trust>) -> Result<KnownTruth, Dropped> {
    match (expected, known) {
        // A choice of what the standard leaves open is part of the interpretation, so that `unsat` is wrong where one satisfies the
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

/// Whether the solver by itself does the same, without what its profile adds. Times under other options are another comparison.
fn shows_bare(candidate: Candidate<'_>, target: &TestedSolver) -> Result<bool, Dropped> {
    if target.patient.added_options().is_empty() || candidate.hit.class == BugClass::S {
        return Ok(false);
    }
    let mut bare = target.clone();
    bare.patient = bare.patient.bare();
    let reply = ask(&bare, candidate, candidate.hit.looks_at())?;
    Ok(reply.hit_like(&candidate.hit.symptom, candidate.expected, candidate.asking()).as_ref() == Some(candidate.hit))
}

/// Asks the solver again, and counts how often the same thing shows. With the last reply that shows it.
fn repeat(candidate: Candidate<'_>, target: &TestedSolver) -> Result<(SymptomRepeats, Option<SolverReply>), Dropped> {
    let (mut shown, mut last) = (0, None);
    for _ in 0..REPEATS {
        let reply = ask(target, candidate, candidate.hit.looks_at())?;
        let again = reply.hit_like(&candidate.hit.symptom, candidate.expected, candidate.asking());
        if again.as_ref() == Some(candidate.hit) {
            (shown, last) = (shown + 1, Some(reply));
        }
    }
    // Times vary; what is slow only sometimes is no finding.
    let wanted = if candidate.hit.class == BugClass::S { REPEATS } else { 1 };
    if shown < wanted { Err(Dropped::Gone(REPEATS)) } else { Ok((SymptomRepeats { shown, runs: REPEATS }, last)) }
}

/// Asks once more, with more time: not until the campaign's time is up, but until the user wants out.
fn ask(target: &TestedSolver, candidate: Candidate<'_>, looks_at: LooksAt) -> Result<SolverReply, Dropped> {
    let response = question(candidate, looks_at)
        .ask(&target.patient, candidate.text)
        .map_err(|error| Dropped::NotRun(error.to_string()))?;
    candidate.confirm_cpu.add(response.outcome.cpu);
    if response.outcome.answers.iter().any(|check| check.answer == Answer::Cancelled) {
        return Err(Dropped::NotRun("the campaign was stopped".to_string()));
    }
    Ok(response)
}

/// How a candidate is asked about again.
fn question(candidate: Candidate<'_>, looks_at: LooksAt) -> SolverQuestion {
    SolverQuestion {
        purpose: candidate.purpose,
        limits: patient(candidate.limits),
        earlier: candidate.earlier.into(),
        looks_at,
        reference_solver: candidate.slowness.map(|slowness| Arc::clone(&slowness.reference_solver)),
        relation: candidate.relation,
    }
}

/// The model that a solver gives with an answer of which it says itself that it is wrong, judged by our evaluator.
/// `asking` is its text, asking for models. None where there is no such word.
pub fn accused_model(candidate: Candidate<'_>, asking: &str, target: &TestedSolver) -> Option<Examined> {
    let is_model = candidate.hit.class == BugClass::B && candidate.hit.is_own_word() && candidate.earlier.is_empty();
    let question = is_model.then(|| question(candidate, LooksAt::SelfCheck))?;
    question.model_of(&target.patient, asking, candidate.hit.check).ok()
}

fn run(target: &TestedSolver, candidate: Candidate<'_>) -> Result<SolverOutcome, Dropped> {
    ask(target, candidate, LooksAt::Answers).map(|response| response.outcome)
}

/// The first of the others that gives the right answer within the same limits. Unless the solver claims to decide the script, only
/// other releases of it count: that another solver can do more is no bug.
fn somebody(candidate: Candidate<'_>, target: &TestedSolver, others: &[&TestedSolver]) -> Result<Other, Dropped> {
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
        let Ok(outcome) = other.patient.check(&text, candidate.purpose, candidate.limits) else { continue };
        candidate.confirm_cpu.add(outcome.cpu);
        if outcome.answers.get(candidate.hit.check).is_some_and(|check| check.answer == right) {
            return Ok(testimony(other, &outcome));
        }
    }
    Err(Dropped::NobodyKnows)
}

/// The first of the others that reads the script. A stand-in inside the program reads nothing.
fn reader(candidate: Candidate<'_>, target: &TestedSolver, others: &[&TestedSolver]) -> Result<Other, Dropped> {
    for other in independent(target, others, candidate.text).filter(|other| !other.solver.is_builtin()) {
        let Some(text) = translate::again(candidate.text, other) else { continue };
        let Ok(outcome) = other.patient.check(&text, candidate.purpose, candidate.limits) else { continue };
        candidate.confirm_cpu.add(outcome.cpu);
        if refusal::is_read(&outcome, candidate.hit.check) {
            return Ok(testimony(other, &outcome));
        }
    }
    Err(Dropped::NobodyKnows)
}

/// Those that have a say on a text beside the solver: they read it rightly, and are not the same program by another name.
fn independent<'t>(
    target: &TestedSolver,
    others: &[&'t TestedSolver],
    text: &str,
) -> impl Iterator<Item = &'t TestedSolver> {
    let own = target.solver.installed().program();
    let is_other = move |other: &&TestedSolver| own != other.solver.installed().program();
    others.iter().copied().filter(is_other).filter(move |other| other.misread(text).is_none())
}

/// Invariant: what is only trusted is no finding if anybody but the solver itself gives its answer too.
fn cross_examine(
    candidate: Candidate<'_>,
    target: &TestedSolver,
    others: &[&TestedSolver],
) -> Result<Vec<Other>, Dropped> {
    let wrong = if candidate.hit.class == BugClass::A { Answer::Unsat } else { Answer::Sat };
    let mut answers = Vec::new();
    for other in independent(target, others, candidate.text) {
        let Some(text) = translate::again(candidate.text, other) else { continue };
        let Ok(outcome) = other.patient.check(&text, candidate.purpose, candidate.limits) else { continue };
        candidate.confirm_cpu.add(outcome.cpu);
        if outcome.answers.get(candidate.hit.check).is_some_and(|check| check.answer == wrong) {
            return Err(Dropped::Contradicted(other.label.clone()));
        }
        answers.push(testimony(other, &outcome));
    }
    Ok(answers)
}

/// Whether the solver backs its `sat` to the check by a model that satisfies every assertion.
fn model_holds(candidate: Candidate<'_>, target: &TestedSolver) -> bool {
    let question = question(candidate, LooksAt::SelfCheck);
    let asking = asking_for_models(candidate.text);
    let examined = question.model_of(&target.patient, &asking, candidate.hit.check);
    candidate.confirm_cpu.add(examined.as_ref().map_or(Duration::ZERO, |examined| examined.outcome.cpu));
    examined.is_ok_and(|examined| examined.verdict == ScriptVerdict::Valid)
}

fn testimony(other: &TestedSolver, outcome: &SolverOutcome) -> Other {
    Other { solver: other.label.clone(), answers: words(outcome) }
}

/// The answers of an outcome in words.
pub fn words(outcome: &SolverOutcome) -> Vec<String> {
    outcome.answers.iter().map(|check| check.answer.word().to_string()).collect()
}

/// The reason that the solver names for `unknown`, if it is its own doing.
fn within_limits(candidate: Candidate<'_>, target: &TestedSolver) -> Result<Option<String>, Dropped> {
    const LIMITS: [&str; 6] = ["timeout", "time limit", "memout", "memory", "resource", "cancel"];
    const QUESTION: &str = "(get-info :reason-unknown)";
    let check = candidate.hit.check;
    // Right after the check: later ones, and what closes levels, change the answer. What we only carry is asked at its end,
    // where the answer stands behind the last check.
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
