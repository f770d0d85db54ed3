//! Disagreements in a comparison: answers that contradict the right one, their own models, or each other.

use super::{BenchSamples, is_refuted};
use crate::contender::Sample;
use oracle::exhaustion::decide_text;
use semantics::truth::CheckTruth;
use serde::Serialize;
use smtlib::Status;
use solver::outcome::Answer;
use solver::process::CancelToken;

/// A check on which answers contradict the right one, their own models, or each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AnswerDisagreement {
    /// The file.
    pub file: String,
    /// The number of the check, from 1.
    pub check: usize,
    /// The right answer, if it is known.
    pub truth: Option<&'static str>,
    /// What shows the right answer, as in "by exhaustion".
    pub shown: Option<&'static str>,
    /// The contenders that say `sat`.
    pub sat: Vec<String>,
    /// The contenders that say `unsat`.
    pub unsat: Vec<String>,
    /// The contenders whose own model makes an assertion false.
    pub refuted: Vec<String>,
    /// The contenders that are wrong.
    pub wrong: Vec<String>,
    /// The answer in the file or its manifest, if that is wrong.
    pub claimed: Option<&'static str>,
}

impl AnswerDisagreement {
    /// Describes the answers, as in "z3 says sat, cvc5 and yices say unsat".
    pub fn answers(&self) -> String {
        let side = |who: &[String], answer: &str| {
            (!who.is_empty())
                .then(|| format!("{} {} {answer}", joined(who), if who.len() == 1 { "says" } else { "say" }))
        };
        [side(&self.sat, "sat"), side(&self.unsat, "unsat")].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Names all that is wrong: contenders, and the known answer of the file. Empty if nothing proves who is.
    pub fn accused(&self) -> String {
        let claim = self.claimed.map(|claimed| format!("its :status or manifest ({claimed})"));
        self.wrong.iter().cloned().chain(claim).collect::<Vec<_>>().join(", ")
    }

    /// Describes who is wrong and why.
    pub fn verdict(&self) -> String {
        let mut text = match (self.truth, self.shown) {
            (Some(truth), Some(shown)) => format!("it is {truth} {shown}"),
            _ => "nothing proves who is right".to_string(),
        };
        if !self.refuted.is_empty() {
            text.push_str(&format!("; a model of {} makes an assertion false", joined(&self.refuted)));
        }
        text
    }
}

/// Names joined by commas and "and".
fn joined(names: &[String]) -> String {
    match names {
        [init @ .., last] if !init.is_empty() => format!("{} and {last}", init.join(", ")),
        _ => names.concat(),
    }
}

impl BenchSamples {
    /// Decides small checks by exhaustion where answers contradict each other or the known answer, in at most ten seconds each.
    pub fn settle(&mut self, cancel: &CancelToken) {
        let disagreements: Vec<(usize, usize)> = (0..self.problems.len())
            .flat_map(|p| (0..self.checks(p)).map(move |check| (p, check)))
            .filter(|&(p, check)| self.disagreement(p, check).is_some())
            .collect();
        for (p, check) in disagreements {
            if cancel.is_cancelled() {
                return;
            }
            let problem = &mut self.problems[p];
            let Ok(known) = decide_text(&problem.text, check) else { continue };
            let known = known.certain().map(|_| match known {
                CheckTruth::Sat(_) => Status::Sat,
                CheckTruth::Unsat(_) => Status::Unsat,
            });
            if known.is_some() {
                let length = problem.proven.len().max(check + 1);
                problem.proven.resize(length, None);
                problem.proven[check] = known;
            }
        }
    }

    /// Returns all disagreements: first those where it is known who is wrong.
    pub fn disagreements(&self) -> Vec<AnswerDisagreement> {
        let mut found: Vec<AnswerDisagreement> = (0..self.problems.len())
            .flat_map(|p| (0..self.checks(p)).filter_map(move |check| self.disagreement(p, check)))
            .collect();
        found.sort_by_key(|one| one.accused().is_empty());
        found
    }

    fn disagreement(&self, problem: usize, check: usize) -> Option<AnswerDisagreement> {
        let runs = || self.names.iter().zip(&self.samples[problem]);
        let by = |is: &dyn Fn(&Sample) -> bool| -> Vec<String> {
            runs().filter(|(_, runs)| runs.iter().any(is)).map(|(name, _)| name.clone()).collect()
        };
        let says = |answer| by(&|sample: &Sample| sample.answers.get(check) == Some(&answer));
        let (sat, unsat, refuted) = (says(Answer::Sat), says(Answer::Unsat), by(&is_refuted));
        let wrong = by(&|sample| is_refuted(sample) || self.errs_at(problem, check, sample));
        let truth = self.truth(problem, check);
        let claimed = self.problems[problem].expected.get(check).copied().flatten();
        let claimed = claimed.filter(|claimed| truth.is_some_and(|(truth, _)| *claimed != truth)).map(Status::word);
        if wrong.is_empty() && claimed.is_none() && (sat.is_empty() || unsat.is_empty()) {
            return None;
        }
        let (truth, shown) = truth.map(|(status, shown)| (status.word(), shown)).unzip();
        let file = self.problems[problem].name.clone();
        Some(AnswerDisagreement { file, check: check + 1, truth, shown, sat, unsat, refuted, wrong, claimed })
    }
}
