//! Campaigns that are killed, resumed, done in parts and joined: nothing is lost, and nothing is done twice.
//!
//! `SQUALL_KILLS=200 cargo test -p squall --test it campaign::a_campaign_killed -- --nocapture` kills that often.

use crate::support::{ALWAYS, Run, Stage, check_same_findings, findings, record, squall};
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often the campaign is killed by default.
const KILLS: u32 = 2;
/// A campaign that depends only on its seed and its stand-in solver, even on a loaded machine.
const FIXED: [&str; 10] =
    ["--schedule", "uniform", "--models", "0", "--jobs", "2", "--reduce-share", "0", "--timeout", "600s"];

fn fuzz(stage: &Stage, out: &Path, more: &[&str]) -> Command {
    let mut command = squall();
    command.arg("fuzz").arg(stage.path("seeds")).args(["--solver", &stage.solver("unsat"), "--format", "json"]);
    command.arg("--out").arg(out).args(FIXED).args(more).stdin(Stdio::null());
    command
}

fn number(out: &Path, sql: &str) -> i64 {
    let store = Connection::open(out.join("campaign.db")).expect("a store");
    store.query_row(sql, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// Returns a random number of milliseconds below `most`. No result depends on it.
fn moment(most: u64) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_micros());
    Duration::from_millis(u64::from(now) % most)
}

#[test]
fn a_campaign_killed_again_and_again_has_the_same_result() {
    let kills: u32 = testing::amount("SQUALL_KILLS", KILLS);
    let units = if kills > KILLS { "600" } else { "40" };
    let stage = Stage::with_seeds(ALWAYS);
    let (whole, out) = (stage.path("whole"), stage.path("out"));
    let run = Run::of(&mut fuzz(&stage, &whole, &["--units", units]));
    assert_eq!((run.code, run.number("units").to_string().as_str()), (Some(10), units), "{}", run.stderr);

    let (mut killed, mut ended) = (0, false);
    let mut told = BTreeSet::new();
    while killed < kills && !ended {
        let log = stage.path("log");
        let mut command = fuzz(&stage, &out, &["--units", units]);
        command.stdout(fs::File::create(&log).expect("a file")).stderr(Stdio::null());
        let mut child = command.spawn().expect("it runs");
        std::thread::sleep(moment(600));
        ended = child.try_wait().expect("it is ours").is_some();
        let _ = child.kill();
        child.wait().expect("it is gone");
        killed += u32::from(!ended);
        for line in fs::read_to_string(&log).expect("a log").lines() {
            let event: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
            if event["event"] == "finding" {
                told.insert(event["id"].as_str().unwrap_or_default().to_string());
            }
        }
        assert_eq!(number_or_ok(&out), "ok");
    }
    let run = Run::of(&mut fuzz(&stage, &out, &["--units", units]));
    println!("killed {killed} times; {} units, {} findings told", run.number("units"), told.len());
    assert_eq!((run.code, run.number("units").to_string().as_str()), (Some(10), units), "{}", run.stderr);
    // The ledger is complete, and every unit is counted once.
    assert_eq!(number(&out, "SELECT value FROM facts WHERE name = 'mark'").to_string(), units);
    assert_eq!(number(&out, "SELECT count(*) FROM done"), 0);
    assert_eq!(number(&out, "SELECT n FROM counts WHERE name = 'units'").to_string(), units);
    assert_eq!(number(&out, "SELECT sum(units) FROM throughput").to_string(), units);
    // Nothing is lost or duplicated: the findings are those of a campaign that was never killed.
    check_same_findings(&out, &whole);
    let stored = number(&out, "SELECT count(*) FROM findings");
    assert_eq!(stored as usize, findings(&out).len());
    // Reported findings that are gone were replaced by smaller ones of their group.
    let kept = |id: &str| out.join("findings").join(id).exists();
    let full =
        number(&out, "SELECT count(*) FROM (SELECT in_group FROM findings GROUP BY in_group HAVING count(*) = 3)");
    assert!(told.iter().all(|id| kept(id)) || full > 0);
}

fn number_or_ok(out: &Path) -> String {
    if !out.join("campaign.db").exists() {
        return "ok".to_string();
    }
    let store = Connection::open(out.join("campaign.db")).expect("a store");
    // A store killed in its first moments may still be empty, which is also complete.
    store.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap_or_else(|error| error.to_string())
}

