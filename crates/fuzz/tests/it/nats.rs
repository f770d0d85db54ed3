//! The coordinator and stand-in workers on a private NATS server: nothing is lost, and hostile messages are rejected.
//!
//! `SQUALL_SIM_UNITS=1000000 SQUALL_SIM_WORKERS=500 cargo test --release -p fuzz --features nats,store --test it
//! nats::simulated -- --nocapture` measures a large cluster.

#![cfg(all(feature = "nats", feature = "store"))]

use crate::readers::mutated_examples::mutation::Random;
use crate::support::campaign::{config, target};
use crate::support::server::Server;
use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::{self, Context};
use finding::Build;
use futures_util::StreamExt;
use fuzz::counts::answer_counts::{Cell, CellKey, CellRow};
use fuzz::counts::stats::Snapshot;
use fuzz::findings::OutDir;
use fuzz::nats::wire::{self, Description, SeedName, WorkerMessage};
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

/// Returns an invented wrong answer of the campaign's first seed and solver, and its script.
fn claimed(description: &Description, change: impl Fn(&mut serde_json::Value)) -> (finding::Finding, String) {
    let text = "(declare-const p Bool)\n(assert p)\n(check-sat)\n".to_string();
    let sha256 = files::digest::sha256(&text);
    let mut record = serde_json::json!({
        "format": 1, "id": format!("A-x-{}", &sha256[..12]), "class": "A", "summary": "s", "origin": "mutant",
        "trust": {"kind": "observed"}, "check": 0, "mode": "plain", "expected": ["sat"], "answers": ["unsat"],
        "solver": {"spec": "/bin/sh -c 'touch canary'", "label": description.solvers[0], "version": null, "origin": "", "purposes": [],
                   "command": ["/bin/sh"], "timeout_s": 1e300, "memory_bytes": null},
        "symptom": "unsat", "repeats": {"shown": 2, "runs": 2}, "others": [],
        "seed": {"name": description.seeds[0].name, "sha256": "", "check": 0, "status": null}, "mutator": null,
        "campaign": {"seed": description.seed, "unit": 9, "index": 0}, "mutant_sha256": sha256, "mutant_bytes": text.len(),
        "found_at": 0, "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "", "os": "", "arch": ""},
    });
    change(&mut record);
    (serde_json::from_value(record).expect("a record"), text)
}

/// Messages of each kind with bytes changed at random: no intact one is lost, and each of the others is rejected or counted.
#[test]
fn damaged_messages_cost_nothing() {
    let Some((_folder, mut server)) = server() else { return };
    let address = server.address();
    let amount: u64 = testing::amount("SQUALL_DAMAGED_MESSAGES", 20);
    let (ended, told) = play(&mut server, 40, 0, Fails::Never, |_| {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let (context, _, id, description) = wires(&address).await;
            let plan = UnitPlan { number: 1_000_000, seed: 0, target: 0, visit: 0, choice: None };
            let (finding, text) = claimed(&description, |_| ());
            let files = vec![("mutant.smt2".to_string(), text.len())];
            let mut claim = wire::write(&id, WorkerMessage::Finding { finding: Box::new(finding), files });
            claim.extend_from_slice(format!("\n{text}").as_bytes());
            let wrong = &description.seeds[0];
            let entry = WorkerMessage::Quarantine { seed: wrong.name.clone(), sha256: wrong.sha256.clone() };
            let hit = r#"{"unconfirmed":{"class":"A","target":99,"mode":"plain","seed":0,"from_seed":false,"options":"","symptom":"unsat","flaky":false}}"#;
            let hit: serde_json::Value = serde_json::from_str(hit).expect("JSON");
            let heartbeat = wire::Heartbeat { worker: "w".into(), jobs: 1, busy: 1, units: 0, mutants: 0 };
            let kinds = [
                ("result", wire::write(&id, WorkerMessage::Report(Box::new(report(plan, &description.solvers[0]))))),
                ("result", claim),
                ("result", wire::write(&id, entry)),
                ("result", wire::write(&id, hit)),
                ("heartbeat", wire::write(&id, heartbeat)),
                ("seed", wire::write(&id, wire::Piece { sha256: "0".repeat(64), from: 0 })),
            ];
            for (kind, (subject, whole)) in (0u64..).zip(&kinds) {
                for round in 0..amount {
                    let mut random = Random(kind << 32 | round);
                    let mut damaged = whole.clone();
                    // After the campaign's name, so that more than that is examined.
                    for _ in 0..1 + random.below(4) {
                        let at = random.below(damaged.len());
                        match random.below(3) {
                            0 => damaged[at] = random.below(256) as u8,
                            1 => damaged.truncate(at.max(1)),
                            _ => drop(damaged.remove(at)),
                        }
                        if damaged.is_empty() {
                            damaged.push(0);
                        }
                    }
                    let subject = format!("squall.{id}.{subject}");
                    match subject.ends_with("result") {
                        true => {
                            let sent = context.publish(subject, damaged.into()).await.expect("a server");
                            sent.await.expect("it is stored");
                        }
                        false => drop(context.publish(subject, damaged.into()).await),
                    }
                }
            }
        });
        let root = tempfile::tempdir().expect("a folder");
        work(&address, root.path());
    });
    assert_eq!(ended.standing.counts.units, 40, "{told:?}");
    assert_eq!(ended.standing.tally.groups, 0, "no invented finding counts: {told:?}");
    assert!(ended.failure.is_none() && !Path::new("canary").exists());
    println!("{} refused, {} not confirmed", ended.standing.refused, ended.standing.tally.unconfirmed);
}

