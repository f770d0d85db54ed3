//! `squall stability`: measures whether solvers still answer a check when it is rephrased.

mod page;

use super::experiment::runs;
use crate::args::{format::OutputFormat, units};
use crate::exit::Exit;
use crate::interruption;
use crate::render::progress::ProgressLine;
use crate::render::say::Usage;
use ::experiment::journal::Journal;
use ::experiment::stability::check::{MAX_CHECKS, StabilityCheck, script_of};
use ::experiment::stability::explain::explain;
use ::experiment::stability::runs::StabilitySolver;
use ::experiment::stability::verdict::{StabilityRow, StabilityVerdict, change_over_releases, wrong_answers};
use ::solver::doctor;
use ::solver::install::Fleet;
use ::solver::outcome::Answer;
use ::solver::parallel;
use ::solver::process::{ProcessLimits, processors};
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use files::sha256;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Measure whether solvers answer a check in any phrasing, and find out why not.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall stability logs/ --solver z3@4.8.7 --solver z3@4.15.4 --solver z3@5.4.1\n  \
                  squall stability slow.smt2 --solver z3 -n 60 --timeout 30s --explain\n\n\
                  Exit codes: 0 measured, 10 a wrong answer was found, 3 stopped before the end (the same command resumes), 2 usage, \
                  1 failure, also if a file was left out (the others were measured)."
)]
pub struct Args {
    /// Scripts and folders of scripts. Each check runs alone, without the earlier checks of its file.
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// A solver. May be repeated; given releases of one solver, oldest first, Squall shows which one made a check unstable.
    #[arg(long, short, required = true, value_name = "SPEC")]
    solver: Vec<SolverSpec>,
    /// Trials of each check: half of them only have another random seed, the other half are also rephrased.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: u32,
    /// CPU time limit of a run; the wall-clock limit is three times as long, plus one second.
    #[arg(long, short, value_name = "TIME", default_value = "10s", value_parser = units::time)]
    timeout: Duration,
    /// For each unstable check, find the assertions and options that make it unstable.
    #[arg(long)]
    explain: bool,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Parallel runs [default: one per processor].
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The output: text, or one JSON object per line.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Folder for index.html, figures.md, stability.csv, results.json, scripts and runs. The same command resumes there.
    #[arg(long, short, value_name = "DIR", default_value = "stability")]
    out: PathBuf,
}

/// The results so far.
#[derive(Default, Serialize)]
struct StabilityResults {
    /// Answers that cannot all be right, and how verdicts change over releases, in words.
    wrong: Vec<String>,
    changes: Vec<String>,
    rows: Vec<StabilityRow>,
    /// Files without a check that can be measured, and those among them that cannot be read.
    without_check: usize,
    left_out: usize,
}

/// Runs the subcommand.
/// Errors: a solver does not answer, no file has a check, or a folder cannot be written.
pub fn run(args: &Args) -> Result<Exit> {
    let cancel = interruption::token()?;
    let files = files::named_scripts(&args.files)?;
    std::fs::create_dir_all(args.out.join("scripts"))
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let kept = Journal::open(&args.out)?;
    let mut solvers = Vec::new();
    for spec in &args.solver {
        let fleet = Fleet::of_user()?;
        let solver = fleet.solver(fleet.resolve(spec)?).with_cancel(cancel.clone());
        doctor::preflight(&solver, &ProcessLimits::default()).map_err(Usage)?;
        let wall = args.timeout.saturating_mul(3).saturating_add(Duration::from_secs(1));
        let limits = ProcessLimits { wall, script_cpu: Some(args.timeout), ..ProcessLimits::default() };
        solvers.push(StabilitySolver { solver, limits, seed: args.seed, trials: args.count, kept: &kept });
    }
    let (mut results, mut done) = (StabilityResults::default(), 0);
    let line = ProgressLine::steps("files", files.len() as u64);
    for path in &files {
        line.begins(&path.display().to_string());
        let checks = StabilityCheck::read(path).unwrap_or_else(|error| {
            eprintln!("squall: left out: {}", triage::error_text(&error));
            results.left_out += 1;
            Vec::new()
        });
        if checks.len() == MAX_CHECKS {
            eprintln!("squall: {}: at most the first {MAX_CHECKS} checks are measured", path.display());
        }
        results.without_check += usize::from(checks.is_empty());
        match checks.iter().try_for_each(|check| results.measure(args, &solvers, check)) {
            // What was run is kept on disk.
            _ if cancel.is_cancelled() => break,
            measured => measured?,
        }
        line.advance(1);
        done += 1;
    }
    drop(line);
    if results.rows.is_empty() && done == files.len() {
        usage!("no file has a check that can be measured");
    }
    page::publish(args, &results)?;
    Ok(match (results.wrong.is_empty(), results.left_out, runs::ending(done, files.len(), "file")) {
        (false, ..) => Exit::Found,
        (true, 1.., Exit::Clean) => Exit::Failure,
        (.., ending) => ending,
    })
}

impl StabilityResults {
    /// Measures a check. Adds nothing if cancelled.
    fn measure(&mut self, args: &Args, solvers: &[StabilitySolver<'_>], check: &StabilityCheck) -> Result<()> {
        let digest = sha256(script_of(&check.parts));
        let keep = |what: &str, text: &str| {
            let name = format!("scripts/{}-{what}.smt2", digest.get(..12).unwrap_or_default());
            files::inside::write(&args.out, &name, text.as_bytes()).with_context(|| format!("cannot write {name}"))?;
            anyhow::Ok(name)
        };
        let mut rows = Vec::new();
        for solver in solvers {
            let (numbers, jobs): (Vec<u32>, _) =
                ((0..=args.count).collect(), args.jobs.map_or_else(processors, usize::from));
            let runs = parallel::in_order(&numbers, jobs, |number| solver.run(&check.parts, *number));
            let runs = runs.into_iter().collect::<Result<_>>()?;
            let mut row = StabilityRow::of(check, solver.solver.installed().label(), runs);
            if args.explain && row.verdict == StabilityVerdict::Unstable {
                let is_sat = row.count(Answer::Sat) > row.count(Answer::Unsat);
                let mut cause = explain(solver, check, if is_sat { Answer::Sat } else { Answer::Unsat })?;
                cause.script = keep(&format!("unstable-{}", rows.len()), &cause.script)?;
                row.cause = Some(cause);
            }
            rows.push(row);
        }
        self.changes.extend(change_over_releases(&rows).map(|change| format!("{}: {change}", check.name)));
        if let Some(mut what) = wrong_answers(check, &rows) {
            for answer in [Answer::Sat, Answer::Unsat] {
                let number = |row: &StabilityRow| row.runs.iter().position(|run| run.answer == answer);
                let first = solvers.iter().zip(&rows).find_map(|(solver, row)| Some((solver, number(row)? as u32)));
                let Some((solver, number)) = first else { continue };
                what += &format!("; {}", keep(answer.word(), &solver.trial(&check.parts, number).0)?);
            }
            self.wrong.push(format!("{}: {what}", check.name));
        }
        self.rows.extend(rows);
        Ok(())
    }
}
