//! The judge of steps: does a conclusion follow from its premises, or does an assignment refute it?
//!
//! Invariant: a step is refuted only by an interpretation under which the exact evaluator finds its premises true and its conclusion
//! false, whatever the standard leaves open, and whatever the solver's own symbols mean.

mod claim;
mod sample;
mod script;
mod skeleton;

pub use claim::{EngineAnswer, StepEngine};

use crate::graph::{ProofGraph, ProofStep, StepId, StepKind};
use crate::limits::JudgeLimits;
use crate::read::{ProofReadError, ReadProof, StepNote, cut, read};
use crate::rules::{ProofFormat, RuleReading, reading};
use crate::verdict::{FaultKind, ProofFault};
use crate::verdict::{JudgedProof, JudgedStep, StepCounts, StepProof, StepVerdict};
use claim::{ClaimJudge, ClaimOutcome, StepClaim};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::error::position;
use smtlib::{Command, FuncId, Kind, Store, TermId};

/// The maximum number of assertions with which an assumption is compared semantically, if it is not literally one of them.
const COMPARED: usize = 64;

/// Judges the text of a proof of a problem's last check. The engine is asked about steps that stay open otherwise.
/// Errors: the problem or the proof cannot be read, or is larger than the limits.
pub fn judge_text(
    problem: &str,
    proof: &str,
    limits: &JudgeLimits,
    engine: Option<&mut StepEngine<'_>>,
) -> Result<JudgedProof, ProofReadError> {
    let mut store = Store::new();
    let ReadProof { format, graph, notes, faults, skolems, instance } = read(&mut store, problem, proof, limits)?;
    let mut judge = ClaimJudge::new(&mut store, &instance.declarations, &skolems, limits, engine);
    let mut judged = judge_steps(&mut judge, &graph, &notes, Some(format));
    let ends: Vec<usize> = proof.bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0).collect();
    for (step, note) in judged.steps.iter_mut().zip(&notes) {
        step.line = ends.partition_point(|&end| end < note.span.start) + 1;
    }
    judged.faults.extend(faults);
    // A command carried as text may be the asserted one.
    if instance.incomplete {
        return Ok(judged);
    }
    for (step, note) in graph.steps().iter().zip(&notes) {
        if step.kind != StepKind::Assumption || !note.rests_on.is_empty() {
            continue;
        }
        if let Some(assumed) = step.conclusion
            && is_foreign(&mut judge, &instance.assertions, assumed)
            && judged.faults.len() < 100
        {
            let (line, column) = position(proof, note.span.start);
            let text = cut(&judge.store.term_text(assumed));
            let message =
                format!("`{}` assumes an assertion that no assertion of the problem implies: {text}", step.name);
            judged.faults.push(ProofFault { kind: FaultKind::NotAsserted, line, column, message });
        }
    }
    Ok(judged)
}

/// Judges a graph whose terms are in the store, under these declarations.
pub fn judge_graph(
    store: &mut Store,
    declarations: &[Command],
    graph: &ProofGraph,
    limits: &JudgeLimits,
    engine: Option<&mut StepEngine<'_>>,
) -> JudgedProof {
    let skolems: FxHashSet<FuncId> = FxHashSet::default();
    let mut judge = ClaimJudge::new(store, declarations, &skolems, limits, engine);
    judge_steps(&mut judge, graph, &[], None)
}

