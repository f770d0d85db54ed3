//! The outcome of one run of a solver on one script: an answer for each `check-sat`, errors, a crash.

use std::borrow::Cow;
use std::time::Duration;

use crate::crash::{self, Crash, StrayText};
use crate::process::{ProcessRun, RunStatus};
use crate::profile::Profile;
use crate::response::{Response, SatResponse, responses};
use crate::script::{self, CommandText};
use finding::BugClass;

/// The message of the error that represents the response `unsupported`.
pub const UNSUPPORTED: &str = "unsupported";

/// The maximum number of other responses kept per run, and of errors and self-checks: more output than this was not requested. It counts
/// as a reached output limit.
const MAX_RESPONSES: usize = 1 << 17;
const MAX_COMPLAINTS: usize = 1 << 12;

/// The answer to one `check-sat` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The solver says satisfiable.
    Sat,
    /// The solver says unsatisfiable.
    Unsat,
    /// The solver answers `unknown`.
    Unknown,
    /// A time limit (wall or CPU, ours or the solver's own) was reached first.
    Timeout,
    /// The memory limit was reached first.
    MemOut,
    /// The output limit was reached first, or right after the answer, which may be incomplete.
    OutputOut,
    /// The run was cancelled.
    Cancelled,
    /// The solver crashed before it answered.
    Crashed,
    /// The solver reported an error at or before this command, so any answer is about another problem.
    Void,
    /// The solver ended without an answer or a known reason.
    Missing,
}

impl Answer {
    /// Whether the answer is sat or unsat.
    pub fn is_definite(self) -> bool {
        matches!(self, Answer::Sat | Answer::Unsat)
    }

    /// Returns the answer as one lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown => "unknown",
            Answer::Timeout => "timeout",
            Answer::MemOut => "memout",
            Answer::OutputOut => "outputout",
            Answer::Cancelled => "cancelled",
            Answer::Crashed => "crashed",
            Answer::Void => "void",
            Answer::Missing => "missing",
        }
    }
}

/// One `check-sat` and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckAnswer {
    /// The answer that counts.
    pub answer: Answer,
    /// The printed answer, kept with a voided one.
    pub said: Option<SatResponse>,
    /// The s-expressions and strings printed after it and before the next answer: models, values, cores.
    pub responses: Vec<String>,
}

/// An error the solver reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverError {
    /// The message.
    pub message: String,
    /// The first `check-sat`, from 0, that it voids, if any.
    pub voids_from: Option<usize>,
}

/// A solver's own message that its answer is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfCheck {
    /// The message.
    pub message: String,
    /// The class of bug according to the profile.
    pub class: BugClass,
    /// The `check-sat`, from 0, whose answer is wrong: the last one answered before.
    pub check: Option<usize>,
    /// Whether the profile's ignore list contains it.
    pub ignored: bool,
}

/// Something that a solver does not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedFeature {
    /// Its message.
    pub message: String,
    /// The feature, as named by [`smtlib::logic::feature`], if the profile knows.
    pub feature: Option<String>,
}

/// The outcome of one run.
///
/// Invariant: `answers` has exactly one entry for each `check-sat` of the script, in order.
#[derive(Clone, Debug)]
pub struct SolverOutcome {
    /// One entry per `check-sat`.
    pub answers: Vec<CheckAnswer>,
    /// Errors, in the order printed.
    pub errors: Vec<SolverError>,
    /// Self-check messages, in the order printed.
    pub self_checks: Vec<SelfCheck>,
    /// Messages about missing support, as printed.
    pub unsupported: Option<UnsupportedFeature>,
    /// The crash, if it crashed.
    pub crash: Option<Crash>,
    /// How the process ended.
    pub status: RunStatus,
    /// Wall-clock time.
    pub wall: Duration,
    /// CPU time.
    pub cpu: Duration,
    /// Largest resident set in bytes.
    pub peak_rss_bytes: u64,
    /// Standard output as printed.
    pub stdout: Vec<u8>,
    /// Standard error as printed.
    pub stderr: Vec<u8>,
}

/// Returns the first line that is not blank.
pub(crate) fn first_line(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let line = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty())?;
    Some(String::from_utf8_lossy(line))
}

impl SolverOutcome {
    /// Returns the answer to the last `check-sat`, [`Answer::Missing`] if the script has none.
    pub fn last_answer(&self) -> Answer {
        self.answers.last().map_or(Answer::Missing, |check| check.answer)
    }

