//! Tests the claims of a solver's profile.

mod dialect;
mod probes;

use std::borrow::Cow;
use std::time::Duration;

use finding::OptionGrade;

use crate::install::InstalledSolver;
use crate::outcome::{self, Answer, SolverOutcome};
use crate::probe;
use crate::process::ProcessLimits;
use crate::profiles::Profiles;
use crate::session::{SessionNeeds, Solver};

/// A claim and the result of its test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The claim, in a few words.
    pub claim: String,
    /// The result.
    pub verdict: ClaimVerdict,
}

/// The result of testing a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// The claim holds.
    True,
    /// The claim does not hold; describes the evidence.
    False(String),
    /// The claim could not be tested; gives the reason.
    Untested(String),
}

/// The claim that all others depend on.
const ANSWERS_SAT: &str = "answers sat";

const SAT: &str = "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(assert (and (or p q) (not p)))\n(check-sat)\n";
const UNSAT: &str =
    "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(assert (and (or p q) (not p) (not q)))\n(check-sat)\n";
const MODEL: &str = "(declare-fun p () Bool)\n(assert (not p))\n(check-sat)\n(get-model)\n";
const INCREMENTAL: &str = "(declare-fun p () Bool)\n(assert p)\n(check-sat)\n(push 1)\n(assert (not p))\n(check-sat)\n\
                           (pop 1)\n(check-sat)\n";
const CONTRADICTION: &str = "(declare-fun p () Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n";

/// Returns the script under a logic that the solver accepts.
fn with_logic(solver: &Solver, script: &str) -> String {
    let logic = ["QF_UF", "QF_BV"].into_iter().find(|logic| solver.profile().accepts_logic(logic)).unwrap_or("ALL");
    format!("(set-logic {logic})\n{script}")
}

/// The time limit of one problem of the preflight, whatever a campaign's limit is.
const PREFLIGHT_TIME: Duration = Duration::from_secs(10);

fn limits() -> ProcessLimits {
    ProcessLimits { wall: Duration::from_secs(30), ..ProcessLimits::default() }
}

/// Checks whether a solver answers at all: a satisfiable and an unsatisfiable Boolean problem, within limits.
///
/// Any answer is accepted, since wrong answers and crashes are what campaigns look for; so is a reached limit.
/// Errors: the solver that does not answer, and its output instead.
pub fn preflight(solver: &Solver, limits: &ProcessLimits) -> Result<(), String> {
    let refused = |said: String| format!("{} does not answer a problem of Booleans: {said}", solver.installed().spec);
    let limits = ProcessLimits { wall: limits.wall.min(PREFLIGHT_TIME), ..limits.clone() };
    for problem in [SAT, UNSAT] {
        let named = answers(solver, &with_logic(solver, problem), &limits);
        // Some know other logics than their profile says, or none.
        match named.or_else(|said| answers(solver, problem, &limits).map_err(|_| refused(said)))? {
            // Waiting again would show nothing new.
            Answer::Timeout | Answer::MemOut | Answer::OutputOut | Answer::Cancelled => break,
            _ => {}
        }
    }
    Ok(())
}

/// Returns the answer to a script with one check, or the message in its place.
fn answers(solver: &Solver, script: &str, limits: &ProcessLimits) -> Result<Answer, String> {
    let outcome = solver.check(script, SessionNeeds::SINGLE, limits).map_err(|error| error.to_string())?;
    match outcome.last_answer() {
        Answer::Void | Answer::Missing => {
            let printed = || Some(format!("it prints '{}'", outcome::first_line(&outcome.stdout)?));
            let said = outcome.complaint().map(Cow::into_owned).or_else(printed);
            Err(said.unwrap_or_else(|| "it prints nothing".to_string()))
        }
        answer => Ok(answer),
    }
}

/// Returns the checks of an installation: a sat, an unsat, a model if supported, and a reset if the profile claims it.
pub fn smoke(solver: &Solver) -> Vec<Check> {
    let mut checks = vec![
        asks(solver, ANSWERS_SAT, &with_logic(solver, SAT), SessionNeeds::SINGLE, &[Answer::Sat]),
        asks(solver, "answers unsat", &with_logic(solver, UNSAT), SessionNeeds::SINGLE, &[Answer::Unsat]),
    ];
    if solver.profile().gives_models.contains(solver.installed().version.as_ref()) {
        checks.push(gives_model(solver));
    }
    if solver.profile().reset_works {
        let expect = [Answer::Unsat, Answer::Sat];
        let script = format!("{}(reset)\n{}", with_logic(solver, CONTRADICTION), with_logic(solver, SAT));
        checks.push(asks(solver, "starts over at (reset)", &script, SessionNeeds::INCREMENTAL, &expect));
    }
    checks
}

