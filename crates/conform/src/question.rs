//! Many questions in one solver process, with the reply to each.

use smtlib::sexpr::Sexprs;
use solver::process::{ProcessLimits, RunError, RunStatus};
use solver::response::{Response, SatResponse, responses};
use solver::session::{SessionNeeds, Solver};
use std::fmt::Write as _;
use std::time::Duration;

/// The prefix of a question's number in its announcement: letters that do not occur in the value of a question, since a value may be a
/// string, which is printed like an announcement.
const MARK: &str = "question ";

/// A solver's reply to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The solver considers the equation true.
    True,
    /// The solver considers the equation false.
    False,
    /// The solver does not decide the equation.
    Open,
    /// Another text: a simplified term, a value.
    Text(String),
    /// An error message.
    Error(String),
    /// The process ended at this question, or before it.
    Ended(RunStatus),
}

impl Reply {
    /// Returns the text of a value, whatever its sort.
    pub fn value(&self) -> Option<&str> {
        match self {
            Reply::True => Some("true"),
            Reply::False => Some("false"),
            Reply::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The form of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// `(simplify t)`, where the question `t` is any term.
    Simplify,
    /// Whether the negation of the question, an equation, is satisfiable.
    Refute,
    /// `check-sat` after the question, which consists of declarations and contradictory assertions.
    Commands,
    /// `(get-value (question))` after one `check-sat` without assertions, the question being any term.
    Value,
}

/// The results of a list of questions.
#[derive(Clone, Debug)]
pub struct Replies {
    /// The reply to each; skipped questions have none.
    pub replies: Vec<Option<Reply>>,
    /// CPU time of the solver's processes.
    pub cpu: Duration,
}

/// A solver and how it is queried.
pub struct QuerySetup<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// Additional options.
    pub options: &'a [String],
    /// The limits of one process.
    pub limits: &'a ProcessLimits,
}

/// Asks a solver; runs as many processes as needed to get past errors, crashes and timeouts.
///
/// `wanted` says whether a question, given by its number, is still worth asking; `told` receives each reply in order.
/// Errors: the solver cannot be run.
pub fn ask(
    setup: &QuerySetup<'_>,
    kind: QueryKind,
    questions: &[&str],
    mut wanted: impl FnMut(usize) -> bool,
    mut told: impl FnMut(usize, &Reply),
) -> Result<Replies, RunError> {
    let purpose = match kind {
        QueryKind::Simplify | QueryKind::Refute | QueryKind::Commands => SessionNeeds::INCREMENTAL,
        QueryKind::Value => SessionNeeds::INCREMENTAL | SessionNeeds::MODELS,
    };
    let mut cpu = Duration::ZERO;
    let solver = setup.solver.clone().with_options(setup.options.iter().cloned());
    let mut replies: Vec<Option<Reply>> = vec![None; questions.len()];
    let mut next = 0;
    while next < questions.len() {
        let asked: Vec<usize> = (next..questions.len()).filter(|&n| wanted(n)).collect();
        let Some(&last) = asked.last() else { break };
        let outcome = solver.check(&script(&asked, questions, kind), purpose, setup.limits)?;
        cpu += outcome.cpu;
        let text = String::from_utf8_lossy(&outcome.stdout);
        read(&text, kind, &mut replies);
        // If a solver dies, its error message may be the reply to the last question.
        let reached = asked.iter().copied().take_while(|&n| replies[n].is_some()).last();
        let unanswered = asked.iter().copied().find(|&n| replies[n].is_none());
        if let Some(unanswered) = unanswered {
            let died_before = reached.is_some_and(|n| matches!(replies[n], Some(Reply::Error(_))));
            if !died_before {
                replies[unanswered] = Some(Reply::Ended(outcome.status));
            }
            next = if died_before { unanswered } else { unanswered + 1 };
        } else {
            next = last + 1;
        }
        for &n in asked.iter().filter(|&&n| n < next) {
            if let Some(reply) = &replies[n] {
                told(n, reply);
            }
        }
    }
    Ok(Replies { replies, cpu })
}

fn script(asked: &[usize], questions: &[&str], kind: QueryKind) -> String {
    // Functions are values in logics with this prefix.
    let logic = if asked.iter().any(|&n| questions[n].contains("(lambda ")) { "HO_ALL" } else { "ALL" };
    let mut text = match kind {
        QueryKind::Simplify | QueryKind::Refute | QueryKind::Commands => format!("(set-logic {logic})\n"),
        QueryKind::Value => format!("(set-option :produce-models true)\n(set-logic {logic})\n(check-sat)\n"),
    };
    for &n in asked {
        let question = questions[n];
        // Writing into a string cannot fail.
        let _ = writeln!(text, "(echo \"{MARK}{n}\")");
        let _ = match kind {
            QueryKind::Simplify => writeln!(text, "(simplify {question})"),
            QueryKind::Refute => writeln!(text, "(push 1)\n(assert (not {question}))\n(check-sat)\n(pop 1)"),
            QueryKind::Commands => writeln!(text, "(push 1)\n{question}\n(check-sat)\n(pop 1)"),
            QueryKind::Value => writeln!(text, "(get-value ({question}))"),
        };
    }
    text
}

/// Assigns responses to the question announced before each; the first one counts.
fn read(text: &str, kind: QueryKind, replies: &mut [Option<Reply>]) {
    let mut current: Option<usize> = None;
    for response in responses(text) {
        let reply = match response {
            Response::Text(line) | Response::Expression(line) => {
                let bare = line.trim_matches('"');
                if let Some(number) = bare.strip_prefix(MARK).and_then(|digits| digits.parse::<usize>().ok()) {
                    current = Some(number);
                    continue;
                }
                let line = match kind {
                    QueryKind::Value => value_of_pair(line).unwrap_or(line),
                    _ => line,
                };
                match line {
                    "true" => Reply::True,
                    "false" => Reply::False,
                    _ => Reply::Text(line.to_string()),
                }
            }
            Response::Answer(SatResponse::Unsat) => Reply::True,
            Response::Answer(SatResponse::Sat) => Reply::False,
            Response::Answer(SatResponse::Unknown) | Response::Timeout => Reply::Open,
            Response::Error(message) => Reply::Error(message.to_string()),
            Response::Unsupported => Reply::Error("unsupported".to_string()),
            Response::Success | Response::Truncated(_) => continue,
        };
        if let Some(place) = current.and_then(|n| replies.get_mut(n))
            && place.is_none()
        {
            *place = Some(reply);
        }
    }
}

/// Returns the value in `((term value))`.
fn value_of_pair(response: &str) -> Option<&str> {
    let all = Sexprs::read_whole(response)?;
    let pair = all.children(all.top().next()?).next()?;
    let mut parts = all.children(pair);
    let value = parts.nth(1)?;
    parts.next().is_none().then(|| all.text(value))
}

#[cfg(test)]
#[path = "../tests/unit/question.rs"]
mod tests;
