//! `squall fuzz`: generates instances whose answer is known, and looks for solvers that answer otherwise.

mod arguments;
mod background;
mod cached_count;
pub mod defaults;
pub mod live;
mod metrics;
pub mod resume;
pub mod screen;
mod setup;
mod summary;

use crate::args::format::OutputFormat;
use crate::exit::Exit;
use ::finding::BugClass;
use ::fuzz::counts::untested::Untested;
use ::fuzz::findings::OutDir;
use ::fuzz::state::event::CampaignStatus;
use ::fuzz::{CampaignError, CampaignEvent, CampaignWatch, Config, Ended, Stops};
use ::solver::install::Fleet;
use ::solver::leftovers::Adoption;
use anyhow::{Context, Result};
pub use arguments::Args;
use arguments::TruthArg;
pub use arguments::is_harmless;
use background::Reducing;
use background::ReducingOptions;
use corpus::seed;
use defaults::CompletedWords;
use live::LiveScreen;
pub use live::{TerminalLease, is_fit};
use metrics::Metrics;
use screen::{JsonLines, Screen};
pub use setup::{Setup, config, setup};
use std::sync::Arc;
use std::time::Duration;
use triage::folder::CampaignFindings;
use triage::reduction_yield::ReductionYield;

/// Only the summary, after the problems of the run.
struct QuietScreen(Screen);

impl CampaignWatch for QuietScreen {
    fn event(&self, event: &CampaignEvent) {
        match event {
            CampaignEvent::Summary(_) => self.0.event(event),
            before => self.0.note(before),
        }
    }
}

/// How often plain lines and JSON report progress.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How often the status line of a terminal is redrawn.
const SCREEN_EVERY: Duration = Duration::from_millis(250);

/// Runs the subcommand with a command line that has the defaults of settings files.
/// Errors: missing seeds, a solver that is not available, or a folder that cannot be written.
pub fn run(args: Args, completed: &CompletedWords) -> Result<Exit> {
    let (args, note) = resume::settle(args, &completed.campaign)?;
    completed.told.iter().for_each(|line| eprintln!("{line}"));
    let stops = Stops::default();
    let lease = TerminalLease::default();
    stop_on_ctrl_c(&stops, &lease)?;
    let ended = hunt(&args, note, &stops, lease)?;
    let tally = &ended.standing.tally;
    let found = !tally.findings.is_empty() || !tally.seed_findings.is_empty();
    // A campaign without limits ends only by an interruption.
    Ok(match found {
        true => Exit::Found,
        false if args.end.is_any() && stops.user.is_cancelled() => Exit::Unfinished,
        false => tested(&ended.standing),
    })
}

/// Returns the exit code of a campaign that found nothing.
pub fn tested(standing: &CampaignStatus) -> Exit {
    match Untested::of(&standing.counts) {
        // A campaign that tested nothing is not a clean one.
        Some(untested) if untested.is_failure() => Exit::Failure,
        Some(_) => Exit::Unknown,
        None => Exit::Clean,
    }
}

/// Runs the campaign of a command line and shows it. `note` is kept in `campaign.json`.
/// Errors: missing seeds, a solver that is not available, or a folder that cannot be written.
pub fn hunt(args: &Args, note: serde_json::Value, stops: &Stops, lease: TerminalLease) -> Result<Ended> {
    let screen = Screen::new(args.view.plain, args.effort.reduce_share > 0.0, args.end.time);
    let is_quick = args.view.format == OutputFormat::Text && (screen.is_live() || is_shown(args));
    let shown: Box<dyn CampaignWatch> = match args.view.format {
        OutputFormat::Json => Box::new(JsonLines::default()),
        OutputFormat::Text if args.view.quiet => Box::new(QuietScreen(screen)),
        OutputFormat::Text if is_shown(args) => Box::new(LiveScreen::new(screen, args.end.time, stops, lease)),
        OutputFormat::Text => Box::new(screen),
    };
    let progress_every = if is_quick { SCREEN_EVERY } else { LINE_EVERY };
    hunt_watched(args, note, stops, (&*shown, progress_every), None)
}