/// Tests all testable claims of the profile.
pub fn examine(installed: &InstalledSolver, profiles: &Profiles) -> Vec<Check> {
    let solver = Solver::new(installed.clone(), profiles);
    if solver.is_builtin() {
        return vec![asks(&solver, "answers every check-sat in the same way", SAT, SessionNeeds::SINGLE, &[])];
    }
    let mut checks = vec![tells_version(installed)];
    checks.extend(smoke(&solver));
    if checks.iter().any(|check| check.claim == ANSWERS_SAT && matches!(check.verdict, ClaimVerdict::False(_))) {
        // Nothing else can be tested, and the reason would be repeated for every claim.
        let why = "it does not answer sat to the simplest question".to_string();
        checks.push(check("everything else that is claimed", ClaimVerdict::Untested(why)));
        return checks;
    }
    let incremental = [Answer::Sat, Answer::Unsat, Answer::Sat];
    if solver.profile().incremental.contains(installed.version.as_ref()) {
        let script = with_logic(&solver, INCREMENTAL);
        checks.push(asks(&solver, "works incrementally", &script, SessionNeeds::INCREMENTAL, &incremental));
    }
    if solver.profile().knows_simplify(installed.version.as_ref()) {
        checks.push(simplifies(&solver));
    }
    let plain = with_logic(&solver, SAT);
    let options = &solver.profile().options;
    if !options.validate.is_empty() {
        checks.push(asks(&solver, "checks its own answers", &plain, SessionNeeds::VALIDATE, &[Answer::Sat]));
    }
    if !options.random_seed.is_empty() {
        let seeded = solver.clone().with_random_seed(7);
        checks.push(asks(&seeded, "takes a random seed", &plain, SessionNeeds::SINGLE, &[Answer::Sat]));
    }
    for (name, variant) in &solver.profile().variants {
        if variant.versions.contains(installed.version.as_ref()) {
            let with = solver.clone().with_options(variant.options.iter().cloned());
            checks.push(asks(&with, &format!("has the variant {name}"), &plain, SessionNeeds::SINGLE, &[Answer::Sat]));
        }
    }
    if solver.profile().needs_logic {
        checks.push(needs_logic(&solver));
    }
    for tactic in solver.profile().tactics(installed.version.as_ref()) {
        checks.push(knows_tactic(&solver, tactic));
    }
    for choice in solver.profile().choices(installed.version.as_ref(), OptionGrade::Experimental) {
        checks.extend(choice.settings().map(|option| takes_option(&solver, &option)));
    }
    checks.extend(dialect::examine(&solver));
    checks
}

fn check(claim: &str, verdict: ClaimVerdict) -> Check {
    Check { claim: claim.to_string(), verdict }
}

fn asks(solver: &Solver, claim: &str, script: &str, purpose: SessionNeeds, expect: &[Answer]) -> Check {
    let verdict = match solver.check(script, purpose, &limits()) {
        Err(error) => ClaimVerdict::False(error.to_string()),
        Ok(outcome) => {
            let answers: Vec<Answer> = outcome.answers.iter().map(|check| check.answer).collect();
            let healthy = outcome.crash.is_none() && outcome.errors.is_empty();
            if answers == expect && healthy || solver.is_builtin() {
                ClaimVerdict::True
            } else {
                ClaimVerdict::False(describe(&outcome))
            }
        }
    };
    check(claim, verdict)
}

fn gives_model(solver: &Solver) -> Check {
    let claim = "gives a model";
    match solver.check(
        &format!("(set-option :produce-models true)\n{}", with_logic(solver, MODEL)),
        SessionNeeds::MODELS,
        &limits(),
    ) {
        Err(error) => check(claim, ClaimVerdict::False(error.to_string())),
        Ok(outcome) => {
            let has_model = outcome.answers.iter().any(|check| {
                check.answer == Answer::Sat && check.responses.iter().any(|response| response.contains("define-fun"))
            });
            check(claim, if has_model { ClaimVerdict::True } else { ClaimVerdict::False(describe(&outcome)) })
        }
    }
}

fn simplifies(solver: &Solver) -> Check {
    let script = with_logic(solver, "(simplify (not false))\n");
    let verdict = match solver.check(&script, SessionNeeds::SINGLE, &limits()) {
        Err(error) => ClaimVerdict::False(error.to_string()),
        Ok(outcome) if String::from_utf8_lossy(&outcome.stdout).trim() == "true" => ClaimVerdict::True,
        Ok(outcome) => ClaimVerdict::False(describe(&outcome)),
    };
    check("knows (simplify t)", verdict)
}

