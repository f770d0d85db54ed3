//! Tests of `nats::wire`.

#![cfg(feature = "nats")]

use finding::Finding;
use fuzz::nats::wire::{Expectation, Refusal, read, write};
use fuzz::schedule::unit::UnitPlan;

use serde_json::{Value, json};

const ID: &str = "0123456789abcdef";

fn expectation() -> Expectation {
    Expectation { campaign: ID.into(), seed: 4, seeds: vec!["a.smt2".into()], solvers: vec!["z3".into()] }
}

#[test]
fn only_own_messages_are_read() {
    let check = |message: Value, expect: Result<u32, Refusal>| {
        let bytes = serde_json::to_vec(&message).expect("a text");
        let read = read::<u32>(&bytes, 100, Some(ID)).map(|envelope| envelope.body);
        assert_eq!(read, expect, "{message}");
    };
    let version = env!("CARGO_PKG_VERSION");
    check(json!({"protocol": 1, "squall": version, "campaign": ID, "body": 7}), Ok(7));
    check(json!({"protocol": 2, "squall": version, "campaign": ID, "body": {}}), Err(Refusal::Version));
    check(json!({"protocol": 1, "squall": "99.0.0", "campaign": ID, "body": 7}), Err(Refusal::Version));
    check(json!({"protocol": 1, "squall": version, "campaign": "fedcba9876543210", "body": 7}), Err(Refusal::Campaign));
    check(json!({"protocol": 1, "squall": version, "campaign": ID, "body": "x"}), Err(Refusal::Shape));
    check(json!({"protocol": 1, "squall": version, "campaign": ID, "body": "x".repeat(99)}), Err(Refusal::Size));
    check(json!([1, 2]), Err(Refusal::Shape));
    assert_eq!(read::<u32>(b"\xff\x00", 100, None).map(|e| e.body), Err(Refusal::Shape));
    let any = read::<u32>(&write("../../etc", 7), 100, None).map(|envelope| envelope.body);
    assert_eq!(any, Err(Refusal::Campaign), "an identifier that is no identifier");
    assert_eq!(read::<u32>(&write(ID, 7), 100, None).map(|envelope| envelope.body), Ok(7));
}

#[test]
fn plans_stay_within_the_campaign() {
    let plan = UnitPlan { number: 1, seed: 0, target: 0, visit: 0, choice: None };
    let check = |plan: UnitPlan, expect| assert_eq!(expectation().check_plan(&plan), expect, "{plan:?}");
    check(plan.clone(), Ok(()));
    check(UnitPlan { seed: 1, ..plan.clone() }, Err(Refusal::Shape));
    check(UnitPlan { target: usize::MAX, ..plan.clone() }, Err(Refusal::Shape));
    let settings = vec![("max-depth".to_string(), "9".repeat(1 << 20))];
    let choice = fuzz::schedule::unit::UnitChoice { mutator: 0, tactics: Vec::new(), theme: None, settings };
    check(UnitPlan { choice: Some(choice.clone()), ..plan.clone() }, Err(Refusal::Shape));
    // A parameter that no schedule varies may name a file or a program of the worker's machine.
    for (name, expect) in [("theory", Ok(())), ("laws", Err(Refusal::Name)), ("command", Err(Refusal::Name))] {
        let settings = vec![(name.to_string(), "x".to_string())];
        let choice = fuzz::schedule::unit::UnitChoice { settings, ..choice.clone() };
        check(UnitPlan { choice: Some(choice), ..plan.clone() }, expect);
    }
}

/// Returns the record of a finding of this mutant, with the given change.
fn record(mutant: &str, change: impl Fn(&mut Value)) -> Value {
    let sha256 = files::digest::sha256(mutant);
    let mut record = json!({
        "format": 1, "id": format!("A-z3-a-plain-{}", &sha256[..12]), "class": "A", "summary": "s", "origin": "mutant",
        "trust": {"kind": "certified"}, "check": 0, "mode": "plain", "expected": ["sat"], "answers": ["unsat"],
        "solver": {"spec": "z3", "label": "z3", "version": null, "origin": "", "purposes": [], "command": [],
                   "timeout_s": 1.0, "memory_bytes": null},
        "symptom": "unsat", "repeats": {"shown": 2, "runs": 2}, "others": [],
        "seed": {"name": "a.smt2", "sha256": "", "check": 0, "status": null}, "mutator": null,
        "campaign": {"seed": 4, "unit": 9, "index": 0}, "mutant_sha256": sha256, "mutant_bytes": mutant.len(),
        "found_at": 0, "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "", "os": "", "arch": ""},
    });
    change(&mut record);
    record
}

#[test]
fn findings_are_what_they_claim_to_be() {
    let check = |change: &dyn Fn(&mut Value), files: &[(&str, usize)], bytes: &str, expect: Option<Refusal>| {
        let files: Vec<(String, usize)> = files.iter().map(|(name, size)| (name.to_string(), *size)).collect();
        let expectation = expectation();
        let finding: Finding = serde_json::from_value(record("(assert x)", change)).expect("a finding");
        let checked = expectation.check_finding(&finding, &files, bytes.as_bytes());
        assert_eq!(checked.err(), expect, "{files:?} {bytes} {}", finding.id);
    };
    let mutant = ("mutant.smt2", 10);
    let same = |_: &mut Value| {};
    check(&same, &[mutant], "(assert x)", None);
    check(&same, &[("output.txt", 3), mutant], "unk(assert x)", None);
    check(&same, &[mutant], "(assert y)", Some(Refusal::Hash));
    check(&same, &[mutant], "(assert x)more", Some(Refusal::Size));
    check(&same, &[("mutant.smt2", 99)], "(assert x)", Some(Refusal::Size));
    check(&same, &[mutant, mutant], "(assert x)(assert x)", Some(Refusal::Name));
    check(&same, &[mutant, ("../../.bashrc", 2)], "(assert x)rm", Some(Refusal::Name));
    check(&same, &[mutant, ("finding.json", 2)], "(assert x){}", Some(Refusal::Name));
    check(&same, &[("output.txt", 3)], "unk", Some(Refusal::Shape));
    let set = |name: &'static str, value: Value| move |record: &mut Value| record[name] = value.clone();
    check(&set("id", json!("../../etc/cron.d/x")), &[mutant], "(assert x)", Some(Refusal::Name));
    check(&set("id", json!(".hidden")), &[mutant], "(assert x)", Some(Refusal::Name));
    check(&set("id", json!("A-z3-a-plain-000000000000")), &[mutant], "(assert x)", Some(Refusal::Hash));
    check(&set("id", json!("x".repeat(300))), &[mutant], "(assert x)", Some(Refusal::Name));
    // A message with an unknown class or origin is not even parsed.
    for wrong in [set("class", json!("F")), set("origin", json!("hearsay"))] {
        assert!(serde_json::from_value::<Finding>(record("(assert x)", wrong)).is_err());
    }
    check(
        &set("campaign", json!({"seed": 5, "unit": 9, "index": 0})),
        &[mutant],
        "(assert x)",
        Some(Refusal::Campaign),
    );
    check(
        &set("seed", json!({"name": "other", "sha256": "", "check": 0, "status": null})),
        &[mutant],
        "(assert x)",
        Some(Refusal::Shape),
    );
    check(&set("predecessors_sha256", json!("ab")), &[mutant], "(assert x)", Some(Refusal::Hash));
}
