//! `squall bisect`: which versions, options and commits of a solver err on a script, and which other solvers.

mod commits;

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use crate::render::plain::columns;
use crate::render::progress::ProgressLine;
use crate::render::say::cut;
use ::finding::SolverLabel;
use anyhow::Result;
use finding::FailureKind;
use reduce::bisect::{Bisection, VersionAnswer, VersionVerdict, summary};
use solver::install::Fleet;
use solver::spec::SolverSpec;
use std::path::PathBuf;
use std::time::Duration;
use triage::bisection::{self, BisectionOrder};
use triage::progress::BisectionStep;
use triage::reduction::Interrupted;

/// The columns before a solver's message, which is cut at the end of the terminal, without the solver's name.
const BESIDE: usize = 23;
/// The least width of the column with solvers' names.
const NAMES: usize = 20;

/// Find the versions and options of a solver, and other solvers, that answer a script wrongly.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall bisect squall-out/findings/A-z3@4.8.7-bug3-plain-0123456789ab\n  squall bisect small.smt2 --solver z3 --wrong unsat\n  \
                  squall bisect small.smt2 --solver z3@4.8.7 --install 4.8.5 4.8.9 4.12.2\n  \
                  squall bisect FINDING --git ~/z3 --build 'cmake -B build -G Ninja && ninja -C build shell' --program build/z3\n\n\
                  Exit codes: 0 done, 1 failure or the file does not show the bug, 2 usage, 3 interrupted, 10 the newest version or commit that was run answers wrongly."
)]
pub struct Args {
    /// A finding's folder (its reduced script if there is one), or a script.
    #[arg(value_name = "FINDING|FILE")]
    path: PathBuf,
    /// A version that answers wrongly, or the solver's name [default: as recorded in the finding].
    #[arg(long, short, value_name = "SPEC")]
    solver: Option<SolverSpec>,
    /// The kind of failure: unsat, sat, invalid-model, self-check, unknown or crash [default: detected by the evaluator or
    /// two other solvers].
    #[arg(long, value_name = "HOW")]
    wrong: Option<FailureKind>,
    /// Versions to install first, or `all` for every available one. Without it, only installed versions are run.
    #[arg(long, value_name = "VERSION", num_args = 1..)]
    install: Vec<String>,
    /// The time limit of one run [default: three times that of the finding, 10s for other scripts].
    #[arg(long, short, value_name = "TIME", value_parser = crate::args::units::time)]
    timeout: Option<Duration>,
    /// Number of solvers to run at a time.
    #[arg(long, short, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Ignore stored answers.
    #[arg(long)]
    fresh: bool,
    /// The output: text, or one JSON object.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten)]
    commits: commits::CommitArgs,
}

/// Runs the subcommand.
/// Errors: the file cannot be read, or the failure is unknown.
pub fn run(args: Args) -> Result<Exit> {
    let order = BisectionOrder {
        solver: args.solver.clone(),
        wrong: args.wrong,
        timeout: args.timeout,
        jobs: args.jobs,
        fresh: args.fresh,
        progress: crate::commands::solver::say,
        say: |note| eprintln!("{note}"),
        ..BisectionOrder::new(&args.path)
    };
    let folder = order.paths.folder.clone();
    let fleet = Fleet::of_user()?;
    let bisection = match &args.commits.git {
        Some(repository) => match commits::searched(&args.commits, repository, &order, fleet) {
            Err(error) if error.is::<Interrupted>() => {
                crate::render::say::on_stderr(format_args!("{error}"));
                return Ok(Exit::Unfinished);
            }
            searched => searched?,
        },
        None => {
            install(&args, &fleet, &order)?;
            watched(order, &fleet)?
        }
    };
    if let Some(folder) = folder {
        folder.write(&bisection)?;
    }
    match args.format {
        OutputFormat::Text if args.commits.git.is_some() => commits::print(&bisection),
        OutputFormat::Text => print(&bisection),
        OutputFormat::Json => println!("{}", serde_json::to_string(&bisection)?),
    }
    let found = match &bisection.commits {
        Some(commits) if args.commits.git.is_some() => commits.newest_errs(),
        _ => bisection.newest_errs().0,
    };
    Ok(if found { Exit::Found } else { Exit::Clean })
}

