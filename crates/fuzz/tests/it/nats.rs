//! The coordinator and stand-in workers on a private NATS server: nothing is lost, and hostile messages are rejected.
//!
//! `SQUALL_SIM_UNITS=1000000 SQUALL_SIM_WORKERS=500 cargo test --release -p fuzz --features nats,store --test it
//! nats::simulated -- --nocapture` measures a large cluster.

#![cfg(all(feature = "nats", feature = "store"))]

mod hostile;

use crate::support::campaign::{config, target};
use crate::support::server::Server;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::{self, Context};
use finding::Build;
use futures_util::StreamExt;
use fuzz::counts::answer_counts::{Cell, CellKey, CellRow};
use fuzz::counts::stats::Snapshot;
use fuzz::findings::OutDir;
use fuzz::nats::wire::{self, Description, WorkerMessage};
use fuzz::nats::{Access, CampaignSolvers, WorkerSetup, coordinate, join};
use fuzz::schedule::unit::{PairVerdict, UnitPlan, UnitReport};
use fuzz::under_test::Mode;
use fuzz::{CampaignEvent, CampaignWatch, Config, Ended, Stops};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The seeds of a campaign here.
const SEEDS: usize = 20;

/// A server, and the folder of its streams.
fn server() -> Option<(tempfile::TempDir, Server)> {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[])?;
    Some((folder, server))
}

/// Records a campaign's events.
#[derive(Default)]
struct Told(Mutex<Vec<String>>);

impl CampaignWatch for Told {
    fn event(&self, event: &CampaignEvent) {
        if let CampaignEvent::Trouble { message } = event {
            self.0.lock().expect("nobody panics").push(message.clone());
        }
    }
}

fn access(address: &str) -> Access {
    Access { address: address.to_string(), ..Access::default() }
}

fn lead(address: &str, config: &Config, out: &Path, told: &Told, stops: &Stops) -> Ended {
    let out = OutDir::claim(out).expect("a folder");
    coordinate(
        config,
        out,
        CampaignSolvers { targets: &[target(stops)], reference: None },
        stops,
        told,
        &access(address),
    )
    .expect("it runs")
}

/// A real worker, once there is a campaign, until it is over.
fn work(address: &str, folder: &Path) -> Snapshot {
    let joined = loop {
        match join(&access(address), None, &Build::unknown()) {
            Ok(joined) => break joined,
            Err(_) => std::thread::sleep(Duration::from_millis(50)),
        }
    };
    check_other_build(address);
    let (stops, told) = (Stops::default(), Told::default());
    let targets = [target(&stops)];
    let config = config(folder, SEEDS, u64::MAX);
    let job = WorkerSetup { config, targets: &targets, reference: None, cache: folder.join("cache") };
    let counts = joined.work(job, &stops, &told).expect("it works");
    let told = told.0.into_inner().expect("nobody panics");
    assert!(told.is_empty(), "{told:?}");
    counts
}

/// A worker of another commit is rejected with both commits named: it would find other things under the same version.
fn check_other_build(address: &str) {
    let other = Build { commit: Some("0123456789ab".to_string()), dirty: true, ..Build::unknown() };
    let refused = join(&access(address), None, &other).err().map(|error| error.to_string()).unwrap_or_default();
    for build in [other, Build::unknown()] {
        assert!(refused.contains(&build.to_string()), "{refused}");
    }
}

/// Returns a stand-in worker's report of a unit that it did not do.
fn report(plan: UnitPlan, solver: &str) -> UnitReport {
    let cell = Cell { scripts: 8, answers: BTreeMap::from([("sat".to_string(), 8)]) };
    let key = CellKey { solver: solver.to_string(), mutator: "storm".into(), logic: "QF_LIA".into() };
    UnitReport {
        seed_sent: plan.visit == 0,
        plan,
        complete: true,
        counts: Snapshot { mutants: 8, sat: 8, ..Snapshot::default() },
        seed_sha256: String::new(),
        cells: vec![CellRow { key, cell }],
        mutator: Some("storm".into()),
        modes: vec![(Mode::Plain, 8)],
        errors: Default::default(),
        disagreements: Vec::new(),
        verdict: PairVerdict::Useful,
    }
}

