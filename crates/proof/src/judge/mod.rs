//! The judge of steps: does a conclusion follow from its premises, or does one assignment refute that.
//!
//! Invariant: a step is refuted only by an interpretation under which the exact evaluator finds its premises true and its conclusion
//! false, whatever the standard leaves open, and whatever the solver's own symbols mean.

mod claim;
mod sample;
mod script;
mod skeleton;

pub use claim::{EngineAnswer, StepEngine};

use crate::fault::{FaultKind, ProofFault};
use crate::graph::{ProofGraph, ProofStep, StepId, StepKind};
use crate::limits::JudgeLimits;
use crate::read::{ProofReadError, ReadProof, StepNote, cut, read};
use crate::rules::{ProofFormat, RuleReading, reading};
use crate::verdict::{JudgedProof, JudgedStep, StepProof, StepVerdict, VerdictCounts};
use claim::{Claim, ClaimJudge, ClaimOutcome};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::error::position;
use smtlib::{Command, FuncId, Store, TermId};

/// The assertions that an assumption is compared with by their meaning, where it is none of them as it stands.
const COMPARED: usize = 64;

/// Judges the text of a proof of a problem's last check. An engine decides steps that are left open without it.
///
/// # Errors
/// The problem or the proof cannot be read, or is larger than the limits.
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
    let mut lines = Lines { text: proof, offset: 0, line: 1 };
    for (step, note) in judged.steps.iter_mut().zip(&notes) {
        step.line = lines.at(note.span.start);
    }
    judged.faults = faults;
    for (step, note) in graph.steps().iter().zip(&notes) {
        if step.kind != StepKind::Assumption || note.rests_on.first().is_some() {
            continue;
        }
        if let Some(assumed) = step.conclusion
            && is_foreign(&mut judge, &instance.assertions, assumed)
            && judged.faults.len() < 100
        {
            let (line, column) = position(proof, note.span.start);
            let text = cut(&judge.store.term_text(assumed));
            let message = format!("`{}` takes as asserted what no assertion of the problem implies: {text}", step.name);
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

/// The lines of ascending places of a text.
struct Lines<'t> {
    text: &'t str,
    offset: usize,
    line: usize,
}

impl Lines<'_> {
    fn at(&mut self, offset: usize) -> usize {
        if let Some(between) = self.text.get(self.offset..offset) {
            self.line += between.bytes().filter(|&b| b == b'\n').count();
            self.offset = offset;
        } else if let Some(before) = self.text.get(..offset) {
            // Steps inside terms may begin before those that they use.
            (self.line, self.offset) = (before.bytes().filter(|&b| b == b'\n').count() + 1, offset);
        }
        self.line
    }
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
        theory: VerdictCounts::default(),
        core: VerdictCounts::default(),
    };
    let mut known: FxHashMap<(Claim, bool), StepVerdict> = FxHashMap::default();
    for (place, step) in graph.steps().iter().enumerate() {
        let own = format.map_or(RuleReading::Theory, |format| reading(format, &step.rule));
        let reading = if step.kind == StepKind::Definition { RuleReading::Definition } else { own };
        let verdict = match unjudged(graph, notes.get(place), place, step, reading) {
            Some(verdict) => verdict,
            None => match claim_of(judge.store, graph, step) {
                None => StepVerdict::Open("it or a premise is not understood".into()),
                Some(claim) => {
                    let key = (claim, reading == RuleReading::Definition);
                    match known.get(&key) {
                        Some(verdict) => verdict.clone(),
                        None => {
                            let verdict = verdict_of(judge, &key.0, reading);
                            known.insert(key, verdict.clone());
                            verdict
                        }
                    }
                }
            },
        };
        if step.premises.iter().chain(&step.discharges).any(|id| id.0 as usize >= place) {
            let message = format!("step {} `{}` rests on itself or on a later step", place + 1, step.name);
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

/// The verdict on a step that claims nothing that can be judged.
fn unjudged(
    graph: &ProofGraph,
    note: Option<&StepNote>,
    place: usize,
    step: &ProofStep,
    reading: RuleReading,
) -> Option<StepVerdict> {
    if step.kind == StepKind::Assumption {
        return Some(StepVerdict::Assumed);
    }
    if let Some(why) = note.and_then(|note| note.unread.as_ref()) {
        return Some(StepVerdict::Open((&**why).into()));
    }
    if step.premises.iter().chain(&step.discharges).any(|id| id.0 as usize >= place.min(graph.steps().len())) {
        return Some(StepVerdict::Open("it rests on itself or on a later step".into()));
    }
    (reading == RuleReading::Context).then(|| StepVerdict::Open("its rule says something of a binding elsewhere".into()))
}

/// What a step says: its premises imply its conclusion. Assumptions that it discharges imply its premises.
fn claim_of(store: &mut Store, graph: &ProofGraph, step: &ProofStep) -> Option<Claim> {
    let conclusion = |id: &StepId| graph.steps().get(id.0 as usize)?.conclusion;
    let mut premises = step.premises.iter().map(conclusion).collect::<Option<Vec<TermId>>>()?;
    if !step.discharges.is_empty() {
        let assumptions = step.discharges.iter().map(conclusion).collect::<Option<Vec<TermId>>>()?;
        for premise in &mut premises {
            let mut parts: Vec<TermId> = assumptions.iter().map(|&a| store.not(a)).collect();
            parts.push(*premise);
            *premise = store.or(&parts);
        }
    }
    premises.sort_unstable();
    premises.dedup();
    Some(Claim { premises, conclusion: step.conclusion? })
}

fn verdict_of(judge: &mut ClaimJudge<'_, '_>, claim: &Claim, reading: RuleReading) -> StepVerdict {
    match judge.judge(claim) {
        ClaimOutcome::Holds(by) => StepVerdict::Holds(by),
        ClaimOutcome::Refuted(_) if reading == RuleReading::Definition => {
            StepVerdict::Open("it says what a new symbol means".into())
        }
        ClaimOutcome::Refuted(model) => match judge.refutation(claim, &model) {
            Some(refutation) => StepVerdict::Refuted(Box::new(refutation)),
            None => StepVerdict::Open("an assignment refutes it that has no text".into()),
        },
        ClaimOutcome::Open(why) => StepVerdict::Open(why),
    }
}

/// Whether an assumption follows from no assertion: from each of them that it does not is known.
fn is_foreign(judge: &mut ClaimJudge<'_, '_>, assertions: &[TermId], assumed: TermId) -> bool {
    if assertions.contains(&assumed) || assertions.len() > COMPARED {
        return false;
    }
    if judge.follows_from_nothing(assumed) {
        return false;
    }
    assertions.iter().all(|&assertion| {
        let claim = Claim { premises: vec![assertion], conclusion: assumed };
        matches!(judge.judge(&claim), ClaimOutcome::Refuted(_))
    })
}

impl StepProof {
    /// A phrase for it.
    pub fn word(self) -> &'static str {
        match self {
            StepProof::Shape => "shape",
            StepProof::Atoms => "atoms",
            StepProof::Exhaustion => "exhaustion",
            StepProof::Engine => "engine",
        }
    }
}
