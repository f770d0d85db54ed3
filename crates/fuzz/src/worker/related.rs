//! Asks scripts related to answered ones, and reports contradictory answers.
//!
//! If our evaluator decides one of the two scripts, or a witness satisfies the one answered `unsat`, the wrong answer is known: then the
//! finding is of class A or B, otherwise of class X.

use crate::counts::stats::add;
use crate::worker::context::UnitContext;
use crate::worker::job::JobContext;
use finding::{BugClass, Trust};
use mutate::rng::RandomStream;
use oracle::candidate::{Candidate, ScriptSource};
use oracle::relation::{AskedPair, RelatedReply, RelatedScript, Relation};
use oracle::{Hit, exhaustion};
use semantics::Model;
use semantics::truth::witness::certify_check;
use smtlib::{Status, Store};
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::sync::Arc;
use std::time::Duration;

/// The number of relations drawn for a seed.
pub(super) const OF_SEED: u32 = 4;
/// How often, in percent, a relation is drawn for a mutant.
pub(super) const OF_MUTANTS: u32 = 10;
/// The CPU time limit of a relation's script, in addition to twice the solver's start.
const SCRIPT_CPU: Duration = Duration::from_millis(500);
/// Its expected CPU time, besides the start.
const EXPECTED_CPU: Duration = Duration::from_millis(20);
/// The maximum number of scripts of a relation.
const SCRIPTS: u32 = 2;
/// Scripts with at least this number of assertions that are answered `unsat` are first asked for their core.
const MANY_ASSERTIONS: usize = 50;

/// A contradiction before its confirmation.
pub(super) struct FoundPair {
    /// The text from which both scripts follow.
    text: String,
    relation: Relation,
    pair: AskedPair,
    /// The check of the original script.
    pub(super) check: usize,
}

/// The origin of a pair.
pub(super) struct PairOrigin<'o> {
    pub(super) source: ScriptSource,
    /// The terms of the witness.
    pub(super) store: &'o Store,
    /// A witness of the original script, if known.
    pub(super) witness: Option<Arc<Model>>,
    pub(super) is_seed: bool,
}

