//! Plots as data: where lines, dots and labels stand. Templates draw them.

use serde::Serialize;

/// The area that lines are drawn in, in the units of the drawing.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 468.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 188.0;

/// A plot with a linear axis each way, both beginning at 0.
#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    title: String,
    words: String,
    x_unit: &'static str,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    lines: Vec<Line>,
    dots: Vec<Dot>,
}

#[derive(Clone, Debug, Serialize)]
struct Tick {
    at: f64,
    text: String,
}

#[derive(Clone, Debug, Serialize)]
struct Line {
    tone: String,
    label: String,
    path: String,
}

#[derive(Clone, Debug, Serialize)]
struct Dot {
    tone: String,
    text: String,
    x: f64,
    y: f64,
}

/// A line to be plotted: points in seconds and in what is counted.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Its colour, by name.
    pub tone: String,
    /// What it is called.
    pub label: String,
    /// The points, in order of time.
    pub points: Vec<(f64, f64)>,
    /// Whether the value stays until the next point, and dots stand where it changes, each with its text.
    pub steps: Option<Vec<String>>,
}

impl Plot {
    /// A plot over time. `words` says in short what is to be seen, for those who do not see it.
    pub fn over_time(title: &str, words: String, seconds: f64, series: &[Series]) -> Plot {
        let (per_unit, x_unit) = match seconds {
            s if s < 120.0 => (1.0, "seconds"),
            s if s < 7200.0 => (60.0, "minutes"),
            s if s < 172_800.0 => (3600.0, "hours"),
            _ => (86_400.0, "days"),
        };
        let (x_top, x_marks) = scale(seconds / per_unit, 6);
        let highest = series.iter().flat_map(|s| &s.points).map(|p| p.1).fold(0.0, f64::max);
        let (y_top, y_marks) = scale(highest, 4);
        let x = |t: f64| LEFT + (RIGHT - LEFT) * (t / per_unit / x_top).clamp(0.0, 1.0);
        let y = |v: f64| BOTTOM - (BOTTOM - TOP) * (v / y_top).clamp(0.0, 1.0);
        let mut dots = Vec::new();
        let lines = series
            .iter()
            .map(|one| {
                let mut path = String::new();
                for (n, &(t, v)) in one.points.iter().enumerate() {
                    match (n, &one.steps) {
                        (0, _) => path.push_str(&format!("M{:.1} {:.1}", x(t), y(v))),
                        (_, None) => path.push_str(&format!("L{:.1} {:.1}", x(t), y(v))),
                        (_, Some(_)) => path.push_str(&format!("H{:.1}V{:.1}", x(t), y(v))),
                    }
                }
                for (&(t, v), text) in one.points.iter().skip(1).zip(one.steps.iter().flatten()) {
                    dots.push(Dot { tone: one.tone.clone(), text: text.clone(), x: round(x(t)), y: round(y(v)) });
                }
                Line { tone: one.tone.clone(), label: one.label.clone(), path }
            })
            .collect();
        Plot {
            title: title.to_string(),
            words,
            x_unit,
            x_ticks: x_marks.iter().map(|&m| Tick { at: round(x(m * per_unit)), text: short(m) }).collect(),
            y_ticks: y_marks.iter().map(|&m| Tick { at: round(y(m)), text: short(m) }).collect(),
            lines,
            dots,
        }
    }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The end of an axis that reaches `highest`, and about `count` round marks on it.
fn scale(highest: f64, count: u32) -> (f64, Vec<f64>) {
    let highest = if highest.is_finite() && highest > 0.0 { highest } else { 1.0 };
    let rough = highest / f64::from(count);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let steps = (highest / step).ceil().clamp(1.0, 50.0) as u32;
    (step * f64::from(steps), (0..=steps).map(|n| step * f64::from(n)).collect())
}

/// A number in few characters: `1.5`, `20k`, `3M`.
pub fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        v if v >= 1e9 => (value / 1e9, "G"),
        v if v >= 1e6 => (value / 1e6, "M"),
        v if v >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{scaled:.2}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        let check = |highest: f64, count: u32, top: f64| {
            let (end, marks) = scale(highest, count);
            assert!((end - top).abs() < 1e-9, "{highest}: {end}");
            assert!(end >= highest && marks.first() == Some(&0.0) && marks.len() as u32 <= 2 * count + 1, "{marks:?}");
        };
        check(10.0, 4, 10.0);
        check(7.0, 4, 8.0);
        check(1.0, 4, 1.0);
        check(0.0, 4, 1.0);
        assert!(scale(f64::NAN, 4).0 > 0.0);
    }

    #[test]
    fn numbers_are_short() {
        let check = |value: f64, expect: &str| assert_eq!(short(value), expect);
        check(0.0, "0");
        check(1.5, "1.5");
        check(1234.0, "1234");
        check(20_000.0, "20k");
        check(3e6, "3M");
    }
}
