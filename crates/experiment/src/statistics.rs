//! Means with 95 % confidence intervals, medians, and the comparison of two samples by ranks.

use serde::Serialize;

/// Student's t for a two-sided 95 % interval by degrees of freedom, from 1. The last value serves for all larger ones, too, which makes
/// their intervals slightly too wide.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// A mean and its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval; infinite for a single value, whose spread is unknown.
    pub half: f64,
}

impl Mean {
    /// Returns the mean and its interval, or `None` for no values.
    pub fn of(values: &[f64]) -> Option<Mean> {
        let n = values.len();
        let count = n as f64;
        let mean = values.iter().sum::<f64>() / count;
        match n {
            0 => None,
            1 => Some(Mean { mean, half: f64::INFINITY }),
            _ => {
                let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (count - 1.0);
                let t = STUDENT[(n - 2).min(STUDENT.len() - 1)];
                Some(Mean { mean, half: t * (variance / count).sqrt() })
            }
        }
    }

    /// Returns the lower end.
    pub fn low(self) -> f64 {
        self.mean - self.half
    }

    /// Returns the upper end.
    pub fn high(self) -> f64 {
        self.mean + self.half
    }

    /// Whether this mean is below another: the intervals do not overlap.
    pub fn is_below(self, other: Mean) -> bool {
        self.high() < other.low()
    }
}

/// Returns the median, or `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// A comparison of two samples by ranks, without assumptions on their distributions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RankComparison {
    /// The probability that a value of the first sample is larger than one of the second; equal values count half
    /// (Vargha and Delaney, "A critique and improvement of the CL common language effect size statistics", 2000): 0.5 means no
    /// difference, 1 that all are larger.
    pub a12: f64,
    /// The probability of rank sums at least as far apart if both samples had the same distribution: the two-sided Mann-Whitney U test,
    /// exact even with equal values.
    pub p: f64,
}

/// Compares two samples of up to a few hundred values. `None` if one is empty.
pub fn compare_ranks(first: &[f64], second: &[f64]) -> Option<RankComparison> {
    let (m, n) = (first.len(), second.len());
    if m == 0 || n == 0 {
        return None;
    }
    let ranks = doubled_ranks(first, second);
    let sum: usize = ranks[..m].iter().sum();
    let count = m as f64;
    let a12 = (sum as f64 / 2.0 / count - (count + 1.0) / 2.0) / n as f64;
    // By sum, the number of ways to choose `chosen` of the ranks seen so far.
    let total: usize = ranks.iter().sum();
    let mut choices = vec![vec![0.0f64; total + 1]; m + 1];
    choices[0][0] = 1.0;
    for &rank in &ranks {
        for chosen in (1..=m).rev() {
            for at in (rank..=total).rev() {
                choices[chosen][at] += choices[chosen - 1][at - rank];
            }
        }
    }
    // Twice the expected sum of doubled ranks, which is an integer.
    let expected = 2 * m * (m + n + 1);
    let far = (2 * sum).abs_diff(expected);
    let all: f64 = choices[m].iter().sum();
    let as_far = |(at, _): &(usize, &f64)| (2 * at).abs_diff(expected) >= far;
    let extreme: f64 = choices[m].iter().enumerate().filter(as_far).map(|(_, ways)| ways).sum();
    Some(RankComparison { a12, p: extreme / all })
}

/// Returns twice the rank of each value among all, the first sample first. Equal values share the mean of their ranks.
fn doubled_ranks(first: &[f64], second: &[f64]) -> Vec<usize> {
    let all: Vec<f64> = first.iter().chain(second).copied().collect();
    let below = |value: f64| all.iter().filter(|other| **other < value).count();
    let same = |value: f64| all.iter().filter(|other| **other == value).count();
    all.iter().map(|value| 2 * below(*value) + same(*value) + 1).collect()
}

/// Returns the 95 % interval of the share of successes in at least one run, after E. B. Wilson, "Probable inference, the law of succession,
/// and statistical inference", 1927. Unlike the normal approximation, it is right for few runs and for shares near 0 and 1.
pub fn wilson_interval(successes: u32, runs: u32) -> (f64, f64) {
    /// The two-sided 95 % quantile of the normal distribution.
    const Z: f64 = 1.959_964;
    let count = f64::from(runs.max(1));
    let (share, pull) = (f64::from(successes) / count, Z * Z / count);
    let middle = share + pull / 2.0;
    let half = (pull * (share * (1.0 - share) + pull / 4.0)).sqrt();
    (((middle - half) / (1.0 + pull)).max(0.0), ((middle + half) / (1.0 + pull)).min(1.0))
}

/// The wanted confidence of an interval.
const CONFIDENCE: f64 = 0.95;

/// The median of a sample and its confidence interval.
///
/// Its ends are two order statistics. They enclose the median of any distribution with a probability given by the binomial distribution
/// (an inverted sign test; W. R. Thompson, "On confidence ranges for the median", 1936).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MedianInterval {
    /// The sample's median.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The probability that such an interval contains the median. It is below 0.95 if the sample is too small; the interval then covers
    /// the whole sample.
    pub confidence: f64,
}

impl MedianInterval {
    /// Returns the median and its interval, or `None` for no values.
    pub fn of(values: &[f64]) -> Option<MedianInterval> {
        let median = median(values)?;
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (rank, confidence) = interval_rank(sorted.len());
        Some(MedianInterval { median, low: sorted[rank - 1], high: sorted[sorted.len() - rank], confidence })
    }
}

/// Returns the largest rank r, from 1, such that the r-th smallest and the r-th largest of `n` values enclose the median with the wanted
/// confidence, and their confidence; rank 1 if no rank has it. The median lies outside on one side if fewer than r values are on that side,
/// where each value is with probability one half.
fn interval_rank(n: usize) -> (usize, f64) {
    let mut best = (1, 0.0);
    // The probability of exactly `below` values below the median, and of at most that many.
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
