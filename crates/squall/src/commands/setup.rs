//! `squall setup`: disk space, consent to settings files, shell completions and manual pages.

mod clean;
mod completions;
mod config;
mod man;

use crate::exit::Exit;
use anyhow::Result;

/// Free disk space, allow settings files, and install shell completions and manual pages.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall setup clean\n  squall setup config show\n  \
                        squall setup completions zsh > ~/.zfunc/_squall\n\n\
                        Exit codes: see the subcommands.")]
pub struct Args {
    #[command(subcommand)]
    command: SetupCommand,
}

#[derive(clap::Subcommand)]
enum SetupCommand {
    /// Show the disk usage of the cache and campaigns, and remove caches and leftovers.
    Clean(clean::Args),
    /// Show the settings files in use, and allow a squall.toml that was found to start programs and write files.
    Config(config::Args),
    /// Print a shell's completions for squall.
    Completions(completions::Args),
    /// Print the manual page, or write one for each subcommand.
    Man(man::Args),
}

/// Runs the subcommand; `squall` is the whole command line.
///
/// # Errors
/// The errors of the subcommands.
pub fn run(args: Args, squall: clap::Command) -> Result<Exit> {
    match args.command {
        SetupCommand::Clean(args) => clean::run(args),
        SetupCommand::Config(args) => config::run(args),
        SetupCommand::Completions(args) => completions::run(&args, squall),
        SetupCommand::Man(args) => man::run(&args, squall),
    }
}
