//! Class X: only contradictory answers of one solver are found, kept with both scripts, replayed, reduced and reported.

use crate::support::{Run, Stage, after_preflight, path_without_solvers, record, squall};
use std::fs;
use std::path::Path;

/// No answers of mutants are known, so only the solver itself contradicts its answers.
const MORE: [&str; 16] = [
    "--reference",
    "builtin:unknown",
    "--truth",
    "differential",
    "--mutator",
    "storm",
    "--incremental",
    "off",
    "--models",
    "0",
    "--reworded",
    "0",
    "--jobs",
    "1",
    "--reduce-share",
    "0",
];

fn awk(rules: &str) -> String {
    after_preflight(&format!("awk '{rules}'"))
}

fn fuzz(rules: &str, more: &[&str]) -> (Stage, Run) {
    let stage = Stage::new(&awk(rules));
    let run = stage.fuzz("", &[&MORE[..], more].concat());
    (stage, run)
}

fn told(command: &str, folder: &Path, more: &[&str]) -> (Option<i32>, String) {
    let mut asked = squall();
    asked.env("PATH", path_without_solvers()).arg(command).arg(folder).args(more);
    let output = asked.output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_solver_that_contradicts_itself_is_found() {
    let check = |rules: &str, more: &[&str], expect: bool| {
        let relations = if more.is_empty() { &["--relations", "on"] } else { more };
        let (stage, run) = fuzz(rules, &[relations, &["--mutants", if expect { "600" } else { "300" }]].concat());
        assert!(matches!(run.code, Some(0 | 10)), "{rules}: {}", run.summary());
        let mut contradictions = 0;
        for folder in stage.findings() {
            let finding = record(&folder);
            assert_eq!(told("replay", &folder, &[]).0, Some(10), "{finding}");
            // An assignment shows that some mutants are satisfiable: wrong answers to these are of class A.
            if finding["class"] != "X" {
                continue;
            }
            contradictions += 1;
            let both = ["first", "second"].map(|name| {
                let answer = finding["contradiction"][name]["answer"].as_str().expect("an answer");
                (answer.to_string(), fs::read_to_string(folder.join(format!("{name}.smt2"))).expect("a script"))
            });
            assert!(both[0].0 != both[1].0 && both[0].1 != both[1].1, "{finding}");
        }
        assert_eq!(contradictions > 0, expect, "{rules}");
    };
    let answers = r#"/^\(check-sat/ { print (COND ? "sat" : "unsat") }"#;
    let rule = |count: &str, condition: &str| format!("{count} {}", answers.replace("COND", condition));
    // Repeated assertions make the answer `sat`.
    check(&rule("/^\\(assert/ { n++ }", "n > 3"), &[], true);
    check(&rule("/^\\(assert/ { n++ }", "n > 3"), &["--relations", "off"], false);
    // Levels change the answer.
    check(&rule("/^\\(push/ { n++ }", "n == 0"), &[], true);
    // More assertions have fewer models, but valid ones have as many.
    check(&rule("/^\\(assert/ { n++ }", "n < 4"), &[], true);
    check(&rule("", "1"), &[], false);
    check(&rule("", "0"), &[], false);
    // `unknown` contradicts nothing.
    check(r#"/^\(assert/ { n++ } /^\(check-sat/ { print (n > 3 ? "unknown" : "unsat") }"#, &[], false);
}

#[test]
fn a_contradiction_is_reduced_and_reported() {
    let (stage, run) = fuzz(
        r#"/^\(assert/ { n++ } /^\(check-sat/ { print (n > 2 ? "sat" : "unsat") }"#,
        &["--relations", "on", "--mutants", "400"],
    );
    assert_eq!(run.code, Some(10), "{}", run.summary());
    let relation = |folder: &Path| record(folder)["contradiction"]["relation"].as_str().map(str::to_string);
    let found = stage.findings();
    let folder = found.iter().find(|folder| matches!(relation(folder).as_deref(), Some("added" | "dropped" | "valid")));
    let folder = folder.expect("one with more assertions");
    assert_eq!(told("reduce", folder, &["--trust", "none", "--jobs", "1"]).0, Some(0));
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect("a file");
    assert_eq!(text("reduced.smt2").matches("(check-sat)").count(), 2, "{}", text("reduced.smt2"));
    assert!(text("reduced.first.smt2").matches("(assert").count() <= 2, "{}", text("reduced.first.smt2"));
    assert_eq!(text("reduced.second.smt2").matches("(assert").count(), 3, "{}", text("reduced.second.smt2"));
    assert!(text("reduced.smt2").len() < text("mutant.smt2").len());
    let (code, _) = told("report", &stage.out(), &[]);
    assert_eq!(code, Some(0));
    let pages = fs::read_dir(stage.out().join("issues")).expect("a folder").flatten();
    let pages: Vec<String> = pages.filter_map(|page| fs::read_to_string(page.path()).ok()).collect();
    let page = pages.iter().find(|page| page.contains("The second script")).expect("both scripts");
    let why =
        ["satisfies the second script satisfies the first one", "satisfies one of the scripts satisfies the other one"];
    assert!(why.iter().any(|why| page.contains(why)), "{page}");
    assert!(page.contains("unsat of the first script, and sat of the second"), "{page}");
}
