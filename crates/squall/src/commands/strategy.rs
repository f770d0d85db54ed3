//! `squall strategy`: applies strategies, and lists their tactics and probes.

mod apply;
mod tune;

use crate::args::format::RowFormat;
use crate::args::strategies;
use crate::exit::Exit;
use ::solver::install::Fleet;
use anyhow::Result;
use serde_json::{Value, json};
use smtlib::strategy::Arguments;
use std::fmt::Write as _;
use strategy::defaults::default_strategies;
use strategy::probes::{PROBES, Read};
use strategy::registry::{TacticEntry, tactics};
use strategy::z3::{self, Z3Name};

/// Apply a strategy to a problem, learn one for a folder of files, and list tactics and probes.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall strategy apply simplify problem.smt2\n  squall strategy tactics solve-eqs\n  squall strategy tune problems/ --timeout 10s\n\n\
                        Exit codes: see the subcommands."
)]
pub struct Args {
    #[command(subcommand)]
    command: StrategyCommand,
}

#[derive(clap::Subcommand)]
enum StrategyCommand {
    /// Apply a tactic or strategy to a problem and print the resulting goals.
    Apply(apply::Args),
    /// Learn a strategy for a folder of files from each step's runs on them.
    Tune(tune::TuneArgs),
    /// List the tactics for strategies.
    Tactics(TacticsArgs),
    /// List the probes for strategies.
    Probes(ProbeArgs),
}

/// List the tactics for strategies.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall strategy tactics\n  squall strategy tactics solve-eqs\n  squall strategy tactics --defaults\n  squall strategy tactics --z3"
)]
pub struct TacticsArgs {
    /// One tactic: its parameters, and a goal before and after it.
    #[arg(value_name = "TACTIC")]
    name: Option<String>,
    /// The default strategies of logics, and the named ones of squall.toml.
    #[arg(long)]
    defaults: bool,
    /// Z3's tactics, probes and parameters, and their equivalents here.
    #[arg(long, conflicts_with_all = ["name", "defaults"])]
    z3: bool,
    #[command(flatten)]
    print: RowFormat,
}

/// List the probes for strategies.
#[derive(clap::Args)]
#[command(after_help = "Example: squall strategy probes")]
pub struct ProbeArgs {
    #[command(flatten)]
    print: RowFormat,
}

/// Runs the subcommand.
/// Errors: the error of the subcommand that runs.
pub fn run(args: Args) -> Result<Exit> {
    match args.command {
        StrategyCommand::Apply(args) => apply::run(args),
        StrategyCommand::Tune(args) => tune::run(&args),
        StrategyCommand::Tactics(args) => run_tactics(args),
        StrategyCommand::Probes(args) => run_probes(args),
    }
}

/// Runs `squall strategy tactics`.
/// Errors: an unknown tactic, or output that cannot be written.
fn run_tactics(args: TacticsArgs) -> Result<Exit> {
    let print = args.print;
    if args.z3 {
        if !print.is_json() {
            print!("{}", names_of_z3());
            return Ok(Exit::Clean);
        }
        for (kind, names) in [("tactic", &*z3::TACTICS), ("probe", &*z3::PROBES)] {
            for (name, row) in names {
                print.row("", || json!({ "name": name, "kind": kind, "about": what_stands_for(row) }));
            }
        }
        return Ok(Exit::Clean);
    }
    let all = tactics();
    if args.defaults {
        for (logic, text) in default_strategies() {
            // Names that are not of a logic are spelled in small letters.
            let (of, other) = if logic.starts_with(char::is_lowercase) { ("name", "logic") } else { ("logic", "name") };
            print.row(format_args!("{logic:<10} {text}"), || json!({ of: logic, other: null, "strategy": text }));
        }
        for (name, setting) in Fleet::of_user()?.profiles().strategies() {
            let text = setting.text.trim();
            print.row(format_args!("{name:<10} {text}"), || json!({ "logic": null, "name": name, "strategy": text }));
        }
        return Ok(Exit::Clean);
    }
    if let Some(name) = &args.name {
        let of_name: Vec<&TacticEntry> = all.iter().filter(|e| e.name == *name).collect();
        if of_name.is_empty() {
            if let Some(row) = z3::TACTICS.get(name) {
                let about = what_stands_for(row);
                let json = || json!({ "name": name, "kind": "tactic", "about": about });
                print.row(format_args!("{name}, a tactic of Z3: {about}"), json);
                return Ok(Exit::Clean);
            }
            let error = strategies::read(name, &strategy::vocabulary()).err();
            usage!("{}", error.map_or_else(|| format!("`{name}` is no tactic"), |error| error.to_string()));
        }
        for entry in of_name {
            print.row(details(entry).trim_end(), || json(entry));
        }
        return Ok(Exit::Clean);
    }
    let width = all.iter().map(|e| spelled(e).len()).max().unwrap_or(0);
    let mut kind = "";
    for entry in &all {
        if entry.kind() != kind && !print.is_json() {
            kind = entry.kind();
            println!("{}", heading(kind));
        }
        print.row(format_args!("  {:<width$}  {}", spelled(entry), entry.about), || json(entry));
    }
    Ok(Exit::Clean)
}

