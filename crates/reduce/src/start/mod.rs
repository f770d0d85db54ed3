//! The start of a reduction: determines the failure on the file, the source of the truth, and the reliability.

mod question;

use crate::judge::{CandidateVerdict, Evidence, SolverJudge, TextJudge, describe};
use crate::model_text;
use crate::query::{self, CheckQuery, TrustedSolver};
use crate::raw::{self, Raw};
use crate::shown::{self, OtherWrongVersion, ShownFailure};
use crate::subject::{self, Subject, ThreadWitness, WitnessValues};
use finding::{FailureKind, Trust};
use oracle::question::{SolverQuestion, SolverReply};
pub use question::question_of;
use question::{asking, judge, source};
use smtlib::Command;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{ProcessLimits, RunError};
use solver::session::Solver;
use solver::spec::BARE;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The context of a reduction or bisection, besides the script.
#[derive(Clone, Debug)]
pub struct ReductionTask {
    /// The solver that answers wrongly.
    pub target: Solver,
    /// The recorded question for a finding's script; otherwise the script determines what it needs.
    pub question: Option<SolverQuestion>,
    /// The failure; found out if not given.
    pub shown: Option<ShownFailure>,
    /// Other versions of the solver; those that show the same crash must continue to do so.
    pub versions: Vec<Solver>,
    /// The solvers trusted where our evaluator has no answer.
    pub trusted: Vec<TrustedSolver>,
    /// The limits of a run without a recorded question, and of a question to a trusted solver.
    pub limits: ProcessLimits,
    /// The witness as text, if there is one.
    pub witness: Option<String>,
    /// The number of runs that test the reliability.
    pub trials: u32,
}

/// A reduction ready to begin.
pub struct ReductionStart {
    /// The judge.
    pub judge: SolverJudge,
    /// Why the file is interesting.
    pub evidence: Evidence,
    /// Messages for the user.
    pub notes: Vec<String>,
    /// The file with fewer commands, if it shows the error only in its own spelling, which no pass preserves: this is the result.
    pub spelled: Option<String>,
}

/// The advice of an error, for commands with this option.
pub const TRUST: &str = "; name other solvers with --trust";

/// Why a reduction cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The solver shows no failure that is known to be one.
    #[error("{solver} does not show {wanted} on this file; it answers: {seen}{hint}")]
    NotShown {
        /// The solver.
        solver: String,
        /// The expected failure.
        wanted: String,
        /// The actual behavior.
        seen: String,
        /// A possible reason or remedy.
        hint: String,
    },
    /// The failure is too rare.
    #[error("the file is flaky: {solver} showed it in {shown} of {runs} runs, too seldom to reduce by repetition")]
    Flaky {
        /// The solver.
        solver: String,
        /// The number of failing runs.
        shown: u32,
        /// The number of runs.
        runs: u32,
    },
    /// A trusted solver agrees with the one that is supposed to be wrong.
    #[error("{who} gives the same answer ({answer}), so nothing shows that it is wrong{TRUST}")]
    Contradicted {
        /// The trusted solver.
        who: String,
        /// Its answer.
        answer: String,
    },
}

/// The minimum rate at which a flaky file must show the failure.
const MIN_SHARE: f64 = 0.25;
/// The accepted probability of missing the failure of a flaky candidate.
const MISSED: f64 = 0.05;

/// The minimum time limit of a candidate's run.
const MIN_PATIENCE: Duration = Duration::from_millis(500);
/// The minimum time limit of a trusted solver's run.
const MIN_TRUSTED_PATIENCE: Duration = Duration::from_secs(2);

/// Returns the time limit of a candidate where the original took `wall`.
fn patience(wall: Duration, least: Duration) -> Duration {
    (wall * 8).max(least)
}

