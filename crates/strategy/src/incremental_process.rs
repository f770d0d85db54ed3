//! Goals that share formulas, asked of one process: what is asserted there is known, and only what differs is popped and
//! pushed.
//!
//! A process knows nothing of our terms: what is declared and asserted in it is remembered as text, so that goals of different
//! stores, checks and threads can share it.

use rustc_hash::FxHashSet;
use smtlib::sexpr::{Sexprs, bare};
use solver::dialogue::{Dialogue, Silence};
use solver::process::{ProcessLimits, RunError};
use solver::response::{Response, SatResponse, responses};
use solver::session::{SessionNeeds, Solver};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Mutex;

use crate::budget::Budget;

/// What the names of formulas begin with, for cores.
const NAME: &str = "squall!core!";
/// The most levels of a process; with more, it begins from the bottom again.
const MAX_LEVELS: usize = 500;
/// The most processes that wait for the next goal.
const MAX_IDLE: usize = 4;
/// After so many failures a solver is asked in fresh processes only.
const MAX_FAILURES: u32 = 3;

/// A goal as a solver reads it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AskedGoal {
    /// The declarations, in order, as commands.
    pub declarations: Vec<String>,
    /// The formulas, in order, as terms.
    pub formulas: Vec<String>,
}

/// What is declared and asserted between two pushes. Formulas have numbers, by which cores name them.
#[derive(Debug, Default)]
struct Level {
    declarations: Vec<String>,
    formulas: Vec<(String, u64)>,
}

/// A process whose assertions are known.
///
/// Invariant: `levels` are what the process has, or the process is not asked again.
#[derive(Debug)]
pub struct IncrementalProcess {
    dialogue: Dialogue,
    levels: Vec<Level>,
    /// Whether formulas have names, for cores.
    named: bool,
    numbers: u64,
}

/// Why a goal is not answered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProcessError {
    /// The process is gone or was stopped.
    #[error(transparent)]
    Silent(#[from] Silence),
    /// It printed something else than answers: what it knows is not known any more.
    #[error("an unusual response")]
    Unusual,
}

impl IncrementalProcess {
    /// Starts a process with these commands first; formulas get names if cores are to be asked for.
    ///
    /// # Errors
    /// It cannot be started, or does not answer one by one.
    pub fn start(
        solver: &Solver,
        purpose: SessionNeeds,
        limits: &ProcessLimits,
    ) -> Result<IncrementalProcess, RunError> {
        let dialogue = Dialogue::start(solver, purpose, limits)?;
        Ok(IncrementalProcess {
            dialogue,
            levels: Vec::new(),
            named: purpose.contains(SessionNeeds::CORES),
            numbers: 0,
        })
    }

    /// Has commands executed that are answered by `success` or nothing.
    ///
    /// # Errors
    /// [`ProcessError`]; the process must then not be asked again.
    pub fn command(&mut self, text: &str, budget: &Budget) -> Result<(), ProcessError> {
        let said = self.say(text, budget)?;
        let quiet = responses(&said).all(|r| matches!(r, Response::Success | Response::Unsupported));
        if quiet { Ok(()) } else { Err(ProcessError::Unusual) }
    }

    /// Checks a goal; `before` is the goal asked before, whose part of this one is likely to be asked again and gets a level
    /// of its own.
    ///
    /// # Errors
    /// As [`IncrementalProcess::command`].
    pub fn check(
        &mut self,
        goal: &AskedGoal,
        before: &AskedGoal,
        budget: &Budget,
    ) -> Result<SatResponse, ProcessError> {
        let text = self.change(goal, before) + "(check-sat)\n";
        let said = self.say(&text, budget)?;
        let mut answer = None;
        for response in responses(&said) {
            match (response, answer) {
                (Response::Answer(word), None) => answer = Some(word),
                (Response::Success | Response::Unsupported, _) => {}
                _ => return Err(ProcessError::Unusual),
            }
        }
        answer.ok_or(ProcessError::Unusual)
    }

    /// What is printed to a question about the last answer.
    ///
    /// # Errors
    /// As [`IncrementalProcess::command`].
    pub fn say(&mut self, text: &str, budget: &Budget) -> Result<String, ProcessError> {
        Ok(self.dialogue.ask(text, &budget.cancel, budget.deadline)?)
    }