fn judge_steps(
    judge: &mut ClaimJudge<'_, '_>,
    graph: &ProofGraph,
    notes: &[StepNote],
    format: Option<ProofFormat>,
) -> JudgedProof {
    let mut judged = JudgedProof {
        format,
        steps: Vec::with_capacity(graph.steps().len()),
        faults: Vec::new(),
        holes: Vec::new(),
        theory: StepCounts::default(),
        core: StepCounts::default(),
    };
    let readings: Vec<RuleReading> = graph.steps().iter().map(|step| reading_of(step, format)).collect();
    let mut verdicts: Vec<Option<StepVerdict>> = vec![None; readings.len()];
    let mut known: FxHashMap<(StepClaim, bool), StepVerdict> = FxHashMap::default();
    // Solvers are wrong about theories: those steps get the time first.
    for is_core in [false, true] {
        for (place, step) in graph.steps().iter().enumerate() {
            let reading = readings[place];
            if (reading == RuleReading::Core) == is_core {
                let claim = match unjudged(notes.get(place), place, step, reading) {
                    Some(verdict) => Err(verdict),
                    None => claim_of(judge, graph, step, notes).map_err(|why| StepVerdict::Open(why.into())),
                };
                let verdict = claim.map(|claim| {
                    let key = (claim, reading == RuleReading::Definition);
                    known.get(&key).cloned().unwrap_or_else(|| {
                        let verdict = verdict_of(judge, &key.0, reading);
                        known.insert(key, verdict.clone());
                        verdict
                    })
                });
                verdicts[place] = Some(verdict.unwrap_or_else(|verdict| verdict));
            }
        }
    }
    for (place, (step, verdict)) in graph.steps().iter().zip(verdicts).enumerate() {
        let reading = readings[place];
        let verdict = verdict.unwrap_or(StepVerdict::Assumed);
        if rests_on_later(step, place) {
            let message = format!("step {} `{}` depends on itself or on a later step", place + 1, step.name);
            judged.faults.push(ProofFault { kind: FaultKind::Cycle, line: 0, column: 0, message });
        }
        let counts = if reading == RuleReading::Core { &mut judged.core } else { &mut judged.theory };
        match verdict {
            StepVerdict::Holds(_) => counts.holds += 1,
            StepVerdict::Refuted(_) => counts.refuted += 1,
            StepVerdict::Open(_) => counts.open += 1,
            StepVerdict::Assumed => {}
        }
        if reading == RuleReading::Hole {
            judged.holes.push(place);
        }
        judged.steps.push(JudgedStep { name: step.name.clone(), rule: step.rule.clone(), reading, line: 0, verdict });
    }
    judged
}

/// How a step is judged.
fn reading_of(step: &ProofStep, format: Option<ProofFormat>) -> RuleReading {
    match (step.kind, format) {
        (StepKind::Definition, _) => RuleReading::Definition,
        (_, Some(format)) => reading(format, &step.rule),
        (_, None) => RuleReading::Theory,
    }
}

/// Whether the step at this index uses one that does not precede it.
fn rests_on_later(step: &ProofStep, place: usize) -> bool {
    step.premises.iter().chain(&step.discharges).any(|id| id.0 as usize >= place)
}

/// Returns the verdict on a step without a claim that can be judged.
fn unjudged(note: Option<&StepNote>, place: usize, step: &ProofStep, reading: RuleReading) -> Option<StepVerdict> {
    if step.kind == StepKind::Assumption {
        return Some(StepVerdict::Assumed);
    }
    if let Some(why) = note.and_then(|note| note.unread.as_ref()) {
        return Some(StepVerdict::Open((&**why).into()));
    }
    if rests_on_later(step, place) {
        return Some(StepVerdict::Open("it depends on itself or on a later step".into()));
    }
    (reading == RuleReading::Context).then(|| StepVerdict::Open("its rule is about a binding elsewhere".into()))
}

