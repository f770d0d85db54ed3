//! Plots as data: the positions of lines and dots. Templates draw them.

use crate::render::axes::{Axis, Join, line, trimmed};
use serde::Serialize;

/// The size of a drawing and the positions of its axes, in its own units.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlotFrame {
    /// The width of the drawing.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// The position of the vertical axis.
    pub left: u32,
    /// The end of the horizontal axis.
    pub right: u32,
    /// The end of the vertical axis.
    pub top: u32,
    /// The position of the horizontal axis.
    pub bottom: u32,
}

impl PlotFrame {
    /// Of lines over time.
    pub const LINES: PlotFrame = PlotFrame { width: 480, height: 230, left: 52, right: 468, top: 12, bottom: 188 };
    /// Of dots in two dimensions.
    pub const DOTS: PlotFrame = PlotFrame { width: 480, height: 320, left: 56, right: 468, top: 12, bottom: 278 };
    /// Of dots on one line.
    pub const STRIP: PlotFrame = PlotFrame { width: 640, height: 78, left: 20, right: 620, top: 4, bottom: 56 };

    /// Returns the ends of a horizontal axis.
    pub fn across(self) -> (f64, f64) {
        (self.left.into(), self.right.into())
    }

    /// Returns the ends of a vertical axis.
    pub fn up(self) -> (f64, f64) {
        (self.bottom.into(), self.top.into())
    }
}

/// A drawing with marks on its axes.
#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    title: String,
    words: String,
    frame: PlotFrame,
    x_unit: String,
    y_unit: String,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    /// Whether the marks of the horizontal axis have lines.
    has_columns: bool,
    lines: Vec<PlotLine>,
    dots: Vec<Dot>,
    legend: Vec<(String, String)>,
    note: String,
}

#[derive(Clone, Debug, Serialize)]
struct Tick {
    at: f64,
    text: String,
}

#[derive(Clone, Debug, Serialize)]
struct PlotLine {
    tone: String,
    path: String,
}

#[derive(Clone, Debug, Serialize)]
struct Dot {
    tone: String,
    text: String,
    x: f64,
    y: f64,
}

/// A line to plot: its points have seconds or a number of things as x.
#[derive(Clone, Debug, Default)]
pub struct PlotSeries {
    /// The name of its colour.
    pub tone: String,
    /// Its name.
    pub label: String,
    /// The points, in order of time.
    pub points: Vec<(f64, f64)>,
    /// Whether the value stays until the next point. Then each change has a dot with a text.
    pub steps: Option<Vec<String>>,
}

impl Plot {
    /// Returns a plot over time. `words` describes it in short for screen readers.
    pub fn over_time(title: &str, words: String, seconds: f64, series: &[PlotSeries]) -> Plot {
        let (per_unit, x_unit) = match seconds {
            s if s < 120.0 => (1.0, "seconds"),
            s if s < 7200.0 => (60.0, "minutes"),
            s if s < 172_800.0 => (3600.0, "hours"),
            _ => (86_400.0, "days"),
        };
        Plot::over(title, words, (seconds / per_unit, per_unit, x_unit), series)
    }

    /// Returns a plot over a number of things, from 0 to `last` of what `unit` names.
    pub fn over_count(title: &str, words: String, (last, unit): (f64, &'static str), series: &[PlotSeries]) -> Plot {
        Plot::over(title, words, (last, 1.0, unit), series)
    }

    /// Returns a plot up to a last value, in units of the given size and name.
    fn over(title: &str, words: String, x: (f64, f64, &'static str), series: &[PlotSeries]) -> Plot {
        let (last, per_unit, x_unit) = x;
        let highest = series.iter().flat_map(|s| &s.points).map(|p| p.1).fold(0.0, f64::max);
        let x = Axis::linear(PlotFrame::LINES.across(), last, 6);
        let y = Axis::linear(PlotFrame::LINES.up(), highest, 4);
        let at = |&(t, v): &(f64, f64)| (x.at(t / per_unit), y.at(v));
        let mut plot = Plot::framed(title, words, PlotFrame::LINES);
        plot.x_ticks = ticks(&x, short);
        plot.y_ticks = ticks(&y, short);
        plot.x_unit = x_unit.to_string();
        for one in series {
            let join = if one.steps.is_some() { Join::Steps } else { Join::Straight };
            for (point, text) in one.points.iter().skip(1).zip(one.steps.iter().flatten()) {
                plot.dot(&one.tone, at(point), text.clone());
            }
            plot.line(&one.tone, one.points.iter().map(at), join);
        }
        if series.len() > 1 {
            plot.legend = series.iter().map(|one| (one.tone.clone(), one.label.clone())).collect();
        }
        plot
    }

    /// Returns an empty drawing.
    pub fn framed(title: impl Into<String>, words: impl Into<String>, frame: PlotFrame) -> Plot {
        Plot {
            title: title.into(),
            words: words.into(),
            frame,
            x_unit: String::new(),
            y_unit: String::new(),
            x_ticks: Vec::new(),
            y_ticks: Vec::new(),
            has_columns: false,
            lines: Vec::new(),
            dots: Vec::new(),
            legend: Vec::new(),
            note: String::new(),
        }
    }

    /// Marks the horizontal axis with lines, and names its unit.
    pub fn columns(&mut self, axis: &Axis, words: impl Fn(f64) -> String, unit: impl Into<String>) {
        (self.x_ticks, self.x_unit, self.has_columns) = (ticks(axis, words), unit.into(), true);
    }

    /// Marks the horizontal axis below it, and names its unit.
    pub fn below(&mut self, axis: &Axis, words: impl Fn(f64) -> String, unit: impl Into<String>) {
        (self.x_ticks, self.x_unit) = (ticks(axis, words), unit.into());
    }

    /// Marks the vertical axis, and names its unit.
    pub fn rows(&mut self, axis: &Axis, words: impl Fn(f64) -> String, unit: impl Into<String>) {
        (self.y_ticks, self.y_unit) = (ticks(axis, words), unit.into());
    }

    /// Draws a line through points.
    pub fn line(&mut self, tone: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>, join: Join) {
        self.lines.push(PlotLine { tone: tone.into(), path: line(points.into_iter(), join) });
    }

    /// Draws a dot with a text.
    pub fn dot(&mut self, tone: &str, (x, y): (f64, f64), text: String) {
        self.dots.push(Dot { tone: tone.to_string(), text, x: round(x), y: round(y) });
    }

    /// Adds a sentence below the drawing.
    pub fn note(&mut self, note: impl Into<String>) {
        self.note = note.into();
    }
}

fn ticks(axis: &Axis, words: impl Fn(f64) -> String) -> Vec<Tick> {
    axis.marks().iter().map(|&mark| Tick { at: round(axis.at(mark)), text: words(mark) }).collect()
}

/// Returns the name of the n-th colour; after ten they repeat with dashes.
pub fn tone(n: usize) -> String {
    const TONES: [&str; 10] = ["main", "A", "B", "sat", "D", "E", "c6", "c7", "c8", "c9"];
    format!("{}{}", TONES[n % TONES.len()], if n < TONES.len() { "" } else { " dashed" })
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Returns a short number: `1.5`, `20k`, `3M`.
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
#[path = "../../tests/unit/plot.rs"]
mod tests;
