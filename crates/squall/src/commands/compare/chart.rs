//! Quantile and scatter plots of times, with logarithmic axes.

use crate::args::units::time_text;
use crate::render::axes::{Axis, Join};
use crate::render::plot::{Plot, PlotFrame, tone};
use ::experiment::results::BenchSamples;

/// Shorter times are drawn as this, in seconds.
const LEAST: f64 = 1e-3;

/// Returns the contenders' colours and names.
pub fn legend(results: &BenchSamples) -> Vec<(String, String)> {
    results.names.iter().enumerate().map(|(c, name)| (tone(c), name.clone())).collect()
}

/// Returns the quantile plot of all contenders on a suite: the score of each by the time limit of a file. A line starts to the left of
/// zero by the number of files that the contender answers wrongly.
pub fn quantiles(results: &BenchSamples, suite: Option<&str>) -> Plot {
    let wrong: Vec<usize> = (0..results.names.len()).map(|c| results.wrong(suite, c)).collect();
    let lowest = wrong.iter().copied().max().unwrap_or(0);
    let frame = PlotFrame::DOTS;
    let x = Axis::scores(frame.across(), lowest, results.of_suite(suite).count(), 8);
    let y = Axis::logarithmic(frame.up(), LEAST, results.timeout);
    let mut plot = Plot::framed("Score by the time limit of each file", "one line per contender", frame);
    plot.below(&x, |mark| mark.to_string(), "files solved minus files answered wrongly");
    plot.rows(&y, time_text, "");
    for (c, wrong) in wrong.into_iter().enumerate() {
        let mut times: Vec<f64> = results.of_suite(suite).filter_map(|p| results.time(p, c)).map(|m| m.mean).collect();
        times.sort_by(f64::total_cmp);
        let score = |n: usize| (n + 1) as f64 - wrong as f64;
        let mut points: Vec<(f64, f64)> = times.iter().enumerate().map(|(n, &t)| (x.at(score(n)), y.at(t))).collect();
        if let [(x, y)] = points[..] {
            // A line of one point shows nothing.
            points.push((x + 2.0, y));
        }
        plot.line(tone(c), points, Join::Straight);
    }
    plot
}

/// Returns the scatter plot of two contenders: one dot per file, with the intervals of both times. Unsolved files lie on the limit.
pub fn scatter(results: &BenchSamples, one: usize, other: usize) -> Plot {
    let frame = PlotFrame::DOTS;
    let x = Axis::logarithmic(frame.across(), LEAST, results.timeout);
    let y = Axis::logarithmic(frame.up(), LEAST, results.timeout);
    let (a, b) = (&results.names[one], &results.names[other]);
    let mut plot = Plot::framed(format!("{a} against {b}"), "the time of each file", frame);
    plot.columns(&x, time_text, a);
    plot.rows(&y, time_text, b);
    let ((left, right), (bottom, top)) = (frame.across(), frame.up());
    plot.line("thin", [(left, bottom), (right, top)], Join::Straight);
    for (p, problem) in results.problems.iter().enumerate() {
        let (s, t) = (results.time(p, one), results.time(p, other));
        let (u, v) = (x.at(s.map_or(results.timeout, |m| m.mean)), y.at(t.map_or(results.timeout, |m| m.mean)));
        if let Some(s) = s.filter(|m| m.half.is_finite()) {
            plot.line("thin", [(x.at(s.low()), v), (x.at(s.high()), v)], Join::Straight);
        }
        if let Some(t) = t.filter(|m| m.half.is_finite()) {
            plot.line("thin", [(u, y.at(t.low())), (u, y.at(t.high()))], Join::Straight);
        }
        let tone = match (s, t) {
            (Some(s), Some(t)) if s.is_below(t) || t.is_below(s) => "main",
            (Some(_), Some(_)) => "main hollow",
            _ => "A",
        };
        plot.dot(tone, (u, v), problem.name.clone());
    }
    plot
}