/// Returns a step's claim: its premises imply its conclusion, and assumptions that it discharges imply its premises. Otherwise returns why
/// the claim is unknown.
fn claim_of(
    judge: &mut ClaimJudge<'_, '_>,
    graph: &ProofGraph,
    step: &ProofStep,
    notes: &[StepNote],
) -> Result<StepClaim, &'static str> {
    const UNREAD: &str = "a premise is not understood";
    let concluded = |id: &StepId| graph.steps().get(id.0 as usize).and_then(|step| step.conclusion).ok_or(UNREAD);
    let mut premises = step.premises.iter().map(concluded).collect::<Result<Vec<TermId>, _>>()?;
    let discharged = step.discharges.iter().map(concluded).collect::<Result<Vec<TermId>, _>>()?;
    // A premise that depends on an assumption about a variable is about that variable's value there.
    let mut own: Vec<Vec<TermId>> = Vec::with_capacity(premises.len());
    for id in &step.premises {
        let rests_on = notes.get(id.0 as usize).map_or(&[][..], |note| &note.rests_on);
        let mut variables = Vec::new();
        for assumed in rests_on.iter().filter(|assumed| !step.discharges.contains(assumed)) {
            variables.extend(judge.free_variables(concluded(assumed)?));
        }
        own.push(variables);
    }
    let mut fixed = own.concat();
    for (premise, own) in premises.iter().zip(&own).filter(|_| !fixed.is_empty()) {
        let is_mixed = |variable: &TermId| fixed.contains(variable) && !own.contains(variable);
        if judge.free_variables(*premise).iter().any(is_mixed) {
            return Err("a variable stands for one value in one premise and for all in another");
        }
    }
    if !discharged.is_empty() {
        for premise in &mut premises {
            let mut parts: Vec<TermId> = discharged.iter().map(|&a| judge.store.not(a)).collect();
            parts.push(*premise);
            *premise = judge.store.or(&parts);
        }
    }
    premises.sort_unstable();
    premises.dedup();
    fixed.sort_unstable();
    fixed.dedup();
    Ok(StepClaim { premises, fixed, conclusion: step.conclusion.ok_or(UNREAD)? })
}

fn verdict_of(judge: &mut ClaimJudge<'_, '_>, claim: &StepClaim, reading: RuleReading) -> StepVerdict {
    match judge.judge(claim) {
        ClaimOutcome::Holds(by) => StepVerdict::Holds(by),
        ClaimOutcome::Refuted(_) if reading == RuleReading::Definition => {
            StepVerdict::Open("its rule need not be an entailment".into())
        }
        ClaimOutcome::Refuted(model) => match judge.refutation(claim, &model) {
            Some(refutation) => StepVerdict::Refuted(Box::new(refutation)),
            None => StepVerdict::Open("an assignment without a text refutes it".into()),
        },
        ClaimOutcome::Open(why) => StepVerdict::Open(why),
    }
}

/// Whether an assumption is known to follow from no assertion. An inconsistent assertion implies everything, so it must be
/// repeated literally or follow in turn.
fn is_foreign(judge: &mut ClaimJudge<'_, '_>, assertions: &[TermId], assumed: TermId) -> bool {
    let parts = assertions.iter().flat_map(|&a| match judge.store.kind(a) {
        Kind::And => judge.store.args(a),
        _ => &[],
    });
    if assertions.contains(&assumed) || parts.into_iter().any(|&part| part == assumed) || assertions.len() > COMPARED {
        return false;
    }
    let no = judge.store.bool(false);
    let mut outcome = |premise: Option<TermId>, conclusion: TermId| {
        judge.judge(&StepClaim { premises: premise.into_iter().collect(), fixed: Vec::new(), conclusion })
    };
    // A valid formula follows from every assertion; most assumptions are not valid.
    matches!(outcome(None, assumed), ClaimOutcome::Refuted(_))
        && assertions.iter().all(|&assertion| {
            matches!(outcome(Some(assertion), assumed), ClaimOutcome::Refuted(_))
                || matches!(outcome(Some(assertion), no), ClaimOutcome::Holds(_))
                    && matches!(outcome(Some(assumed), assertion), ClaimOutcome::Refuted(_))
        })
}

impl StepProof {
    /// Describes it.
    pub fn word(self) -> &'static str {
        match self {
            StepProof::Shape => "shape",
            StepProof::Atoms => "atoms",
            StepProof::Exhaustion => "exhaustion",
            StepProof::Engine => "engine",
        }
    }
}