/// The connection of a stand-in worker, once there is a campaign.
async fn wires(address: &str) -> (Context, PullConsumer, String, Description) {
    let client = async_nats::ConnectOptions::new().max_reconnects(None).connect(address).await.expect("a server");
    let context = jetstream::new(client);
    loop {
        if let Ok(stream) = context.get_stream("SQUALL_CAMPAIGNS").await
            && let Ok(message) = stream.get_last_raw_message_by_subject("squall.campaign.*").await
        {
            let envelope = wire::read::<Description>(&message.payload, wire::MAX_DESCRIPTION, None).expect("ours");
            let units = context.get_stream(format!("SQUALL_{}_UNITS", envelope.campaign)).await.expect("units");
            let consumer = units.get_or_create_consumer("workers", pull::Config::default()).await;
            // The coordinator's own consumer exists before the description.
            let consumer = match consumer {
                Ok(consumer) => consumer,
                Err(_) => units.get_consumer("workers").await.expect("a consumer"),
            };
            return (context, consumer, envelope.campaign, envelope.body);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A stand-in worker's failures.
#[derive(Clone, Copy)]
enum Fails {
    Never,
    /// Returns every N-th unit immediately.
    GivesBack(u64),
    /// Takes every N-th unit and never reports again, like a worker that died.
    Forgets(u64),
}

/// How long the server waits for such a worker, instead of half a minute.
const SHORT_WAIT: Duration = Duration::from_secs(1);

/// Takes units and answers them, until there are none for a while.
async fn stand_in(address: String, fails: Fails, done: Arc<std::sync::atomic::AtomicBool>) {
    let (context, mut consumer, id, description) = wires(&address).await;
    if let Fails::Forgets(_) = fails {
        // The coordinator's own consumer, except for the time.
        let config = pull::Config {
            durable_name: Some("workers".to_string()),
            ack_policy: jetstream::consumer::AckPolicy::Explicit,
            ack_wait: SHORT_WAIT,
            max_ack_pending: 65_536,
            max_waiting: 16_384,
            ..pull::Config::default()
        };
        let units = context.get_stream(format!("SQUALL_{id}_UNITS")).await.expect("units");
        consumer = units.create_consumer(config).await.expect("a consumer that waits for less long");
    }
    let mut taken = 0u64;
    while !done.load(std::sync::atomic::Ordering::Relaxed) {
        let Ok(mut batch) = consumer.batch().max_messages(16).expires(Duration::from_secs(1)).messages().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        while let Some(Ok(message)) = batch.next().await {
            taken += 1;
            match fails {
                Fails::GivesBack(one_in) if taken.is_multiple_of(one_in) => {
                    let _ = message.ack_with(jetstream::AckKind::Nak(None)).await;
                    continue;
                }
                Fails::Forgets(one_in) if taken.is_multiple_of(one_in) => continue,
                _ => {}
            }
            let plan = wire::read::<UnitPlan>(&message.payload, wire::MAX_SMALL, Some(&id)).expect("ours").body;
            let text = wire::write(&id, WorkerMessage::Report(Box::new(report(plan, &description.solvers[0]))));
            loop {
                let sent = context.publish(format!("squall.{id}.result"), text.clone().into()).await;
                if let Ok(stored) = sent
                    && stored.await.is_ok()
                {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            let _ = message.ack().await;
        }
    }
}

/// Ends a campaign when dropped in a panic, so a failing test does not wait for it.
struct EndsInPanic(Stops);

impl Drop for EndsInPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.user.cancel();
        }
    }
}

/// Runs a campaign with stand-in workers, and `meanwhile` in parallel.
fn play(
    server: &mut Server,
    units: u64,
    workers: usize,
    fails: Fails,
    meanwhile: impl FnOnce(&mut Server),
) -> (Ended, Vec<String>) {
    let root = tempfile::tempdir().expect("a folder");
    let config = config(root.path(), SEEDS, units);
    let told = Told::default();
    let done = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for _ in 0..workers {
        runtime.spawn(stand_in(server.address(), fails, Arc::clone(&done)));
    }
    let ended = std::thread::scope(|scope| {
        let address = server.address();
        let (config, told, out) = (&config, &told, root.path().join("out"));
        let ends = EndsInPanic(Stops::default());
        let stops = ends.0.clone();
        let leading = scope.spawn(move || lead(&address, config, &out, told, &stops));
        meanwhile(server);
        leading.join().expect("no panic")
    });
    done.store(true, std::sync::atomic::Ordering::Relaxed);
    runtime.shutdown_timeout(Duration::from_secs(1));
    (ended, told.0.into_inner().expect("nobody panics"))
}

#[test]
fn simulated_workers_do_every_unit_once() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (units, workers) = (number("SQUALL_SIM_UNITS", 3000), number("SQUALL_SIM_WORKERS", 20) as usize);
    let Some((_folder, mut server)) = server() else { return };
    let start = Instant::now();
    let (ended, told) = play(&mut server, units, workers, Fails::GivesBack(7), |_| {});
    let counts = &ended.standing.counts;
    assert_eq!((counts.units, counts.mutants, ended.standing.refused), (units, units * 8, 0), "{told:?}");
    assert!(ended.failure.is_none());
    let seconds = start.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown");
    // The stand-ins' own time is in this process, too.
    println!(
        "{units} units by {workers} workers in {seconds:.1} s; CPU of coordinator and stand-ins {:.1} s; {peak}",
        ended.standing.cpu_s
    );
}

#[test]
fn units_of_a_worker_that_is_silent_are_delivered_to_others() {
    let Some((_folder, mut server)) = server() else { return };
    // Otherwise the campaign would wait 15 minutes until the coordinator considers units lost.
    let (ended, told) = play(&mut server, 300, 3, Fails::Forgets(10), |_| {});
    assert_eq!((ended.standing.counts.units, ended.standing.refused), (300, 0), "{told:?}");
}

/// A worker once rebuilt a unit's message without its reply subject, so its acknowledgements were never sent; after half a minute the
/// server delivered each unit again, and a campaign whose units take seconds made no progress. Fast units and stand-in workers did not
/// show it. The test listens for acknowledgements on the wire: the number that the server has not yet counted at some moment also depends
/// on its load.
#[test]
fn a_worker_acknowledges_what_it_did() {
    const UNITS: u64 = 40;
    let Some((_folder, mut server)) = server() else { return };
    let mut acknowledged = BTreeSet::new();
    let (ended, told) = play(&mut server, UNITS, 0, Fails::Never, |server| {
        let address = server.address();
        let root = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let mut heard = runtime.block_on(async {
            let (.., id, _) = wires(&address).await;
            let client = async_nats::connect(&address).await.expect("a server");
            let heard = client.subscribe(format!("$JS.ACK.SQUALL_{id}_UNITS.workers.>")).await.expect("heard");
            client.flush().await.expect("the server knows");
            heard
        });
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| work(&address, root.path()));
            runtime.block_on(async {
                let silence = Duration::from_secs(60);
                while acknowledged.len() < UNITS as usize
                    && let Ok(Some(message)) = tokio::time::timeout(silence, heard.next()).await
                {
                    // The server's own subject: $JS.ACK, stream, consumer, deliveries, and the unit's position in the stream.
                    let place = message.subject.split('.').nth(5).and_then(|place| place.parse::<u64>().ok());
                    if message.payload.as_ref() == b"+ACK" {
                        acknowledged.insert(place.expect("a place"));
                    }
                }
            });
            assert_eq!(worker.join().expect("no panic").units, UNITS);
        });
    });
    assert_eq!((ended.standing.counts.units, ended.standing.refused), (UNITS, 0), "{told:?}");
    assert_eq!(acknowledged.len() as u64, UNITS, "{acknowledged:?}");
}

#[test]
fn a_server_that_goes_away_is_waited_for() {
    let Some((_folder, mut server)) = server() else { return };
    let (ended, told) = play(&mut server, 4000, 4, Fails::Never, |server| {
        let address = server.address();
        // In the midst of the campaign.
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let (_, mut consumer, ..) = wires(&address).await;
            while consumer.info().await.expect("there is much to do").delivered.stream_sequence < 300 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        server.running.kill();
        std::thread::sleep(Duration::from_millis(700));
        server.again();
    });
    assert_eq!((ended.standing.counts.units, ended.standing.refused), (4000, 0));
    let lost = told.iter().filter(|words| words.contains("connection to NATS was lost")).count();
    assert!(lost >= 1, "{told:?}");
}