    /// The formulas of a goal just refuted that suffice, by their positions; none where the answer is not understood.
    ///
    /// # Errors
    /// As [`IncrementalProcess::command`].
    pub fn core(&mut self, goal: &AskedGoal, budget: &Budget) -> Result<Option<Vec<usize>>, ProcessError> {
        let said = self.say("(get-unsat-core)\n", budget)?;
        let Some(numbers) = core_numbers(&said) else { return Ok(None) };
        let numbers: FxHashSet<u64> = numbers.into_iter().collect();
        let formulas = self.levels.iter().flat_map(|level| &level.formulas);
        let used: FxHashSet<&str> = formulas.filter(|f| numbers.contains(&f.1)).map(|f| f.0.as_str()).collect();
        let positions = goal.formulas.iter().enumerate().filter(|(_, f)| used.contains(f.as_str())).map(|(n, _)| n);
        Ok(Some(positions.collect()))
    }

    /// How many of the lowest levels belong to a goal as they are, and how many formulas they have.
    fn kept(&self, goal: &AskedGoal) -> (usize, usize) {
        let declarations: FxHashSet<&String> = goal.declarations.iter().collect();
        let formulas: FxHashSet<&String> = goal.formulas.iter().collect();
        let stays = |level: &&Level| {
            level.declarations.iter().all(|d| declarations.contains(d))
                && level.formulas.iter().all(|f| formulas.contains(&f.0))
        };
        let kept = if self.levels.len() < MAX_LEVELS { self.levels.iter().take_while(stays).count() } else { 0 };
        (kept, self.levels[..kept].iter().map(|level| level.formulas.len()).sum())
    }

    /// The commands after which the process has the formulas of a goal and no others.
    fn change(&mut self, goal: &AskedGoal, before: &AskedGoal) -> String {
        let (kept, _) = self.kept(goal);
        let mut text = String::new();
        if kept < self.levels.len() {
            let _ = writeln!(text, "(pop {})", self.levels.len() - kept);
            self.levels.truncate(kept);
        }
        let there = |select: fn(&Level) -> Vec<&String>, levels: &[Level]| -> FxHashSet<String> {
            levels.iter().flat_map(select).cloned().collect()
        };
        let declared = there(|level| level.declarations.iter().collect(), &self.levels);
        let asserted = there(|level| level.formulas.iter().map(|f| &f.0).collect(), &self.levels);
        let declarations = goal.declarations.iter().filter(|d| !declared.contains(*d));
        let formulas = goal.formulas.iter().filter(|f| !asserted.contains(*f));
        let (old_declarations, new_declarations) = divided(declarations, |d| before.declarations.contains(d));
        // A formula of the goal before may mean something else by now, where it has a symbol that is declared anew.
        let new_names: Option<Vec<&str>> = new_declarations.iter().map(|d| declared_name(d)).collect();
        let known: FxHashSet<&String> = before.formulas.iter().collect();
        let (old_formulas, new_formulas) = divided(formulas, |formula| {
            let means_the_same = |names: &Vec<&str>| !names.iter().any(|name| formula.contains(name));
            known.contains(formula) && new_names.as_ref().is_some_and(means_the_same)
        });
        for (declarations, formulas) in [(old_declarations, old_formulas), (new_declarations, new_formulas)] {
            if declarations.is_empty() && formulas.is_empty() {
                continue;
            }
            let mut level = Level { declarations, formulas: Vec::new() };
            text.push_str("(push 1)\n");
            level.declarations.iter().for_each(|d| text.extend([d, "\n"]));
            for formula in formulas {
                match self.named {
                    true => {
                        let _ = writeln!(text, "(assert (! {formula} :named {NAME}{}))", self.numbers);
                    }
                    false => {
                        let _ = writeln!(text, "(assert {formula})");
                    }
                }
                level.formulas.push((formula, self.numbers));
                self.numbers += 1;
            }
            self.levels.push(level);
        }
        text
    }
}

/// Texts of which something holds, and the others, in their order, each once.
fn divided<'t>(texts: impl Iterator<Item = &'t String>, holds: impl Fn(&String) -> bool) -> (Vec<String>, Vec<String>) {
    let mut met = FxHashSet::default();
    texts.filter(|text| met.insert(*text)).cloned().partition(holds)
}

