//! The title of an issue: the solver, the error, the script's operators and the options.

use ::finding::record::AFTER_RESET;
use ::finding::{failure, symptom};
use reduce::signature::operators;
use triage::folder::Triaged;

/// Describes the error and its circumstances in one line; `solver` is the name of the solver that errs.
pub fn headline(best: &Triaged, solver: &str) -> String {
    let finding = &best.finding;
    let said = symptom::describe(&finding.symptom);
    let operators = operators(best.script());
    // A crash is identified by its location, if it has one.
    let with = match operators.is_empty() || symptom::names_a_place(finding.class, &finding.symptom) {
        true => String::new(),
        false => format!(" with {}", operators.join(", ")),
    };
    let reason = reason(best).map_or(String::new(), |reason| format!(" ({reason})"));
    let parts = [("about", &*with), ("said", &*said), ("reason", &*reason)];
    let what = failure::fill(failure::row(finding.class, &finding.symptom).does, &parts);
    let what = what.replace("on a script (", "(");
    let mode = match best.mode() {
        "plain" | AFTER_RESET => String::new(),
        "incremental" => ", in incremental mode".to_string(),
        // A finding of several tactics has no single name.
        "" => String::new(),
        tactic => format!(", under the tactic {tactic}"),
    };
    let reset = if best.earlier.is_empty() { "" } else { ", after a reset" };
    let options = best.options();
    let options = if options.is_empty() { String::new() } else { format!(", with {}", options.join(" ")) };
    format!("{solver} {what}{mode}{reset}{options}")
}

/// The solver's reason for `unknown`, if it gave one.
fn reason(best: &Triaged) -> Option<String> {
    let reason = symptom::describe(best.finding.reason_unknown.as_deref()?);
    (!matches!(reason.as_str(), "" | symptom::UNKNOWN)).then_some(reason)
}
