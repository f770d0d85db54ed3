//! `squall experiment storm`: Algorithm 2 of the STORM paper, which `squall experiment minimization` measures.

use super::wrong_answer::WrongAnswerArgs;
use crate::args::units;
use crate::exit::Exit;
use crate::interruption;
use ::finding::folder::FindingPaths;
use ::solver::install::Fleet;
use anyhow::{Context, Result, bail};
use experiment::minimization::{self, SearchBounds};
use std::path::PathBuf;
use std::time::Duration;
use triage::reduction;

/// What is reduced, and within which bounds.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  squall experiment storm squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab --mutants 1000 --out small.smt2\n\n\
                  The mutants are satisfiable, so only a wrong unsat can be reduced this way.\n\n\
                  Exit codes: 0 reduced, 1 failure, or the method does not apply, 2 usage, 3 interrupted or out of time (the best so far is kept)."
)]
pub struct StormArgs {
    /// A finding's folder, or a script.
    #[arg(value_name = "FINDING|FILE")]
    path: PathBuf,
    #[command(flatten)]
    wrong_answer: WrongAnswerArgs,
    /// How long it may take.
    #[arg(long = "for", value_name = "TIME", value_parser = units::time)]
    time: Option<Duration>,
    /// Mutants of one round.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    mutants: u64,
    /// The number from which the random choices flow.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Where the result goes.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Runs the subcommand. The last line printed is a JSON object.
///
/// # Errors
/// The script does not show the wrong answer, the method does not apply, or the result cannot be written.
pub fn run(args: &StormArgs) -> Result<Exit> {
    let order = args.wrong_answer.order(FindingPaths::of(&args.path, Some(&args.out)), interruption::token()?);
    let (subject, begun) = reduction::begin(&order, &Fleet::of_user()?)?;
    if begun.spelled.is_some() {
        bail!("the error shows only as the file spells it, and mutants are spelled anew");
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
