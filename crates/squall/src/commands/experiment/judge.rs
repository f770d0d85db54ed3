//! `squall experiment judge`: the oracle of reductions as a command, for other reducers.

use super::wrong_answer::WrongAnswerArgs;
use crate::exit::Exit;
use crate::interruption;
use ::solver::install::Fleet;
use anyhow::{Context, Result};
use finding::folder::FindingPaths;
use reduce::CandidateVerdict;
use std::path::PathBuf;
use triage::reduction;

/// What was found, and what became of it.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  ddsmt --ignore-output mutant.smt2 small.smt2 squall experiment judge --trust z3@4.15.4 squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n\n\
                  The solver runs once, as the finding records it. The truth must hold by the finding's witness, or by a model of a \
                  trusted solver that the evaluator certifies.\n\n\
                  Exit codes: 10 the error shows and is one, 0 it does not or its truth is lost, 2 usage, 1 failure."
)]
pub struct JudgeArgs {
    /// The finding's folder, or the script, of which the other one was made.
    #[arg(value_name = "FINDING|FILE")]
    original: PathBuf,
    /// The script to judge.
    #[arg(value_name = "SCRIPT")]
    candidate: PathBuf,
    #[command(flatten)]
    wrong_answer: WrongAnswerArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// A file or solver that is not there, or no failure kind.
pub fn run(args: &JudgeArgs) -> Result<Exit> {
    let text = String::from_utf8(files::named(&args.candidate)?)
        .with_context(|| format!("{} is not UTF-8", args.candidate.display()))?;
    let order = args.wrong_answer.order(FindingPaths::of(&args.original, None), interruption::token()?);
    let (code, said) = match reduction::verdict(&order, &Fleet::of_user()?, &text)? {
        CandidateVerdict::Interesting(evidence) => (Exit::Found, format!("shown: {}", evidence.truth.reason())),
        CandidateVerdict::NotShown(what) => (Exit::Clean, format!("not shown: {what}")),
        CandidateVerdict::TruthLost(why) => (Exit::Clean, format!("the truth is lost: {why}")),
    };
    println!("{said}");
    Ok(code)
}
