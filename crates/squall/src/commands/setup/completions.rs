//! `squall setup completions`: prints shell completions.

use crate::exit::Exit;
use anyhow::Result;
use clap_complete::Shell;
use std::io::Write;

/// Print a shell's completions for squall.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall setup completions bash > ~/.local/share/bash-completion/completions/squall\n  \
    squall setup completions zsh > ~/.zfunc/_squall        # with fpath+=~/.zfunc before compinit in ~/.zshrc\n  \
    squall setup completions fish > ~/.config/fish/completions/squall.fish\n\n\
    Exit codes: 0 printed, 1 failure, 2 usage.")]
pub struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the subcommand for the whole command line `squall`.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(args: &Args, mut squall: clap::Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut squall, "squall", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Clean)
}