/// Runs a campaign that `shown` displays at its interval. `known` are findings of other campaigns, with known causes.
/// Errors: as [`hunt`].
pub fn hunt_watched(
    args: &Args,
    note: serde_json::Value,
    stops: &Stops,
    (shown, progress_every): (&dyn CampaignWatch, Duration),
    known: Option<&CampaignFindings>,
) -> Result<Ended> {
    args.tested.focus.load()?;
    let metrics = args.place.metrics.as_deref().map(|path| Metrics::new(path, shown)).transpose()?;
    let watch: &dyn CampaignWatch = match &metrics {
        Some(metrics) => metrics,
        None => shown,
    };
    if args.mutation.truth != TruthArg::Certified && args.tested.solver.len() < 2 && args.tested.reference.is_none() {
        let message = "--truth differential and --truth both compare solvers: add a second --solver or a --reference\n";
        crate::render::say::end(&clap::Error::raw(clap::error::ErrorKind::MissingRequiredArgument, message));
    }
    if args.end.until_found == Some(BugClass::S) && !args.mutation.options.slow {
        let message = "--until-found S waits for slow answers, which need --slow: add it\n";
        crate::render::say::end(&clap::Error::raw(clap::error::ErrorKind::MissingRequiredArgument, message));
    }
    let seeds = match setup::needs_seeds(args) {
        true => seed::of_logics(setup::seeds(args)?, &args.mutation.logic)?,
        // Generated problems stay within the logics by themselves; the seeds only number the units.
        false => setup::seeds(args)?,
    };
    if let Some(folder) = &args.place.keep_mutants {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder '{}'", folder.display()))?;
    }
    // Reported before a solver is fetched, which may take a while.
    let out = OutDir::claim(&args.place.out)?;
    let fleet =
        Fleet::of_user()?.with_owner(out.owner()).with_patience(args.effort.timeout).with_cancel(stops.late.clone());
    let fleet = fleet.naming(args.tested.solver.iter().chain(&args.tested.reference));
    resume::remember(args);
    let solvers = setup(args, &fleet, stops, watch)?;
    let causes = Arc::new(ReductionYield::load(&args.place.out));
    if args.effort.blocking == arguments::OnOff::On {
        // A new campaign has no findings.
        let own = CampaignFindings::load(&args.place.out).ok();
        own.iter().chain(known).for_each(|known| causes.know_all(known));
    }
    let config = config(args, seeds, note, progress_every, Arc::clone(&causes));
    let reducing_options = ReducingOptions {
        share: args.effort.reduce_share,
        jobs: config.jobs,
        blocks: args.effort.blocking == arguments::OnOff::On,
        bisect: args.effort.bisect,
        progress: crate::commands::solver::say,
    };
    let _adoption = Adoption::begin();
    let ended = std::thread::scope(|scope| {
        let reducing = Arc::new(Reducing::new(watch, reducing_options, causes, stops.late.clone(), fleet));
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

/// Runs the campaign here, or coordinates workers on other machines.
fn campaign(
    args: &Args,
    config: &Config,
    out: OutDir,
    setup: &Setup,
    stops: &Stops,
    watch: &dyn CampaignWatch,
) -> Result<Ended> {
    #[cfg(feature = "nats")]
    if let Some(address) = &args.place.coordinate {
        let access = args.place.nats.access(address)?;
        let solvers = ::fuzz::nats::CampaignSolvers { targets: &setup.targets, reference: setup.reference.as_ref() };
        return Ok(::fuzz::nats::coordinate(config, out, solvers, stops, watch, &access)?);
    }
    #[cfg(not(feature = "nats"))]
    if args.place.coordinate.is_some() {
        return crate::commands::cluster::worker::refuse();
    }
    Ok(::fuzz::run(config, out, &setup.targets, setup.reference.as_ref(), stops, watch)?)
}

fn explain(failure: CampaignError) -> anyhow::Error {
    anyhow::Error::new(failure).context("the campaign ended early")
}

/// Whether the campaign has the live screen.
fn is_shown(args: &Args) -> bool {
    args.view.format == OutputFormat::Text && !args.view.plain && !args.view.quiet && is_fit()
}

/// Makes the first Ctrl-C end the campaign with its summary, and the second the process.
pub fn stop_on_ctrl_c(stops: &Stops, lease: &TerminalLease) -> Result<()> {
    let (stops, lease) = (stops.clone(), lease.clone());
    ctrlc::set_handler(move || {
        if stops.user.is_cancelled() {
            lease.give_back();
            Exit::Interrupted.end();
        }
        stops.user.cancel();
        stops.time.cancel();
    })
    .context("cannot catch Ctrl-C")
}
