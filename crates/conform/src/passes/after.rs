//! The result of a pass: the goals of `(apply T)`, or cvc5's assertions after preprocessing, as a script.

use super::problem::PassProblem;
use super::spelling::standard_spelling;
use smtlib::sexpr::{SexprNode, Sexprs, bare};
use std::fmt::Write as _;

/// The maximum size of an answer.
const MAX_TEXT: usize = 1 << 18;

/// The line before the assertions after preprocessing, and the one after them.
const POST_START: &str = ";; post-asserts start";
const POST_END: &str = ";; post-asserts end";

/// The relation between the goals of a pass and its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalPrecision {
    /// Some goal is satisfiable if and only if the problem is.
    Precise,
    /// If the goal is satisfiable, so is the problem.
    Under,
    /// If the problem is satisfiable, so is a goal.
    Over,
    /// Neither follows.
    UnderOver,
}

impl GoalPrecision {
    /// Whether a satisfiable goal implies a satisfiable problem.
    pub fn keeps_sat(self) -> bool {
        matches!(self, GoalPrecision::Precise | GoalPrecision::Under)
    }

    /// Whether an unsatisfiable goal supports the unsatisfiability of the problem.
    pub fn keeps_unsat(self) -> bool {
        matches!(self, GoalPrecision::Precise | GoalPrecision::Over)
    }

    fn of(word: &str) -> Option<GoalPrecision> {
        match word {
            "precise" => Some(GoalPrecision::Precise),
            "under" => Some(GoalPrecision::Under),
            "over" => Some(GoalPrecision::Over),
            "under-over" => Some(GoalPrecision::UnderOver),
            _ => None,
        }
    }
}

/// The result of a pass on a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AfterPass {
    /// The declarations that the goals need, one command per line.
    pub declarations: String,
    /// The formulas of each goal.
    pub goals: Vec<Vec<String>>,
    /// The relation of each goal to the problem.
    pub precisions: Vec<GoalPrecision>,
    /// Whether the goals use only the symbols of the problem.
    pub is_over_problem: bool,
}

impl AfterPass {
    /// Returns a script with one check per goal.
    pub fn script(&self) -> String {
        let mut text = self.declarations.clone();
        let is_many = self.goals.len() > 1;
        for goal in &self.goals {
            text.push_str(if is_many { "(push 1)\n" } else { "" });
            for formula in goal {
                // Writing into a string cannot fail.
                let _ = writeln!(text, "(assert {formula})");
            }
            text.push_str(if is_many { "(check-sat)\n(pop 1)\n" } else { "(check-sat)\n" });
        }
        text
    }

    /// Parses the goals of `(apply T :print_benchmark true)`: the goals themselves, and a script with the declarations that they need.
    /// Errors: the reason, if the text cannot be parsed.
    pub fn of_apply(problem: &PassProblem, text: &str) -> Result<AfterPass, String> {
        if text.len() > MAX_TEXT {
            return Err("the goals are too large".to_string());
        }
        let text = standard_spelling(text);
        let unreadable = || "no goals are printed".to_string();
        let all = Sexprs::read_whole(&text).ok_or_else(unreadable)?;
        let mut top = all.top();
        let goals = top.next().and_then(|node| all.headed(node, "goals")).ok_or_else(unreadable)?;
        let mut after = AfterPass {
            declarations: problem.declarations.clone(),
            goals: Vec::new(),
            precisions: Vec::new(),
            is_over_problem: true,
        };
        for goal in goals {
            let (formulas, precision) = read_goal(&all, goal).ok_or_else(unreadable)?;
            after.goals.push(formulas);
            after.precisions.push(precision);
        }
        let declared = Sexprs::read(&problem.declarations);
        let known: Vec<&str> = declared.top().filter_map(|node| declared_name(&declared, node)).collect();
        for node in top {
            if let Some(name) = declared_name(&all, node)
                && !known.contains(&name)
            {
                after.is_over_problem = false;
                after.declarations.push_str(all.text(node));
                after.declarations.push('\n');
            }
        }
        Ok(after)
    }

    /// Parses the script between the two marks that `:output post-asserts` prints.
    /// Errors: the reason, if the text cannot be parsed.
    pub fn of_post_asserts(text: &str) -> Result<AfterPass, String> {
        let part = text.split_once(POST_START).and_then(|(_, rest)| rest.split_once(POST_END));
        let Some((script, _)) = part else { return Err("no assertions after preprocessing are printed".to_string()) };
        if script.len() > MAX_TEXT {
            return Err("the assertions after preprocessing are too large".to_string());
        }
        let all = Sexprs::read_whole(script)
            .ok_or_else(|| "the assertions after preprocessing are incomplete".to_string())?;
        let (mut declarations, mut goal) = (String::new(), Vec::new());
        for node in all.top() {
            match (all.headed(node, "assert").as_deref(), all.text(node)) {
                (Some([formula]), _) => goal.push(all.text(*formula).to_string()),
                (_, "(check-sat)") => {}
                (_, command) => {
                    declarations.push_str(command);
                    declarations.push('\n');
                }
            }
        }
        let precisions = vec![GoalPrecision::Precise];
        Ok(AfterPass { declarations, goals: vec![goal], precisions, is_over_problem: false })
    }
}

/// Parses the formulas of `(goal F1 F2 … :precision P :depth N)`, and `P`.
fn read_goal(all: &Sexprs<'_>, goal: SexprNode) -> Option<(Vec<String>, GoalPrecision)> {
    let parts = all.headed(goal, "goal")?;
    let end = parts.iter().position(|&part| all.text(part) == ":precision")?;
    let precision = GoalPrecision::of(all.text(*parts.get(end + 1)?))?;
    Some((parts.iter().take(end).map(|&part| all.text(part).to_string()).collect(), precision))
}

/// Returns the name that a command declares or defines; for datatypes, the first one's.
fn declared_name<'t>(all: &Sexprs<'t>, node: SexprNode) -> Option<&'t str> {
    let mut parts = all.children(node);
    let command = all.text(parts.next()?);
    if !command.starts_with("declare-") && !command.starts_with("define-") {
        return None;
    }
    let mut named = parts.next()?;
    while all.is_list(named) {
        named = all.children(named).next()?;
    }
    Some(bare(all.text(named)))
}

#[cfg(test)]
#[path = "../../tests/unit/after.rs"]
mod tests;
