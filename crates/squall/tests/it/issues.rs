//! Issue texts of every class, word for word, and which of them `squall report --next` selects.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

/// A finding after a campaign and its reductions. Empty fields are left out.
#[derive(Clone, Copy)]
struct Case {
    id: &'static str,
    class: &'static str,
    label: &'static str,
    options: &'static str,
    symptom: &'static str,
    reason: &'static str,
    script: &'static str,
    witness: &'static str,
    /// The kind of the reduction's truth; empty: not reduced.
    truth: &'static str,
    told: &'static str,
    /// Versions that err (`x`) and that are right (`.`), separated by blanks.
    vector: &'static [(&'static str, bool)],
}

const PLAIN: Case = Case {
    id: "",
    class: "A",
    label: "z3@4.15.4",
    options: "-in -smt2",
    symptom: "unsat",
    reason: "",
    script: "",
    witness: "",
    truth: "certified",
    told: "",
    vector: &[("z3@4.15.4", true)],
};

const CASES: [Case; 12] = [
    Case {
        id: "a-witness",
        script: "(set-logic QF_LIA)\n(declare-fun a () Int)\n(assert (= (mod (+ a a) 3) 2))\n(check-sat)\n",
        witness: "(define-fun a () Int 1)\n(assert (= (mod (+ a a) 3) 2))\n(check-sat)\n",
        vector: &[
            ("z3@4.8.7", false),
            ("z3@4.15.4", true),
            ("z3@5.4.1", true),
            ("z3@4.15.4 smt.arith.solver=2", false),
        ],
        ..PLAIN
    },
    Case { id: "a-ground", script: "(assert (str.<= \"9\" \"93\"))\n(check-sat)\n", ..PLAIN },
    // What is asserted after the check does not count.
    Case { id: "a-late", script: "(check-sat)\n(assert (str.<= \"93\" \"9\"))\n", ..PLAIN },
    Case {
        id: "a-second-check",
        script: "(declare-fun a () Int)\n(assert (> a 0))\n(push 1)\n(assert (< a 0))\n(check-sat)\n(pop 1)\n(check-sat)\n",
        witness: "(define-fun a () Int 1)\n(assert (> a 0))\n(check-sat)\n",
        ..PLAIN
    },
    Case {
        id: "b-model",
        class: "B",
        label: "yices2@2.6.5",
        options: "--smt2-model-format",
        symptom: "its model makes an assertion false",
        script: "(set-logic QF_NRA)\n(declare-fun a () Real)\n(assert (= (* a a) 4.0))\n(check-sat)\n(get-model)\n",
        witness: "(define-fun a () Real 2.0)\n(assert (= (* a a) 4.0))\n(check-sat)\n",
        truth: "model-refuted",
        told: "(= (* a a) 4.0)\n  false  is  (= (* a a) 4.0)\n  1.0  is  (* a a)\n  (- 1.0)  is  a",
        vector: &[("yices2@2.6.4", true), ("yices2@2.6.5", true)],
        ..PLAIN
    },
    Case {
        id: "b-exhausted",
        class: "B",
        symptom: "sat",
        script: "(declare-fun a () (_ BitVec 2))\n(assert (= (bvadd a #b01) a))\n(check-sat)\n",
        truth: "exhausted",
        vector: &[("z3@4.8.7", true), ("z3@4.15.4", true), ("z3@5.4.1", false)],
        ..PLAIN
    },
    Case {
        id: "b-ground",
        class: "B",
        symptom: "sat",
        script: "(assert (= ((as const (Array Bool Bool)) true) (store ((as const (Array Bool Bool)) false) false true)))\n(check-sat)\n",
        truth: "exhausted",
        ..PLAIN
    },
    Case {
        id: "b-own-word",
        class: "B",
        options: "-in -smt2 model_validate=true",
        symptom: "an invalid model was generated",
        script: "(assert (= (/ 0.0 0.0) 1.0))\n(check-sat)\n",
        truth: "observed",
        // No version was run.
        vector: &[],
        ..PLAIN
    },
    Case {
        id: "c-exhausted",
        class: "C",
        symptom: "unknown",
        reason: "(incomplete (theory arithmetic))",
        script: "(declare-fun a () Bool)\n(assert (= (ite a 1.0 2.0) (* (ite a 1.0 2.0) (ite a 1.0 2.0))))\n(check-sat)\n",
        truth: "exhausted",
        ..PLAIN
    },
    Case {
        id: "d-assertion",
        class: "D",
        options: "-in -smt2 model_validate=true",
        symptom: "assertion: ASSERTION VIOLATION File: sls_bv_eval.cpp Line: 193 <img src=x> @nobody",
        script: "(declare-fun a () (_ BitVec 1))\n(assert (bvsmulo a a))\n(check-sat-using sls-smt)\n",
        truth: "observed",
        vector: &[("z3@4.8.7", false), ("z3@4.15.4", true)],
        ..PLAIN
    },
    Case {
        id: "e-false-alarm",
        class: "E",
        options: "-in -smt2 model_validate=true",
        symptom: "an invalid model was generated",
        script: "(declare-fun s () String)\n(assert (str.<= \"\" s))\n(check-sat)\n",
        witness: "(define-fun s () String \"\")\n(assert (str.<= \"\" s))\n(check-sat)\n",
        truth: "model-proven",
        ..PLAIN
    },
    Case {
        id: "f-not-reduced",
        label: "my-solver",
        options: "",
        script: "(declare-fun a () Int)\n(assert (= a 1))\n(check-sat)\n",
        // A false alarm, which must not be shown.
        witness: "(define-fun a () Int 2)\n(assert (= a 1))\n(check-sat)\n",
        truth: "",
        ..PLAIN
    },
];

