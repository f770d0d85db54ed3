//! A finding on a terminal: its title, its script, why the solver is wrong, which releases err, and how to reproduce it.

use crate::render::say::quoted;
use ::finding::record::AFTER_RESET;
use ::finding::symptom::{WRONG_OPTIMUM, WRONG_VALUE};
use ::finding::{AnswerVector, Trust, failure, symptom};
use reduce::signature::operators;
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Command, FuncBody, FuncId, Store};
use std::path::Path;
use triage::folder::{CampaignFindings, Triaged};

/// The maximum number of lines of a shown script; of a longer one only the path is shown.
const MAX_LINES: usize = 15;
/// The maximum length of a line of a shown script, in characters.
const MAX_WIDTH: usize = 200;
/// The maximum length of a shown assignment, in characters.
const MAX_ASSIGNMENT: usize = 160;

/// Returns the finding in a folder, `None` if it cannot be read. `vector` has the releases' answers to the shown script.
pub fn in_full(folder: &Path, vector: &AnswerVector) -> Option<String> {
    let findings = CampaignFindings::load(folder).ok()?.findings;
    let finding = findings.first()?;
    let file = finding.script_path().display().to_string();
    let mut lines = Vec::new();
    match short_script(finding) {
        Some(script) => {
            lines.push(String::new());
            lines.extend(script.iter().map(|line| format!("    {line}")));
            lines.push(String::new());
        }
        None => lines.push(format!("      {file}")),
    }
    lines.push(why(finding));
    lines.extend(assignment(finding).map(|values| format!("The assignment: {values}.")));
    lines.extend(finding.false_assertion().map(|told| refuted(told, &finding.finding.symptom)));
    lines.extend(
        finding
            .broken_step()
            .map(|step| step.lines().fold("The step:".to_string(), |text, line| format!("{text}\n    {line}"))),
    );
    lines.extend(releases(vector));
    lines.push(format!("Reproduce: squall replay {}", quoted(&folder.display().to_string())));
    let indented = lines.iter().map(|line| match line.is_empty() || line.starts_with(' ') {
        true => line.clone(),
        false => format!("  {line}"),
    });
    Some(indented.collect::<Vec<_>>().join("\n"))
}

/// Returns the assertion that the model makes false, or the term whose values differ, with both values.
fn refuted(told: &str, symptom: &str) -> String {
    let mut lines = told.lines().map(str::trim);
    let first = lines.next().unwrap_or_default();
    match symptom {
        WRONG_VALUE => lines.fold(format!("The term is {first}"), |text, line| format!("{text}\n    {line}")),
        WRONG_OPTIMUM => lines.fold(format!("The objective is {first}"), |text, line| format!("{text}\n    {line}")),
        _ => format!("This is false: {first}"),
    }
}

/// Why the solver is wrong, and what the right answer is based on.
pub fn why(finding: &Triaged) -> String {
    let row = failure::row(finding.finding.class, &finding.finding.symptom);
    let [by_one, by_all, in_the_run] = row.why;
    if finding.trust().is_certified()
        && row.class.is_wrong_answer()
        && let Some(check) = GroundCheck::of(finding)
        && row.right.is_none_or(|right| right == check.answer())
    {
        return check.text();
    }
    match finding.trust() {
        Trust::Exhausted => by_all.to_string(),
        Trust::Observed | Trust::Measured => {
            let contradiction = finding.finding.contradiction.as_ref();
            failure::fill(in_the_run, &[("why", contradiction.map_or("", |found| &found.why))])
        }
        Trust::Trusted(who) => format!("This relies on the answer of {who}."),
        Trust::Command => "The command given to the reduction decided this.".to_string(),
        _ => by_one.to_string(),
    }
}

/// Returns the lines of the script, if they are few and short and need no preceding script.
fn short_script(finding: &Triaged) -> Option<Vec<&str>> {
    let lines: Vec<&str> = finding.script().trim_end().lines().collect();
    let fits = lines.len() <= MAX_LINES && lines.iter().all(|line| line.chars().count() <= MAX_WIDTH);
    (fits && finding.earlier.is_empty()).then_some(lines)
}

