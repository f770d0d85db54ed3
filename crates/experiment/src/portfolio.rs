//! Strategies compared with the solvers and searches that they combine.

use crate::results::BenchSamples;
use serde::Serialize;

/// Files that the fastest contender solves in fewer seconds are ignored for costs.
const LONG: f64 = 1.0;
/// The factor over the fastest time that counts as about as fast.
const SHARE: f64 = 1.1;

/// A strategy compared with all contenders that are not strategies.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StrategyComparison {
    /// The strategy as named.
    pub name: String,
    /// Files that another contender solves and the strategy does not.
    pub lost: Vec<String>,
    /// Files that only the strategy solves.
    pub won: Vec<String>,
    /// For the long files that it solves, the ratio of its time to that of the fastest other contender, ascending.
    pub ratios: Vec<f64>,
}

impl StrategyComparison {
    /// Returns a summary in one line.
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

/// Compares all strategies among the contenders with the others. Empty if there is nothing to compare.
pub fn compare_strategies(results: &BenchSamples) -> Vec<StrategyComparison> {
    let is_strategy = |c: &usize| results.names[*c].starts_with("strategy:");
    let (strategies, others): (Vec<usize>, Vec<usize>) = (0..results.names.len()).partition(is_strategy);
    if others.is_empty() {
        return Vec::new();
    }
    let one = |c: usize| {
        let mut comparison = StrategyComparison {
            name: results.names[c].clone(),
            lost: Vec::new(),
            won: Vec::new(),
            ratios: Vec::new(),
        };
        for p in results.of_suite(None) {
            let time = |c: usize| results.time(p, c).map(|mean| mean.mean);
            let file = &results.problems[p].name;
            match (time(c), others.iter().filter_map(|&o| time(o)).reduce(f64::min)) {
                (None, Some(_)) => comparison.lost.push(file.clone()),
                (Some(_), None) => comparison.won.push(file.clone()),
                (Some(own), Some(best)) if best > LONG => comparison.ratios.push(own / best),
                _ => {}
            }
        }
        comparison.ratios.sort_by(f64::total_cmp);
        comparison
    };
    strategies.into_iter().map(one).collect()
}
