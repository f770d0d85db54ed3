//! Judges the answers of a solver: against the truth, the other solvers and the witness.

use super::{MAX_SUSPECTS, SolverJudge, describe};
use crate::query::CheckQuery;
use crate::subject::{ThreadWitness, WitnessValues};
use crate::verdict::{CandidateVerdict, Evidence};
use finding::{FailureKind, Trust};
use oracle;
use oracle::{exhaustion, witness_file};
use semantics::Model;
use semantics::truth::{CheckTruth, OpenTruth, mentions_hidden, unproven};
use smtlib::{Instance, Store};
use solver::outcome::{Answer, SolverOutcome};

impl SolverJudge {
    pub(super) fn answers(
        &self,
        text: &str,
        outcome: &SolverOutcome,
        witness: Option<&ThreadWitness>,
        asks: bool,
    ) -> CandidateVerdict {
        let wanted = self.answer();
        let mut suspects: Vec<usize> =
            (0..outcome.answers.len()).filter(|&n| outcome.answers[n].answer == wanted).collect();
        // The check known to be answered wrongly comes first.
        suspects.sort_by_key(|&n| Some(n) != self.shown.check);
        suspects.truncate(MAX_SUSPECTS);
        if suspects.is_empty() {
            return CandidateVerdict::NotShown(describe(outcome));
        }
        if let Some(verdict) = self.misread(text) {
            return verdict;
        }
        let (mut store, model) = match witness {
            Some(w) => (Store::clone(&w.store), Some(&w.model)),
            None => (Store::new(), None),
        };
        let parsed = smtlib::parse(&mut store, text);
        if let Some(error) = parsed.errors.first() {
            return CandidateVerdict::TruthLost(format!("the text does not read back: {error}"));
        }
        let mut why = "there is no check".to_string();
        for check in suspects {
            let Some(instance) = parsed.script.instance(check) else { continue };
            let instance = &instance;
            if let Some(model) = model
                && matches!(self.shown.wrong, FailureKind::Unsat | FailureKind::Unknown)
                && WitnessValues::new(model.clone()).satisfy(&store, instance)
            {
                return Evidence::verdict(by_witness(model), check);
            }
            match self.without_witness(&mut store, CheckQuery { script: &parsed.script, instance }, check, asks) {
                CandidateVerdict::TruthLost(reason) => why = reason,
                verdict => return verdict,
            }
        }
        CandidateVerdict::TruthLost(why)
    }

    /// Returns the verdict if exhaustion decides whether the answer is wrong.
    fn exhausted(&self, store: &mut Store, instance: &Instance, check: usize) -> Option<CandidateVerdict> {
        if self.basis.is_some() && !self.must_be_certified() {
            return None;
        }
        let known = exhaustion::decide(store, instance).ok().filter(|known| known.definition().is_none())?;
        if known.is_by_choice() && self.must_be_certified() && self.basis != Some(Trust::CertifiedByChoice) {
            return Some(CandidateVerdict::TruthLost(known.to_string()));
        }
        // An assignment of the symbols does not say what a heap has, or which facts rules derive.
        let has_witness = instance.rules.is_none() && !instance.assertions.iter().any(|&t| mentions_hidden(store, t));
        match (self.shown.wrong, known) {
            (FailureKind::Unsat, CheckTruth::Sat(_)) if !has_witness => {
                Some(Evidence::verdict(Trust::Exhausted, check))
            }
            (FailureKind::Unsat, CheckTruth::Sat(model)) => {
                let truth = by_witness(&model);
                Some(match (witness_file::write(store, &model, instance), &truth) {
                    (Some(text), _) => {
                        CandidateVerdict::Interesting(Evidence { model: Some(text), ..Evidence::of(truth, check) })
                    }
                    (None, Trust::Certified) => Evidence::verdict(Trust::Exhausted, check),
                    (None, _) => CandidateVerdict::TruthLost("what the witness chooses has no text".to_string()),
                })
            }
            // This holds whatever trusted solvers answer.
            (FailureKind::Unsat, CheckTruth::Unsat(_)) => {
                Some(CandidateVerdict::TruthLost("no assignment makes every assertion true".to_string()))
            }
            (FailureKind::Sat, CheckTruth::Sat(_)) => {
                Some(CandidateVerdict::TruthLost("an assignment makes every assertion true".to_string()))
            }
            (FailureKind::Sat, CheckTruth::Unsat(_)) | (FailureKind::Unknown, _) => {
                Some(Evidence::verdict(Trust::Exhausted, check))
            }
            _ => None,
        }
    }

