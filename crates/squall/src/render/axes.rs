//! Axes of plots: positions of values, marked values, and lines through points.

use std::fmt::Write;

/// One axis of a drawing, in the drawing's units.
pub struct Axis {
    from: f64,
    to: f64,
    scale: Scale,
}

enum Scale {
    /// From `begin` (at most 0) to `end`, both multiples of the step.
    Linear { begin: f64, end: f64, step: f64 },
    /// From a minimum above 0 to a limit.
    Logarithmic { least: f64, limit: f64 },
}

/// The maximum number of marks on a linear axis.
const MAX_STEPS: f64 = 50.0;

impl Axis {
    /// Returns an axis from 0 that reaches `highest`, with about `count` round marks.
    pub fn linear(ends: (f64, f64), highest: f64, count: u32) -> Axis {
        let highest = if highest.is_finite() && highest > 0.0 { highest } else { 1.0 };
        Axis::stepped(ends, highest, round_step(highest / f64::from(count)))
    }

    /// Returns an axis of scores, which may be negative: all marks are integers, from `-lowest` or less.
    pub fn scores(ends: (f64, f64), lowest: usize, highest: usize, count: u32) -> Axis {
        let (lowest, highest) = (lowest as f64, highest.max(1) as f64);
        let step = round_step((lowest + highest) / f64::from(count)).max(1.0);
        let mut axis = Axis::stepped(ends, highest, step);
        if let Scale::Linear { begin, step, .. } = &mut axis.scale {
            *begin = -*step * (lowest / *step).ceil().min(MAX_STEPS);
        }
        axis
    }

    fn stepped((from, to): (f64, f64), highest: f64, step: f64) -> Axis {
        let steps = (highest / step).ceil().clamp(1.0, MAX_STEPS);
        Axis { from, to, scale: Scale::Linear { begin: 0.0, end: step * steps, step } }
    }

    /// Returns a logarithmic axis. Values below `least` are at its beginning.
    pub fn logarithmic((from, to): (f64, f64), least: f64, limit: f64) -> Axis {
        Axis { from, to, scale: Scale::Logarithmic { least, limit } }
    }

    /// Returns the position of a value.
    pub fn at(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear { begin, end, .. } => (value - begin) / (end - begin),
            Scale::Logarithmic { least, limit } => (value.max(least) / least).ln() / (limit / least).ln(),
        };
        self.from + (self.to - self.from) * share.clamp(0.0, 1.0)
    }

    /// Returns the marked values: round numbers from 0, or powers of ten and the limit.
    pub fn marks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear { begin, end, step } => {
                let mark = |n: i32| step * f64::from(n);
                ((begin / step).round() as i32..=(end / step).round() as i32).map(mark).collect()
            }
            Scale::Logarithmic { least, limit } => {
                let first = least.log10().round() as i32;
                let tens = (first..first + 12).map(|n| 10f64.powi(n)).filter(|&t| t < limit * 0.7);
                tens.chain([limit]).collect()
            }
        }
    }
}

/// Returns the smallest of 1, 2, 5 and their multiples by powers of ten that is not smaller.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough)
}

/// How the points of a line are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// By straight lines.
    Straight,
    /// Each value stays until the next point.
    Steps,
}

/// Returns the SVG path data of a line through points.
pub fn line(points: impl Iterator<Item = (f64, f64)>, join: Join) -> String {
    let mut path = String::new();
    for (n, (x, y)) in points.enumerate() {
        // Writing to a string cannot fail.
        let _ = match (n, join) {
            (0, _) => write!(path, "M{x:.1} {y:.1}"),
            (_, Join::Straight) => write!(path, "L{x:.1} {y:.1}"),
            (_, Join::Steps) => write!(path, "H{x:.1}V{y:.1}"),
        };
    }
    path
}

/// Returns a number with its unit, without trailing zeros: `1.5`, `20k`.
pub fn trimmed(value: f64, decimals: usize, unit: &str) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

/// The maximum time, in seconds: a bit more than 100 years.
pub const MAX_SECONDS: f64 = 3.2e9;

/// A time for people, as `args::units::time` reads it: `0.4ms`, `250ms`, `7.2s`, `90s`, `12m 5s`, `3h 20m`, `2d 3h`.
pub fn time_text(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match seconds {
        s if s.is_nan() || s <= 0.0 => "0s".to_string(),
        s if s < 0.00995 => format!("{}ms", trimmed(s * 1e3, 2, "")),
        s if s < 0.9995 => format!("{:.0}ms", s * 1e3),
        s if s < 99.95 => trimmed(s, 1, "s"),
        _ if whole < 600 => format!("{whole}s"),
        _ if whole < 36_000 => format!("{}m {}s", whole / 60, whole % 60),
        _ if whole < 172_800 => format!("{}h {}m", whole / 3600, whole / 60 % 60),
        s if s < MAX_SECONDS => format!("{}d {}h", whole / 86_400, whole / 3600 % 24),
        _ => "more than 100 years".to_string(),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/axes.rs"]
mod tests;
