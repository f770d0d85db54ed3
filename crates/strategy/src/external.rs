//! `(solver SPEC)`: another program decides the goal; its model is read back and judged, its `unsat` is trusted.

use crate::outcome::{Failure, Outcome};
use crate::probes::logic_of;
use crate::run::Run;
use crate::solvers::{Program, limits};
use crate::tactic::{Tactic, used_origins};
use crate::talk::{How, Talk};
use rewrite::walk::visit;
use rewrite::{Goal, complete::complete};
use rustc_hash::FxHashSet;
use semantics::judge::binary_steps;
use semantics::{Judge, Judgement, Limits as EvalLimits};
use smtlib::{Command, DatatypeId, FuncId, Instance, Printer, Sort, SortId, Store, Symbol, TermId};
use solver::dialogue::Dialogue;
use solver::outcome::{Answer, Outcome as Output};
use solver::response::{Response, Said, responses};
use solver::session::Purpose;
use std::fmt::Write;
use std::sync::Arc;

/// How often a solver is asked again for values that its model leaves open.
const ROUNDS: usize = 3;
/// What the names of formulas begin with, for cores.
const NAME: &str = "squall!core!";

/// A solver program as a tactic.
pub struct External {
    /// The program.
    pub program: Arc<Program>,
    /// Options set in the script, as (key without colon, value).
    pub options: Vec<(String, String)>,
    /// The solver's own tactic for `(check-sat-using …)`.
    pub tactic: Option<String>,
}

/// The logic a goal is sent in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    /// The input's if the goal is the input, else the smallest that fits.
    Named,
    /// `ALL`.
    All,
}

impl Tactic for External {
    fn apply(&self, store: &mut Store, goal: Goal, run: &mut Run) -> Outcome {
        if let Some(outcome) = self.talked(store, &goal, run) {
            return outcome;
        }
        let said = match self.ask(store, &goal, run, &[]) {
            Ok(said) => said,
            Err(failure) => return Outcome::Fail(failure),
        };
        let check = said.answers.last();
        match check.map_or(Answer::Missing, |check| check.answer) {
            Answer::Sat => {
                let response = check.and_then(|check| check.responses.first()).cloned();
                self.satisfied(store, &goal, run, response)
            }
            Answer::Unsat => {
                let core = check.and_then(|check| check.responses.iter().find_map(|r| core(r)));
                let all = || (0..goal.len()).collect();
                let (origins, used) = used_origins(&goal, &core.unwrap_or_else(all));
                Outcome::unsat(&goal, origins, used, &self.program.label, true)
            }
            other => Outcome::Fail(self.why_not(other, &said, run)),
        }
    }
}