#[test]
fn what_is_hostile_is_refused_and_counted() {
    let Some((_folder, mut server)) = server() else { return };
    let address = server.address();
    let (ended, told) = play(&mut server, 500, 2, Fails::Never, |_| {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let (context, _, id, description) = wires(&address).await;
            let plan = UnitPlan { number: 1, seed: 9999, target: 0, visit: 0, choice: None };
            let out_of_range =
                wire::write(&id, WorkerMessage::Report(Box::new(report(plan.clone(), &description.solvers[0]))));
            let mut enormous = report(UnitPlan { seed: 0, ..plan.clone() }, &description.solvers[0]);
            enormous.counts.mutants = u64::MAX;
            let enormous = wire::write(&id, WorkerMessage::Report(Box::new(enormous)));
            let other = wire::write("00112233445566aa", WorkerMessage::Report(Box::new(report(plan, "x"))));
            let newer = String::from_utf8_lossy(&out_of_range).replace("\"protocol\":1", "\"protocol\":9").into_bytes();
            let hostile = [
                b"\x00\xff{".to_vec(),
                out_of_range,
                enormous,
                other,
                newer,
                b"{}\n../../etc/passwd".to_vec(),
                vec![b'['; 900_000],
            ];
            for payload in hostile {
                let sent = context.publish(format!("squall.{id}.result"), payload.into()).await.expect("a server");
                sent.await.expect("it is stored");
            }
            let hit = |symptom: &str| {
                serde_json::json!({"class": "A", "target": 0, "mode": "plain", "seed": 0, "from_seed": false,
                "options": "", "symptom": symptom, "flaky": false})
            };
            let long = wire::write(&id, serde_json::json!({"unconfirmed": hit(&"x".repeat(1 << 16))}));
            let sent = context.publish(format!("squall.{id}.result"), long.into()).await.expect("a server");
            sent.await.expect("it is stored");
            // The label of a seed is wrong if the coordinator's solver says so.
            let SeedName { name: seed, sha256 } = description.seeds[0].clone();
            for sha256 in [sha256, "0".repeat(64)] {
                let message = WorkerMessage::Quarantine { seed: seed.clone(), sha256 };
                let sent = context.publish(format!("squall.{id}.result"), wire::write(&id, message).into()).await;
                sent.expect("a server").await.expect("it is stored");
            }
            // A finding that the coordinator's solver does not show is only counted.
            let claim = claimed(&description, |_| ());
            let canary =
                claimed(&description, |finding| finding["solver"]["drawn_options"] = serde_json::json!(["trace=true"]));
            for (finding, text) in [claim, canary] {
                let files = vec![("mutant.smt2".to_string(), text.len())];
                let mut payload = wire::write(&id, WorkerMessage::Finding { finding: Box::new(finding), files });
                payload.push(b'\n');
                payload.extend_from_slice(text.as_bytes());
                let sent = context.publish(format!("squall.{id}.result"), payload.into()).await.expect("a server");
                sent.await.expect("it is stored");
            }
        });
    });
    assert_eq!(ended.standing.counts.units, 500);
    assert_eq!((ended.standing.tally.unconfirmed, ended.standing.tally.groups), (1, 0));
    assert_eq!((ended.standing.refused, ended.standing.quarantined), (10, 0), "{told:?}");
    let text = told.join("\n");
    for word in ["another version", "another campaign", "malformed", "none of the campaign's"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}
