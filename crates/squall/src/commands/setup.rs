//! `squall setup`: disk space, consent to settings files, shell completions and manual pages.

mod clean;
mod config;

use crate::exit::Exit;
use anyhow::{Context, Result};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
use std::path::{Path, PathBuf};

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
    Completions(CompletionsArgs),
    /// Print the manual page, or write one per subcommand.
    Man(ManArgs),
}

/// Print a shell's completions for squall.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall setup completions bash > ~/.local/share/bash-completion/completions/squall\n  \
    squall setup completions zsh > ~/.zfunc/_squall        # with fpath+=~/.zfunc before compinit in ~/.zshrc\n  \
    squall setup completions fish > ~/.config/fish/completions/squall.fish\n\n\
    Exit codes: 0 printed, 1 failure, 2 usage.")]
struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write one per subcommand.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall setup man | man -l -\n  \
    squall setup man --out ~/.local/share/man/man1\n\n\
    Exit codes: 0 written, 1 failure, 2 usage.")]
struct ManArgs {
    /// The folder for squall.1, squall-fuzz.1 and so on [default: print squall.1].
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the subcommand; `squall` is the whole command line.
/// Errors: the error of the subcommand that runs.
pub fn run(args: Args, squall: clap::Command) -> Result<Exit> {
    match args.command {
        SetupCommand::Clean(args) => clean::run(args),
        SetupCommand::Config(args) => config::run(args),
        SetupCommand::Completions(args) => print_completions(&args, squall),
        SetupCommand::Man(args) => print_man(&args, squall),
    }
}

/// Prints the completions of a shell.
fn print_completions(args: &CompletionsArgs, mut squall: clap::Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut squall, "squall", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Exit::Clean)
}

/// Prints the manual page, or writes all pages into a folder.
fn print_man(args: &ManArgs, squall: clap::Command) -> Result<Exit> {
    // `squall help` repeats the --help of each subcommand.
    let mut squall = squall.disable_help_subcommand(true);
    squall.build();
    match &args.out {
        None => crate::render::plain::stdout().write_all(&page(squall)?)?,
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder '{}'", folder.display()))?;
            write_all(&squall, folder)?;
        }
    }
    Ok(Exit::Clean)
}

/// Writes the page of a command and those of its subcommands.
fn write_all(command: &clap::Command, folder: &Path) -> Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    files::atomic::write(&path, &page(command.clone())?)
        .with_context(|| format!("cannot write '{}'", path.display()))?;
    println!("{}", path.display());
    command.get_subcommands().try_for_each(|command| write_all(command, folder))
}

/// Returns a manual page in roff.
fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(text)
}