struct Stage {
    root: tempfile::TempDir,
}

impl Stage {
    fn new(cases: &[Case]) -> Stage {
        let stage = Stage { root: tempfile::tempdir().expect("a folder") };
        stage.write("out/campaign.json", "{\"format\": 1}\n");
        cases.iter().for_each(|case| stage.finding(case));
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn finding(&self, case: &Case) {
        let folder = format!("out/findings/{}", case.id);
        let file = |name: &str, text: &str| self.write(&format!("{folder}/{name}"), text);
        file("finding.json", &record(case).to_string());
        file("mutant.smt2", case.script);
        if !case.witness.is_empty() {
            file("witness.smt2", case.witness);
        }
        if case.truth.is_empty() {
            return;
        }
        file("reduced.smt2", case.script);
        file("reduced.json", &account(case).to_string());
        if !case.witness.is_empty() {
            file("reduced.witness.smt2", case.witness);
        }
        if !case.vector.is_empty() {
            let vector: serde_json::Map<String, Value> =
                case.vector.iter().map(|(who, errs)| (who.to_string(), json!(errs))).collect();
            file("vector.json", &json!({"script": sha256(case.script), "vector": vector}).to_string());
        }
    }

    /// Runs `squall`. Returns its exit code and both streams.
    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let mut command = crate::support::program();
        command.args(args).env("SQUALL_CACHE", self.path("cache")).env("XDG_CONFIG_HOME", self.path("config"));
        let output = command.current_dir(self.root.path()).stdin(Stdio::null()).output().expect("squall runs");
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.code(), text)
    }

    /// Returns the next issues and the names of their findings.
    fn next(&self, count: &str, words: &[&str]) -> Vec<String> {
        let (code, text) = self.run(&["report", "out", "--next", count]);
        assert_eq!(code, Some(0), "{text}");
        for word in words {
            assert!(text.contains(word), "'{word}' in\n{text}");
        }
        let name = |line: &str| Some(line.strip_prefix("  out/issues/")?.strip_suffix(".md")?[4..].to_string());
        text.lines().filter_map(name).collect()
    }
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn record(case: &Case) -> Value {
    let trust = match case.truth {
        "exhausted" => json!({"kind": "exhausted"}),
        "observed" => json!({"kind": "observed"}),
        _ => json!({"kind": "certified"}),
    };
    let mut command = vec!["/a folder/solver"];
    command.extend(case.options.split_whitespace());
    if let Some(name) = case.label.split('@').next() {
        command[0] = name;
    }
    let mut record = json!({
        "format": 1, "id": case.id, "class": case.class, "summary": format!("{} errs", case.label), "origin": "mutant",
        "trust": trust,
        "solver": {"spec": case.label, "label": case.label, "version": null, "origin": "pip: a-package==1", "purposes": [],
            "command": command, "timeout_s": 10.0, "memory_bytes": null},
        "check": 0, "mode": "plain", "expected": ["sat"], "answers": ["unsat"], "symptom": case.symptom,
        "repeats": {"shown": 2, "runs": 2}, "others": [],
        "seed": {"name": "seeds/a<b>.smt2", "sha256": "", "check": 0, "status": null},
        "mutator": {"name": "storm", "parameters": {}}, "campaign": {"seed": 0, "unit": 1, "index": 2},
        "mutant_sha256": "", "mutant_bytes": case.script.len(), "found_at": 1_700_000_100,
        "run": {"wall_s": 0.1, "cpu_s": 0.1}, "environment": {"squall": "0.1.0", "os": "linux", "arch": "x86_64"}
    });
    if case.label.starts_with("./") {
        record["solver"]["program_sha256"] = json!("7723e0a7".repeat(8));
    }
    if !case.reason.is_empty() {
        record["reason_unknown"] = json!(case.reason);
    }
    record
}

