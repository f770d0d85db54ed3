//! The beginning of a reduction: what the solver does wrong on the file, on whose word, and how reliably.

use crate::judge::{Evidence, Judge, SolverJudge, Verdict, words};
use crate::model_text;
use crate::query::{self, Trusted};
use crate::raw::{self, Raw};
use crate::subject::{Subject, Values, Witness};
use crate::truth::Truth;
use crate::wrong::Wrong;
use smtlib::Command;
use solver::outcome::{Answer, Outcome};
use solver::process::{Limits, RunError};
use solver::session::{Purpose, Solver};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The solver that errs.
    pub target: Solver,
    /// How it errs; found out if it is not said.
    pub wrong: Option<Wrong>,
    /// Whose word is taken where our evaluator does not know.
    pub trusted: Vec<Trusted>,
    /// What one run may use.
    pub limits: Limits,
    /// What the solver is to be ready for besides what the script needs.
    pub purpose: Purpose,
    /// A witness as text, if there is one.
    pub witness: Option<String>,
    /// How often the file is tried to see whether the solver errs reliably.
    pub trials: u32,
    /// The scripts that go before in the same process, each ended by `(reset)`; mostly none.
    pub earlier: Arc<str>,
}

/// A reduction that may begin.
pub struct Start {
    /// The judge.
    pub judge: SolverJudge,
    /// Why the file is interesting.
    pub evidence: Evidence,
    /// What the user should know.
    pub notes: Vec<String>,
    /// The file with fewer commands, if it shows the error only in its own spelling, which no pass can keep: the result.
    pub spelled: Option<String>,
}

/// Why a reduction cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    /// The solver does nothing wrong that is known to be wrong.
    #[error("{solver} does not show {wanted} on this file; it answers: {seen}{hint}")]
    NotShown {
        /// The solver.
        solver: String,
        /// What was looked for.
        wanted: String,
        /// What it does.
        seen: String,
        /// What may be the reason, or what to do.
        hint: String,
    },
    /// The solver errs too seldom.
    #[error("the file is flaky: {solver} showed it in {shown} of {runs} runs, too seldom to reduce by repetition")]
    Flaky {
        /// The solver.
        solver: String,
        /// So often it erred.
        shown: u32,
        /// In so many runs.
        runs: u32,
    },
    /// A trusted solver agrees with the one that should be wrong.
    #[error(
        "{who} gives the same answer ({answer}), so that nothing says it is wrong; name other solvers with --trust"
    )]
    Contradicted {
        /// The trusted solver.
        who: String,
        /// Its answer.
        answer: String,
    },
}

/// The smallest share of runs in which a flaky file must show it.
const MIN_SHARE: f64 = 0.25;
/// The chance that a flaky candidate that shows it is missed.
const MISSED: f64 = 0.05;

/// A run of a candidate may take at least so long.
const MIN_PATIENCE: Duration = Duration::from_millis(500);
/// A run of a trusted solver may take at least so long.
const MIN_TRUSTED_PATIENCE: Duration = Duration::from_secs(2);

/// How long to wait for a candidate where the file itself took `wall`.
fn patience(wall: Duration, least: Duration) -> Duration {
    (wall * 8).max(least)
}

