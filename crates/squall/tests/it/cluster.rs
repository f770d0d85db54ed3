//! A coordinator and workers over NATS, killed at random: no finding is lost or duplicated, and every unit is done.
//!
//! `SQUALL_KILLS=200 cargo test -p squall --test it cluster::coordinator -- --nocapture` kills that often;
//! `SQUALL_SCALE=1 cargo test -p squall --test it cluster::eight -- --nocapture` measures how eight workers compare with one,
//! and how much CPU time the coordinator and the server use.

#![cfg(feature = "nats")]

use crate::support::nats::{Running, Server};
use crate::support::{ALWAYS, Stage, check_same_findings, findings, squall};
use rusqlite::Connection;
use solver::proc_stat::Stat;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A cluster on this machine: a NATS server, seeds, a stand-in solver.
struct Cluster {
    stage: Stage,
    server: Server,
    units: u64,
}

impl Cluster {
    /// `None` without `nats-server`.
    fn new(script: &str, units: u64) -> Option<Cluster> {
        let stage = Stage::with_seeds(script);
        let server = Server::start(&stage.path("nats"), &[])?;
        Some(Cluster { stage, server, units })
    }

    fn fuzz(&self, out: &Path, more: &[&str]) -> Command {
        let mut command = squall();
        command
            .arg("fuzz")
            .arg(self.stage.path("seeds"))
            .args(["--solver", &self.stage.solver("unsat"), "--out"])
            .arg(out);
        command.args(["--format", "json", "--schedule", "uniform", "--models", "0", "--reduce-share", "0"]);
        command
            .args(["--timeout", "600s", "--units", &self.units.to_string()])
            .args(more)
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn coordinator(&self) -> Running {
        let log = File::options().create(true).append(true).open(self.stage.path("log")).expect("a file");
        let child = self.fuzz(&self.stage.out(), &["--coordinate", &self.server.address()]).stdout(log).spawn();
        Running(child.expect("it runs"))
    }

    fn worker(&self) -> Running {
        let mut command = squall();
        command
            .args(["cluster", "worker", &self.server.address(), "--jobs", "1", "--trust-commands"])
            .stdin(Stdio::null());
        Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs"))
    }

    /// Waits for the campaign's end, restarting workers that could not find it yet. Returns the time that took, and the CPU seconds of
    /// the coordinator and the server during it.
    fn finish(&self, mut coordinator: Running, workers: usize) -> (Duration, [f64; 2]) {
        let (start, deadline) = (Instant::now(), Instant::now() + Duration::from_secs(600));
        let mut working: Vec<Running> = (0..workers).map(|_| self.worker()).collect();
        let used = |coordinator: &Running| [coordinator, &self.server.running].map(|running| cpu_seconds(&running.0));
        let (before, mut last) = (used(&coordinator), [0.0; 2]);
        while coordinator.0.try_wait().expect("it is ours").is_none() {
            assert!(
                Instant::now() < deadline,
                "{} units",
                number(&self.stage.out(), "SELECT n FROM counts WHERE name = 'units'")
            );
            std::thread::sleep(Duration::from_millis(50));
            last = used(&coordinator);
            for worker in &mut working {
                if worker.0.try_wait().expect("it is ours").is_some() {
                    *worker = self.worker();
                }
            }
        }
        (start.elapsed(), [0, 1].map(|n| (last[n] - before[n]).max(0.0)))
    }
}

/// Returns the CPU seconds that a process has used; 0 if it is gone.
fn cpu_seconds(child: &std::process::Child) -> f64 {
    Stat::of(child.id()).map_or(0.0, |stat| stat.cpu().as_secs_f64())
}

fn number(out: &Path, sql: &str) -> i64 {
    let Ok(store) = Connection::open(out.join("campaign.db")) else { return -1 };
    store.query_row(sql, [], |row| row.get(0)).unwrap_or(-1)
}

#[test]
fn coordinator_and_workers_killed_again_and_again_have_the_same_result() {
    let kills: u64 = testing::amount("SQUALL_KILLS", 2);
    let units = if kills > 6 { 400 } else { 48 };
    let Some(cluster) = Cluster::new(ALWAYS, units) else { return };
    let (whole, out) = (cluster.stage.path("whole"), cluster.stage.out());
    assert_eq!(
        cluster.fuzz(&whole, &["--jobs", "2"]).stdout(Stdio::null()).status().expect("it runs").code(),
        Some(10)
    );

    let mut coordinator = cluster.coordinator();
    let mut workers = vec![cluster.worker(), cluster.worker()];
    let mut killed = 0;
    while killed < kills {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_micros());
        std::thread::sleep(Duration::from_millis(u64::from(now % 700)));
        if now.is_multiple_of(3) {
            if coordinator.0.try_wait().expect("it is ours").is_some() {
                // It ended before it could be killed.
                break;
            }
            coordinator.kill();
            coordinator = cluster.coordinator();
        } else {
            let place = (now as usize / 3) % workers.len();
            std::mem::replace(&mut workers[place], cluster.worker()).kill();
        }
        killed += 1;
    }
    drop(workers);
    // The units of dead workers are returned after half a minute of silence.
    cluster.finish(coordinator, 2);
    println!("killed {killed} times; {units} units, {} findings", findings(&out).len());
    let units = units as i64;
    assert_eq!(number(&out, "SELECT value FROM facts WHERE name = 'mark'"), units, "the ledger is complete");
    assert_eq!(number(&out, "SELECT n FROM counts WHERE name = 'units'"), units, "every unit counts once");
    assert_eq!(number(&out, "SELECT count(*) FROM findings"), findings(&out).len() as i64);
    let store = Connection::open(out.join("campaign.db")).expect("a store");
    let whole_store: String = store.pragma_query_value(None, "integrity_check", |row| row.get(0)).expect("a word");
    assert_eq!(whole_store, "ok");
    check_same_findings(&out, &whole);
}

