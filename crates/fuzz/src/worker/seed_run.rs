//! The run of an unmutated seed, before its mutants, and the refutation of its label.

use crate::counts::answer_counts::{Cell, SEED_ITSELF};
use crate::schedule::plan::PlanSlot;
use crate::schedule::unit::PairVerdict;
use crate::worker::job::JobContext;
use crate::worker::related::PairOrigin;
use crate::worker::{Worker, proofs, refuted, related};
use corpus::own_statuses;
use corpus::seed::Seed;
use finding::Trust;
use oracle::candidate::{Candidate, ScriptSource};
use oracle::model_oracle::{self, ScriptVerdict};
use oracle::tested::unsupported_words;
use oracle::translate;
use smtlib::Store;
use solver::outcome::{Answer, CheckAnswer};
use solver::session::SessionNeeds;

impl Worker<'_> {
    /// Sends the unmutated seed. Returns false if the solver cannot read it, so its mutants are not worth the time.
    pub(super) fn seed_itself(&mut self, seed: &Seed, slot: PlanSlot) -> bool {
        let campaign = self.campaign;
        let target = &campaign.targets[slot.target];
        let text = translate::script(&seed.store, &seed.script.commands, &target.tested);
        let (statuses, who) = own_statuses(seed);
        let expected = refuted::expected_of(&statuses);
        let job = self.seed_job(seed, slot);
        let purpose = job.purpose(expected.len(), &text);
        let Some(outcome) = self.unit.ask(target, &text, purpose, &job.limits) else { return false };
        self.unit.counters.count(&outcome.answers);
        self.unit.errors(&outcome);
        let mut cell = Cell::default();
        cell.count(&outcome.answers);
        self.unit.cell(&job, SEED_ITSELF, cell);
        self.unit.seed_sent();
        let (truth, nothing) = (Some(Trust::in_words(who)), Store::new());
        let candidate = |hit, text, outcome| Candidate {
            hit,
            text,
            earlier: "",
            expected: &expected,
            truth: &truth,
            store: &nothing,
            witness: None,
            purpose,
            limits: &job.limits,
            outcome,
            false_assertion: None,
            slowness: None,
            relation: None,
            source: &ScriptSource::Seed,
            confirm_cpu: &self.unit.confirm_cpu,
        };
        let hit = campaign.judge(&expected, &outcome, (target, &text));
        if let Some(hit) = &hit {
            self.seed_hit(&job, candidate(hit, &text, &outcome));
        }
        let proofs = proofs::examine(&self.unit, &job, &text, &expected, &outcome.answers);
        if let Some(run) = &proofs {
            for hit in &run.hits {
                let candidate = candidate(hit, &run.text, &run.outcome);
                self.seed_hit(&job, Candidate { purpose: run.purpose, ..candidate });
            }
        }
        let says_sat = outcome.answers.iter().any(|check| check.answer == Answer::Sat);
        if says_sat
            && campaign.config.mutants.models > 0
            && let Some(asked) = target.tested.models()
            && let Some(text) = model_oracle::with_models(&text, &expected)
            && let Ok(examined) = model_oracle::examine(asked, &text, purpose | SessionNeeds::MODELS, &job.limits)
        {
            self.unit.ran(job.target, &examined.outcome);
            self.unit.counters.judged(&examined.verdict);
            if let ScriptVerdict::Invalid(found) = &examined.verdict
                && let Some(hit) = model_oracle::hit(&examined.verdict)
                && campaign.matters(&hit, target, &text)
            {
                let purpose = purpose | SessionNeeds::MODELS;
                let false_assertion = Some(found);
                let candidate = candidate(&hit, &text, &examined.outcome);
                self.seed_hit(&job, Candidate { purpose, false_assertion, ..candidate });
            }
        }
        if hit.is_none() {
            self.relate_seed(&job, &text, &outcome.answers);
        }
        if let Some(said) = &outcome.unsupported {
            self.unit.verdict(PairVerdict::NotForSolver(unsupported_words(said)));
            return false;
        }
        let unreadable = outcome.answers.iter().all(|check| check.answer == Answer::Void);
        if unreadable && let Some(error) = outcome.errors.first() {
            self.unit.verdict(PairVerdict::NotForSolver(error.message.clone()));
        }
        !unreadable && !self.is_quarantined(seed)
    }

    /// Returns the context of an unmutated seed's run.
    fn seed_job<'j>(&self, seed: &'j Seed, slot: PlanSlot) -> JobContext<'j>
    where
        Self: 'j,
    {
        JobContext {
            slot,
            target: &self.campaign.targets[slot.target],
            seed,
            partner: None,
            instance: 0,
            logic: seed.logic(0),
            validate: false,
            models: false,
            limits: self.limits(slot),
            first_cpu: None,
            watches_time: false,
        }
    }

    /// Asks a seed again, at a later visit, for related scripts, if their share allows it.
    pub(super) fn relate_seed_again(&self, seed: &Seed, slot: PlanSlot) {
        let target = &self.campaign.targets[slot.target];
        if !self.campaign.config.relations {
            return;
        }
        let text = translate::script(&seed.store, &seed.script.commands, &target.tested);
        let job = self.seed_job(seed, slot);
        let Some(outcome) = self.unit.ask_beside(&job, &text, seed.script.check_count()) else { return };
        self.relate_seed(&job, &text, &outcome.answers);
    }

    /// Asks scripts that relate to the seed, and reports contradictory answers.
    fn relate_seed(&self, job: &JobContext<'_>, text: &str, answers: &[CheckAnswer]) {
        let mut rng = job.slot.unit.relation_stream(u64::MAX);
        let Some(found) = self.unit.related(job, text, answers, related::OF_SEED, &mut rng) else { return };
        let source = ScriptSource::Mutant { mutator: "relation".to_string(), parameters: Vec::new(), index: 0 };
        let job = JobContext { instance: found.check, logic: job.seed.logic(found.check), ..job.clone() };
        let store = Store::new();
        let origin = PairOrigin { source, store: &store, witness: None, is_seed: true };
        self.unit.contradiction(&job, &found, origin);
    }

    /// Whether the seed's label is refuted; it is skipped then.
    pub(super) fn is_quarantined(&self, seed: &Seed) -> bool {
        let is_wrong = self.campaign.source.is_quarantined(&seed.sha256);
        if is_wrong {
            let reason = "its labelled status is wrong, see the campaign's quarantine.json";
            self.unit.verdict(PairVerdict::ForNobody(reason.to_string()));
        }
        is_wrong
    }

    /// Reports a hit on an unmutated seed.
    fn seed_hit(&self, job: &JobContext<'_>, candidate: Candidate<'_>) {
        let hit = candidate.hit;
        let mode = if candidate.expected.len() > 1 { "incremental" } else { "plain" };
        let logic = job.seed.logic(hit.check);
        let job = JobContext { instance: hit.check, logic, limits: job.limits.clone(), partner: None, ..*job };
        let key = job.group(hit, mode.to_string(), true);
        self.unit.hit(&key, candidate, &job, job.target);
    }
}
