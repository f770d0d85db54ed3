//! `squall cluster`: one campaign on many machines, with workers of a coordinator or by joining parts.

#[cfg(feature = "store")]
mod merge;
#[cfg_attr(not(feature = "nats"), path = "cluster/worker_without_nats.rs")]
pub mod worker;

use crate::exit::Exit;
use anyhow::Result;

/// Run one campaign on many machines, and join the parts of one.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall fuzz --coordinate nats://10.0.0.5:4222 --solver z3@4.15.4\n  \
    squall cluster worker nats://10.0.0.5:4222\n  \
    squall cluster merge part1 part2 part3 --out whole\n\n\
    Exit codes: see the subcommands.")]
pub struct Args {
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(clap::Subcommand)]
enum ClusterCommand {
    #[cfg_attr(feature = "nats", doc = "Run a worker of a campaign that is coordinated over NATS.")]
    #[cfg_attr(
        not(feature = "nats"),
        doc = "Run a worker of a campaign that is coordinated over NATS (needs `--features full`)."
    )]
    Worker(worker::Args),
    /// Join the folders that `squall fuzz --shard K/N` wrote.
    #[cfg(feature = "store")]
    Merge(merge::Args),
}

/// Runs the subcommand.
/// Errors: the error of the subcommand that runs.
pub fn run(args: Args) -> Result<Exit> {
    match args.command {
        ClusterCommand::Worker(args) => worker::run(args),
        #[cfg(feature = "store")]
        ClusterCommand::Merge(args) => merge::run(args),
    }
}
