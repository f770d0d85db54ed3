//! `squall setup config`: the settings files in use, and consent to those that were found.

use crate::args::format::RowFormat;
use crate::commands::fuzz::is_harmless;
use crate::exit::Exit;
use ::solver::consent::{Consent, Consents};
use ::solver::install::Fleet;
use ::solver::profiles::{Standing, read_settings, settings_files};
use ::solver::settings::MOST;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use serde_json::json;
use std::path::PathBuf;

/// Show the settings files in use, and allow a squall.toml that was found to start programs and write files.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall setup config show\n  squall setup config allow\n  squall setup config deny ../squall.toml\n  \
                  squall setup config allow --solver './build/z3 -T:5'\n\n\
                  A consent is for one path and one content: a changed file has to be allowed again. Consents are kept in \
                  ~/.config/squall/allowed.\n\n\
                  Exit codes: 0 done, 2 usage, 1 failure."
)]
pub struct Args {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(clap::Subcommand)]
enum ConfigCommand {
    /// Show the settings files, which parts of them are used, and what is allowed.
    Show {
        #[command(flatten)]
        print: RowFormat,
    },
    /// Allow a squall.toml with its current content: its solvers, strategies and outputs are then used.
    Allow {
        /// The file [default: the one found from the current folder].
        #[arg(value_name = "FILE", conflicts_with = "solver")]
        file: Option<PathBuf>,
        /// Instead of a file, allow a program named in records of findings and campaigns.
        #[arg(long, short, value_name = "SOLVER")]
        solver: Option<SolverSpec>,
    },
    /// Withdraw the consent to a settings file, whatever its content was.
    Deny {
        /// The file [default: the one found from the current folder].
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// Runs the subcommand.
/// Errors: the file does not exist, or the user's configuration cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let mut consents = Consents::of_user();
    match args.command {
        ConfigCommand::Show { print } => show(&consents, print)?,
        ConfigCommand::Allow { solver: Some(spec), .. } => match Fleet::of_user()?.consent(&spec) {
            Some(consent) => {
                let told = format!("allowed: {}", consent.subject());
                consents.give(consent).context("cannot record the consent")?;
                println!("{told}");
            }
            None => println!("{spec} needs no consent: it is a release of a known solver"),
        },
        ConfigCommand::Allow { file, solver: None } => {
            let file = named_or_found(file)?;
            let shown = file.display();
            let content = files::read::regular(&file, MOST)?;
            consents.give(Consent::settings(&file, &content)).context("cannot record the consent")?;
            println!("allowed with its current content: {shown}");
        }
        ConfigCommand::Deny { file } => {
            let file = named_or_found(file)?;
            let count = consents.withdraw(&file).context("cannot remove the consent")?;
            println!("{}: {}", if count > 0 { "no longer allowed" } else { "it was not allowed" }, file.display());
        }
    }
    Ok(Exit::Clean)
}

fn named_or_found(file: Option<PathBuf>) -> Result<PathBuf> {
    let found = || settings_files().into_iter().find(|place| place.standing == Standing::Found).map(|place| place.path);
    match file.or_else(found) {
        Some(file) => Ok(file),
        None => usage!("there is no squall.toml here or above; name the file"),
    }
}

fn show(consents: &Consents, print: RowFormat) -> Result<()> {
    for place in settings_files() {
        let shown = place.path.display().to_string().escape_debug().to_string();
        let read = read_settings(&place, is_harmless)?;
        let what = match (&read, place.standing) {
            (None, _) => "does not exist".to_string(),
            (Some(read), _) if !read.left_out.is_empty() => format!("used without {}", read.left_out.join(", ")),
            (Some(_), Standing::OfUser) => "used, as your own".to_string(),
            (Some(_), Standing::Named) => "used, as it is named".to_string(),
            (Some(_), Standing::Found) => "counts".to_string(),
        };
        let left_out = read.as_ref().map_or(&[][..], |read| &read.left_out);
        let json =
            || json!({ "file": place.path.display().to_string(), "counts": read.is_some(), "left_out": left_out });
        print.row(format_args!("{shown}: {what}"), json);
    }
    for line in consents.list() {
        print.row(format_args!("allowed: {}", line.escape_debug()), || json!({ "allowed": line }));
    }
    Ok(())
}
