//! The `squall` command line: one file a subcommand, nothing but wiring and words.

#[macro_use]
mod say;

mod apply;
mod axes;
mod bench;
mod bisect;
mod build;
mod check;
#[cfg(feature = "store")]
mod ci;
mod conform;
mod eval;
mod exhaust;
mod exit;
mod findings;
mod format;
mod fuzz;
mod html;
#[cfg(feature = "store")]
mod merge;
mod mutate;
mod mutators;
mod reduce;
mod replay;
mod report;
mod solve;
mod solver;
#[cfg(feature = "store")]
mod status;
mod strategies;
mod tactics;
mod units;
mod validate;
#[cfg(feature = "nats")]
mod worker;
mod worlds;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Finds bugs in SMT solvers with generated instances whose right answer is known.
#[derive(Parser)]
#[command(
    name = "squall",
    version = build::WORDS,
    propagate_version = true,
    after_help = "Example: squall fuzz --solver z3@4.8.7 --for 60s\n\n\
                  Exit codes: 0 nothing found, 10 something found, 11 not decided, 3 stopped before the end, 2 usage, 1 failure."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

// The arguments of subcommands are built once one is invoked: all of them take a third of a millisecond at every start.
#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    /// Generate mutants and look for wrong answers, wrong models and crashes.
    Fuzz(Box<fuzz::Args>),
    /// Run a worker of a campaign that is coordinated over NATS.
    #[cfg(feature = "nats")]
    Worker(worker::Args),
    /// Join the folders of a campaign that was done in parts.
    #[cfg(feature = "store")]
    Merge(merge::Args),
    /// Fuzz a solver in its own CI: fail only on findings that a baseline does not have.
    #[cfg(feature = "store")]
    Ci(ci::Args),
    /// Show the progress of a campaign, running or finished.
    #[cfg(feature = "store")]
    Status(status::Args),
    /// Check a finding again: its witness, and the solver's answer.
    Replay(replay::Args),
    /// List the groups of findings, the most important first.
    Findings(findings::Args),
    /// Write a page about a campaign, and an issue for each group of its findings.
    Report(report::Args),
    /// Shrink a script that a solver answers wrongly, with its truth checked at every step.
    Reduce(reduce::Args),
    /// Find out which versions and options of a solver, and which other solvers, answer a script wrongly.
    Bisect(bisect::Args),
    /// Check SMT-LIB files for errors of syntax and sorts.
    Check(check::Args),
    /// Check whether a model makes every assertion true.
    Validate(validate::Args),
    /// Print the value of a term under a model.
    Eval(eval::Args),
    /// Decide a problem over small finite sets by looking at every assignment.
    Exhaust(exhaust::Args),
    /// Compare the evaluator with solvers on random ground terms.
    Conform(conform::Args),
    /// Make mutants of seeds and print or write them.
    Mutate(mutate::Args),
    /// Write problems over small finite sets with their answers.
    Worlds(worlds::Args),
    /// List the mutators.
    Mutators(mutators::Args),
    /// Answer the checks of scripts.
    Solve(solve::Args),
    /// Apply a tactic or strategy to a problem and print the resulting goals.
    Apply(apply::Args),
    /// List the tactics that strategies are made of.
    Tactics(tactics::Args),
    /// List the probes that strategies may ask goals with.
    Probes(tactics::ProbeArgs),
    /// Compare our searches, our strategies and installed solvers.
    Bench(bench::Args),
    /// Install, list and examine solvers.
    Solver(solver::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Fuzz(args) => fuzz::run(*args),
        #[cfg(feature = "nats")]
        Command::Worker(args) => worker::run(args),
        #[cfg(feature = "store")]
        Command::Merge(args) => merge::run(args),
        #[cfg(feature = "store")]
        Command::Ci(args) => ci::run(args),
        #[cfg(feature = "store")]
        Command::Status(args) => status::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Findings(args) => findings::run(args),
        Command::Report(args) => report::run(args),
        Command::Reduce(args) => reduce::run(args),
        Command::Bisect(args) => bisect::run(args),
        Command::Check(args) => check::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Exhaust(args) => exhaust::run(args),
        Command::Worlds(args) => worlds::run(args),
        Command::Conform(args) => conform::run(args),
        Command::Mutate(args) => mutate::run(args),
        Command::Mutators(args) => mutators::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Apply(args) => apply::run(args),
        Command::Tactics(args) => tactics::run(args),
        Command::Probes(args) => tactics::run_probes(args),
        Command::Bench(args) => bench::run(args),
        Command::Solver(args) => solver::run(args),
    };
    match outcome {
        Ok(code) => code,
        // A reader of our output may close it early (`squall … | head`); that is no failure of ours.
        Err(error) if say::is_broken_pipe(&error) => ExitCode::from(exit::CLEAN),
        Err(error) => {
            eprintln!("squall: error: {}", triage::error_text(&error));
            ExitCode::from(if is_usage(&error) { exit::USAGE } else { exit::FAILURE })
        }
    }
}

/// Whether the command line names what cannot be: a solver, a strategy, a theory; clap finds other mistakes itself.
fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|e| {
        e.is::<say::Usage>() || e.downcast_ref::<::solver::install::InstallError>().is_some_and(|e| e.is_usage())
    })
}
