//! Bisection: which versions of a solver, with which options, and which other solvers fail on a script.
//!
//! Every version is asked: histories with gaps (fixed, broken again) are common, and a small script takes milliseconds.

use crate::commits::CommitHistory;
use crate::judge::describe;
use crate::query;
use crate::raw;
use crate::shown::ShownFailure;
use crate::subject::{self, Spelling, Subject};
pub use crate::verdict::VersionVerdict;
use files::{atomic, sha256};
use finding::folder::{FindingFile, FindingPart};
use finding::{FailureKind, SolverLabel};
use oracle::model_oracle::ScriptVerdict;
use oracle::question::{SolverQuestion, SolverReply};
use oracle::translate;
use serde::{Deserialize, Serialize};
use smtlib::{Command, Script};
use solver::outcome::Answer;
use solver::parallel;
use solver::session::Solver;
use std::path::PathBuf;
use std::sync::Arc;

/// One answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VersionAnswer {
    /// The label of the solver asked.
    pub solver: String,
    /// Its verdict.
    pub did: VersionVerdict,
    /// Its answers, as text.
    pub said: String,
    /// Whether the answer came from the cache.
    #[serde(skip)]
    pub cached: bool,
}

impl FindingPart for Bisection {
    const FILE: FindingFile = FindingFile::Bisection;
}

/// The result of a bisection.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Bisection {
    /// SHA-256 of the script.
    pub script: String,
    /// The solver's name, without a version.
    pub solver: String,
    /// The failure.
    pub wrong: FailureKind,
    /// Describes the source of the right answer.
    pub truth: String,
    /// The versions of the solver, oldest first, on the script as it is.
    pub found: Vec<VersionAnswer>,
    /// The answers to the script as the campaign sent it, if the script above was reduced from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub original: Vec<VersionAnswer>,
    /// The answers without tactics and without options except those that the solver needs to read a script.
    pub plain: Vec<VersionAnswer>,
    /// The answers with [`Bisection::added`], if these options were left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with_added: Vec<VersionAnswer>,
    /// The options that the solver's profile adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Other solvers, without options and tactics.
    pub others: Vec<VersionAnswer>,
    /// The commits of the solver's repository, if they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commits: Option<CommitHistory>,
}

impl Bisection {
    /// Whether the newest version with a verdict is wrong: as found, and by default.
    pub fn newest_errs(&self) -> (bool, bool) {
        let decides = |row: &&VersionAnswer| matches!(row.did, VersionVerdict::Wrong | VersionVerdict::Right);
        let errs =
            |rows: &[VersionAnswer]| rows.iter().rfind(decides).is_some_and(|row| row.did == VersionVerdict::Wrong);
        (errs(&self.found), errs(&self.plain))
    }

    /// Returns the versions with different verdicts on the reduced script and the original: the reduction may have ended at another bug.
    pub fn differing(&self) -> Vec<&str> {
        let errs = |row: &VersionAnswer| match row.did {
            VersionVerdict::Wrong => Some(true),
            VersionVerdict::Right => Some(false),
            VersionVerdict::Undecided | VersionVerdict::Refused => None,
        };
        let originally = |solver: &str| self.original.iter().find(|row| row.solver == solver).and_then(errs);
        let differs =
            |row: &&VersionAnswer| errs(row).zip(originally(&row.solver)).is_some_and(|(now, then)| now != then);
        self.found.iter().filter(differs).map(|row| row.solver.as_str()).collect()
    }
}

/// What is known about a script: the failure, the check, and the question.
#[derive(Clone, Debug)]
pub struct KnownWrong {
    /// The failure.
    pub wrong: FailureKind,
    /// The number of the check, from 0.
    pub check: usize,
    /// The question under which the failure was seen.
    pub question: SolverQuestion,
}

/// A variant of the script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScriptVariant<'t> {
    /// The unchanged script.
    AsFound,
    /// The script with this tactic in place of its own.
    ByTactic(&'t str),
    /// Without options and tactics: the default behavior.
    Plain,
    /// Our print of the script, also if the failure shows only in the source.
    Reprinted,
    /// In the form for another kind of solver ([`SolverQuestion::elsewhere`]).
    Elsewhere,
}

/// A cache of answers: a folder with one small file per answer.
pub struct AnswerCache {
    folder: Option<PathBuf>,
}

impl AnswerCache {
    /// Opens the cache in a folder; without a folder nothing is cached.
    pub fn new(folder: Option<PathBuf>) -> AnswerCache {
        AnswerCache { folder }
    }

    fn path(&self, solver: &str, fact: &KnownWrong, text: &str) -> Option<PathBuf> {
        // The command line and the text determine the answer; the rest determines how the answer is read.
        let key = sha256(format!("4\0{solver}\0{}\0{}\0{text}", fact.wrong, fact.check).as_bytes());
        Some(self.folder.as_ref()?.join(format!("{key}.json")))
    }

    fn get(&self, path: Option<&PathBuf>) -> Option<VersionAnswer> {
        let row: VersionAnswer = serde_json::from_slice(&files::found(path?).ok()?).ok()?;
        Some(VersionAnswer { cached: true, ..row })
    }

