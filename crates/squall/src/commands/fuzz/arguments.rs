//! The command line of `squall fuzz`, in groups. A new option is a field of the group whose rules apply to it. An *identity*
//! option must keep its value to resume a campaign; any `squall.toml` may set a *harmless* option.

use super::metrics;
use crate::args::focus::FocusArgs;
use crate::args::format::OutputFormat;
use crate::args::theory::{self, TheoryArg};
use crate::args::values;
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
    Exit codes: 0 nothing found, 10 findings, 11 nothing was tested, 3 interrupted before its limit, 2 usage, 1 failure.")]
pub struct Args {
    /// Seed files, and folders searched for .smt2 files [default: the seeds embedded in this program].
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
    /// The maximum size of the sample of mutants that the campaign returns, for other commands.
    #[arg(skip)]
    pub sample: usize,
    /// Files that are the first seeds, whatever the focus, of other commands.
    #[arg(skip)]
    pub also: Vec<PathBuf>,
}

/// Programs and files that a campaign uses: identity.
#[derive(clap::Args, Serialize)]
#[command(next_help_heading = "Solvers and mutators")]
#[serde(rename_all = "kebab-case")]
pub struct TestedArgs {
    /// A solver to test: NAME, NAME@VERSION, "PATH OPTIONS", or builtin:sat (unsat, unknown, error). May be repeated.
    #[arg(long, short, required_unless_present = "resume", value_name = "SOLVER")]
    pub(super) solver: Vec<SolverSpec>,
    /// A solver that is not under test. Its models give values for mutants, and its answers are compared with `unknown`.
    #[arg(long, value_name = "SOLVER")]
    pub(super) reference: Option<SolverSpec>,
    /// A corpus made by `squall corpus add`; its seeds are used in addition to SEEDS.
    #[arg(long, value_name = "NAME")]
    #[serde(skip)]
    pub(super) corpus: Option<String>,
    /// The mutators, separated by commas: NAME, NAME:WEIGHT, a chain NAME>NAME>NAME, and last exec:COMMAND or
    /// pipe:COMMAND [default: all that fit the seeds, mostly storm and finite].
    #[arg(long, value_name = "NAMES")]
    pub(super) mutator: Vec<String>,
    /// A theory as data, in TOML. Without seeds, only problems over its sorts and operators are generated, with answers certified by
    /// exhaustion; seeds may use its names.
    #[arg(long, value_name = "FILE", value_parser = theory::file)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) theory_file: Option<TheoryArg>,
    /// Run the solvers under test in their projects' most reliable mode, such as cvc5's --safe-mode=safe or stable.
    /// No other options are drawn.
    #[arg(long, value_enum, conflicts_with = "options")]
    pub(super) grade: Option<GradeArg>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) focus: FocusArgs,
    /// Tactics for (check-sat-using …), separated by semicolons; `none`; or `random` for strategies drawn from all the
    /// solver's tactics and probes [default: those of the solver's profile].
    #[arg(long, value_name = "LIST")]
    pub(super) tactics: Option<String>,
    /// A parameter of a mutator, as NAME=VALUE. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = values::setting)]
    #[serde(rename = "set")]
    pub(super) settings: Vec<(String, String)>,
}

/// Which mutants are made: identity, and harmless.
#[derive(clap::Args, Serialize)]
#[command(next_help_heading = "Mutants")]
#[serde(rename_all = "kebab-case")]
pub struct MutantArgs {
    /// Logics, separated by commas: use only seeds that set one of them, and generate problems only within them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) logic: Vec<String>,
    /// Theories, separated by commas: generate only small problems of these, without seeds, with answers certified by
    /// exhaustion. The same as `--mutator finite --set theory=NAMES`; with --mutator, it only sets what `finite` generates.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = theory::names())]
    pub(super) theory: Vec<String>,
    /// Whether the right answer of mutants is known (certified), solvers are compared (differential), or both.
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
    /// The source of assignments.
    #[arg(long, value_enum)]
    pub(super) assignment: Option<Assignment>,
    #[command(flatten)]
    #[serde(skip)]
    pub(super) options: MutantOptions,
}

/// When the campaign ends: harmless. A run with one of these options uses none of the earlier ones.
#[derive(clap::Args, Default, PartialEq)]
#[command(next_help_heading = "Limits")]
pub struct EndArgs {
    /// How long to run, as 60s, 10m or 2h [default without --mutants: until Ctrl-C].
    #[arg(long = "for", value_name = "TIME", value_parser = crate::args::units::time)]
    pub(super) time: Option<Duration>,
    /// CPU time to use in this run, with solvers and reductions: a limit that does not depend on other load. Reductions and
    /// confirmations under way at the end may take a tenth more.
    #[arg(long, value_name = "TIME", value_parser = crate::args::units::time)]
    pub(super) for_cpu: Option<Duration>,
    /// Number of mutants to send, including earlier runs of the campaign.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) mutants: Option<u64>,
    /// Number of units of work to do, including earlier runs of the campaign.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) units: Option<u64>,
    /// End at the first reliable finding of this class, or of one before it in the list below.
    #[arg(long, value_name = "CLASS", value_parser = values::class())]
    pub(super) until_found: Option<BugClass>,
}