#[test]
fn parts_joined_are_the_whole() {
    let stage = Stage::with_seeds(ALWAYS);
    let whole = stage.path("whole");
    // The same number for each of three parts.
    let part = testing::amount("SQUALL_PART_UNITS", 15u64) / 3;
    let units = (3 * part).to_string();
    let run = Run::of(&mut fuzz(&stage, &whole, &["--units", &units]));
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    let parts: Vec<PathBuf> = (1..=3).map(|k| stage.path(&format!("part{k}"))).collect();
    for (k, out) in parts.iter().enumerate() {
        let shard = format!("{}/3", k + 1);
        let run = Run::of(&mut fuzz(&stage, out, &["--units", &units, "--shard", &shard]));
        assert_eq!((run.code, run.number("units")), (Some(10), part), "{}", run.stderr);
    }
    let merge = |parts: &[&PathBuf], out: &str| {
        let output = squall()
            .args(["cluster", "merge"])
            .args(parts)
            .arg("--out")
            .arg(stage.path(out))
            .output()
            .expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (code, words) = merge(&[&parts[2], &parts[0], &parts[1]], "joined");
    assert_eq!(code, Some(10), "{words}");
    assert!(words.contains("3 of 3 parts") && words.contains(&format!("{units} units finished")), "{words}");
    let joined = stage.path("joined");
    check_same_findings(&joined, &whole);
    for sql in [
        "SELECT sum(n) FROM answers",
        "SELECT sum(mutants) FROM coverage",
        "SELECT count(*) FROM groups WHERE confirmed > 0",
    ] {
        assert_eq!(number(&joined, sql), number(&whole, sql), "{sql}");
    }
    let refused = |parts: &[&PathBuf], out: &str, expect: &str| {
        let (code, words) = merge(parts, out);
        let usage = expect.contains("named");
        assert!(code == Some(if usage { 2 } else { 1 }) && words.contains(expect), "{expect}: {words}");
    };
    refused(&[&parts[0], &parts[0]], "a", "named more than once");
    refused(&[&parts[0]], "joined", "holds a campaign already");
    refused(&[&parts[0], &whole], "b", "differ");
    refused(&[&stage.path("seeds")], "c", "no campaign");
    let other = stage.path("other");
    Run::of(&mut fuzz(&stage, &other, &["--units", "4", "--shard", "2/3", "--seed", "9"]));
    refused(&[&parts[0], &other], "d", "--seed (there '0', here '9')");
}

/// Joining once dropped reduced findings that had been larger than others of their group, and `unknown`s for a second reason. Joined parts
/// without seeds were said to have sent 0 of all embedded ones.
#[test]
fn parts_joined_keep_what_was_reduced() {
    let stage = Stage::with_seeds(ALWAYS);
    let (part, joined) = (stage.path("part"), stage.path("joined"));
    Run::of(&mut fuzz(&stage, &part, &["--units", "15", "--shard", "1/3"]));
    let folder = part.join("findings");
    let mut all = fs::read_dir(&folder).expect("findings").flatten();
    let one = all.find(|entry| entry.file_name().to_string_lossy().starts_with("A-")).expect("a wrong answer").path();
    let add = |id: &str, bytes: u64, reason: Option<&str>| {
        let mut finding = record(&one);
        finding["id"] = id.into();
        finding["mutant_bytes"] = bytes.into();
        if let Some(reason) = reason {
            finding["class"] = "C".into();
            finding["symptom"] = "unknown".into();
            finding["reason_unknown"] = reason.into();
        }
        let copy = folder.join(id);
        fs::create_dir(&copy).expect("a folder");
        fs::copy(one.join("mutant.smt2"), copy.join("mutant.smt2")).expect("a file");
        fs::write(copy.join("finding.json"), finding.to_string()).expect("a file");
    };
    for (id, bytes, reason) in [
        ("kept-1", 1, None),
        ("kept-2", 2, None),
        ("kept-3", 3, None),
        ("dropped-4", 4, None),
        ("kept-reduced", 5, None),
        ("kept-known", 6, None),
        ("kept-reason-a", 1, Some("a")),
        ("kept-reason-b", 2, Some("b")),
        ("dropped-reason-b", 3, Some("b")),
    ] {
        add(id, bytes, reason);
    }
    fs::write(folder.join("kept-reduced/reduced.json"), "{}").expect("a file");
    fs::write(folder.join("kept-known/matched.json"), "{}").expect("a file");
    let run = |arguments: &[&str]| {
        let output = squall().args(arguments).current_dir(stage.root.path()).output().expect("it runs");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let words = run(&["cluster", "merge", "part", "--out", "joined"]);
    let ids = |out: &Path| -> BTreeSet<String> {
        let all = fs::read_dir(out.join("findings")).expect("findings").flatten();
        all.map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|id| id.starts_with("kept-") || id.starts_with("dropped-"))
            .collect()
    };
    let expect: BTreeSet<String> = ids(&part).into_iter().filter(|id| id.starts_with("kept-")).collect();
    assert_eq!(ids(&joined), expect, "{words}");
    assert!(words.contains("; kept on disk: "), "{words}");
    assert!(run(&["status", "joined"]).contains(" sent, "));
    let store = Connection::open(joined.join("campaign.db")).expect("a store");
    store.execute("UPDATE counts SET n = 0 WHERE name = 'seeds'", []).expect("it is changed");
    assert!(run(&["status", "joined"]).contains("seeds      none: all problems are generated"));
}

#[test]
fn a_campaign_resumes_only_as_itself() {
    let stage = Stage::with_seeds(ALWAYS);
    let out = stage.out();
    let run = Run::of(&mut fuzz(&stage, &out, &["--units", "10"]));
    assert_eq!(run.number("units"), 10);
    let before = findings(&out);
    // The same command again: all is done.
    let run = Run::of(&mut fuzz(&stage, &out, &["--units", "10"]));
    assert_eq!((run.code, run.number("units")), (Some(10), 10), "{}", run.stderr);
    assert_eq!(run.events("started")[0]["resumed"]["units"], 10);
    let resume = |more: &[&str]| {
        let mut command = squall();
        Run::of(command.args(["fuzz", "--format", "json", "--resume"]).arg(&out).args(more).stdin(Stdio::null()))
    };
    assert_eq!(resume(&[]).number("units"), 10, "its own command line has ten");
    let run = resume(&["--units", "14"]);
    assert_eq!((run.code, run.number("units")), (Some(10), 14), "{}", run.stderr);
    assert!(findings(&out).len() >= before.len());
    // A new limit replaces all earlier ones. Otherwise nothing would run, since its ten units were done.
    let run = resume(&["--mutants", "2000"]);
    assert!(run.number("units") > 14 && run.number("mutants") >= 2000, "{}", run.summary());
    let refused = Run::of(&mut fuzz(&stage, &out, &["--units", "20", "--mutator", "fusion"]));
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("--mutator (there not given, here 'fusion')"), "{}", refused.stderr);
    // The findings of a build once counted as those of the next one at the same path.
    let solver = stage.path("solver.sh");
    let before = fs::read_to_string(&solver).expect("the solver");
    fs::write(&solver, before + "\n# Another build.\n").expect("a file");
    let rebuilt = Run::of(&mut fuzz(&stage, &out, &["--units", "20"]));
    for refused in [rebuilt, resume(&["--units", "20"])] {
        assert_eq!(refused.code, Some(1));
        assert!(refused.stderr.contains("has changed since the campaign"), "{}", refused.stderr);
    }
    let nothing = squall().args(["fuzz", "--resume"]).arg(stage.path("seeds")).output().expect("it runs");
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("no campaign to resume"));
}

