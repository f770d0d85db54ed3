//! Medians of samples, with intervals by order statistics.

use crate::statistics::median;
use serde::Serialize;

/// The confidence that an interval is to have.
const CONFIDENCE: f64 = 0.95;

/// The median of a sample and its confidence interval.
///
/// The interval is that of two order statistics, which holds the median of any distribution with a probability that the binomial
/// distribution gives (the sign test turned round; W. R. Thompson, "On confidence ranges for the median", 1936).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MedianInterval {
    /// The sample's median.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The probability with which an interval made in this way holds the median. Below 0.95 where the sample is too small for that, and
    /// the interval then reaches from its least to its largest value.
    pub confidence: f64,
}

impl MedianInterval {
    /// The median of some values; none of none.
    pub fn of(values: &[f64]) -> Option<MedianInterval> {
        let median = median(values)?;
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (rank, confidence) = interval_rank(sorted.len());
        Some(MedianInterval { median, low: sorted[rank - 1], high: sorted[sorted.len() - rank], confidence })
    }
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