fn json(entry: &TacticEntry) -> Value {
    let parameters =
        entry.params().iter().map(|p| json!({ "name": p.name, "about": p.about, "default": p.default_text() }));
    let parameters: Vec<Value> = parameters.collect();
    json!({ "name": entry.name, "kind": entry.kind(), "about": entry.about, "spelled": spelled(entry), "parameters": parameters })
}

fn heading(kind: &str) -> &'static str {
    match kind {
        "basic" => "Basic:",
        "engine" => "Engines, which answer or fail:",
        "pass" => "Passes, which leave one goal:",
        _ => "Splits, which leave several goals, one of which must be satisfiable:",
    }
}

fn spelled(entry: &TacticEntry) -> String {
    match (entry.name, entry.arguments) {
        ("solver", _) => "(solver SPEC)".to_string(),
        ("rules", _) => "(rules \"FILE\")".to_string(),
        ("exec", _) => "(exec \"COMMAND\")".to_string(),
        (name, Arguments::None) => name.to_string(),
        (name, Arguments::Strategy) => format!("({name} S)"),
        (name, Arguments::Optional) => format!("{name}, ({name} S)"),
    }
}

fn details(entry: &TacticEntry) -> String {
    let mut text = format!("{}: {}\n", spelled(entry), entry.about);
    for parameter in entry.params() {
        let _ = writeln!(text, "  :{} ({})  {}", parameter.name, parameter.default_text(), parameter.about);
    }
    if let Some(example) = entry.example() {
        let _ = writeln!(text, "before:\n{}", indented(example.before));
        for after in example.after {
            let _ = writeln!(text, "after:\n{}", indented(after));
        }
    }
    text
}

/// Z3's names and their equivalents here.
fn names_of_z3() -> String {
    let mut text = String::new();
    for (heading, names) in [("Z3's tactics:", &*z3::TACTICS), ("Z3's probes:", &*z3::PROBES)] {
        let width = names.keys().map(String::len).max().unwrap_or(0);
        let _ = writeln!(text, "{heading}");
        for (name, row) in names {
            let _ = writeln!(text, "  {name:<width$}  {}", what_stands_for(row));
        }
    }
    let switches = &*z3::SWITCHES;
    let _ = writeln!(
        text,
        "Z3's {} parameters are passed to its own tactics, and have no effect on ours, except for:",
        z3::PARAMETERS.kinds().count()
    );
    for (name, tactic) in &switches.switches {
        let _ = writeln!(text, "  :{name} true     of simplify: {tactic} follows");
    }
    for (name, effect) in &switches.always {
        let _ = writeln!(text, "  :{name}     of simplify: always so, {effect}");
    }
    for (name, refused) in &switches.refused {
        let _ = writeln!(text, "  :{name} {}     refused: {}", refused.value, refused.why);
    }
    text
}

fn what_stands_for(row: &Z3Name) -> String {
    match row {
        Z3Name::Ours { ours, differs: None } => format!("ours: {ours}"),
        Z3Name::Ours { ours, differs: Some(differs) } => format!("ours: {ours} ({differs})"),
        Z3Name::Delegated { delegated } => format!("an installed z3 applies it; {delegated} here"),
        Z3Name::Refused { refused } => format!("refused: {refused}"),
    }
}

fn indented(text: &str) -> String {
    text.trim().lines().map(|line| format!("  {}", line.trim())).collect::<Vec<_>>().join("\n")
}

/// Runs `squall strategy probes`.
/// Errors: output that cannot be written.
fn run_probes(args: ProbeArgs) -> Result<Exit> {
    let width = PROBES.iter().map(|p| p.name.len()).max().unwrap_or(0);
    for probe in PROBES {
        let kind = match probe.read {
            Read::Truth(_) => "yes/no",
            Read::Number(_) => "number",
        };
        let json = || json!({ "name": probe.name, "kind": kind, "about": probe.about });
        args.print.row(format_args!("{:<width$}  {kind}  {}", probe.name, probe.about), json);
    }
    Ok(Exit::Clean)
}
