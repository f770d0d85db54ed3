//! Goals that share formulas, in one process: its assertions are known, and only the differences are popped and pushed.
//!
//! A process does not know our terms: its declarations and assertions are remembered as text, so goals of different stores, checks and
//! threads can share it.

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

/// The prefix of the names of formulas, for cores.
const NAME: &str = "squall!core!";
/// The maximum number of levels of a process; beyond it, all levels are popped.
const MAX_LEVELS: usize = 500;
/// The maximum number of idle processes.
const MAX_IDLE: usize = 4;
/// After this many failures a solver is asked in fresh processes only.
const MAX_FAILURES: u32 = 3;

/// A goal in a solver's input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AskedGoal {
    /// The declarations, in order, as commands.
    pub declarations: Vec<String>,
    /// The formulas, in order, as terms.
    pub formulas: Vec<String>,
}

/// The declarations and assertions between two pushes. Formulas have numbers, by which cores name them.
#[derive(Debug, Default)]
struct Level {
    declarations: Vec<String>,
    formulas: Vec<(String, u64)>,
}

/// A process with known assertions.
///
/// Invariant: `levels` describe the state of the process, or the process is not used again.
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
    /// Its output is not an answer: its state is unknown from then on.
    #[error("an unusual response")]
    Unusual,
}

impl IncrementalProcess {
    /// Starts a process with these initial commands; formulas get names if cores may be requested.
    /// Errors: it cannot be started, or cannot be used interactively.
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

    /// Executes commands that are answered by `success` or nothing.
    /// Errors: [`ProcessError`]; the process must not be used again then.
    pub fn command(&mut self, text: &str, budget: &Budget) -> Result<(), ProcessError> {
        let said = self.say(text, budget)?;
        let quiet = responses(&said).all(|r| matches!(r, Response::Success | Response::Unsupported));
        if quiet { Ok(()) } else { Err(ProcessError::Unusual) }
    }

    /// Checks a goal; `before` is the previous goal, whose common part with this one will likely be used again and gets its own level.
    /// Errors: as [`IncrementalProcess::command`].
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

    /// Returns the output for a query about the last answer.
    /// Errors: as [`IncrementalProcess::command`].
    pub fn say(&mut self, text: &str, budget: &Budget) -> Result<String, ProcessError> {
        Ok(self.dialogue.ask(text, &budget.cancel, budget.deadline)?)
    }

    /// Returns the positions of formulas that suffice to refute the goal just checked; `None` if the answer is not understood.
    /// Errors: as [`IncrementalProcess::command`].
    pub fn core(&mut self, goal: &AskedGoal, budget: &Budget) -> Result<Option<Vec<usize>>, ProcessError> {
        let said = self.say("(get-unsat-core)\n", budget)?;
        let Some(numbers) = core_numbers(&said) else { return Ok(None) };
        let numbers: FxHashSet<u64> = numbers.into_iter().collect();
        let formulas = self.levels.iter().flat_map(|level| &level.formulas);
        let used: FxHashSet<&str> = formulas.filter(|f| numbers.contains(&f.1)).map(|f| f.0.as_str()).collect();
        let positions = goal.formulas.iter().enumerate().filter(|(_, f)| used.contains(f.as_str())).map(|(n, _)| n);
        Ok(Some(positions.collect()))
    }

    /// Returns the number of lowest levels that belong to a goal unchanged, and the number of their formulas.
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

    /// Returns the commands after which the process has exactly the formulas of a goal.
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
        // A formula of the previous goal may have another meaning by now, if one of its symbols is declared again.
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

/// Splits texts by a condition, each once, keeping the order.
fn divided<'t>(texts: impl Iterator<Item = &'t String>, holds: impl Fn(&String) -> bool) -> (Vec<String>, Vec<String>) {
    let mut met = FxHashSet::default();
    texts.filter(|text| met.insert(*text)).cloned().partition(holds)
}

/// Returns the name that a command declares; `None` if there may be several.
pub fn declared_name(declaration: &str) -> Option<&str> {
    let all = Sexprs::read_whole(declaration)?;
    match all.words(all.top().next()?)[..] {
        ["declare-fun" | "declare-const" | "declare-sort" | "define-fun", name, ..] => Some(bare(name)),
        _ => None,
    }
}

/// Returns the name of a formula with a number, for cores.
pub fn core_name(number: usize) -> String {
    format!("{NAME}{number}")
}

/// Returns the numbers in a core response.
pub fn core_numbers(response: &str) -> Option<Vec<u64>> {
    let all = Sexprs::read_whole(response)?;
    let mut top = all.top();
    let list = top.next().filter(|&node| all.is_list(node) && top.next().is_none())?;
    let number = |node| bare(all.text(node)).strip_prefix(NAME)?.parse().ok();
    all.children(list).map(number).collect()
}

/// How to ask a goal.
#[derive(Debug)]
pub enum How {
    /// In a fresh process.
    Fresh,
    /// In this process.
    Known(Box<IncrementalProcess>),
    /// In a new incremental process.
    New,
}

/// The goals asked of a solver with the same options.
#[derive(Debug, Default)]
struct GoalMemory {
    last: AskedGoal,
    idle: Vec<IncrementalProcess>,
    failures: u32,
}

/// The idle processes of a solver, by the options with which they were started.
#[derive(Debug, Default)]
pub struct ProcessPool(Mutex<HashMap<String, GoalMemory>>);

impl ProcessPool {
    /// Returns how to ask a goal, and the previous goal: in an incremental process if the two share a formula. (A single goal is better
    /// asked in its own process: incremental solvers simplify less.)
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

    /// Keeps a process without problems for later goals.
    pub fn keep(&self, key: &str, process: IncrementalProcess) {
        if let Ok(mut memories) = self.0.lock() {
            let memory = memories.entry(key.to_string()).or_default();
            memory.failures = 0;
            if memory.idle.len() < MAX_IDLE {
                memory.idle.push(process);
            }
        }
    }

    /// Records a problem with a process.
    pub fn failed(&self, key: &str) {
        if let Ok(mut memories) = self.0.lock() {
            memories.entry(key.to_string()).or_default().failures += 1;
        }
    }
}
