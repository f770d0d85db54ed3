//! A worker: takes units from a coordinator anywhere, and sends back their results.

mod source;

use super::client::{self, Access, NatsError, SIGN_EVERY, SubjectNames};
use super::seeds::SeedCache;
use super::wire::{self, Description, Expectation, MAX_DESCRIPTION, MAX_SMALL};
use crate::config::{CampaignBudget, Config};
use crate::counts::stats::{Counters, Snapshot};
use crate::schedule::unit::UnitPlan;
use crate::seeds::models::Models;
use crate::seeds::partner::Labels;
use crate::state::event::CampaignWatch;
use crate::state::finding_index::FindingIndex;
use crate::sync::Stops;
use crate::sync::lock;
use crate::under_test::Target;
use crate::worker::context::CampaignContext;
use crate::worker::control::Control;
use crate::worker::extra_share::ExtraShare;
use crate::worker::limit_share::LimitShare;
use crate::worker::pool;
use crate::worker::sample::MutantSample;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{AckKind, Context};
use corpus::seed::{Remote, SeedSource};
use finding::Build;
use futures_util::StreamExt;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// How long one request for a unit waits at the server.
const POLL: Duration = Duration::from_secs(2);
/// The interval at which an idle worker checks whether the campaign is over.
const LOOK_EVERY: Duration = Duration::from_secs(3);
/// The pause after an unanswered request.
const RETRY: Duration = Duration::from_secs(1);

/// A campaign that a worker joined, before it has solvers.
pub struct Joined {
    runtime: Runtime,
    client: async_nats::Client,
    context: Context,
    id: String,
    description: Description,
}

/// The setup of a worker.
pub struct WorkerSetup<'j> {
    /// The campaign according to the description's note; its seeds are replaced.
    pub config: Config,
    /// The solvers, in the description's order.
    pub targets: &'j [Target],
    /// The reference solver.
    pub reference: Option<&'j Target>,
    /// The cache folder for seeds.
    pub cache: PathBuf,
}

/// Joins a campaign by its identifier, or the one described last.
/// Errors: if there is no server or no campaign, or if the campaign runs another build.
pub fn join(access: &Access, campaign: Option<&str>, build: &Build) -> Result<Joined, NatsError> {
    if campaign.is_some_and(|id| !wire::is_campaign(id)) {
        return Err(NatsError::NoCampaign(format!(" '{}'", campaign.unwrap_or_default())));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (client, context, bytes) = runtime.block_on(async {
        let (client, context) = client::connect(access, "squall cluster worker", Arc::default()).await?;
        let bytes = client::description(&context, campaign).await?;
        Ok::<_, NatsError>((client, context, bytes))
    })?;
    let envelope = wire::read::<Description>(&bytes, MAX_DESCRIPTION, campaign)?;
    let description = envelope.body;
    if description.build != *build {
        return Err(NatsError::OtherBuild { there: description.build.to_string(), here: build.to_string() });
    }
    Ok(Joined { runtime, client, context, id: envelope.campaign, description })
}

/// A unit in progress: the acknowledgement of its message, and its heartbeat task.
///
/// The message itself is gone: `Message::split` moves its reply subject into the acker, so the rest of it could not be acknowledged.
struct InHand {
    acker: Arc<Acker>,
    alive: JoinHandle<()>,
}

/// The work source of a worker on another machine: the coordinator, over NATS.
struct NatsWorkSource<'w> {
    joined: &'w Joined,
    control: &'w Control,
    watch: &'w dyn CampaignWatch,
    names: SubjectNames,
    expectation: Expectation,
    consumer: PullConsumer,
    in_hand: Mutex<FxHashMap<u64, InHand>>,
    /// Units with results that could not be sent before the user stopped: they are returned whole.
    unsent: Mutex<FxHashSet<u64>>,
    index: Mutex<FindingIndex>,
    totals: Mutex<Snapshot>,
    looked: Mutex<Instant>,
    /// Seeds whose labels were refuted here, by their SHA-256.
    quarantine: Mutex<FxHashSet<String>>,
    silent: AtomicBool,
    refused: AtomicU64,
}

impl Joined {
    /// Returns the campaign's identifier.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the note of the campaign's `campaign.json`: the command line of its start.
    pub fn note(&self) -> &serde_json::Value {
        &self.description.note
    }

    /// Returns the labels that the solvers must have here, too.
    pub fn solvers(&self) -> &[String] {
        &self.description.solvers
    }

