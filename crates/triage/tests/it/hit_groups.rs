//! The live list of causes.

use finding::{AnswerVector, FindingEvent};
use triage::hit_groups::{HitGroup, HitGroups};

fn seed(row: &HitGroup) -> &str {
    row.cause.seed.as_deref().unwrap_or_default()
}

fn found(id: &str, seed: &str, bytes: usize) -> FindingEvent {
    FindingEvent {
        id: id.to_string(),
        cause: finding::Cause {
            class: finding::BugClass::A,
            origin: finding::ScriptOrigin::Mutant,
            solver: "z3".to_string(),
            symptom: "unsat".to_string(),
            mode: "plain".to_string(),
            options: String::new(),
            seed: Some(seed.to_string()),
            place: None,
        },
        trust: finding::Trust::Certified,
        mutator: None,
        origin: finding::FindingOrigin::default(),
        summary: format!("unsat on {id}"),
        bytes,
        folder: format!("out/{id}"),
    }
}

#[test]
fn the_newest_group_comes_first_with_its_smallest_and_its_reduced_finding() {
    let mut causes = HitGroups::default();
    for (id, seed, bytes) in [("a1", "a", 900), ("b1", "b", 500), ("a2", "a", 300), ("a3", "a", 700)] {
        causes.add(&found(id, seed, bytes));
    }
    let seen: Vec<_> = causes.newest().map(|c| (seed(c), c.bytes, c.findings, c.folder.as_str())).collect();
    assert_eq!(seen, [("b", 500, 1, "out/b1"), ("a", 300, 3, "out/a2")]);
    let nobody = AnswerVector::default();
    causes.reduced("a1", 80, &nobody);
    causes.reduced("a3", 120, &nobody);
    causes.reduced("nobody", 1, &nobody);
    // One that is smaller as found does not lend its size to the reduced one.
    causes.add(&found("a4", "a", 100));
    causes.bisected("b1", "4.8.7 errs");
    let seen: Vec<_> = causes.newest().map(|c| (c.bytes, c.reduced, c.folder.as_str(), c.summary.as_str())).collect();
    assert_eq!(seen, [(500, None, "out/b1", "unsat on b1"), (900, Some(80), "out/a1", "unsat on a1")]);
    assert_eq!(causes.newest().next().and_then(|c| c.versions.as_deref()), Some("4.8.7 errs"));
    assert_eq!(causes.len(), 2);
}

#[test]
fn groups_join_when_no_answer_tells_their_reduced_scripts_apart() {
    let vector =
        |errs: &str| -> AnswerVector { errs.chars().enumerate().map(|(n, c)| (format!("v{n}"), c == 'x')).collect() };
    let mut causes = HitGroups::default();
    for (id, seed) in [("a1", "a"), ("b1", "b"), ("c1", "c"), ("d1", "d")] {
        causes.add(&found(id, seed, 100));
    }
    let mut check = |id: &str, errs: &str, expect: bool, len: usize| {
        assert_eq!(causes.reduced(id, 10, &vector(errs)), expect, "{id}");
        assert_eq!(causes.len(), len, "{id}");
    };
    check("a1", "xx.", true, 4);
    check("b1", "xx.", false, 3);
    check("c1", "x..", true, 3);
    // One answer shows nothing.
    check("d1", "x", true, 3);
    let seen: Vec<_> = causes.newest().map(|c| (seed(c), c.findings)).collect();
    assert_eq!(seen, [("d", 1), ("c", 1), ("a", 2)]);
    causes.add(&found("b2", "b", 100));
    assert_eq!(causes.newest().map(|c| c.findings).sum::<u64>(), 5);
    assert_eq!(causes.len(), 3);
}
