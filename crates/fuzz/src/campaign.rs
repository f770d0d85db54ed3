//! A campaign: seeds and solvers in, worker threads, findings out.

use crate::bench::Shared;
use crate::crew;
use crate::event::{Event, Standing, Watch};
use crate::keeper::Keeper;
use crate::ledger::Shard;
use crate::models::Models;
use crate::outdir::{OutDir, OutError};
use crate::partner::Labels;
use crate::schedule::Kind;
use crate::seed::SeedSource;
use crate::stats::Counters;
use crate::target::{Stops, Target};
use solver::process::Limits;
use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

/// How often the chronicle is written.
pub(crate) const CHRONICLE_EVERY: Duration = Duration::from_secs(10);

/// What a campaign is about.
pub struct Config {
    /// The seeds, at least one.
    pub seeds: Vec<SeedSource>,
    /// The campaign's seed: the same gives the same mutants.
    pub seed: u64,
    /// Worker threads, at least 1.
    pub jobs: usize,
    /// When it ends by itself.
    pub budget: Budget,
    /// What one run of a solver may use.
    pub limits: Limits,
    /// Whether solvers are asked for models of seeds.
    pub wants_models: bool,
    /// How many units of 100 have the models of their mutants judged, at most 100.
    pub judged_models: u32,
    /// The most mutants that share a process of a solver that can be reset, at least 1; how many do depends on what starting
    /// it costs. No mutant depends on it.
    pub per_process: usize,
    /// How many units of 100 draw options for the solver, at most 100.
    pub drawn_options: u32,
    /// How often the watcher is told how things stand.
    pub progress_every: Duration,
    /// How units are chosen.
    pub schedule: Kind,
    /// The part of the units that this process does.
    pub shard: Shard,
    /// What decides which mutants are made, by the names the user knows it by: a folder's campaign only goes on with the same.
    pub identity: BTreeMap<String, String>,
    /// What the caller wants kept in `campaign.json`, to go on by.
    pub note: serde_json::Value,
}

/// When a campaign ends by itself; with neither it goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Wall-clock time of this run.
    pub time: Option<Duration>,
    /// CPU time of this run, that of solvers included; reductions beside the campaign are not.
    pub cpu: Option<Duration>,
    /// Mutants sent, those of earlier runs of the campaign included.
    pub mutants: Option<u64>,
    /// Units: none has this number or a later one.
    pub units: Option<u64>,
}

/// Why a campaign could not be run, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The folder cannot be used.
    #[error(transparent)]
    Out(#[from] OutError),
    /// The folder holds another campaign.
    #[error(
        "'{path}' holds a campaign that differs in {differences}; go on with it by --resume '{path}', or name another folder with --out"
    )]
    Other {
        /// The folder.
        path: String,
        /// What differs, with both values.
        differences: String,
    },
    /// The campaign's store cannot be used.
    #[cfg(feature = "store")]
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    /// A worker thread could not be started.
    #[error("cannot start a worker thread: {0}")]
    Thread(io::Error),
    /// A finding could not be written.
    #[error("cannot write to '{path}': {cause}; the campaign was stopped")]
    Write {
        /// The folder.
        path: String,
        /// What the system said.
        cause: String,
    },
    /// The solver could not be run.
    #[error("{0}")]
    Solver(String),
}

/// How a campaign ended.
#[derive(Debug)]
pub struct Ended {
    /// How things stood at the end.
    pub standing: Standing,
    /// What went wrong, if something ended it before its time.
    pub failure: Option<CampaignError>,
}

/// Runs a campaign to its end: its budget, `stops.user`, or nothing left to do. `out` is where its findings go; a campaign
/// that is there already goes on where it was.
///
/// # Errors
/// The folder cannot be used, or holds another campaign; nothing was begun then.
pub fn run(
    config: &Config,
    out: OutDir,
    targets: &[Target],
    reference: Option<&Target>,
    stops: &Stops,
    watch: &dyn Watch,
) -> Result<Ended, CampaignError> {
    let keeper = Keeper::open(config, out, targets, stops, watch)?;
    let shared = Shared {
        config,
        targets,
        reference,
        models: Models::default(),
        labels: Labels::new(config.seeds.len()),
        control: &keeper.control,
        coordinator: &keeper,
    };
    keeper.restore(&shared);
    let mut chronicle = keeper.chronicle();
    keeper.announce();
    let counters: Vec<Counters> = (0..config.jobs.max(1)).map(|_| Counters::default()).collect();
    let (mut told, mut ticks) = (Instant::now(), 0);
    crew::work(&shared, &counters, || {
        keeper.heed(&counters);
        keeper.commit();
        if keeper.control.elapsed() >= CHRONICLE_EVERY * ticks {
            keeper.write_chronicle(&mut chronicle, Some(ticks.into()), &counters);
            ticks += 1;
        }
        if told.elapsed() >= config.progress_every {
            told = Instant::now();
            watch.event(&Event::Progress(Box::new(keeper.standing(&counters))));
            watch.event(&Event::Detail(Box::new(keeper.detail(&counters))));
        }
    });
    keeper.commit();
    keeper.write_chronicle(&mut chronicle, None, &[]);
    let standing = keeper.standing(&[]);
    watch.event(&Event::Summary(Box::new(standing.clone())));
    Ok(Ended { standing, failure: keeper.control.failure() })
}