/// Looks at the file and sets up the judge. A witness that was given or found is put into the subject.
///
/// # Errors
/// [`StartError`] says what was seen instead.
pub fn start(subject: &mut Subject, question: &Question) -> Result<Start, StartError> {
    let text = subject.text();
    let mut notes = Vec::new();
    if let Some(witness) = &question.witness {
        match read_witness(subject, witness) {
            true => notes.push("the witness makes every assertion of a check true".to_string()),
            false => notes.push("the witness given does not satisfy any check and is not used".to_string()),
        }
    }
    let wanted: Vec<Wrong> = match question.wrong {
        Some(wrong) => vec![wrong],
        None => vec![Wrong::Crash, Wrong::Unsat, Wrong::Sat, Wrong::InvalidModel, Wrong::Unknown],
    };
    let label = query::label(question.target.installed());
    let mut seen = Vec::new();
    let mut contradiction = None;
    for &wrong in &wanted {
        let mut judge = judge(question, wrong, &subject.script.commands);
        let outcome = match shown_in_some_run(&judge, &text, question.trials) {
            Ok(outcome) => outcome,
            Err(error) => {
                seen = vec![error.to_string()];
                break;
            }
        };
        // Runs of candidates that take much longer than the file's own are not worth waiting for.
        judge.limits.wall = patience(outcome.wall, MIN_PATIENCE).min(question.limits.wall);
        judge.symptom = outcome.crash.as_ref().map(|c| c.signature.0.clone());
        let began = Instant::now();
        let mut verdict = judge.of_outcome(&text, &outcome, witness_of(subject).as_ref(), true);
        let mut asking = began.elapsed();
        if let Verdict::TruthLost(_) = verdict {
            match reliable(subject, &judge, &outcome, &mut notes) {
                Ok(trusted) if trusted.len() == judge.trusted.len() => {}
                Ok(trusted) => {
                    judge.trusted = trusted;
                    let began = Instant::now();
                    verdict = judge.of_outcome(&text, &outcome, witness_of(subject).as_ref(), true);
                    asking = began.elapsed();
                }
                Err(error) => contradiction = Some(error),
            }
        }
        match verdict {
            Verdict::Interesting(evidence) => {
                judge.accepts_trust = !evidence.truth.is_certified();
                // The same for those who are asked for the truth, else a few hard candidates take all the time.
                judge.trusted_limits.wall = patience(asking, MIN_TRUSTED_PATIENCE).min(question.limits.wall);
                adopt(subject, &evidence);
                return settle(subject, question, judge, evidence, notes, &text, label);
            }
            Verdict::NotShown(what) => push_new(&mut seen, what),
            Verdict::TruthLost(why) => push_new(&mut seen, format!("{}, but {why}", words(&outcome))),
        }
    }
    if let Some((judge, raw)) = as_it_stands(subject, question, &wanted) {
        let Some((found, evidence)) = raw.subject else {
            notes.push("shown only as the file spells it; only whole commands were dropped".to_string());
            return Ok(Start { judge, evidence: raw.evidence, notes, spelled: Some(raw.text) });
        };
        *subject = found;
        adopt(subject, &evidence);
        let text = subject.text();
        notes.push(format!("shown only as the file spells it; {} bytes are left where the passes begin", text.len()));
        return settle(subject, question, judge, evidence, notes, &text, label);
    }
    if let Some(contradiction) = contradiction {
        return Err(contradiction);
    }
    let wanted = question.wrong.map_or("anything known to be wrong".to_string(), |w| format!("a wrong '{w}'"));
    let hint = if question.trusted.is_empty() { "; nobody is trusted, name solvers with --trust" } else { "" };
    Err(StartError::NotShown { solver: label, wanted, seen: seen.join("; "), hint: hint.to_string() })
}

/// The first run that shows what is looked for, or else the last: a flaky file does not show it every time.
fn shown_in_some_run(judge: &SolverJudge, text: &str, trials: u32) -> Result<Outcome, RunError> {
    let mut outcome = judge.run(text)?;
    for _ in 1..trials {
        if judge.is_suspicious(&outcome) {
            break;
        }
        outcome = judge.run(text)?;
    }
    Ok(outcome)
}

/// Tries the file's own spelling, and drops its commands until the rest shows the error printed anew, or no more can go.
fn as_it_stands(subject: &mut Subject, question: &Question, wanted: &[Wrong]) -> Option<(SolverJudge, Raw)> {
    let source = Arc::clone(&subject.source);
    for &wrong in wanted {
        let mut judge = judge(question, wrong, &subject.script.commands);
        let outcome = judge.run(&source).ok()?;
        judge.symptom = outcome.crash.as_ref().map(|c| c.signature.0.clone());
        let witness = witness_of(subject);
        let Verdict::Interesting(evidence) = judge.of_outcome(&source, &outcome, witness.as_ref(), true) else {
            continue;
        };
        judge.accepts_trust = !evidence.truth.is_certified();
        adopt(subject, &evidence);
        let witness = witness_of(subject);
        let judge = Judge::Solver(Box::new(judge));
        let raw = raw::reduce(&judge, &source, evidence, witness.as_ref(), |text| raw::reread(subject, text));
        let Judge::Solver(judge) = judge else { return None };
        return Some((*judge, raw));
    }
    None
}

