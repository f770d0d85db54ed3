//! `squall setup config`: which settings files count, and consent to those that were found.

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

/// Show which settings files count, and allow what a squall.toml that was found may not do by itself.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall setup config show\n  squall setup config allow\n  squall setup config deny ../squall.toml\n  \
                  squall setup config allow --solver './build/z3 -T:5'\n\n\
                  A consent is for one path and one content: a file that was changed has to be allowed again. Consents are kept in \
                  ~/.config/squall/allowed.\n\n\
                  Exit codes: 0 done, 2 usage, 1 failure."
)]
pub struct Args {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(clap::Subcommand)]
enum ConfigCommand {
    /// Show the settings files, what of them counts, and all that is allowed.
    Show {
        #[command(flatten)]
        print: RowFormat,
    },
    /// Allow a squall.toml that was found, as it is now: its solvers, strategies and outputs count then.
    Allow {
        /// The file; without it, the one that is found from here.
        #[arg(value_name = "FILE", conflicts_with = "solver")]
        file: Option<PathBuf>,
        /// Allow a program that records of findings and campaigns name, instead of a file.
        #[arg(long, short, value_name = "SOLVER")]
        solver: Option<SolverSpec>,
    },
    /// Take back the consent to a settings file, whatever it held when it was allowed.
    Deny {
        /// The file; without it, the one that is found from here.
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// There is no such file, or the user's configuration cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let mut consents = Consents::of_user();
    match args.command {
        ConfigCommand::Show { print } => show(&consents, print)?,
        ConfigCommand::Allow { solver: Some(spec), .. } => match Fleet::of_user()?.consent(&spec) {
            Some(consent) => {
                let told = format!("allowed: {}", consent.subject());
                consents.give(consent).context("cannot keep the consent")?;
                println!("{told}");
            }
            None => println!("{spec} needs no consent: it is a release of a known solver"),
        },
        ConfigCommand::Allow { file, solver: None } => {
            let file = named_or_found(file)?;
            let shown = file.display();
            let content = files::read::regular(&file, MOST)?;
            consents.give(Consent::settings(&file, &content)).context("cannot keep the consent")?;
            println!("allowed, as it is now: {shown}");
        }
        ConfigCommand::Deny { file } => {
            let file = named_or_found(file)?;
            let count = consents.withdraw(&file).context("cannot remove the consent")?;
            println!("{}: {}", if count > 0 { "allowed no more" } else { "it was not allowed" }, file.display());
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
            (None, _) => "is not there".to_string(),
            (Some(read), _) if !read.left_out.is_empty() => format!("counts without {}", read.left_out.join(", ")),
            (Some(_), Standing::OfUser) => "counts, as your own".to_string(),
            (Some(_), Standing::Named) => "counts, as it is named".to_string(),
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
