//! `squall strategy`: applies strategies, and lists their parts.

mod apply;
mod tactics;

use crate::exit::Exit;
use anyhow::Result;

/// Apply a strategy to a problem and print the goals; list tactics and probes.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall strategy apply simplify problem.smt2\n  squall strategy tactics solve-eqs\n\n\
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
    /// List the tactics for strategies.
    Tactics(tactics::Args),
    /// List the probes for strategies.
    Probes(tactics::ProbeArgs),
}

/// Runs the subcommand.
///
/// # Errors
/// The errors of the subcommands.
pub fn run(args: Args) -> Result<Exit> {
    match args.command {
        StrategyCommand::Apply(args) => apply::run(args),
        StrategyCommand::Tactics(args) => tactics::run(args),
        StrategyCommand::Probes(args) => tactics::run_probes(args),
    }
}
