//! `squall solver`: installs, lists and examines solvers.

use crate::args::format::RowFormat;
use crate::args::units::{size_text, time_text};
use crate::exit::Exit;
use crate::render::plain::Stdout;
use crate::render::progress::{ProgressLine, is_shown, without_line};
use ::finding::Instrument;
use ::solver::doctor::ClaimVerdict;
use ::solver::install::{BuildOrder, Fleet, InstallError, InstallEvent, InstalledSolver};
use ::solver::process::processors;
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Install, list and examine solvers.
#[derive(clap::Args)]
#[command(after_help = "Example: squall solver install z3@4.8.7")]
pub struct Args {
    #[command(subcommand)]
    command: SolverCommand,
}

#[derive(Subcommand)]
enum SolverCommand {
    /// Fetch solvers by pip into the cache folder.
    #[command(after_help = "Example: squall solver install z3@4.8.7 z3@latest yices2@2.6.4")]
    Install {
        /// Solvers as NAME@VERSION.
        #[arg(required = true, value_name = "SPEC")]
        specs: Vec<SolverSpec>,
    },
    /// Compile a solver from sources, with assertions, sanitizers or coverage.
    ///
    /// Cargo fetches the sources, from the crate that the solver's profile names. Compiling takes minutes to an hour; a failed or
    /// stopped build resumes.
    #[command(after_help = "Examples:\n  squall solver build z3@5.3.3 --assertions\n  \
                      squall solver build bitwuzla@0.8.0 --assertions --sanitize address,undefined --jobs 2\n\n\
                      The name of the result includes what it was compiled with: z3@5.3.3+assertions, bitwuzla@0.8.0+assertions+asan+ubsan.")]
    Build {
        /// The solver as NAME@VERSION; @latest is the newest that has sources.
        #[arg(value_name = "SPEC")]
        spec: SolverSpec,
        /// Keep the assertions, which releases omit.
        #[arg(long)]
        assertions: bool,
        /// Compile with sanitizers: address, undefined, or both with a comma.
        #[arg(long, value_name = "LIST", value_delimiter = ',')]
        sanitize: Vec<Sanitizer>,
        /// Count executed lines, for gcov.
        #[arg(long)]
        coverage: bool,
        /// Number of compilers to run at a time [default: one per processor].
        #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        jobs: Option<u16>,
        /// The folder of the sources.
        #[arg(long, value_name = "DIR")]
        source: Option<PathBuf>,
    },
    /// List installed or available versions.
    #[command(after_help = "Examples:\n  squall solver list\n  squall solver list --remote z3")]
    List {
        /// Ask pip for the versions of this solver instead.
        #[arg(long, value_name = "NAME")]
        remote: Option<String>,
        #[command(flatten)]
        print: RowFormat,
    },
    /// Remove solvers from the cache folder.
    #[command(after_help = "Example: squall solver remove z3@4.8.7")]
    Remove {
        /// Solvers as NAME@VERSION.
        #[arg(required = true, value_name = "SPEC")]
        specs: Vec<SolverSpec>,
    },
    /// Test the claims of profiles about solvers.
    #[command(
        after_help = "Example: squall solver doctor z3@4.8.7\n\nExit codes: 0 all claims hold, 10 some do not, 2 usage, 1 failure."
    )]
    Doctor {
        /// Solvers [default: all that are found].
        #[arg(value_name = "SPEC")]
        specs: Vec<SolverSpec>,
        #[command(flatten)]
        print: RowFormat,
    },
    /// Print a solver's program.
    #[command(after_help = "Example: squall solver which z3@4.8.7")]
    Which {
        /// The solver.
        spec: SolverSpec,
        #[command(flatten)]
        print: RowFormat,
    },
}

/// A sanitizer.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sanitizer {
    /// Finds invalid accesses to memory.
    Address,
    /// Finds undefined behaviour, such as signed overflow.
    Undefined,
}

