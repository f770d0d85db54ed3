//! The beginning of a reduction: what the solver does wrong on the file, on whose word, and how reliably.

use crate::judge::{CandidateVerdict, Evidence, SolverJudge, TextJudge, words};
use crate::model_text;
use crate::query::{self, AskedCheck, TrustedSolver};
use crate::raw::{self, Raw};
use crate::shown::{self, Companion, ShownFailure};
use crate::subject::{self, Subject, ThreadWitness, WitnessValues};
use finding::{FailureKind, Trust};
use oracle::model_oracle;
use oracle::proof_oracle;
use oracle::question::{SolverQuestion, SolverReply};
use smtlib::{Command, Dialect, Script, Status};
use solver::outcome::{Answer, SolverOutcome};
use solver::process::{ProcessLimits, RunError};
use solver::session::{SessionNeeds, Solver};
use solver::spec::BARE;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is to be reduced or bisected, beside the script.
#[derive(Clone, Debug)]
pub struct ReductionTask {
    /// The solver that answers wrongly.
    pub target: Solver,
    /// How it was asked, if the script is a finding's; else the script says what it needs of a solver.
    pub question: Option<SolverQuestion>,
    /// What it shows; found out if it is not said.
    pub shown: Option<ShownFailure>,
    /// Other versions of the solver; those that show the same crash must go on doing so.
    pub versions: Vec<Solver>,
    /// Whose word is taken where our evaluator does not know.
    pub trusted: Vec<TrustedSolver>,
    /// What one run may use where no finding says so, and what a question to a trusted solver may use.
    pub limits: ProcessLimits,
    /// A witness as text, if there is one.
    pub witness: Option<String>,
    /// How often the script is tried to see whether the solver is wrong reliably.
    pub trials: u32,
}

/// A reduction that may begin.
pub struct ReductionStart {
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
    /// The solver is wrong too seldom.
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

/// How long to wait for a candidate where the solver took `wall` for the file itself.
fn patience(wall: Duration, least: Duration) -> Duration {
    (wall * 8).max(least)
}

/// Looks at the file and sets up the judge. A witness that was given or found is put into the subject, and a script whose models
/// are judged asks for them from then on.
///
/// # Errors
/// [`StartError`] says what was seen instead.
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
                // A few hard candidates must not take all the time of those who are asked for the truth.
                judge.trusted_limits.wall = patience(asking, MIN_TRUSTED_PATIENCE).min(task.limits.wall);
                judge.companions = shown::companions(&task.versions, &judge.question, &judge.shown, &text);
                subject.script = script;
                evidence.give_witness(subject);
                return settle(subject, task, judge, outcome.wall, Begun { evidence, notes });
            }
            CandidateVerdict::NotShown(what) => push_new(&mut seen, what),
            CandidateVerdict::TruthLost(why) => push_new(&mut seen, format!("{}, but {why}", words(outcome))),
        }
    }
    if let Some((judge, wall, raw)) = as_it_stands(subject, task, &wanted) {
        let Some((found, evidence)) = raw.subject else {
            notes.push("shown only as the file spells it; only whole commands were dropped".to_string());
            return Ok(ReductionStart { judge, evidence: raw.evidence, notes, spelled: Some(raw.text) });
        };
        *subject = found;
        evidence.give_witness(subject);
        let left = subject.text().len();
        notes.push(format!("shown only as the file spells it; {left} bytes are left where the passes begin"));
        return settle(subject, task, judge, wall, Begun { evidence, notes });
    }
    if let Some(contradiction) = contradiction {
        return Err(contradiction);
    }
    let wanted = task.shown.as_ref().map_or("anything known to be wrong".to_string(), in_words);
    let mut hint = String::new();
    if let [added @ .., last] = task.target.added_options() {
        let added: String = added.iter().map(|option| format!("{option} ")).collect();
        hint = format!("; its profile adds {added}{last}, which {BARE} behind its name leaves out");
    }
    if task.trusted.is_empty() {
        hint.push_str("; no solver is trusted, name some with --trust");
    }
    Err(StartError::NotShown { solver: label, wanted, seen: seen.join("; "), hint })
}

/// Judges one text as a reduction of the task's script judges its candidates, by one run of the solver, for those who reduce with another
/// program: `basis` is what the truth of the script itself rests on. What the solver must show has to be known.
pub fn verdict(task: &ReductionTask, basis: Option<Trust>, text: &str, dialect: Dialect) -> CandidateVerdict {
    let Some(shown) = &task.shown else {
        return CandidateVerdict::NotShown("it is not said what the solver must show".to_string());
    };
    let mut subject = match Subject::read(text.as_bytes(), dialect) {
        Ok(subject) => subject,
        Err(error) => return CandidateVerdict::NotShown(error.to_string()),
    };
    if let Some(witness) = &task.witness {
        read_witness(&mut subject, witness);
    }
    let judge = SolverJudge { basis, ..judge(task, shown, &subject.script.commands) };
    judge.judge(text, witness_of(&subject).as_ref(), true)
}

/// The failure kinds that are tried, in order.
fn wanted(shown: Option<&ShownFailure>) -> Vec<ShownFailure> {
    use FailureKind::*;
    match shown {
        // What the user calls so may be the solver's own word.
        Some(ShownFailure { wrong: InvalidModel, symptom: None, .. }) => {
            [InvalidModel, SelfCheck].map(ShownFailure::any).to_vec()
        }
        Some(shown) => vec![shown.clone()],
        None => [Crash, Unsat, Sat, InvalidModel, SelfCheck, FalseSelfCheck, Unknown].map(ShownFailure::any).to_vec(),
    }
}

