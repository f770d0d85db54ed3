//! Many questions in one solver process, and the reply to each.

use solver::process::{Limits, RunError, Status};
use solver::response::{Response, Said, responses};
use solver::session::{Purpose, Solver};
use std::fmt::Write as _;

/// What a solver replied to one question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It holds the equation for true.
    True,
    /// It holds the equation for false.
    False,
    /// It leaves the equation open.
    Open,
    /// Another text: a simplified term.
    Text(String),
    /// An error message.
    Error(String),
    /// The process ended on this question, or never began with it.
    Ended(Status),
}

/// What is asked about an equation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// `(simplify equation)`.
    Simplify,
    /// Whether its negation is satisfiable.
    Refute,
}

/// A solver as it is asked.
pub struct QuerySetup<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// Options besides its own.
    pub options: &'a [String],
    /// What one process may use.
    pub limits: &'a Limits,
}

/// Puts questions to a solver; as many processes are run as it takes to get past errors, crashes and timeouts.
///
/// `wanted` says whether a question is still worth asking, by its number; `told` gets each reply in order. Questions passed over
/// have no reply.
///
/// # Errors
/// The solver cannot be run at all.
pub fn ask(
    setup: &QuerySetup<'_>,
    kind: QueryKind,
    questions: &[&str],
    mut wanted: impl FnMut(usize) -> bool,
    mut told: impl FnMut(usize, &Reply),
) -> Result<Vec<Option<Reply>>, RunError> {
    let solver = setup.solver.clone().with_options(setup.options.iter().cloned());
    let mut replies: Vec<Option<Reply>> = vec![None; questions.len()];
    let mut next = 0;
    while next < questions.len() {
        let asked: Vec<usize> = (next..questions.len()).filter(|&n| wanted(n)).collect();
        let Some(&last) = asked.last() else { break };
        let outcome = solver.check(&script(&asked, questions, kind), Purpose::INCREMENTAL, setup.limits)?;
        let text = String::from_utf8_lossy(&outcome.stdout);
        read(&text, &mut replies);
        // A solver that dies at a question may have replied to it by its error, or not at all.
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
    Ok(replies)
}

fn script(asked: &[usize], questions: &[&str], kind: QueryKind) -> String {
    let mut text = String::from("(set-logic ALL)\n");
    for &n in asked {
        let question = questions[n];
        // Writing into a string cannot fail.
        let _ = match kind {
            QueryKind::Simplify => writeln!(text, "(echo \"@{n}\")\n(simplify {question})"),
            QueryKind::Refute => {
                writeln!(text, "(echo \"@{n}\")\n(push 1)\n(assert (not {question}))\n(check-sat)\n(pop 1)")
            }
        };
    }
    text
}

/// Files the responses under the question announced before each; the first one counts.
fn read(text: &str, replies: &mut [Option<Reply>]) {
    let mut current: Option<usize> = None;
    for response in responses(text) {
        let reply = match response {
            Response::Text(line) | Response::Expression(line) => {
                let bare = line.trim_matches('"');
                if let Some(number) = bare.strip_prefix('@').and_then(|digits| digits.parse::<usize>().ok()) {
                    current = Some(number);
                    continue;
                }
                match line {
                    "true" => Reply::True,
                    "false" => Reply::False,
                    _ => Reply::Text(line.to_string()),
                }
            }
            Response::Said(Said::Unsat) => Reply::True,
            Response::Said(Said::Sat) => Reply::False,
            Response::Said(Said::Unknown) | Response::Timeout => Reply::Open,
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