/// Runs the subcommand.
/// Errors: a solver that is not available, or a malformed profile.
pub fn run(args: Args) -> Result<Exit> {
    let fleet = Fleet::of_user()?;
    let mut out = crate::render::plain::stdout();
    match args.command {
        SolverCommand::Install { specs } => {
            let line = ProgressLine::open("installing");
            for spec in specs {
                let mut tell = |event: &InstallEvent<'_>| {
                    say(event);
                    line.begins(&format!("{}: {}", spec.label(), words(event).trim()));
                };
                let installed = fleet.install(&spec, &mut tell);
                let installed = installed.with_context(|| format!("cannot install {}", spec.label()))?;
                without_line(|| writeln!(out, "{}: {}", label(&installed), command_text(&installed)))?;
            }
        }
        SolverCommand::Build { spec, assertions, sanitize, coverage, jobs, source } => {
            let SolverSpec::Named(solver) = spec else {
                return Err(InstallError::Builtin { spec: spec.to_string() }.into());
            };
            let wanted = [
                (assertions, Instrument::Assertions),
                (sanitize.contains(&Sanitizer::Address), Instrument::Address),
                (sanitize.contains(&Sanitizer::Undefined), Instrument::Undefined),
                (coverage, Instrument::Coverage),
            ];
            let instruments = wanted.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, name)| name).collect();
            let jobs = jobs.map_or_else(processors, usize::from);
            build(&fleet, BuildOrder { solver, instruments, jobs, source }, &mut out)?;
        }
        SolverCommand::List { remote: Some(name), print } => {
            for version in fleet.remote_versions(&name)? {
                let version = version.to_string();
                print.row(&version, || json!({ "name": name, "version": version }));
            }
        }
        SolverCommand::List { remote: None, print } => list(&fleet, print),
        SolverCommand::Remove { specs } => {
            for spec in specs {
                fleet.remove(&spec)?;
                writeln!(out, "removed {}", spec.label())?;
            }
        }
        SolverCommand::Doctor { specs, print } => return doctor(&fleet, &specs, print),
        SolverCommand::Which { spec, print } => {
            let installed = fleet.resolve(&spec)?;
            fleet.verify(&installed)?.note().iter().for_each(|note| eprintln!("{note}"));
            print.row(command_text(&installed), || json(&installed));
        }
    }
    Ok(Exit::Clean)
}

fn build(fleet: &Fleet, order: BuildOrder, out: &mut Stdout) -> Result<()> {
    let line = ProgressLine::steps("compiling", 0);
    let mut told = 0;
    let mut tell = |event: &InstallEvent<'_>| match event {
        InstallEvent::Built { done, total } => {
            line.set_total(*total);
            line.is_at(*done);
            // Without a progress line, each tenth of the work gets a line.
            let tenth = done * 10 / (*total).max(1);
            if !is_shown() && tenth > told {
                say(event);
            }
            told = tenth;
        }
        event => without_line(|| say(event)),
    };
    let name = SolverSpec::Named(order.solver.clone()).label();
    let built = fleet.build(&order, &mut tell).with_context(|| format!("cannot build {name}"))?;
    drop(line);
    writeln!(out, "{}: {}", label(&built), command_text(&built))?;
    Ok(())
}

/// Prints the progress of an installation on standard error.
pub fn say(event: &InstallEvent<'_>) {
    eprintln!("{}", words(event));
}

