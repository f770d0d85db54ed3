//! The schemas of `docs/schema` against the program's output: exactly these members, of these types.
//!
//! Every event and record that other tests read by `support` is checked there, too.

use crate::support::schema::Schema;
use crate::support::{ALWAYS, Run, Stage, record};
use finding::{Finding, FindingEvent};
use fuzz::CampaignEvent;
use fuzz::seeds::Quarantined;
use fuzz::state::event::{CampaignStatus, Detail, Doing, RemoteWorker, Resumed};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A record with all optional members.
fn full_record() -> Value {
    let mut value = json!({
        "format": 1, "id": "A-z3@4.8.7-a-plain-0", "class": "A", "summary": "z3@4.8.7 says unsat", "origin": "mutant",
        "trust": { "kind": "trusted", "by": "cvc5@1.4.2" },
        "solver": {
            "spec": "z3@4.8.7 a=b", "label": "z3@4.8.7", "drawn_options": ["a=b"],
            "experimental_options": ["a=b"], "version": "4.8.7", "origin": "pip",
            "program_sha256": "0".repeat(64), "purposes": ["models"], "command": ["z3", "-in"], "timeout_s": 5.0,
            "memory_bytes": 1024,
        },
        "check": 0, "mode": "plain", "expected": ["sat"], "answers": ["unsat"], "symptom": "unsat",
        "false_assertion": "(< 1 0)", "reason_unknown": "incomplete", "repeats": { "shown": 2, "runs": 2 },
        "others": [{ "solver": "cvc5@1.4.2", "answers": ["sat"] }],
        "seed": { "name": "a.smt2", "sha256": "1".repeat(64), "check": 0, "status": "sat", "logic": "QF_LIA" },
        "mutator": { "name": "storm", "parameters": { "unit": "3" } },
        "campaign": { "seed": 7, "unit": 3, "index": 1, "visit": 0, "place": 2 },
        "mutant_sha256": "2".repeat(64), "mutant_bytes": 100, "predecessors_sha256": "3".repeat(64), "found_at": 1,
        "effort": { "mutants": 12, "wall_s": 1.5, "cpu_s": 1.4 }, "run": { "wall_s": 0.1, "cpu_s": 0.1 },
        "environment": { "squall": "0.1.0", "commit": "abc", "os": "linux", "arch": "x86_64" },
    });
    value["environment"]["dirty"] = true.into();
    value
}

/// One event of each kind as the program serialises it, with all optional members. The command line adds members to the summary, which
/// the campaigns below check.
fn events() -> Vec<CampaignEvent> {
    let finding: Finding = serde_json::from_value(full_record()).expect("a record");
    let status = || CampaignStatus {
        wall_s: 1.0,
        cpu_s: 1.0,
        solver_cpu_s: 0.5,
        counts: Default::default(),
        tally: fuzz::state::finding_index::FindingCounts {
            findings: [(finding.class, 1)].into(),
            ..Default::default()
        },
        causes: Some(finding::CauseCount { causes: 1, not_reduced: 2 }),
        skipped: 0,
        quarantined: 0,
        refused: 0,
        unmade_texts: vec![fuzz::counts::error_texts::UnmadeText {
            text: "RuntimeError: my bug".to_string(),
            mutants: 4,
        }],
        error_texts: vec![fuzz::counts::error_texts::ErrorText { text: "unknown constant x".to_string(), checks: 2 }],
    };
    let doing = Doing {
        unit: 1,
        seed: Some("a.smt2".to_string()),
        position: 0,
        solver: "z3".to_string(),
        mutator: None,
        mutants: 0,
        seconds: 0.0,
    };
    let text = || "words".to_string();
    vec![
        CampaignEvent::Started {
            seed: 0,
            seeds: 1,
            solvers: vec![text()],
            profiles: vec![text()],
            jobs: 1,
            out: text(),
            resumed: Some(Resumed { units: 1, mutants: 1, findings: 0 }),
        },
        CampaignEvent::Install { solver: text(), what: text() },
        CampaignEvent::Finding(Box::new(FindingEvent {
            id: finding.id.clone(),
            cause: finding::Cause::of(&finding),
            trust: finding.trust.clone(),
            mutator: Some(text()),
            origin: ::finding::FindingOrigin::default(),
            summary: text(),
            bytes: 1,
            folder: text(),
        })),
        CampaignEvent::Reduced {
            id: text(),
            bytes: (2, 1),
            finished: true,
            truth: text(),
            vector: [(text(), true)].into_iter().collect(),
        },
        CampaignEvent::Matched { id: text(), of: text(), without: vec![text()] },
        CampaignEvent::Unreduced { id: text(), reason: text() },
        CampaignEvent::Bisected { id: text(), versions: text() },
        CampaignEvent::Unconfirmed { class: finding.class, solver: text(), seed: Some(text()), reason: text() },
        CampaignEvent::SkippedSeed { seed: Some(text()), solver: None, reason: text() },
        CampaignEvent::Quarantined {
            entry: Box::new(Quarantined {
                seed: text(),
                sha256: "4".repeat(64),
                label: text(),
                check: 0,
                evidence: text(),
                script: text(),
                replay: text(),
            }),
            list: text(),
        },
        CampaignEvent::Trouble { message: text() },
        CampaignEvent::Progress(Box::new(status())),
        CampaignEvent::Detail(Box::new(Detail {
            workers: vec![None, Some(doing)],
            machines: vec![RemoteWorker::default()],
            answers: [(text(), [(text(), 1)].into())].into(),
            ..Detail::default()
        })),
        CampaignEvent::Summary(Box::new(status())),
    ]
}