/// Examines the file and sets up the judge. Puts a given or found witness into the subject, and adds a request for models if these are
/// judged.
/// Errors: [`StartError`] describes the actual behavior.
pub fn start(subject: &mut Subject, task: &ReductionTask) -> Result<ReductionStart, StartError> {
    let mut notes = Vec::new();
    if let Some(witness) = &task.witness {
        match read_witness(subject, witness) {
            true => notes.push("the witness makes every assertion of a check true".to_string()),
            false => notes.push("the witness given does not satisfy any check and is not used".to_string()),
        }
    }
    let wanted = wanted(task.shown.as_ref());
    let label = query::label(task.target.installed());
    let mut seen = Vec::new();
    let mut contradiction = None;
    for shown in &wanted {
        let script = asking(&subject.script, shown.wrong);
        let text = subject::text(&subject.store, &script, &subject.dialect);
        let mut judge = judge(task, shown, &script.commands);
        let response = match shown_in_some_run(&judge, &text, task.trials) {
            Ok(response) => response,
            Err(error) => {
                seen = vec![error.to_string()];
                break;
            }
        };
        learn(&mut judge.shown, &response);
        let outcome = &response.outcome;
        let began = Instant::now();
        let mut verdict = judge.of_response(&text, &response, witness_of(subject).as_ref(), true);
        let mut asking = began.elapsed();
        if let CandidateVerdict::TruthLost(_) = verdict {
            match reliable(subject, &judge, outcome, &mut notes) {
                Ok(trusted) if trusted.len() == judge.trusted.len() => {}
                Ok(trusted) => {
                    judge.trusted = trusted;
                    let began = Instant::now();
                    verdict = judge.of_response(&text, &response, witness_of(subject).as_ref(), true);
                    asking = began.elapsed();
                }
                Err(error) => contradiction = Some(error),
            }
        }
        match verdict {
            CandidateVerdict::Interesting(evidence) => {
                judge.basis = Some(evidence.truth.clone());
                // Trusted solvers must not spend all the time on a few hard candidates.
                judge.trusted_limits.wall = patience(asking, MIN_TRUSTED_PATIENCE).min(task.limits.wall);
                judge.other_wrong_versions =
                    shown::other_wrong_versions(&task.versions, &judge.question, &judge.shown, &text);
                subject.script = script;
                evidence.give_witness(subject);
                return settle(subject, task, judge, outcome.wall, Begun { evidence, notes });
            }
            CandidateVerdict::NotShown(what) => push_new(&mut seen, what),
            CandidateVerdict::TruthLost(why) => push_new(&mut seen, format!("{}, but {why}", describe(outcome))),
        }
    }
    if let Some((judge, wall, raw)) = as_it_stands(subject, task, &wanted) {
        let Some((found, evidence)) = raw.subject else {
            notes.push("shown only in the file's own spelling; only whole commands were dropped".to_string());
            return Ok(ReductionStart { judge, evidence: raw.evidence, notes, spelled: Some(raw.text) });
        };
        *subject = found;
        evidence.give_witness(subject);
        let left = subject.text().len();
        notes.push(format!("shown only in the file's own spelling; {left} bytes are left for the passes"));
        return settle(subject, task, judge, wall, Begun { evidence, notes });
    }
    if let Some(contradiction) = contradiction {
        return Err(contradiction);
    }
    let wanted = task.shown.as_ref().map_or("anything known to be wrong".to_string(), describe_failure);
    let mut hint = String::new();
    if let [added @ .., last] = task.target.added_options() {
        let added: String = added.iter().map(|option| format!("{option} ")).collect();
        hint = format!("; its profile adds {added}{last}, which {BARE} after its name leaves out");
    }
    if task.trusted.is_empty() {
        hint.push_str(TRUST);
    }
    Err(StartError::NotShown { solver: label, wanted, seen: seen.join("; "), hint })
}

/// Returns the failure kinds tried, in order.
fn wanted(shown: Option<&ShownFailure>) -> Vec<ShownFailure> {
    use FailureKind::*;
    match shown {
        // This name may also mean the solver's own error message.
        Some(ShownFailure { wrong: InvalidModel, symptom: None, .. }) => {
            [InvalidModel, SelfCheck].map(ShownFailure::any).to_vec()
        }
        Some(shown) => vec![shown.clone()],
        None => [Crash, Unsat, Sat, InvalidModel, SelfCheck, FalseSelfCheck, Unknown].map(ShownFailure::any).to_vec(),
    }
}

fn describe_failure(shown: &ShownFailure) -> String {
    match &shown.symptom {
        Some(symptom) => {
            format!("the {} '{symptom}'", if shown.wrong == FailureKind::Crash { "crash" } else { "message" })
        }
        None => format!("a wrong '{}'", shown.wrong),
    }
}

/// Determines the symptom of a crash or message from the first run that shows one, if unknown.
fn learn(shown: &mut ShownFailure, response: &SolverReply) {
    if shown.symptom.is_none() {
        shown.symptom = shown.symptoms(response).into_iter().next();
    }
}

/// Returns the first run that shows the failure, or else the last: a flaky file does not always show it.
fn shown_in_some_run(judge: &SolverJudge, text: &str, trials: u32) -> Result<SolverReply, RunError> {
    let mut response = judge.run(text)?;
    for _ in 1..trials {
        if judge.is_suspicious(&response) {
            break;
        }
        response = judge.run(text)?;
    }
    Ok(response)
}

/// Tries the file's own spelling, and drops commands until the printed rest shows the error, or no more can be dropped. Also returns the
/// run time of the original.
fn as_it_stands(
    subject: &mut Subject,
    task: &ReductionTask,
    wanted: &[ShownFailure],
) -> Option<(SolverJudge, Duration, Raw)> {
    for shown in wanted {
        let Some(source) = source(subject, shown.wrong) else { continue };
        let mut judge = judge(task, shown, &subject.script.commands);
        let response = judge.run(&source).ok()?;
        learn(&mut judge.shown, &response);
        let witness = witness_of(subject);
        let CandidateVerdict::Interesting(evidence) = judge.of_response(&source, &response, witness.as_ref(), true)
        else {
            continue;
        };
        judge.basis = Some(evidence.truth.clone());
        judge.other_wrong_versions =
            shown::other_wrong_versions(&task.versions, &judge.question, &judge.shown, &source);
        evidence.give_witness(subject);
        let witness = witness_of(subject);
        let judge = TextJudge::Solver(Box::new(judge));
        let raw = raw::reduce(&judge, &source, evidence, witness.as_ref(), |text| raw::reread(subject, text));
        let TextJudge::Solver(judge) = judge else { return None };
        return Some((*judge, response.outcome.wall, raw));
    }
    None
}

