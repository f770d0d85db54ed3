//! Tests of `statistics`.

use experiment::statistics::*;

#[test]
fn intervals_are_students() {
    // Three values 1, 2, 3: standard deviation 1; t for 2 degrees of freedom is 4.303.
    let Some(m) = Mean::of(&[1.0, 2.0, 3.0]) else { panic!("a mean") };
    assert!((m.mean - 2.0).abs() < 1e-12 && (m.half - 4.303 / 3f64.sqrt()).abs() < 1e-9, "{m:?}");
    assert_eq!(Mean::of(&[]), None);
    assert_eq!(Mean::of(&[5.0]).map(|m| m.half), Some(f64::INFINITY));
}

#[test]
fn overlapping_times_are_not_different() {
    let mean = |values: &[f64]| Mean::of(values).unwrap_or(Mean { mean: 0.0, half: 0.0 });
    let (fast, slow) = (mean(&[1.0, 1.01, 0.99]), mean(&[2.0, 2.01, 1.99]));
    assert!(fast.is_below(slow) && !slow.is_below(fast) && !fast.is_below(fast));
    assert!(!mean(&[1.0, 3.0]).is_below(mean(&[4.0, 4.1])));
    // One run proves nothing.
    assert!(!mean(&[1.0]).is_below(mean(&[100.0])));
}

#[test]
fn medians() {
    assert_eq!(median(&[]), None);
    assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
}

#[test]
fn samples_are_compared_by_ranks() {
    let check = |first: &[f64], second: &[f64], a12: f64, p: f64| {
        let Some(given) = compare_ranks(first, second) else { panic!("{first:?} {second:?}") };
        assert!((given.a12 - a12).abs() < 1e-9 && (given.p - p).abs() < 1e-9, "{first:?} {second:?}: {given:?}");
    };
    // Of the 20 ways to choose 3 of 6, two are as extreme.
    check(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0], 1.0, 0.1);
    check(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.0, 0.1);
    check(&[1.0], &[1.0], 0.5, 1.0);
    check(&[2.0, 2.0], &[2.0, 2.0], 0.5, 1.0);
    // Doubled ranks 3, 3, 6, 8 with ties: sums 6 to 14; 14 and 6 are the extremes, each by one of six choices.
    check(&[3.0, 2.0], &[1.0, 1.0], 1.0, 1.0 / 3.0);
    check(&[1.0, 3.0], &[1.0, 2.0], 0.625, 1.0);
    assert_eq!(compare_ranks(&[], &[1.0]), None);
}

#[test]
fn a_comparison_is_symmetric() {
    let (a, b) = ([7.0, 6.0, 7.0, 8.0, 7.0, 8.0, 9.0], [4.0, 4.0, 5.0, 3.0, 7.0, 4.0]);
    let (Some(one), Some(other)) = (compare_ranks(&a, &b), compare_ranks(&b, &a)) else { panic!("values") };
    assert!(
        (one.a12 + other.a12 - 1.0).abs() < 1e-9 && (one.p - other.p).abs() < 1e-9 && one.p < 0.01,
        "{one:?} {other:?}"
    );
}

/// The median of 1, 2, 3 and so on: its interval starts at the rank.
fn median_of(n: usize) -> MedianInterval {
    MedianInterval::of(&(1..=n).map(|value| value as f64).collect::<Vec<_>>()).expect("values")
}

#[test]
fn ranks_are_those_of_the_tables() {
    let check = |n: usize, rank: usize, confidence: f64| {
        let given = median_of(n);
        assert!(given.low == rank as f64 && (given.confidence - confidence).abs() < 5e-4, "{n}: {given:?}");
    };
    check(1, 1, 0.0);
    check(3, 1, 0.75);
    check(5, 1, 0.9375);
    check(6, 1, 0.9688);
    check(8, 1, 0.9922);
    check(9, 2, 0.9609);
    check(20, 6, 0.9586);
    check(100, 40, 0.9648);
}

#[test]
fn even_and_odd_samples_have_a_middle() {
    let check = |values: &[f64], expect: (f64, f64, f64)| {
        let m = MedianInterval::of(values).expect("values");
        assert_eq!((m.median, m.low, m.high), expect, "{values:?}");
    };
    check(&[3.0, 1.0, 2.0], (2.0, 1.0, 3.0));
    check(&[4.0, 1.0, 2.0, 3.0], (2.5, 1.0, 4.0));
    assert_eq!(MedianInterval::of(&[]), None);
}

#[test]
fn intervals_have_their_stated_confidence() {
    // All samples of eight values below or above the median 0.5, equally likely.
    let covered = (0..256u32).filter(|bits| {
        let values: Vec<f64> = (0..8).map(|n| f64::from((bits >> n) & 1)).collect();
        MedianInterval::of(&values).is_some_and(|m| m.low <= 0.5 && m.high >= 0.5)
    });
    assert_eq!(covered.count() as f64 / 256.0, median_of(8).confidence);
}
