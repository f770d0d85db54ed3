//! Contradictions in a comparison: answers that contradict the truth, their own models, or each other.

use super::{BenchSamples, is_refuted};
use crate::contender::{ModelVerdict, Sample};
use serde::Serialize;
use smtlib::Status;
use solver::outcome::Answer;

/// A sample that contradicts the known answer, its own model or another contender.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ContradictingSample {
    /// The file.
    pub file: String,
    /// A sentence without full stop.
    pub what: String,
}

impl BenchSamples {
    /// Returns every answer that contradicts the known one, its own model, or another contender's.
    pub fn contradictions(&self) -> Vec<ContradictingSample> {
        let mut found = Vec::new();
        for (p, problem) in self.problems.iter().enumerate() {
            let mut say = |what: String| {
                let one = ContradictingSample { file: problem.name.clone(), what };
                if !found.contains(&one) {
                    found.push(one);
                }
            };
            let by = |is: &dyn Fn(&Sample) -> bool| {
                self.names[..self.measured]
                    .iter()
                    .zip(&self.samples[p])
                    .find(|(_, runs)| runs.iter().any(is))
                    .map(|(name, _)| name)
            };
            let shown = by(&|sample| sample.model == ModelVerdict::Valid);
            for (name, runs) in self.names[..self.measured].iter().zip(&self.samples[p]) {
                for sample in runs {
                    match (sample.answer, problem.expected, shown) {
                        _ if is_refuted(sample) => {
                            say(format!("{name} gives a model under which an assertion is false"))
                        }
                        (Answer::Sat, Some(Status::Unsat), None) => {
                            say(format!("{name} says sat, the file is known to be unsat"))
                        }
                        (Answer::Unsat, Some(Status::Sat), _) => {
                            say(format!("{name} says unsat, the file is known to be sat"))
                        }
                        (Answer::Unsat, _, Some(who)) => {
                            say(format!("{name} says unsat, a model of {who} makes every assertion true"))
                        }
                        _ => {}
                    }
                }
            }
            match (shown, problem.expected) {
                (Some(who), Some(Status::Unsat)) => {
                    say(format!("a model of {who} makes every assertion true, the file is known to be unsat"))
                }
                _ if self.is_disputed(p) => {
                    let sat = by(&|sample| sample.answer == Answer::Sat && !is_refuted(sample));
                    if let (Some(a), Some(b)) = (sat, by(&|sample| sample.answer == Answer::Unsat)) {
                        say(format!("{a} says sat, {b} says unsat, and nothing says who is right"));
                    }
                }
                _ => {}
            }
        }
        found
    }
}
