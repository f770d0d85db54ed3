//! `squall fuzz`: generates instances whose answer is known, and looks for solvers that answer otherwise.

pub mod defaults;
pub mod live;
mod metrics;
pub mod resume;
pub mod screen;
mod summary;

use crate::args::format::OutputFormat;
use crate::args::{quantity, theory};
use crate::commands::{corpus, solver};
use crate::exit;
use ::fuzz::Stops;
use ::fuzz::corpus::seed;
use ::fuzz::corpus::seed::SeedSource;
use ::fuzz::corpus::stored;
use ::fuzz::counts::untested::Untested;
use ::fuzz::findings::outdir::OutDir;
use ::fuzz::schedule::SchedulePolicy;
use ::fuzz::schedule::completed::Shard;
use ::fuzz::state::event::CampaignStatus;
use ::fuzz::target::{Incremental, Tactics, Target, TargetError, TargetOptions};
use ::fuzz::{CampaignBudget, CampaignError, CampaignEvent, CampaignWatch, Config, Ended};
use ::solver::batch::MAX_BATCH;
use ::solver::install::{self, Fleet};
use ::solver::process::{ProcessLimits, processors};
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use clap::ValueEnum;
use defaults::CompletedWords;
use finding::reward::RewardByAlike;
use finding::{BugClass, OptionGrade};
use live::LiveScreen;
pub use live::{TerminalLease, is_fit};
use metrics::Metrics;
use mutate::edit::TruthMode;
use mutate::{choice, finite, registry};
use screen::{JsonLines, Screen};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use triage::background::{Reducing, ReducingOptions};

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
    seeds: Vec<PathBuf>,
    /// A corpus that `squall corpus add` made; its seeds, and those of SEEDS.
    #[arg(long, value_name = "NAME")]
    corpus: Option<String>,
    /// Logics, separated by commas: only seeds that set one of these, and problems made from nothing only within them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    logic: Vec<String>,
    /// A solver to test: NAME, NAME@VERSION, "PATH OPTIONS", builtin:sat or builtin:unknown. May be repeated.
    #[arg(long, short, required_unless_present = "resume", value_name = "SOLVER")]
    solver: Vec<SolverSpec>,
    /// A solver that is not under test. Its models supply values for mutants, and its answers are compared with `unknown`.
    #[arg(long, value_name = "SOLVER")]
    reference: Option<SolverSpec>,
    /// The mutators, separated by commas: NAME, NAME:WEIGHT, a chain NAME>NAME>NAME, and last exec:COMMAND or pipe:COMMAND;
    /// without any, all that fit the seeds, most of the time storm and finite.
    #[arg(long, value_name = "NAMES")]
    mutator: Vec<String>,
    /// Theories, separated by commas: only small problems of these are made, without seeds, whose answers are certified by
    /// exhaustion. As `--mutator finite --set theory=NAMES`; with --mutator, it only says what `finite` makes.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = theory::names())]
    theory: Vec<String>,
    /// What is known of mutants: the right answer, or nothing, so that solvers' answers are compared, or some of each.
    #[arg(long, value_enum, default_value_t = TruthArg::Certified)]
    truth: TruthArg,
    /// How long to go on, as 60s, 10m or 2h; without it and --mutants until Ctrl-C.
    #[arg(long = "for", value_name = "TIME", value_parser = crate::args::units::time)]
    time: Option<Duration>,
    /// How much CPU time to use, that of solvers included, in this run: a bound that means the same on a busy machine.
    #[arg(long, value_name = "TIME", value_parser = crate::args::units::time)]
    for_cpu: Option<Duration>,
    /// How many mutants to send, those of earlier runs of the campaign included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    mutants: Option<u64>,
    /// How many units of work to do, those of earlier runs of the campaign included.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    units: Option<u64>,
    /// End at the first finding of this class, or of a more important one (A, B, D, E, C in this order), that shows each time.
    #[arg(long, value_name = "CLASS", value_parser = quantity::class())]
    until_found: Option<BugClass>,
    /// Scheduling policy for units of work.
    #[arg(long, value_enum, default_value_t = ScheduleKind::Yield)]
    schedule: ScheduleKind,
    /// Do only part K of N of the units, so that N machines share a campaign; `squall merge` joins their folders.
    #[arg(long, value_name = "K/N", value_parser = quantity::shard)]
    shard: Option<Shard>,
    /// Own the campaign and let workers on other machines do its units, by the NATS server at this address: nats://HOST:PORT or
    /// tls://HOST:PORT, started with -js. Needs a build with `--features full`.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "shard")]
    coordinate: Option<String>,
    #[cfg(feature = "nats")]
    #[command(flatten)]
    nats: crate::args::nats::Connection,
    /// Resume the campaign in this folder with its original command line; times, counts, --jobs and --format may be changed.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["seeds", "corpus", "solver", "out", "seed"])]
    resume: Option<PathBuf>,
    /// The campaign's seed; the same seed gives the same mutants.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Worker threads; without it, one for each processor.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// The folder for findings.
    #[arg(long, short, value_name = "DIR", default_value = "squall-out")]
    out: PathBuf,
    /// Write every mutant into this folder before it is sent, as UNIT-INDEX.smt2. It grows by thousands of files a minute.
    #[arg(long, value_name = "DIR")]
    keep_mutants: Option<PathBuf>,
    /// How long a solver may take for one script.
    #[arg(long, short, value_name = "TIME", default_value = "5s", value_parser = crate::args::units::time)]
    pub(crate) timeout: Duration,
    /// How much memory a solver may use.
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = crate::args::units::size)]
    memory: u64,
    /// Whether mutants use push, pop and several checks.
    #[arg(long, value_enum, default_value_t = Switch::Auto)]
    incremental: Switch,
    /// Tactics for (check-sat-using …), separated by semicolons; `none` for none; `random`
    /// for strategies made up of all the solver's tactics and probes. Without it, those of the solver's profile.
    #[arg(long, value_name = "LIST")]
    tactics: Option<String>,
    /// Depth of the deepest formula asserted.
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Most assertions of a mutant.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_asserts: Option<u32>,
    /// Where assignments come from.
    #[arg(long, value_enum)]
    assignment: Option<Assignment>,
    /// Percentage of units in which the models of mutants are checked.
    #[arg(long, value_name = "SHARE", default_value_t = 5, value_parser = clap::value_parser!(u32).range(..=100))]
    models: u32,
    /// Options of the solvers: their defaults, or valid combinations drawn from their profiles in half of the units: of
    /// documented options, or of experimental ones, too.
    #[arg(long, value_enum, default_value_t = SolverOptions::Default)]
    options: SolverOptions,
    /// Run every mutant in its own solver process. Slower: by default several mutants share a process where the solver
    /// can be reset, and suspicious answers are checked again in a process of their own.
    #[arg(long)]
    no_batch: bool,
    /// Share of the CPU time for reducing one finding of each new group, from 0 (none) to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = quantity::share)]
    reduce_share: f64,
    /// Bisect each reduced finding over the installed versions of the solver.
    #[arg(long)]
    bisect: bool,
    /// Another parameter of a mutator, as NAME=VALUE. May be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = quantity::setting)]
    settings: Vec<(String, String)>,
    /// What is printed: words for people, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    /// Plain lines where standard output is a terminal, too: no live screen.
    #[arg(long)]
    plain: bool,
    /// Numbers for Prometheus: a text file that is written anew every few seconds, or an address on this machine, as
    /// 127.0.0.1:9464, that serves them under /metrics.
    #[arg(long, value_name = "FILE|ADDRESS", value_parser = metrics::place)]
    metrics: Option<metrics::MetricsTarget>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Switch {
    On,
    Off,
    Auto,
}

