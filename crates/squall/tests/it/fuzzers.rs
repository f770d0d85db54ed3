//! Tests of the benchmark `fuzzers`: its parts, and a whole run with a solver that is wrong and a peer that is a shell script.

#[allow(dead_code, reason = "the benchmark's own `main` is not called")]
#[path = "../../benches/fuzzers/main.rs"]
mod bench;

use crate::support::{Stage, squall};
use bench::Args;
use bench::hits;
use bench::peer::{self, PeerDefinition, PeerSeeds, Placeholders};
use bench::run::MutantCount;
use bench::seeds::SharedSeeds;
use clap::Parser;
use serde_json::Value;
use solver::process::CancelToken;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

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
    // Campaigns must not change the user's own consents. A process of its own writes the script, because a file that this process has
    // open cannot be executed while another test forks.
    let squall = squall();
    let settings =
        squall.get_envs().map(|(name, value)| format!("{}='{}' ", name.display(), value.unwrap_or_default().display()));
    let script =
        format!("#!/bin/sh\n{}exec '{}' \"$@\"\n", settings.collect::<String>(), squall.get_program().display());
    let mut write = Command::new("/bin/sh");
    write.args(["-c", "printf %s \"$1\" > squall && chmod +x squall", "sh", &script]).current_dir(stage.root.path());
    assert!(write.status().is_ok_and(|status| status.success()));
    stage
}

/// Runs the benchmark in the folder of a stage; the error has all causes.
fn fuzzers(stage: &Stage, arguments: &[&str]) -> Result<bool, String> {
    let solver = stage.solver("");
    let [seeds, peers, out] = ["seeds", "peers.toml", "compared"].map(|name| stage.path(name).display().to_string());
    let mut words = vec!["fuzzers", "--bench", &seeds, "--solver", solver.trim(), "--peers-file", &peers, "--quick"];
    if !arguments.contains(&"--out") {
        words.extend(["--out", &out]);
    }
    let arguments = Args::try_parse_from(words.iter().chain(arguments)).expect("arguments");
    arguments.run(&stage.path("squall"), &CancelToken::new()).map_err(|error| format!("{error:#}"))
}

#[test]
fn a_peer_is_judged_by_our_oracle() {
    let stage = stage();
    let toy = format!("toy={}", stage.path("peer.sh").display());
    let few = ["--for-cpu", "1s", "--runs", "1", "--hits", "6", "--jobs", "1", "--reduce-for", "20s"];
    let peers = ["--arm", "ours=--mutator operator", "--peer", &toy, "--peer", "broken", "--peer", "absent"];
    let all = [&few[..], &peers[..]].concat();
    assert_eq!(fuzzers(&stage, &all), Ok(true));
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
    let figures = read("figures.md");
    assert!(figures.contains("absent did not run: absent is not installed: make it first"), "{figures}");
    let causes = "| class | cause | ours | toy | broken |\n|---|---|---:|---:|---:|\n| A | ";
    assert!(
        figures.contains(causes) && read("causes.csv").starts_with("class,cause,ours,toy,broken,folder\nA,"),
        "{figures}"
    );
    assert!(row(0, "causes")[0].as_u64() >= Some(1), "{results}");
    assert_eq!(read("fuzzers.csv").lines().count(), 4, "{}", read("fuzzers.csv"));
    // Nothing runs again.
    let before = read("fuzzers.csv");
    assert_eq!((fuzzers(&stage, &all), read("fuzzers.csv")), (Ok(true), before));
    let check = |arguments: &[&str], part: &str| {
        let error = fuzzers(&stage, arguments).expect_err("other conditions");
        assert!(error.contains(part), "{error}");
    };
    check(&[&all[..], &["--timeout", "4s"]].concat(), "was made by 'squall");
    let more_hits: Vec<&str> = all.iter().map(|&word| if word == "6" { "7" } else { word }).collect();
    check(&more_hits, "toy-1 was made under other conditions");
}