impl External {
    /// The outcome from a process that is asked several goals, where this goal shares formulas with the one before. None
    /// where a fresh process is to be asked: most goals, and whenever anything is unusual.
    fn talked(&self, store: &mut Store, goal: &Goal, run: &Run) -> Option<Outcome> {
        // Names for cores would have to be kept apart from goal to goal.
        if goal.wants.cores || self.tactic.is_some() || self.program.solver.is_builtin() {
            return None;
        }
        let talks = &run.shared.talks;
        let key = format!("{} {:?}", self.program.label, self.options);
        let mut talk = match talks.how(&key, goal) {
            How::Fresh => return None,
            How::Known(talk) => talk,
            How::Shared(base) => match self.begin(store, goal, run, base) {
                Some(talk) => talk,
                None => {
                    talks.give_up(&key);
                    return None;
                }
            },
        };
        let mut text = String::from("(push 1)\n");
        let mut printer = Printer::new(store, &self.program.dialect);
        // What the base needs is declared there, and what the rest needs goes with it.
        let mut known = run.shared.declarations.clone();
        add_fresh(store, goal.terms().filter(|t| talk.base.contains(t)), &mut known);
        let mut all = known.clone();
        add_fresh(store, goal.terms(), &mut all);
        for command in all.iter().filter(|c| !known.contains(c)) {
            printer.command(command, &mut text);
            text.push('\n');
        }
        for t in goal.terms().filter(|t| !talk.base.contains(t)) {
            text.push_str("(assert ");
            printer.term(t, &mut text);
            text.push_str(")\n");
        }
        text.push_str("(check-sat)\n");
        let budget = &run.budget;
        let answer = talk.dialogue.ask(&text, &budget.cancel, budget.deadline).ok();
        let mut said = None;
        for response in answer.as_deref().map(responses).into_iter().flatten() {
            match response {
                Response::Said(word) => said = Some(word),
                Response::Success | Response::Unsupported => {}
                // Anything else is unusual.
                _ => {
                    said = None;
                    break;
                }
            }
        }
        let outcome = match said {
            Some(Said::Unsat) => {
                let (origins, used) = used_origins(goal, &(0..goal.len()).collect::<Vec<_>>());
                Outcome::unsat(goal, origins, used, &self.program.label, true)
            }
            Some(Said::Sat) if goal.wants.models => {
                let model = talk.dialogue.ask("(get-model)", &budget.cancel, budget.deadline).ok()?;
                self.satisfied(store, goal, run, Some(model))
            }
            Some(Said::Sat) => Outcome::sat(goal, None, &self.program.label, true),
            Some(Said::Unknown) => {
                let why = format!("{} says unknown", self.program.label);
                Outcome::Fail(Failure::Undecided(why))
            }
            None => {
                talks.give_up(&key);
                return match budget.check() {
                    Err(stopped) => Some(Outcome::Fail(stopped.into())),
                    Ok(()) => None,
                };
            }
        };
        if talk.dialogue.ask("(pop 1)", &budget.cancel, budget.deadline).is_ok() {
            talks.keep(&key, talk);
        }
        Some(outcome)
    }

    /// A process that knows the formulas of `base`.
    fn begin(&self, store: &Store, goal: &Goal, run: &Run, base: FxHashSet<TermId>) -> Option<Talk> {
        let mut text = String::new();
        for (key, value) in &self.options {
            let _ = writeln!(text, "(set-option :{key} {value})");
        }
        if goal.wants.models {
            text.push_str("(set-option :produce-models true)\n");
        }
        text.push_str("(set-logic ALL)\n");
        let mut declarations = run.shared.declarations.clone();
        let shared = || goal.terms().filter(|t| base.contains(t));
        add_fresh(store, shared(), &mut declarations);
        let mut printer = Printer::new(store, &self.program.dialect);
        for command in &declarations {
            printer.command(command, &mut text);
            text.push('\n');
        }
        for t in shared() {
            text.push_str("(assert ");
            printer.term(t, &mut text);
            text.push_str(")\n");
        }
        let purpose = if goal.wants.models { Purpose::MODELS } else { Purpose::SINGLE };
        let mut dialogue = Dialogue::start(&self.program.solver, purpose, &limits(run.budget.left())).ok()?;
        let said = dialogue.ask(&text, &run.budget.cancel, run.budget.deadline).ok()?;
        let quiet = responses(&said).all(|r| matches!(r, Response::Success | Response::Unsupported));
        quiet.then_some(Talk { dialogue, base })
    }

    /// Asks about a goal, and for the values of some terms after the model.
    fn ask(&self, store: &Store, goal: &Goal, run: &Run, values: &[TermId]) -> Result<Output, Failure> {
        let said = self.ask_in(store, goal, run, values, Logic::Named)?;
        match said.answers.iter().any(|check| check.answer == Answer::Void) {
            // Some solvers do not know a logic's name, or not all that belongs to it; a name changes no meaning.
            true => self.ask_in(store, goal, run, values, Logic::All),
            false => Ok(said),
        }
    }

    fn ask_in(
        &self,
        store: &Store,
        goal: &Goal,
        run: &Run,
        values: &[TermId],
        logic: Logic,
    ) -> Result<Output, Failure> {
        run.budget.check()?;
        let text = self.text(store, goal, run, values, logic);
        let mut purpose = Purpose::SINGLE;
        if goal.wants.models {
            purpose = purpose | Purpose::MODELS;
        }
        if goal.wants.cores {
            purpose = purpose | Purpose::CORES;
        }
        let solver = self.program.with_cancel(run.budget.cancel.clone());
        solver
            .check(&text, purpose, &limits(run.budget.left()))
            .map_err(|error| Failure::Trouble(format!("cannot ask {}: {error}", self.program.label)))
    }

