//! The coordinator: publishes units, takes their results, serves seeds.

mod messages;
mod units;

use super::claims::ReceivedClaim;
use super::client::{self, Access, NatsError, SubjectNames, refused};
use super::machines::Machines;
use super::parts::Parts;
use super::seeds::SeedServer;
use super::wire::{self, Description, Expectation, Refusal, SeedName};
use crate::campaign::Ended;
use crate::campaign::coordinator::Coordinator;
use crate::config::Config;
use crate::findings::OutDir;
use crate::nats::labels;
use crate::schedule::unit::UnitPlan;
use crate::state::event::{CampaignEvent, CampaignWatch, Detail};
use crate::sync::Stops;
use crate::under_test::Target;
use crate::worker::control::TICK;
use crate::worker::work_source::WorkSource;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::{Context, Message};
use finding::folder::SentFile;
use futures_util::StreamExt;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The time after which a unit without any response is published again. Doing it twice is harmless.
const LOST: Duration = Duration::from_secs(900);
/// The maximum number of messages taken before the store is written and they are acknowledged.
const BATCH: usize = 512;
/// How long the server may be silent at the end.
const FAREWELL: Duration = Duration::from_secs(5);

/// How long the end of the campaign waits for unjudged claims. The rest is delivered again when the campaign continues.
const LAST_CLAIMS: Duration = Duration::from_secs(60);

/// A claim by its SHA-256, and the messages that brought it.
type Delivered = (String, ReceivedClaim, Vec<Message>);

/// The result of a claim that was recorded or counted, to be acknowledged.
type JudgedClaim = (String, Result<(), Refusal>, Vec<Message>);

/// The claims of workers on their way to the judging thread and back.
struct Claims {
    to_judge: mpsc::Sender<Delivered>,
    judged: UnboundedReceiver<JudgedClaim>,
    /// Pending claims, by SHA-256 of their messages. They may be delivered again meanwhile.
    pending: BTreeSet<String>,
    /// Seeds whose labels were claimed to be wrong, by position: later claims get the same answer.
    doubted: BTreeSet<usize>,
}

/// The solvers of a campaign.
#[derive(Clone, Copy)]
pub struct CampaignSolvers<'t> {
    /// The solvers under test.
    pub targets: &'t [Target],
    /// The reference solver, if there is one.
    pub reference: Option<&'t Target>,
}

struct NatsCoordinator<'k, 'c> {
    coordinator: &'k Coordinator<'c>,
    names: SubjectNames,
    expectation: Expectation,
    context: Context,
    given: BTreeMap<u64, AssignedUnit>,
    parts: Parts<Message>,
    seeds: FxHashMap<String, usize>,
    /// The SHA-256 of the seeds, by position.
    hashes: Vec<String>,
    solvers: FxHashMap<String, usize>,
    told: BTreeSet<Refusal>,
    recent: Recent,
    silent: bool,
    claims: Claims,
    /// Distinguishes this run of the coordinator in message identifiers: the server takes a unit published before for a duplicate, even
    /// if the queue was emptied since.
    run: String,
}

/// A unit in transit.
struct AssignedUnit {
    plan: UnitPlan,
    /// When it was published; `None` if not yet, or the server did not take it.
    at: Option<Instant>,
    times: u32,
}

/// The number of units done recently.
struct Recent {
    since: Instant,
    now: usize,
    before: usize,
}

