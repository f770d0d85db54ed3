//! Unit tests of `src/coverage/gcov_notes.rs`.

use super::*;

/// Entry 0, exit 1; 2 is a condition with the branches 3 and 4, which join in 5.
fn diamond() -> FunctionNotes {
    let arc = |(from, to, flags)| FlowArc { from, to, flags };
    let arcs = [(0, 2, ON_TREE), (2, 3, 0), (2, 4, ON_TREE), (3, 5, ON_TREE), (4, 5, 0), (5, 1, ON_TREE)];
    FunctionNotes {
        item: Some(9),
        blocks: 6,
        arcs: arcs.into_iter().map(arc).collect(),
        lines: vec![(2, 2), (3, 3), (4, 4), (5, 5)],
        branches: vec![(1, 13), (2, 14)],
        ..FunctionNotes::default()
    }
}

#[test]
fn what_has_no_counter_follows_from_what_has() {
    let check = |counters: &[u64], expect: Option<&[u32]>| {
        let mut found = Vec::new();
        let done = diamond().executed(counters, &mut |item| found.push(item));
        assert_eq!(done.map(|()| &found[..]), expect, "{counters:?}");
    };
    check(&[0, 0], Some(&[]));
    check(&[1, 0], Some(&[9, 2, 3, 5, 13]));
    check(&[0, 2], Some(&[9, 2, 4, 5, 14]));
    check(&[3, 2], Some(&[9, 2, 3, 4, 5, 13, 14]));
    // Counters close to overflow, and whose sum overflows.
    check(&[u64::MAX, 2], Some(&[9, 2, 3, 4, 5, 13, 14]));
    // Counters of another function.
    check(&[1], None);
    check(&[1, 2, 3], None);
}

#[test]
fn sources_lie_where_the_compiler_ran() {
    let check = |folder: &str, source: &str, expect: &str| assert_eq!(joined(folder, source), expect);
    check("/build", "a.c", "/build/a.c");
    check("/build", "/src/a.c", "/src/a.c");
    check("", "a.c", "a.c");
    check("/build", "./a.h", "/build/a.h");
}
