//! `squall experiment judge` and `storm`: the oracle of reductions, and Algorithm 2 of the STORM paper, for `squall experiment minimization`.

use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use ::finding::FailureKind;
use ::finding::folder::FindingPaths;
use ::solver::install::Fleet;
use ::solver::process::CancelToken;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result, bail};
use experiment::minimization::{self, SearchBounds};
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

/// The script to reduce, and its limits.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  squall experiment storm squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab --mutants 1000 --out small.smt2\n\n\
                  The mutants are satisfiable, so only a wrong unsat can be reduced this way.\n\n\
                  Exit codes: 0 reduced, 1 failure, or the method does not apply, 2 usage, 3 interrupted or out of time (the best result so far is written)."
)]
pub struct StormArgs {
    /// A finding's folder, or a script.
    #[arg(value_name = "FINDING|FILE")]
    path: PathBuf,
    #[command(flatten)]
    wrong_answer: WrongAnswerArgs,
    /// Time limit.
    #[arg(long = "for", value_name = "TIME", value_parser = units::time)]
    time: Option<Duration>,
    /// Mutants of one round.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    mutants: u64,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// File for the result.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
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

/// Runs `squall experiment judge`.
/// Errors: a file or solver is missing, or there is no failure kind.
pub fn run_judge(args: &JudgeArgs) -> Result<Exit> {
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

/// Runs `squall experiment storm`. The last line printed is a JSON object.
/// Errors: the script does not show the wrong answer, the method does not apply, or the result cannot be written.
pub fn run_storm(args: &StormArgs) -> Result<Exit> {
    let order = args.wrong_answer.order(FindingPaths::of(&args.path, Some(&args.out)), interruption::token()?);
    let (subject, begun) = reduction::begin(&order, &Fleet::of_user()?)?;
    if begun.spelled.is_some() {
        bail!("the error shows only as the file spells it, and mutants are respelled");
    }
    let bounds = SearchBounds { mutants: args.mutants, time: args.time, seed: args.seed };
    let done = minimization::minimize(subject, &begun.judge, &begun.evidence, &bounds, &order.cancel)?;
    files::atomic::write(&args.out, done.text.as_bytes())
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let line = serde_json::json!({
        "before": done.before, "after": done.after, "calls": done.calls, "seconds": done.seconds, "finished": done.finished,
    });
    println!("{line}");
    Ok(if done.finished { Exit::Clean } else { Exit::Unfinished })
}
