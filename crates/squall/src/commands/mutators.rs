//! `squall mutators`: lists the mutators, what truth their mutants have, and their parameters.

use crate::exit::Exit;
use ::mutate::{MutatorEntry, REGISTRY};
use anyhow::Result;
use std::io::Write;

/// List the mutators: what they do, what is known of their mutants, their parameters.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall mutators\n  squall mutators fusion operator\n\n\
                  Parameters are set by --set NAME=VALUE of `squall mutate` and `squall fuzz`.\n\
                  Exit codes: 0 listed, 2 usage (no such mutator, too), 1 failure.")]
pub struct Args {
    /// Only these.
    #[arg(value_name = "NAMES")]
    names: Vec<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// A name that no mutator has, or output that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let mut out = crate::render::plain::stdout();
    let all = || REGISTRY.iter().copied().chain(::mutate::exec::ENTRIES);
    for name in &args.names {
        if !all().any(|e| e.name == name) {
            let known: Vec<&str> = all().map(|e| e.name).collect();
            usage!("there is no mutator `{name}`; there are {}", known.join(", "));
        }
    }
    for entry in all().filter(|e| args.names.is_empty() || args.names.iter().any(|n| n == e.name)) {
        describe(entry, &mut out)?;
    }
    Ok(Exit::Clean)
}

fn describe(entry: &MutatorEntry, out: &mut impl Write) -> Result<()> {
    let seeds = if entry.parents == 1 { "one seed".to_string() } else { format!("{} seeds", entry.parents) };
    writeln!(out, "{}: {}\n  takes {seeds}\n  truth: {}", entry.name, entry.about, entry.truth)?;
    for parameter in (entry.parameters)() {
        let default = if parameter.default.is_empty() { "none" } else { &parameter.default };
        writeln!(out, "  {:<18} {} (default: {default})", parameter.name, parameter.about)?;
    }
    writeln!(out)?;
    Ok(())
}