    /// The goal as a script.
    fn text(&self, store: &Store, goal: &Goal, run: &Run, values: &[TermId], logic: Logic) -> String {
        let mut text = String::new();
        for (key, value) in &self.options {
            let _ = writeln!(text, "(set-option :{key} {value})");
        }
        if goal.wants.models {
            text.push_str("(set-option :produce-models true)\n");
        }
        if goal.wants.cores {
            text.push_str("(set-option :produce-unsat-cores true)\n");
        }
        let named = match run.shared.logic {
            Some(name) if goal.depth == 0 => store.name(name).to_string(),
            _ => logic_of(store, goal),
        };
        let _ = writeln!(text, "(set-logic {})", if logic == Logic::All { "ALL" } else { &named });
        let mut printer = Printer::new(store, &self.program.dialect);
        for command in declarations(store, goal, run) {
            printer.command(&command, &mut text);
            text.push('\n');
        }
        for (n, t) in goal.terms().enumerate() {
            text.push_str(if goal.wants.cores { "(assert (! " } else { "(assert " });
            printer.term(t, &mut text);
            match goal.wants.cores {
                true => {
                    let _ = writeln!(text, " :named {NAME}{n}))");
                }
                false => text.push_str(")\n"),
            }
        }
        match &self.tactic {
            Some(tactic) => {
                let _ = writeln!(text, "(check-sat-using {tactic})");
            }
            None => text.push_str("(check-sat)\n"),
        }
        if goal.wants.models {
            text.push_str("(get-model)\n");
        }
        if !values.is_empty() {
            text.push_str("(get-value (");
            for &t in values {
                printer.term(t, &mut text);
                text.push(' ');
            }
            text.push_str("))\n");
        }
        if goal.wants.cores {
            text.push_str("(get-unsat-core)\n");
        }
        text
    }

    /// Judges the model behind a `sat`. A model that is wrong is a failure of the solver's; one that cannot be judged leaves
    /// its bare word.
    fn satisfied(&self, store: &mut Store, goal: &Goal, run: &Run, response: Option<String>) -> Outcome {
        let bare = || Outcome::sat(goal, None, &self.program.label, true);
        let Some(mut text) = response else { return bare() };
        let assertions: Vec<TermId> = goal.terms().collect();
        let declarations = declarations(store, goal, run);
        let instance = Instance { declarations, assertions: assertions.clone(), ..Instance::default() };
        let (mut asked, mut values) = (Vec::new(), String::new());
        for round in 0..=ROUNDS {
            let Ok(judge) = Judge::new(store, &instance, &text, &asked, &values) else { return bare() };
            let judgement = judge.judgement(store, &assertions, EvalLimits::default());
            match judgement {
                Judgement::Valid | Judgement::ValidCompleted => {
                    let mut model = judge.into_model();
                    complete(store, &mut model, assertions.iter().copied());
                    return Outcome::sat(goal, Some(model), &self.program.label, true);
                }
                Judgement::Invalid { assertion, .. } => {
                    let why = format!("{} gives a model in which formula {assertion} is false", self.program.label);
                    return Outcome::Fail(Failure::Trouble(why));
                }
                Judgement::InvalidCompleted { .. } | Judgement::Unknown { .. } if round < ROUNDS => {}
                Judgement::InvalidCompleted { .. } | Judgement::Unknown { .. } => return bare(),
            }
            let open = judge.open_terms(store, &assertions, EvalLimits::default());
            let before = asked.len();
            for term in open.into_iter().flat_map(|term| binary_steps(store, term)).collect::<Vec<_>>() {
                if !asked.contains(&term) {
                    asked.push(term);
                }
            }
            // A term that was asked for and is still open stays so.
            if asked.len() == before {
                return bare();
            }
            let Ok(said) = self.ask(store, goal, run, &asked) else { return bare() };
            let Some(check) = said.answers.into_iter().last() else { return bare() };
            let mut responses = check.responses.into_iter();
            match (check.answer, responses.next(), responses.next()) {
                (Answer::Sat, Some(model), Some(answer)) => (text, values) = (model, answer),
                _ => return bare(),
            }
        }
        bare()
    }

