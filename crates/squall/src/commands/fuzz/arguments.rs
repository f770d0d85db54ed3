//! The command line of `squall fuzz`, by groups. To add an option: a field of the group for which the rules hold that it states, and the
//! field's use. An option is *identity* if only a campaign with the same value goes on in a folder, and *harmless* if any `squall.toml` may set
//! it.

use super::metrics;
use crate::args::format::OutputFormat;
use crate::args::{quantity, theory};
use ::fuzz::config::{self, MutantOptions, is_default};
use ::fuzz::schedule::completed::Shard;
use ::solver::spec::SolverSpec;
use clap::{Args as _, Command, ValueEnum};
use finding::{BugClass, OptionGrade};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Generate mutants and look for wrong answers, wrong models and crashes.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall fuzz --solver z3@4.8.7 --for 60s\n  \
    squall fuzz my-seeds/ --solver \"./build/z3\" --reference z3@latest --for 10m --out run1\n  \
    squall fuzz --resume run1 --for 8h\n  \
    squall fuzz --solver z3@4.8.7 --shard 2/8 --out part2\n  \
    squall fuzz --solver z3@4.8.7 --coordinate nats://localhost:4222 --out run2\n\n\
    A table [fuzz] in squall.toml, in the current folder or above it, holds defaults of these options.\n\n\
    Exit codes: 0 nothing found, 10 findings, 11 nothing was tested, 3 interrupted before the end that was set, 2 usage, 1 failure.")]
pub struct Args {
    /// Seed files, and folders searched for .smt2 files; without any, the seeds embedded in this program.
    #[arg(value_name = "SEEDS")]
    pub(super) seeds: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) tested: TestedArgs,
    #[command(flatten)]
    pub(super) mutation: MutantArgs,
    #[command(flatten)]
    pub(super) end: EndArgs,
    #[command(flatten)]
    pub(crate) effort: EffortArgs,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
    #[command(flatten)]
    pub(super) view: ViewArgs,
}

/// Programs and files that are tested or have a part in it: identity.
#[derive(clap::Args, Serialize)]
#[command(next_help_heading = "What is tested")]
#[serde(rename_all = "kebab-case")]
pub struct TestedArgs {
    /// A solver to test: NAME, NAME@VERSION, "PATH OPTIONS", or builtin:sat (unsat, unknown, error). May be repeated.
    #[arg(long, short, required_unless_present = "resume", value_name = "SOLVER")]
    pub(super) solver: Vec<SolverSpec>,
    /// A solver that is not under test. Its models supply values for mutants, and its answers are compared with `unknown`.
    #[arg(long, value_name = "SOLVER")]
    pub(super) reference: Option<SolverSpec>,
    /// A corpus that `squall corpus add` made; its seeds, and those of SEEDS.
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub(super) corpus: Option<String>,
    /// The mutators, separated by commas: NAME, NAME:WEIGHT, a chain NAME>NAME>NAME, and last exec:COMMAND or pipe:COMMAND;
    /// without any, all that fit the seeds, most of the time storm and finite.
    #[arg(long, value_name = "NAMES")]
    pub(super) mutator: Vec<String>,
    /// The solvers under test run in the mode for which their projects promise most, by their profiles: cvc5's --safe-mode=safe or
    /// stable. No other options are drawn.
    #[arg(long, value_enum, conflicts_with = "options")]
    pub(super) grade: Option<GradeArg>,
    /// Tactics for (check-sat-using …), separated by semicolons; `none` for none; `random`
    /// for strategies made up of all the solver's tactics and probes. Without it, those of the solver's profile.
    #[arg(long, value_name = "LIST")]
    pub(super) tactics: Option<String>,
    /// Another parameter of a mutator, as NAME=VALUE. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = quantity::setting)]
    #[serde(rename = "set")]
    pub(super) settings: Vec<(String, String)>,
}

