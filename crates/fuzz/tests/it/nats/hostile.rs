//! What damaged and hostile messages cost: nothing, and they are counted.

use super::{Fails, play, report, server, wires, work};
use crate::readers::mutated_examples::mutation::Random;
use fuzz::nats::wire::{self, Description, SeedName, WorkerMessage};
use fuzz::schedule::unit::UnitPlan;
use std::path::Path;

/// Returns an invented wrong answer of the campaign's first seed and solver, and its script.
fn claimed(description: &Description, change: impl Fn(&mut serde_json::Value)) -> (finding::Finding, String) {
    let text = "(declare-const p Bool)\n(assert p)\n(check-sat)\n".to_string();
    let sha256 = files::digest::sha256(&text);
    let mut record = serde_json::json!({
        "format": 1, "id": format!("A-x-{}", &sha256[..12]), "class": "A", "summary": "s", "origin": "mutant",
        "trust": {"kind": "observed"}, "check": 0, "mode": "plain", "expected": ["sat"], "answers": ["unsat"],
        "solver": {"spec": "/bin/sh -c 'touch canary'", "label": description.solvers[0], "version": null, "origin": "", "purposes": [],
                   "command": ["/bin/sh"], "timeout_s": 1e300, "memory_bytes": null},
        "symptom": "unsat", "repeats": {"shown": 2, "runs": 2}, "others": [],
        "seed": {"name": description.seeds[0].name, "sha256": "", "check": 0, "status": null}, "mutator": null,
        "campaign": {"seed": description.seed, "unit": 9, "index": 0}, "mutant_sha256": sha256, "mutant_bytes": text.len(),
        "found_at": 0, "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "", "os": "", "arch": ""},
    });
    change(&mut record);
    (serde_json::from_value(record).expect("a record"), text)
}

/// Messages of each kind with bytes changed at random: no intact one is lost, and each of the others is rejected or counted.
#[test]
fn damaged_messages_cost_nothing() {
    let Some((_folder, mut server)) = server() else { return };
    let address = server.address();
    let amount: u64 = testing::amount("SQUALL_DAMAGED_MESSAGES", 20);
    let (ended, told) = play(&mut server, 40, 0, Fails::Never, |_| {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let (context, _, id, description) = wires(&address).await;
            let plan = UnitPlan { number: 1_000_000, seed: 0, target: 0, visit: 0, choice: None };
            let (finding, text) = claimed(&description, |_| ());
            let files = vec![("mutant.smt2".to_string(), text.len())];
            let mut claim = wire::write(&id, WorkerMessage::Finding { finding: Box::new(finding), files });
            claim.extend_from_slice(format!("\n{text}").as_bytes());
            let wrong = &description.seeds[0];
            let entry = WorkerMessage::Quarantine { seed: wrong.name.clone(), sha256: wrong.sha256.clone() };
            let hit = r#"{"unconfirmed":{"class":"A","target":99,"mode":"plain","seed":0,"from_seed":false,"options":"","symptom":"unsat","flaky":false}}"#;
            let hit: serde_json::Value = serde_json::from_str(hit).expect("JSON");
            let heartbeat = wire::Heartbeat { worker: "w".into(), jobs: 1, busy: 1, units: 0, mutants: 0 };
            let kinds = [
                ("result", wire::write(&id, WorkerMessage::Report(Box::new(report(plan, &description.solvers[0]))))),
                ("result", claim),
                ("result", wire::write(&id, entry)),
                ("result", wire::write(&id, hit)),
                ("heartbeat", wire::write(&id, heartbeat)),
                ("seed", wire::write(&id, wire::Piece { sha256: "0".repeat(64), from: 0 })),
            ];
            for (kind, (subject, whole)) in (0u64..).zip(&kinds) {
                for round in 0..amount {
                    let mut random = Random(kind << 32 | round);
                    let mut damaged = whole.clone();
                    // After the campaign's name, so that more than that is examined.
                    for _ in 0..1 + random.below(4) {
                        let at = random.below(damaged.len());
                        match random.below(3) {
                            0 => damaged[at] = random.below(256) as u8,
                            1 => damaged.truncate(at.max(1)),
                            _ => drop(damaged.remove(at)),
                        }
                        if damaged.is_empty() {
                            damaged.push(0);
                        }
                    }
                    let subject = format!("squall.{id}.{subject}");
                    match subject.ends_with("result") {
                        true => {
                            let sent = context.publish(subject, damaged.into()).await.expect("a server");
                            sent.await.expect("it is stored");
                        }
                        false => drop(context.publish(subject, damaged.into()).await),
                    }
                }
            }
        });
        let root = tempfile::tempdir().expect("a folder");
        work(&address, root.path());
    });
    assert_eq!(ended.standing.counts.units, 40, "{told:?}");
    assert_eq!(ended.standing.tally.groups, 0, "no invented finding counts: {told:?}");
    assert!(ended.failure.is_none() && !Path::new("canary").exists());
    println!("{} refused, {} not confirmed", ended.standing.refused, ended.standing.tally.unconfirmed);
}

