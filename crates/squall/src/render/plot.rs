//! Plots as data: where lines, dots and labels stand. Templates draw them.

use crate::render::axes::{Axis, Join, line, trimmed};
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
    lines: Vec<PlotLine>,
    dots: Vec<Dot>,
}

#[derive(Clone, Debug, Serialize)]
struct Tick {
    at: f64,
    text: String,
}

#[derive(Clone, Debug, Serialize)]
struct PlotLine {
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

/// A line to be plotted: points in seconds, or in numbers of things, and in what is counted.
#[derive(Clone, Debug, Default)]
pub struct PlotSeries {
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
    pub fn over_time(title: &str, words: String, seconds: f64, series: &[PlotSeries]) -> Plot {
        let (per_unit, x_unit) = match seconds {
            s if s < 120.0 => (1.0, "seconds"),
            s if s < 7200.0 => (60.0, "minutes"),
            s if s < 172_800.0 => (3600.0, "hours"),
            _ => (86_400.0, "days"),
        };
        Plot::over(title, words, (seconds / per_unit, per_unit, x_unit), series)
    }

    /// A plot over a number of things, from 0 to `last` of what `unit` names.
    pub fn over_count(title: &str, words: String, (last, unit): (f64, &'static str), series: &[PlotSeries]) -> Plot {
        Plot::over(title, words, (last, 1.0, unit), series)
    }

    /// A plot up to a last value, in units of so much, by their name.
    fn over(title: &str, words: String, x: (f64, f64, &'static str), series: &[PlotSeries]) -> Plot {
        let (last, per_unit, x_unit) = x;
        let highest = series.iter().flat_map(|s| &s.points).map(|p| p.1).fold(0.0, f64::max);
        let x = Axis::linear(LEFT, RIGHT, last, 6);
        let y = Axis::linear(BOTTOM, TOP, highest, 4);
        let at = |&(t, v): &(f64, f64)| (x.at(t / per_unit), y.at(v));
        let mut dots = Vec::new();
        let lines = series
            .iter()
            .map(|one| {
                let join = if one.steps.is_some() { Join::Steps } else { Join::Straight };
                for (point, text) in one.points.iter().skip(1).zip(one.steps.iter().flatten()) {
                    let (x, y) = at(point);
                    dots.push(Dot { tone: one.tone.clone(), text: text.clone(), x: round(x), y: round(y) });
                }
                let path = line(one.points.iter().map(at), join);
                PlotLine { tone: one.tone.clone(), label: one.label.clone(), path }
            })
            .collect();
        let ticks =
            |axis: &Axis| axis.marks().iter().map(|&m| Tick { at: round(axis.at(m)), text: short(m) }).collect();
        Plot { title: title.to_string(), words, x_unit, x_ticks: ticks(&x), y_ticks: ticks(&y), lines, dots }
    }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A number in few characters: `1.5`, `20k`, `3M`.
pub fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        v if v >= 1e9 => (value / 1e9, "G"),
        v if v >= 1e6 => (value / 1e6, "M"),
        v if v >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    trimmed(scaled, 2, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

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
