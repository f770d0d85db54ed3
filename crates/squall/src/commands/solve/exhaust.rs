//! `squall solve --exhaust`: decides a small finite problem with the evaluator, and prints a record.

use crate::args::format::OutputFormat;
use crate::args::theory::ScriptTheory;
use crate::commands::validate::read;
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use anyhow::Result;
use semantics::truth::optimum::{self, Optimum};
use semantics::truth::{self, CheckTruth, ExhaustLimits, Exhaustion, OpenTruth, Search, TruthQuery};
use semantics::{Model, Stop};
use serde_json::json;
use smtlib::{Instance, Store};
use std::path::Path;
use std::time::{Duration, Instant};

/// Options of `--exhaust`.
#[derive(clap::Args)]
pub struct ExhaustArgs {
    /// With --exhaust, the maximum number of assignments of the constants.
    #[arg(long, requires = "exhaust", value_name = "N", default_value_t = ExhaustLimits::default().assignments)]
    assignments: u64,
}

/// The default time limit of one check.
const CHECK_TIME: Duration = Duration::from_secs(60);
/// The time limit of all checks, as a multiple of that of one.
const ALL_CHECKS: u32 = 10;

/// Decides each check of a file.
/// Errors: a file that cannot be read, or has errors.
pub fn run(
    file: &Path,
    timeout: Option<Duration>,
    args: &ExhaustArgs,
    theory: &ScriptTheory,
    format: OutputFormat,
) -> Result<Exit> {
    let timeout = timeout.unwrap_or(CHECK_TIME);
    let mut store = Store::new();
    let (_, parsed) = read(&mut store, file, theory)?;
    let limits = ExhaustLimits { assignments: args.assignments, evaluations: u64::MAX, ..ExhaustLimits::default() };
    let mut code = Exit::Clean;
    let end = Instant::now().checked_add(timeout.saturating_mul(ALL_CHECKS));
    for instance in parsed.script.each_instance() {
        let of_check = Instant::now().checked_add(timeout);
        let stop = Stop { deadline: of_check.into_iter().chain(end).min(), cancelled: None };
        let line = ProgressLine::until("trying assignments", Some(timeout));
        let query = TruthQuery { limits: &limits, stop: &stop, search: Search::Recorded };
        let known = truth::of_instance(&mut store, &instance, query);
        drop(line);
        let lines = match &known {
            Ok(CheckTruth::Sat(model)) if instance.rules.is_some() => {
                // Definitions next to the rules would be another script.
                let text = witness(&mut store, &instance, model);
                let facts = text.lines().filter(|line| line.starts_with("(define-fun")).map(|line| format!("; {line}"));
                ["sat".to_string()].into_iter().chain(facts).collect::<Vec<_>>().join("\n")
            }
            Ok(CheckTruth::Sat(model)) => {
                let (best, told) = objectives(&mut store, &instance, query);
                format!("sat\n{told}{}", witness(&mut store, &instance, best.as_ref().unwrap_or(model)))
            }
            Ok(CheckTruth::Unsat(refutation)) => {
                let why =
                    refutation.definition.as_ref().or(refutation.underived.as_ref()).or(refutation.identity.as_ref());
                let why = why.map(|_| format!("; {refutation}"));
                let record = refutation.record.as_ref().map(|record| describe_record(&store, record));
                let steps = refutation.derivation.iter().map(|step| format!("; {step}"));
                ["unsat".to_string()].into_iter().chain(why).chain(record).chain(steps).collect::<Vec<_>>().join("\n")
            }
            Err(OpenTruth::Unresolved { reason, record: Some(record) }) => {
                format!("unknown\n; {reason}\n{}", describe_record(&store, record))
            }
            Err(reason) => format!("unknown\n; {reason}"),
        };
        if known.is_err() {
            code = Exit::Unknown;
        }
        format.row(&lines, || {
            let (answer, about) = lines.split_once('\n').unwrap_or((&lines, ""));
            let (model, comments): (Vec<&str>, Vec<&str>) = about.lines().partition(|line| !line.starts_with(';'));
            let notes: Vec<&str> = comments.iter().map(|line| line.trim_start_matches("; ")).collect();
            let model = if model.is_empty() { None } else { Some(model.join("\n")) };
            json!({ "check": instance.check + 1, "answer": answer, "model": model, "notes": notes })
        });
    }
    Ok(code)
}

/// Returns the best value of each objective as comments, and a model that has them all, if there is one.
fn objectives(store: &mut Store, instance: &Instance, query: TruthQuery<'_>) -> (Option<Model>, String) {
    if instance.objectives.is_empty() {
        return (None, String::new());
    }
    let all = match optimum::optima(store, instance, query) {
        Ok(all) => all,
        Err(why) => return (None, format!("; objectives: {why}\n")),
    };
    let mut told = String::new();
    for Optimum { is_maximum, term, value, .. } in &all {
        let sort = store.sort(*term);
        let value = value.to_term(store, sort).map_or("no literal".to_string(), |literal| store.term_text(literal));
        let word = if *is_maximum { "maximize" } else { "minimize" };
        told.push_str(&format!("; {word} {}: {value}\n", store.term_text(*term)));
    }
    let is_common = optimum::is_lexicographic(instance) == Some(true);
    (all.into_iter().last().filter(|_| is_common).map(|best| best.model), told)
}

/// Returns the model as a script for any solver, or why there is none.
fn witness(store: &mut Store, instance: &Instance, model: &Model) -> String {
    match model.witness(store, instance) {
        Ok(script) => store.script_text(&script),
        Err(reason) => format!("; the model has no text: {reason}"),
    }
}

/// Returns the record as comments.
fn describe_record(store: &Store, record: &Exhaustion) -> String {
    let mut lines = Vec::new();
    for (f, values) in &record.constants {
        lines.push(format!("; {}: {values} values", store.name(store.func(*f).name)));
    }
    for (sort, size) in &record.universes {
        lines.push(format!("; {}: up to {size} elements", store.sort_text(*sort)));
    }
    let digest: String = record.digest.iter().map(|byte| format!("{byte:02x}")).collect();
    lines.push(format!("; {} assignments, refuted in {} parts", record.assignments, record.refuted));
    lines.push(format!("; SHA-256 of the refuted parts: {digest}"));
    lines.join("\n")
}
