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
