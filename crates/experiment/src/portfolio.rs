//! Strategies beside the solvers and searches they are made of: what they lose, and what running side by side costs.

use crate::results::BenchSamples;
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

/// All strategies among the contenders beside the others; none where there is nothing to compare.
pub fn beside(results: &BenchSamples) -> Vec<Beside> {
    let is_strategy = |c: &usize| results.names[*c].starts_with("strategy:");
    let (strategies, others): (Vec<usize>, Vec<usize>) = (0..results.names.len()).partition(is_strategy);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contender::{ModelVerdict, Sample};
    use crate::problem::BenchProblem;
    use solver::outcome::Answer;

    #[test]
    fn a_strategy_is_held_against_the_fastest_of_the_others() {
        let run = |wall: Option<f64>| {
            let answer = if wall.is_some() { Answer::Unsat } else { Answer::Timeout };
            vec![Sample { answer, model: ModelVerdict::None, wall: wall.unwrap_or(20.0), cpu: 0.0, memory: 0 }]
        };
        let problem = |name: &&str| BenchProblem {
            path: std::path::PathBuf::new(),
            name: name.to_string(),
            suite: "S".into(),
            expected: None,
            text: String::new(),
        };
        let times = [
            ("slower", [Some(2.0), None, Some(3.0)]),
            ("lost", [None, Some(5.0), None]),
            ("short", [Some(0.1), None, Some(0.9)]),
            ("won", [None, None, Some(7.0)]),
            ("level", [Some(4.0), Some(2.0), Some(2.1)]),
        ];
        let results = BenchSamples {
            names: vec!["a".into(), "b".into(), "strategy:(par-or a b)".into()],
            problems: times.iter().map(|(name, _)| problem(name)).collect(),
            samples: times.iter().map(|(_, times)| times.map(run).to_vec()).collect(),
            timeout: 20.0,
        };
        let [one] = &beside(&results)[..] else { panic!("one strategy") };
        assert_eq!((one.lost.as_slice(), one.won.as_slice()), (&["lost".to_string()][..], &["won".to_string()][..]));
        assert_eq!(one.ratios, [1.05, 1.5]);
        assert!(one.text().contains("1.50 at worst, at most 1.1 times on 1"), "{}", one.text());
    }
}
