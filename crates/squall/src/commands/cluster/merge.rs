//! `squall cluster merge`: joins the folders of a campaign done in parts.

use crate::exit::Exit;
use crate::render::say::{Usage, counted};
use ::fuzz::counts::untested::Untested;
use ::fuzz::persist::merge::{MergeError, merge};
use anyhow::Result;
use std::path::PathBuf;
use triage::folder::CampaignFindings;

/// Join the folders that `squall fuzz --shard K/N` wrote.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  squall cluster merge part1 part2 part3 --out whole\n\n\
                  Exit codes: 0 joined and nothing found, 10 joined with findings, 11 nothing was tested, 2 usage, 1 failure.")]
pub struct Args {
    /// The folders of the parts, each once. They are not changed.
    #[arg(required = true, value_name = "OUT")]
    parts: Vec<PathBuf>,
    /// The folder to write; it must be new or empty.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

/// Runs the subcommand.
/// Errors: the folders are from different campaigns, a part occurs twice, or a folder cannot be read or written.
pub fn run(args: Args) -> Result<Exit> {
    let merged = merge(&args.parts, &args.out).map_err(|error| match error {
        MergeError::Repeated(_) => anyhow::Error::new(Usage(error.to_string())),
        error => error.into(),
    })?;
    let (joined, all) = merged.parts;
    let found: Vec<String> = merged.tally.findings.iter().map(|(class, n)| format!("{n} of class {class}")).collect();
    println!(
        "{joined} of {all} parts joined in {}: {} finished, {}; found: {}; kept on disk: {}, {}.",
        args.out.display(),
        counted(merged.counts.units, "unit"),
        counted(merged.counts.mutants, "mutant"),
        if found.is_empty() { "none".to_string() } else { found.join(", ") },
        counted(merged.findings, "finding"),
        CampaignFindings::load(&args.out)?.count()
    );
    let untested = Untested::of(&merged.counts).filter(|_| merged.findings == 0);
    if let Some(untested) = untested {
        println!("{untested}");
    }
    Ok(match untested {
        _ if merged.findings > 0 => Exit::Found,
        Some(untested) if untested.is_failure() => Exit::Failure,
        Some(_) => Exit::Unknown,
        None => Exit::Clean,
    })
}
