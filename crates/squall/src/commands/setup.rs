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
                        Exit codes: as the subcommand says.")]
pub struct Args {
    #[command(subcommand)]
    command: SetupCommand,
}

#[derive(clap::Subcommand)]
enum SetupCommand {
    /// Show what the cache and campaigns take on the disk, and remove what can be made again or was left behind.
    Clean(clean::Args),
    /// Show which settings files count, and allow what a squall.toml that was found may not do by itself.
    Config(config::Args),
    /// Print what a shell reads to complete squall's command lines.
    Completions(completions::Args),
    /// Print the manual page, or write one for each subcommand.
    Man(man::Args),
}

/// Runs the subcommand; `squall` is the whole command line.
///
/// # Errors
/// Those of the subcommands.
pub fn run(args: Args, squall: clap::Command) -> Result<Exit> {
    match args.command {
        SetupCommand::Clean(args) => clean::run(args),
        SetupCommand::Config(args) => config::run(args),
        SetupCommand::Completions(args) => completions::run(&args, squall),
        SetupCommand::Man(args) => man::run(&args, squall),
    }
}
