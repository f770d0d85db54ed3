//! Unit tests of `src/findings/disagreements.rs`.

use super::*;

#[test]
fn few_small_ones_of_each_group_are_kept() {
    let root = tempfile::tempdir().expect("a folder");
    let one = |answer: &str, size: usize| SolverDisagreement {
        check: 0,
        answers: vec![("a".to_string(), answer.to_string()), ("b".to_string(), "sat".to_string())],
        scripts: [" ".repeat(size), format!("{size}")],
    };
    let check = |kept: &KeptDisagreements, answer: &str, size: usize, expect: usize| {
        kept.keep(&one(answer, size), root.path()).expect("it is written");
        assert_eq!(count(root.path()), expect, "{answer} {size}");
    };
    let kept = KeptDisagreements::default();
    for n in 0..PER_GROUP {
        check(&kept, "unsat", 100 + n, n + 1);
    }
    check(&kept, "unsat", 100, PER_GROUP);
    check(&kept, "unsat", 200, PER_GROUP);
    // The next run knows the stored ones, and a smaller one replaces the largest.
    let kept = KeptDisagreements::open(root.path());
    check(&kept, "unsat", 1, PER_GROUP);
    check(&kept, "unknown", 300, PER_GROUP + 1);
    let (_, most) = folders(root.path())
        .iter()
        .filter_map(|f| group_of(f))
        .filter(|(g, _)| g.contains("unsat"))
        .max()
        .expect("some");
    let (_, least) =
        folders(root.path()).iter().filter_map(|f| group_of(f)).min_by_key(|(_, bytes)| *bytes).expect("some");
    assert_eq!(most - least, 102, "the one of 104 is gone");
    let other = tempfile::tempdir().expect("a folder");
    let into = KeptDisagreements::default();
    into.adopt(root.path(), other.path()).expect("they are copied");
    assert_eq!(count(other.path()), PER_GROUP + 1);
}