#[test]
fn mistakes_are_named() {
    let stage = stage();
    let check = |arguments: &[&str], part: &str| {
        let error = fuzzers(&stage, arguments).expect_err("a mistake");
        assert!(error.contains(part), "{arguments:?}: {error}");
    };
    let known = "'afl' is not a known peer; there are: toy, broken, absent, typefuzz, opfuzz, yinyang, storm";
    check(&["--peer", "afl"], known);
    check(&["--peer", "toy=nowhere"], "--peer toy: there is no 'nowhere'");
    check(&["--arm", "broken=", "--peer", "broken"], "two fuzzers are called 'broken'");
    check(&["nowhere", "--peer", "broken"], "there is no 'nowhere'");
    check(&["--second", "builtin:sat", "--peer", "broken"], "builtin:sat: peers need a program");
    check(&["--out", &stage.path("a b").display().to_string(), "--peer", "broken"], "name another --out");
    fs::write(stage.path("peers.toml"), "[[peer]]\nname = 'x'").expect("a file");
    check(&[], "peers.toml is not a list of peers");
}

#[test]
fn times_have_units() {
    let check = |text: &str, expect: Option<u64>| {
        let given = Args::try_parse_from(["fuzzers", "--for-cpu", text]).ok().and_then(|args| args.for_cpu);
        assert_eq!(given, expect.map(Duration::from_millis), "{text}");
    };
    check("500ms", Some(500));
    check("90s", Some(90_000));
    check("90", Some(90_000));
    check("10m", Some(600_000));
    check("0s", None);
    check("5 parsecs", None);
}

#[test]
fn mutants_are_counted_and_read() {
    let root = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(root.path().join(name), text).expect("a file");
    assert_eq!(MutantCount::of(root.path(), true).expect("a count"), MutantCount::default());
    file("a.smt2", "(declare-const p Bool)(assert p)(check-sat)");
    file("b.smt2", "(assert (= 1 true))(check-sat)");
    let count = MutantCount::of(root.path(), false).expect("a count");
    assert_eq!((count.mutants, count.ill_formed), (2, 1));
    let (path, mistake) = count.sample.expect("one");
    assert!(path.ends_with("b.smt2") && !mistake.is_empty(), "{mistake}");
    std::thread::sleep(std::time::Duration::from_millis(20));
    file("half.smt2", "(declare-const p Bo");
    let count = MutantCount::of(root.path(), true).expect("a count");
    assert_eq!((count.mutants, count.ill_formed), (2, 1));
}

#[test]
fn seeds_are_grouped_by_known_answer() {
    let root = tempfile::tempdir().expect("a folder");
    let from = root.path().join("from here");
    std::fs::create_dir_all(from.join("unsat")).expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(from.join(name), text).expect("a file");
    file("a b.smt2", "(set-info :status sat)(declare-const p Bool)(assert p)(check-sat)");
    file("unsat/c.smt2", "(declare-const p Bool)(assert (and p (not p)))(check-sat)");
    file("d.smt2", "(declare-const p Bool)(assert p)(check-sat)(set-info :status sat)(check-sat)");
    file("wrong.smt2", "(assert q)(check-sat)");
    let to = root.path().join("to");
    let seeds = SharedSeeds::copy(std::slice::from_ref(&from), &to).expect("seeds");
    let listed = |kind: PeerSeeds| files::scripts_below(&seeds.of(kind)).scripts.len();
    assert_eq!((seeds.count, listed(PeerSeeds::All)), (3, 3));
    assert_eq!((listed(PeerSeeds::Sat), listed(PeerSeeds::Unsat)), (1, 1));
    std::fs::remove_file(from.join("d.smt2")).expect("a file");
    let fewer = SharedSeeds::copy(std::slice::from_ref(&from), &to).expect("seeds");
    assert!(fewer.count == 2 && fewer.folder != seeds.folder, "{fewer:?}");
    let only_wrong = SharedSeeds::copy(&[from.join("wrong.smt2")], &to).expect_err("it is rejected").to_string();
    assert!(only_wrong.contains("none of the seeds can be read"), "{only_wrong}");
}

#[test]
fn the_known_peers_read() {
    let names: Vec<String> = PeerDefinition::list(None).expect("a list").into_iter().map(|peer| peer.name).collect();
    assert_eq!(names, ["typefuzz", "opfuzz", "yinyang", "storm"]);
}