/// Runs all solvers, with a line of progress.
fn watched(order: BisectionOrder<'_>, fleet: &Fleet) -> Result<Bisection> {
    let line = ProgressLine::steps("running versions", 0);
    let watch = |step: &BisectionStep<'_>| {
        line.set_total(step.total as u64);
        line.advance(1);
        line.begins(&format!("{} answered", step.solver));
    };
    bisection::bisect(&BisectionOrder { watch: Some(&watch), ..order }, fleet)
}

fn print(bisection: &Bisection) {
    let rows = [&bisection.found, &bisection.plain, &bisection.original, &bisection.others];
    let does = |verdict: VersionVerdict| rows.iter().any(|rows| rows.iter().any(|row| row.did == verdict));
    let wrong = bisection.wrong;
    let heading = match (does(VersionVerdict::Wrong), does(VersionVerdict::Right)) {
        (true, _) => format!("wrong: {wrong}"),
        (false, true) => format!("right: no version that was run shows the failure '{wrong}'"),
        (false, false) => {
            format!("undecided: no version that was run answers, neither with the failure '{wrong}' nor without")
        }
    };
    println!("{heading}; {}", bisection.truth);
    let names = bisection.found.iter().chain(&bisection.others).map(|row| row.solver.chars().count());
    let width = names.fold(NAMES, usize::max);
    let said = |row: &VersionAnswer| first_line(&row.said, width);
    println!("\n{:<width$} {:<10} {:<10} says", "version", "as found", "defaults");
    // The given program comes before the releases.
    let (own, releases): (Vec<_>, Vec<_>) =
        bisection::pairs(bisection).partition(|(row, _)| SolverLabel::of(&row.solver).is_own_build());
    for (row, plain) in own.into_iter().chain(releases) {
        println!("{:<width$} {:<10} {:<10} {}", row.solver, row.did.word(), plain.word(), said(row));
    }
    let added = bisection.added.join(" ");
    let with = if added.is_empty() || !bisection.with_added.is_empty() { "" } else { &format!(", with {added}") };
    println!("\nas found{with}: {}", summary(&bisection.found));
    println!("with defaults: {}", summary(&bisection.plain));
    if !bisection.with_added.is_empty() {
        println!("with {added}, which the profile adds: {}", summary(&bisection.with_added));
    }
    if !bisection.original.is_empty() {
        println!("before it was reduced: {}", summary(&bisection.original));
        let differing = bisection.differing();
        if !differing.is_empty() {
            println!("the reduced script may show another bug: {} answered differently before", differing.join(", "));
        }
    }
    if !bisection.others.is_empty() {
        println!("\nother solvers, with defaults:");
    }
    for row in &bisection.others {
        println!("{:<width$} {:<10} {}", row.solver, row.did.word(), said(row));
    }
}

/// Returns the first line of a message, cut to what fits next to a column of names of this width, but to no less than twenty characters.
fn first_line(text: &str, names: usize) -> String {
    cut(text, columns().map_or(usize::MAX, |columns| columns.saturating_sub(names + BESIDE + 1).max(20)))
}

fn install(args: &Args, fleet: &Fleet, order: &BisectionOrder<'_>) -> Result<()> {
    if args.install.is_empty() {
        return Ok(());
    }
    let spec = triage::reduction::spec(
        order.solver.as_ref(),
        triage::reduction::saved(&order.paths)?.as_ref().map(|saved| &saved.finding),
        fleet,
    )?;
    let label = spec.label();
    let name = SolverLabel::of(&label).file_name();
    let wanted = match args.install.as_slice() {
        [all] if all == "all" => fleet.remote_versions(name)?,
        list => list.to_vec(),
    };
    for version in wanted {
        let spec: SolverSpec = format!("{name}@{version}").parse()?;
        // An unavailable version does not stop the others.
        if let Err(error) = fleet.install(&spec, &mut crate::commands::solver::say) {
            eprintln!("skipped {version}: {error}");
        }
    }
    Ok(())
}
