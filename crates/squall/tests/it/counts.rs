//! The number of causes: one function counts it for all commands.

use crate::support::{ALWAYS, Stage, squall};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Returns the output of a command on both streams.
fn said(arguments: &[&str]) -> String {
    let output = squall().args(arguments).stdin(Stdio::null()).output().expect("it runs");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Checks that all commands count the same number of causes of a folder.
fn check(out: &Path, causes: usize, not_reduced: usize) {
    let folder = out.display().to_string();
    let whole = out.with_extension("merged");
    let _ = fs::remove_dir_all(&whole);
    let expect = finding::CauseCount { causes, not_reduced }.to_string();
    let tellers: [&[&str]; 4] = [
        &["report", "--list", &folder],
        &["report", &folder],
        &["status", &folder],
        &["cluster", "merge", &folder, "--out", &whole.display().to_string()],
    ];
    for teller in tellers {
        let text = said(teller);
        assert!(
            text.lines().any(|line| line.ends_with(&expect) || line.ends_with(&format!("{expect}."))),
            "{expect}: {text}"
        );
    }
    let status: Value = serde_json::from_str(&said(&["status", &folder, "--format", "json"])).expect("JSON");
    assert_eq!(
        (status["causes"].as_u64(), status["not_reduced"].as_u64()),
        (Some(causes as u64), Some(not_reduced as u64))
    );
    let rows = said(&["report", "--list", &folder, "--format", "json"]);
    let reduced = rows.lines().filter(|row| !row.contains("\"reduced\":0")).count();
    assert_eq!(reduced, causes, "{rows}");
    let issues = fs::read_dir(out.join("issues")).expect("a folder").count();
    assert_eq!(issues, causes, "an issue text for each cause");
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains(&expect.to_string()), "{expect} in the page");
}

fn names(stage: &Stage) -> Vec<PathBuf> {
    let mut found = stage.findings();
    found.sort();
    found
}

#[test]
fn all_commands_count_the_same_number_of_causes() {
    let stage = Stage::new(ALWAYS);
    let metrics = stage.path("squall.prom").display().to_string();
    let bounds = ["--mutants", "60", "--jobs", "1", "--mutator", "storm", "--shard", "1/2", "--metrics", &metrics];
    let run = stage.fuzz("unsat", &[&bounds[..], &["--reduce-share", "0"]].concat());
    let found = names(&stage);
    assert!(found.len() > 2, "{}", run.stderr);
    // Without reductions, no causes are known.
    assert_eq!((run.number("causes"), run.number("not_reduced")), (0, found.len() as u64));
    let page = fs::read_to_string(&metrics).expect("a page");
    assert!(
        page.contains("\nsquall_causes 0\n") && page.contains(&format!("\nsquall_not_reduced {}\n", found.len())),
        "{page}"
    );
    check(&stage.out(), 0, found.len());

    let reduced = said(&["reduce", &found[0].display().to_string(), "--trust", "none", "--jobs", "1"]);
    let rows = said(&["report", "--list", &stage.out().display().to_string(), "--format", "json"]);
    let first: Value = serde_json::from_str(rows.lines().next().expect("a row")).expect("JSON");
    assert_eq!(first["reduced"], 1, "{reduced}{rows}");
    let alike = first["count"].as_u64().expect("a count") as usize;
    check(&stage.out(), 1, found.len() - alike);
    // The table and the detail give the same size.
    let page = fs::read_to_string(stage.out().join("report.html")).expect("a page");
    let bytes = first["bytes"].as_u64().expect("a size");
    assert!(page.contains(&format!(">{bytes}<")) && page.contains(&format!("{bytes} bytes, ")), "{bytes}");

    // A finding whose reduction ended early is a cause, but cannot be filed yet.
    let account = stage.out().join("findings").join(&found[0]).join("reduced.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&account).expect("a record")).expect("JSON");
    assert_eq!(record["finished"], true);
    record["finished"] = false.into();
    record["report"]["finished"] = false.into();
    record["report"]["judged"] = 3.into();
    fs::write(&account, record.to_string()).expect("written");
    check(&stage.out(), 1, found.len() - alike);
    let next = said(&["report", &stage.out().display().to_string(), "--next", "3"]);
    assert!(next.contains("left out: 1 cause, whose reduction ended early"), "{next}");
    let text = said(&["report", "--list", &stage.out().display().to_string()]);
    assert!(text.contains("its reduction ended early"), "{text}");
}

/// The end of a campaign and `squall ci` count after the reductions.
#[test]
fn the_end_of_a_campaign_has_that_number() {
    let stage = Stage::new(ALWAYS);
    let out = stage.out().display().to_string();
    let seed = stage.path("seed.smt2").display().to_string();
    let campaign = ["--mutants", "40", "--jobs", "1", "--mutator", "storm", "--reduce-share", "1"];
    let solver = stage.solver("unsat");
    let last = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("Found: ")).expect("what was found").to_string();
        line.rsplit("; ").next().expect("a count").trim_end_matches('.').to_string()
    };
    let text = said(&[&["fuzz", &seed, "--solver", &solver, "--plain", "--out", &out][..], &campaign].concat());
    let findings = said(&["report", "--list", &out]);
    let count = last(&text);
    assert!(findings.contains(&format!(": {count}\n")) && count.contains("cause"), "{count}: {findings}");
    // What the advice counts is what the command reduces: it once left out those of a cause that another finding had shown.
    let is_left = |finding: &PathBuf| {
        let account = fs::read_to_string(stage.out().join("findings").join(finding).join("reduced.json"));
        account.ok().is_none_or(|account| account.contains("\"finished\": false"))
    };
    let left = names(&stage).iter().filter(|finding| is_left(finding)).count();
    assert_eq!(text.contains(&format!("  reduce {left} more  ")), left > 0, "{left}: {text}");
    let ci = stage.path("ci").display().to_string();
    let asked = ["ci", &seed, "--solver", &solver, "--baseline", "builtin:sat", "--for", "60s", "--out", &ci, "--"];
    let text = said(&[&asked[..], &campaign].concat());
    let findings = said(&["report", "--list", &ci]);
    let line = text.lines().find(|line| line.contains("groups of findings: ")).expect("the outcome");
    let count = line.split(" mutants, ").nth(1).and_then(|rest| rest.split(';').next()).expect("a count");
    assert!(findings.contains(&format!(": {count}\n")), "{count}: {findings}");
}

/// Reductions were not counted, whether during the campaign or after its end.
#[test]
fn the_cpu_time_of_a_campaign_includes_reductions() {
    let stage = Stage::new(&format!("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; {ALWAYS}"));
    let campaign = ["--mutants", "8", "--jobs", "1", "--mutator", "storm", "--reduce-share", "1"];
    let mut command = stage.command(&stage.solver("unsat"), &campaign);
    let told = stage.path("told");
    command.stdout(fs::File::create(&told).expect("a file")).stderr(Stdio::null());
    let pid = command.spawn().expect("it starts").id() as libc::pid_t;
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: nothing else waits for this child, and both pointers are to memory of the right size.
    assert_eq!(unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) }, pid);
    // SAFETY: wait4 succeeded and filled it.
    let usage = unsafe { usage.assume_init() };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let used = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    let told = fs::read_to_string(told).expect("the output");
    let summary: Value = serde_json::from_str(told.lines().last().expect("a summary")).expect("JSON");
    let counted = summary["cpu_s"].as_f64().expect("a number");
    // What precedes the campaign is not counted.
    assert!(counted > 0.5 * used && counted <= used + 0.1, "{counted} of {used} s: {summary}");
}