/// Which mutants are made: identity, and harmless.
#[derive(clap::Args, Serialize)]
#[command(next_help_heading = "Which mutants are made")]
#[serde(rename_all = "kebab-case")]
pub struct MutantArgs {
    /// Logics, separated by commas: only seeds that set one of these, and problems made from nothing only within them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) logic: Vec<String>,
    /// Theories, separated by commas: only small problems of these are made, without seeds, whose answers are certified by
    /// exhaustion. As `--mutator finite --set theory=NAMES`; with --mutator, it only says what `finite` makes.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = theory::names())]
    pub(super) theory: Vec<String>,
    /// What is known of mutants: the right answer, or nothing, so that solvers' answers are compared, or some of each.
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip_serializing_if = "is_default")]
    pub(super) truth: TruthArg,
    /// Whether mutants use push, pop and several checks.
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip_serializing_if = "is_default")]
    pub(super) incremental: Switch,
    /// Depth of the deepest formula asserted.
    #[arg(long, value_name = "N")]
    pub(super) max_depth: Option<u32>,
    /// Most assertions of a mutant.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_asserts: Option<u32>,
    /// Where assignments come from.
    #[arg(long, value_enum)]
    pub(super) assignment: Option<Assignment>,
    #[command(flatten)]
    #[serde(skip)]
    pub(super) options: MutantOptions,
}

/// When the campaign ends: harmless, and each run says it anew if it says any of it.
#[derive(clap::Args, Default, PartialEq)]
#[command(next_help_heading = "When it ends")]
pub struct EndArgs {
    /// How long to go on, as 60s, 10m or 2h; without it and --mutants until Ctrl-C.
    #[arg(long = "for", value_name = "TIME", value_parser = crate::args::units::time)]
    pub(super) time: Option<Duration>,
    /// How much CPU time to use, that of solvers included, in this run: a bound that means the same on a busy machine.
    #[arg(long, value_name = "TIME", value_parser = crate::args::units::time)]
    pub(super) for_cpu: Option<Duration>,
    /// How many mutants to send, those of earlier runs of the campaign included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) mutants: Option<u64>,
    /// How many units of work to do, those of earlier runs of the campaign included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) units: Option<u64>,
    /// End at the first finding of this class, or of one that stands before it in the list below, that shows each time.
    #[arg(long, value_name = "CLASS", value_parser = quantity::class())]
    pub(super) until_found: Option<BugClass>,
}

/// How much is done for a mutant and a finding: harmless, and kept.
#[derive(clap::Args)]
#[command(next_help_heading = "How much is done for each")]
pub struct EffortArgs {
    /// How long a solver may take for one script.
    #[arg(long, short, value_name = "TIME", default_value = "5s", value_parser = crate::args::units::time)]
    pub(crate) timeout: Duration,
    /// Run every mutant in its own solver process. Slower: by default several mutants share a process where the solver
    /// can be reset, and suspicious answers are checked again in a process of their own.
    #[arg(long)]
    pub(super) no_batch: bool,
    /// Whether scripts that relate to answered ones are asked, in at most a fifth of the solvers' CPU time, to find answers that contradict
    /// each other (class X).
    #[arg(long, value_enum, default_value_t)]
    pub(super) relations: OnOff,
    /// Share of the CPU time for reducing one finding of each new group, from 0 (none) to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = quantity::share)]
    pub(super) reduce_share: f64,
    /// Whether mutants mostly do without operators that show a cause which is reduced, so that other causes get their chance.
    #[arg(long, value_enum, default_value_t)]
    pub(super) blocking: OnOff,
    /// Bisect each reduced finding over the installed versions of the solver.
    #[arg(long)]
    pub(super) bisect: bool,
}