fn push_new(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

fn judge(question: &Question, wrong: Wrong, commands: &[Command]) -> SolverJudge {
    let checks = commands.iter().filter(|c| c.is_check()).count();
    let mut purpose = question.purpose;
    if checks > 1 || commands.iter().any(|c| matches!(c, Command::Push(_))) {
        purpose = purpose | Purpose::INCREMENTAL;
    }
    if wrong == Wrong::InvalidModel {
        purpose = purpose | Purpose::MODELS | Purpose::VALIDATE;
    }
    SolverJudge {
        target: question.target.clone(),
        purpose,
        limits: question.limits.clone(),
        wrong,
        symptom: None,
        trusted: question.trusted.clone(),
        trusted_limits: question.limits.clone(),
        accepts_trust: true,
        tries: 1,
        earlier: Arc::clone(&question.earlier),
    }
}

/// The witness of a subject for a judge.
pub fn witness_of(subject: &Subject) -> Option<Witness> {
    let model = subject.witness.clone()?;
    Some(Witness { store: Arc::new(subject.store.clone()), model })
}

/// Reads a witness and keeps it if it satisfies a check.
fn read_witness(subject: &mut Subject, text: &str) -> bool {
    let declarations: Vec<Command> = subject.script.commands.iter().filter(|c| c.is_declaration()).cloned().collect();
    // A witness file declares the sorts itself; a model as solvers print it does not.
    let model = model_text::read(&mut subject.store, &[], text)
        .or_else(|| model_text::read(&mut subject.store, &declarations, text));
    let Some(model) = model.map(Arc::new) else { return false };
    let mut values = Values::new(Arc::clone(&model));
    let holds = subject.script.instances().iter().any(|instance| values.satisfy(&subject.store, instance));
    if holds {
        subject.witness = Some(model);
    }
    holds
}

/// Puts the model that was found for the wrong check into the subject.
fn adopt(subject: &mut Subject, evidence: &Evidence) {
    let Some(response) = &evidence.model else { return };
    let instances = subject.script.instances();
    let Some(instance) = instances.get(evidence.check) else { return };
    if let Some(mut model) = model_text::read(&mut subject.store, &instance.declarations, response) {
        query::complete(&mut subject.store, &instance.declarations, &mut model);
        subject.witness = Some(Arc::new(model));
    }
}

/// The trusted solvers that answer at all, about the first check that is answered as the target must not.
fn reliable(
    subject: &Subject,
    judge: &SolverJudge,
    outcome: &Outcome,
    notes: &mut Vec<String>,
) -> Result<Vec<Trusted>, StartError> {
    let wrong = match judge.wrong {
        Wrong::Sat => Answer::Sat,
        Wrong::Unsat => Answer::Unsat,
        Wrong::Unknown => Answer::Unknown,
        Wrong::InvalidModel | Wrong::Crash => return Ok(judge.trusted.clone()),
    };
    let instances = subject.script.instances();
    let suspects = (0..outcome.answers.len()).filter(|&n| outcome.answers[n].answer == wrong);
    let mut agreeing = None;
    for check in suspects {
        let Some(instance) = instances.get(check) else { continue };
        let answers: Vec<Answer> =
            judge.trusted.iter().map(|t| t.answer(&subject.store, instance, &judge.trusted_limits)).collect();
        if let Some(n) = answers.iter().position(|&a| a == wrong && a.is_definite()) {
            agreeing = Some((judge.trusted[n].label.clone(), answers[n].word().to_string()));
            continue;
        }
        let mut kept = Vec::new();
        for (trusted, answer) in judge.trusted.iter().zip(answers) {
            match answer.is_definite() {
                true => kept.push(trusted.clone()),
                false => notes.push(format!("{} answers {} and is not asked again", trusted.label, answer.word())),
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

/// Repeats the run, and sets how often candidates are tried.
fn settle(
    subject: &Subject,
    question: &Question,
    mut judge: SolverJudge,
    evidence: Evidence,
    mut notes: Vec<String>,
    text: &str,
    solver: String,
) -> Result<Start, StartError> {
    let judge_once = Judge::Solver(Box::new(SolverJudge {
        target: judge.target.clone(),
        limits: question.limits.clone(),
        trusted: judge.trusted.clone(),
        symptom: judge.symptom.clone(),
        trusted_limits: judge.trusted_limits.clone(),
        earlier: Arc::clone(&judge.earlier),
        ..judge
    }));
    let witness = witness_of(subject);
    let mut runs = 1;
    let mut shown = 1;
    let mut wanted = question.trials.max(1);
    while runs < wanted {
        runs += 1;
        match judge_once.judge(text, witness.as_ref(), true) {
            Verdict::Interesting(_) => shown += 1,
            // One miss is reason enough to look closer.
            _ => wanted = wanted.max(12),
        }
    }
    if shown < runs {
        let share = f64::from(shown) / f64::from(runs);
        if share < MIN_SHARE {
            return Err(StartError::Flaky { solver, shown, runs });
        }
        judge.tries = (MISSED.ln() / (1.0 - share).ln()).ceil().clamp(2.0, 12.0) as u32;
        notes.push(format!("flaky: shown in {shown} of {runs} runs; each candidate is tried {} times", judge.tries));
    }
    if let Truth::Trusted { .. } = evidence.truth {
        notes.push("no model or proof was certified; the truth is trusted".to_string());
    }
    Ok(Start { judge, evidence, notes, spelled: None })
}