#[test]
fn mistakes_in_lists_are_named() {
    let row = |name: &str, hits: &str, more: &str| {
        format!(
            "[[peer]]\nname='{name}'\nabout=''\ninstall='make'\nprogram='sh'\ncommand=['{{program}}']\nhits='{hits}'\n{more}"
        )
    };
    let check = |text: &str, part: &str| match peer::read(text) {
        Ok(list) => assert_eq!((list.len(), part), (1, ""), "{text}"),
        Err(error) => assert!(!part.is_empty() && error.to_string().contains(part), "{text}: {error}"),
    };
    check(&row("mine", "bugs", ""), "");
    check(&row("mine", "bugs", "seeds='sat'\nmutants='a/b'"), "");
    check(&row("a/b", "bugs", ""), "'a/b' is not the name of a peer");
    check(&row("mine", "../bugs", ""), "'../bugs' is not a path below");
    check(&row("mine", "/bugs", ""), "'/bugs' is not a path below");
    check(&row("mine", "bugs", "mutants=''"), "'' is not a path below");
    check(&row("mine", "bugs", "seed='sat'"), "unknown field `seed`");
    check(&row("mine", "bugs", "seeds='both'"), "unknown variant `both`");
    check("", "missing field `peer`");
}

#[test]
fn words_are_filled_in() {
    let values = Placeholders::from([("solver", "z3 -smt2".to_string()), ("second", "cvc5".to_string())]);
    assert_eq!(peer::filled("{solver};{second}", &values), "z3 -smt2;cvc5");
    assert_eq!(peer::filled("{other} {", &values), "{other} {");
}

#[test]
fn what_is_not_installed_says_how_it_is() {
    let list = PeerDefinition::list(None).expect("a list");
    let storm = list.iter().find(|peer| peer.name == "storm").expect("known");
    let error = storm.find(None).expect_err("no repository").to_string();
    assert!(error.contains("storm is not installed: name its repository"), "{error}");
    let error = list[0].find(Some(Path::new("no-such-program"))).expect_err("no file").to_string();
    assert!(error.contains("there is no 'no-such-program'"), "{error}");
}

#[test]
fn only_what_is_proven_is_stated() {
    let check = |text: &str, expect: &str| assert_eq!(hits::with_proven_status(text).replace('\n', ""), expect);
    check(
        "(set-info :status unsat)(declare-const p Bool)(assert p)(check-sat)",
        "(declare-const p Bool)(assert p)(set-info :status sat)(check-sat)",
    );
    let bound = "(declare-const |a b| Int)(assert (let ((y (+ |a b| 1))) (> (* y y) y)))(check-sat)";
    check(bound, bound);
    check(
        "(set-info :status unsat)(declare-fun x () Int)(assert (> x 1))(check-sat)",
        "(declare-fun x () Int)(assert (> x 1))(check-sat)",
    );
}

#[test]
fn names_tell_the_seed() {
    let check = |hit: &str, expect: &str| assert_eq!(hits::seed_name(Path::new(hit)), expect);
    check("bugs/incorrect-z3-s00001_a-4hZ5X.smt2", "incorrect-z3-s00001_a.smt2");
    check("0/mutant_17.smt2", "mutant.smt2");
    check("plain.smt2", "plain.smt2");
}

#[test]
fn a_sample_is_spread() {
    let root = tempfile::tempdir().expect("a folder");
    for n in 0..10 {
        std::fs::write(root.path().join(format!("m{n}.smt2")), "").expect("a file");
    }
    std::fs::write(root.path().join("seed.smt2"), "").expect("a file");
    let names = |most: usize| -> (Vec<String>, usize) {
        let (list, count) = hits::sample(root.path(), "m", most);
        let name = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (list.iter().map(name).collect(), count)
    };
    assert_eq!(names(3), (["m0", "m3", "m6"].map(String::from).to_vec(), 10));
    assert_eq!((names(10).0.len(), names(99).1, names(0).0.len()), (10, 10, 0));
    assert_eq!(hits::sample(Path::new("nowhere"), "", 5), (Vec::new(), 0));
}
