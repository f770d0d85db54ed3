//! `squall cluster worker`: takes units of a campaign from a coordinator over NATS, and sends the results back.

use crate::commands::fuzz::resume;
use crate::exit::Exit;
use crate::render::say::counted;
use ::fuzz::Stops;
use ::fuzz::nats::{Access, WorkerSetup, join};
use ::solver::cache::SolverCache;
use ::solver::install::Fleet;
use ::solver::leftovers::Adoption;
use anyhow::{Context, Result, bail};
use std::sync::Arc;
use std::time::Duration;

/// Run a worker of a campaign that is coordinated on another machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    squall cluster worker nats://10.0.0.5:4222\n  \
    squall cluster worker tls://fuzz.example.org:4222 --nats-creds worker.creds --jobs 16\n\n\
    Exit codes: 0 the campaign or the time is over, 3 interrupted, 2 usage, 1 failure.")]
pub struct Args {
    /// The NATS server: nats://HOST:PORT or tls://HOST:PORT; several separated by commas.
    #[arg(value_name = "ADDRESS")]
    address: String,
    /// The campaign to work for, as its coordinator prints it [default: the newest].
    #[arg(long, value_name = "ID")]
    campaign: Option<String>,
    /// Number of worker threads [default: one per processor].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// How long to work [default: until the campaign is over].
    #[arg(long = "for", value_name = "TIME", value_parser = crate::args::units::time)]
    time: Option<Duration>,
    /// Run programs that the campaign names by path: solvers as "PATH OPTIONS", mutators as exec:COMMAND or pipe:COMMAND.
    /// Without it such a campaign is rejected, since anyone who can write to the server could run any program here.
    #[arg(long)]
    trust_commands: bool,
    #[command(flatten)]
    nats: crate::args::nats::Connection,
}

/// Runs the subcommand.
/// Errors: no server, no campaign, a campaign of another version, or a solver that is not available.
pub fn run(args: Args) -> Result<Exit> {
    let access: Access = args.nats.access(&args.address)?;
    let stops = Stops::default();
    crate::commands::fuzz::stop_on_ctrl_c(&stops, &crate::commands::fuzz::TerminalLease::default())?;
    let joined = join(&access, args.campaign.as_deref(), &crate::build::here())?;
    let begun = resume::of_note(joined.note()).context("the campaign's description")?;
    if let Some(command) = begun.foreign_command().filter(|_| !args.trust_commands) {
        bail!("the campaign runs '{command}' on every worker; allow it with --trust-commands, or use solvers by name")
    }
    if let Some(file) = begun.foreign_file().filter(|_| !args.trust_commands) {
        bail!("the campaign makes every worker read the file '{file}'; allow it with --trust-commands")
    }
    let watch = crate::commands::fuzz::screen::Screen::new(false, false, args.time);
    let fleet = Fleet::of_user()?.with_patience(begun.effort.timeout);
    let setup = crate::commands::fuzz::setup(&begun, &fleet, &stops, &watch)?;
    let labels: Vec<&str> = setup.targets.iter().map(|target| target.tested.label.as_str()).collect();
    if labels != joined.solvers() {
        bail!("the solvers here are {}, the campaign's are {}", labels.join(", "), joined.solvers().join(", "))
    }
    let mut config = crate::commands::fuzz::config(
        &begun,
        Vec::new(),
        serde_json::Value::Null,
        Duration::from_secs(10),
        Arc::default(),
    );
    config.jobs = args.jobs.map_or_else(::solver::process::processors, usize::from);
    config.budget.time = args.time;
    if config.keep_mutants.take().is_some() {
        eprintln!("squall: the campaign keeps mutants in a folder of the coordinator; this worker writes none");
    }
    eprintln!("working for campaign {} on {} with {}", joined.id(), labels.join(", "), counted(config.jobs, "thread"));
    let cache = SolverCache::of_user()?.sibling("seeds");
    files::atomic::sweep(&cache);
    let job = WorkerSetup { config, targets: &setup.targets, reference: setup.reference.as_ref(), cache };
    let _adoption = Adoption::begin();
    let counts = joined.work(job, &stops, &watch)?;
    println!("{} mutants sent; the campaign's coordinator has the findings.", counts.mutants);
    Ok(if stops.user.is_cancelled() { Exit::Unfinished } else { Exit::Clean })
}