fn in_words(shown: &ShownFailure) -> String {
    match &shown.symptom {
        Some(symptom) => {
            format!("the {} '{symptom}'", if shown.wrong == FailureKind::Crash { "crash" } else { "message" })
        }
        None => format!("a wrong '{}'", shown.wrong),
    }
}

/// The script as it must ask for such an error to show: for models after each check.
fn asking(script: &Script, wrong: FailureKind) -> Script {
    if wrong != FailureKind::InvalidModel {
        return script.clone();
    }
    let mut commands = Vec::with_capacity(script.commands.len());
    for (n, command) in script.commands.iter().enumerate() {
        commands.push(command.clone());
        if command.is_check() && !matches!(script.commands.get(n + 1), Some(Command::GetModel)) {
            commands.push(Command::GetModel);
        }
    }
    Script { commands }
}

/// The file as it stands, asking for models where such an error needs it. None where it does not read.
fn source(subject: &Subject, wrong: FailureKind) -> Option<Arc<str>> {
    if wrong != FailureKind::InvalidModel || subject.source.contains("(get-model)") {
        return Some(Arc::clone(&subject.source));
    }
    let checks = subject.script.commands.iter().filter(|command| command.is_check()).count();
    model_oracle::with_models(&subject.source, &vec![Status::Unknown; checks]).map(Arc::from)
}

/// What makes a crash or a message the same, from the first run that shows one, where it is not known.
fn learn(shown: &mut ShownFailure, response: &SolverReply) {
    if shown.symptom.is_none() {
        shown.symptom = shown.symptoms(response).into_iter().next();
    }
}

/// The first run that shows what is looked for, or else the last: a flaky file does not show it every time.
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

/// Tries the file's own spelling, and drops its commands until the rest shows the error printed anew, or no more can go. With how
/// long the file itself took.
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
        judge.companions = shown::companions(&task.versions, &judge.question, &judge.shown, &source);
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

fn judge(task: &ReductionTask, shown: &ShownFailure, commands: &[Command]) -> SolverJudge {
    let question = match &task.question {
        Some(question) => SolverQuestion { observation: shown.observation(), ..question.clone() },
        None => question_of(shown, commands, &task.limits),
    };
    SolverJudge {
        target: task.target.clone(),
        question,
        shown: shown.clone(),
        companions: Vec::new(),
        trusted: task.trusted.clone(),
        trusted_limits: task.limits.clone(),
        basis: None,
        tries: 1,
    }
}

/// How a script that is no finding's is put to a solver: ready for what the script needs.
pub fn question_of(shown: &ShownFailure, commands: &[Command], limits: &ProcessLimits) -> SolverQuestion {
    let checks = commands.iter().filter(|c| c.is_check()).count();
    let mut purpose = SessionNeeds::SINGLE;
    if checks > 1 || commands.iter().any(|c| matches!(c, Command::Push(_))) {
        purpose = purpose | SessionNeeds::INCREMENTAL;
    }
    match shown.wrong {
        FailureKind::InvalidModel => purpose = purpose | SessionNeeds::MODELS,
        FailureKind::SelfCheck | FailureKind::FalseSelfCheck => {
            purpose = purpose | SessionNeeds::MODELS | SessionNeeds::VALIDATE
        }
        FailureKind::BrokenProof if commands.iter().any(asks_for_proof) => purpose = purpose | SessionNeeds::PROOFS,
        FailureKind::BrokenProof => purpose = purpose | SessionNeeds::CHECKED_PROOFS,
        _ => {}
    }
    SolverQuestion {
        purpose,
        limits: limits.clone(),
        earlier: "".into(),
        observation: shown.observation(),
        reference_solver: None,
        relation: None,
    }
}

fn asks_for_proof(command: &Command) -> bool {
    matches!(command, Command::Query(text) if &**text == proof_oracle::GET_PROOF)
}

/// The witness of a subject for a judge.
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

/// The trusted solvers that answer at all, about the first check that is answered as the target must not.
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
        let asked = AskedCheck { script: &subject.script, instance: &instance };
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

/// What is known once a run has shown the error.
struct Begun {
    evidence: Evidence,
    notes: Vec<String>,
}

/// Repeats the run, and sets how often candidates are tried and how long they may take, where the file itself took `wall`.
fn settle(
    subject: &Subject,
    task: &ReductionTask,
    mut judge: SolverJudge,
    wall: Duration,
    begun: Begun,
) -> Result<ReductionStart, StartError> {
    let Begun { evidence, mut notes } = begun;
    // The versions were asked several times already.
    let companions = std::mem::take(&mut judge.companions);
    let text = subject.text();
    let witness = witness_of(subject);
    let mut runs = 1;
    let mut shown = 1;
    let mut wanted = task.trials.max(1);
    while runs < wanted {
        runs += 1;
        match judge.judge(&text, witness.as_ref(), true) {
            CandidateVerdict::Interesting(_) => shown += 1,
            // One miss is reason enough to look closer.
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
    let wall = companions.iter().map(|companion| companion.wall).fold(wall, Duration::max);
    if !companions.is_empty() {
        let labels: Vec<String> = companions.iter().map(Companion::label).collect();
        notes.push(format!("shown by {} too, and kept so", labels.join(", ")));
    }
    judge.companions = companions;
    // Runs of candidates that take much longer than the file's own are not worth waiting for.
    judge.question.limits.wall = patience(wall, MIN_PATIENCE).min(judge.question.limits.wall);
    Ok(ReductionStart { judge, evidence, notes, spelled: None })
}
