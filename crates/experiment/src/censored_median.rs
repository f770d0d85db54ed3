//! Medians of samples in which some values are only known to be larger than what was seen, with intervals by order statistics.

use serde::Serialize;

/// The confidence that an interval is to have.
const CONFIDENCE: f64 = 0.95;

/// A value of a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CensoredValue {
    /// The value itself.
    Seen(f64),
    /// The value is larger than this: what was waited for had not happened by then.
    Above(f64),
}

/// The median of a sample, as far as it is known, and its confidence interval.
///
/// The interval is that of two order statistics, which holds the median of any distribution with a probability that the binomial
/// distribution gives (the sign test turned round; W. R. Thompson, "On confidence ranges for the median", 1936). Where values are
/// censored, each end is the one that is widest for all values which they may have.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct CensoredMedian {
    /// The least that the sample's median can be: censored values are put where they were given up.
    pub at_least: f64,
    /// The most that it can be; none where it may be larger than anything that was seen. Equal to `at_least` where censored values
    /// do not matter.
    pub at_most: Option<f64>,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end; none where it is not bounded by what was seen.
    pub high: Option<f64>,
    /// The probability with which an interval made in this way holds the median. Below 0.95 where the sample is too small for that, and
    /// the interval then reaches from its least to its largest value.
    pub confidence: f64,
}

impl CensoredMedian {
    /// The median of some values; none of none.
    pub fn of(values: &[CensoredValue]) -> Option<CensoredMedian> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let early = sorted(values, |at| at);
        let late = sorted(values, |_| f64::INFINITY);
        let (rank, confidence) = interval_rank(n);
        let middle = |values: &[f64]| values[(n - 1) / 2].midpoint(values[n / 2]);
        let bounded = |value: f64| value.is_finite().then_some(value);
        Some(CensoredMedian {
            at_least: middle(&early),
            at_most: bounded(middle(&late)),
            low: early[rank - 1],
            high: bounded(late[n - rank]),
            confidence,
        })
    }

    /// The median, where it does not depend on censored values.
    pub fn exact(&self) -> Option<f64> {
        self.at_most.filter(|most| *most == self.at_least)
    }
}

/// The values in order, with those censored put where `place` says.
fn sorted(values: &[CensoredValue], place: impl Fn(f64) -> f64) -> Vec<f64> {
    let value = |value: &CensoredValue| match value {
        CensoredValue::Seen(value) => *value,
        CensoredValue::Above(bound) => place(*bound),
    };
    let mut sorted: Vec<f64> = values.iter().map(value).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The largest rank r, from 1, such that the r-th smallest and the r-th largest of `n` values hold the median with the confidence wanted, and
/// the confidence they have; the first rank where none has it. The median is outside on one side if fewer than r values are on that
/// side, each with probability one half.
fn interval_rank(n: usize) -> (usize, f64) {
    let mut best = (1, 0.0);
    // The probability of exactly `below` values below the median, and of at most as many.
    let (mut exactly, mut at_most) = (0.5f64.powi(i32::try_from(n).unwrap_or(i32::MAX)), 0.0);
    for below in 0..n.div_ceil(2) {
        at_most += exactly;
        let confidence = 1.0 - 2.0 * at_most;
        if below > 0 && confidence < CONFIDENCE {
            break;
        }
        best = (below + 1, confidence);
        exactly *= (n - below) as f64 / (below + 1) as f64;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::CensoredValue::{Above, Seen};
    use super::*;

    #[test]
    fn ranks_are_those_of_the_tables() {
        let check = |n: usize, rank: usize, confidence: f64| {
            let (given, with) = interval_rank(n);
            assert!(given == rank && (with - confidence).abs() < 5e-4, "{n}: {given} {with}");
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
        assert_eq!(covered.count() as f64 / 256.0, interval_rank(8).1);
    }
}