#[test]
fn what_is_hostile_is_refused_and_counted() {
    let Some((_folder, mut server)) = server() else { return };
    let address = server.address();
    let (ended, told) = play(&mut server, 500, 2, Fails::Never, |_| {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let (context, _, id, description) = wires(&address).await;
            let plan = UnitPlan { number: 1, seed: 9999, target: 0, visit: 0, choice: None };
            let out_of_range =
                wire::write(&id, WorkerMessage::Report(Box::new(report(plan.clone(), &description.solvers[0]))));
            let mut enormous = report(UnitPlan { seed: 0, ..plan.clone() }, &description.solvers[0]);
            enormous.counts.mutants = u64::MAX;
            let enormous = wire::write(&id, WorkerMessage::Report(Box::new(enormous)));
            let other = wire::write("00112233445566aa", WorkerMessage::Report(Box::new(report(plan, "x"))));
            let newer = String::from_utf8_lossy(&out_of_range).replace("\"protocol\":1", "\"protocol\":9").into_bytes();
            let hostile = [
                b"\x00\xff{".to_vec(),
                out_of_range,
                enormous,
                other,
                newer,
                b"{}\n../../etc/passwd".to_vec(),
                vec![b'['; 900_000],
            ];
            for payload in hostile {
                let sent = context.publish(format!("squall.{id}.result"), payload.into()).await.expect("a server");
                sent.await.expect("it is stored");
            }
            let hit = |symptom: &str| {
                serde_json::json!({"class": "A", "target": 0, "mode": "plain", "seed": 0, "from_seed": false,
                "options": "", "symptom": symptom, "flaky": false})
            };
            let long = wire::write(&id, serde_json::json!({"unconfirmed": hit(&"x".repeat(1 << 16))}));
            let sent = context.publish(format!("squall.{id}.result"), long.into()).await.expect("a server");
            sent.await.expect("it is stored");
            // The label of a seed is wrong if the coordinator's solver says so.
            let SeedName { name: seed, sha256 } = description.seeds[0].clone();
            for sha256 in [sha256, "0".repeat(64)] {
                let message = WorkerMessage::Quarantine { seed: seed.clone(), sha256 };
                let sent = context.publish(format!("squall.{id}.result"), wire::write(&id, message).into()).await;
                sent.expect("a server").await.expect("it is stored");
            }
            // A finding that the coordinator's solver does not show is only counted.
            let claim = claimed(&description, |_| ());
            let canary =
                claimed(&description, |finding| finding["solver"]["drawn_options"] = serde_json::json!(["trace=true"]));
            for (finding, text) in [claim, canary] {
                let files = vec![("mutant.smt2".to_string(), text.len())];
                let mut payload = wire::write(&id, WorkerMessage::Finding { finding: Box::new(finding), files });
                payload.push(b'\n');
                payload.extend_from_slice(text.as_bytes());
                let sent = context.publish(format!("squall.{id}.result"), payload.into()).await.expect("a server");
                sent.await.expect("it is stored");
            }
        });
    });
    assert_eq!(ended.standing.counts.units, 500);
    assert_eq!((ended.standing.tally.unconfirmed, ended.standing.tally.groups), (1, 0));
    assert_eq!((ended.standing.refused, ended.standing.quarantined), (10, 0), "{told:?}");
    let text = told.join("\n");
    for word in ["another version", "another campaign", "malformed", "do not belong to the campaign"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}