fn account(case: &Case) -> Value {
    let mut report = json!({
        "before": {"bytes": 900, "assertions": 1, "depth": 8}, "after": {"bytes": 90, "assertions": 1, "depth": 3},
        "judged": 10, "seconds": 0.5, "truth": {"kind": case.truth}, "finished": true, "passes": []
    });
    if !case.told.is_empty() {
        report["told"] = json!(case.told);
    }
    json!({"key": "", "result": sha256(case.script), "report": report, "solver": case.label})
}

#[test]
fn an_issue_text_has_only_what_a_maintainer_needs() {
    for case in CASES {
        let stage = Stage::new(&[case]);
        let (code, text) = stage.run(&["report", "out"]);
        assert_eq!(code, Some(0), "{text}");
        // An unreduced finding is not a cause yet, and not for maintainers.
        if case.truth.is_empty() {
            assert!(!stage.path("out/issues").join(format!("001-{}.md", case.id)).exists());
            continue;
        }
        assert_snapshot!(format!("issue-{}", case.id), stage.read(&format!("out/issues/001-{}.md", case.id)));
    }
}

#[test]
fn a_list_of_causes_names_the_solver_that_was_tested() {
    // A newer release errs, too, which belongs in the title of an issue.
    let stage = Stage::new(&CASES[..1]);
    let (code, text) = stage.run(&["report", "--list", "out"]);
    assert!(
        code == Some(10) && text.contains("Z3 4.15.4 answers unsat") && text.contains("bad: 4.15.4 to 5.4.1"),
        "{text}"
    );
    // Counts are those of findings on disk and of the file's own bytes.
    let columns = format!("  1  A          1 {:>7}  ", CASES[0].script.len());
    assert!(text.contains("class   kept   bytes") && text.contains(&columns), "'{columns}' in\n{text}");
}

#[test]
fn an_own_build_is_distinguished_from_the_release_of_its_version() {
    let check = |id: &str, vector: &'static [(&'static str, bool)], told: &str| {
        let own = Case { id: "own-build", label: "./build/z3@5.4.1", vector, ..CASES[0] };
        let stage = Stage::new(&[own]);
        let (code, text) = stage.run(&["report", "--list", "out"]);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == Some(10) && words.contains(told), "'{told}' in\n{text}");
        assert!(words.contains("./build/z3 (Z3 5.4.1) answers unsat"), "{text}");
        // Builds are tested for regressions that no release has.
        assert_eq!(stage.next("1", &[]).len(), 1);
        assert_snapshot!(id, stage.read("out/issues/001-own-build.md"));
    };
    check(
        "issue-own-regression",
        &[("./build/z3@5.4.1", true), ("z3@4.8.7", false), ("z3@5.4.1", false)],
        "bad: only this build; good: 4.8.7 to 5.4.1",
    );
    check(
        "issue-own-as-releases",
        &[("./build/z3@5.4.1", true), ("z3@4.8.7", false), ("z3@5.4.1", true)],
        "bad: this build, 5.4.1; good: 4.8.7",
    );
}

