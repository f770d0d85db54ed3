//! Quantile and scatter plots of times, as SVG with logarithmic axes.

use crate::args::units::time_text;
use crate::render::axes::{Axis, Join, line};
use ::experiment::results::BenchSamples;
use std::fmt::Write;

/// The drawing's size and the area inside the axes, in its own units.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 54.0;
const RIGHT: f64 = 468.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 282.0;

/// Times below this are drawn as this, in seconds.
const LEAST: f64 = 1e-3;

/// How many colours there are.
const COLOURS: usize = 10;

/// The classes of a contender's line: its colour, and a second round of colours in dashes.
pub fn class(contender: usize) -> String {
    let dashed = if contender < COLOURS { "" } else { " dashed" };
    format!("c{}{dashed}", contender % COLOURS)
}

/// The axis of times, from left to right.
fn across(results: &BenchSamples) -> Axis {
    Axis::logarithmic(LEFT, RIGHT, LEAST, results.timeout)
}

/// The axis of times, from the bottom up.
fn upwards(results: &BenchSamples) -> Axis {
    Axis::logarithmic(BOTTOM, TOP, LEAST, results.timeout)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn open(title: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{}</title>\n", escaped(title))
}

fn vertical_axis(svg: &mut String, axis: &Axis) {
    for mark in axis.marks() {
        let y = axis.at(mark);
        put(svg, format_args!("<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\"/>"));
        let text = time_text(mark);
        put(svg, format_args!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", LEFT - 6.0, y + 4.0));
    }
}

fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "{text}");
}

/// The quantile plot of all contenders on a suite: which score each has, if every file may take so long. A line begins to the left of
/// nought by as many files as the contender answers wrongly.
pub fn quantiles(results: &BenchSamples, suite: Option<&str>) -> String {
    let wrong: Vec<usize> = (0..results.names.len()).map(|c| results.wrong(suite, c)).collect();
    let lowest = wrong.iter().copied().max().unwrap_or(0);
    let x = Axis::scores(LEFT, RIGHT, lowest, results.of_suite(suite).count(), 8);
    let y = upwards(results);
    let mut svg = open("Score, by the time each file may take");
    vertical_axis(&mut svg, &y);
    for n in x.marks() {
        let at = x.at(n);
        put(&mut svg, format_args!("<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{n}</text>", BOTTOM + 18.0));
    }
    let words = "files solved less files answered wrongly";
    put(&mut svg, format_args!("<text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">{words}</text>", HEIGHT - 4.0));
    for (c, (name, wrong)) in results.names.iter().zip(wrong).enumerate() {
        let mut times: Vec<f64> = results.of_suite(suite).filter_map(|p| results.time(p, c)).map(|m| m.mean).collect();
        times.sort_by(f64::total_cmp);
        let score = |n: usize| (n + 1) as f64 - wrong as f64;
        let mut points: Vec<(f64, f64)> = times.iter().enumerate().map(|(n, &t)| (x.at(score(n)), y.at(t))).collect();
        if let [(x, y)] = points[..] {
            // A line of one point shows nothing.
            points.push((x + 2.0, y));
        }
        let path = line(points.into_iter(), Join::Straight);
        put(
            &mut svg,
            format_args!("<path class=\"series {}\" d=\"{path}\"><title>{}</title></path>", class(c), escaped(name)),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// The scatter plot of two contenders: a dot a file, with the intervals of both times. What is not solved lies on the limit.
pub fn scatter(results: &BenchSamples, one: usize, other: usize) -> String {
    let (x, y) = (across(results), upwards(results));
    let (a, b) = (escaped(&results.names[one]), escaped(&results.names[other]));
    let mut svg = open(&format!("{} against {}", results.names[one], results.names[other]));
    vertical_axis(&mut svg, &y);
    for mark in x.marks() {
        let at = x.at(mark);
        put(
            &mut svg,
            format_args!("<line class=\"grid\" x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{BOTTOM}\"/>"),
        );
        let text = time_text(mark);
        put(&mut svg, format_args!("<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", BOTTOM + 18.0));
    }
    put(&mut svg, format_args!("<line class=\"axis\" x1=\"{LEFT}\" y1=\"{BOTTOM}\" x2=\"{RIGHT}\" y2=\"{TOP}\"/>"));
    put(&mut svg, format_args!("<text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">{a}</text>", HEIGHT - 4.0));
    put(&mut svg, format_args!("<text x=\"{}\" y=\"{}\">{b}</text>", LEFT + 6.0, TOP + 12.0));
    for (p, problem) in results.problems.iter().enumerate() {
        let (s, t) = (results.time(p, one), results.time(p, other));
        let (u, v) = (x.at(s.map_or(results.timeout, |m| m.mean)), y.at(t.map_or(results.timeout, |m| m.mean)));
        for (mean, horizontal) in [(s, true), (t, false)] {
            let Some(mean) = mean.filter(|m| m.half.is_finite()) else { continue };
            let ends = match horizontal {
                true => (x.at(mean.low()), v, x.at(mean.high()), v),
                false => (u, y.at(mean.low()), u, y.at(mean.high())),
            };
            let (x1, y1, x2, y2) = ends;
            put(
                &mut svg,
                format_args!("<line class=\"whisker\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"),
            );
        }
        let class = match (s, t) {
            (Some(s), Some(t)) if s.is_below(t) || t.is_below(s) => "different",
            (Some(_), Some(_)) => "alike",
            _ => "single",
        };
        let name = escaped(&problem.name);
        put(
            &mut svg,
            format_args!(
                "<circle class=\"{class}\" cx=\"{u:.1}\" cy=\"{v:.1}\" r=\"3.2\"><title>{name}</title></circle>"
            ),
        );
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_drawing() {
        assert_eq!(escaped("<a \"b\" & c>"), "&lt;a &quot;b&quot; &amp; c&gt;");
    }
}
