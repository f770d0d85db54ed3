//! `squall experiment`: research questions answered by one command each, with statistics.

mod campaigns;
mod conform;
pub mod cover;
mod page;
pub mod runs;

use crate::exit::Exit;
use anyhow::Result;
use campaigns::CampaignsArgs;

/// Answer research questions by repeated runs, with statistics.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  squall experiment campaigns --solver z3@4.8.7 --arm operator='--mutator operator' --arm finite='--mutator finite' --for-cpu 60s\n\n\
                  Exit codes: 0 done, 3 stopped before the end (complete results are written; the same command resumes), 2 usage, \
                  1 failure."
)]
pub struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand)]
enum Experiment {
    /// Compare ways of fuzzing by the causes found in repeated campaigns of equal CPU time.
    Campaigns(CampaignsArgs),
    /// Compare the evaluator with solvers on random ground terms, and check solvers' passes and rewrite rules.
    Conform(conform::Args),
    /// Measure how much of a solver's code seeds and mutants execute.
    Cover(cover::Args),
}

/// Runs the subcommand.
/// Errors: a campaign fails, or a folder cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    match args.experiment {
        Experiment::Campaigns(args) => campaigns::run(args),
        Experiment::Conform(args) => conform::run(args),
        Experiment::Cover(args) => cover::run(args),
    }
}
