//! Decides whether a pass preserved the satisfiability of a problem.

use super::after::AfterPass;
use super::problem::PassProblem;
use super::truth::{WorldTruth, decide};
use rustc_hash::FxHashSet;
use semantics::EvalLimits;
use semantics::truth::ExhaustLimits;
use smtlib::sexpr::{Sexprs, atoms, bare};
use std::fmt::Write as _;

/// The limits for the result of a pass: higher than for a problem, because a pass adds symbols and terms.
pub const LIMITS: ExhaustLimits = ExhaustLimits {
    assignments: 1 << 16,
    values: 256,
    evaluations: 4000,
    steps: u64::MAX,
    each: EvalLimits {
        steps: 1 << 17,
        memory: 1 << 22,
        domain: 1 << 10,
        instances: 64,
        bits: 1 << 12,
        nesting: 400,
        regex_steps: 1 << 14,
        call_memo: 1 << 10,
        life: u64::MAX,
    },
};

/// The verdict on a pass on a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PassVerdict {
    /// The goals have the truth of the problem, as far as their precision promises it.
    Kept {
        /// Whether every assignment satisfies the goals if and only if it satisfies the problem; `None` if not checked.
        equivalent: Option<bool>,
    },
    /// Either the problem or the goals are satisfiable, but not both.
    Different,
    /// Only one of problem and goals is satisfiable, and it depends on a value that the standard leaves unspecified.
    ByChoice,
    /// Undecided, for this reason.
    Open(String),
}

/// Whether some goal is satisfiable.
pub fn truth_of_goals(after: &AfterPass, truths: &[WorldTruth]) -> WorldTruth {
    let of_goals = || after.precisions.iter().zip(truths);
    let sat = |by_choice: bool| {
        of_goals()
            .any(|(p, t)| p.keeps_sat() && *t == WorldTruth::Sat { by_choice })
            .then_some(WorldTruth::Sat { by_choice })
    };
    if truths.len() != after.goals.len() {
        let reason = truths.iter().find(|truth| matches!(truth, WorldTruth::Open(_)));
        return reason.cloned().unwrap_or_else(|| WorldTruth::Open("the goals cannot be read".to_string()));
    }
    if let Some(sat) = sat(false).or_else(|| sat(true)) {
        return sat;
    }
    for (precision, truth) in of_goals() {
        match truth {
            WorldTruth::Open(_) => return truth.clone(),
            _ if !precision.keeps_unsat() => return WorldTruth::Open("a goal is not precise".to_string()),
            _ => {}
        }
    }
    // The remaining goals are unsatisfiable, or satisfiable without a promise.
    match of_goals().all(|(_, truth)| *truth == WorldTruth::Unsat) {
        true => WorldTruth::Unsat,
        false => WorldTruth::Open("a goal is not precise".to_string()),
    }
}

/// Compares the truth of a problem with that of its goals.
pub fn compare(before: &WorldTruth, after: &WorldTruth) -> PassVerdict {
    match (before, after) {
        (_, WorldTruth::Open(reason)) | (WorldTruth::Open(reason), _) => PassVerdict::Open(reason.clone()),
        (WorldTruth::Sat { by_choice: true }, WorldTruth::Unsat)
        | (WorldTruth::Unsat, WorldTruth::Sat { by_choice: true }) => PassVerdict::ByChoice,
        (WorldTruth::Sat { .. }, WorldTruth::Unsat) | (WorldTruth::Unsat, WorldTruth::Sat { .. }) => {
            PassVerdict::Different
        }
        (WorldTruth::Sat { .. }, WorldTruth::Sat { .. }) | (WorldTruth::Unsat, WorldTruth::Unsat) => {
            PassVerdict::Kept { equivalent: None }
        }
    }
}

/// Compares a problem with the result of a pass.
pub fn judge(problem: &PassProblem, after: &AfterPass) -> PassVerdict {
    let truths = decide(&after.script(), &LIMITS);
    match compare(&problem.truth, &truth_of_goals(after, &truths)) {
        PassVerdict::Kept { .. } => PassVerdict::Kept { equivalent: is_equivalent(problem, after) },
        verdict => verdict,
    }
}

/// Whether every assignment satisfies a goal if and only if it satisfies the problem; `None` if the goals have other symbols, or that is
/// undecided.
fn is_equivalent(problem: &PassProblem, after: &AfterPass) -> Option<bool> {
    if !after.is_over_problem
        || !names_all_symbols(problem, after)
        || !after.precisions.iter().all(|p| p.keeps_sat() && p.keeps_unsat())
    {
        return None;
    }
    let before = conjunction(&problem.formulas());
    let goals: Vec<String> = after.goals.iter().map(|goal| conjunction(goal)).collect();
    let mut text = problem.declarations.clone();
    // Writing into a string cannot fail.
    let _ = write!(text, "(push 1)\n(assert {before})\n");
    for goal in &goals {
        let _ = writeln!(text, "(assert (not {goal}))");
    }
    text.push_str("(check-sat)\n(pop 1)\n");
    for goal in &goals {
        let _ = write!(text, "(push 1)\n(assert {goal})\n(assert (not {before}))\n(check-sat)\n(pop 1)\n");
    }
    let truths = decide(&text, &LIMITS);
    if truths.len() != goals.len() + 1 {
        return None;
    }
    if truths.contains(&WorldTruth::Sat { by_choice: false }) {
        return Some(false);
    }
    truths.iter().all(|truth| *truth == WorldTruth::Unsat).then_some(true)
}

/// Whether all symbols of the problem remain.
fn names_all_symbols(problem: &PassProblem, after: &AfterPass) -> bool {
    let formulas: Vec<&String> = after.goals.iter().flatten().collect();
    let atoms: FxHashSet<&str> = formulas.iter().flat_map(|text| atoms(*text).map(|span| bare(&text[span]))).collect();
    let declared = Sexprs::read(&problem.declarations);
    declared
        .top()
        .filter_map(|node| declared.headed(node, "declare-fun"))
        .all(|parts| parts.first().is_some_and(|&name| atoms.contains(bare(declared.text(name)))))
}

fn conjunction(formulas: &[String]) -> String {
    match formulas {
        [] => "true".to_string(),
        [one] => one.clone(),
        many => format!("(and {})", many.join(" ")),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/verdict.rs"]
mod tests;
