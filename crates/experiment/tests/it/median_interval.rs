//! Tests of `median_interval`.

use experiment::median_interval::MedianInterval;

/// The median of 1, 2, 3 and so on: its interval begins at the rank.
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
fn intervals_hold_the_median_as_often_as_they_say() {
    // All samples of eight values below or above the median 0.5, each as likely.
    let covered = (0..256u32).filter(|bits| {
        let values: Vec<f64> = (0..8).map(|n| f64::from((bits >> n) & 1)).collect();
        MedianInterval::of(&values).is_some_and(|m| m.low <= 0.5 && m.high >= 0.5)
    });
    assert_eq!(covered.count() as f64 / 256.0, median_of(8).confidence);
}
