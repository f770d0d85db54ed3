//! Unit tests of `src/stored/selection.rs`.

use super::*;

#[track_caller]
fn check(seeds: &[(&[u64], u64, u64)], count: usize, expect: &[usize]) {
    let seeds: Vec<Weighed<'_>> =
        seeds.iter().map(|&(features, bytes, causes)| Weighed { features, bytes, causes }).collect();
    assert_eq!(select(&seeds, count, |_| true), expect);
}

#[test]
fn what_others_lack_comes_first() {
    check(&[(&[1, 2], 100, 0), (&[1, 2, 3], 100, 0), (&[4, 5], 100, 0)], 2, &[1, 2]);
    // All are taken if there is room.
    check(&[(&[1, 2], 100, 0), (&[1, 2, 3], 100, 0), (&[4, 5], 100, 0)], 9, &[1, 2, 0]);
    // The smaller of two with the same features.
    check(&[(&[1, 2], 90_000, 0), (&[1, 2], 100, 0)], 1, &[1]);
    // One that led to a cause.
    check(&[(&[1, 2, 3], 100, 0), (&[1], 50_000, 1)], 1, &[1]);
    check(&[], 3, &[]);
}

#[test]
fn what_is_not_fit_is_passed_over() {
    let seeds = [1u64, 2, 3].map(|n| [n]);
    let seeds: Vec<Weighed<'_>> = seeds.iter().map(|features| Weighed { features, bytes: 10, causes: 0 }).collect();
    assert_eq!(select(&seeds, 2, |at| at != 0), [1, 2]);
}