impl UnitContext<'_> {
    /// Asks scripts that relate to an answered one, as far as the campaign's share allows. `None` if all answers may be right.
    pub(super) fn related(
        &self,
        job: &JobContext<'_>,
        text: &str,
        answers: &[CheckAnswer],
        count: u32,
        rng: &mut RandomStream,
    ) -> Option<FoundPair> {
        let tested = &job.target.tested;
        let definite: Vec<usize> = (0..answers.len()).filter(|&n| answers[n].answer.is_definite()).collect();
        if !self.campaign.config.relations || tested.solver.is_builtin() || tested.misread(text).is_some() {
            return None;
        }
        for n in 0..count {
            let check = *rng.pick(&definite)?;
            let answer = answers[check].answer;
            let is_large =
                n == 0 && answer == Answer::Unsat && text.matches("(assert").nth(MANY_ASSERTIONS - 1).is_some();
            let of_core = if is_large { Relation::begin("core", text, check, rng) } else { None };
            let (relation, text) = of_core.or_else(|| Relation::draw(text, check, answer, rng))?;
            let pair = self.ask_pair(job, relation, &text, answer)?;
            if let Some(hit) = pair.hit()
                && self.campaign.matters(&hit, job.target, &text)
            {
                return Some(FoundPair { text, relation, pair, check });
            }
        }
        None
    }

    /// Asks a script itself, as the start of relations. `None` if the share is used up, or the campaign is over.
    pub(super) fn ask_beside(&self, job: &JobContext<'_>, text: &str, checks: usize) -> Option<SolverOutcome> {
        let tested = &job.target.tested;
        if tested.solver.is_builtin() {
            return None;
        }
        let limits = script_limits(job);
        let mut grant = self.campaign.extra.take(expected_cpu(job)).filter(|_| !self.campaign.is_over())?;
        let outcome = tested.solver.check(text, job.purpose(checks, text), &limits).ok()?;
        grant.used(outcome.cpu);
        self.ran(job.target, &outcome);
        self.counters.extra(outcome.cpu);
        Some(outcome)
    }

    /// Asks the scripts that follow from a text. `None` if the share is used up, or the campaign is over.
    fn ask_pair(&self, job: &JobContext<'_>, relation: Relation, text: &str, known: Answer) -> Option<AskedPair> {
        let tested = &job.target.tested;
        let limits = script_limits(job);
        let mut grant = self.campaign.extra.take(SCRIPTS * expected_cpu(job)).filter(|_| !self.campaign.is_over())?;
        let mut run = |script: &RelatedScript| {
            let outcome = tested.solver.check(&script.text, script.needs(SessionNeeds::SINGLE), &limits)?;
            grant.used(outcome.cpu);
            self.ran(job.target, &outcome);
            self.counters.extra(outcome.cpu);
            Ok(outcome)
        };
        let pair = relation.ask(&tested.solver, text, Some(known), &mut run).ok()?;
        let is_cut = [&pair.first, &pair.second]
            .into_iter()
            .flatten()
            .any(|(_, outcome)| outcome.answers.iter().any(|check| check.answer == Answer::Cancelled));
        let answered = pair.answers().iter().any(|answer| answer.is_definite());
        add(&self.counters.related, u64::from(answered));
        (!is_cut).then_some(pair)
    }

    /// Reports a contradiction: as a wrong answer if the wrong one is known.
    pub(super) fn contradiction(&self, job: &JobContext<'_>, found: &FoundPair, origin: PairOrigin<'_>) {
        let FoundPair { text, relation, pair, .. } = found;
        let PairOrigin { source, store, witness, is_seed } = origin;
        let (Some(hit), Some(outcome)) = (pair.hit(), pair.outcome()) else { return };
        let ScriptSource::Mutant { mutator, mut parameters, index } = source else { return };
        parameters.push(("relation", relation.row().name.to_string()));
        let source = ScriptSource::Mutant { mutator, parameters, index };
        let (nothing, truth) = (Store::new(), Some(Trust::Certified));
        let mut candidate = Candidate {
            hit: &hit,
            text,
            earlier: "",
            expected: &[Status::Unknown; 2],
            truth: &None,
            store: &nothing,
            witness: None,
            purpose: SessionNeeds::SINGLE,
            limits: &job.limits,
            outcome: &outcome,
            false_assertion: None,
            slowness: None,
            relation: Some(*relation),
            source: &source,
            confirm_cpu: &self.confirm_cpu,
        };
        let asked: Vec<&RelatedReply> = [&pair.first, &pair.second].into_iter().flatten().collect();
        let wrong = asked.iter().find_map(|asked| Some((*asked, wrong_answer(asked, store, witness.as_ref())?)));
        let Some((asked, known)) = wrong else {
            let key = job.group(&hit, "plain".to_string(), is_seed);
            return self.hit(&key, candidate, job, job.target);
        };
        let (script, outcome) = asked;
        let mut expected = vec![Status::Unknown; outcome.answers.len()];
        if let Some(status) = expected.get_mut(script.check) {
            *status = known.right;
        }
        if known.by_witness {
            (candidate.store, candidate.witness) = (store, witness.as_ref());
        }
        let purpose = script.needs(SessionNeeds::SINGLE);
        let mode = if expected.len() > 1 { "incremental" } else { "plain" };
        let key = job.group(&known.hit, mode.to_string(), is_seed);
        let (hit, expected) = (&known.hit, &*expected);
        let candidate = Candidate {
            hit,
            text: &script.text,
            expected,
            truth: &truth,
            purpose,
            outcome,
            relation: None,
            ..candidate
        };
        self.hit(&key, candidate, job, job.target);
    }
}

/// Returns the limits of a relation's script.
fn script_limits(job: &JobContext<'_>) -> ProcessLimits {
    let most = SCRIPT_CPU + 2 * job.target.tested.measured_start();
    ProcessLimits { script_cpu: Some(most), ..job.limits.clone() }
}

/// Returns the expected CPU time of a relation's script. Excess is compensated by later questions that are skipped.
fn expected_cpu(job: &JobContext<'_>) -> Duration {
    EXPECTED_CPU + job.target.tested.measured_start()
}

/// An answer known to be wrong.
struct KnownWrongAnswer {
    right: Status,
    by_witness: bool,
    hit: Hit,
}

/// Returns the wrong answer, if known: by a witness of the original script, or by exhaustion.
fn wrong_answer(asked: &RelatedReply, store: &Store, witness: Option<&Arc<Model>>) -> Option<KnownWrongAnswer> {
    let (script, outcome) = asked;
    let RelatedScript { text, check } = script;
    let (class, right, symptom) = match outcome.answers.get(*check)?.answer {
        Answer::Unsat => (BugClass::A, Status::Sat, "unsat"),
        Answer::Sat => (BugClass::B, Status::Unsat, "sat"),
        _ => return None,
    };
    let is_witness = |model| certify_check(store, model, text, outcome.answers.len(), *check).is_ok();
    let by_witness = right == Status::Sat && witness.is_some_and(is_witness);
    let decides = || {
        let known = exhaustion::decide_text(text, *check).ok().filter(|known| known.definition().is_none());
        known.is_some_and(|known| known.word() == right.word())
    };
    let hit = Hit { class, check: *check, symptom: symptom.to_string() };
    (by_witness || decides()).then_some(KnownWrongAnswer { right, by_witness, hit })
}
