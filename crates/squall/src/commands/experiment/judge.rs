//! `squall experiment judge`: the oracle of reductions, for other reducers.

use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use ::finding::FailureKind;
use ::finding::folder::FindingPaths;
use ::solver::install::Fleet;
use ::solver::process::CancelToken;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use reduce::CandidateVerdict;
use std::path::PathBuf;
use std::time::Duration;
use triage::reduction::{self, ReductionOrder};

/// The wrong answer to a script; a finding records it.
#[derive(clap::Args)]
pub struct WrongAnswerArgs {
    /// The solver that answers wrongly; a finding records it.
    #[arg(long, short, value_name = "SPEC")]
    pub solver: Option<SolverSpec>,
    /// Failure kind: unsat, sat, invalid-model, self-check, unknown or crash; a finding records it.
    #[arg(long, value_name = "HOW")]
    pub wrong: Option<FailureKind>,
    /// Solvers to trust where the evaluator cannot decide; all must agree. `none`: trust no solver.
    #[arg(long, value_name = "SPEC")]
    pub trust: Vec<String>,
    /// How long one run may take [default: three times as long as the finding had, 10s for other scripts].
    #[arg(long, short, value_name = "TIME", value_parser = units::time)]
    pub timeout: Option<Duration>,
}

/// The original and the script to judge.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  ddsmt --ignore-output mutant.smt2 small.smt2 squall experiment judge --trust z3@4.15.4 squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n\n\
                  The solver runs once, as the finding records it. The truth must hold by the finding's witness, or by a model of a \
                  trusted solver that the evaluator certifies.\n\n\
                  Exit codes: 10 the error shows and its truth holds, 0 it does not show or its truth is lost, 2 usage, 1 failure."
)]
pub struct JudgeArgs {
    /// The original finding's folder, or the original script.
    #[arg(value_name = "FINDING|FILE")]
    original: PathBuf,
    /// The script to judge.
    #[arg(value_name = "SCRIPT")]
    candidate: PathBuf,
    #[command(flatten)]
    wrong_answer: WrongAnswerArgs,
}

impl WrongAnswerArgs {
    /// Returns the order to reduce a script with this wrong answer.
    pub fn order<'w>(&self, places: FindingPaths, cancel: CancelToken) -> ReductionOrder<'w> {
        ReductionOrder {
            solver: self.solver.clone(),
            wrong: self.wrong,
            trust: self.trust.clone(),
            timeout: self.timeout,
            progress: crate::commands::solver::say,
            ..ReductionOrder::new(places, cancel)
        }
    }
}

/// Runs the subcommand.
/// Errors: a file or solver is missing, or there is no failure kind.
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
