//! `squall exhaust`: decides a small finite problem by the plain evaluator alone, and says what was looked at.

use crate::args::format::RowFormat;
use crate::commands::validate::read;
use crate::exit::Exit;
use crate::render::progress::ProgressLine;
use anyhow::Result;
use semantics::Stop;
use semantics::truth::{self, CheckTruth, ExhaustLimits, Exhaustion, OpenTruth, Search, TruthQuery};
use serde_json::json;
use smtlib::{Instance, Store};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Decide a problem over small finite sets by looking at every assignment.
#[derive(clap::Args)]
#[command(
    after_help = "Symbols and bound variables must range over few values: by their sort, or by a guard in the text such \
                  as (or (= x 1.5) (= x 2.5)), (<= 0 i 9) or (str.in_re s …). What the standard leaves open is part of \
                  what is tried.\n\n\
                  Example: squall exhaust problem.smt2\n\n\
                  Exit codes: 0 every check is decided, 11 some are not, 1 failure, 2 usage."
)]
pub struct Args {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How long each check may take; all together may take ten times as long.
    #[arg(long, short, value_name = "TIME", default_value = "60s", value_parser = crate::args::units::time)]
    timeout: Duration,
    /// The most assignments of the constants.
    #[arg(long, value_name = "N", default_value_t = ExhaustLimits::default().assignments)]
    assignments: u64,
    #[command(flatten)]
    print: RowFormat,
}

/// All checks of a file may take this many times what one may.
const ALL_CHECKS: u32 = 10;

/// Runs the subcommand.
///
/// # Errors
/// A file that cannot be read, or has mistakes.
pub fn run(args: Args) -> Result<Exit> {
    let mut store = Store::new();
    let (_, parsed) = read(&mut store, &args.file)?;
    let limits = ExhaustLimits { assignments: args.assignments, evaluations: u64::MAX, ..ExhaustLimits::default() };
    let mut code = Exit::Clean;
    let end = Instant::now().checked_add(args.timeout.saturating_mul(ALL_CHECKS));
    for instance in parsed.script.each_instance() {
        let of_check = Instant::now().checked_add(args.timeout);
        let stop = Stop { deadline: of_check.into_iter().chain(end).min(), cancelled: None };
        let line = ProgressLine::until("trying assignments", Some(args.timeout));
        let query = TruthQuery { limits: &limits, stop: &stop, search: Search::Recorded };
        let known = truth::of_instance(&mut store, &instance, query);
        drop(line);
        let lines = match &known {
            Ok(CheckTruth::Sat(model)) => format!("sat\n{}", witness(&mut store, &instance, model)),
            Ok(CheckTruth::Unsat(refutation)) => {
                let why = refutation.definition.as_ref().map(|_| format!("; {refutation}"));
                let record = refutation.record.as_ref().map(|record| told(&store, record));
                let steps = refutation.derivation.iter().map(|step| format!("; {step}"));
                ["unsat".to_string()].into_iter().chain(why).chain(record).chain(steps).collect::<Vec<_>>().join("\n")
            }
            Err(OpenTruth::Unresolved { reason, record: Some(record) }) => {
                format!("unknown\n; {reason}\n{}", told(&store, record))
            }
            Err(reason) => format!("unknown\n; {reason}"),
        };
        if known.is_err() {
            code = Exit::Unknown;
        }
        args.print.row(&lines, || {
            let (answer, about) = lines.split_once('\n').unwrap_or((&lines, ""));
            let (model, comments): (Vec<&str>, Vec<&str>) = about.lines().partition(|line| !line.starts_with(';'));
            let notes: Vec<&str> = comments.iter().map(|line| line.trim_start_matches("; ")).collect();
            let model = if model.is_empty() { None } else { Some(model.join("\n")) };
            json!({ "check": instance.check + 1, "answer": answer, "model": model, "notes": notes })
        });
    }
    Ok(code)
}

/// The model as a script that any solver can be given, or why there is none.
fn witness(store: &mut Store, instance: &Instance, model: &semantics::Model) -> String {
    match model.witness(store, instance) {
        Ok(script) => store.script_text(&script),
        Err(reason) => format!("; the model has no text: {reason}"),
    }
}

/// The record in comments.
fn told(store: &Store, record: &Exhaustion) -> String {
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