/// If the claim is false, scripts get logics that they do not need.
fn needs_logic(solver: &Solver) -> Check {
    let verdict = match solver.check(
        "(declare-fun x () Int)\n(assert (> x 0))\n(check-sat)\n",
        SessionNeeds::SINGLE,
        &limits(),
    ) {
        Err(error) => ClaimVerdict::False(error.to_string()),
        Ok(outcome) if outcome.last_answer().is_definite() => ClaimVerdict::False(describe(&outcome)),
        Ok(_) => ClaimVerdict::True,
    };
    check("needs a logic", verdict)
}

/// Whether a solver answers as before with an option, also for several checks if it supports these: campaigns draw options for any script.
fn takes_option(solver: &Solver, option: &str) -> Check {
    let claim = format!("takes the option {option}");
    let (with, command) = match option.starts_with('(') {
        true => (solver.clone(), format!("{option}\n")),
        false => (solver.clone().with_options([option.to_string()]), String::new()),
    };
    let mut trials = vec![(SAT, SessionNeeds::SINGLE, &[Answer::Sat][..])];
    if solver.profile().incremental.contains(solver.installed().version.as_ref()) {
        trials.push((INCREMENTAL, SessionNeeds::INCREMENTAL, &[Answer::Sat, Answer::Unsat, Answer::Sat]));
    }
    for (script, purpose, expect) in trials {
        let script = with_logic(&with, &format!("{command}{script}"));
        let verdict = match with.check(&script, purpose, &limits()) {
            Err(error) => ClaimVerdict::False(error.to_string()),
            Ok(outcome) => takes(&outcome, expect),
        };
        if verdict != ClaimVerdict::True {
            return check(&claim, verdict);
        }
    }
    check(&claim, ClaimVerdict::True)
}

fn takes(outcome: &SolverOutcome, expect: &[Answer]) -> ClaimVerdict {
    // A crash is a bug of the solver, but the option is known.
    if outcome.crash.is_some() {
        return ClaimVerdict::Untested(describe(outcome));
    }
    let answers = outcome.answers.iter().map(|check| check.answer);
    // Some solvers print this for an unknown key.
    let is_unsupported = String::from_utf8_lossy(&outcome.stdout).lines().any(|line| line.trim() == "unsupported");
    match (is_unsupported, answers.eq(expect.iter().copied()) && outcome.errors.is_empty()) {
        (true, _) => ClaimVerdict::False("it says unsupported".to_string()),
        (false, true) => ClaimVerdict::True,
        (false, false) if expect.len() > 1 => ClaimVerdict::False(format!("with several checks {}", describe(outcome))),
        (false, false) => ClaimVerdict::False(describe(outcome)),
    }
}

fn knows_tactic(solver: &Solver, tactic: &str) -> Check {
    let claim = format!("knows the tactic {tactic}");
    let script = format!("(declare-fun p () Bool)\n(assert p)\n(check-sat-using {tactic})\n");
    let verdict = match solver.check(&script, SessionNeeds::SINGLE, &limits()) {
        Err(error) => ClaimVerdict::False(error.to_string()),
        // A tactic that decides nothing by itself answers unknown, but it is known.
        Ok(outcome) => match outcome.last_answer() {
            Answer::Sat | Answer::Unknown => ClaimVerdict::True,
            _ => ClaimVerdict::False(describe(&outcome)),
        },
    };
    check(&claim, verdict)
}

fn tells_version(installed: &InstalledSolver) -> Check {
    let verdict = match (probe::version(&installed.command, &installed.profile, probe::PATIENCE), &installed.version) {
        (Some(told), Some(known)) if told == *known => ClaimVerdict::True,
        (Some(told), Some(known)) => ClaimVerdict::False(format!("it says {told}, expected {known}")),
        (Some(_), None) => ClaimVerdict::True,
        (None, Some(known)) => ClaimVerdict::Untested(format!("it reports none; its package says {known}")),
        (None, None) => ClaimVerdict::Untested("it reports none".to_string()),
    };
    check("reports its version", verdict)
}

fn describe(outcome: &SolverOutcome) -> String {
    if let Some(crash) = &outcome.crash {
        return format!("it crashed: {}", crash.signature);
    }
    if let Some(error) = outcome.errors.first() {
        return format!("it reported: {}", error.message);
    }
    let answers: Vec<&str> = outcome.answers.iter().map(|check| check.answer.word()).collect();
    let said = outcome::first_line(&outcome.stderr).map(|line| format!("; it says: {line}")).unwrap_or_default();
    format!("its answers were {}{said}", answers.join(" "))
}