/// An event as the command line prints it.
fn printed(event: &CampaignEvent) -> Value {
    let mut value = serde_json::to_value(event).expect("JSON");
    if let CampaignEvent::Summary(_) = event {
        value["untested"] = Value::Null;
        value["disagreements_kept"] = 0.into();
    }
    value
}

#[test]
fn every_kind_of_event_is_in_the_schema_and_in_the_document() {
    let source = include_str!("../../../fuzz/src/state/event.rs");
    let items = syn::parse_file(source).expect("Rust").items;
    let variants = items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == "CampaignEvent" => Some(&item.variants),
        _ => None,
    });
    let kinds: BTreeSet<String> =
        variants.expect("the enum of events").iter().map(|variant| snake(&variant.ident.to_string())).collect();
    let schema = Schema::Event.document();
    let known = schema["oneOf"].as_array().expect("kinds").iter();
    let known = known.filter_map(|kind| kind["$ref"].as_str()?.strip_prefix("#/$defs/").map(str::to_string));
    assert_eq!(known.collect::<BTreeSet<_>>(), kinds);
    let shown: Vec<Value> = events().iter().map(printed).collect();
    shown.iter().for_each(|event| Schema::Event.check(event));
    let shown: BTreeSet<String> = shown.iter().filter_map(|event| Some(event["event"].as_str()?.to_string())).collect();
    assert_eq!(shown, kinds, "each has an example");
    let page = include_str!("../../../../docs/fuzz.md");
    for kind in kinds {
        assert!(page.contains(&format!("`{kind}`")), "docs/fuzz.md does not name the event {kind}");
    }
}

/// `SkippedSeed` as serde writes it.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (at, c) in name.char_indices() {
        if c.is_uppercase() && at > 0 {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}

#[test]
fn campaigns_follow_the_schemas() {
    let check = |script: &str, more: &[&str], kinds: &[&str]| {
        let stage = Stage::new(script);
        let run = stage.fuzz("unsat", &[&["--seed", "7", "--jobs", "1", "--timeout", "20s"], more].concat());
        // `Run` checks each event, `record` each record.
        kinds.iter().for_each(|kind| assert!(!run.events(kind).is_empty(), "no {kind} in {:?}", run.events));
        let found = stage.findings();
        assert!(!found.is_empty(), "{}", run.stderr);
        found.iter().for_each(|folder| drop(record(folder)));
    };
    check(ALWAYS, &["--mutants", "40", "--mutator", "storm"], &["started", "finding", "summary"]);
    check("kill -SEGV $$", &["--units", "2", "--reduce-share", "0"], &["finding", "summary"]);
    check(ALWAYS, &["--units", "3", "--mutator", "finite"], &["finding"]);
    let resumed = Stage::new(ALWAYS);
    resumed.fuzz("unsat", &["--units", "2", "--reduce-share", "0"]);
    let mut command = crate::support::squall();
    command.args(["fuzz", "--units", "3", "--format", "json", "--resume"]).arg(resumed.out());
    assert!(Run::of(&mut command).events("started")[0]["resumed"].is_object());
}