    fn why_not(&self, answer: Answer, said: &Output, run: &Run) -> Failure {
        if let Err(stopped) = run.budget.check() {
            return Failure::Stopped(stopped);
        }
        let label = &self.program.label;
        let first = said.errors.first().map(|error| error.message.as_str());
        let stderr = String::from_utf8_lossy(&said.stderr);
        let line = first.or_else(|| stderr.lines().next()).map(|line| format!(": {line}")).unwrap_or_default();
        match answer {
            Answer::Unknown => Failure::Undecided(format!("{label} says unknown")),
            Answer::Crashed => Failure::Trouble(format!("{label} crashed{line}")),
            other => Failure::Undecided(format!("{label} gave no answer ({}){line}", other.word())),
        }
    }
}

/// The declarations a goal needs: those of the input, and those of symbols that passes added.
pub fn declarations(store: &Store, goal: &Goal, run: &Run) -> Vec<Command> {
    let mut all = run.shared.declarations.clone();
    add_fresh(store, goal.terms(), &mut all);
    all
}

/// Adds the declarations of symbols in `terms` that are not among the given ones: sorts and datatypes before all others,
/// functions after.
pub fn add_fresh(store: &Store, terms: impl Iterator<Item = TermId>, all: &mut Vec<Command>) {
    let mut known: FxHashSet<FuncId> = FxHashSet::default();
    let mut sorts: FxHashSet<SortId> = FxHashSet::default();
    let mut names: FxHashSet<Symbol> = FxHashSet::default();
    let mut datatypes: FxHashSet<DatatypeId> = FxHashSet::default();
    for command in all.iter() {
        match command {
            Command::DeclareFun(f) | Command::DefineFun(f) => {
                known.insert(*f);
            }
            Command::DefineFunsRec(fs) => known.extend(fs.iter().copied()),
            Command::DeclareSort(name, _) => {
                names.insert(*name);
            }
            Command::DeclareDatatypes(first, _) => {
                datatypes.insert(*first);
            }
            _ => {}
        }
    }
    let mut before = Vec::new();
    let mut need = |sort: SortId, before: &mut Vec<Command>| {
        let mut stack = vec![sort];
        while let Some(sort) = stack.pop() {
            if !sorts.insert(sort) {
                continue;
            }
            match store.sorts.get(sort) {
                Sort::Uninterpreted(name, args) if names.insert(*name) => {
                    before.insert(0, Command::DeclareSort(*name, args.len() as u32));
                }
                Sort::Datatype(d, _) => {
                    let (first, count) = store.datatype(*d).group;
                    if datatypes.insert(first) {
                        before.push(Command::DeclareDatatypes(first, count));
                    }
                }
                _ => {}
            }
            stack.extend(store.sorts.children(sort));
        }
    };
    visit(store, terms, |t| {
        need(store.sort(t), &mut before);
        if let Some(f) = store.op(t).func()
            && store.func(f).is_declared()
            && known.insert(f)
        {
            for &sort in &store.func(f).params {
                need(sort, &mut before);
            }
            all.push(Command::DeclareFun(f));
        }
    });
    all.splice(0..0, before);
}

/// The positions in a response that is a core, ascending.
fn core(response: &str) -> Option<Vec<usize>> {
    let inner = response.trim().strip_prefix('(')?.strip_suffix(')')?;
    let number = |word: &str| word.trim_matches('|').strip_prefix(NAME)?.parse().ok();
    let mut positions: Vec<usize> = inner.split_ascii_whitespace().map(number).collect::<Option<_>>()?;
    positions.sort_unstable();
    positions.dedup();
    Some(positions)
}

#[cfg(test)]
mod tests {
    use super::core;

    #[test]
    fn cores_are_positions() {
        let check = |text: &str, expect: Option<&[usize]>| assert_eq!(core(text).as_deref(), expect, "{text}");
        check("(squall!core!2 squall!core!0)", Some(&[0, 2]));
        check("(|squall!core!11|\n squall!core!3 )", Some(&[3, 11]));
        check("()", Some(&[]));
        check("(model)", None);
        check("(define-fun x () Int 3)", None);
    }
}
