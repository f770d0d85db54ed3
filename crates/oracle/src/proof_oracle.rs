//! Proofs that a solver prints or checks itself: holes where complete proofs are promised, errors instead of proofs,
//! and failed self-checks.

use crate::judge::{self, Hit};
use finding::{BugClass, symptom};
use proof::{FaultKind, JudgeLimits, JudgedStep, ProofFault, StepRefutation, judge_text, trusted};
use smtlib::sexpr::{SexprNode, Sexprs};
use solver::outcome::{Answer, SolverOutcome};
use solver::promises::ProofReading;
use solver::session::Solver;
use solver::term_shape;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// The command that asks for a proof.
pub const GET_PROOF: &str = "(get-proof)";

/// The maximum number of faults of one run that are examined.
const MAX_FAULTS: usize = 16;

/// The maximum length of a proof whose steps are judged, in bytes.
const JUDGED_BYTES: usize = 1 << 18;

/// The maximum number of assignments of one step, and the time limits of one step and of all steps.
const JUDGED_ASSIGNMENTS: u64 = 1 << 12;
const JUDGED_STEP: Duration = Duration::from_millis(20);
const JUDGED_ALL: Duration = Duration::from_millis(200);

/// What is wrong with the proofs of one run.
#[derive(Clone, Debug, Default)]
pub struct ProofVerdict {
    /// Faults that count, each symptom once, in the order printed.
    pub faults: Vec<BrokenProof>,
    /// Steps that prove nothing, and errors instead of a proof, whether they count or not.
    pub holes: u64,
}

/// A proof fault that counts.
#[derive(Clone, Debug)]
pub struct BrokenProof {
    /// The fault as a hit.
    pub hit: Hit,
    /// The printed step that proves nothing, or the refuted step with the refuting assignment; `None` if the solver itself rejects the
    /// proof, or prints none.
    pub step: Option<String>,
}

/// A step that proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofHole {
    /// The rule, with the solver's stated reason for trust, and the shape of the conclusion.
    pub symptom: String,
    /// The printed step.
    pub step: String,
}

/// Judges the proofs of a run on a text. A failed self-check and a refuted step count in every mode. A hole, or an error instead of a
/// proof, counts only in a mode that [promises](solver::promises::PromisedMode::promises_proofs) complete proofs.
pub fn judge(outcome: &SolverOutcome, solver: &Solver, text: &str) -> ProofVerdict {
    let mut verdict = ProofVerdict::default();
    let own = judge::crashed(outcome).filter(|hit| hit.class == BugClass::P);
    verdict.faults.extend(own.map(|hit| BrokenProof { hit, step: None }));
    let is_promised = solver.promises_proofs();
    let count = |verdict: &mut ProofVerdict, check: usize, symptom: String, step: Option<String>| {
        verdict.holes += 1;
        let hit = Hit { class: BugClass::P, check, symptom };
        if is_promised && verdict.faults.len() < MAX_FAULTS && verdict.faults.iter().all(|fault| fault.hit != hit) {
            verdict.faults.push(BrokenProof { hit, step });
        }
    };
    let Some(reading) = solver.proof_reading() else { return verdict };
    let refuted = || outcome.answers.iter().enumerate().filter(|(_, check)| check.answer == Answer::Unsat);
    for (check, answer) in refuted() {
        for proof in &answer.responses {
            holes(proof, reading)
                .into_iter()
                .for_each(|hole| count(&mut verdict, check, hole.symptom, Some(hole.step)));
        }
    }
    if let Some(last) = outcome.answers.last().filter(|check| check.answer == Answer::Unsat)
        && let Some(proof) = last.responses.first()
    {
        let check = outcome.answers.len() - 1;
        let refuted = refuted_steps(text, proof).into_iter().take(MAX_FAULTS);
        let fault = |(symptom, step)| BrokenProof { hit: Hit { class: BugClass::P, check, symptom }, step };
        verdict.faults.extend(refuted.map(fault));
    }
    // An error that voids answers is about the script.
    let (mut errors, first) = (outcome.errors.iter().filter(|error| error.voids_from.is_none()), refuted().next());
    if let Some((check, _)) = first
        && let Some(error) = errors.next()
    {
        count(&mut verdict, check, format!("error: {}", symptom::of_error(&error.message)), None);
    }
    verdict
}

/// Returns the refuted or dangling steps in the proof of a text's last check: symptom, rule, shape of the conclusion, and the step with its
/// refutation. Unreadable or too large proofs are not judged.
fn refuted_steps(text: &str, proof: &str) -> Vec<(String, Option<String>)> {
    let limits = JudgeLimits {
        bytes: JUDGED_BYTES,
        assignments: JUDGED_ASSIGNMENTS,
        samples: 0,
        each: JUDGED_STEP,
        total: JUDGED_ALL,
        ..JudgeLimits::default()
    };
    let Ok(judged) = judge_text(text, proof, &limits, None) else { return Vec::new() };
    let told = |(step, refutation): (&JudgedStep, &StepRefutation)| {
        let symptom = format!("refuted {}: {}", step.rule, term_shape::of_text(&refutation.conclusion));
        (symptom, Some(refutation.describe(&step.name, &step.rule)))
    };
    let mut steps: Vec<(String, Option<String>)> = judged.refuted().map(told).collect();
    let is_broken = |fault: &&ProofFault| matches!(fault.kind, FaultKind::MissingPremise | FaultKind::Cycle);
    let broken = judged.faults.iter().find(is_broken);
    steps.extend(broken.map(|fault| (fault.kind.word().to_string(), Some(fault.message.clone()))));
    let mut seen = BTreeSet::new();
    steps.retain(|(symptom, _)| seen.insert(symptom.clone()));
    steps
}

/// Lists the steps of a printed proof that prove nothing.
pub fn holes(proof: &str, reading: &ProofReading) -> Vec<ProofHole> {
    let all = Sexprs::read(proof);
    let Some(top) = all.top().next() else { return Vec::new() };
    let mut defined: HashMap<&str, SexprNode> = HashMap::new();
    let mut found = Vec::new();
    for command in all.children(top) {
        let parts: Vec<SexprNode> = all.children(command).collect();
        let word = |n: usize| parts.get(n).map_or("", |part| all.text(*part));
        match word(0) {
            "define" if parts.len() == 4 => {
                defined.insert(word(1), parts[3]);
            }
            "step" => {
                let after =
                    |key: &str| parts.iter().position(|part| all.text(*part) == key).and_then(|at| parts.get(at + 1));
                let rule = after(":rule").map_or("", |rule| all.text(*rule));
                if reading.holes.iter().any(|hole| hole == rule) {
                    let concluded = after(":args").and_then(|args| all.children(*args).next());
                    let shape = concluded.map_or(String::new(), |term| term_shape::of(&all, term, &defined));
                    let trusted = trusted(&proof[..all.span(command).start], rule).unwrap_or(rule);
                    found.push(ProofHole {
                        symptom: format!("{trusted}: {shape}"),
                        step: all.text(command).to_string(),
                    });
                }
            }
            _ => {}
        }
    }
    found
}