    /// Works until the campaign is over, or the user stops. Returns the counts of this worker's own work.
    /// Errors: the server rejects a request, or a solver cannot be run. If the server goes away, the worker waits.
    pub fn work(
        &self,
        mut job: WorkerSetup<'_>,
        stops: &Stops,
        watch: &dyn CampaignWatch,
    ) -> Result<Snapshot, NatsError> {
        let cache = Arc::new(SeedCache {
            folder: job.cache,
            client: self.client.clone(),
            campaign: self.id.clone(),
            runtime: self.runtime.handle().clone(),
        });
        let remote = |seed: &wire::SeedName| {
            let (name, sha256, fetch) = (seed.name.clone(), seed.sha256.clone(), Arc::clone(&cache) as Arc<_>);
            SeedSource::Remote(Remote { name, sha256, fetch })
        };
        job.config.seeds = self.description.seeds.iter().map(remote).collect();
        job.config.mutants.seed = self.description.seed;
        let config = &job.config;
        let control = Control::new(CampaignBudget { mutants: None, cpu: None, ..config.budget }, stops, 0);
        let names = SubjectNames::of(&self.id);
        let consumer = self.runtime.block_on(async {
            let units = names.units(&self.context).await?;
            client::consumer(&units, "workers").await
        })?;
        let source = NatsWorkSource {
            joined: self,
            control: &control,
            watch,
            names,
            expectation: Expectation {
                campaign: self.id.clone(),
                seed: self.description.seed,
                seeds: self.description.seeds.iter().map(|seed| seed.name.clone()).collect(),
                solvers: self.description.solvers.clone(),
            },
            consumer,
            in_hand: Mutex::default(),
            unsent: Mutex::default(),
            index: Mutex::default(),
            totals: Mutex::default(),
            looked: Mutex::new(Instant::now()),
            quarantine: Mutex::default(),
            silent: AtomicBool::new(false),
            refused: AtomicU64::new(0),
        };
        let campaign = CampaignContext {
            config,
            targets: job.targets,
            reference: job.reference,
            models: Models::default(),
            labels: Labels::new(config.seeds.len()),
            control: &control,
            source: &source,
            extra: ExtraShare::default(),
            limit_share: LimitShare::default(),
            sample: MutantSample::default(),
        };
        run(&campaign, &source);
        let totals = *lock(&source.totals);
        match control.failure() {
            Some(failure) => Err(NatsError::Campaign(failure)),
            None => Ok(totals),
        }
    }
}

fn run(campaign: &CampaignContext<'_>, source: &NatsWorkSource<'_>) {
    let counters: Vec<Counters> = (0..campaign.config.jobs.max(1)).map(|_| Counters::default()).collect();
    let (name, mut told) = (name(), None::<Instant>);
    pool::work(campaign, &counters, || {
        if told.is_none_or(|told| told.elapsed() >= SIGN_EVERY) {
            told = Some(Instant::now());
            source.heartbeat(&name, &counters);
        }
    });
    // Units in progress go to another worker immediately.
    let left: Vec<InHand> = lock(&source.in_hand).drain().map(|(_, in_hand)| in_hand).collect();
    source.joined.runtime.block_on(async {
        for InHand { acker, alive } in left {
            alive.abort();
            // Unreturned units are delivered to another worker after a while.
            let _ = acker.ack_with(AckKind::Nak(None)).await;
        }
        let _ = tokio::time::timeout(RETRY, source.joined.client.flush()).await;
    });
}

/// Returns this worker's name: the machine's, and the process's number.
fn name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    let host: String = host.as_deref().unwrap_or("worker").trim().chars().take(64).collect();
    format!("{host}/{}", std::process::id())
}

impl NatsWorkSource<'_> {
    /// Returns one unit from the queue, if one arrives in time.
    async fn take(&self) -> Result<Option<UnitPlan>, String> {
        // `fetch` returns immediately if other workers wait for more units than there are, for example after a server outage; without a
        // pause four workers kept the server busy by that.
        let mut batch =
            self.consumer.batch().max_messages(1).expires(POLL).messages().await.map_err(|error| error.to_string())?;
        let Some(message) = batch.next().await else { return Ok(None) };
        let message = message.map_err(|error| error.to_string())?;
        let read = wire::read::<UnitPlan>(&message.payload, MAX_SMALL, Some(&self.expectation.campaign));
        let plan = read.and_then(|envelope| self.expectation.check_plan(&envelope.body).map(|()| envelope.body));
        match plan {
            Ok(plan) => {
                self.hold(&plan, message);
                Ok(Some(plan))
            }
            Err(why) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                self.trouble(&format!("rejected a unit of work: {why}"));
                let _ = message.ack_with(AckKind::Term).await;
                Ok(None)
            }
        }
    }

    /// Whether the coordinator says that the campaign is over; an idle worker asks occasionally.
    async fn is_over_by_now(&self) -> bool {
        {
            let mut looked = lock(&self.looked);
            if looked.elapsed() < LOOK_EVERY {
                return false;
            }
            *looked = Instant::now();
        }
        self.is_over().await
    }

    async fn is_over(&self) -> bool {
        let Ok(bytes) = client::description(&self.joined.context, Some(&self.joined.id)).await else { return false };
        wire::read::<Description>(&bytes, MAX_DESCRIPTION, Some(&self.joined.id))
            .is_ok_and(|envelope| envelope.body.over)
    }
}