/// Describes a step of an installation.
pub fn words(event: &InstallEvent<'_>) -> String {
    match event {
        InstallEvent::AlreadyInstalled { folder } => format!("already installed in {}", folder.display()),
        InstallEvent::Asking { requirement } => format!("asking pip for {requirement} …"),
        InstallEvent::Downloaded { file, bytes, sha256, is_known } => {
            let known = if *is_known { "as it was published" } else { "which squall does not know" };
            format!("  downloaded {file} ({}), SHA-256 {sha256}, {known}", size_text(*bytes))
        }
        InstallEvent::Unpacking { member } => format!("  unpacking {member}"),
        InstallEvent::Compiling { package } => format!("compiling {package} with cargo, which takes some minutes …"),
        InstallEvent::Fetching { package } => format!("asking cargo for the sources {package} …"),
        InstallEvent::Building { what, label, compiler, log } => {
            format!("{what} {label} with {compiler}; the log is {} …", log.display())
        }
        InstallEvent::Slower { label } => {
            format!("{label} does not compile in the faster way; trying the plain way …")
        }
        InstallEvent::Built { done, total } => format!("  {done} of {total} steps are done"),
        InstallEvent::Compiled { cpu, wall } => {
            format!(
                "  compiled in {} of CPU time, {} in all",
                time_text(cpu.as_secs_f64()),
                time_text(wall.as_secs_f64())
            )
        }
        InstallEvent::Testing { label } => format!("  testing {label}"),
        InstallEvent::Installed { folder } => format!("  installed in {}", folder.display()),
    }
}

/// The message without solvers.
const NO_SOLVER: &str = "no solver is installed; try: squall solver install z3@latest";

fn list(fleet: &Fleet, print: RowFormat) {
    let found = fleet.list();
    if found.is_empty() && !print.is_json() {
        println!("{NO_SOLVER}");
    }
    for solver in found {
        let words = format!("{:<20} {:<30} {}", label(&solver), solver.origin, command_text(&solver));
        print.row(words, || json(&solver));
    }
}

fn json(solver: &InstalledSolver) -> serde_json::Value {
    let command: Vec<_> = solver.command.iter().map(|word| word.to_string_lossy()).collect();
    json!({ "solver": label(solver), "origin": solver.origin, "command": command })
}

fn doctor(fleet: &Fleet, specs: &[SolverSpec], print: RowFormat) -> Result<Exit> {
    let solvers = if specs.is_empty() {
        fleet.list()
    } else {
        specs.iter().map(|s| fleet.resolve(s)).collect::<Result<_, _>>()?
    };
    if solvers.is_empty() && !print.is_json() {
        println!("{NO_SOLVER}");
    }
    let mut broken = 0;
    for solver in &solvers {
        let row = |words: String, claim: Option<&str>, verdict: &str, cause: Option<&str>| {
            let json = || json!({ "solver": label(solver), "claim": claim, "verdict": verdict, "cause": cause });
            print.row(words, json);
        };
        if !print.is_json() {
            println!("{} ({})", label(solver), command_text(solver));
        }
        match fleet.verify(solver) {
            Err(error) => {
                // It does not start.
                broken += 1;
                row(format!("  NO   {error}"), None, "fails", Some(&error.to_string()));
                continue;
            }
            Ok(integrity) => {
                integrity.note().iter().for_each(|note| row(format!("  ?    {note}"), None, "unknown", Some(note)))
            }
        }
        for check in fleet.doctor(solver) {
            match check.verdict {
                ClaimVerdict::True => row(format!("  yes  {}", check.claim), Some(&check.claim), "holds", None),
                ClaimVerdict::Untested(why) => {
                    row(format!("  ?    {}: {why}", check.claim), Some(&check.claim), "unknown", Some(&why));
                }
                ClaimVerdict::False(seen) => {
                    broken += 1;
                    row(format!("  NO   {}: {seen}", check.claim), Some(&check.claim), "fails", Some(&seen));
                }
            }
        }
    }
    Ok(if broken == 0 { Exit::Clean } else { Exit::Found })
}

fn command_text(solver: &InstalledSolver) -> String {
    if solver.command.is_empty() {
        return "inside this process".to_string();
    }
    let words: Vec<_> = solver.command.iter().map(|w| w.to_string_lossy()).collect();
    words.join(" ")
}

/// Name and version, or the path, of a solver.
fn label(solver: &InstalledSolver) -> String {
    match (&solver.spec, &solver.version) {
        (SolverSpec::Named(named), Some(version)) if named.version.is_none() => {
            format!("{}@{version}", solver.spec.label())
        }
        _ => solver.spec.label(),
    }
}
