//! `squall strategy apply`: the goals that a tactic makes of a problem.

use crate::args::strategies;
use crate::args::theory::ScriptTheory;
use crate::commands::validate::{no_such_check, read as read_script};
use crate::exit::Exit;
use crate::render::say::Usage;
use ::solver::install::Fleet;
use anyhow::{Context, Result, bail};
use smtlib::Store;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use strategy::apply::{goal_script, goals_left};
use strategy::circuit::{GoalCircuit, dimacs_file};
use strategy::trace::Trace;
use strategy::{Budget, Shared, Solvers, TacticRun, registry};

/// Apply a tactic, or any strategy, to a problem and print the resulting goals as SMT-LIB.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall strategy apply simplify problem.smt2\n  squall strategy apply '(then simplify tseitin-cnf)' problem.smt2\n  \
                  squall strategy apply split-or problem.smt2 --out goals/\n  squall strategy apply '(then simplify bit-blast)' problem.smt2 --format dimacs > problem.cnf\n\n\
                  The problem is satisfiable iff one of the goals is, within their precision.\n\
                  Exit codes: 0 goals printed, 11 the tactic failed or a goal is no circuit, 1 failure, 2 usage."
)]
pub struct Args {
    /// A tactic or strategy: an expression, a name of squall.toml, exec:COMMAND, or a file.
    #[arg(value_name = "TACTIC")]
    tactic: String,
    /// The problem, or - for standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The check of the file, from 1 [default: the last].
    #[arg(long, value_name = "N")]
    check: Option<usize>,
    /// The time limit.
    #[arg(long, short, value_name = "TIME", value_parser = crate::args::units::time)]
    timeout: Option<Duration>,
    /// The format of goals: smt2, or dimacs (clauses), which needs goals of Booleans and bit-vectors; comments map the bits of the
    /// problem's symbols to variables.
    #[arg(long, value_name = "FORMAT", default_value = "smt2")]
    format: GoalFormat,
    /// The maximum number of gates of a circuit, for dimacs.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    max_gates: u32,
    /// Write the goals to this folder, as goal-1.smt2 or goal-1.cnf and so on.
    #[arg(long = "out", alias = "output", short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Print the effect of each step on standard error.
    #[arg(long)]
    explain: bool,
}

/// The format of a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum GoalFormat {
    /// SMT-LIB.
    Smt2,
    /// DIMACS CNF.
    Dimacs,
}

impl GoalFormat {
    /// Returns the extension of a file.
    fn ending(self) -> &'static str {
        match self {
            GoalFormat::Smt2 => "smt2",
            GoalFormat::Dimacs => "cnf",
        }
    }
}

/// Runs the subcommand.
/// Errors: a file or strategy with errors, or output that cannot be written.
pub fn run(args: Args) -> Result<Exit> {
    let mut decider = strategies::decider(None)?;
    let expression = strategies::read(&args.tactic, decider.vocabulary())?;
    let solvers = Arc::new(Solvers::of(Fleet::of_user()?));
    let plan = registry::plan(&expression, &solvers).map_err(|error| Usage(error.to_string()))?;
    let mut store = Store::new();
    let (_, parsed) = read_script(&mut store, &args.file, &ScriptTheory::default())?;
    let checks = parsed.script.check_count();
    let number = args.check.unwrap_or(checks);
    let Some(instance) = number.checked_sub(1).and_then(|n| parsed.script.instance(n)) else {
        usage!("{}", no_such_check(checks));
    };
    let instance = &instance;
    if instance.incomplete {
        bail!("the file has solver-specific commands or terms, which are only carried as text");
    }
    let budget = args.timeout.map_or_else(Budget::default, Budget::of);
    let shared = Arc::new(Shared::new(solvers, instance.declarations.clone(), instance.logic));
    let trace = if args.explain { Trace::on() } else { Trace::default() };
    let mut state = TacticRun::new(budget, shared, trace);
    let goals = goals_left(&mut store, instance, &plan, &mut state);
    state.shared.wait_for_cancelled();
    if args.explain {
        eprintln!("{}", state.trace.text().trim_end());
    }
    let failed = |why: &str| {
        eprintln!("squall: {} failed: {why}", args.tactic);
        Ok(Exit::Unknown)
    };
    let goals = match goals {
        Ok(goals) => goals,
        Err(why) => return failed(&why),
    };
    let mut files = Vec::with_capacity(goals.len());
    for (n, goal) in goals.iter().enumerate() {
        if args.format == GoalFormat::Smt2 {
            files.push(goal_script(&store, instance, goal).into_bytes());
            continue;
        }
        let stop = state.budget.stop();
        let made = GoalCircuit::of(&mut store, instance, goal, args.max_gates as usize, &stop)
            .and_then(|circuit| dimacs_file(&circuit, &goal.heading, &stop));
        match made {
            Ok(bytes) => files.push(bytes),
            Err(why) => return failed(&format!("goal {} of {} is no circuit: {why}", n + 1, goals.len())),
        }
    }
    write(&args, &files)?;
    Ok(Exit::Clean)
}

/// Writes the goals to standard output or into a folder.
fn write(args: &Args, files: &[Vec<u8>]) -> Result<()> {
    let Some(folder) = &args.output else {
        if args.format == GoalFormat::Dimacs && files.len() > 1 {
            bail!("the strategy leaves {} goals, one file each; name a folder with --out", files.len());
        }
        let mut out = crate::render::plain::stdout();
        for (n, goal) in files.iter().enumerate() {
            // Several goals in one stream are separate scripts.
            out.write_all(if n > 0 { b"(reset)\n" } else { b"" })?;
            out.write_all(goal)?;
        }
        return Ok(());
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (n, goal) in files.iter().enumerate() {
        let path = folder.join(format!("goal-{}.{}", n + 1, args.format.ending()));
        files::atomic::write(&path, goal).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
