//! `squall setup man`: prints the manual page, or writes one per subcommand.

use crate::exit::Exit;
use anyhow::{Context, Result};
use clap_mangen::Man;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Print the manual page, or write one per subcommand.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall setup man | man -l -\n  \
    squall setup man --out ~/.local/share/man/man1\n\n\
    Exit codes: 0 written, 1 failure, 2 usage.")]
pub struct Args {
    /// The folder for squall.1, squall-fuzz.1 and so on [default: print squall.1].
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the subcommand for the whole command line `squall`.
///
/// # Errors
/// A folder or standard output cannot be written.
pub fn run(args: &Args, squall: clap::Command) -> Result<Exit> {
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

/// A manual page in roff.
fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(text)
}