    /// Returns the solver's message where it gave no answer: its first error, else the first line of its standard error.
    pub fn complaint(&self) -> Option<Cow<'_, str>> {
        let error = self.errors.first().map(|error| Cow::Borrowed(&*error.message));
        error.or_else(|| first_line(&self.stderr)).filter(|text| !text.is_empty())
    }

    /// Returns the part for a script that comes after others with `checks` `check-sat` in the same process.
    pub(crate) fn after(mut self, checks: usize) -> SolverOutcome {
        let earlier = checks.min(self.answers.len());
        let crashed_earlier = self.answers[..earlier].iter().any(|check| check.answer == Answer::Crashed);
        self.crash = self.crash.filter(|_| !crashed_earlier);
        self.answers.drain(..earlier);
        self.self_checks.retain_mut(|own| {
            own.check = own.check.and_then(|check| check.checked_sub(checks));
            own.check.is_some() || checks == 0
        });
        for error in &mut self.errors {
            error.voids_from = error.voids_from.map(|check| check.saturating_sub(checks));
        }
        self
    }

    /// Returns the outcome of a program that exited normally, printed nothing and used nothing.
    pub fn nothing() -> SolverOutcome {
        SolverOutcome {
            answers: Vec::new(),
            errors: Vec::new(),
            self_checks: Vec::new(),
            unsupported: None,
            crash: None,
            status: RunStatus::Exited(0),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_rss_bytes: 0,
            stdout: Vec::new(),
            stderr: Vec::new(),
        }
    }

    /// Returns the outcome of a stand-in with the same answer to every `check-sat`; without one, an error voids all answers.
    pub(crate) fn uniform(checks: usize, said: Option<SatResponse>) -> SolverOutcome {
        let answer = CheckAnswer { answer: said.map_or(Answer::Void, Answer::from), said, responses: Vec::new() };
        let error = || SolverError { message: "it reads nothing".to_string(), voids_from: Some(0) };
        SolverOutcome {
            answers: vec![answer; checks],
            errors: said.is_none().then(error).into_iter().collect(),
            ..SolverOutcome::nothing()
        }
    }
}

impl From<SatResponse> for Answer {
    fn from(said: SatResponse) -> Answer {
        match said {
            SatResponse::Sat => Answer::Sat,
            SatResponse::Unsat => Answer::Unsat,
            SatResponse::Unknown => Answer::Unknown,
        }
    }
}

/// Reads the output of a run on `script`; crash, self-check and error texts are those of `profile`, and the crash texts of `generic`.
pub fn read(script: &[u8], run: ProcessRun, profile: &Profile, generic: &Profile) -> SolverOutcome {
    let stdout = String::from_utf8_lossy(&run.stdout);
    let stderr = String::from_utf8_lossy(&run.stderr);
    let checks = script::count_checks(script);
    let mut reader = OutcomeReader::new(profile, checks);
    let answers_on = |text: &str| responses(text).any(|response| matches!(response, Response::Answer(_)));
    // A few solvers print everything to standard error.
    let (main, other) = match !answers_on(&stdout) && answers_on(&stderr) {
        true => (&stderr, &stdout),
        false => (&stdout, &stderr),
    };
    responses(main).for_each(|response| reader.take(response));
    reader.take_unordered(other);
    if run.status == RunStatus::OutputOut {
        reader.cut(reader.answered.saturating_sub(1));
    }
    let mut crash = crash::recognise(&run, StrayText { all: &reader.stray, lines: &reader.lines }, profile, generic);
    if let (Some(crash), Some(_)) = (&mut crash, &reader.unsupported) {
        crash.ignored = true;
    }
    let (answers, errors) = reader.judge(script, run.status, crash.is_some());
    let self_checks = reader.self_checks;
    SolverOutcome {
        answers,
        errors,
        self_checks,
        unsupported: reader.unsupported,
        crash,
        status: run.status,
        wall: run.wall,
        cpu: run.cpu,
        peak_rss_bytes: run.peak_rss_bytes,
        stdout: run.stdout,
        stderr: run.stderr,
    }
}

struct OutcomeReader<'a> {
    profile: &'a Profile,
    /// The number of checks in the script: no more answers are kept.
    checks: usize,
    /// The number of answers printed.
    answered: usize,
    said: Vec<(SatResponse, Vec<String>)>,
    /// The number of responses kept.
    responses: usize,
    /// The first check whose answer may be cut off.
    cut_from: usize,
    /// The number of answers printed before the first stray line among them.
    stray_from: Option<usize>,
    complaints: Vec<Complaint>,
    self_checks: Vec<SelfCheck>,
    unsupported: Option<UnsupportedFeature>,
    own_timeout: bool,
    /// Stray lines and error messages, which are searched for crash texts.
    stray: String,
    /// Stray lines alone.
    lines: String,
}