fn push_new(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

/// Returns the subject's witness for a judge.
pub fn witness_of(subject: &Subject) -> Option<ThreadWitness> {
    let model = subject.witness.clone()?;
    Some(ThreadWitness { store: Arc::new(subject.store.clone()), model })
}

/// Reads a witness and keeps it if it satisfies a check.
fn read_witness(subject: &mut Subject, text: &str) -> bool {
    let declarations: Vec<Command> = subject.script.commands.iter().filter(|c| c.is_declaration()).cloned().collect();
    let model = model_text::read_either(&mut subject.store, &declarations, text);
    let Some(model) = model.map(Arc::new) else { return false };
    let mut values = WitnessValues::new(Arc::clone(&model));
    let holds = subject.script.each_instance().any(|instance| values.satisfy(&subject.store, &instance));
    if holds {
        subject.witness = Some(model);
    }
    holds
}

/// Returns the trusted solvers that give an answer to the first check whose answer is wrong.
fn reliable(
    subject: &Subject,
    judge: &SolverJudge,
    outcome: &SolverOutcome,
    notes: &mut Vec<String>,
) -> Result<Vec<TrustedSolver>, StartError> {
    let wrong = match judge.shown.wrong {
        FailureKind::Sat => Answer::Sat,
        FailureKind::Unsat => Answer::Unsat,
        FailureKind::Unknown => Answer::Unknown,
        _ => return Ok(judge.trusted.clone()),
    };
    let suspects = (0..outcome.answers.len()).filter(|&n| outcome.answers[n].answer == wrong);
    let mut agreeing = None;
    for check in suspects {
        let Some(instance) = subject.script.instance(check) else { continue };
        let asked = CheckQuery { script: &subject.script, instance: &instance };
        let answers: Vec<Answer> =
            judge.trusted.iter().map(|t| t.answer(&subject.store, asked, &judge.trusted_limits)).collect();
        if let Some(n) = answers.iter().position(|&a| a == wrong && a.is_definite()) {
            agreeing = Some((judge.trusted[n].label.clone(), answers[n].word().to_string()));
            continue;
        }
        let mut kept = Vec::new();
        for (trusted, answer) in judge.trusted.iter().zip(answers) {
            match answer.is_definite() {
                true => kept.push(trusted.clone()),
                false => notes.push(format!("{} answers {} and is not run again", trusted.label, answer.word())),
            }
        }
        if !kept.is_empty() {
            return Ok(kept);
        }
    }
    match agreeing {
        Some((who, answer)) => Err(StartError::Contradicted { who, answer }),
        None => Ok(judge.trusted.clone()),
    }
}

/// The state after a run has shown the failure.
struct Begun {
    evidence: Evidence,
    notes: Vec<String>,
}

/// Repeats the run, and sets the number of attempts and the time limit of candidates, where the original took `wall`.
fn settle(
    subject: &Subject,
    task: &ReductionTask,
    mut judge: SolverJudge,
    wall: Duration,
    begun: Begun,
) -> Result<ReductionStart, StartError> {
    let Begun { evidence, mut notes } = begun;
    // The versions were asked several times already.
    let other_wrong_versions = std::mem::take(&mut judge.other_wrong_versions);
    let text = subject.text();
    let witness = witness_of(subject);
    let mut runs = 1;
    let mut shown = 1;
    let mut wanted = task.trials.max(1);
    while runs < wanted {
        runs += 1;
        match judge.judge(&text, witness.as_ref(), true) {
            CandidateVerdict::Interesting(_) => shown += 1,
            // A single miss justifies more runs.
            _ => wanted = wanted.max(12),
        }
    }
    if shown < runs {
        let share = f64::from(shown) / f64::from(runs);
        if share < MIN_SHARE {
            return Err(StartError::Flaky { solver: query::label(task.target.installed()), shown, runs });
        }
        judge.tries = (MISSED.ln() / (1.0 - share).ln()).ceil().clamp(2.0, 12.0) as u32;
        notes.push(format!("flaky: shown in {shown} of {runs} runs; each candidate is tried {} times", judge.tries));
    }
    if let Trust::Trusted(_) = evidence.truth {
        notes.push("no model or proof was certified; the truth is trusted".to_string());
    }
    let wall = other_wrong_versions.iter().map(|other| other.wall).fold(wall, Duration::max);
    if !other_wrong_versions.is_empty() {
        let labels: Vec<String> = other_wrong_versions.iter().map(OtherWrongVersion::label).collect();
        notes.push(format!("shown by {} too, and kept so", labels.join(", ")));
    }
    judge.other_wrong_versions = other_wrong_versions;
    // Much slower candidates than the original are not worth waiting for.
    judge.question.limits.wall = patience(wall, MIN_PATIENCE).min(judge.question.limits.wall);
    Ok(ReductionStart { judge, evidence, notes, spelled: None })
}
