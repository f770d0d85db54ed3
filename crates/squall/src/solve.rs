//! `squall solve`: answers the checks of a script.
//!
//! The walk over the script is here; what answers a check is a [`Decider`], one file each under `solve/`. To plug another
//! engine in: write its file, and add an arm to [`decider`] for the value of `--strategy` it stands for. The walk validates
//! every model with the exact evaluator before it prints `sat`, whoever found it.

mod answer;
mod search;

use crate::validate::read;
use crate::{exit, files};
use anyhow::{Context, Result, bail};
use smtlib::{Script, Store};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Answer the checks of SMT-LIB scripts.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall solve problem.smt2\n  squall solve problem.smt2 --strategy search --timeout 20 --stats\n  \
                  squall solve problem.smt2 --model --seed 7 --jobs 2\n\n\
                  Exit codes: 0 every check is answered sat or unsat, 11 some are unknown, 1 failure, 2 usage."
)]
pub struct Args {
    /// Files, or - for standard input.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// What answers: search (the fuzzing solver).
    #[arg(long, value_name = "STRATEGY", default_value = "search")]
    strategy: String,
    /// How the fuzzing solver searches: default, random, coverage-naive, coverage, distance, invert or sum.
    #[arg(long, value_name = "WAY", default_value = "default")]
    search: ::search::Choice,
    /// How the fuzzing solver runs formulas: auto, interpreter or jit.
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    engine: ::search::Engine,
    /// Seconds for each check.
    #[arg(long, short, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads.
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Print a model after each sat, as if (get-model) followed.
    #[arg(long)]
    model: bool,
    /// Say on standard error what the work was: times, executions, best distances.
    #[arg(long)]
    stats: bool,
}

/// What a decider says of a check.
pub enum Answer {
    /// Satisfiable, by this model.
    Sat(semantics::Model),
    /// Unsatisfiable, and why.
    Unsat(String),
    /// Not decided, and why.
    Unknown(String),
}

/// Something that answers checks.
pub trait Decider {
    /// Answers a conjunction of assertions. Lines about the work go into `stats`.
    fn decide(
        &self,
        store: &mut Store,
        assertions: &[smtlib::TermId],
        deadline: Option<Instant>,
        stats: &mut Vec<String>,
    ) -> Answer;
}

/// The decider that `--strategy` names.
fn decider(args: &Args) -> Result<Box<dyn Decider>> {
    match args.strategy.as_str() {
        "search" => {
            Ok(Box::new(search::Search { way: args.search, engine: args.engine, seed: args.seed, jobs: args.jobs }))
        }
        other => bail!("there is no strategy '{other}'; choose search"),
    }
}

/// Runs the subcommand.
///
/// # Errors
/// A file with mistakes, or an option out of range.
pub fn run(args: Args) -> Result<ExitCode> {
    let timeout = args.timeout.map(Duration::try_from_secs_f64).transpose();
    let timeout = timeout.context("--timeout must be a number of seconds")?;
    let decider = decider(&args)?;
    let mut decided = true;
    for path in files::expand(&args.files)? {
        let start = Instant::now();
        let mut store = Store::new();
        let (_, parsed) = read(&mut store, &path)?;
        let Script { commands } = &parsed.script;
        let instances = parsed.script.instances();
        let mut walk = answer::Walk::new(&mut store, &*decider, timeout, args.stats);
        if args.stats {
            eprintln!("{}: read in {:.3} ms", path.display(), start.elapsed().as_secs_f64() * 1e3);
        }
        walk.run(commands, &instances, args.model)?;
        decided &= walk.decided;
    }
    Ok(ExitCode::from(if decided { exit::CLEAN } else { exit::UNKNOWN }))
}
