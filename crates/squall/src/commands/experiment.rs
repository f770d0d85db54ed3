//! `squall experiment`: questions of research answered by one command, with statistics.

mod campaigns;
mod conform;
mod embedded;
mod evolution;
mod evolution_page;
mod fuzzers;
mod fuzzers_page;
mod jfs;
mod jfs_chart;
mod jfs_page;
mod judge;
mod known_bugs;
mod known_bugs_page;
mod minimization;
mod minimization_page;
mod page;
mod parallel;
mod prepared_bug;
mod run_args;
mod storm;
mod wrong_answer;

use crate::exit::Exit;
use anyhow::Result;
use campaigns::CampaignsArgs;
use evolution::EvolutionArgs;
use fuzzers::FuzzersArgs;
use jfs::JfsArgs;
use judge::JudgeArgs;
use known_bugs::KnownBugsArgs;
use minimization::MinimizationArgs;
use storm::StormArgs;

/// Answer questions of research by repeated runs, with statistics.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  squall experiment campaigns --solver z3@4.8.7 --arm operator='--mutator operator' --arm finite='--mutator finite' --for-cpu 60s\n\n\
                  Exit codes: 0 done, 3 stopped before the end (what is complete is written; the same command goes on), 2 usage, \
                  1 failure."
)]
pub struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand)]
enum Experiment {
    /// Compare ways of fuzzing by the causes that repeated campaigns of equal CPU time find.
    Campaigns(CampaignsArgs),
    /// Compare the evaluator with solvers on random ground terms, and check solvers' passes and rewrite rules.
    Conform(conform::Args),
    /// Ask the releases of a solver one fixed set of problems: which release broke and which mended what.
    Evolution(EvolutionArgs),
    /// Compare Squall with other fuzzers on the same seeds, solver and CPU time, judged by one oracle.
    Fuzzers(Box<FuzzersArgs>),
    /// Compare who finds satisfying assignments of floats and bit-vectors, as the JFS paper does, with any contenders on any files.
    Jfs(Box<JfsArgs>),
    /// Judge a script that another program made of a finding: does it show the error, and is its truth certain still?
    Judge(JudgeArgs),
    /// Find known bugs again from seeds that do not show them; the release that mended them must answer rightly.
    KnownBugs(KnownBugsArgs),
    /// Compare what the STORM paper's Algorithm 2, our passes and ddSMT 2 leave of wrong answers, and what it costs.
    #[command(visible_alias = "rq4")]
    Minimization(MinimizationArgs),
    /// Reduce a wrong unsat by Algorithm 2 of the STORM paper.
    Storm(StormArgs),
}

/// Runs the subcommand.
///
/// # Errors
/// A campaign that fails, or a folder that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    match args.experiment {
        Experiment::Campaigns(args) => campaigns::run(args),
        Experiment::Conform(args) => conform::run(args),
        Experiment::Evolution(args) => evolution::run(args),
        Experiment::Fuzzers(args) => fuzzers::run(*args),
        Experiment::Jfs(args) => jfs::run(&args),
        Experiment::Judge(args) => judge::run(&args),
        Experiment::KnownBugs(args) => known_bugs::run(args),
        Experiment::Minimization(args) => minimization::run(args),
        Experiment::Storm(args) => storm::run(&args),
    }
}
