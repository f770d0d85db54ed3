//! `squall night` over stand-ins whose bugs come and go by build.

use crate::support::{ANSWER, READ, squall};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

/// A bug: the text that triggers it, the solver's reaction, and the builds with it.
struct PlantedBug {
    /// A pattern of the shell.
    shows: &'static str,
    /// The solver's reaction.
    does: &'static str,
    /// The builds that have it, the first and the last.
    builds: (u32, u32),
    /// The summary of its cause.
    told: &'static str,
}

const fn crash(shows: &'static str, does: &'static str, builds: (u32, u32), told: &'static str) -> PlantedBug {
    PlantedBug { shows, does, builds, told }
}

/// Ten bugs. Few scripts trigger the second and the fourth; the sixth hides the seventh while it exists.
const BUGS: [PlantedBug; 10] = [
    crash("*bvmul*", "crash one.cpp", (1, 2), "one.cpp"),
    crash("*bvsmod*bvsrem*", "crash two.cpp", (1, 9), "two.cpp"),
    crash("*bvshl*", "crash three.cpp", (2, 5), "three.cpp"),
    crash("*bvnego*", "crash four.cpp", (3, 4), "four.cpp"),
    crash("*bvlshr*", "crash five.cpp", (3, 9), "five.cpp"),
    crash("*bvule*", "crash six.cpp", (4, 6), "six.cpp"),
    crash("*bvule*", "crash seven.cpp", (4, 9), "seven.cpp"),
    crash("*bvudiv*", "crash eight.cpp", (7, 9), "eight.cpp"),
    crash("*bvand*", "crash nine.cpp", (8, 9), "nine.cpp"),
    crash("*bvcomp*", "crash ten.cpp", (6, 8), "ten.cpp"),
];

/// Builds of the solver: in two nights each, or as many as the nightly run says.
fn nights_a_build() -> u32 {
    testing::amount("SQUALL_NIGHTS_A_BUILD", 2)
}

/// Every third way to end a night; the nightly run takes all.
fn step() -> usize {
    testing::amount("SQUALL_NIGHT_STEP", 3)
}

fn solver(build: u32) -> String {
    let mut text = format!(
        "{READ}crash() {{ echo ASSERTION VIOLATION >&2; echo \"File: $1\" >&2; echo 'Line: 7' >&2; exit 1; }}\ncase \"$t\" in\n"
    );
    for bug in BUGS.iter().filter(|bug| bug.builds.0 <= build && build <= bug.builds.1) {
        text.push_str(&format!("  {}) {};;\n", bug.shows, bug.does));
    }
    format!("{text}esac\na=unknown; {ANSWER}\n")
}

struct Nights {
    root: tempfile::TempDir,
}