#[test]
fn an_unreadable_store_is_rebuilt_or_rejected() {
    let stage = Stage::with_seeds(ALWAYS);
    let out = stage.out();
    let run = Run::of(&mut fuzz(&stage, &out, &["--units", "12"]));
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    let (store, before) = (out.join("campaign.db"), findings(&out));
    let groups = number(&out, "SELECT count(*) FROM groups WHERE confirmed > 0");
    fs::write(&store, "this is no database, it only has the name of one").expect("a file");
    let run = Run::of(&mut fuzz(&stage, &out, &["--units", "12"]));
    assert_eq!(run.code, Some(10), "{}", run.stderr);
    let told: Vec<&str> = run.events("trouble").iter().filter_map(|event| event["message"].as_str()).collect();
    assert!(told.iter().any(|told| told.contains("damaged") && told.contains("rebuilt")), "{told:?}");
    assert_eq!(findings(&out), before);
    assert_eq!(number(&out, "SELECT count(*) FROM groups WHERE confirmed > 0"), groups);
    assert_eq!(number(&out, "SELECT count(*) FROM findings") as usize, before.len());
    Connection::open(&store).and_then(|store| store.pragma_update(None, "user_version", 1000)).expect("a newer one");
    let refused = Run::of(&mut fuzz(&stage, &out, &["--units", "12"]));
    assert!(refused.code == Some(1) && refused.stderr.contains("use a newer squall"), "{}", refused.stderr);
}

