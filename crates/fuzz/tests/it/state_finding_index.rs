//! Tests of `state::finding_index`.

use finding::{BugClass, Finding};
use fuzz::findings::OutDir;
use fuzz::state::finding_index::{FindingIndex, GroupKey, HitWorth, KnownGroup};

#[test]
fn a_smaller_finding_replaces_none_of_another_reason() {
    let check = |reasons: [&str; 2], expect: &[&str]| {
        let root = tempfile::tempdir().expect("a folder");
        let out = OutDir::claim(&root.path().join("out")).expect("a new folder");
        std::fs::create_dir_all(out.root().join("findings")).expect("a folder");
        let mut index = FindingIndex::default();
        for (id, bytes, reason) in [("large", 50, reasons[0]), ("small", 40, reasons[1])] {
            let record = serde_json::json!({
                "format": 1, "id": id, "class": "C", "summary": "", "origin": "mutant", "trust": {"kind": "certified"},
                "solver": {"spec": "z3", "label": "z3", "version": null, "origin": "", "purposes": [], "command": [],
                    "timeout_s": 1.0, "memory_bytes": null},
                "check": 0, "mode": "plain", "expected": ["sat"], "answers": ["unknown"], "symptom": "unknown",
                "reason_unknown": reason, "repeats": {"shown": 2, "runs": 2}, "others": [],
                "seed": {"name": "a", "sha256": "", "check": 0, "status": null}, "mutator": null,
                "campaign": {"seed": 0, "unit": 0, "index": 0}, "mutant_sha256": "", "mutant_bytes": bytes, "found_at": 0,
                "run": {"wall_s": 0.0, "cpu_s": 0.0}, "environment": {"squall": "1", "os": "", "arch": ""}
            });
            let finding: Finding = serde_json::from_value(record).expect("a record");
            let recorded = index.record(&group(BugClass::C, "unknown", 1), &finding, &[], &out).expect("recorded");
            assert!(recorded.folder.is_some(), "{id}");
        }
        let left = ["large", "small"].into_iter().filter(|id| out.finding(id).exists()).collect::<Vec<_>>();
        assert_eq!(left, expect, "{reasons:?}");
    };
    check(["(incomplete)", "(incomplete)"], &["small"]);
    check(["(incomplete)", "invalid extract application"], &["large", "small"]);
}

fn group(class: BugClass, symptom: &str, seed: usize) -> GroupKey {
    let (mode, options, symptom) = ("plain".to_string(), String::new(), symptom.to_string());
    GroupKey { class, target: 0, mode, seed, from_seed: false, options, symptom, flaky: false }
}

#[test]
fn hits_are_worth_less_the_more_is_known() {
    // The value of a hit of 100 bytes in groups with the given numbers of confirmed findings of 50 bytes, and of rejected ones.
    let check = |hit: GroupKey, known: &[(GroupKey, usize, u64)], expect: HitWorth| {
        let stored = known.iter().map(|(key, _, unconfirmed)| {
            (key.clone(), KnownGroup { unconfirmed: *unconfirmed, ..KnownGroup::default() })
        });
        let on_disk =
            known.iter().flat_map(|(key, confirmed, _)| (0..*confirmed).map(move |n| (key.clone(), 50, n.to_string())));
        assert_eq!(FindingIndex::restore(stored, on_disk).worth(&hit, 100), expect, "{hit:?} {known:?}");
    };
    let wrong = |seed| group(BugClass::A, "unsat", seed);
    check(wrong(0), &[], HitWorth::NewCause);
    check(wrong(0), &[(wrong(1), 3, 0)], HitWorth::NewCause);
    check(wrong(0), &[(wrong(0), 2, 0)], HitWorth::KnownCause);
    check(wrong(0), &[(wrong(0), 3, 0)], HitWorth::Nothing);
    check(wrong(0), &[(wrong(0), 0, 9)], HitWorth::NewCause);
    check(wrong(0), &[(wrong(0), 0, 10)], HitWorth::Nothing);
    // A crash with a source location is known from any seed.
    let crash = |seed| group(BugClass::D, "assertion: no", seed).grouped();
    check(crash(0), &[(crash(1), 2, 0)], HitWorth::KnownCause);
    check(crash(0), &[(crash(1), 3, 0)], HitWorth::Nothing);
    // `unknown` costs much to confirm, and reveals little after some seeds.
    let unknown = |seed| group(BugClass::C, "unknown", seed);
    check(unknown(0), &[(unknown(0), 0, 2)], HitWorth::NewCause);
    check(unknown(0), &[(unknown(0), 0, 3)], HitWorth::Nothing);
    let many: Vec<_> = (1..=10).map(|seed| (unknown(seed), 1, 0)).collect();
    // Its reason is known once it is confirmed; until then it may be the same as that of the others.
    check(unknown(0), &many[..9], HitWorth::KnownCause);
    check(unknown(0), &many, HitWorth::Nothing);
    check(wrong(0), &many, HitWorth::NewCause);
}
