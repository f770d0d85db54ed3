//! Many problems and passes in one solver process, with the output for each.

use super::command::PassSyntax;
use super::problem::PassProblem;
use solver::process::{ProcessLimits, RunError, RunStatus};
use solver::response::{Response, responses};
use solver::session::{SessionNeeds, Solver};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// The prefix of the problem and pass numbers in an announcement.
const MARK: &str = "@pass ";

/// The result of one pass on one problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PassReply {
    /// The output.
    Text(String),
    /// The error message, if there is no result.
    Error(String),
    /// The process ended during this pass.
    Ended(RunStatus),
}

/// A solver that prints the results of its passes.
pub struct PassAsker<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// How the solver is queried.
    pub syntax: &'a PassSyntax,
    /// The limits of one process.
    pub limits: &'a ProcessLimits,
}

impl PassAsker<'_> {
    /// Returns the result of each pass on each problem, problem by problem. Runs as many processes as needed to get past crashes.
    /// Errors: the solver cannot be run.
    pub fn ask(
        &self,
        problems: &[PassProblem],
        passes: &[String],
        cpu: &mut Duration,
    ) -> Result<Vec<Vec<PassReply>>, RunError> {
        let places: Vec<(usize, usize)> =
            (0..problems.len()).flat_map(|p| (0..passes.len()).map(move |q| (p, q))).collect();
        let mut replies: Vec<PassReply> = Vec::with_capacity(places.len());
        while let Some(open) = places.get(replies.len()..).filter(|open| !open.is_empty()) {
            let outcome =
                self.solver.check(&self.script(open, problems, passes), SessionNeeds::INCREMENTAL, self.limits)?;
            *cpu += outcome.cpu;
            let text = String::from_utf8_lossy(&outcome.stdout);
            let parts = parts(&text);
            let last = parts.keys().next_back().copied();
            for n in 0..open.len() {
                let first = first_of_problem(open, n);
                let (p, q) = open[n];
                let withheld = self.solver.withheld(&self.syntax.question(&problems[p], &passes[q])).into_iter().next();
                let found = match (failed_setup(&parts, first), parts.get(&(2 * n + 1)).map(|part| reply(part))) {
                    _ if withheld.is_some() => PassReply::Error(withheld.unwrap_or_default()),
                    // Without a setup that succeeded, a pass has no result.
                    (Some(PassReply::Error(said)), _) | (None, Some(PassReply::Error(said))) => PassReply::Error(said),
                    (None, Some(said)) if last != Some(2 * n + 1) => said,
                    // The process ended during this pass or during the setup of its problem, or it never began.
                    _ => PassReply::Ended(outcome.status),
                };
                replies.push(found);
                let is_last_of_problem = open.get(n + 1).is_none_or(|next| next.0 != open[n].0);
                if last == Some(2 * n + 1) || (last == Some(2 * first) && is_last_of_problem) {
                    break;
                }
            }
        }
        let mut all = Vec::with_capacity(problems.len());
        let mut replies = replies.into_iter();
        for _ in problems {
            all.push(replies.by_ref().take(passes.len()).collect());
        }
        Ok(all)
    }

    /// Returns the script for some pairs of a problem and a pass. A problem's setup precedes its first pass. Pair `n` is announced by the
    /// number `2 * n` before the setup, and by `2 * n + 1` before the pass. One more announcement ends the script.
    fn script(&self, open: &[(usize, usize)], problems: &[PassProblem], passes: &[String]) -> String {
        let mut text = String::new();
        let mut current = None;
        for (n, &(p, q)) in open.iter().enumerate() {
            let setup = self.syntax.setup(&problems[p]);
            // Writing into a string cannot fail.
            if current.replace(p) != Some(p) && !setup.is_empty() {
                let _ = writeln!(text, "(echo \"{MARK}{}\")\n(reset)\n{setup}", 2 * n);
            }
            let _ = writeln!(text, "(echo \"{MARK}{}\")", 2 * n + 1);
            text.push_str(&self.syntax.question(&problems[p], &passes[q]));
        }
        let _ = writeln!(text, "(echo \"{MARK}{}\")", 2 * open.len());
        text
    }
}

/// Returns the position of the first pair with the same problem.
fn first_of_problem(open: &[(usize, usize)], place: usize) -> usize {
    open[..place].iter().rposition(|at| at.0 != open[place].0).map_or(0, |before| before + 1)
}

/// Returns the failure of the setup before the pair at `first`: an error, or the end of the process.
fn failed_setup(parts: &BTreeMap<usize, &str>, first: usize) -> Option<PassReply> {
    let said = reply(parts.get(&(2 * first))?);
    (matches!(said, PassReply::Error(_)) || !parts.contains_key(&(2 * first + 1))).then_some(said)
}

/// Returns the output after each announcement.
fn parts(text: &str) -> BTreeMap<usize, &str> {
    let mut found = BTreeMap::new();
    let mut current: Option<(usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(number) = line.trim().trim_matches('"').strip_prefix(MARK).and_then(|n| n.parse().ok()) else {
            continue;
        };
        if let Some((n, from)) = current.replace((number, at)) {
            found.insert(n, &text[from..start]);
        }
    }
    if let Some((n, from)) = current {
        found.insert(n, &text[from..]);
    }
    found
}

/// Returns the first error in the output of a pass, else the whole output.
fn reply(part: &str) -> PassReply {
    for response in responses(part) {
        match response {
            Response::Error(message) => return PassReply::Error(message.to_string()),
            Response::Unsupported => return PassReply::Error("unsupported".to_string()),
            Response::Timeout => return PassReply::Error("timeout".to_string()),
            _ => {}
        }
    }
    PassReply::Text(part.to_string())
}

#[cfg(test)]
#[path = "../../tests/unit/asking.rs"]
mod tests;
