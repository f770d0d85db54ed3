//! What is reported of a recorded finding: its cause before any reduction, its sentence, and how important it is.

use finding::{BugClass, Cause, CauseCount, Finding, FindingEvent, OptionGrade};
use serde_json::json;
use std::path::Path;

/// A record of which these fields are other.
fn finding(change: &[(&str, serde_json::Value)]) -> Finding {
    let mut record = json!({
        "format": 1, "id": "A-x", "class": "A", "summary": "s", "origin": "mutant", "trust": {"kind": "certified"}, "check": 0,
        "mode": "plain", "expected": ["sat"], "answers": ["unsat"], "symptom": "unsat", "repeats": {"shown": 2, "runs": 2},
        "solver": {"spec": "z3", "label": "z3", "version": null, "origin": "x", "purposes": [], "command": [], "timeout_s": 1.0,
                   "memory_bytes": null},
        "others": [], "seed": {"name": "a.smt2", "sha256": "", "check": 0, "status": null}, "mutator": null,
        "campaign": {"seed": 4, "unit": 9, "index": 0}, "mutant_sha256": "", "mutant_bytes": 30,
        "found_at": 0, "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "", "os": "", "arch": ""},
    });
    for (field, value) in change {
        let place = field.split('.').fold(&mut record, |value, key| &mut value[key]);
        *place = value.clone();
    }
    serde_json::from_value(record).expect("a record")
}

/// Whether hits are taken for one cause before they are reduced.
#[test]
fn hits_of_one_cause_have_one_key() {
    let check = |common: &[(&str, serde_json::Value)], field: &str, value: serde_json::Value, expect: bool| {
        let other = [common, &[(field, value)]].concat();
        let [one, other] = [common, &other].map(|change| Cause::of(&finding(change)).key());
        assert_eq!(one == other, expect, "{common:?} {field}");
    };
    // A wrong answer says little: hits are of one cause only if they were found in the same way.
    for (field, value, expect) in [
        ("id", json!("A-y"), true),
        ("mutant_bytes", json!(9), true),
        ("origin", json!("seed"), true),
        ("seed.name", json!("b.smt2"), false),
        ("mode", json!("incremental"), false),
        ("solver.drawn_options", json!(["x=1"]), false),
        ("solver.label", json!("cvc5"), false),
        ("class", json!("B"), false),
    ] {
        check(&[], field, value, expect);
    }
    // The place of a crash says enough, wherever it was found.
    let crash = [("class", json!("D")), ("symptom", json!("assertion: a.cpp Line: 3"))];
    for (field, value, expect) in [
        ("seed.name", json!("b.smt2"), true),
        ("mode", json!("incremental"), true),
        ("solver.drawn_options", json!(["x=1"]), true),
        ("solver.label", json!("cvc5"), false),
        ("symptom", json!("assertion: b.cpp Line: 3"), false),
    ] {
        check(&crash, field, value, expect);
    }
    // The reason why a solver gives up identifies a cause. The answer `unknown` does not.
    let unknown = [("class", json!("C")), ("symptom", json!("unknown"))];
    check(&unknown, "reason_unknown", json!("incomplete"), false);
    let reason = [&unknown[..], &[("reason_unknown", json!("incomplete"))]].concat();
    check(&reason, "seed.name", json!("b.smt2"), true);
}

#[test]
fn a_flaky_finding_says_so() {
    let check = |shown: u32, runs: u32, expect: &str| {
        let event = FindingEvent::of(&finding(&[("repeats", json!({"shown": shown, "runs": runs}))]), Path::new("out"));
        assert_eq!(event.summary, expect, "{shown} of {runs}");
    };
    check(2, 2, "s");
    check(1, 2, "s (flaky: 1 of 2 repetitions)");
    check(0, 0, "s (flaky: 0 of 0 repetitions)");
}

/// What must precede the script is part of its size: a reduced one, measured with it, once seemed larger than the original.
#[test]
fn its_size_is_of_all_that_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = || FindingEvent::of(&finding(&[("mutant_bytes", json!(9))]), folder.path()).bytes;
    assert_eq!(bytes(), 9);
    std::fs::write(folder.path().join("predecessors.smt2"), "(reset)\n").expect("a file");
    assert_eq!(bytes(), 9 + 8);
}

/// Each row is more important than the next one.
#[test]
fn findings_are_ordered_by_importance() {
    let rows: [&[(&str, serde_json::Value)]; 8] = [
        &[("mutant_bytes", json!(9))],
        &[],
        &[("mode", json!("incremental")), ("mutant_bytes", json!(9))],
        &[("trust", json!({"kind": "observed"})), ("mutant_bytes", json!(9))],
        &[("origin", json!("seed")), ("mutant_bytes", json!(9))],
        &[("class", json!("B")), ("mutant_bytes", json!(9))],
        &[("class", json!("B")), ("solver.drawn_options", json!(["x=1"])), ("mutant_bytes", json!(9))],
        &[("class", json!("D")), ("mutant_bytes", json!(9))],
    ];
    let events = rows.map(|change| FindingEvent::of(&finding(change), Path::new("out")));
    for (n, pair) in events.windows(2).enumerate() {
        assert!(pair[0].importance() < pair[1].importance(), "row {n}: {:?} before {:?}", rows[n], rows[n + 1]);
    }
    assert_eq!(events[7].cause.class, BugClass::D);
}

#[test]
fn what_is_not_reduced_is_counted_beside_causes() {
    let check = |causes: usize, not_reduced: usize, expect: &str| {
        assert_eq!(CauseCount { causes, not_reduced }.to_string(), expect);
    };
    check(0, 0, "0 causes");
    check(1, 0, "1 cause");
    check(2, 3, "2 causes + 3 not reduced");
}

/// What a project promises most comes first, and its word in records is read back.
#[test]
fn grades_are_ordered_by_what_is_promised() {
    let grades = ["safe", "stable", "default", "documented", "experimental"];
    let read = grades.map(|word| serde_json::from_value::<OptionGrade>(json!(word)).expect("a grade"));
    assert!(read.is_sorted());
    assert_eq!(read.map(OptionGrade::word), grades);
}
