//! Tests of `censored_median`.

use experiment::censored_median::CensoredValue::{Above, Seen};
use experiment::censored_median::*;

/// The median of 1, 2, 3 and so on: its interval begins at the rank.
fn median_of(n: usize) -> CensoredMedian {
    CensoredMedian::of(&(1..=n).map(|value| Seen(value as f64)).collect::<Vec<_>>()).expect("values")
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
fn censored_values_widen_what_is_known() {
    type Expected = (f64, Option<f64>, f64, Option<f64>);
    let check = |values: &[CensoredValue], expect: Expected| {
        let Some(m) = CensoredMedian::of(values) else { panic!("{values:?}") };
        assert_eq!((m.at_least, m.at_most, m.low, m.high), expect, "{values:?}");
    };
    check(&[Seen(3.0), Seen(1.0), Seen(2.0)], (2.0, Some(2.0), 1.0, Some(3.0)));
    check(&[Seen(4.0), Seen(1.0), Seen(2.0), Seen(3.0)], (2.5, Some(2.5), 1.0, Some(4.0)));
    // A limit above all that was seen: the median of more than half is known.
    check(&[Seen(1.0), Seen(2.0), Above(9.0)], (2.0, Some(2.0), 1.0, None));
    check(&[Seen(1.0), Above(9.0), Above(9.0)], (9.0, None, 1.0, None));
    check(&[Seen(1.0), Seen(2.0), Above(9.0), Above(9.0)], (5.5, None, 1.0, None));
    check(&[Above(9.0)], (9.0, None, 9.0, None));
    // One that was given up early may be anything above.
    check(&[Seen(5.0), Seen(7.0), Above(1.0)], (5.0, Some(7.0), 1.0, None));
    assert_eq!(CensoredMedian::of(&[]), None);
}

#[test]
fn intervals_hold_the_median_as_often_as_they_say() {
    // All samples of eight values below or above the median 0.5, each as likely.
    let covered = (0..256u32).filter(|bits| {
        let values: Vec<CensoredValue> = (0..8).map(|n| Seen(f64::from((bits >> n) & 1))).collect();
        CensoredMedian::of(&values).is_some_and(|m| m.low <= 0.5 && m.high >= Some(0.5))
    });
    assert_eq!(covered.count() as f64 / 256.0, median_of(8).confidence);
}
