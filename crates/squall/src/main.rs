//! The `squall` command line: one file per subcommand, with its arguments and its messages.

#[macro_use]
mod render;

mod args;
mod build;
mod commands;
mod exit;
mod interruption;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use corpus::seed::CollectError;
use corpus::stored::CorpusError;
use exit::Exit;
use render::color;
use std::io::ErrorKind;
use std::path::PathBuf;

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
    command: SquallCommand,
    /// Whether output has colours: on a terminal unless NO_COLOR is set, always, or never.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto, hide_possible_values = true)]
    color: ColorChoice,
    /// Read this settings file instead of the squall.toml in or above the current folder.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

// Only the invoked subcommand builds its arguments: all of them together take a third of a millisecond.
#[derive(Subcommand)]
#[command(defer = true)]
enum SquallCommand {
    /// Generate mutants and look for wrong answers, wrong models and crashes.
    Fuzz(Box<commands::fuzz::Args>),
    /// Fuzz a solver every night into one folder and report only new causes.
    #[cfg(feature = "store")]
    Night(Box<commands::night::Args>),
    /// Fuzz a solver in its own CI: fail only on findings that a baseline does not have.
    #[cfg(feature = "store")]
    Ci(Box<commands::ci::Args>),
    /// Show what Squall does, command by command, with an explanation of each.
    Demo(commands::demo::Args),
    /// Show the progress of a campaign, running or finished.
    #[cfg(feature = "store")]
    Status(commands::status::Args),
    /// Run one campaign on many machines, and join the parts of one.
    Cluster(commands::cluster::Args),
    /// List the causes of a campaign's findings, or write a page and an issue text for each.
    Report(commands::report::Args),
    /// Check a finding again: its witness, and the solver's answer.
    Replay(commands::replay::Args),
    /// Shrink a script on which a solver is wrong; every step checks the right answer.
    Reduce(commands::reduce::Args),
    /// Find the versions, options and commits of a solver that answer a script wrongly.
    Bisect(commands::bisect::Args),
    /// Explain what a finding depends on: releases, options, tactics, passes.
    Explain(commands::explain::Args),
    /// Check SMT-LIB files for syntax errors and sort errors.
    Check(commands::check::Args),
    /// Answer the checks of scripts, with a strategy or by trying every assignment.
    Solve(commands::solve::Args),
    /// Check whether a model makes every assertion true.
    Validate(commands::validate::Args),
    /// Judge a solver's proof step by step.
    Proof(commands::proof::Args),
    /// Make mutants of seeds, or problems over small finite sets.
    Mutate(commands::mutate::Args),
    /// Apply strategies, learn one for your files, and list tactics and probes.
    Strategy(commands::strategy::Args),
    /// Compare solvers on files: answers, who is wrong, times and memory.
    Compare(commands::compare::Args),
    /// Answer research questions by repeated runs, with statistics.
    Experiment(commands::experiment::Args),
    /// Measure whether solvers answer a check in any phrasing, and find out why not.
    Stability(commands::stability::Args),
    /// Keep corpora of seeds, and make regression suites of findings.
    Corpus(commands::corpus::Args),
    /// Install, list and examine solvers.
    Solver(commands::solver::Args),
    /// Check what is installed, what is missing, and whether a campaign can start.
    Doctor(commands::doctor::Args),
    /// Free disk space, allow settings files, and install shell completions and manual pages.
    Setup(commands::setup::Args),
}

/// The groups in which `--help` lists the subcommands.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Test a solver", &["fuzz", "night", "ci", "demo", "status", "cluster"]),
    ("Findings", &["report", "replay", "reduce", "bisect", "explain"]),
    ("Scripts", &["check", "solve", "validate", "proof", "mutate", "strategy"]),
    ("Research", &["compare", "stability", "experiment", "corpus"]),
    ("Setup", &["solver", "doctor", "setup"]),
];

/// Old names of subcommands with the new ones.
const RENAMED: [(&str, &str); 24] = [
    ("apply", "strategy apply"),
    ("bench fp", "compare"),
    ("clean", "setup clean"),
    ("completions", "setup completions"),
    ("config", "setup config"),
    ("conform", "experiment conform"),
    ("cover", "experiment cover"),
    ("distill", "corpus distill"),
    ("eval", "validate --eval"),
    ("exhaust", "solve --exhaust"),
    ("experiment evolution", "compare"),
    ("experiment grid", "experiment campaigns --vary"),
    ("experiment jfs", "compare"),
    ("experiment rq1", "experiment campaigns --vary"),
    ("experiment rq3", "experiment campaigns --vary"),
    ("experiment survey", "experiment campaigns --vary"),
    ("findings", "report --list"),
    ("man", "setup man"),
    ("merge", "cluster merge"),
    ("mutators", "mutate --list"),
    ("probes", "strategy probes"),
    ("tactics", "strategy tactics"),
    ("worker", "cluster worker"),
    ("worlds", "mutate --worlds"),
];

/// Subcommands that read no settings file, and so print no note about one.
const WITHOUT_SETTINGS: [&str; 8] =
    ["check", "cluster merge", "corpus", "demo", "mutate", "setup", "status", "strategy probes"];

