//! `squall bisect --git`: which commit of a solver's repository introduced a wrong answer, and which one fixed it.

use super::{NAMES, first_line};
use crate::interruption;
use crate::render::progress::ProgressLine;
use anyhow::Result;
use reduce::bisect::Bisection;
use solver::build::commits::{CommitBuildOrder, CommitBuilder};
use solver::install::Fleet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triage::bisection::BisectionOrder;
use triage::commit_bisection::{CommitSearch, bisect_commits};
use triage::progress::CommitStep;

/// The commits to test, and how to build them.
#[derive(clap::Args)]
#[command(next_help_heading = "Commits")]
pub struct CommitArgs {
    /// Bisect the commits of this repository of the solver instead of its versions. Its checkout is not changed.
    #[arg(long, value_name = "DIR", requires_all = ["build", "program"], conflicts_with = "install")]
    pub git: Option<PathBuf>,
    /// The shell command that builds the solver in a checkout of a commit.
    #[arg(long, value_name = "CMD", requires = "git")]
    build: Option<String>,
    /// The program that the command builds, relative to the checkout.
    #[arg(long, value_name = "PATH", requires = "git")]
    program: Option<PathBuf>,
    /// The oldest commit to test [default: the first].
    #[arg(long, value_name = "REV", requires = "git")]
    oldest: Option<String>,
    /// The newest commit to test.
    #[arg(long, value_name = "REV", requires = "git", default_value = "HEAD")]
    newest: String,
    /// The time limit of one build.
    #[arg(long, value_name = "TIME", requires = "git", default_value = "1h", value_parser = crate::args::units::time)]
    build_timeout: Duration,
}

/// Builds and tests commits, with a line of progress.
pub fn searched(args: &CommitArgs, repository: &Path, order: &BisectionOrder<'_>, fleet: Fleet) -> Result<Bisection> {
    let cancel = interruption::token()?;
    let building = CommitBuildOrder {
        repository: repository.to_path_buf(),
        command: args.build.clone().unwrap_or_default(),
        program: args.program.clone().unwrap_or_default(),
        limit: args.build_timeout,
        fresh: order.fresh,
    };
    let builder = CommitBuilder::new(building, cancel.clone())?;
    let commits = builder.repository.history(args.oldest.as_deref(), &args.newest)?;
    let line = ProgressLine::open("testing commits");
    let watch = |step: &CommitStep<'_>| match step.failed {
        None => line.begins(&format!("{}: {} {}", step.asked, step.commit.short(), step.commit.subject)),
        Some((why, log)) => {
            let why = first_line(why, NAMES);
            eprintln!("{} does not build: {why} (log: {})", step.commit.short(), log.display());
        }
    };
    bisect_commits(order, &fleet.with_cancel(cancel.clone()), CommitSearch { builder, commits, cancel, watch: &watch })
}

/// Prints the result for commits.
pub fn print(bisection: &Bisection) {
    let Some(found) = &bisection.commits else { return };
    println!("wrong: {}; {}", bisection.wrong, bisection.truth);
    println!("\n{:<14} {:<12} {:<10} says", "commit", "date", "did");
    for row in &found.asked {
        let did = row.did.map_or("no build", |did| did.word());
        println!("{:<14} {:<12} {:<10} {}", row.commit.short(), row.commit.date, did, first_line(&row.said, NAMES));
    }
    println!("\n{} of {} commits asked", found.asked.len(), found.commits);
    if found.is_shallow {
        println!("the clone is shallow: older commits are missing (git fetch --unshallow)");
    }
    for sentence in found.describe() {
        println!("{sentence}");
    }
}
