//! `--format json` on every subcommand that lists or decides; each of the others has a reason.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Subcommands without it, and why.
const WITHOUT: [(&str, &str); 18] = [
    ("ci", "decides into SARIF, JUnit and Markdown files"),
    ("cluster merge", "makes a campaign; `status` and `report --list` show it"),
    ("cluster worker", "is reported by the coordinator"),
    ("corpus add", "makes a corpus; `corpus list` lists it"),
    ("corpus distill", "writes its results as JSON into its folder"),
    ("corpus remove", "removes a corpus; `corpus list` lists them"),
    ("demo", "explains to people"),
    ("experiment campaigns", "writes its results as JSON into its folder"),
    ("experiment cover", "writes its results as JSON into its folder"),
    ("reduce", "makes a script; `report --list` shows it"),
    ("setup completions", "prints what a shell reads"),
    ("setup config allow", "changes what is allowed; `setup config show` lists it"),
    ("setup config deny", "changes what is allowed; `setup config show` lists it"),
    ("setup man", "prints pages for people"),
    ("solver build", "makes a solver; `solver list` lists it"),
    ("solver install", "makes a solver; `solver list` lists it"),
    ("solver remove", "removes a solver; `solver list` lists them"),
    ("strategy apply", "prints scripts, or circuits by its own --format"),
];

/// Command lines, each with members of some line of the output.
const LINES: [(&str, &[&str]); 25] = [
    ("check seed.smt2 wrong.smt2", &["file", "verdict", "commands", "carried", "mistakes"]),
    ("check seed.smt2", &["right", "wrong", "failed", "carried"]),
    ("compare small.smt2 --solver builtin:sat --solver builtin:unsat", &["files", "disagreements", "suites"]),
    ("corpus list", &[]),
    ("doctor", &["version", "can_start", "lines"]),
    ("validate seed.smt2 --eval (+ 1 1)", &["term", "check", "value", "cause"]),
    ("validate seed.smt2 --eval (+ x 1)", &["term", "check", "value", "cause"]),
    ("experiment conform --rules rules.rare", &["file", "line", "column", "rule", "verdict", "cause"]),
    (
        "experiment conform --solver builtin:sat --theory Core --count 2",
        &["theory", "solver", "asked", "agreed", "unexplained"],
    ),
    ("mutate --list storm", &["name", "about", "seeds", "truth", "parameters"]),
    ("setup clean", &["bytes", "freed", "failed"]),
    ("setup config show", &["file", "counts", "left_out"]),
    ("solve --exhaust seed.smt2", &["check", "answer", "model", "notes"]),
    ("solve --exhaust small.smt2", &["check", "answer", "model", "notes"]),
    ("solve --own-engines seed.smt2", &["file", "check", "answer", "trust", "by", "cause", "time_s", "steps"]),
    ("solver doctor", &[]),
    ("solver list", &[]),
    ("solver which builtin:sat", &["solver", "origin", "command"]),
    ("stability seed.smt2 --solver builtin:sat -n 2", &["rows", "wrong", "changes", "without_check", "left_out"]),
    ("strategy probes", &["name", "kind", "about"]),
    (
        "strategy tune many --step default --step search --timeout 1s",
        &["files", "timeout_s", "steps", "best", "learned", "splits"],
    ),
    ("strategy tactics --defaults", &["logic", "name", "strategy"]),
    ("strategy tactics --z3", &["name", "kind", "about"]),
    ("strategy tactics simplify", &["name", "kind", "about", "spelled", "parameters"]),
    ("strategy tactics", &["name", "kind", "about", "spelled", "parameters"]),
];

fn squall(root: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_squall"));
    for (name, folder) in [("SQUALL_CACHE", "cache"), ("XDG_CONFIG_HOME", "config"), ("PATH", "nothing")] {
        command.env(name, root.join(folder));
    }
    command.current_dir(root).args(words).output().expect("squall runs")
}

/// `commands.toml` has all subcommands: a test of the program compares it with the command line.
fn subcommands() -> BTreeSet<String> {
    let table: toml::Table = toml::from_str(include_str!("hostile/commands.toml")).expect("a table");
    table.keys().cloned().collect()
}

#[test]
fn every_subcommand_answers_programs_or_has_a_reason() {
    let root = tempfile::tempdir().expect("a folder");
    let with_json = |name: &String| {
        let words: Vec<&str> = name.split(' ').chain(["--help"]).collect();
        let help = String::from_utf8_lossy(&squall(root.path(), &words).stdout).into_owned();
        help.contains("--format") && help.contains("JSON")
    };
    let without: Vec<String> = subcommands().into_iter().filter(|name| !with_json(name)).collect();
    let known: Vec<&str> = WITHOUT.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        without, known,
        "a subcommand that lists or decides has --format json; one that does neither stands in WITHOUT"
    );
}

#[test]
fn every_line_for_programs_is_an_object() {
    let root = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(root.path().join(name), text).expect("a file");
    write("seed.smt2", "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n");
    write("small.smt2", "(declare-const p Bool)\n(assert p)\n(check-sat)\n");
    write("wrong.smt2", "(assert (foo))\n(check-sat)\n");
    write("rules.rare", "(define-rule r ((x Bool)) (not (not x)) x)\n(define-rule s ((x Bool)) (not x) x)\n");
    fs::create_dir(root.path().join("many")).expect("a folder");
    for n in 0..12 {
        write(&format!("many/{n}.smt2"), &format!("(declare-const p{n} Bool)\n(assert p{n})\n(check-sat)\n"));
    }
    for (line, members) in LINES {
        let (line, term) = line.split_once(" (").map_or((line, None), |(line, term)| (line, Some(format!("({term}"))));
        let words: Vec<&str> = line.split(' ').chain(term.as_deref()).chain(["--format", "json"]).collect();
        let output = squall(root.path(), &words);
        let text = String::from_utf8_lossy(&output.stdout);
        let said = format!("{words:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
        let rows = text.lines().map(serde_json::from_str::<Value>).collect::<Result<Vec<Value>, _>>();
        let rows = rows.unwrap_or_else(|error| panic!("{error}: {said}"));
        assert!(rows.iter().all(Value::is_object), "{said}");
        let has_all = |row: &Value| members.iter().all(|member| row.get(member).is_some());
        assert!(members.is_empty() || rows.iter().any(has_all), "{said}");
    }
}

#[test]
fn a_verdict_is_the_same_for_people_and_programs() {
    let root = tempfile::tempdir().expect("a folder");
    fs::write(root.path().join("a.smt2"), "(declare-const p Bool)(assert p)(check-sat)(assert (not p))(check-sat)")
        .expect("a file");
    let output = squall(root.path(), &["solve", "--exhaust", "a.smt2", "--format", "json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let answers: Vec<&str> = rows.iter().filter_map(|row| row["answer"].as_str()).collect();
    assert_eq!(answers, ["sat", "unsat"]);
    assert!(rows[0]["model"].as_str().is_some_and(|model| model.contains("define-fun p () Bool true")), "{text}");
    assert!(rows[1]["model"].is_null(), "{text}");
}
