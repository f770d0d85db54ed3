//! Folders of campaigns for tests, a line of text for each finding.

use finding::answer_vector::SavedVector;
use finding::folder::{FINDINGS, FindingFile, FindingFolder};
use finding::{Finding, KnownMatch};
use reduce::finding::Account;
use serde_json::json;
use std::fs;
use std::path::Path;

/// What was sent of each finding.
const SENT: &str = "(declare-fun x () Int)\n(assert (= (mod (div x 3) 2) 1))\n(check-sat)\n";

/// Writes the folder of a campaign with these findings. A line is `NAME SOLVER SYMPTOM SEED` and any of `WORD=VALUE`: `reduced=mod` is a
/// reduced script with this operator, `cut=mod` one whose reduction was interrupted, `after=mod`
/// an empty script after one with the operator, `vector=x.` says which releases err on it (`x`) and
/// which do not (`.`), `of=NAME` is the known cause. A name begins with its class, and `_` is a blank.
pub fn campaign(root: &Path, lines: &[&str]) {
    let findings = root.join(FINDINGS);
    fs::create_dir_all(&findings).expect("a folder");
    fs::write(root.join("campaign.json"), "{}").expect("a file");
    lines.iter().for_each(|line| write(&findings, line));
}

fn write(findings: &Path, line: &str) {
    let mut words = line.split_whitespace();
    let mut next = || words.next().expect("NAME SOLVER SYMPTOM SEED").replace('_', " ");
    let [name, solver, symptom, seed] = [(); 4].map(|()| next());
    let record = record(&name, &solver, &symptom, &seed);
    let files = [(FindingFile::Mutant, SENT.as_bytes())];
    let folder = FindingFolder::create(findings, &record, &files).expect("it is written");
    let mut script = String::new();
    for (word, value) in words.map(|word| word.split_once('=').expect("WORD=VALUE")) {
        match word {
            "reduced" | "cut" => {
                script = format!("(declare-fun x () Int)\n(assert (= ({value} x 2) 1))\n(check-sat)\n");
                folder.put(FindingFile::Reduced, &script).expect("written");
                folder.write(&account(&script, word == "reduced")).expect("written");
            }
            "after" => {
                let earlier = format!("(declare-fun x () Int)\n(assert (= ({value} x 2) 1))\n(reset)\n");
                script = "(check-sat)\n".to_string();
                folder.put(FindingFile::Reduced, &script).expect("written");
                folder.put(FindingFile::ReducedPredecessors, &earlier).expect("written");
                folder.put(FindingFile::Predecessors, &earlier).expect("written");
                let predecessors_sha256 = Some(files::sha256(&earlier));
                folder.write(&Finding { predecessors_sha256, ..record.clone() }).expect("written");
                folder.write(&account(&script, true)).expect("written");
            }
            "vector" => {
                let errs = value.chars().enumerate().map(|(n, c)| (format!("z3@4.{n}"), c == 'x'));
                let saved = SavedVector { script: files::sha256(&script), vector: errs.collect() };
                folder.write(&saved).expect("written");
            }
            "of" => {
                let matched = KnownMatch { of: value.to_string(), without: vec!["mod".to_string()] };
                folder.write(&matched).expect("written");
            }
            _ => panic!("{line}: {word} is unknown"),
        }
    }
}

fn record(name: &str, solver: &str, symptom: &str, seed: &str) -> Finding {
    let record = json!({
        "format": 1, "id": name, "class": &name[..1], "summary": "s", "origin": "mutant", "trust": {"kind": "certified"},
        "check": 0, "mode": "plain", "expected": ["sat"], "answers": ["unsat"], "symptom": symptom,
        "repeats": {"shown": 2, "runs": 2},
        "solver": {"spec": solver, "label": solver, "version": null, "origin": "x", "purposes": [], "command": [],
                   "timeout_s": 1.0, "memory_bytes": null},
        "others": [], "seed": {"name": seed, "sha256": "", "check": 0, "status": null}, "mutator": null,
        "campaign": {"seed": 4, "unit": 9, "index": 0}, "mutant_sha256": files::sha256(SENT), "mutant_bytes": SENT.len(),
        "found_at": 0, "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "", "os": "", "arch": ""},
    });
    serde_json::from_value(record).expect("a record")
}

/// Of a reduction that has ended, or was interrupted after some candidates.
fn account(script: &str, finished: bool) -> Account {
    let size = |bytes| json!({"bytes": bytes, "assertions": 1, "depth": 1});
    let report = json!({
        "before": size(SENT.len()), "after": size(script.len()), "judged": 3, "seconds": 0.5,
        "truth": {"kind": "certified"}, "finished": finished, "passes": [],
    });
    let report = serde_json::from_value(report).expect("a report");
    Account { key: String::new(), result: files::sha256(script), finished, report: Some(report), solver: None }
}