impl Nights {
    fn new() -> Nights {
        let root = tempfile::tempdir().expect("a folder");
        let seed = "(set-logic QF_BV)(declare-const a (_ BitVec 4))(assert (= a #b0011))(check-sat)\n";
        fs::write(root.path().join("seed.smt2"), seed).expect("a seed");
        Nights { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn night(&self, solver: &str, more: &[&str]) -> Output {
        fs::write(self.path("solver.sh"), solver).expect("a solver");
        self.run(more)
    }

    fn run(&self, more: &[&str]) -> Output {
        self.by(squall(), more)
    }

    /// Runs a night by this command; `sh` gets the program and its arguments.
    fn by(&self, mut command: std::process::Command, more: &[&str]) -> Output {
        if command.get_program() == "sh" {
            command.arg(squall().get_program());
        }
        command
            .arg("night")
            .arg("seed.smt2")
            .args(["--solver", &format!("/bin/sh {}", self.path("solver.sh").display())]);
        command.args(more).args([
            "--reduce-for",
            "20s",
            "--",
            "--jobs",
            "1",
            "--mutants",
            "60",
            "--mutator",
            "finite",
            "--theory",
            "bv",
        ]);
        command.args(["--reduce-share", "0", "--relations", "off", "--options", "default", "--models", "0"]);
        command.current_dir(self.root.path()).stdin(Stdio::null()).output().expect("it runs")
    }
}

fn events(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Each new cause is reported once, in a night that can show it, each fixed cause once, and nights without news exit with 0.
#[test]
fn of_many_nights_only_news_are_reported() {
    let (nights, nights_a_build) = (Nights::new(), nights_a_build());
    let mut told: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    for night in 1..=10 * nights_a_build {
        let build = (night - 1) / nights_a_build + 1;
        if night == 9 * nights_a_build {
            // For people: few lines, and nothing about known causes.
            let quiet = nights.night(&solver(build), &[]);
            assert!(text(&quiet).lines().count() <= 5 && text(&quiet).contains("nothing new"), "{}", text(&quiet));
            assert_eq!(quiet.status.code(), Some(0), "{}", text(&quiet));
            continue;
        }
        let output = nights.night(&solver(build), &["--format", "json"]);
        let (mut new, mut gone) = (0, 0);
        for event in events(&output) {
            let kind = event["event"].as_str().expect("a kind");
            let bug = |event: &Value| {
                let summary = event["summary"].as_str().expect("a summary");
                BUGS.iter().find(|bug| summary.contains(bug.told)).unwrap_or_else(|| panic!("{event}"))
            };
            match kind {
                "cause" => {
                    new += 1;
                    let bug = bug(&event);
                    assert!(bug.builds.0 <= build && build <= bug.builds.1, "night {night}: {event}");
                    told.entry(bug.told).or_default().push((build, "new"));
                }
                "gone" => {
                    gone += 1;
                    told.entry(bug(&event).told).or_default().push((build, "gone"));
                }
                "program-changed" => assert_eq!((night - 1) % nights_a_build, 0, "night {night}"),
                "night" => {
                    assert_eq!((event["new"].as_u64(), event["gone"].as_u64()), (Some(new), Some(gone)), "{event}")
                }
                _ => panic!("{event}"),
            }
        }
        // Builds with bugs show that something was tested, whether the bugs are known or not.
        let code = if new > 0 {
            10
        } else if build < 10 {
            0
        } else {
            11
        };
        assert_eq!(output.status.code(), Some(code), "night {night}: {}", text(&output));
    }
    for bug in &BUGS {
        let history = told.get(bug.told).cloned().unwrap_or_default();
        // The hidden bug shows when the other is gone.
        let first = if bug.told == "seven.cpp" { 7 } else { bug.builds.0 };
        // A script that crashes in another way shows neither that its bug exists nor that it is gone.
        let gone = if bug.told == "six.cpp" { 10 } else { bug.builds.1 + 1 };
        assert_eq!(history, [(first, "new"), (gone, "gone")], "{}: {told:?}", bug.told);
    }
    let page = fs::read_to_string(nights.path("squall-night/causes.md")).expect("a page");
    assert!(page.contains("0 causes are present and 10 are gone"), "{page}");
}

/// Wrong answers are reported in the first night, known in the next ones though other scripts show them, and gone with the fixed build.
#[test]
fn wrong_answers_are_known_again() {
    let nights = Nights::new();
    // Our own engines give right answers.
    let right = format!("printf '%s' \"$input\" | '{}' solve --own-engines -\n", squall().get_program().display());
    let wrong = "case \"$input\" in *bvsmod*) printf '%s\\n' \"$input\" | grep '^(check-sat' | sed 's/.*/unsat/'; exit 0;; esac\n";
    let build = |bug: &str| format!("input=$(cat)\n{bug}{right}");
    let first = nights.night(&build(wrong), &[]);
    assert!(first.status.code() == Some(10) && text(&first).contains("NEW class A: "), "{}", text(&first));
    for _ in 0..3 {
        let next = nights.run(&[]);
        assert!(next.status.code() == Some(0) && text(&next).contains("nothing new"), "{}", text(&next));
        assert!(!text(&next).contains(" 0 hits"), "{}", text(&next));
    }
    let fixed = nights.night(&build(""), &[]);
    let count = |output: &Output, word: &str| text(output).lines().filter(|line| line.starts_with(word)).count();
    assert_eq!(count(&fixed, "GONE class A"), count(&first, "NEW class A"), "{}{}", text(&first), text(&fixed));
    assert_eq!(fixed.status.code(), Some(0), "{}", text(&fixed));
    // The list once showed them like any other.
    let list = |more: &[&str]| {
        let mut command = squall();
        text(
            &command
                .args(["report", "--list", "squall-night"])
                .args(more)
                .current_dir(nights.root.path())
                .output()
                .expect("it runs"),
        )
    };
    let (rows, objects) = (list(&[]), list(&["--format", "json"]));
    assert_eq!(rows.matches("     gone since night 5\n").count(), objects.lines().count(), "{rows}");
    assert_eq!(objects.matches("\"gone_since\":5").count(), objects.lines().count(), "{objects}");
}

/// The last line once called returning causes new.
#[test]
fn a_cause_that_is_back_is_not_called_new() {
    let nights = Nights::new();
    let first = nights.night(&solver(1), &[]);
    assert!(text(&first).contains("NEW class D") && !text(&first).contains(" back"), "{}", text(&first));
    nights.night(&solver(10), &[]);
    let output = nights.night(&solver(1), &["--format", "json"]);
    let events = events(&output);
    let count = |is_back: bool| events.iter().filter(|event| event["is_back"] == is_back).count() as u64;
    let last = events.last().expect("events");
    assert!(count(true) > 0, "{}", text(&output));
    assert_eq!((last["new"].as_u64(), last["back"].as_u64()), (Some(count(false)), Some(count(true))), "{last}");
    nights.night(&solver(10), &[]);
    let output = nights.night(&solver(1), &[]);
    let back = text(&output).matches("BACK class D").count();
    let new = text(&output).matches("NEW class D").count();
    assert!(
        text(&output).contains(&format!("; {new} new cause{}, {back} back\n", if new == 1 { "" } else { "s" })),
        "{}",
        text(&output)
    );
}

/// Only a cause whose own script is answered wrongly again is back, whatever its operators share with another bug's. Each night's hits are in
/// the ledger, also those of a night without news.
#[test]
fn the_hits_of_one_bug_do_not_bring_another_back() {
    let nights = Nights::new();
    let right = format!("printf '%s' \"$input\" | '{}' solve --own-engines -\n", squall().get_program().display());
    let build = |shows: &str| {
        let wrong = "printf '%s\\n' \"$input\" | grep '^(check-sat' | sed 's/.*/unsat/'; exit 0";
        format!("input=$(cat)\ncase \"$input\" in {shows}) {wrong};; esac\n{right}")
    };
    let hits = || -> Vec<(String, u64)> {
        let ledger = fs::read_to_string(nights.path("squall-night/ledger.json")).expect("a ledger");
        let ledger: Value = serde_json::from_str(&ledger).expect("JSON");
        let causes = ledger["causes"].as_object().expect("causes").clone();
        causes.into_iter().map(|(id, cause)| (id, cause["hits"].as_u64().unwrap_or(0))).collect()
    };
    let first = nights.night(&build("*bvsrem*|*bvsmod*"), &[]);
    assert!(text(&first).contains("NEW class A: "), "{}", text(&first));
    let mut before = 0;
    for _ in 0..3 {
        let next = nights.night(&build("*bvsrem*"), &[]);
        assert!(!text(&next).contains("BACK"), "{}", text(&next));
        let page = fs::read_to_string(nights.path("squall-night/causes.md")).expect("a page");
        for (id, hits) in hits() {
            assert!(page.lines().any(|row| row.contains(&id) && row.contains(&format!(" | {hits} | "))), "{page}");
        }
        let now = hits().iter().map(|(_, hits)| hits).sum();
        assert!(now >= before, "{page}");
        before = now;
    }
}

/// A hook that fails is called again the next night; a hook that succeeded is not called again for the cause. Known causes are not handed on.
#[test]
fn a_hook_takes_each_cause_once() {
    let nights = Nights::new();
    let taken = nights.path("taken");
    let lines = |path: &Path| fs::read_to_string(path).unwrap_or_default().lines().count();
    let fails = nights.night(&solver(1), &["--on-new", "exit 3"]);
    assert!(
        text(&fails).contains("the command of --on-new failed") && fails.status.code() == Some(10),
        "{}",
        text(&fails)
    );
    let causes = text(&fails).matches("NEW class D").count();
    assert!(causes > 0, "{}", text(&fails));
    let hook = format!("cat >> {}", taken.display());
    let takes = nights.run(&["--on-new", &hook]);
    assert!(lines(&taken) >= causes, "{}", text(&takes));
    let told = lines(&taken);
    nights.run(&["--on-new", &hook]);
    let one: Value =
        fs::read_to_string(&taken).ok().and_then(|all| serde_json::from_str(all.lines().next()?).ok()).expect("JSON");
    assert_eq!((one["event"].as_str(), one["class"].as_str()), (Some("cause"), Some("D")), "{one}");
    let ids: Vec<String> =
        fs::read_to_string(&taken).expect("lines").lines().map(|line| line[..120].to_string()).collect();
    let mut once = ids.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), ids.len(), "{told}: {ids:?}");
}

/// The author of a folder must not control a solver: a kept finding with an option that the profile does not list is not run again.
#[test]
fn a_record_gives_a_solver_no_options() {
    let nights = Nights::new();
    let first = nights.night(&solver(1), &[]);
    assert_eq!(first.status.code(), Some(10), "{}", text(&first));
    let kept = fs::read_dir(nights.path("squall-night/findings")).expect("a folder").flatten();
    for finding in kept {
        let path = finding.path().join("finding.json");
        let mut record: Value = serde_json::from_slice(&fs::read(&path).expect("a record")).expect("JSON");
        record["solver"]["drawn_options"] =
            serde_json::json!([format!("--write={}", nights.path("written").display())]);
        fs::write(&path, record.to_string()).expect("written");
    }
    let told = format!("echo \"$@\" >> {}\n{}", nights.path("options").display(), solver(3));
    let second = nights.night(&told, &[]);
    assert!(text(&second).contains("not decided") && !text(&second).contains("GONE"), "{}", text(&second));
    assert!(
        !fs::read_to_string(nights.path("options")).expect("it was asked").contains("--write"),
        "{}",
        text(&second)
    );
}

/// A folder's files start no program, a file that is not a ledger is left unchanged, and two simultaneous nights do not share a folder.
#[test]
fn folders_are_used_safely() {
    let check = |ledger: &str, expect: &str| {
        let nights = Nights::new();
        fs::create_dir_all(nights.path("squall-night")).expect("a folder");
        fs::write(nights.path("squall-night/ledger.json"), ledger).expect("a file");
        let output = nights.night(&solver(9), &[]);
        assert!(text(&output).contains(expect) && output.status.code() == Some(1), "{ledger}: {}", text(&output));
        assert_eq!(fs::read_to_string(nights.path("squall-night/ledger.json")).expect("still there"), ledger);
    };
    check("", "is not a ledger of this program");
    check("[]", "is not a ledger of this program");
    check(r#"{"format":9,"nights":1,"program":null,"causes":{}}"#, "its format is 9");
    let cause = r#"{"class":"A","summary":"","bytes":1,"first":{"night":1,"at":0,"program":""},"last":{"night":1,"at":0,"program":""},"gone":null,"hits":1,"told":true,"handed":true}"#;
    check(
        &format!(r#"{{"format":1,"nights":1,"program":null,"causes":{{"../../etc":{cause}}}}}"#),
        "is not a finding's name",
    );
    let nights = Nights::new();
    fs::create_dir_all(nights.path("squall-night")).expect("a folder");
    let lock = fs::File::create(nights.path("squall-night/.lock")).expect("a file");
    lock.lock().expect("a lock");
    let output = nights.night(&solver(9), &[]);
    assert!(text(&output).contains("another night runs") && output.status.code() == Some(1), "{}", text(&output));
}

/// Only campaigns of nights are removed after a night: other files next to them stay, and links are not followed.
#[test]
fn nights_remove_only_their_own_campaigns() {
    let nights = Nights::new();
    let others = ["squall-night/nights/photos", "squall-night/nights/00007", "elsewhere/00001"];
    for name in others {
        fs::create_dir_all(nights.path(name)).expect("a folder");
        fs::write(nights.path(name).join("kept.txt"), "mine").expect("a file");
    }
    let is_kept = |name: &str| nights.path(name).join("kept.txt").is_file();
    let output = nights.night(&solver(9), &[]);
    assert!(others.into_iter().all(is_kept), "{}", text(&output));
    let left = fs::read_dir(nights.path("squall-night/nights")).expect("a folder").flatten();
    assert_eq!(left.count(), 2, "the night's own campaign is gone: {}", text(&output));
    fs::remove_dir_all(nights.path("squall-night")).expect("removed");
    fs::create_dir(nights.path("squall-night")).expect("a folder");
    fs::write(nights.path("elsewhere/00001/campaign.json"), "{}").expect("a file");
    std::os::unix::fs::symlink(nights.path("elsewhere"), nights.path("squall-night/nights")).expect("a link");
    let output = nights.night(&solver(9), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(is_kept("elsewhere/00001"), "{}", text(&output));
}

/// Counts how often each cause was handed to the hook that appends to `taken`.
fn handed(nights: &Nights) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for line in fs::read_to_string(nights.path("taken")).unwrap_or_default().lines() {
        let cause: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        *times.entry(cause["summary"].as_str().expect("a summary").to_string()).or_default() += 1;
    }
    times
}

/// A night that is killed loses nothing, whether while the solver runs, while findings are reduced, or while a cause is handed on: the next
/// night reports every unreported cause once.
#[test]
fn a_killed_night_loses_nothing_and_reports_nothing_twice() {
    // The solver kills the program that started it once, at the given run.
    let killing = |nights: &Nights, run: u32| {
        let (count, killed) = (nights.path("count"), nights.path("killed"));
        format!(
            "echo >> '{0}'\nif [ ! -e '{1}' ] && [ $(wc -l < '{0}') -ge {run} ]; then : > '{1}'; kill -9 $PPID; sleep 60; fi\n{2}",
            count.display(),
            killed.display(),
            solver(3)
        )
    };
    let check = |run: Option<u32>| {
        let nights = Nights::new();
        let take = format!("cat >> {}", nights.path("taken").display());
        let first = match run {
            Some(run) => nights.night(&killing(&nights, run), &["--on-new", &take]),
            None => nights.night(&solver(3), &["--on-new", "kill -9 $PPID"]),
        };
        assert_eq!(first.status.code(), None, "it was not killed: {}", text(&first));
        for _ in 0..3 {
            let next = nights.run(&["--on-new", &take]);
            assert!(matches!(next.status.code(), Some(0 | 10)), "{}", text(&next));
        }
        let times = handed(&nights);
        assert!(times.len() >= 3 && times.values().all(|times| *times == 1), "{run:?}: {times:?}");
    };
    for run in [2, 5, 20, 60].into_iter().step_by(step()) {
        check(Some(run));
    }
    check(None);
}

/// A full disk ends a night with a message, and the next night finds every unreported cause.
#[test]
fn a_full_disk_loses_nothing() {
    for blocks in [0, 8, 100, 2000].into_iter().step_by(step()) {
        let nights = Nights::new();
        let take = format!("cat >> {}", nights.path("taken").display());
        fs::write(nights.path("solver.sh"), solver(3)).expect("a solver");
        let mut full = std::process::Command::new("sh");
        full.arg("-c").arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"")).arg("sh");
        let output = nights.by(full, &["--on-new", &take]);
        assert!(matches!(output.status.code(), Some(0 | 1 | 10)), "{blocks}: {:?} {}", output.status, text(&output));
        assert!(!text(&output).contains("panicked"), "{blocks}: {}", text(&output));
        for _ in 0..3 {
            let next = nights.run(&["--on-new", &take]);
            assert!(matches!(next.status.code(), Some(0 | 10)), "{blocks}: {}\n{}", text(&output), text(&next));
        }
        let times = handed(&nights);
        assert!(times.len() >= 3 && times.values().all(|times| *times == 1), "{blocks}: {times:?}");
    }
}

/// A clock that jumps changes no order and repeats no report: nights are ordered by their numbers.
#[test]
fn a_clock_that_jumps_repeats_no_report() {
    for at in ["0", "18446744073709551615", "253402300800"] {
        let nights = Nights::new();
        let take = format!("cat >> {}", nights.path("taken").display());
        nights.night(&solver(3), &["--on-new", &take]);
        let path = nights.path("squall-night/ledger.json");
        let mut ledger: Value = serde_json::from_slice(&fs::read(&path).expect("a ledger")).expect("JSON");
        for (_, cause) in ledger["causes"].as_object_mut().expect("causes") {
            for seen in ["first", "last"] {
                cause[seen]["at"] = serde_json::from_str(at).expect("a number");
            }
        }
        fs::write(&path, ledger.to_string()).expect("written");
        for _ in 0..2 {
            let next = nights.run(&["--on-new", &take]);
            assert!(matches!(next.status.code(), Some(0 | 10)), "{at}: {}", text(&next));
        }
        let times = handed(&nights);
        assert!(times.len() >= 2 && times.values().all(|times| *times == 1), "{at}: {times:?}");
        let page = fs::read_to_string(nights.path("squall-night/causes.md")).expect("a page");
        assert!(page.contains("| night 1, "), "{page}");
    }
}

/// Ten thousand causes that are no longer in the folder are read, written and shown.
#[test]
fn a_ledger_may_be_long() {
    let nights = Nights::new();
    fs::create_dir_all(nights.path("squall-night")).expect("a folder");
    let sighting = r#"{"night":1,"at":99999999999,"program":"s (0)"}"#;
    let causes: Vec<String> = (0..10_000)
        .map(|n| {
            format!(
                r#""A-s-{n}":{{"class":"A","summary":"x","bytes":1,"first":{sighting},"last":{sighting},"gone":{sighting},"hits":1,"told":true,"handed":true}}"#
            )
        })
        .collect();
    let ledger = format!(r#"{{"format":1,"nights":1,"program":null,"causes":{{{}}}}}"#, causes.join(","));
    fs::write(nights.path("squall-night/ledger.json"), ledger).expect("a file");
    let output = nights.night("cat > /dev/null; echo unknown\n", &[]);
    assert_eq!(output.status.code(), Some(11), "it answers nothing: {}", text(&output));
    let page = fs::read_to_string(nights.path("squall-night/causes.md")).expect("a page");
    assert_eq!(page.lines().filter(|line| line.starts_with("| [A-s-")).count(), 10_000);
}
