//! Contenders together: portfolios put together from what their members did, and strategies beside the solvers and searches they are made
//! of.

use crate::contender::Sample;
use crate::results::{BenchSamples, SampleVerdict};
use serde::Serialize;

/// Files that the fastest solves sooner, in seconds, say nothing about costs.
const LONG: f64 = 1.0;
/// How much longer than the fastest counts as about as long.
const SHARE: f64 = 1.1;

/// A strategy beside all contenders that are none.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Beside {
    /// The strategy, as it was named.
    pub name: String,
    /// The files that another contender solves and the strategy does not.
    pub lost: Vec<String>,
    /// The files that only the strategy solves.
    pub won: Vec<String>,
    /// Of the long files it solves, its time over that of the fastest of the others, ascending.
    pub ratios: Vec<f64>,
}

impl Beside {
    /// What it comes to, in a line.
    pub fn text(&self) -> String {
        let lost = if self.lost.is_empty() { "nothing".to_string() } else { self.lost.join(", ") };
        let within = self.ratios.iter().filter(|r| **r <= SHARE).count();
        let times = match (crate::statistics::median(&self.ratios), self.ratios.last()) {
            (Some(median), Some(worst)) => format!(
                "; of {} files over {LONG} s it takes {median:.2} times the fastest in the median, {worst:.2} at worst, at most {SHARE} times on {within}",
                self.ratios.len()
            ),
            _ => String::new(),
        };
        format!("{}: solves {} that no other does, loses {lost}{times}", self.name, self.won.len())
    }
}

/// Adds a portfolio as a contender of its own, which did on each file what the member did that was the first to answer it, rightly or not:
/// the JFS paper's "JFS+MathSAT5", what running the members side by side comes to where that costs nothing.
pub fn add(results: &mut BenchSamples, members: &[usize]) {
    let Some(&first) = members.first() else { return };
    let names: Vec<&str> = members.iter().map(|&m| results.names[m].as_str()).collect();
    let name = format!("portfolio of {}", names.join(" and "));
    for p in 0..results.problems.len() {
        let time = |m: usize| answered_after(results, p, m).unwrap_or(f64::INFINITY);
        let fastest = members.iter().copied().min_by(|&a, &b| time(a).total_cmp(&time(b))).unwrap_or(first);
        let runs = results.samples[p][fastest].clone();
        results.samples[p].push(runs);
    }
    results.names.push(name);
}

/// After which time a contender answers a problem, rightly or wrongly; none if it does not, or the file is in dispute.
fn answered_after(results: &BenchSamples, problem: usize, contender: usize) -> Option<f64> {
    if !results.errs(problem, contender) {
        return results.time(problem, contender).map(|mean| mean.mean);
    }
    let is_wrong = |sample: &&Sample| results.verdict(problem, sample) == SampleVerdict::Wrong;
    results.samples[problem][contender].iter().filter(is_wrong).map(|sample| sample.wall).reduce(f64::min)
}

/// All strategies among the contenders beside the others; none where there is nothing to compare.
pub fn beside(results: &BenchSamples) -> Vec<Beside> {
    let is_strategy = |c: &usize| results.names[*c].starts_with("strategy:");
    let (strategies, others): (Vec<usize>, Vec<usize>) = (0..results.measured).partition(is_strategy);
    if others.is_empty() {
        return Vec::new();
    }
    let one = |c: usize| {
        let mut beside =
            Beside { name: results.names[c].clone(), lost: Vec::new(), won: Vec::new(), ratios: Vec::new() };
        for p in results.of_suite(None) {
            let time = |c: usize| results.time(p, c).map(|mean| mean.mean);
            let file = &results.problems[p].name;
            match (time(c), others.iter().filter_map(|&o| time(o)).reduce(f64::min)) {
                (None, Some(_)) => beside.lost.push(file.clone()),
                (Some(_), None) => beside.won.push(file.clone()),
                (Some(own), Some(best)) if best > LONG => beside.ratios.push(own / best),
                _ => {}
            }
        }
        beside.ratios.sort_by(f64::total_cmp);
        beside
    };
    strategies.into_iter().map(one).collect()
}
