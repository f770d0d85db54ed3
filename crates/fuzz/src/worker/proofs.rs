//! Proofs of mutants answered `unsat`: printed and searched for holes, and checked by the solver itself.

use crate::config::ProofQuestions;
use crate::counts::stats::add;
use crate::worker::context::UnitContext;
use crate::worker::job::JobContext;
use oracle::model_oracle::asking_after;
use oracle::proof_oracle::{self, GET_PROOF};
use oracle::{Asking, Hit};
use smtlib::Status;
use solver::outcome::{Answer, CheckAnswer, SolverOutcome};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::time::Duration;

/// The expected CPU time of a run with a proof, besides the start. Excess is compensated by later questions that are skipped.
const EXPECTED_CPU: Duration = Duration::from_millis(50);

/// A run with a proof that shows an error.
pub(crate) struct ProofRun {
    pub(crate) text: String,
    pub(crate) purpose: SessionNeeds,
    pub(crate) outcome: SolverOutcome,
    pub(crate) hits: Vec<Hit>,
}

/// Asks for the proofs of a script's checks answered `unsat`, within the share of extra questions unless the user wants all of them or
/// the tested mode promises them. `None` if nothing is asked.
pub(crate) fn examine(
    unit: &UnitContext<'_>,
    job: &JobContext<'_>,
    text: &str,
    expected: &[Status],
    answers: &[CheckAnswer],
) -> Option<ProofRun> {
    let asked = unit.campaign.config.mutants.proofs;
    let solver = &job.target.tested.solver;
    let options = &solver.profile().options;
    let has_any = !(solver.is_builtin() || options.proofs.is_empty() && options.check_proofs.is_empty());
    // Drawn options change the promises, and validation is requested in another way.
    if asked == ProofQuestions::Off
        || !has_any
        || !job.target.tested.drawn.is_default()
        || job.validate
        || Asking::of(text) != Asking::Plain
    {
        return None;
    }
    let is_refuted =
        |(check, expected): (&CheckAnswer, &Status)| check.answer == Answer::Unsat && *expected != Status::Sat;
    let refuted: Vec<bool> = answers.iter().zip(expected).map(is_refuted).collect();
    if !refuted.contains(&true) {
        return None;
    }
    let limits = ProcessLimits { script_cpu: job.limits.script_cpu.or(Some(job.limits.wall)), ..job.limits.clone() };
    let printed = match solver.proof_reading() {
        Some(_) => asking_after(text, |at| refuted.get(at) == Some(&true), GET_PROOF)?,
        None => text.to_string(),
    };
    let purpose = job.purpose(expected.len(), text) | SessionNeeds::PROOFS;
    // Where complete proofs are promised, the solver's own check ends the run at the first hole, so it is run separately.
    let (purpose, then) = match solver.promises_proofs() {
        true => (purpose, Some(job.purpose(expected.len(), text) | SessionNeeds::CHECKED_PROOFS)),
        false => (purpose | SessionNeeds::CHECKED_PROOFS, None),
    };
    let run = ask(unit, job, (printed, expected), purpose, &limits)?;
    match then {
        Some(purpose) if run.hits.is_empty() => ask(unit, job, (text.to_string(), expected), purpose, &limits),
        _ => Some(run),
    }
}

fn ask(
    unit: &UnitContext<'_>,
    job: &JobContext<'_>,
    (text, expected): (String, &[Status]),
    purpose: SessionNeeds,
    limits: &ProcessLimits,
) -> Option<ProofRun> {
    let campaign = unit.campaign;
    let wanted = EXPECTED_CPU + job.target.tested.measured_start();
    let is_promised = job.target.tested.solver.promises_proofs();
    let mut grant = match campaign.config.mutants.proofs {
        ProofQuestions::Auto if !is_promised => Some(campaign.extra.take(wanted)?),
        _ => None,
    };
    let limits = unit.limits_now(job.target, limits);
    let outcome = job.target.tested.solver.check(&text, purpose, &limits).ok()?;
    unit.ran(job.target, &outcome);
    unit.counters.extra(outcome.cpu);
    if let Some(grant) = &mut grant {
        grant.used(outcome.cpu);
    }
    add(&unit.counters.proofs, 1);
    let verdict = proof_oracle::judge(&outcome, &job.target.tested.solver, &text);
    add(&unit.counters.proof_holes, verdict.holes);
    // Proof options may change the answer, too, which is judged as always.
    let judged = campaign.judge(expected, &outcome, (job.target, &text)).filter(|hit| !hit.class.needs_another());
    let mut hits: Vec<Hit> = verdict.faults.into_iter().map(|fault| fault.hit).collect();
    hits.extend(judged.filter(|hit| hits.iter().all(|known| known != hit)));
    hits.retain(|hit| campaign.matters(hit, job.target, &text));
    Some(ProofRun { text, purpose, outcome, hits })
}
