//! Applies each of the solver's passes alone to the script; exhaustion decides the script before and after.

use super::asked::AskedScript;
use super::bound::ExplainBound;
use crate::explanation::{PassEffect, TriedPass};
use conform::Explained;
use conform::explained::BUILT_IN;
use conform::passes::{PassChecker, PassProblem, PassSyntax, PassTally};
use oracle::tested::spelling;

/// Placeholder for a theme of problems.
const THEME: &str = "a finding";

/// Tests each pass whose result the solver prints; none if it prints none or exhaustion does not decide the script. `script` has no
/// options or tactics, and its last check is the wrongly answered one. The second value is the number of passes not tried.
pub fn passes(script: &AskedScript, bound: &ExplainBound) -> (Vec<TriedPass>, usize) {
    let solver = script.solver.clone().with_cancel(bound.cancel().clone());
    let installed = solver.installed();
    // The table is compiled into this program.
    let Ok(table) = Explained::parse(BUILT_IN) else { return (Vec::new(), 0) };
    let asking = table.asking(installed);
    let Some(command) = asking.passes_by else { return (Vec::new(), 0) };
    let Some(problem) = PassProblem::of_text(THEME, &script.text, &spelling(installed)) else {
        return (Vec::new(), 0);
    };
    let names: Vec<String> = asking.passes.into_iter().filter(|pass| !pass.is_empty()).collect();
    let syntax = PassSyntax { command, options: asking.pass_options };
    let mut tried = Vec::new();
    for (n, name) in names.iter().enumerate() {
        if bound.is_over() {
            return (tried, names.len() - n);
        }
        let mut limits = script.question.limits.clone();
        limits.script_cpu = [limits.script_cpu, bound.left()].into_iter().flatten().min();
        let mut checker = PassChecker::new(solver.clone(), syntax.clone(), vec![name.clone()], limits);
        // A pass that cannot be run decides nothing.
        let is_run = checker.check(std::slice::from_ref(&problem)).is_ok();
        bound.add(checker.cpu);
        let tally = checker.tallies.pop().unwrap_or_default();
        tried.push(if is_run { of_tally(name, &tally) } else { of_tally(name, &PassTally::default()) });
    }
    (tried, 0)
}

fn of_tally(name: &str, tally: &PassTally) -> TriedPass {
    let did = match (tally.different_count, tally.kept) {
        (1.., _) => PassEffect::Lost,
        (0, 1..) => PassEffect::Kept,
        (0, 0) => PassEffect::Open,
    };
    let step = tally.different.first().map(|difference| difference.guilty.clone()).filter(|step| step != name);
    TriedPass { text: name.to_string(), did, step }
}