#[derive(Clone, Copy, ValueEnum)]
enum Assignment {
    /// A solver's model, where one is given.
    Model,
    /// Random values; no solver is asked.
    Random,
    /// Some of each.
    Mixed,
    /// Models that the fuzzing solver finds; no solver is asked.
    Search,
}

impl Assignment {
    fn word(self) -> &'static str {
        match self {
            Assignment::Model => "model",
            Assignment::Random => "random",
            Assignment::Mixed => "mixed",
            Assignment::Search => "search",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SolverOptions {
    /// What the solver does by itself.
    Default,
    /// Drawn for a unit of work among those that it documents.
    Random,
    /// Drawn for a unit of work, also among those that it calls experimental.
    Experimental,
}

impl SolverOptions {
    /// The word for it on the command line.
    fn word(self) -> &'static str {
        match self {
            SolverOptions::Default => "default",
            SolverOptions::Random => "random",
            SolverOptions::Experimental => "experimental",
        }
    }

    /// The highest grade that is drawn.
    fn grade(self) -> OptionGrade {
        match self {
            SolverOptions::Default => OptionGrade::Default,
            SolverOptions::Random => OptionGrade::Documented,
            SolverOptions::Experimental => OptionGrade::Experimental,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScheduleKind {
    /// A bandit on the results of past units.
    Yield,
    /// Round-robin over all seeds.
    Uniform,
}

/// How many units of 100 draw options where that is asked for.
const DRAWN_OPTIONS: u32 = 50;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TruthArg {
    /// The right answer is known beforehand.
    Certified,
    /// Assertions are what the mutator made of them, and the answers of all solvers are compared.
    Differential,
    /// Some of each.
    Both,
}

/// How often plain lines and JSON tell how things stand.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How often the status line of a terminal is renewed.
const SCREEN_EVERY: Duration = Duration::from_millis(250);

/// Runs the subcommand by a command line with the defaults of settings files in it.
///
/// # Errors
/// Seeds that are not there, a solver that cannot be had, a folder that cannot be written.
pub fn run(args: Args, completed: &CompletedWords) -> Result<ExitCode> {
    let (args, note) = resume::settle(args, &completed.campaign)?;
    completed.told.iter().for_each(|line| eprintln!("{line}"));
    let stops = Stops::default();
    let lease = TerminalLease::default();
    stop_on_ctrl_c(&stops, &lease)?;
    let ended = hunt(&args, note, &stops, lease)?;
    let tally = &ended.standing.tally;
    let found = !tally.findings.is_empty() || !tally.seed_findings.is_empty();
    // A campaign without an end of its own has no other end than an interruption.
    let budget = [args.time.is_some(), args.for_cpu.is_some(), args.mutants.is_some(), args.units.is_some()];
    let has_end = args.until_found.is_some() || budget.contains(&true);
    Ok(ExitCode::from(match found {
        true => exit::FOUND,
        false if has_end && stops.user.is_cancelled() => exit::UNFINISHED,
        false => tested(&ended.standing),
    }))
}

/// The exit code of a campaign that found nothing.
pub fn tested(standing: &CampaignStatus) -> u8 {
    match Untested::of(&standing.counts) {
        // Nothing was tested, and that must not pass for a clean campaign.
        Some(untested) if untested.is_failure() => exit::FAILURE,
        Some(_) => exit::UNKNOWN,
        None => exit::CLEAN,
    }
}

/// Runs the campaign of a command line to its end, and shows it. `note` is kept in `campaign.json`.
///
/// # Errors
/// Seeds that are not there, a solver that cannot be had, a folder that cannot be written.
pub fn hunt(args: &Args, note: serde_json::Value, stops: &Stops, lease: TerminalLease) -> Result<Ended> {
    let screen = Screen::new(args.plain, args.reduce_share > 0.0, args.time);
    let is_quick = args.format == OutputFormat::Text && (screen.is_live() || is_shown(args));
    let shown: Box<dyn CampaignWatch> = match args.format {
        OutputFormat::Json => Box::new(JsonLines::default()),
        OutputFormat::Text if is_shown(args) => Box::new(LiveScreen::new(screen, args.time, stops, lease)),
        OutputFormat::Text => Box::new(screen),
    };
    let metrics = args.metrics.as_ref().map(|place| Metrics::new(place, &*shown)).transpose()?;
    let watch: &dyn CampaignWatch = match &metrics {
        Some(metrics) => metrics,
        None => &*shown,
    };
    if args.truth != TruthArg::Certified && args.solver.len() < 2 && args.reference.is_none() {
        let message = "--truth differential and both compare solvers: name a second --solver or a --reference\n";
        clap::Error::raw(clap::error::ErrorKind::MissingRequiredArgument, message).exit();
    }
    let seeds = seed::of_logics(seeds(args)?, &args.logic)?;
    if let Some(folder) = &args.keep_mutants {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
    }
    // Said before a solver is fetched, which may take a while.
    let out = OutDir::claim(&args.out)?;
    let fleet = Fleet::of_user()?.with_owner(out.owner()).with_patience(args.timeout);
    let solvers = setup(args, &fleet, stops, watch)?;
    let progress_every = if is_quick { SCREEN_EVERY } else { LINE_EVERY };
    let config = config(args, seeds, note, progress_every);
    let reducing_options = ReducingOptions {
        share: args.reduce_share,
        jobs: config.jobs,
        bisect: args.bisect,
        progress: crate::commands::solver::say,
    };
    let ended = std::thread::scope(|scope| {
        let reducing = Arc::new(Reducing::new(watch, reducing_options, stops.user.clone(), fleet));
        if reducing_options.share > 0.0 {
            let worker = Arc::clone(&reducing);
            scope.spawn(move || worker.work());
        }
        let ended = campaign(args, &config, out, &solvers, stops, &*reducing);
        reducing.end();
        ended
    })?;
    if let Some(failure) = ended.failure {
        return Err(explain(failure));
    }
    Ok(ended)
}

/// The seeds that a command line names; those embedded in this program where it names none.
fn seeds(args: &Args) -> Result<Vec<SeedSource>> {
    let mut seeds = match (&args.corpus, args.seeds.is_empty()) {
        (None, true) => return Ok(seed::embedded()),
        (_, true) => Vec::new(),
        (_, false) => seed::collect(&args.seeds)?,
    };
    if let Some(name) = &args.corpus {
        let (corpus, manifest) = corpus::of_user()?.manifest(name)?;
        seeds.extend(stored::seeds(&corpus.folder, &manifest));
    }
    Ok(seeds)
}

/// Runs the campaign here, or leads the workers of other machines.
fn campaign(
    args: &Args,
    config: &Config,
    out: OutDir,
    setup: &Setup,
    stops: &Stops,
    watch: &dyn CampaignWatch,
) -> Result<Ended> {
    #[cfg(feature = "nats")]
    if let Some(address) = &args.coordinate {
        let access = args.nats.access(address)?;
        return Ok(::fuzz::nats::coordinate(config, out, &setup.targets, stops, watch, &access)?);
    }
    #[cfg(not(feature = "nats"))]
    if args.coordinate.is_some() {
        return crate::commands::worker::refuse();
    }
    Ok(::fuzz::run(config, out, &setup.targets, setup.reference.as_ref(), stops, watch)?)
}

/// The solvers of a campaign, set up.
pub struct Setup {
    /// Those under test.
    pub targets: Vec<Target>,
    /// The one that is not.
    pub reference: Option<Target>,
}

/// Gets the solvers of a campaign, installing what is missing.
///
/// # Errors
/// A solver that cannot be had. Options that no mutator can follow are the command line's fault, and ends the process.
pub fn setup(args: &Args, fleet: &Fleet, stops: &Stops, watch: &dyn CampaignWatch) -> Result<Setup> {
    let options = target_options(args);
    let target = |spec: &SolverSpec| -> Result<Target> {
        let installed = fleet
            .ensure(spec, &mut |event: &install::InstallEvent<'_>| {
                watch.event(&CampaignEvent::Install { solver: spec.label(), what: solver::words(event) });
            })
            .with_context(|| format!("cannot get {}", spec.label()))?;
        Ok(Target::new(fleet.solver(installed), &options, stops)?)
    };
    let all = args.solver.iter().map(target).collect::<Result<Vec<Target>>>();
    let targets = match all.and_then(|targets| with_what_varies(args, targets)) {
        Ok(targets) => targets,
        // What was asked for does not exist: that is the command line's fault.
        Err(error) if error.is::<TargetError>() => {
            clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{error:#}\n")).exit()
        }
        Err(error) => return Err(error),
    };
    for complaint in args.settings.iter().flat_map(|(name, path)| registry::complaints(name, path)) {
        eprintln!("{complaint}");
    }
    let reference = args.reference.as_ref().map(target).transpose()?;
    Ok(Setup { targets, reference })
}

/// The targets, if there is anything to draw where options are to be drawn.
fn with_what_varies(args: &Args, targets: Vec<Target>) -> Result<Vec<Target>> {
    let has_options = |grade: OptionGrade| targets.iter().any(|target| target.has_options(grade));
    if args.options != SolverOptions::Default && !has_options(args.options.grade()) {
        let solvers = targets.iter().map(|target| target.label.clone()).collect::<Vec<_>>().join(", ");
        return Err(TargetError::NoOptions { solvers, has_experimental: has_options(OptionGrade::Experimental) }.into());
    }
    Ok(targets)
}

/// A campaign as the command line says. `note` is kept in its folder, to go on by.
pub fn config(args: &Args, seeds: Vec<SeedSource>, note: serde_json::Value, progress_every: Duration) -> Config {
    Config {
        seeds,
        seed: args.seed,
        jobs: args.jobs.map_or_else(processors, usize::from),
        budget: CampaignBudget {
            time: args.time,
            cpu: args.for_cpu,
            mutants: args.mutants,
            units: args.units,
            found: args.until_found,
        },
        limits: ProcessLimits { wall: args.timeout, memory_bytes: Some(args.memory), ..ProcessLimits::default() },
        wants_models: !matches!(args.assignment, Some(Assignment::Random | Assignment::Search)),
        judged_models: args.models,
        per_process: if args.no_batch { 1 } else { MAX_BATCH },
        drawn_options: if args.options == SolverOptions::Default { 0 } else { DRAWN_OPTIONS },
        option_grade: args.options.grade(),
        keep_mutants: args.keep_mutants.clone(),
        progress_every,
        schedule: match args.schedule {
            ScheduleKind::Yield => SchedulePolicy::Yield,
            ScheduleKind::Uniform => SchedulePolicy::Uniform,
        },
        reward: Box::new(RewardByAlike),
        shard: args.shard.unwrap_or(Shard::WHOLE),
        build: crate::build::here(),
        identity: resume::identity(args),
        note,
    }
}

fn explain(failure: CampaignError) -> anyhow::Error {
    anyhow::Error::new(failure).context("the campaign ended before its time")
}

/// Whether the campaign has the live screen.
fn is_shown(args: &Args) -> bool {
    args.format == OutputFormat::Text && !args.plain && is_fit()
}

/// The first Ctrl-C ends the campaign with its summary, the second ends the process.
pub fn stop_on_ctrl_c(stops: &Stops, lease: &TerminalLease) -> Result<()> {
    let (stops, lease) = (stops.clone(), lease.clone());
    ctrlc::set_handler(move || {
        if stops.user.is_cancelled() {
            lease.give_back();
            std::process::exit(130);
        }
        stops.user.cancel();
        stops.time.cancel();
    })
    .context("cannot catch Ctrl-C")
}

fn target_options(args: &Args) -> TargetOptions {
    let tactics = match args.tactics.as_deref() {
        None => Tactics::Profile,
        Some("none") => Tactics::List(Vec::new()),
        Some("random") => Tactics::Random,
        Some(list) => {
            Tactics::List(list.split(';').map(str::trim).filter(|t| !t.is_empty()).map(str::to_string).collect())
        }
    };
    let assignment = args.assignment.map(Assignment::word);
    let options = [
        ("max-depth", args.max_depth.map(|n| n.to_string())),
        ("max-asserts", args.max_asserts.map(|n| n.to_string())),
        ("assignment", assignment.map(str::to_string)),
    ];
    let mut parameters: Vec<(String, String)> =
        options.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect();
    parameters.extend(args.settings.iter().cloned());
    let mut mutators: Vec<String> = args.mutator.iter().flat_map(|list| choice::names(list)).collect();
    if !args.theory.is_empty() {
        parameters.push(("theory".to_string(), args.theory.join(",")));
        if mutators.is_empty() {
            mutators.push(finite::ENTRY.name.to_string());
        }
    }
    TargetOptions {
        mutators,
        logics: args.logic.clone(),
        truth: match args.truth {
            // What the mutators do anyway.
            TruthArg::Certified => None,
            TruthArg::Differential => Some(TruthMode::Differential),
            TruthArg::Both => Some(TruthMode::Both),
        },
        incremental: match args.incremental {
            Switch::On => Incremental::On,
            Switch::Off => Incremental::Off,
            Switch::Auto => Incremental::Auto,
        },
        tactics,
        parameters,
    }
}
