//! `squall experiment fuzzers` end to end: a solver that is wrong, and a peer that is a shell script.

use crate::support::{Stage, printed, squall};
use serde_json::Value;
use std::fs;

/// Answers `unsat` if it reads `xor`, and `sat` otherwise.
const WRONG: &str = r#"read_all=$(cat "${2:-/dev/stdin}")
answer=sat
case "$read_all" in *xor*) answer=unsat;; esac
printf '%s\n' "$read_all" | grep -o '(check-sat' | while read -r l; do echo $answer; done
"#;

/// A fuzzer that reports two scripts as bugs, one of them wrongly, leaves a mutant that is not a script, and ends.
const PEER: &str = r#"#!/bin/sh
mkdir -p "$1/kept" "$1/made"
i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done
echo '(set-logic QF_UF)(set-info :status unsat)(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(check-sat)' > "$1/kept/bug-xor-$$.smt2"
echo '(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)(assert (or p q))(check-sat)' > "$1/kept/bug-or-$$.smt2"
echo '(assert (= 1 true))(check-sat)' > "$1/made/a-$$.smt2"
cp "$1"/kept/bug-xor-$$.smt2 "$1/made/b-$$.smt2"
"#;

const PEERS: &str = r#"
[[peer]]
name = "toy"
about = "a shell script"
install = "it is here"
program = "sh"
command = ["/bin/sh", "{program}", "{run}"]
hits = "kept"
mutants = "made"

[[peer]]
name = "broken"
about = "says a word and ends"
install = "it is here"
program = "sh"
command = ["/bin/sh", "-c", "echo no use"]
hits = "kept"

[[peer]]
name = "absent"
about = "nothing"
install = "make it first"
program = "no-such-program-anywhere"
command = ["{program}"]
hits = "kept"
"#;

fn stage() -> Stage {
    let stage = Stage::new(WRONG);
    fs::create_dir(stage.path("seeds")).expect("a folder");
    let seed =
        "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (xor (> x 1) (< y x)))(check-sat)\n";
    fs::write(stage.path("seeds/xor.smt2"), seed).expect("a file");
    fs::write(stage.path("peer.sh"), PEER).expect("a file");
    fs::write(stage.path("peers.toml"), PEERS).expect("a file");
    stage
}

fn fuzzers(stage: &Stage, arguments: &[&str]) -> (Option<i32>, String, String) {
    let solver = stage.solver("");
    let mut command = squall();
    command.args([
        "experiment",
        "fuzzers",
        "seeds",
        "--solver",
        solver.trim(),
        "--peers-file",
        "peers.toml",
        "--quick",
    ]);
    if !arguments.contains(&"--out") {
        command.args(["--out", "compared"]);
    }
    command.args(arguments);
    printed(command.current_dir(stage.root.path()))
}

#[test]
fn a_peer_is_judged_by_our_oracle() {
    let stage = stage();
    let toy = format!("toy={}", stage.path("peer.sh").display());
    let few = ["--for-cpu", "1s", "--runs", "1", "--hits", "6", "--jobs", "1", "--reduce-for", "20s"];
    let peers = ["--arm", "ours=--mutator operator", "--peer", &toy, "--peer", "broken", "--peer", "absent"];
    let all = [&few[..], &peers[..]].concat();
    let (code, stdout, stderr) = fuzzers(&stage, &all);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let read = |name: &str| fs::read_to_string(stage.path("compared").join(name)).expect("a file");
    let results: Value = serde_json::from_str(&read("results.json")).expect("JSON");
    let row = |n: usize, key: &str| results["fuzzers"][n][key].clone();
    assert_eq!([0, 1, 2].map(|n| row(n, "name")), ["ours", "toy", "broken"].map(Value::from), "{results}");
    // The script with xor shows a wrong unsat despite its own status; the other one is answered rightly.
    let hits = row(1, "hits");
    let count = |key: &str| hits[key].as_u64().unwrap_or_default();
    assert!(count("raw_hits") >= 2 && count("starts") >= 1, "{hits}");
    assert_eq!(count("confirmed") * 2, count("judged"), "{hits}");
    assert_eq!(row(1, "false_alarms").as_u64(), Some(count("confirmed")), "{hits}");
    assert_eq!(row(1, "causes"), serde_json::json!([1, 0, 0]), "one cause, however often it was kept: {results}");
    assert_eq!(count("ill_formed"), row(1, "mutants").as_u64().unwrap_or_default().div_ceil(2), "{hits}");
    assert!(row(1, "cpu_s").as_f64() >= Some(0.2), "{results}");
    assert!(stage.path("compared/runs/toy-1/ill-formed.smt2").is_file());
    // A peer that ends at once has its last message shown, and a missing one its installation.
    assert!(row(2, "hits")["gave_up"].as_str().is_some_and(|reason| reason.ends_with("no use")), "{results}");
    assert_eq!(row(2, "rate"), Value::Null);
    for text in [&stdout, &read("index.html")] {
        assert!(text.contains("did not run: absent is not installed: make it first"), "{text}");
    }
    assert!(row(0, "causes")[0].as_u64() >= Some(1), "{results}");
    assert_eq!(read("fuzzers.csv").lines().count(), 4, "{}", read("fuzzers.csv"));
    // Nothing runs again.
    let before = read("fuzzers.csv");
    assert_eq!((fuzzers(&stage, &all).0, read("fuzzers.csv")), (Some(0), before));
    let other = fuzzers(&stage, &[&all[..], &["--timeout", "4s"]].concat());
    assert!(other.0 == Some(1) && other.2.contains("was made by 'squall"), "{}", other.2);
}

#[test]
fn mistakes_are_named() {
    let stage = stage();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let run = fuzzers(&stage, arguments);
        assert_eq!(run.0, Some(code), "{arguments:?}: {}{}", run.1, run.2);
        assert!(run.2.contains(part), "{arguments:?}: {}", run.2);
    };
    check(
        &["--peer", "afl"],
        2,
        "'afl' is not a known peer; there are: toy, broken, absent, typefuzz, opfuzz, yinyang, storm",
    );
    check(&["--peer", "toy=nowhere"], 2, "--peer toy: there is no 'nowhere'");
    check(&["--arm", "broken=", "--peer", "broken"], 2, "two fuzzers are called 'broken'");
    check(&["nowhere", "--peer", "broken"], 2, "there is no 'nowhere'");
    check(&["--second", "builtin:sat", "--peer", "broken"], 2, "builtin:sat: peers need a program");
    check(&["--out", "a b", "--peer", "broken"], 2, "name another --out");
    fs::write(stage.path("peers.toml"), "[[peer]]\nname = 'x'").expect("a file");
    check(&[], 1, "peers.toml is not a list of peers");
}
