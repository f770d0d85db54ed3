//! Histories: summaries of a bisection's rows, and the search over commits with a known change.

use proptest::prelude::*;
use reduce::bisect::{VersionAnswer, VersionVerdict, history, summary};
use reduce::commits::{MOST_SKIPPED, backward, first_changed, spread};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::RangeInclusive;

fn rows(text: &str) -> Vec<VersionAnswer> {
    let did = |c| match c {
        'x' => VersionVerdict::Wrong,
        '.' => VersionVerdict::Right,
        '?' => VersionVerdict::Undecided,
        _ => VersionVerdict::Refused,
    };
    let row = |(n, c)| VersionAnswer { solver: format!("v{n}"), did: did(c), said: String::new(), cached: false };
    text.chars().enumerate().map(row).collect()
}

fn check(history: &str, expect: &str) {
    assert_eq!(summary(&rows(history)), expect, "{history}");
}

#[test]
fn histories_are_shown_as_they_are() {
    check("....", "no version answers wrongly");
    check("..xx..", "first bad: v2; last bad: v3; first fixed: v4");
    check("xx..", "first bad: at the oldest asked or before; last bad: v1; first fixed: v2");
    check("..xx", "first bad: v2; last bad: v3; first fixed: not in any version asked");
    // A version that does not answer is not considered fixed.
    check(".x?.", "first bad: v1; last bad: v1; first fixed: v3");
    check(".x.xx.", "bad with gaps: v1, v3 to v4");
    check("", "no version answers wrongly");
    assert_eq!(history(&rows("..x!")).len(), 3);
}

#[test]
fn a_build_of_ones_own_is_no_release() {
    let check = |own: char, releases: &str, expect: &str| {
        let mut all = rows(releases);
        let build =
            rows(&own.to_string()).into_iter().map(|row| VersionAnswer { solver: "./build/z3@5".to_string(), ..row });
        all.extend(build);
        assert_eq!(summary(&all), expect, "{own} {releases}");
    };
    check('x', "...", "only ./build/z3@5 answers wrongly; no release asked does");
    check('x', ".x.", "./build/z3@5: WRONG; first bad: v1; last bad: v1; first fixed: v2");
    check('.', "xx.", "./build/z3@5: right; first bad: at the oldest asked or before; last bad: v1; first fixed: v2");
    check(
        'x',
        "",
        "first bad: at the oldest asked or before; last bad: ./build/z3@5; first fixed: not in any version asked",
    );
}

/// Returns the result of the search on a history that changes at a position, with skipped commits, and the positions asked.
fn search(count: usize, change: usize, skipped: &BTreeSet<usize>) -> (RangeInclusive<usize>, Vec<usize>) {
    let mut asked = Vec::new();
    let found = first_changed(0..=count - 1, |at| {
        asked.push(at);
        Ok::<_, Infallible>((!skipped.contains(&at)).then_some(at >= change))
    });
    (found.unwrap_or_else(|never| match never {}), asked)
}

#[test]
fn commits_that_do_not_build_cost_little_where_they_stand_together() {
    for (from, change) in [(235, 311), (235, 100), (281, 311), (311, 341), (0, 400), (470, 100)] {
        let (found, asked) = search(500, change, &(from..from + 30).collect());
        assert!(found.contains(&change));
        let passed = asked.iter().filter(|at| (from..from + 30).contains(*at)).count();
        assert!(asked.len() - passed <= 11, "{from} {change}: {asked:?}");
    }
}

#[test]
fn places_to_ask_are_in_the_history_and_few() {
    for count in [1, 2, 3, 31, 32, 33, 500, usize::MAX / 2] {
        let places = spread(count);
        assert!(
            places.len() <= 32 && places.iter().all(|at| *at < count) && places.contains(&0),
            "{count}: {places:?}"
        );
        assert!(places.iter().collect::<BTreeSet<_>>().len() == places.len(), "{count}: {places:?}");
        let back: Vec<usize> = backward(count).collect();
        assert!(back[0] == count - 1 && back.windows(2).all(|pair| pair[1] < pair[0]), "{count}: {back:?}");
    }
    assert_eq!(spread(0), [0], "the newest is the only one, and was asked");
    assert_eq!(backward(0).count(), 0);
}

proptest! {
    #[test]
    fn the_change_is_in_the_range_and_nothing_else_is_that_could_be_told(
        count in 1usize..600, change in 0usize..600, skipped in prop::collection::btree_set(0usize..600, 0..60)
    ) {
        let change = change.min(count - 1);
        // The last is known to have changed.
        let skipped: BTreeSet<usize> = skipped.into_iter().filter(|at| *at + 1 < count).collect();
        let (found, asked) = search(count, change, &skipped);
        let first_decided = (change..count).find(|at| !skipped.contains(at)).expect("the last decides");
        prop_assert!(found.contains(&change));
        prop_assert!(asked.iter().all(|at| at + 1 < count));
        let distinct: BTreeSet<usize> = asked.iter().copied().collect();
        prop_assert_eq!(distinct.len(), asked.len(), "each is asked once");
        let passed = asked.iter().filter(|at| skipped.contains(at)).count();
        prop_assert!(passed <= MOST_SKIPPED);
        if passed < MOST_SKIPPED {
            let last_good = (0..change).rev().find(|at| !skipped.contains(at));
            prop_assert_eq!(found, last_good.map_or(0, |at| at + 1)..=first_decided);
        }
        if skipped.is_empty() {
            prop_assert!(asked.len() <= count.ilog2() as usize + 1);
        }
    }
}