/// A script with one check, no symbols, and no value that the standard leaves open: its assertions can be computed.
struct GroundCheck {
    /// The values of the assertions at the check; later ones do not count.
    values: Vec<bool>,
}

impl GroundCheck {
    fn of(finding: &Triaged) -> Option<GroundCheck> {
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, finding.script()).script;
        let is_plain = |command: &Command| {
            !matches!(
                command,
                Command::DeclareFun(_)
                    | Command::CheckSatAssuming(_)
                    | Command::Push(_)
                    | Command::Opaque(..)
                    | Command::Extension(..)
            )
        };
        let [instance] = &script.instances()[..] else { return None };
        if !script.commands.iter().all(is_plain) {
            return None;
        }
        let mut evaluator = Evaluator::new(Model::new(), EvalLimits::default());
        let value = |&term| evaluator.eval(&store, term).ok()?.as_bool();
        Some(GroundCheck { values: instance.assertions.iter().map(value).collect::<Option<_>>()? })
    }

    fn answer(&self) -> &'static str {
        if self.values.iter().all(|value| *value) { "sat" } else { "unsat" }
    }

    /// Says why the answer is certain.
    fn text(&self) -> String {
        let value = match (&self.values[..], self.answer()) {
            ([], _) => return "Nothing is asserted at the check.".to_string(),
            (_, "sat") => "every assertion is true",
            _ => "an assertion is false",
        };
        format!("The script has no symbols: {value}, as an exact evaluator computes it, without any solver.")
    }
}

/// Returns the witness's values of the script's constants, if they are short.
fn assignment(finding: &Triaged) -> Option<String> {
    let mut store = Store::new();
    let free = smtlib::parse(&mut store, finding.script()).script.commands;
    let name = |store: &Store, f: FuncId| store.name(store.func(f).name).to_string();
    let free: Vec<String> = free
        .iter()
        .filter_map(|command| match command {
            Command::DeclareFun(f) if store.func(*f).params.is_empty() => Some(name(&store, *f)),
            _ => None,
        })
        .collect();
    let mut store = Store::new();
    let witness = smtlib::parse(&mut store, finding.shown_witness()?).script.commands;
    let values = witness.iter().filter_map(|command| {
        let Command::DefineFun(f) = command else { return None };
        let FuncBody::Defined { body, .. } = &store.func(*f).body else { return None };
        let name = name(&store, *f);
        free.contains(&name).then(|| format!("{name} = {}", store.term_text(*body)))
    });
    let text = values.collect::<Vec<_>>().join(", ");
    (!text.is_empty() && text.chars().count() <= MAX_ASSIGNMENT).then_some(text)
}

/// Which releases err, and which are right.
fn releases(vector: &AnswerVector) -> Option<String> {
    let of = |errs: bool| {
        let names: Vec<&str> = vector.releases().filter(|(_, e)| *e == errs).map(|(name, _)| name).collect();
        (!names.is_empty()).then(|| format!("{}: {}", if errs { "Wrong" } else { "Right" }, names.join(", ")))
    };
    let both: Vec<String> = [of(true), of(false)].into_iter().flatten().collect();
    (!both.is_empty()).then(|| both.join(". "))
}

/// Describes the error and its circumstances in one line; `solver` is the name of the solver that errs.
pub fn headline(best: &Triaged, solver: &str) -> String {
    let finding = &best.finding;
    let said = symptom::describe(&finding.symptom);
    let operators = operators(best.script());
    // A crash is identified by its location, if it has one, and a failure of the reader by no operator.
    let is_told = best.only_as_spelled() || symptom::names_a_place(finding.class, &finding.symptom);
    let with = match operators.is_empty() || is_told {
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
    let spelled = if best.only_as_spelled() { ", only as it is spelled" } else { "" };
    format!("{solver} {what}{mode}{reset}{options}{spelled}")
}

/// Returns the solver's reason for `unknown`, if it gave one.
fn reason(best: &Triaged) -> Option<String> {
    let reason = symptom::describe(best.finding.reason_unknown.as_deref()?);
    (!matches!(reason.as_str(), "" | symptom::UNKNOWN)).then_some(reason)
}