#[test]
fn a_worker_runs_no_commands_unless_allowed() {
    let Some(cluster) = Cluster::new(ALWAYS, 6) else { return };
    let none = squall().args(["cluster", "worker", &cluster.server.address()]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&none.stderr).contains("no campaign"), "{}", String::from_utf8_lossy(&none.stderr));
    let coordinator = cluster.coordinator();
    let deadline = Instant::now() + Duration::from_secs(600);
    loop {
        let refused = squall().args(["cluster", "worker", &cluster.server.address()]).output().expect("it runs");
        let words = String::from_utf8_lossy(&refused.stderr).into_owned();
        if words.contains("--trust-commands") {
            assert_eq!(refused.status.code(), Some(1));
            break;
        }
        assert!(words.contains("no campaign") && Instant::now() < deadline, "{words}");
    }
    cluster.finish(coordinator, 1);
    assert_eq!(number(&cluster.stage.out(), "SELECT n FROM counts WHERE name = 'units'"), 6);
    let nobody = squall().args(["cluster", "worker", "nats://127.0.0.1:1"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("is nats-server running there"));
}

/// Solvers that sleep: eight workers do nearly eight times as many units. Run only on demand, since it measures time.
#[test]
fn eight_workers_do_eight_times_as_much() {
    if std::env::var_os("SQUALL_SCALE").is_none() {
        return println!("skipped: set SQUALL_SCALE=1 to measure");
    }
    let time = |workers: usize, units: u64, sleep: &str| {
        let cluster = Cluster::new(&format!("sleep {sleep}; {}", ALWAYS.replace("\"$1\"", "sat")), units)?;
        // A unit grows with the visits of its seed, so only first visits are comparable.
        cluster.stage.add_seeds(units);
        let (took, [coordinator, server]) = cluster.finish(cluster.coordinator(), workers);
        let (seconds, rate) = (took.as_secs_f64(), units as f64 / took.as_secs_f64());
        println!(
            "{workers} workers: {units} units in {seconds:.1} s, {rate:.3} a second ({:.0} an hour); \
             coordinator {:.2} % of a CPU, server {:.2} %",
            rate * 3600.0,
            coordinator / seconds * 100.0,
            server / seconds * 100.0
        );
        Some(rate)
    };
    if let (Some(one), Some(eight)) = (time(1, 24, "0.25"), time(8, 192, "0.25")) {
        println!("{:.2} times", eight / one);
    }
    // Shorter units, for about twenty thousand an hour.
    time(8, 360, "0.12");
}

#[test]
fn a_coordinator_without_workers_has_tested_nothing() {
    let Some(cluster) = Cluster::new(ALWAYS, 6) else { return };
    let out = cluster.stage.out();
    let address = cluster.server.address();
    let run = cluster.fuzz(&out, &["--coordinate", &address, "--for", "1s"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert_eq!(run.status.code(), Some(11), "{text}");
    assert!(text.contains("No unit of work was done") && text.contains("squall cluster worker"), "{text}");
    let merged = squall()
        .args(["cluster", "merge"])
        .arg(&out)
        .arg("--out")
        .arg(cluster.stage.path("merged"))
        .output()
        .expect("it runs");
    assert_eq!(merged.status.code(), Some(11), "{}", String::from_utf8_lossy(&merged.stdout));
}