/// The effort per mutant and finding: harmless, and kept.
#[derive(clap::Args)]
#[command(next_help_heading = "Effort")]
pub struct EffortArgs {
    /// How long a solver may take for one script.
    #[arg(long, short, value_name = "TIME", default_value = "5s", value_parser = crate::args::units::time)]
    pub(crate) timeout: Duration,
    /// Run every mutant in its own solver process. This is slower: by default mutants share a process where the solver can
    /// be reset, and suspicious answers are checked again in a fresh process.
    #[arg(long)]
    pub(super) no_batch: bool,
    /// Whether to also send scripts related to answered ones, to find answers that contradict each other (class X). They
    /// take at most a fifth of the solvers' CPU time.
    #[arg(long, value_enum, default_value_t)]
    pub(super) relations: OnOff,
    /// The share of CPU time for reducing one finding of each new group, from 0 (none) to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = values::share)]
    pub(super) reduce_share: f64,
    /// Whether most mutants avoid operators that trigger an already reduced cause, so that others can show.
    #[arg(long, value_enum, default_value_t)]
    pub(super) blocking: OnOff,
    /// Bisect each reduced finding over the installed versions of the solver.
    #[arg(long)]
    pub(super) bisect: bool,
}

/// Outputs, servers and the use of machines: neither harmless nor identity, except `--shard`, which the library adds to it.
#[derive(clap::Args)]
#[command(next_help_heading = "Folders and machines")]
pub struct PlaceArgs {
    /// The folder for findings.
    #[arg(long, short, value_name = "DIR", default_value = "squall-out")]
    pub(super) out: PathBuf,
    /// Resume the campaign in this folder with its original command line; times, counts, --jobs and --format may change.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["seeds", "corpus", "solver", "out", "seed"])]
    pub(super) resume: Option<PathBuf>,
    /// Number of worker threads [default: one per processor].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
    /// The memory limit of a solver.
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = crate::args::units::size)]
    pub(super) memory: u64,
    /// Do only part K of N of the units, to share a campaign among N machines; `squall cluster merge` joins their folders.
    #[arg(long, value_name = "K/N")]
    pub(super) shard: Option<Shard>,
    /// Coordinate workers on other machines through the NATS server at this address: nats://HOST:PORT or tls://HOST:PORT,
    /// started with -js. Needs a build with `--features full`.
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["shard", "focus"])]
    pub(super) coordinate: Option<String>,
    #[cfg(feature = "nats")]
    #[command(flatten)]
    pub(super) nats: crate::args::nats::Connection,
    /// Write every mutant into this folder before it is sent, as UNIT-INDEX.smt2. This makes thousands of files per minute.
    #[arg(long, value_name = "DIR")]
    pub(super) keep_mutants: Option<PathBuf>,
    /// Write metrics for Prometheus into this text file, every few seconds.
    #[arg(long, value_name = "FILE", value_parser = metrics::file)]
    pub(super) metrics: Option<PathBuf>,
}

/// What is printed: harmless, and not kept.
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
pub struct ViewArgs {
    /// The output: text, or one JSON object per line.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(super) format: OutputFormat,
    /// Print plain lines even on a terminal: no live screen.
    #[arg(long)]
    pub(super) plain: bool,
    /// Print only the summary and problems at the end: no progress, and no findings meanwhile.
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
    /// Returns the given options that determine the mutants. The library adds the seeds and its own options.
    pub(super) fn identity(&self) -> BTreeMap<String, String> {
        let mut identity = config::identity(&self.tested);
        identity.extend(config::identity(&self.mutation));
        identity
    }
}

/// Whether a `squall.toml` that was found, not named, may set an option: whether it only sets an effort or an output format.
/// None of these names a program, a file or an address, or text that a solver reads, and none takes more of the machine.
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

/// A grade of a solver's mode.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GradeArg {
    /// The solver's project stands by everything that it supports, proofs and models included.
    Safe,
    /// Excludes features for experts.
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
    /// A solver's model, if there is one.
    Model,
    /// Random values, without a solver.
    Random,
    /// Some of each.
    Mixed,
    /// Models from the fuzzing solver.
    Search,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TruthArg {
    /// The right answer is known.
    #[default]
    Certified,
    /// The right answer is unknown; the answers of all solvers are compared.
    Differential,
    /// Some of each.
    Both,
}