    /// A full disk is no reason to fail: an uncached question is asked again.
    fn put(&self, path: Option<&PathBuf>, row: &VersionAnswer) {
        if let (Some(path), Some(folder), Ok(json)) = (path, &self.folder, serde_json::to_vec(row)) {
            let _ = std::fs::create_dir_all(folder);
            let _ = atomic::write(path, &json);
        }
    }
}

/// The common part of all questions.
pub struct Survey<'a> {
    /// The script.
    pub subject: &'a Subject,
    /// The failure.
    pub fact: KnownWrong,
    /// The cache.
    pub remembered: AnswerCache,
}

/// Asks every solver, `jobs` in parallel; the rows are in the order of the solvers. Calls `answered` for each row as it arrives, from any
/// thread.
pub fn ask_all(
    survey: &Survey<'_>,
    asking: ScriptVariant<'_>,
    solvers: &[Solver],
    jobs: usize,
    answered: &(dyn Fn(&VersionAnswer) + Sync),
) -> Vec<VersionAnswer> {
    parallel::in_order(solvers, jobs, |solver| {
        let row = ask(survey, asking, solver);
        answered(&row);
        row
    })
}

/// Asks one solver.
pub fn ask(survey: &Survey<'_>, asking: ScriptVariant<'_>, solver: &Solver) -> VersionAnswer {
    let Survey { subject, fact, remembered } = survey;
    let label = query::label(solver.installed());
    let dialect = query::dialect(solver.installed());
    let as_found = |script: &Script| (fact.question.clone(), subject::text(&subject.store, script, &dialect));
    let (question, text) = match asking {
        // A text that does not parse cannot be printed in another spelling.
        _ if subject.spelling == Spelling::Unread => {
            (SolverQuestion { earlier: Arc::from(""), ..fact.question.clone() }, subject.source.to_string())
        }
        ScriptVariant::AsFound if subject.spelling == Spelling::Own => {
            (fact.question.clone(), subject.source.to_string())
        }
        ScriptVariant::Plain if subject.spelling == Spelling::Own => {
            (fact.question.clone(), plain_source(&subject.source))
        }
        ScriptVariant::AsFound | ScriptVariant::Reprinted => as_found(&subject.script),
        ScriptVariant::ByTactic(tactic) => as_found(&by_tactic(&subject.script, tactic)),
        ScriptVariant::Plain => as_found(&plain(&subject.script)),
        ScriptVariant::Elsewhere => fact.question.elsewhere(&subject.store, &subject.script.commands, solver),
    };
    let command: Vec<String> = solver
        .command_line(question.purpose, &question.limits)
        .iter()
        .map(|w| w.to_string_lossy().into_owned())
        .collect();
    // A program rebuilt under the same name is another program.
    let program = command.first().and_then(|program| std::fs::metadata(program).ok());
    let built =
        program.and_then(|data| Some(data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos()));
    let reference_solver = question.reference_solver.as_ref().map_or("", |reference_solver| &reference_solver.spec);
    let asked = format!("{reference_solver}{}{text}", question.earlier);
    let path = remembered.path(&format!("{label} {built:?} {}", command.join(" ")), fact, &asked);
    if let Some(row) = remembered.get(path.as_ref()) {
        return row;
    }
    let row = match question.ask(solver, &text) {
        Ok(response) => VersionAnswer {
            solver: label,
            did: verdict(&response, fact),
            said: describe(&response.outcome),
            cached: false,
        },
        Err(error) => {
            VersionAnswer { solver: label, did: VersionVerdict::Refused, said: error.to_string(), cached: false }
        }
    };
    // A limit reached on a busy machine says nothing about the solver.
    if row.did != VersionVerdict::Undecided {
        remembered.put(path.as_ref(), &row);
    }
    row
}

/// Returns the verdict on a solver's reply to a script with a known failure.
pub fn verdict(response: &SolverReply, fact: &KnownWrong) -> VersionVerdict {
    let outcome = &response.outcome;
    let answer = outcome.answers.get(fact.check).map_or(Answer::Missing, |c| c.answer);
    // Versions phrase the message of one bug differently.
    let shows = ShownFailure::any(fact.wrong).is_in(response);
    match (fact.wrong, answer) {
        (FailureKind::FalseSelfCheck, _) if shows => match &response.models {
            ScriptVerdict::Valid => VersionVerdict::Wrong,
            _ => VersionVerdict::Undecided,
        },
        _ if shows => VersionVerdict::Wrong,
        (_, Answer::Void) => VersionVerdict::Refused,
        (FailureKind::SelfCheck | FailureKind::FalseSelfCheck, Answer::Sat | Answer::Unsat) => VersionVerdict::Right,
        (
            FailureKind::Crash | FailureKind::Refused | FailureKind::BrokenProof,
            Answer::Sat | Answer::Unsat | Answer::Unknown,
        ) => VersionVerdict::Right,
        (FailureKind::Slow, _) if outcome.answers.iter().all(|c| c.answer.is_definite()) => VersionVerdict::Right,
        (FailureKind::Unsat, Answer::Unsat)
        | (FailureKind::Sat, Answer::Sat)
        | (FailureKind::Unknown, Answer::Unknown) => VersionVerdict::Wrong,
        (FailureKind::Unsat, Answer::Sat) | (FailureKind::Sat, Answer::Unsat) => VersionVerdict::Right,
        (FailureKind::Unknown, Answer::Sat | Answer::Unsat) => VersionVerdict::Right,
        (FailureKind::InvalidModel, Answer::Sat) => match &response.models {
            ScriptVerdict::Invalid(_) => VersionVerdict::Wrong,
            ScriptVerdict::Valid => VersionVerdict::Right,
            ScriptVerdict::Open(_) | ScriptVerdict::None => VersionVerdict::Undecided,
        },
        (FailureKind::InvalidModel, Answer::Unsat) => VersionVerdict::Right,
        _ if outcome.errors.is_empty() => VersionVerdict::Undecided,
        _ => VersionVerdict::Refused,
    }
}