/// What is written, asked and used of machines: neither harmless nor identity, but for `--shard`, which the library adds to it.
#[derive(clap::Args)]
#[command(next_help_heading = "Where it runs")]
pub struct PlaceArgs {
    /// The folder for findings.
    #[arg(long, short, value_name = "DIR", default_value = "squall-out")]
    pub(super) out: PathBuf,
    /// Resume the campaign in this folder with its original command line; times, counts, --jobs and --format may be changed.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["seeds", "corpus", "solver", "out", "seed"])]
    pub(super) resume: Option<PathBuf>,
    /// Worker threads; without it, one for each processor.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
    /// How much memory a solver may use.
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = crate::args::units::size)]
    pub(super) memory: u64,
    /// Do only part K of N of the units, so that N machines share a campaign; `squall cluster merge` joins their folders.
    #[arg(long, value_name = "K/N")]
    pub(super) shard: Option<Shard>,
    /// Own the campaign and let workers on other machines do its units, by the NATS server at this address: nats://HOST:PORT or
    /// tls://HOST:PORT, started with -js. Needs a build with `--features full`.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "shard")]
    pub(super) coordinate: Option<String>,
    #[cfg(feature = "nats")]
    #[command(flatten)]
    pub(super) nats: crate::args::nats::Connection,
    /// Write every mutant into this folder before it is sent, as UNIT-INDEX.smt2. It grows by thousands of files a minute.
    #[arg(long, value_name = "DIR")]
    pub(super) keep_mutants: Option<PathBuf>,
    /// Numbers for Prometheus: a text file that is written anew every few seconds, or an address on this machine, as
    /// 127.0.0.1:9464, that serves them under /metrics.
    #[arg(long, value_name = "FILE|ADDRESS", value_parser = metrics::place)]
    pub(super) metrics: Option<metrics::MetricsTarget>,
}

/// What is printed: harmless, and each run says it anew.
#[derive(clap::Args)]
#[command(next_help_heading = "What is shown")]
pub struct ViewArgs {
    /// What is printed: words for people, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(super) format: OutputFormat,
    /// Plain lines where standard output is a terminal, too: no live screen.
    #[arg(long)]
    pub(super) plain: bool,
    /// Only the summary at the end, with what went wrong: no progress, and no findings as they come.
    #[arg(long, conflicts_with = "format")]
    pub(super) quiet: bool,
}

impl EndArgs {
    /// Whether the campaign ends by itself.
    pub(super) fn is_any(&self) -> bool {
        *self != EndArgs::default()
    }
}

impl Args {
    /// What decides which mutants are made, as far as the user said anything. The library adds the seeds and its own options.
    pub(super) fn identity(&self) -> BTreeMap<String, String> {
        let mut identity = config::identity(&self.tested);
        identity.extend(config::identity(&self.mutation));
        identity
    }
}

/// Whether a `squall.toml` that was found, not named, may set an option: whether it says how much is done, or how that is shown. None of these
/// names a program, a file or an address, or text that a solver reads, and none takes more of the machine: what is no option of these groups is
/// left out.
pub fn is_harmless(option: &str) -> bool {
    let groups: [fn(Command) -> Command; 4] =
        [MutantArgs::augment_args, EndArgs::augment_args, EffortArgs::augment_args, ViewArgs::augment_args];
    let command = groups.iter().fold(Command::new("fuzz"), |command, group| group(command));
    command.get_arguments().any(|arg| arg.get_long() == Some(option))
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Switch {
    On,
    Off,
    #[default]
    Auto,
}

/// A grade that modes of solvers have.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GradeArg {
    /// The solver's project vouches for all that it supports, proofs and models included.
    Safe,
    /// It supports nothing that is meant for experts.
    Stable,
}

impl From<GradeArg> for OptionGrade {
    fn from(grade: GradeArg) -> OptionGrade {
        match grade {
            GradeArg::Safe => OptionGrade::Safe,
            GradeArg::Stable => OptionGrade::Stable,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum OnOff {
    #[default]
    On,
    Off,
}

#[derive(Clone, Copy, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Assignment {
    /// A solver's model, where one is given.
    Model,
    /// Random values; no solver is asked.
    Random,
    /// Some of each.
    Mixed,
    /// Models that the fuzzing solver finds; no solver is asked.
    Search,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TruthArg {
    /// The right answer is known beforehand.
    #[default]
    Certified,
    /// Assertions are what the mutator made of them, and the answers of all solvers are compared.
    Differential,
    /// Some of each.
    Both,
}