#[test]
fn kept_records_follow_the_schema() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../found");
    let folders = fs::read_dir(kept).expect("a folder").flatten().map(|entry| entry.path());
    let records: Vec<Value> =
        folders.filter(|folder| folder.join("finding.json").is_file()).map(|folder| record(&folder)).collect();
    assert!(!records.is_empty());
    let read: Finding = serde_json::from_value(full_record()).expect("a record");
    Schema::Finding.check(&serde_json::to_value(&read).expect("JSON"));
    assert_eq!(serde_json::to_value(read).expect("JSON"), full_record(), "the example has every member");
}

/// The places of all members of objects in a value, as JSON pointers.
fn members(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (name, inner) in object {
                let inner_place = format!("{place}/{name}");
                found.push(inner_place.clone());
                members(inner, &inner_place, found);
            }
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(n, inner)| members(inner, &format!("{place}/{n}"), found));
        }
        _ => {}
    }
}

/// The value without the member at a place, which is handed to `put` with its name.
fn changed(value: &Value, place: &str, put: impl FnOnce(&mut serde_json::Map<String, Value>, &str, Value)) -> Value {
    let (parent, name) = place.rsplit_once('/').expect("a pointer");
    let mut value = value.clone();
    let object = value.pointer_mut(parent).and_then(Value::as_object_mut).expect("an object");
    let member = object.remove(name).expect("a member");
    put(object, name, member);
    value
}

/// Checks that a schema rejects a value with a misspelled, mistyped or missing member. Members of maps may have any name;
/// `optional` lists the members that may be missing, by names or places.
fn check_each_member(schema: Schema, value: &Value, maps: &[&str], optional: &[&str]) {
    schema.check(value);
    let mut places = Vec::new();
    members(value, "", &mut places);
    for place in places {
        let name = place.rsplit('/').next().unwrap_or_default();
        let is_in_map = maps.iter().any(|map| place.starts_with(&format!("{map}/")));
        let refuses = |what: &str, value: Value, expect: bool| {
            let mistakes = schema.mistakes(&value);
            assert_eq!(mistakes.is_empty(), !expect, "{schema:?} with {place} {what}: {mistakes:?}");
        };
        let misspelled = changed(value, &place, |object, name, member| drop(object.insert(format!("{name}s"), member)));
        // Only the names of classes are allowed.
        refuses("misspelled", misspelled, !is_in_map || place.starts_with("/findings/"));
        let left_out = changed(value, &place, |_, _, _| {});
        let is_optional = optional.contains(&name) || optional.contains(&place.as_str());
        refuses("left out", left_out, !is_in_map && !is_optional);
        let other = json!({ "no": ["such", "type"] });
        let mistyped = changed(value, &place, |object, name, _| drop(object.insert(name.to_string(), other)));
        refuses("mistyped", mistyped, true);
    }
}

#[test]
fn misspelled_mistyped_and_missing_members_are_rejected() {
    let optional = [
        "drawn_options",
        "experimental_options",
        "program_sha256",
        "false_assertion",
        "reason_unknown",
        "predecessors_sha256",
        "logic",
        "effort",
        "commit",
        "dirty",
        "place",
        "/seed",
    ];
    check_each_member(Schema::Finding, &full_record(), &["/mutator/parameters"], &optional);
    for event in events().iter().map(printed) {
        // `seed` is a number for a campaign, but a seed in quarantine.
        let seed = match event["event"].as_str() {
            Some("started" | "quarantined" | "detail") => "/workers/1/seed",
            _ => "/seed",
        };
        check_each_member(Schema::Event, &event, &["/vector", "/answers", "/findings"], &["resumed", seed]);
    }
    let check = |schema: Schema, place: &str, wrong: Value| {
        let mut value = match schema {
            Schema::Finding => full_record(),
            Schema::Event => printed(&events()[0]),
        };
        *value.pointer_mut(place).expect("a member") = wrong.clone();
        assert!(!schema.mistakes(&value).is_empty(), "{schema:?} takes {wrong} at {place}");
    };
    check(Schema::Finding, "/class", json!("F"));
    check(Schema::Finding, "/format", json!(2));
    check(Schema::Finding, "/check", json!(-1));
    check(Schema::Finding, "/check", json!("0"));
    check(Schema::Finding, "/mutant_sha256", json!("2F"));
    check(Schema::Finding, "/trust", json!({ "kind": "certified", "by": "me" }));
    check(Schema::Finding, "/trust", json!({ "kind": "trusted" }));
    check(Schema::Finding, "/answers/0", json!("perhaps"));
    check(Schema::Event, "/event", json!("begun"));
    check(Schema::Event, "/event", json!("finding"));
    check(Schema::Event, "/jobs", json!(1.5));
    check(Schema::Event, "/solvers", json!("z3"));
}
