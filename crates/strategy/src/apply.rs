//! `squall strategy apply`: the result of a strategy on a problem, as SMT-LIB.

use crate::external::add_fresh;
use crate::outcome::{GoalWitness, TacticOutcome};
use crate::plan::StrategyPlan;
use crate::probes::logic_to_print;
use crate::run::TacticRun;
use rewrite::walk::visit;
use rewrite::{Goal, ModelConverter, PassResult, PassSettings, Precision, Wants};
use rustc_hash::FxHashSet;
use semantics::Model;
use smtlib::printer::quote_symbol;
use smtlib::{Command, Dialect, FuncId, Instance, Printer, Store, TermId};
use std::fmt::Write;
use std::sync::Arc;

/// A goal that a strategy left, or that is decided: without formulas, or with `false`.
#[derive(Clone, Debug)]
pub struct AppliedGoal {
    /// The goal, with the model conversion.
    pub step: PassResult,
    /// Its number, the number of goals, and its relation to the problem: comment lines without the comment characters.
    pub heading: Vec<String>,
    /// The model of the problem, if the strategy found a readable one.
    pub model: Option<Model>,
}

/// Returns the goals that a plan leaves of an instance's assertions, at least one.
/// Errors: the strategy failed; gives the reason.
pub fn goals_left(
    store: &mut Store,
    instance: &Instance,
    plan: &StrategyPlan,
    run: &mut TacticRun,
) -> Result<Vec<AppliedGoal>, String> {
    let settings = PassSettings { limits: run.budget.limits, stop: run.budget.stop(), ..PassSettings::default() };
    let goal = Goal::of(store, &instance.assertions, Wants::MODELS, &settings).map_err(|error| error.to_string())?;
    let outcome = plan.run(store, goal, run);
    let decided = |store: &mut Store, value: bool| {
        let mut goal = Goal::new(Wants::MODELS);
        let term = store.bool(value);
        goal.push(store, rewrite::GoalFormula::new(term, rewrite::Origins::none()));
        vec![PassResult { goal, converter: ModelConverter::identity() }]
    };
    // The programs on whose answers the removal of parts depends.
    let (steps, trusted, model): (Vec<PassResult>, Vec<Arc<str>>, Option<Model>) = match outcome {
        TacticOutcome::Fail(failure) => return Err(failure.to_string()),
        TacticOutcome::Sat(GoalWitness { model: None, by, external: true }) => (decided(store, true), vec![by], None),
        TacticOutcome::Sat(witness) => (decided(store, true), Vec::new(), witness.model),
        TacticOutcome::Unsat(refutation) => (decided(store, false), refutation.proof.trusted(), None),
        TacticOutcome::Open(open) => (open.branches, open.proof.trusted(), None),
    };
    let count = steps.len();
    let goals = steps.into_iter().enumerate().map(|(n, step)| {
        let goal = &step.goal;
        let mut heading =
            vec![format!("goal {} of {count}: {}, depth {}", n + 1, precision(goal.precision), goal.depth)];
        if !trusted.is_empty() {
            heading.push(format!("trusted: {}", trusted.join(", ")));
        }
        AppliedGoal { step, heading, model: model.clone() }
    });
    Ok(goals.collect())
}

/// Prints a goal as a script with comments before and after it.
pub fn goal_script(store: &Store, instance: &Instance, goal: &AppliedGoal) -> String {
    let mut text: String = goal.heading.iter().map(|line| format!("; {line}\n")).collect();
    script(store, instance, &goal.step.goal, &mut text);
    way_back(store, instance, &goal.step, &mut text);
    text
}

fn precision(precision: Precision) -> &'static str {
    match precision {
        Precision::Exact => "exact",
        Precision::Under => "under-approximation (its sat counts)",
        Precision::Over => "over-approximation (its unsat counts)",
        Precision::UnderOver => "under- and over-approximation (no answer counts)",
    }
}

/// Appends a goal as a script that every solver reads: only the symbols of its formulas are declared.
fn script(store: &Store, instance: &Instance, goal: &Goal, out: &mut String) {
    let is_recursive = |c: &Command| matches!(c, Command::DefineFunsRec(_));
    // Recursive definitions may use any symbol; other definitions have been expanded.
    let whole = instance.declarations.iter().any(is_recursive);
    let kept = |c: &&Command| whole || !matches!(c, Command::DeclareFun(_) | Command::DefineFun(_));
    let mut declarations: Vec<Command> = instance.declarations.iter().filter(kept).cloned().collect();
    add_fresh(store, goal.terms(), &mut declarations);
    let _ = writeln!(out, "(set-logic {})", logic_to_print(store, goal, &declarations));
    let dialect = Dialect::default();
    let mut printer = Printer::new(store, &dialect);
    for command in &declarations {
        printer.command(command, out);
        out.push('\n');
    }
    for term in goal.terms() {
        out.push_str("(assert ");
        printer.term(term, out);
        out.push_str(")\n");
    }
    out.push_str("(check-sat)\n");
}

/// Appends the definitions of removed symbols as comments: they may need another logic.
fn way_back(store: &Store, instance: &Instance, goal: &PassResult, out: &mut String) {
    let name = |symbol: FuncId| {
        let mut name = String::new();
        quote_symbol(store.name(store.func(symbol).name), &mut name);
        name
    };
    let (definitions, _) = goal.converter.definitions();
    let left = symbols(store, goal.goal.terms());
    let defined: FxHashSet<FuncId> = definitions.iter().map(|(symbol, _)| *symbol).collect();
    let mut lost: Vec<FuncId> = symbols(store, instance.assertions.iter().copied()).into_iter().collect();
    lost.retain(|symbol| store.func(*symbol).is_declared() && !left.contains(symbol) && !defined.contains(symbol));
    lost.sort_unstable();
    if !definitions.is_empty() {
        out.push_str("; the symbols of the input that are gone, by those above:\n");
    }
    for (symbol, term) in definitions {
        let sort = store.sort_text(store.sort(term));
        let _ = writeln!(out, "; (define-fun {} () {sort} {})", name(symbol), store.term_text(term));
    }
    if !lost.is_empty() {
        let names: Vec<String> = lost.into_iter().map(name).collect();
        let _ = writeln!(out, "; gone, and given by no term: {}", names.join(" "));
    }
}

/// Returns the functions in terms, and in their definitions.
fn symbols(store: &Store, terms: impl IntoIterator<Item = TermId>) -> FxHashSet<FuncId> {
    let mut found = FxHashSet::default();
    let mut open: Vec<TermId> = terms.into_iter().collect();
    while !open.is_empty() {
        let mut bodies = Vec::new();
        visit(store, open, |t| {
            if let Some(f) = store.applied(t)
                && found.insert(f)
            {
                bodies.extend(store.func(f).definition().map(|(_, body)| body));
            }
        });
        open = bodies;
    }
    found
}