#[test]
fn one_worker_by_yield_is_the_same_each_time_also_when_it_goes_on() {
    let script = format!(r#"cat >"$2.tmp"; cat "$2.tmp" >>"$2.log"; exec <"$2.tmp"; {ALWAYS}"#);
    let stage = Stage::with_seeds(ALWAYS);
    fs::write(stage.path("solver.sh"), script).expect("a file");
    let texts = |name: &str, stops: &[&str]| {
        // The log is no word of the command: a file that the command names is part of the build.
        let solver = stage.solver(&format!("unsat {}", stage.path(name).display()));
        for units in stops {
            let mut command = squall();
            command.arg("fuzz").arg(stage.path("seeds")).args(["--solver", &solver, "--format", "json"]);
            command.args(["--jobs", "1", "--reduce-share", "0", "--relations", "off"]);
            let run = Run::of(command.arg("--out").arg(stage.path(&format!("out-{name}"))).args(["--units", units]));
            assert_eq!(run.number("units").to_string(), *units, "{}", run.stderr);
        }
        fs::read_to_string(stage.path(&format!("{name}.log"))).expect("a log")
    };
    // The name of the log is part of the solver's name and of nothing random.
    let units = testing::amount("SQUALL_YIELD_UNITS", 8usize);
    let [few, more, all] = [units / 5, units / 2, units].map(|n| n.to_string());
    let once = texts("a", &[&all]);
    assert!(once.matches("(check-sat").count() > 5 * units / 2);
    assert_eq!(once, texts("b", &[&all]));
    texts("c", &[&few, &more, &all]);
    let learnt = |name: &str, table: &str, columns: &str| -> Vec<String> {
        let store = Connection::open(stage.path(&format!("out-{name}")).join("campaign.db")).expect("a store");
        let sql = format!("SELECT concat_ws(' ', {columns}) FROM {table}");
        let mut rows = store.prepare(&sql).expect("a table");
        rows.query_map([], |row| row.get(0)).expect("rows").collect::<Result<_, _>>().expect("words")
    };
    for (table, columns) in [
        ("pairs", "seed, visits, seen, cost, reward"),
        ("arms", "dimension, place, cost, reward"),
        ("coverage c JOIN mutators m ON m.id = c.mutator ORDER BY m.name, seed, mode", "seed, m.name, mode, mutants"),
        ("answers ORDER BY mutator, logic, answer", "mutator, logic, answer, n"),
    ] {
        assert_eq!(learnt("a", table, columns), learnt("c", table, columns), "{table}");
    }
    assert_eq!(findings(&stage.path("out-a")), findings(&stage.path("out-c")));
}

/// A small file system that exists during the test.
struct Disk(PathBuf);

impl Disk {
    /// `None` if mounting is not allowed.
    fn new(place: PathBuf, size: &str) -> Option<Disk> {
        fs::create_dir(&place).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(&place).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Disk(place))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_pauses_the_campaign_until_there_is_room() {
    let stage = Stage::with_seeds(ALWAYS);
    // The store's log grows to some 4 MB before it is merged: the disk must have room for the campaign itself.
    let Some(disk) = testing::require("mount", Disk::new(stage.path("disk"), "32m")) else { return };
    let (whole, out) = (stage.path("whole"), disk.0.join("out"));
    Run::of(&mut fuzz(&stage, &whole, &["--units", "24"]));
    let log = stage.path("log");
    let mut command = fuzz(&stage, &out, &["--units", "24"]);
    let mut child = command.stdout(fs::File::create(&log).expect("a file")).spawn().expect("it runs");
    let said = |word: &str| fs::read_to_string(&log).unwrap_or_default().contains(word);
    let wait = |word: &str| {
        let deadline = SystemTime::now() + Duration::from_secs(120);
        while !said(word) {
            assert!(SystemTime::now() < deadline, "{word}: {}", fs::read_to_string(&log).unwrap_or_default());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait("\"finding\"");
    // Writing stops when no room is left.
    let filler = disk.0.join("filler");
    let _ = std::io::copy(&mut std::io::repeat(7), &mut fs::File::create(&filler).expect("a file"));
    if !said("summary") {
        wait("no room to write");
        assert!(child.try_wait().expect("it is ours").is_none(), "it waits");
    }
    fs::remove_file(&filler).expect("it is removed");
    assert_eq!(child.wait().expect("it ends").code(), Some(10), "{}", fs::read_to_string(&log).unwrap_or_default());
    assert_eq!(number(&out, "SELECT n FROM counts WHERE name = 'units'"), 24);
    check_same_findings(&out, &whole);
}
