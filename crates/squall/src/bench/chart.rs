//! Quantile and scatter plots of times, as SVG with logarithmic axes.

use super::results::Results;
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
pub const COLOURS: usize = 10;

/// A logarithmic axis from [`LEAST`] to a time limit.
struct Axis {
    from: f64,
    to: f64,
    limit: f64,
}

impl Axis {
    fn at(&self, seconds: f64) -> f64 {
        let share = (seconds.max(LEAST) / LEAST).ln() / (self.limit / LEAST).ln();
        self.from + (self.to - self.from) * share.clamp(0.0, 1.0)
    }

    /// Powers of ten within the axis, and the limit.
    fn marks(&self) -> Vec<f64> {
        let tens = (-3..=6).map(|n| 10f64.powi(n)).filter(|&t| t < self.limit * 0.7);
        tens.chain([self.limit]).collect()
    }
}

/// `1 ms`, `20 s`.
fn label(seconds: f64) -> String {
    let (value, unit) = if seconds < 1.0 { (seconds * 1e3, "ms") } else { (seconds, "s") };
    let text = format!("{value:.1}");
    format!("{} {unit}", text.trim_end_matches('0').trim_end_matches('.'))
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
        let text = label(mark);
        put(svg, format_args!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", LEFT - 6.0, y + 4.0));
    }
}

fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "{text}");
}

/// The quantile plot of all contenders on a suite: how many files each solves, if every file may take so long.
pub fn quantiles(results: &Results, suite: Option<&str>) -> String {
    let files = results.of_suite(suite).count().max(1) as f64;
    let y = Axis { from: BOTTOM, to: TOP, limit: results.timeout };
    let x = |n: f64| LEFT + (RIGHT - LEFT) * n / files;
    let mut svg = open("Files solved, by the time each may take");
    vertical_axis(&mut svg, &y);
    let step = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0].into_iter().find(|s| files / s <= 8.0);
    let step = step.unwrap_or(files / 8.0);
    for n in 0..=(files / step) as usize {
        let n = n as f64 * step;
        put(
            &mut svg,
            format_args!("<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{n}</text>", x(n), BOTTOM + 18.0),
        );
    }
    put(&mut svg, format_args!("<text x=\"{RIGHT}\" y=\"{}\" text-anchor=\"end\">files solved</text>", HEIGHT - 4.0));
    for (c, name) in results.names.iter().enumerate() {
        let mut times: Vec<f64> = results.of_suite(suite).filter_map(|p| results.time(p, c)).map(|m| m.mean).collect();
        times.sort_by(f64::total_cmp);
        let mut path = String::new();
        for (n, &t) in times.iter().enumerate() {
            let command = if n == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{command}{:.1} {:.1}", x((n + 1) as f64), y.at(t)));
        }
        if let [only] = times.as_slice() {
            // A line of one point shows nothing.
            path.push_str(&format!("L{:.1} {:.1}", x(1.0) + 2.0, y.at(*only)));
        }
        put(
            &mut svg,
            format_args!(
                "<path class=\"series c{}\" d=\"{path}\"><title>{}</title></path>",
                c % COLOURS,
                escaped(name)
            ),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// The scatter plot of two contenders: a dot a file, with the intervals of both times. What is not solved lies on the limit.
pub fn scatter(results: &Results, one: usize, other: usize) -> String {
    let x = Axis { from: LEFT, to: RIGHT, limit: results.timeout };
    let y = Axis { from: BOTTOM, to: TOP, limit: results.timeout };
    let (a, b) = (escaped(&results.names[one]), escaped(&results.names[other]));
    let mut svg = open(&format!("{} against {}", results.names[one], results.names[other]));
    vertical_axis(&mut svg, &y);
    for mark in x.marks() {
        let at = x.at(mark);
        put(
            &mut svg,
            format_args!("<line class=\"grid\" x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{BOTTOM}\"/>"),
        );
        let text = label(mark);
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
    fn axes_are_logarithmic_and_end_at_the_limit() {
        let axis = Axis { from: 0.0, to: 100.0, limit: 1000.0 };
        assert!((axis.at(1.0) - 50.0).abs() < 1e-9);
        assert_eq!((axis.at(0.0), axis.at(1e9)), (0.0, 100.0));
        assert_eq!(axis.marks().last(), Some(&1000.0));
        assert!(axis.marks().iter().all(|m| *m <= 1000.0));
    }

    #[test]
    fn times_have_units() {
        let check = |seconds: f64, expect: &str| assert_eq!(label(seconds), expect);
        check(0.001, "1 ms");
        check(0.1, "100 ms");
        check(20.0, "20 s");
        check(1.5, "1.5 s");
    }

    #[test]
    fn names_cannot_break_the_drawing() {
        assert_eq!(escaped("<a \"b\" & c>"), "&lt;a &quot;b&quot; &amp; c&gt;");
    }
}
