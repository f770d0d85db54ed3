//! `squall check`: reads SMT-LIB files and says what is wrong with them.

use crate::exit::Exit;
use anyhow::Result;
use smtlib::{Command, Store};
use std::io::Write;
use std::path::PathBuf;
use triage::error_text;

/// Mistakes shown for one file; the rest are counted.
const SHOWN: usize = 20;

/// Check files for errors of syntax and sorts, and say where they are.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall check problem.smt2\n  squall check --print problem.smt2\n  squall check seeds/\n\n\
                  Exit codes: 0 all files are right, 10 some are not, 1 a file cannot be read, 2 usage."
)]
pub struct Args {
    /// Files, folders (all .smt2 files below them), or - for standard input.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Print each file back as it was understood, shared subterms bound by `let`.
    #[arg(long)]
    print: bool,
    /// A line for each file that is right, too.
    #[arg(long, short)]
    verbose: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// A path that does not exist, or output that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let mut out = crate::render::plain::stdout();
    let (mut right, mut wrong, mut unread, mut carried) = (0u64, 0u64, 0u64, 0u64);
    for path in files::named_scripts(&args.files)? {
        let name = path.display().to_string();
        let bytes = match files::named(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{}", error_text(&error.into()));
                unread += 1;
                continue;
            }
        };
        let mut store = Store::new();
        let parsed = match smtlib::parse_bytes(&mut store, &bytes) {
            Ok(parsed) => parsed,
            Err(error) => {
                eprintln!("{}", error.render(&name, &String::from_utf8_lossy(&bytes)));
                wrong += 1;
                continue;
            }
        };
        let source = String::from_utf8_lossy(&bytes);
        for error in parsed.errors.iter().take(SHOWN) {
            eprintln!("{}", error.render(&name, &source));
        }
        if parsed.errors.len() > SHOWN {
            eprintln!("{name}: and {} more mistakes", parsed.errors.len() - SHOWN);
        }
        let commands = &parsed.script.commands;
        let opaque = commands.iter().filter(|c| matches!(c, Command::Opaque(..))).count();
        carried += opaque as u64;
        if parsed.errors.is_empty() {
            right += 1;
            if args.verbose {
                writeln!(out, "{name}: right, {} commands, {opaque} of them carried as text", commands.len())?;
            }
        } else {
            wrong += 1;
        }
        if args.print {
            out.write_all(store.script_text(&parsed.script).as_bytes())?;
        }
    }
    if !args.print {
        let text = if carried == 0 { String::new() } else { format!("; {carried} commands only carried as text") };
        let files = if right == 1 { "file" } else { "files" };
        let lost = if unread == 0 { String::new() } else { format!(", {unread} not read") };
        writeln!(out, "{right} {files} right, {wrong} wrong{lost}{text}")?;
    }
    Ok(match (wrong, unread) {
        (1.., _) => Exit::Found,
        (0, 1..) => Exit::Failure,
        (0, 0) => Exit::Clean,
    })
}
