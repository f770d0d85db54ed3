//! `squall check`: checks SMT-LIB files for syntax errors and sort errors.

use crate::args::format::RowFormat;
use crate::exit::Exit;
use crate::render::say::counted;
use anyhow::Result;
use serde_json::json;
use smtlib::{Command, Error, Store};
use std::io::Write;
use std::path::PathBuf;
use triage::error_text;

/// The number of errors shown for one file; the rest are counted.
const SHOWN: usize = 20;

/// Check files for syntax errors and sort errors, and print their positions.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall check problem.smt2\n  squall check --print problem.smt2\n  squall check seeds/\n\n\
                  Exit codes: 0 no file has errors, 10 some have, 1 a file cannot be read, 2 usage."
)]
pub struct Args {
    /// Files, folders (all .smt2 files below them), or - for standard input.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// Print each file as it was parsed, with shared subterms bound by `let`.
    #[arg(long, conflicts_with = "format")]
    print: bool,
    /// Print a line for each file without errors, too.
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    rows: RowFormat,
}

/// Runs the subcommand.
/// Errors: a missing path, or output that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let mut out = crate::render::plain::stdout();
    let (mut right, mut wrong, mut unread, mut carried) = (0u64, 0u64, 0u64, 0u64);
    for path in files::named_scripts(&args.files)? {
        let name = path.display().to_string();
        let bytes = match files::named(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let cause = error_text(&error.into());
                match args.rows.is_json() {
                    true => args.rows.row("", || json!({ "file": name, "verdict": "unread", "cause": cause })),
                    false => eprintln!("{cause}"),
                }
                unread += 1;
                continue;
            }
        };
        let mut store = Store::new();
        let parsed = match smtlib::parse_bytes(&mut store, &bytes) {
            Ok(parsed) => parsed,
            Err(error) => {
                tell(&args, &name, &String::from_utf8_lossy(&bytes), &[error], [0, 0]);
                wrong += 1;
                continue;
            }
        };
        let source = String::from_utf8_lossy(&bytes);
        let commands = &parsed.script.commands;
        let opaque = commands.iter().filter(|c| matches!(c, Command::Opaque(..))).count();
        carried += opaque as u64;
        tell(&args, &name, &source, &parsed.errors, [commands.len(), opaque]);
        *if parsed.errors.is_empty() { &mut right } else { &mut wrong } += 1;
        if args.print {
            out.write_all(store.script_text(&parsed.script).as_bytes())?;
        }
    }
    if args.rows.is_json() {
        args.rows.row("", || json!({ "right": right, "wrong": wrong, "failed": unread, "carried": carried }));
    } else if !args.print {
        let text = if carried == 0 {
            String::new()
        } else {
            format!("; {} only carried as text", counted(carried, "command"))
        };
        let lost = if unread == 0 { String::new() } else { format!(", {unread} not read") };
        writeln!(out, "{} without errors, {wrong} with errors{lost}{text}", counted(right, "file"))?;
    }
    Ok(match (wrong, unread) {
        (1.., _) => Exit::Found,
        (0, 1..) => Exit::Failure,
        (0, 0) => Exit::Clean,
    })
}

/// Prints the errors of a file or, if wanted, that it has none. `commands` and `carried` count its commands and those kept as text.
fn tell(args: &Args, name: &str, source: &str, errors: &[Error], [commands, carried]: [usize; 2]) {
    if args.rows.is_json() {
        let mistake = |error: &Error| {
            let (line, column) = error.position(source);
            json!({ "line": line, "column": column, "message": error.message, "help": error.help })
        };
        let verdict = if errors.is_empty() { "right" } else { "wrong" };
        let mistakes: Vec<_> = errors.iter().take(SHOWN).map(mistake).collect();
        return args.rows.row("", || {
            json!({ "file": name, "verdict": verdict, "commands": commands, "carried": carried, "mistakes": mistakes })
        });
    }
    for error in errors.iter().take(SHOWN) {
        eprintln!("{}", error.render(name, source));
    }
    if errors.len() > SHOWN {
        eprintln!("{name}: and {} more errors", errors.len() - SHOWN);
    }
    if errors.is_empty() && args.verbose {
        println!("{name}: no errors, {commands} commands, {carried} of them carried as text");
    }
}
