//! `squall bench`: whole runs against peers, repeatable by one command.

mod judge;
mod reduction;
mod wrong_answer;

use crate::commands::experiment::jfs::{self, JfsArgs};
use anyhow::Result;
use judge::JudgeArgs;
use reduction::ReduceArgs;
use std::process::ExitCode;

/// Compare our searches, our strategies, our reductions and installed solvers.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall bench fp problems/ --runs 3 --timeout 20s --out comparison\n  squall bench reduce squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n\n\
                        Exit codes: 0 compared, 10 a contradiction was found, 3 stopped before the end (what was measured is written), \
                        2 usage, 1 failure."
)]
pub struct Args {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(clap::Subcommand)]
enum Bench {
    /// Compare who finds satisfying assignments, as the JFS paper does: the same as squall experiment jfs.
    Fp(Box<JfsArgs>),
    /// Compare what two ways of reducing leave of a finding, in the measures of the STORM paper's Table 4.
    Reduce(Box<ReduceArgs>),
    /// Judge a script that another program made of a finding: does it show the error, and is its truth certain still?
    Judge(JudgeArgs),
}

/// Runs the subcommand.
///
/// # Errors
/// A contender or file that does not exist, or a folder that cannot be written.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.bench {
        Bench::Fp(args) => jfs::run(&args),
        Bench::Reduce(args) => reduction::run(&args),
        Bench::Judge(args) => judge::run(&args),
    }
}
