//! The names of a solver's tactics and probes, from which random strategies are made.

use mutate::query_mode::RANDOM_STRATEGIES;
use solver::process::ProcessLimits;
use solver::session::{SessionNeeds, Solver};
use std::time::Duration;

/// The time limit for a solver to list its tactics.
const TIME: Duration = Duration::from_secs(10);
/// Tactics that print, wait or measure instead of solving.
const PASSED_OVER: &[&str] = &["collect-statistics", "fail-if-undecided", "skip", "fail"];
/// The maximum number of switches varied per tactic.
const SWITCHES: usize = 40;

/// Returns the value of the parameter `tactics` for random strategies: from the output of `(help-tactic)`, else from the solver's
/// profile. Empty for a solver without tactics.
pub(crate) fn setting(solver: &Solver) -> String {
    let limits = ProcessLimits { wall: TIME, ..ProcessLimits::default() };
    let listed = solver.check("(help-tactic)\n", SessionNeeds::SINGLE, &limits).ok();
    let text = listed.map(|outcome| String::from_utf8_lossy(&outcome.stdout).into_owned()).unwrap_or_default();
    let mut names = read(&text);
    if names.tactics.is_empty() {
        let version = solver.installed().version.as_ref();
        let known = solver.profile().tactics(version).into_iter();
        names.tactics.extend(known.filter(|text| !text.contains(['(', ' '])).map(str::to_string));
    }
    if names.tactics.is_empty() {
        return String::new();
    }
    format!(
        "{RANDOM_STRATEGIES} {}; {}; {}; {}",
        names.tactics.join(" "),
        names.probes.join(" "),
        names.engines.join(" "),
        names.switches.join(" ")
    )
}

/// The contents of a list of tactics.
#[derive(Default, PartialEq, Eq, Debug)]
struct TacticNames {
    tactics: Vec<String>,
    probes: Vec<String>,
    /// Tactics that give answers, according to their descriptions.
    engines: Vec<String>,
    /// `tactic:parameter` for Boolean parameters.
    switches: Vec<String>,
}

/// Parses Z3's output: `- name about` under `builtin tactics:` and `builtin probes:`, parameters indented below a tactic.
fn read(text: &str) -> TacticNames {
    let mut names = TacticNames::default();
    let mut in_probes = None;
    let mut of_tactic = 0;
    for line in text.lines() {
        match line.trim() {
            "builtin tactics:" => in_probes = Some(false),
            "builtin probes:" => in_probes = Some(true),
            _ => {}
        }
        let Some(in_probes) = in_probes else { continue };
        if let Some(entry) = line.strip_prefix("- ") {
            let (name, about) = entry.split_once(' ').unwrap_or((entry, ""));
            of_tactic = 0;
            if in_probes {
                names.probes.push(name.to_string());
            } else if !PASSED_OVER.contains(&name) {
                let answers = about.contains("strategy for solving") || about.contains("try to) solve");
                if answers || matches!(name, "smt" | "sat" | "default") {
                    names.engines.push(name.to_string());
                }
                names.tactics.push(name.to_string());
            }
        } else if let Some((key, _)) = line.trim().split_once(" (bool) ")
            && !in_probes
            && of_tactic < SWITCHES
            && let Some(tactic) = names.tactics.last()
        {
            of_tactic += 1;
            names.switches.push(format!("{tactic}:{key}"));
        }
    }
    names
}

#[cfg(test)]
#[path = "../../tests/unit/tactic_names.rs"]
mod tests;
