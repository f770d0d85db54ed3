//! Claims of parts, and what a damaged one does.

use super::*;
use crate::sync::Stops;
use crate::under_test::TargetOptions;
use serde_json::{Value, json};
use solver::install::Fleet;
use std::path::Path;

const TEXT: &str = "(declare-const p Bool)\n(assert p)\n(check-sat)\n";

fn target(folder: &Path, name: &str, said: &str) -> Target {
    let program = testing::executable(&folder.join(name), &format!("#!/bin/sh\ncat > /dev/null\necho {said}\n"));
    let fleet = Fleet::of_user().expect("a fleet");
    let installed = fleet.resolve(&program.parse().expect("a path")).expect("it is there");
    Target::new(fleet.solver(installed), &TargetOptions::default(), &Stops::default()).expect("a target")
}

fn claim(target: &Target, change: &dyn Fn(&mut Value)) -> WorkerClaim {
    let mut record = json!({
        "format": 1, "id": "A-x", "class": "A", "summary": "s", "origin": "mutant", "trust": {"kind": "observed"}, "check": 0,
        "mode": "plain", "expected": ["sat"], "answers": ["unsat"], "symptom": "unsat", "repeats": {"shown": 2, "runs": 2},
        "solver": {"spec": "/bin/false", "label": target.tested.label, "version": "9", "origin": "x", "purposes": ["models"],
                   "command": ["/bin/false"], "timeout_s": 1e300, "memory_bytes": 1},
        "others": [], "seed": {"name": "a", "sha256": "", "check": 0, "status": null}, "mutator": null,
        "campaign": {"seed": 4, "unit": 9, "index": 0}, "mutant_sha256": "", "mutant_bytes": TEXT.len(), "found_at": 0,
        "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "", "os": "", "arch": ""},
    });
    change(&mut record);
    let finding: Finding = serde_json::from_value(record).expect("a record");
    let key = GroupKey {
        class: finding.class,
        target: 0,
        mode: finding.mode.clone(),
        seed: 0,
        from_seed: false,
        options: String::new(),
        symptom: finding.symptom.clone(),
        flaky: false,
    };
    let files = vec![(FindingFile::Mutant, TEXT.as_bytes().to_vec())];
    WorkerClaim { key, finding: Box::new(finding), files }
}

#[test]
fn a_claim_counts_if_the_own_solver_shows_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = target(folder.path(), "z3-own", "unsat");
    let reference = self::target(folder.path(), "cvc5-other", "sat");
    let limits = ProcessLimits::default();
    let check = |change: &dyn Fn(&mut Value), expect: Result<bool, Refusal>| {
        let mut claim = claim(&target, change);
        let judged = claim.confirm(std::slice::from_ref(&target), Some(&reference), &limits);
        assert_eq!(judged, expect, "{:?}", claim.finding);
        if expect.is_ok() {
            let record = &claim.finding.solver;
            assert!(record.spec.starts_with(&target.tested.spec().to_string()), "{}", record.spec);
            assert_eq!(record.command[0], target.tested.solver.installed().command[0].to_string_lossy());
            assert!(record.timeout_s <= limits.wall.as_secs_f64() + START.as_secs_f64());
            assert_eq!((&record.version, record.memory_bytes), (&None, limits.memory_bytes));
        }
    };
    let canary = folder.path().join("canary").display().to_string();
    let run = format!("/bin/sh -c 'touch {canary}'");
    check(&|_| (), Ok(true));
    check(&|record| record["solver"]["spec"] = json!(run), Ok(true));
    check(&|record| record["solver"]["drawn_options"] = json!(["smt.relevancy=0"]), Ok(true));
    check(
        &|record| record["solver"]["drawn_options"] = json!([format!("trace_file_name={canary}")]),
        Err(Refusal::Solver),
    );
    check(
        &|record| record["solver"]["drawn_options"] = json!([format!("(set-option :trace_file_name |{canary}|)")]),
        Err(Refusal::Solver),
    );
    for spec in [&run[..], "z3 -o:/tmp/x", "cvc5@1.4.2", "builtin:sat", ""] {
        let slow = json!({"than": "x", "spec": spec, "cpu_s": 1.0, "other_cpu_s": 0.1});
        check(&|record| record["slowness"] = slow.clone(), Err(Refusal::Solver));
    }
    // The reference may be a path; the script is not slow here.
    let slow = json!({"than": "x", "spec": reference.tested.spec().to_string(), "cpu_s": 1.0, "other_cpu_s": 0.1});
    check(&|record| (record["slowness"], record["class"]) = (slow.clone(), json!("S")), Ok(false));
    check(&|record| record["symptom"] = json!("signal: SIGSEGV"), Ok(false));
    check(&|record| record["trust"] = json!({"kind": "certified"}), Ok(false));
    assert!(!Path::new(&canary).exists());
}

#[test]
fn a_claim_that_nobody_else_sees_does_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = target(folder.path(), "z3-own", "sat");
    assert_eq!(claim(&target, &|_| ()).confirm(&[target], None, &ProcessLimits::default()), Ok(false));
}
