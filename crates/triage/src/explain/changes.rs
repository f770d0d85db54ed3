//! What is tried on a script, one at a time: switches, choices and tactics are added, and passes are applied alone.

use super::asker::ExplainBound;
use super::script_query::ScriptQuery;
use crate::explanation::{AskingPart, PartKind, PassEffect, TriedPass};
use conform::Explained;
use conform::explained::BUILT_IN;
use conform::passes::{PassChecker, PassProblem, PassSyntax, PassTally};
use oracle::tested::spelling;
use solver::profile::Profile;
use solver::version::Version;

/// Placeholder for a theme of problems.
const THEME: &str = "a finding";

/// Returns the changes to try with a version, without those of parts that are known to be needed. `tactics` includes tactics.
pub fn changes(profile: &Profile, version: Option<&Version>, needs: &[AskingPart], tactics: bool) -> Vec<AskingPart> {
    let switches = profile.switches.iter().cloned();
    let choices = profile.choice.iter().filter(|choice| choice.versions.contains(version));
    let values = choices.flat_map(|choice| choice.values.iter().map(|value| choice.option.replace("{}", value)));
    let kind = |text: &str| if text.starts_with('(') { PartKind::Command } else { PartKind::Option };
    let options = switches.chain(values).map(|text| AskingPart { kind: kind(&text), text });
    let tactics = profile.tactics(version).into_iter().filter(|_| tactics);
    let tactics = tactics.map(|text| AskingPart { kind: PartKind::Tactic, text: text.to_string() });
    let mut all: Vec<AskingPart> = Vec::new();
    for change in options.chain(tactics) {
        let is_needed = needs.iter().any(|part| part.kind == change.kind && subject_of(part) == subject_of(&change));
        if !is_needed && !all.iter().any(|known| is_same(known, &change)) {
            all.push(change);
        }
    }
    all
}

/// Whether two changes set the same option: a switch may be written as `--level 0` and a choice as `--level=0`.
fn is_same(a: &AskingPart, b: &AskingPart) -> bool {
    let is_long = a.text.starts_with("--") && b.text.starts_with("--");
    a == b || (is_long && a.kind == b.kind && a.text.replace(' ', "=") == b.text.replace(' ', "="))
}

/// Returns the name that an option or command sets: the text before its value.
fn subject_of(part: &AskingPart) -> &str {
    let end = match part.kind {
        PartKind::Option => part.text.find(['=', ' ']),
        PartKind::Command => part.text.find(' '),
        PartKind::Tactic | PartKind::Push | PartKind::Predecessors => None,
    };
    end.map_or(part.text.as_str(), |end| &part.text[..end])
}

/// Tests each pass whose result the solver prints; none if it prints none or exhaustion does not decide the script. `script` has no
/// options or tactics, and its last check is the wrongly answered one. The second value is the number of passes not tried.
pub fn passes(script: &ScriptQuery, bound: &ExplainBound) -> (Vec<TriedPass>, usize) {
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

#[cfg(test)]
#[path = "../../tests/unit/changes.rs"]
mod tests;
