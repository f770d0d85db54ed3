//! Examines the answers about one mutant: values, proofs, other solvers, and related mutants.

use super::{MutantRun, UnitRun};
use crate::state::finding_index::GroupKey;
use crate::worker::batch::MutantBatch;
use crate::worker::differential::{self, DifferentialProof};
use crate::worker::proofs::{self, ProofRun};
use crate::worker::related::{self, PairOrigin};
use finding::record::AFTER_RESET;
use finding::symptom;
use oracle::Hit;
use oracle::candidate::{Candidate, ScriptSource};
use oracle::model_oracle::{self, ScriptVerdict};
use oracle::value_oracle::{self, WrongValue};
use smtlib::{Status, Store};
use solver::outcome::{Answer, CheckAnswer};
use solver::session::SessionNeeds;

impl UnitRun<'_> {
    /// Asks for the models of one mutant in its own process, and reports a wrong one.
    pub(super) fn examine(&mut self, batch: &MutantBatch, n: usize) {
        let (mutant, job) = (&batch.mutants[n], self.job);
        let Some(asked) = job.target.tested.models() else { return };
        let Some(text) = model_oracle::with_models(&mutant.text, &mutant.expected) else { return };
        let purpose = job.purpose(mutant.expected.len(), &mutant.text) | SessionNeeds::MODELS;
        let Ok(examined) = model_oracle::examine(asked, &text, purpose, &job.limits) else { return };
        self.unit.ran(job.target, &examined.outcome);
        self.unit.counters.judged(&examined.verdict);
        if let ScriptVerdict::Invalid(found) = &examined.verdict
            && let Some(hit) = model_oracle::hit(&examined.verdict)
            && self.campaign.matters(&hit, job.target, &mutant.text)
        {
            let run = MutantRun::of(&text, purpose, &examined.outcome);
            self.hit(batch, n, &hit, MutantRun { false_assertion: Some(found), ..run });
        }
    }

    /// Asks for the model of the first check answered `sat` and for values in its own process, and reports values that contradict the
    /// model.
    pub(super) fn values(&mut self, batch: &MutantBatch, n: usize, answers: &[CheckAnswer]) {
        let (mutant, job) = (&batch.mutants[n], self.job);
        let Some(asked) = job.target.tested.models().filter(|_| !self.is_over()) else { return };
        let is_sat =
            |(check, expected): (&CheckAnswer, &Status)| check.answer == Answer::Sat && *expected != Status::Unsat;
        let Some(check) = answers.iter().zip(&mutant.expected).position(is_sat) else { return };
        let purpose = job.purpose(mutant.expected.len(), &mutant.text) | SessionNeeds::MODELS;
        let Ok((wrong, cpu)) = value_oracle::examine(asked, &mutant.text, check, purpose, &job.limits) else { return };
        self.unit.counters.spent(cpu);
        let Some(WrongValue { text, found, examined }) = &wrong else { return };
        if let Some(hit) = model_oracle::hit(&examined.verdict)
            && self.campaign.matters(&hit, job.target, &mutant.text)
        {
            let run = MutantRun::of(text, purpose, &examined.outcome);
            self.hit(batch, n, &hit, MutantRun { false_assertion: Some(found), ..run });
        }
    }

    /// Asks for the proof of a mutant answered `unsat`, and reports errors in it.
    pub(super) fn proofs(&mut self, batch: &MutantBatch, n: usize, answers: &[CheckAnswer]) {
        let mutant = &batch.mutants[n];
        let run = proofs::examine(self.unit, self.job, &mutant.text, &mutant.expected, answers);
        let Some(ProofRun { text, purpose, outcome, hits }) = &run else { return };
        for hit in hits {
            self.hit(batch, n, hit, MutantRun::of(text, *purpose, outcome));
        }
    }

    /// Compares all solvers' answers to a mutant of unknown truth, and reports who is wrong.
    pub(super) fn compare(&mut self, batch: &MutantBatch, n: usize, answers: &[CheckAnswer]) {
        let (mutant, job) = (&batch.mutants[n], self.job);
        if mutant.truth.is_some() {
            return;
        }
        // Uses another random draw than the one by which the mutant itself may have been rephrased.
        let rewording = job.slot.unit.rewording_stream(!(self.first + n as u64));
        for accusation in differential::compare(self.unit, job, mutant, answers, rewording) {
            let mode = if mutant.expected.len() > 1 { "incremental" } else { "plain" };
            let key = GroupKey { target: accusation.position, ..job.group(&accusation.hit, mode.to_string(), false) };
            let nothing = Store::new();
            let (store, witness, false_assertion) = match &accusation.proof {
                DifferentialProof::Witness(model, store) => (&**store, Some(model), None),
                DifferentialProof::OwnModel(found) => (&nothing, None, Some(found)),
                DifferentialProof::Vote(_) => (&nothing, None, None),
            };
            let source = self.source(n);
            let candidate = Candidate {
                hit: &accusation.hit,
                text: &accusation.text,
                earlier: "",
                expected: &accusation.expected,
                truth: &accusation.truth(),
                store,
                witness,
                purpose: accusation.purpose,
                limits: &job.limits,
                outcome: &accusation.outcome,
                false_assertion,
                slowness: None,
                relation: None,
                source: &source,
                confirm_cpu: &self.unit.confirm_cpu,
            };
            let accused = match accusation.position == job.slot.target {
                true => job.target,
                false => &self.campaign.targets[accusation.position],
            };
            self.unit.hit(&key, candidate, job, accused);
        }
    }

    /// Asks scripts that relate to some of the mutants, and reports contradictory answers.
    pub(super) fn relate(&mut self, batch: &MutantBatch, n: usize, answers: &[CheckAnswer]) {
        let (mutant, job, index) = (&batch.mutants[n], self.job, self.first + n as u64);
        let mut rng = job.slot.unit.relation_stream(index);
        if !rng.percent(related::OF_MUTANTS) {
            return;
        }
        let Some(found) = self.unit.related(job, &mutant.text, answers, 1, &mut rng) else { return };
        let witness = self.prepared.check_witness(index, found.check);
        let origin = PairOrigin { source: self.source(n), store: self.prepared.store(), witness, is_seed: false };
        self.unit.contradiction(job, &found, origin);
    }

    /// Reports a hit of a mutant.
    pub(super) fn hit(&mut self, batch: &MutantBatch, n: usize, hit: &Hit, run: MutantRun<'_>) {
        let (mutant, job) = (&batch.mutants[n], self.job);
        let source = self.source(n);
        let mode = match (&source, run.earlier) {
            (ScriptSource::Mutant { parameters, .. }, "") => {
                parameters.iter().find(|(name, _)| *name == "mode").map_or("plain", |(_, mode)| mode)
            }
            _ => AFTER_RESET,
        };
        let key = job.group(hit, mode.to_string(), false);
        let witness = self.prepared.check_witness(self.first + n as u64, hit.check);
        let is_cut = hit.symptom == symptom::WRONG_VALUE && hit.check < mutant.expected.len();
        let candidate = Candidate {
            hit,
            text: run.text,
            earlier: run.earlier,
            // The questions about values end the script at their check.
            expected: if is_cut { &mutant.expected[..=hit.check] } else { &mutant.expected },
            truth: &mutant.truth,
            store: self.prepared.store(),
            witness: witness.as_ref(),
            purpose: run.purpose,
            // Measured runs had the campaign's limits, whichever visit it is.
            limits: if run.slowness.is_some() { &self.campaign.config.limits } else { &job.limits },
            outcome: run.outcome,
            false_assertion: run.false_assertion,
            slowness: run.slowness,
            relation: None,
            source: &source,
            confirm_cpu: &self.unit.confirm_cpu,
        };
        self.unit.hit(&key, candidate, job, job.target);
    }

    /// Returns the source of a mutant of the current batch.
    fn source(&mut self, n: usize) -> ScriptSource {
        let index = self.first + n as u64;
        let parameters = self.job.parameters(self.prepared.parameters(index));
        ScriptSource::Mutant { mutator: self.mutator.name().to_string(), parameters, index }
    }
}