/// Runs a campaign whose units are done by workers on other machines, to the same end as [`crate::run`].
/// Errors: there is no server or it rejects us, or the folder cannot be used. If the server goes away later, the campaign waits.
pub fn coordinate(
    config: &Config,
    out: OutDir,
    CampaignSolvers { targets, reference }: CampaignSolvers<'_>,
    stops: &Stops,
    watch: &dyn CampaignWatch,
    access: &Access,
) -> Result<Ended, NatsError> {
    let coordinator = Coordinator::open(config, out, targets, stops, watch)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    std::thread::scope(|scope| {
        let (to_judge, claims) = mpsc::channel::<Delivered>();
        let (judged, results) = unbounded_channel();
        let coordinator = &coordinator;
        scope.spawn(move || {
            for (sha256, claim, messages) in claims {
                let verdict = match claim {
                    ReceivedClaim::Refuted(seed) => {
                        let seed = config.seeds.get(seed).and_then(|seed| seed.load().ok());
                        let found = seed.and_then(|s| labels::found_again(&s, targets, reference, &config.limits));
                        found.iter().for_each(|(entry, script)| coordinator.quarantine(entry.clone(), script));
                        Ok(())
                    }
                    ReceivedClaim::Finding(mut claim) => {
                        claim.confirm(targets, reference, &config.limits).map(|shows| {
                            let files: Vec<SentFile<'_>> =
                                claim.files.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
                            match shows {
                                true => coordinator.found(&claim.key, &claim.finding, &files),
                                false => coordinator.unconfirmed(&claim.key, None),
                            }
                        })
                    }
                };
                // The other side is gone when the campaign is over.
                let _ = judged.send((sha256, verdict, messages));
            }
        });
        let claims = Claims { to_judge, judged: results, pending: BTreeSet::new(), doubted: BTreeSet::new() };
        runtime.block_on(run(coordinator, config, targets, access, claims))
    })?;
    coordinator.commit();
    watch.settle();
    let standing = coordinator.standing(&[]);
    watch.event(&CampaignEvent::Summary(Box::new(standing.clone())));
    Ok(Ended { standing, failure: coordinator.control.failure(), sample: Vec::new() })
}