/// An error or `unsupported`, with the number of answers printed before it; `None` if the order is unknown.
struct Complaint {
    message: String,
    after: Option<usize>,
    is_error: bool,
}

impl<'a> OutcomeReader<'a> {
    fn new(profile: &'a Profile, checks: usize) -> OutcomeReader<'a> {
        OutcomeReader {
            profile,
            checks,
            answered: 0,
            said: Vec::new(),
            responses: 0,
            cut_from: usize::MAX,
            stray_from: None,
            complaints: Vec::new(),
            self_checks: Vec::new(),
            unsupported: None,
            own_timeout: false,
            stray: String::new(),
            lines: String::new(),
        }
    }

    fn take(&mut self, response: Response<'_>) {
        let after = Some(self.answered);
        match response {
            Response::Answer(said) => {
                self.answered += 1;
                if self.answered <= self.checks {
                    self.said.push((said, Vec::new()));
                }
            }
            Response::Expression(text) | Response::Truncated(text) => self.take_expression(text),
            Response::Success => {}
            Response::Timeout => self.own_timeout = true,
            Response::Unsupported => self.complain(UNSUPPORTED, after, false),
            Response::Error(message) => self.take_error(message, after),
            Response::Text(line) => {
                self.stray_from.get_or_insert(self.answered);
                self.take_stray(line);
            }
        }
    }

    fn take_expression(&mut self, text: &str) {
        if self.answered > self.checks {
            return;
        }
        let Some((_, responses)) = self.said.last_mut() else { return };
        match self.responses < MAX_RESPONSES {
            true => {
                self.responses += 1;
                responses.push(text.to_string());
            }
            false => self.cut(self.answered.saturating_sub(1)),
        }
    }

    /// From this check on, no answer counts.
    fn cut(&mut self, check: usize) {
        self.cut_from = self.cut_from.min(check);
    }

    /// Takes the stream without answers, whose lines cannot be ordered among the answers.
    fn take_unordered(&mut self, text: &str) {
        for response in responses(text) {
            match response {
                Response::Error(message) => self.take_error(message, None),
                Response::Timeout => self.own_timeout = true,
                Response::Text(line) | Response::Expression(line) | Response::Truncated(line) => self.take_stray(line),
                Response::Answer(_) | Response::Success | Response::Unsupported => {}
            }
        }
    }

    fn take_error(&mut self, message: &str, after: Option<usize>) {
        self.stray.push_str(message);
        self.stray.push('\n');
        if !self.take_unsupported(message) && !self.take_self_check(message) {
            self.complain(message, after, true);
        }
    }

    fn take_stray(&mut self, line: &str) {
        for text in [&mut self.stray, &mut self.lines] {
            text.push_str(line);
            text.push('\n');
        }
        if !self.take_unsupported(line)
            && !self.take_self_check(line)
            && self.profile.error_texts.iter().any(|text| line.contains(text))
        {
            self.complain(line, None, true);
        }
    }

    /// Any other message about a script with an unsupported feature is about another problem.
    fn take_unsupported(&mut self, message: &str) -> bool {
        let Some(pattern) = self.profile.unsupported.iter().find(|p| message.contains(&p.text)) else { return false };
        let (message, feature) = (message.to_string(), pattern.feature.clone());
        self.complain(&message, None, true);
        self.unsupported.get_or_insert(UnsupportedFeature { message, feature });
        true
    }

    fn take_self_check(&mut self, message: &str) -> bool {
        let Some(pattern) = self.profile.self_check.iter().find(|p| message.contains(&p.text)) else { return false };
        if self.self_checks.len() >= MAX_COMPLAINTS {
            return true;
        }
        self.self_checks.push(SelfCheck {
            message: message.to_string(),
            class: pattern.class,
            check: self.answered.checked_sub(1),
            ignored: self.profile.ignore.iter().any(|text| message.contains(text)),
        });
        true
    }

    fn complain(&mut self, message: &str, after: Option<usize>, is_error: bool) {
        if self.complaints.len() >= MAX_COMPLAINTS {
            // An error belongs to a command after the last answer at the earliest.
            return self.cut(after.unwrap_or(0));
        }
        self.complaints.push(Complaint { message: message.to_string(), after, is_error });
    }

    /// Invariant: an error voids the check-sats at or after it; one that provably belongs to a query voids none. If its place is in
    /// doubt, the earlier place is taken.
    fn judge(&mut self, script: &[u8], status: RunStatus, crashed: bool) -> (Vec<CheckAnswer>, Vec<SolverError>) {
        let commands = if self.complaints.is_empty() { Vec::new() } else { script::commands(script) };
        let (checks, cut_from) = (self.checks, self.cut_from);
        let all_answered = self.answered == checks;
        let mut errors: Vec<SolverError> = std::mem::take(&mut self.complaints)
            .into_iter()
            .map(|complaint| SolverError {
                voids_from: voided_from(&complaint, &commands, all_answered),
                message: complaint.message,
            })
            .collect();
        if self.answered > checks {
            let message = format!("{} answers to {checks} check-sat commands", self.answered);
            errors.push(SolverError { message, voids_from: Some(0) });
        }
        // An answer in an unknown spelling looks like a stray line, and shifts the following ones.
        if let Some(stray) = self.stray_from.filter(|&stray| stray < self.answered && self.answered < checks) {
            let message =
                format!("{} answers to {checks} check-sat commands, with other lines among them", self.answered);
            errors.push(SolverError { message, voids_from: Some(stray) });
        }
        let void_from = errors.iter().filter_map(|error| error.voids_from).min().unwrap_or(usize::MAX);
        let absent = match status {
            RunStatus::TimedOut | RunStatus::CpuOut => Answer::Timeout,
            RunStatus::MemOut => Answer::MemOut,
            RunStatus::OutputOut => Answer::OutputOut,
            RunStatus::Cancelled => Answer::Cancelled,
            RunStatus::Exited(_) | RunStatus::Signaled(_) if crashed => Answer::Crashed,
            RunStatus::Exited(_) | RunStatus::Signaled(_) if self.own_timeout => Answer::Timeout,
            RunStatus::Exited(_) | RunStatus::Signaled(_) => Answer::Missing,
        };
        let mut said = std::mem::take(&mut self.said).into_iter();
        let answers = (0..checks)
            .map(|index| {
                let (said, responses) = said.next().map_or((None, Vec::new()), |(said, r)| (Some(said), r));
                let answer = match said {
                    _ if index >= void_from => Answer::Void,
                    _ if index >= cut_from => Answer::OutputOut,
                    Some(said) => said.into(),
                    None => absent,
                };
                CheckAnswer { answer, said, responses }
            })
            .collect();
        (answers, errors)
    }
}

fn voided_from(complaint: &Complaint, commands: &[CommandText<'_>], all_answered: bool) -> Option<usize> {
    let checks_before = |index: usize| commands[..index].iter().filter(|command| command.is_check()).count();
    let harmless = |command: &CommandText<'_>| {
        command.only_asks() || !complaint.is_error && matches!(command.name, b"set-option" | b"set-info")
    };
    if let Some(line) = line_of(&complaint.message) {
        let on_line = |command: &&CommandText<'_>| command.first_line <= line && line <= command.last_line;
        if commands.iter().any(|command| on_line(&command)) {
            let culprit = commands.iter().position(|command| on_line(&command) && !harmless(command))?;
            return Some(checks_before(culprit).min(complaint.after.unwrap_or(usize::MAX)));
        }
    }
    let Some(after) = complaint.after else { return Some(0) };
    // The candidate commands: those after the last answered check-sat, up to the next one, and that one too unless every check-sat has
    // its answer.
    let mut seen = 0;
    let start = match after {
        0 => 0,
        _ => {
            1 + commands
                .iter()
                .position(|command| {
                    seen += usize::from(command.is_check());
                    seen == after
                })
                .map_or(commands.len() - 1, |at| at)
        }
    };
    let mut segment = commands[start..].iter().take_while(|command| !command.is_check()).peekable();
    let next_check = commands[start..].iter().any(CommandText::is_check);
    // Without a candidate command, the subject of the error is unknown.
    let serious = segment.peek().is_none() || !segment.all(harmless);
    match serious || !all_answered && next_check {
        true => Some(after),
        false => None,
    }
}

/// Returns the line that a message names, as `line 3 column 5` or `<stdin>:3.5:` or `<stdin>:3:5:`.
fn line_of(message: &str) -> Option<usize> {
    let number = |text: &str| text[..text.bytes().take_while(u8::is_ascii_digit).count()].parse().ok();
    if let Some(at) = message.find("line ") {
        return number(&message[at + 5..]);
    }
    let at = message.find("stdin>:").map(|at| at + 7).or_else(|| message.find("stdin:").map(|at| at + 6))?;
    number(&message[at..])
}
