//! `squall bisect`: which versions of a solver err on a script, with which options, and who else.

use crate::{exit, files};
use anyhow::{Context, Result, bail};
use reduce::bisect::{Asking, Did, Fact, Remembered, Row, Survey, ask_all, summary};
use reduce::finding::{Files, Record};
use reduce::query::{Trusted, dialect, label};
use reduce::start::{Question, start, witness_of};
use reduce::{Subject, Wrong};
use solver::install::{Fleet, InstalledSolver};
use solver::process::Limits;
use solver::session::{Purpose, Solver};
use solver::spec::SolverSpec;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Say which versions of a solver err on a script, with which options, and who else.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  squall bisect out/findings/3f2a\n  squall bisect small.smt2 --solver z3@4.8.7\n  \
                  squall bisect small.smt2 --solver z3@4.8.7 --install 4.8.5 4.8.9 4.12.2\n\n\
                  Exit codes: 0 asked, 1 failure or the file does not show it, 2 usage, 10 the newest version asked errs."
)]
pub struct Args {
    /// A finding's folder (its reduced script if there is one), or a script.
    #[arg(value_name = "FINDING|FILE")]
    path: PathBuf,
    /// A version that errs; a finding knows its own.
    #[arg(long, value_name = "SPEC")]
    solver: Option<SolverSpec>,
    /// How it errs: unsat, sat, invalid-model, unknown or crash. Found out if it is not said.
    #[arg(long, value_name = "HOW")]
    wrong: Option<Wrong>,
    /// Versions to install first, `all` for every one that can be had. Without this, only what is installed is asked.
    #[arg(long, value_name = "VERSION", num_args = 1..)]
    install: Vec<String>,
    /// How long one run may take.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = crate::fuzz::quantity::duration)]
    timeout: Duration,
    /// Solvers asked at a time.
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Ask again, whatever was answered before.
    #[arg(long)]
    fresh: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// The file cannot be read or does not show the behaviour.
pub fn run(args: Args) -> Result<ExitCode> {
    let mut places = Files::of(&args.path, None);
    if args.path.is_dir() && places.output.exists() {
        places.witness = Some(places.output_witness()).filter(|p| p.exists());
        places.input = places.output.clone();
    }
    let record: Option<Record> = match &places.record {
        Some(path) => Some(
            serde_json::from_slice(&files::read(path)?).with_context(|| format!("{} is damaged", path.display()))?,
        ),
        None => None,
    };
    let spec = match (&args.solver, &record) {
        (Some(spec), _) => spec.clone(),
        (None, Some(record)) => record.solver.spec.parse()?,
        (None, None) => bail!("say which solver errs: --solver z3@4.8.7"),
    };
    let fleet = Fleet::of_user()?;
    let target = fleet.solver(fleet.ensure(&spec, &mut crate::solver::say)?);
    let name = target.profile().name.clone();
    install(&args, &fleet, &name)?;

    let limits = Limits { wall: args.timeout, ..Limits::default() };
    let witness = places.witness.as_ref().and_then(|p| std::fs::read_to_string(p).ok());
    let mut subject = Subject::read(&files::read(&places.input)?, dialect(target.installed()))
        .with_context(|| format!("cannot read {}", places.input.display()))?;
    let others = others(&fleet, &name);
    let question = Question {
        target: target.clone(),
        wrong: args.wrong.or_else(|| record.as_ref().and_then(Record::wrong)),
        trusted: others.iter().cloned().map(Trusted::new).collect(),
        limits: limits.clone(),
        purpose: Purpose::SINGLE,
        witness,
        trials: 1,
    };
    let begun = start(&mut subject, &question)?;
    println!("{} errs: {}; {}", label(target.installed()), begun.judge.wrong, begun.evidence.truth);

    let folder = if args.fresh { None } else { cache_folder() };
    let fact = Fact { wrong: begun.judge.wrong, check: begun.evidence.check, purpose: begun.judge.purpose };
    let witness = witness_of(&subject);
    let survey = Survey { subject: &subject, witness, fact, limits, remembered: Remembered::new(folder) };
    let versions = versions(&fleet, &name, &spec);
    let found = ask_all(&survey, Asking::AsFound, &versions, args.jobs);
    let plain = ask_all(&survey, Asking::Plain, &versions, args.jobs);
    println!("\n{:<20} {:<10} {:<22} with defaults", "version", "as found", "says");
    for (row, bare) in found.iter().zip(&plain) {
        let said: String = row.said.chars().take(60).collect();
        println!("{:<20} {:<10} {said:<22} {}", row.solver, row.did.word(), bare.did.word());
    }
    println!("\nas found: {}", summary(&found));
    println!("with defaults: {}", summary(&plain));
    let foreign = ask_all(&survey, Asking::Plain, &others, args.jobs);
    for row in &foreign {
        println!("{:<20} {:<10} {}", row.solver, row.did.word(), row.said.chars().take(60).collect::<String>());
    }
    let newest_errs = found.last().is_some_and(|row: &Row| row.did == Did::Wrong);
    Ok(ExitCode::from(if newest_errs { exit::FOUND } else { exit::CLEAN }))
}

fn install(args: &Args, fleet: &Fleet, name: &str) -> Result<()> {
    let wanted = match args.install.as_slice() {
        [all] if all == "all" => fleet.remote_versions(name)?,
        list => list.to_vec(),
    };
    for version in wanted {
        let spec: SolverSpec = format!("{name}@{version}").parse()?;
        // One version that cannot be had must not keep the others from being asked.
        if let Err(error) = fleet.install(&spec, &mut crate::solver::say) {
            eprintln!("{version} is left out: {error}");
        }
    }
    Ok(())
}

/// Every version of the solver that is here, the oldest first, with the options of `spec`.
fn versions(fleet: &Fleet, name: &str, spec: &SolverSpec) -> Vec<Solver> {
    let mut list: Vec<InstalledSolver> = fleet.list().into_iter().filter(|i| i.profile.name == name).collect();
    list.sort_by(|a, b| a.version.cmp(&b.version));
    list.dedup_by(|a, b| a.version.is_some() && a.version == b.version);
    list.into_iter().map(|i| fleet.solver(i).with_options(spec.options().to_vec())).collect()
}

/// The newest version of every other solver.
fn others(fleet: &Fleet, name: &str) -> Vec<Solver> {
    let mut seen = vec![name.to_string()];
    let mut list = Vec::new();
    for installed in fleet.list() {
        if !seen.contains(&installed.profile.name) {
            seen.push(installed.profile.name.clone());
            list.push(fleet.solver(installed));
        }
    }
    list
}

/// Where answers are remembered: beside the installed solvers.
fn cache_folder() -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = from("SQUALL_CACHE")
        .or_else(|| Some(from("XDG_CACHE_HOME")?.join("squall")))
        .or_else(|| Some(from("HOME")?.join(".cache").join("squall")))?;
    Some(folder.join("answers"))
}
