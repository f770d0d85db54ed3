//! `squall apply`: what a tactic makes of a problem.

use crate::args::strategies;
use crate::commands::validate::read as read_script;
use crate::exit;
use crate::render::say::Usage;
use ::solver::install::Fleet;
use anyhow::{Context, Result, bail};
use smtlib::Store;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use strategy::apply::{Applied, apply};
use strategy::compare::{GoalComparison, compare};
use strategy::trace::Trace;
use strategy::{Budget, Shared, Solvers, TacticRun, registry};

/// Apply a tactic, or any strategy, to a problem and print the resulting goals as SMT-LIB.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall apply simplify problem.smt2\n  squall apply '(then simplify tseitin-cnf)' problem.smt2\n  \
                  squall apply split-or problem.smt2 --out goals/\n\n\
                  The problem is satisfiable exactly when one of the goals is, as far as their precision says.\n\
                  Exit codes: 0 goals printed or the same by exhaustion, 10 not the same, 11 the tactic failed or nothing can be compared, \
                  1 failure, 2 usage."
)]
pub struct Args {
    /// A tactic or strategy: an expression, a name of squall.toml, or a file.
    #[arg(value_name = "TACTIC")]
    tactic: String,
    /// The problem, or - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which check of the file, counted from 1; the last one if not said.
    #[arg(long, value_name = "N")]
    check: Option<usize>,
    /// How long all of it may take.
    #[arg(long, short, value_name = "TIME", value_parser = crate::args::units::time)]
    timeout: Option<Duration>,
    /// Write the goals to goal-1.smt2 and so on in this folder instead.
    #[arg(long = "out", alias = "output", short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Print no goals, but whether they mean the same as the problem, by exhaustion of both: where all symbols range over few values.
    #[arg(long, conflicts_with = "output")]
    compare: bool,
    /// Say on standard error what each step did.
    #[arg(long)]
    explain: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// A file or strategy with mistakes, or output that cannot be written.
pub fn run(args: Args) -> Result<ExitCode> {
    let mut decider = strategies::decider(None)?;
    let expression = strategies::read(&args.tactic, decider.vocabulary())?;
    let solvers = Arc::new(Solvers::of(Fleet::of_user()?));
    let plan = registry::plan(&expression, &solvers).map_err(|error| Usage(error.to_string()))?;
    let mut store = Store::new();
    let (_, parsed) = read_script(&mut store, &args.file)?;
    let instances = parsed.script.instances();
    let number = args.check.unwrap_or(instances.len());
    let Some(instance) = number.checked_sub(1).and_then(|n| instances.get(n)) else {
        usage!("the file has {} checks; --check must be between 1 and that", instances.len());
    };
    if instance.incomplete {
        bail!("the file has commands or terms of a solver's own, which are only carried as text");
    }
    let budget = args.timeout.map_or_else(Budget::default, Budget::of);
    let shared = Arc::new(Shared::new(solvers, instance.declarations.clone(), instance.logic));
    let trace = if args.explain { Trace::on() } else { Trace::default() };
    let mut state = TacticRun { budget, shared, trace };
    let made = match args.compare {
        true => Made::Compared(compare(&mut store, &instance.assertions, &plan, &mut state)),
        false => Made::Applied(apply(&mut store, instance, &plan, &mut state)),
    };
    state.shared.wait_for_cancelled();
    if args.explain {
        eprintln!("{}", state.trace.text().trim_end());
    }
    match made {
        Made::Compared(comparison) => said(&comparison),
        Made::Applied(applied) => printed(&args, applied),
    }
}

/// What there is to say.
enum Made {
    /// Goals.
    Applied(Applied),
    /// Whether they mean the same.
    Compared(GoalComparison),
}

fn said(comparison: &GoalComparison) -> Result<ExitCode> {
    let (text, code) = match comparison {
        GoalComparison::Agree(answer) => (format!("the same by exhaustion: {answer}"), exit::CLEAN),
        GoalComparison::Differ(how) => (format!("NOT the same by exhaustion: {how}"), exit::FOUND),
        GoalComparison::Unknown(why) => {
            eprintln!("squall: not compared: {why}");
            return Ok(ExitCode::from(exit::UNKNOWN));
        }
    };
    writeln!(std::io::stdout(), "{text}")?;
    Ok(ExitCode::from(code))
}

fn printed(args: &Args, applied: Applied) -> Result<ExitCode> {
    match applied {
        Applied::Failed(why) => {
            eprintln!("squall: {} failed: {why}", args.tactic);
            Ok(ExitCode::from(exit::UNKNOWN))
        }
        Applied::Goals(goals) => {
            match &args.output {
                None => {
                    let mut out = std::io::stdout().lock();
                    for (n, goal) in goals.iter().enumerate() {
                        // Several goals in one stream are several scripts.
                        out.write_all(if n > 0 { b"(reset)\n" } else { b"" })?;
                        out.write_all(goal.as_bytes())?;
                    }
                }
                Some(folder) => {
                    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
                    for (n, goal) in goals.iter().enumerate() {
                        let path = folder.join(format!("goal-{}.smt2", n + 1));
                        files::atomic::write(&path, goal.as_bytes())
                            .with_context(|| format!("cannot write {}", path.display()))?;
                    }
                }
            }
            Ok(ExitCode::from(exit::CLEAN))
        }
    }
}
