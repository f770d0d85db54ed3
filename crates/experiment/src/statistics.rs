//! Means with 95 % confidence intervals, and when two of them are called different.

/// Student's t for a two-sided 95 % interval by degrees of freedom, from 1; the last stands for all larger ones as well,
/// which makes their intervals a little wider than they have to be.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// A mean and its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval; infinite for a single value, of whose spread nothing is known.
    pub half: f64,
}

impl Mean {
    /// The mean of some values; none of none.
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

    /// The lower end.
    pub fn low(self) -> f64 {
        self.mean - self.half
    }

    /// The upper end.
    pub fn high(self) -> f64 {
        self.mean + self.half
    }

    /// Whether this is below another with certainty: the intervals do not overlap.
    pub fn is_below(self, other: Mean) -> bool {
        self.high() < other.low()
    }
}

/// The median; none of none.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_students() {
        // Three values 1, 2, 3: standard deviation 1, t of 2 degrees 4.303.
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
}