/// The name that a command declares; none if there may be several.
fn declared_name(declaration: &str) -> Option<&str> {
    let all = Sexprs::read_whole(declaration)?;
    match all.words(all.top().next()?)[..] {
        ["declare-fun" | "declare-const" | "declare-sort" | "define-fun", name, ..] => Some(bare(name)),
        _ => None,
    }
}

/// The name of a formula by its number, for cores.
pub fn core_name(number: usize) -> String {
    format!("{NAME}{number}")
}

/// The numbers in a response that is a core.
pub fn core_numbers(response: &str) -> Option<Vec<u64>> {
    let all = Sexprs::read_whole(response)?;
    let mut top = all.top();
    let list = top.next().filter(|&node| all.is_list(node) && top.next().is_none())?;
    let number = |node| bare(all.text(node)).strip_prefix(NAME)?.parse().ok();
    all.children(list).map(number).collect()
}

/// How a goal is to be asked.
#[derive(Debug)]
pub enum How {
    /// In a fresh process.
    Fresh,
    /// In this process.
    Known(Box<IncrementalProcess>),
    /// In a new process that stays.
    New,
}

/// What is remembered of the goals asked of a solver under the same options.
#[derive(Debug, Default)]
struct GoalMemory {
    last: AskedGoal,
    idle: Vec<IncrementalProcess>,
    failures: u32,
}

/// The processes of a solver that wait for the next goal, by the options they were started with.
#[derive(Debug, Default)]
pub struct ProcessPool(Mutex<HashMap<String, GoalMemory>>);

impl ProcessPool {
    /// How to ask a goal, and the goal asked before: in a process that stays if the two share a formula. (One goal alone is
    /// better off in a process of its own: incremental solvers simplify less.)
    pub fn how(&self, key: &str, goal: &AskedGoal) -> (How, AskedGoal) {
        let Ok(mut memories) = self.0.lock() else { return (How::Fresh, AskedGoal::default()) };
        let memory = memories.entry(key.to_string()).or_default();
        let before = std::mem::replace(&mut memory.last, goal.clone());
        if memory.failures >= MAX_FAILURES {
            return (How::Fresh, before);
        }
        let known: FxHashSet<&String> = before.formulas.iter().collect();
        let shares = goal.formulas.iter().any(|f| known.contains(f));
        let kept = memory.idle.iter().enumerate().map(|(n, process)| (process.kept(goal).1, n));
        let how = match kept.max() {
            Some((formulas, n)) if formulas > 0 || shares => How::Known(Box::new(memory.idle.swap_remove(n))),
            _ if shares => How::New,
            _ => How::Fresh,
        };
        (how, before)
    }

    /// Keeps a process in which all went well for the goals to come.
    pub fn keep(&self, key: &str, process: IncrementalProcess) {
        if let Ok(mut memories) = self.0.lock() {
            let memory = memories.entry(key.to_string()).or_default();
            memory.failures = 0;
            if memory.idle.len() < MAX_IDLE {
                memory.idle.push(process);
            }
        }
    }

    /// Something unusual happened in a process, or it cannot be had.
    pub fn failed(&self, key: &str) {
        if let Ok(mut memories) = self.0.lock() {
            memories.entry(key.to_string()).or_default().failures += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_numbers() {
        let check = |text: &str, expect: Option<&[u64]>| assert_eq!(core_numbers(text).as_deref(), expect, "{text}");
        check("(squall!core!2 squall!core!0)", Some(&[2, 0]));
        check("(|squall!core!11|\n squall!core!3 )", Some(&[11, 3]));
        check("()", Some(&[]));
        check("(model)", None);
        check("(define-fun x () Int 3)", None);
    }

    #[test]
    fn declarations_tell_their_names() {
        let check = |text: &str, expect: Option<&str>| assert_eq!(declared_name(text), expect, "{text}");
        check("(declare-fun f (Int) Int)", Some("f"));
        check("(declare-fun |a b| () Int)", Some("a b"));
        check("(declare-sort U 0)", Some("U"));
        check("(declare-datatypes ((T 0)) (((c))))", None);
        check("(define-funs-rec ((f () Int)) (1))", None);
    }
}