async fn run(
    coordinator: &Coordinator<'_>,
    config: &Config,
    targets: &[Target],
    access: &Access,
    claims: Claims,
) -> Result<(), NatsError> {
    let lost = Arc::new(AtomicBool::new(false));
    let (client, context) = client::connect(access, "squall coordinator", Arc::clone(&lost)).await?;
    let id = coordinator.id().unwrap_or_default();
    let names = SubjectNames::of(&id);
    let (mut seed_server, hashes) = SeedServer::new(config);
    let units = names.units(&context).await?;
    // Units of an earlier run are planned again; those that workers hold still come back.
    units.purge().await.map_err(refused("empty the queue of units"))?;
    client::consumer(&units, "workers").await?;
    let mut taken = results(&context, &names).await?;
    let mut asked = client.subscribe(names.seed.clone()).await.map_err(refused("hand out seeds"))?;
    let mut heartbeats = client.subscribe(names.heartbeat.clone()).await.map_err(refused("hear of workers"))?;
    let mut machines = Machines::default();
    let seeds: Vec<String> = config.seeds.iter().map(|seed| seed.name()).collect();
    let solvers: Vec<String> = targets.iter().map(|target| target.tested.label.clone()).collect();
    let named = seeds.iter().zip(hashes.clone()).map(|(name, sha256)| SeedName { name: name.clone(), sha256 });
    let mut description = Description {
        seed: config.mutants.seed,
        note: config.note.clone(),
        seeds: named.collect(),
        solvers: solvers.clone(),
        build: config.build.clone(),
        over: false,
    };
    describe(&context, &id, &names, &description).await?;
    coordinator.announce();
    let mut nats = NatsCoordinator {
        coordinator,
        seeds: seeds.iter().cloned().zip(0..).collect(),
        hashes,
        solvers: solvers.iter().cloned().zip(0..).collect(),
        expectation: Expectation { campaign: id.clone(), seed: config.mutants.seed, seeds, solvers },
        names,
        context,
        given: BTreeMap::new(),
        parts: Parts::new(),
        told: BTreeSet::new(),
        recent: Recent { since: Instant::now(), now: 0, before: 0 },
        silent: false,
        claims,
        run: format!("{}.{}", crate::worker::record::now(), std::process::id()),
    };
    let mut history = coordinator.history();
    let (mut told, mut ticks) = (Instant::now(), 0);
    let mut clock = tokio::time::interval(TICK);
    clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut is_complete = false;
    while !coordinator.control.is_over() {
        tokio::select! {
            message = taken.next() => match message {
                Some(Ok(message)) => {
                    let mut batch = vec![message];
                    while batch.len() < BATCH
                        && let Ok(Some(Ok(more))) = tokio::time::timeout(Duration::ZERO, taken.next()).await
                    {
                        batch.push(more);
                    }
                    nats.take(batch).await;
                }
                Some(Err(error)) => nats.wait(&error.to_string()).await,
                // The stream or its consumer was removed and replaced by another one.
                None => {
                    nats.wait("the results ended").await;
                    if let Ok(again) = results(&nats.context, &nats.names).await {
                        taken = again;
                    }
                }
            },
            Some(request) = asked.next() => {
                let answer = seed_server.answer(&id, &request.payload).unwrap_or_default();
                if let Some(reply) = request.reply {
                    // An unanswered request is repeated.
                    let _ = client.publish(reply, answer.into()).await;
                }
            }
            Some(heartbeat) = heartbeats.next() => match nats.heartbeat(&heartbeat.payload) {
                Ok(heartbeat) => machines.note(heartbeat, Instant::now()),
                Err(why) => nats.refuse(why),
            },
            Some(judged) = nats.claims.judged.recv() => nats.judged(judged).await,
            _ = clock.tick() => {}
        }
        if lost.swap(false, Ordering::Relaxed) {
            let message = "the connection to NATS was lost; the campaign continues when the server is back".to_string();
            coordinator.notify(&CampaignEvent::Trouble { message });
        }
        is_complete = !nats.give().await && nats.given.is_empty() && nats.claims.pending.is_empty();
        coordinator.heed(&[]);
        coordinator.commit();
        if coordinator.control.is_due() || is_complete {
            coordinator.control.end();
        }
        if coordinator.control.elapsed() >= crate::campaign::HISTORY_EVERY * ticks {
            if let Some(run) = history.runs.last_mut() {
                run.workers = machines.list(Instant::now());
            }
            coordinator.write_history(&mut history, Some(ticks.into()), &[]);
            ticks += 1;
        }
        if told.elapsed() >= config.progress_every {
            told = Instant::now();
            coordinator.notify(&CampaignEvent::Progress(Box::new(coordinator.standing(&[]))));
            let detail = Detail { machines: machines.list(Instant::now()), ..coordinator.detail(&[]) };
            coordinator.notify(&CampaignEvent::Detail(Box::new(detail)));
        }
    }
    let last = Instant::now() + LAST_CLAIMS;
    while !nats.claims.pending.is_empty() && !coordinator.control.is_stopped() && Instant::now() < last {
        if let Ok(Some(judged)) = tokio::time::timeout(TICK, nats.claims.judged.recv()).await {
            nats.judged(judged).await;
        }
    }
    coordinator.commit();
    coordinator.write_history(&mut history, None, &[]);
    description.over = true;
    let farewell = async {
        // Workers stop; what they still hold waits in the stream until the campaign continues.
        let _ = describe(&nats.context, &id, &nats.names, &description).await;
        let _ = units.purge().await;
        if is_complete {
            nats.names.remove(&nats.context).await;
        }
        let _ = client.flush().await;
    };
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
    Ok(())
}

/// Messages from workers, as they arrive.
async fn results(context: &Context, names: &SubjectNames) -> Result<pull::Stream, NatsError> {
    let results = names.results(context).await?;
    client::consumer(&results, "coordinator").await?.messages().await.map_err(refused("read results"))
}

async fn describe(
    context: &Context,
    id: &str,
    names: &SubjectNames,
    description: &Description,
) -> Result<(), NatsError> {
    client::campaigns(context).await?;
    let text = wire::write(id, description);
    let published = context.publish(names.campaign.clone(), text.into()).await;
    published.map_err(refused("describe the campaign"))?.await.map_err(refused("describe the campaign"))?;
    Ok(())
}