#[test]
fn the_next_issues_are_those_not_taken_yet() {
    let stage = Stage::new(&CASES);
    assert_eq!(stage.next("2", &["2 causes listed", "https://github.com/Z3Prover/z3/issues"]).len(), 2);
    let noted = stage.read("out/reported.toml");
    let second = stage.next("1", &["2 causes, taken before", "1 cause listed"]);
    assert_eq!(second.len(), 1);
    assert!(stage.read("out/reported.toml").starts_with(&noted), "what was written stays");
    // The third exceeds the week's limit.
    let rest = stage.next(
        "100",
        &[
            "taken before",
            "not reduced",
            "no release asked",
            "right in the newest release asked",
            "in the last seven days",
        ],
    );
    assert!(!rest.is_empty() && !rest.contains(&second[0]), "{rest:?}");
    assert!(!rest.iter().any(|name| name == "b-exhausted" || name == "f-not-reduced"), "{rest:?}");
    assert!(stage.next("1", &["No cause is left to report"]).is_empty());
    // The user removes an entry, adds another, and breaks the file.
    let all = stage.read("out/reported.toml");
    let entry = all.find(&format!("[\"{}\"]", second[0])).expect("its entry");
    let end = all[entry + 1..].find("\n[").map_or(all.len(), |end| entry + 1 + end);
    stage.write("out/reported.toml", &format!("{}{}", &all[..entry], &all[end..]));
    assert_eq!(stage.next("1", &[]), second);
    fs::remove_file(stage.path("out/reported.toml")).expect("it goes");
    let first = stage.next("1", &[]);
    stage.write("out/reported.toml", &format!("[\"{}\"]\nlink = \"https://example.org/1\"\n", first[0]));
    assert!(!stage.next("1", &[]).contains(&first[0]));
    stage.write("out/reported.toml", "[\"a\"]\nwhatever = 1\n");
    let (code, text) = stage.run(&["report", "out", "--next", "1"]);
    assert!(code == Some(1) && text.contains("reported.toml") && text.contains("whatever"), "{text}");
}

#[test]
fn the_next_issues_are_a_number_of_those_of_one_campaign() {
    let stage = Stage::new(&CASES[..1]);
    let check = |args: &[&str], word: &str| {
        let (code, text) = stage.run(args);
        assert!(code == Some(2) && text.contains(word), "{args:?}: {code:?}\n{text}");
    };
    check(&["report", "out", "--next", "0"], "--next");
    check(&["report", "out", "--next", "three"], "--next");
    check(&["report", "out", "--next"], "--next");
    check(&["report", "--harvest", "kept", "out", "--next", "1"], "--harvest");
    assert!(!stage.path("out/reported.toml").exists());
}

#[test]
fn wrong_answers_stand_open_and_the_rest_is_folded() {
    let check = |cases: &[Case], holds: &[&str], lacks: &[&str]| {
        let stage = Stage::new(cases);
        let (code, text) = stage.run(&["report", "out"]);
        assert_eq!(code, Some(0), "{text}");
        let page = stage.read("out/report.html");
        for word in holds {
            assert!(page.contains(word), "'{word}' in\n{page}");
        }
        for word in lacks.iter().chain(&["<script", "src=\"", "<link", "@import", "href=\"http"]) {
            assert!(!page.contains(word), "no '{word}' in\n{page}");
        }
    };
    let folded = "<details class=\"fold\"><summary>1 crash, 1 false self-check, 1 unknown</summary>";
    check(
        &CASES,
        &[folded, "<article class=\"card\" id=\"g1\">", "4.15.4 to 5.4.1; good: 4.8.7"],
        &["<details class=\"fold\" open>"],
    );
    check(
        &CASES[9..10],
        &[
            "<details class=\"fold\" open><summary>1 crash</summary>",
            "<td data-label=\"versions\">4.15.4; good: 4.8.7</td>",
        ],
        &["<article"],
    );
    check(&CASES[..1], &["<article class=\"card\" id=\"g1\">"], &["class=\"fold\"><summary>1"]);
    check(&[], &["There are no findings"], &["<article", "<table class=\"cards\""]);
}
