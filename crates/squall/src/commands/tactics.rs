//! `squall tactics` and `squall probes`: what strategies are made of.

use crate::args::strategies;
use crate::exit;
use ::solver::install::Fleet;
use anyhow::Result;
use smtlib::strategy::Arguments;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use strategy::defaults::default_strategies;
use strategy::probes::{PROBES, Read};
use strategy::registry::{TacticEntry, tactics};

/// List the tactics that strategies are made of.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall tactics\n  squall tactics solve-eqs\n  squall tactics --defaults")]
pub struct Args {
    /// One tactic: its parameters, and a goal before and after it.
    #[arg(value_name = "TACTIC")]
    name: Option<String>,
    /// The default strategies of the logics, and the named ones of squall.toml.
    #[arg(long)]
    defaults: bool,
}

/// List the probes that strategies may ask goals with.
#[derive(clap::Args)]
#[command(after_help = "Example: squall probes")]
pub struct ProbeArgs {}

/// Runs `squall tactics`.
///
/// # Errors
/// A tactic that does not exist, or output that cannot be written.
pub fn run(args: Args) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let all = tactics();
    if args.defaults {
        for (logic, text) in default_strategies() {
            writeln!(out, "{logic:<10} {text}")?;
        }
        for (name, text) in Fleet::of_user()?.profiles().strategies() {
            writeln!(out, "{name:<10} {text}")?;
        }
        return Ok(ExitCode::from(exit::CLEAN));
    }
    if let Some(name) = &args.name {
        let of_name: Vec<&TacticEntry> = all.iter().filter(|e| e.name == *name).collect();
        if of_name.is_empty() {
            let error = strategies::read(name, &strategy::vocabulary()).err();
            usage!("{}", error.map_or_else(|| format!("`{name}` is no tactic"), |error| error.to_string()));
        }
        for entry in of_name {
            out.write_all(details(entry).as_bytes())?;
        }
        return Ok(ExitCode::from(exit::CLEAN));
    }
    let width = all.iter().map(|e| spelled(e).len()).max().unwrap_or(0);
    let mut kind = "";
    for entry in &all {
        if entry.kind() != kind {
            kind = entry.kind();
            writeln!(out, "{}", heading(kind))?;
        }
        writeln!(out, "  {:<width$}  {}", spelled(entry), entry.about)?;
    }
    Ok(ExitCode::from(exit::CLEAN))
}

fn heading(kind: &str) -> &'static str {
    match kind {
        "basic" => "Basic:",
        "engine" => "Engines, which answer or fail:",
        "pass" => "Passes, which leave one goal:",
        _ => "Splits, which leave several goals, one of which has to be satisfiable:",
    }
}

fn spelled(entry: &TacticEntry) -> String {
    match (entry.name, entry.arguments) {
        ("solver", _) => "(solver SPEC)".to_string(),
        (name, Arguments::None) => name.to_string(),
        (name, Arguments::Strategy) => format!("({name} S)"),
        (name, Arguments::Optional) => format!("{name}, ({name} S)"),
    }
}

fn details(entry: &TacticEntry) -> String {
    let mut text = format!("{}: {}\n", spelled(entry), entry.about);
    for parameter in entry.params() {
        let _ = writeln!(text, "  :{} ({})  {}", parameter.name, parameter.default, parameter.about);
    }
    if let Some(example) = entry.example() {
        let _ = writeln!(text, "before:\n{}", indented(example.before));
        for after in example.after {
            let _ = writeln!(text, "after:\n{}", indented(after));
        }
    }
    text
}

fn indented(text: &str) -> String {
    text.trim().lines().map(|line| format!("  {}", line.trim())).collect::<Vec<_>>().join("\n")
}

/// Runs `squall probes`.
///
/// # Errors
/// Output that cannot be written.
pub fn run_probes(_: ProbeArgs) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let width = PROBES.iter().map(|p| p.name.len()).max().unwrap_or(0);
    for probe in PROBES {
        let kind = match probe.read {
            Read::Truth(_) => "yes/no",
            Read::Number(_) => "number",
        };
        writeln!(out, "{:<width$}  {kind}  {}", probe.name, probe.about)?;
    }
    Ok(ExitCode::from(exit::CLEAN))
}