    fn without_witness(&self, store: &mut Store, asked: CheckQuery<'_>, check: usize, asks: bool) -> CandidateVerdict {
        if !asks {
            return CandidateVerdict::TruthLost("the witness does not make every assertion true".to_string());
        }
        // A definition that solvers interpret differently accuses none, and a reduction keeps a definition that is proved total.
        if let Some(name) = unproven(store, &asked.instance.declarations) {
            let why = OpenTruth::NotTotal(name.to_string()).to_string();
            return self.exhausted(store, asked.instance, check).unwrap_or(CandidateVerdict::TruthLost(why));
        }
        if self.shown.wrong == FailureKind::Unsat {
            return self.satisfiable(store, asked, check);
        }
        if matches!(self.shown.wrong, FailureKind::Sat | FailureKind::Unknown) {
            if let Some(verdict) = self.exhausted(store, asked.instance, check) {
                return verdict;
            }
            if self.must_be_certified() {
                return CandidateVerdict::TruthLost("the symbols no longer range over few values".to_string());
            }
        }
        let mut answers = Vec::new();
        let mut common = None;
        for trusted in &self.trusted {
            let answer = trusted.answer(store, asked, &self.trusted_limits);
            answers.push(format!("{} ({})", answer.word(), trusted.label));
            let fits = match self.shown.wrong {
                FailureKind::Sat => answer == Answer::Unsat,
                _ => answer.is_definite(),
            };
            if !fits || common.is_some_and(|c| c != answer) {
                return lost("no proof is certified", &answers);
            }
            common = Some(answer);
        }
        let by = self.trusted.iter().map(|t| t.label.clone()).collect();
        match common {
            Some(answer) => Evidence::verdict(Trust::by_solvers(answer.word(), by), check),
            None => lost("no proof is certified", &answers),
        }
    }

    /// Looks for a trusted solver's model that our evaluator accepts, or one found by exhaustion; otherwise, if trust is accepted, uses
    /// the answers of all trusted solvers.
    fn satisfiable(&self, store: &mut Store, asked: CheckQuery<'_>, check: usize) -> CandidateVerdict {
        let mut answers = Vec::new();
        for trusted in &self.trusted {
            let answer = match trusted.model(store, asked, &self.trusted_limits) {
                Ok(found) => {
                    let (truth, model) = (by_witness(&found.model), Some(found.text));
                    let evidence = Evidence { model, ..Evidence::of(truth, check) };
                    return CandidateVerdict::Interesting(evidence);
                }
                Err(answer) => answer,
            };
            answers.push(format!("{} ({})", answer.word(), trusted.label));
            if answer == Answer::Unsat {
                break;
            }
        }
        if let Some(verdict) = self.exhausted(store, asked.instance, check) {
            return verdict;
        }
        let all = !answers.is_empty() && answers.iter().all(|a| a.starts_with("sat "));
        if !all || self.must_be_certified() {
            return lost("no model is certified", &answers);
        }
        let by = self.trusted.iter().map(|t| t.label.clone()).collect();
        Evidence::verdict(Trust::by_solvers("sat", by), check)
    }
}

/// Returns what a model that satisfies all assertions shows.
fn by_witness(model: &Model) -> Trust {
    if model.choices().is_empty() { Trust::Certified } else { Trust::CertifiedByChoice }
}

/// Returns the verdict on a text whose truth is not confirmed: what our evaluator lacks, and what other solvers answer.
fn lost(lacking: &str, answers: &[String]) -> CandidateVerdict {
    let others = if answers.is_empty() { String::new() } else { format!("; others say {}", answers.join(", ")) };
    CandidateVerdict::TruthLost(format!("{lacking}{others}"))
}