fn main() -> Exit {
    match run() {
        Ok(code) => code,
        // The reader may close our output early (`squall … | head`); that is not a failure.
        Err(error) if render::say::is_broken_pipe(&error) => Exit::Clean,
        Err(error) => {
            let heading = color::on_stderr(color::BAD, "error:");
            eprintln!("squall: {heading} {}", triage::error_text(&error));
            if is_usage(&error) { Exit::Usage } else { Exit::Failure }
        }
    }
}

fn run() -> anyhow::Result<Exit> {
    if let Some(file) = args::named_settings(std::env::args_os()) {
        ::solver::profiles::name_settings(std::path::absolute(&file).unwrap_or(file));
    }
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let begins =
        |name: &str| name.split(' ').map(Some).eq(words.iter().take(name.split(' ').count()).map(|w| w.to_str()));
    if let Some((old, new)) = RENAMED.iter().find(|(old, _)| begins(old)) {
        usage!("'squall {old}' is now 'squall {new}'");
    }
    let completed = commands::fuzz::defaults::complete(Cli::command, std::env::args_os().collect())?;
    color::settle(color::named(std::env::args_os()));
    let mut command = grouped().color(color::named(std::env::args_os()));
    let matches = command.try_get_matches_from_mut(&completed.words).unwrap_or_else(|error| render::say::end(&error));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| render::say::end(&error));
    if let Some(path) = args::values::missing_input(&command, &matches) {
        let message = format!("there is no '{path}': no file or folder has this name\n");
        render::say::end(&clap::Error::raw(clap::error::ErrorKind::ValueValidation, message));
    }
    if reads_settings(&matches)
        && let Some(note) = ::solver::profiles::left_out(commands::fuzz::is_harmless)?
    {
        eprintln!("squall: note: {note}");
    }
    match cli.command {
        SquallCommand::Fuzz(args) => commands::fuzz::run(*args, &completed),
        #[cfg(feature = "store")]
        SquallCommand::Night(args) => commands::night::run(&args),
        #[cfg(feature = "store")]
        SquallCommand::Ci(args) => commands::ci::run(*args),
        SquallCommand::Demo(args) => commands::demo::run(args),
        #[cfg(feature = "store")]
        SquallCommand::Status(args) => commands::status::run(args),
        SquallCommand::Cluster(args) => commands::cluster::run(args),
        SquallCommand::Report(args) => commands::report::run(args),
        SquallCommand::Replay(args) => commands::replay::run(args),
        SquallCommand::Reduce(args) => commands::reduce::run(args),
        SquallCommand::Bisect(args) => commands::bisect::run(args),
        SquallCommand::Explain(args) => commands::explain::run(args),
        SquallCommand::Check(args) => commands::check::run(args),
        SquallCommand::Solve(args) => commands::solve::run(args),
        SquallCommand::Validate(args) => commands::validate::run(args),
        SquallCommand::Proof(args) => commands::proof::run(args),
        SquallCommand::Mutate(args) => commands::mutate::run(args),
        SquallCommand::Strategy(args) => commands::strategy::run(args),
        SquallCommand::Compare(args) => commands::compare::run(&args),
        SquallCommand::Experiment(args) => commands::experiment::run(args),
        SquallCommand::Stability(args) => commands::stability::run(&args),
        SquallCommand::Corpus(args) => commands::corpus::run(args),
        SquallCommand::Solver(args) => commands::solver::run(args),
        SquallCommand::Doctor(args) => commands::doctor::run(args),
        SquallCommand::Setup(args) => commands::setup::run(args, grouped()),
    }
}

/// Whether the subcommand, or the one below it, reads settings files.
fn reads_settings(matches: &clap::ArgMatches) -> bool {
    let Some((name, below)) = matches.subcommand() else { return false };
    let path = below.subcommand_name().map(|below| format!("{name} {below}"));
    !WITHOUT_SETTINGS.iter().any(|without| *without == name || path.as_deref() == Some(without))
}

/// Returns the whole command line, with its subcommands in groups.
fn grouped() -> clap::Command {
    let squall = Cli::command();
    let about = |name: &str| squall.find_subcommand(name).and_then(clap::Command::get_about).map(ToString::to_string);
    let mut groups = String::new();
    for (title, names) in GROUPS {
        groups += &format!("{title}:\n");
        for name in names {
            groups.extend(about(name).map(|about| format!("  {name:<11}{about}\n")));
        }
        groups.push('\n');
    }
    squall.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    ))
}

/// Whether the command line names a solver, strategy or theory that does not exist; clap finds other mistakes.
fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|e| {
        e.is::<render::say::Usage>()
            || e.is::<::fuzz::under_test::TargetError>()
            || e.is::<::mutate::parameter::ParameterError>()
            || e.is::<::mutate::choice::ChoiceError>()
            || e.is::<triage::reduction::NoSolver>()
            || matches!(e.downcast_ref(), Some(CollectError::Logic { .. }))
            || matches!(e.downcast_ref(), Some(CollectError::Path { source, .. }) if source.kind() == ErrorKind::NotFound)
            || matches!(e.downcast_ref(), Some(CorpusError::Missing { .. } | CorpusError::Name(_)))
            || matches!(e.downcast_ref(), Some(::solver::build::git::GitError::Usage(_)))
            || e.downcast_ref::<::solver::install::InstallError>().is_some_and(|e| e.is_usage())
    })
}

#[cfg(test)]
#[path = "../tests/unit/command_tables.rs"]
mod tests;