/// Returns the script without options, simplifiers and tactics.
pub fn plain(script: &Script) -> Script {
    let mut commands = translate::without_tactics(&script.commands);
    commands.retain(|command| !matches!(command, Command::SetOption(..) | Command::SetInfo(..)));
    Script { commands }
}

/// Returns a source without options, simplifiers and tactics.
fn plain_source(source: &str) -> String {
    let plain = |command: String| match command.trim_start_matches(['(', ' ']).split([' ', '\n']).next() {
        Some("set-option" | "set-info" | "set-simplifier") => None,
        Some("check-sat-using") => Some("(check-sat)".to_string()),
        _ => Some(command),
    };
    raw::split(source).into_iter().filter_map(plain).collect::<Vec<_>>().join("\n")
}

/// Whether a check of the script uses a tactic.
pub fn asks_by_tactic(script: &Script) -> bool {
    script.commands.iter().any(|command| matches!(command, Command::CheckSatUsing(_)))
}

/// Returns the script with another tactic in place of its own.
fn by_tactic(script: &Script, tactic: &str) -> Script {
    let commands = script.commands.iter().map(|command| match command {
        Command::CheckSatUsing(_) => Command::CheckSatUsing(tactic.into()),
        other => other.clone(),
    });
    Script { commands: commands.collect() }
}

/// A run of consecutive versions with one verdict, oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Their verdict.
    pub did: VersionVerdict,
    /// The oldest.
    pub first: String,
    /// The newest.
    pub last: String,
    /// Their number.
    pub versions: usize,
}

/// Groups rows, ordered from the oldest version to the newest, by verdict.
pub fn history<'a>(rows: impl IntoIterator<Item = &'a VersionAnswer>) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for row in rows {
        match stretches.last_mut() {
            Some(stretch) if stretch.did == row.did => {
                stretch.last = row.solver.clone();
                stretch.versions += 1;
            }
            _ => stretches.push(Stretch {
                did: row.did,
                first: row.solver.clone(),
                last: row.solver.clone(),
                versions: 1,
            }),
        }
    }
    stretches
}

/// Summarizes a history: the first bad version and the first good one after the last bad one, or every change if there are more. A
/// program given by its path is listed separately, before the releases.
pub fn summary(rows: &[VersionAnswer]) -> String {
    let (own, releases): (Vec<&VersionAnswer>, Vec<&VersionAnswer>) =
        rows.iter().partition(|row| SolverLabel::of(&row.solver).is_own_build());
    if own.is_empty() || releases.is_empty() {
        return summary_of(rows.iter());
    }
    let errs = |row: &&VersionAnswer| row.did == VersionVerdict::Wrong;
    if let Some(build) = own.iter().find(|row| errs(row))
        && !releases.iter().any(errs)
    {
        return format!("only {} answers wrongly; no release asked does", build.solver);
    }
    let told = own.iter().map(|row| format!("{}: {}; ", row.solver, row.did.word()));
    told.collect::<String>() + &summary_of(releases.into_iter())
}

fn summary_of<'a>(rows: impl Iterator<Item = &'a VersionAnswer>) -> String {
    let stretches = history(rows);
    let bad: Vec<&Stretch> = stretches.iter().filter(|s| s.did == VersionVerdict::Wrong).collect();
    match bad.as_slice() {
        [] => "no version answers wrongly".to_string(),
        [one] => {
            let at = stretches.iter().position(|s| std::ptr::eq(s, *one)).unwrap_or(0);
            let since = if at == 0 { "at the oldest asked or before".to_string() } else { one.first.clone() };
            let fixed = stretches[at + 1..].iter().find(|s| s.did == VersionVerdict::Right);
            let fixed = fixed.map_or("not in any version asked".to_string(), |s| s.first.clone());
            format!("first bad: {since}; last bad: {}; first fixed: {fixed}", one.last)
        }
        many => {
            let parts: Vec<String> = many
                .iter()
                .map(|s| if s.first == s.last { s.first.clone() } else { format!("{} to {}", s.first, s.last) })
                .collect();
            format!("bad with gaps: {}", parts.join(", "))
        }
    }
}
