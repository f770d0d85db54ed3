//! Reads an outcome from what a run printed.

use super::{Answer, CheckAnswer, SelfCheck, SolverError, SolverOutcome, UNSUPPORTED, UnsupportedFeature};
use crate::crash::{self, StrayText};
use crate::process::{ProcessRun, RunStatus};
use crate::profile::Profile;
use crate::response::{Response, SatResponse, responses};
use crate::script::{self, CommandText};
use smtlib::sexpr::Sexprs;

/// The maximum number of other responses kept per run, and of errors and self-checks: more output than this was not requested. It counts
/// as a reached output limit.
const MAX_RESPONSES: usize = 1 << 17;

const MAX_COMPLAINTS: usize = 1 << 12;

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
    pub(super) fn new(profile: &'a Profile, checks: usize) -> OutcomeReader<'a> {
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
            .filter(|complaint| !is_expected(complaint, &commands))
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
        let asks_objectives = memchr::memmem::find(script, b"(get-objectives").is_some();
        let mut said = std::mem::take(&mut self.said).into_iter();
        let answers = (0..checks)
            .map(|index| {
                let (said, responses) = said.next().map_or((None, Vec::new()), |(said, r)| (Some(said), r));
                let answer = match said {
                    _ if index >= void_from => Answer::Void,
                    _ if index >= cut_from => Answer::OutputOut,
                    Some(SatResponse::Sat) if asks_objectives && responses.iter().any(|text| is_unfinished(text)) => {
                        Answer::Unknown
                    }
                    Some(said) => said.into(),
                    None => absent,
                };
                CheckAnswer { answer, said, responses }
            })
            .collect();
        (answers, errors)
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

/// Whether a reply to `(get-objectives)` has an interval: the best value is not found, as if the answer were `unknown`.
fn is_unfinished(reply: &str) -> bool {
    const HEAD: &str = "objectives";
    let Some(all) = Sexprs::read_whole(reply) else { return false };
    let rows = all.top().next().and_then(|list| all.headed(list, HEAD)).into_iter().flatten();
    rows.filter_map(|row| all.children(row).last()).any(|value| all.headed(value, "interval").is_some())
}

/// Whether an error is about a line whose only command is marked as one.
fn is_expected(complaint: &Complaint, commands: &[CommandText<'_>]) -> bool {
    let Some(line) = line_of(&complaint.message).filter(|_| complaint.is_error) else { return false };
    let mut there =
        commands.windows(2).filter(|pair| pair[1].first_line <= line && line <= pair[1].last_line).peekable();
    there.peek().is_some() && there.all(|pair| pair[0].marks_error())
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
