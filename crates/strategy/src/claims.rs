//! Records what a run concluded: a claim for each formula that a tactic makes, each case of a split, and each refutation.
//!
//! While a run is recorded, the origin of a formula is the one step that concluded it, instead of input assertions. So the origins that
//! passes track for cores become the premises of claims. The first steps are the assertions.

use crate::claim_log::ClaimLog;
use crate::outcome::{Subgoals, TacticOutcome};
use crate::proof::{CaseSteps, Proof};
use proof::{ProofGraph, ProofStep, StepId, StepKind};
use rewrite::walk::visit;
use rewrite::{Conversion, Goal, GoalFormula, Origins, PassResult};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{FuncId, Kind, Op, Store, TermId};

/// The claims of a run so far, failed branches included.
#[derive(Clone, Debug, Default)]
pub struct ProofRecorder {
    graph: ProofGraph,
}

/// The claims of a run.
#[derive(Clone, Debug)]
pub struct RecordedProof {
    /// All claims, including unused ones.
    pub graph: ProofGraph,
    /// The step that refutes the assertions, if any.
    pub refutation: Option<StepId>,
}

impl ProofRecorder {
    /// Makes a recorder with the assertions and the goal made of them, whose origins are numbers of assertions.
    pub fn begin(store: &Store, assertions: &[TermId], goal: Goal) -> (ProofRecorder, Goal) {
        let mut recorder = ProofRecorder::default();
        assertions.iter().for_each(|&assertion| {
            recorder.graph.assume(assertion);
        });
        let formulas = goal.formulas().to_vec();
        let formulas: Vec<GoalFormula> =
            formulas.into_iter().map(|formula| recorder.claimed(formula, "expand-definitions", &[])).collect();
        (recorder, goal.with(store, formulas))
    }

    /// Returns the formula with the step that concludes it as its origin, a new one by `rule` unless it was concluded before.
    fn claimed(&mut self, formula: GoalFormula, rule: &str, more: &[StepId]) -> GoalFormula {
        if self.is_claimed(&formula) {
            return formula;
        }
        let mut premises = steps_of(&formula.origins);
        premises.extend(more);
        let step = self.graph.conclude(rule, &premises, formula.term);
        GoalFormula { term: formula.term, origins: Origins::one(step.0) }
    }

    /// Records the result of a tactic, and the clauses that an engine found.
    pub fn record(&mut self, store: &mut Store, by: &str, outcome: &mut TacticOutcome, log: &ClaimLog) {
        let clauses = log.take();
        match outcome {
            TacticOutcome::Open(open) => self.subgoals(store, by, open),
            TacticOutcome::Unsat(refutation) => {
                let clauses: Vec<StepId> =
                    clauses.into_iter().map(|(rule, clause)| self.graph.conclude(rule, &[], clause)).collect();
                let Proof::Closed { by, trusted, step, .. } = &mut refutation.proof else { return };
                let rule = if *trusted { format!("trust {by}") } else { by.to_string() };
                let falsum = store.bool(false);
                let formula = GoalFormula::new(falsum, refutation.origins.clone());
                refutation.origins = self.claimed(formula, &rule, &clauses).origins;
                *step = steps_of(&refutation.origins).first().copied();
            }
            TacticOutcome::Sat(_) | TacticOutcome::Fail(_) => {}
        }
    }

    fn subgoals(&mut self, store: &mut Store, by: &str, open: &mut Subgoals) {
        let Proof::Step { trusted, split, .. } = &mut open.proof else { return };
        let rule = trusted.as_ref().map_or_else(|| by.to_string(), |program| format!("trust {program}"));
        if let [branch] = &mut open.branches[..] {
            self.formulas(store, &rule, branch);
        } else {
            *split = Some(Box::new(self.split(store, &rule, &mut open.branches)));
        }
    }

    /// Adds a claim for each new formula of a goal, after definitions of its new symbols.
    fn formulas(&mut self, store: &mut Store, rule: &str, branch: &mut PassResult) {
        let mut fresh = FreshOfStep::of(store, self, rule, branch);
        let formulas = branch.goal.take();
        let mut claimed = Vec::with_capacity(formulas.len());
        // Formulas with symbols without a known definition.
        let mut undefined = Vec::new();
        for formula in formulas {
            let (definitions, is_defined) = fresh.needed(store, formula.term);
            if !branch.goal.precision.keeps_unsat() {
                claimed.push(self.assumed(formula, rule));
            } else if is_defined {
                claimed.push(self.claimed(formula, rule, &definitions));
            } else {
                undefined.push((claimed.len(), definitions));
                claimed.push(formula);
            }
        }
        if !undefined.is_empty() {
            let mut premises = Vec::new();
            for (n, definitions) in &mut undefined {
                premises.extend(steps_of(&claimed[*n].origins));
                premises.append(definitions);
            }
            premises.sort_unstable();
            premises.dedup();
            let terms: Vec<TermId> = undefined.iter().map(|(n, _)| claimed[*n].term).collect();
            let rule = if rule.contains(' ') { rule.to_string() } else { format!("model-converter {rule}") };
            let all = self.step(&rule, StepKind::Definition, premises, store.and(&terms));
            for (n, _) in undefined {
                let formula = GoalFormula::new(claimed[n].term, Origins::one(all.0));
                claimed[n] = self.claimed(formula, "and-elim", &[]);
            }
        }
        let attributes = std::mem::replace(&mut branch.goal, Goal::new(rewrite::Wants::ALL));
        branch.goal = attributes.with(store, claimed);
    }

    /// Adds a formula that the goal does not imply: no refutation of the input depends on it.
    pub fn assumed(&mut self, formula: GoalFormula, rule: &str) -> GoalFormula {
        let premises = steps_of(&formula.origins);
        let rule = format!("under-approximation {}", rule.replace(' ', "-"));
        let step = self.step(&rule, StepKind::Assumption, premises, formula.term);
        GoalFormula { term: formula.term, origins: Origins::one(step.0) }
    }

    /// Adds the claim that one of the cases holds, and an assumption for each.
    fn split(&mut self, store: &mut Store, rule: &str, branches: &mut [PassResult]) -> CaseSteps {
        let (mut cases, mut premises) = (Vec::new(), Vec::new());
        for branch in branches.iter() {
            let is_new = |f: &&GoalFormula| !self.is_claimed(f);
            let new: Vec<TermId> = branch.goal.formulas().iter().filter(is_new).map(|f| f.term).collect();
            premises.extend(branch.goal.formulas().iter().filter(is_new).flat_map(|f| steps_of(&f.origins)));
            cases.push(store.and(&new));
        }
        premises.sort_unstable();
        premises.dedup();
        let is_defined = branches.iter().all(|branch| branch.converter.introduced().is_empty());
        let kind = if is_defined { StepKind::Claim } else { StepKind::Definition };
        let claim = self.step(rule, kind, premises, store.or(&cases));
        let cases: Vec<StepId> = cases.into_iter().map(|case| self.graph.assume(case)).collect();
        for (branch, &case) in branches.iter_mut().zip(&cases) {
            let formulas = branch.goal.formulas().to_vec();
            let claimed: Vec<GoalFormula> = formulas
                .into_iter()
                .map(|f| match self.is_claimed(&f) {
                    true => f,
                    false => self.claimed(GoalFormula::new(f.term, Origins::one(case.0)), "and-elim", &[]),
                })
                .collect();
            let attributes = std::mem::replace(&mut branch.goal, Goal::new(rewrite::Wants::ALL));
            branch.goal = attributes.with(store, claimed);
        }
        CaseSteps { claim, cases }
    }

    /// Whether the origin of a formula is the step that concludes it.
    fn is_claimed(&self, formula: &GoalFormula) -> bool {
        let is_conclusion = |s: &StepId| self.graph.steps()[s.0 as usize].conclusion == Some(formula.term);
        matches!(&steps_of(&formula.origins)[..], [only] if is_conclusion(only))
    }

    fn step(&mut self, rule: &str, kind: StepKind, premises: Vec<StepId>, conclusion: TermId) -> StepId {
        self.graph.push(ProofStep {
            name: "".into(),
            rule: rule.into(),
            kind,
            premises,
            discharges: Vec::new(),
            conclusion: Some(conclusion),
        })
    }

    /// Returns the positions of those formulas, identified by their steps, on which a step depends.
    pub fn rests_on(&self, origins: &Origins, formulas: &[GoalFormula]) -> Vec<usize> {
        let mut places: FxHashMap<StepId, Vec<usize>> = FxHashMap::default();
        for (n, formula) in formulas.iter().enumerate() {
            steps_of(&formula.origins).into_iter().for_each(|step| places.entry(step).or_default().push(n));
        }
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut stack = steps_of(origins);
        while let Some(step) = stack.pop() {
            match places.get(&step) {
                _ if !seen.insert(step) => {}
                Some(positions) => found.extend(positions),
                None => stack.extend(&self.graph.steps()[step.0 as usize].premises),
            }
        }
        found.sort_unstable();
        found
    }

    /// Returns the numbers of the assertions, out of `assertions`, on which a step depends.
    pub fn core(&self, refutation: StepId, assertions: usize) -> Vec<usize> {
        let steps = self.graph.leading_to([refutation]);
        steps.into_iter().map(|step| step.0 as usize).filter(|&n| n < assertions).collect()
    }

    /// Returns the refutation at the end of a closed tree of steps, combining the refutations of cases.
    pub fn refuted(&mut self, store: &mut Store, proof: &Proof) -> Option<StepId> {
        let mut proof = proof;
        loop {
            match proof {
                Proof::Hole(_) => return None,
                Proof::Closed { step, .. } => return *step,
                Proof::Step { premises, .. } if premises.len() == 1 => proof = &premises[0],
                Proof::Step { premises, split, .. } => {
                    let split = split.as_ref()?;
                    let mut ends = vec![split.claim];
                    for (proof, &case) in premises.iter().zip(&split.cases) {
                        let end = self.refuted(store, proof)?;
                        let conclusion = self.graph.steps()[case.0 as usize].conclusion.map(|case| store.not(case));
                        ends.push(self.graph.push(ProofStep {
                            name: "".into(),
                            rule: "scope".into(),
                            kind: StepKind::Claim,
                            premises: vec![end],
                            discharges: vec![case],
                            conclusion,
                        }));
                    }
                    return Some(self.graph.conclude("cases", &ends, store.bool(false)));
                }
            }
        }
    }

    /// Returns the claims.
    pub fn finish(self, refutation: Option<StepId>) -> RecordedProof {
        RecordedProof { graph: self.graph, refutation }
    }
}

/// Returns the steps that a set of origins represents while a run is recorded.
fn steps_of(origins: &Origins) -> Vec<StepId> {
    origins.indices().into_iter().map(StepId).collect()
}

/// The symbols that a step of a strategy introduced.
struct FreshOfStep {
    /// The index of the definition by which each enters the proof; `None` without a known definition.
    symbols: FxHashMap<FuncId, Option<usize>>,
    /// The steps that define, and the symbols of this step that they mention.
    definitions: Vec<(StepId, Vec<FuncId>)>,
}

impl FreshOfStep {
    fn of(store: &mut Store, recorder: &mut ProofRecorder, rule: &str, branch: &PassResult) -> FreshOfStep {
        // A symbol may have several, with definitions between that mention it: these are combined.
        let mut parts: Vec<(Vec<FuncId>, Vec<[TermId; 2]>)> = Vec::new();
        let mut fresh = FreshOfStep { symbols: FxHashMap::default(), definitions: Vec::new() };
        for conversion in branch.converter.introduced() {
            match conversion {
                Conversion::Introduce { symbols, image, of } => {
                    let known = parts.iter().position(|part| part.0.iter().any(|f| symbols.contains(f)));
                    let mut part = (symbols.to_vec(), vec![[*image, *of]]);
                    if let Some(first) = known {
                        for mut later in parts.drain(first..).rev() {
                            later.0.append(&mut part.0);
                            later.1.append(&mut part.1);
                            part = later;
                        }
                    }
                    parts.push(part);
                }
                Conversion::Forget(symbol) => {
                    fresh.symbols.insert(*symbol, None);
                }
                _ => {}
            }
        }
        for (symbols, equations) in parts {
            let equation = |[image, of]: [TermId; 2]| match store.kind(of) {
                Kind::True => image,
                _ => store.app(Op::new(Kind::Eq), &[image, of]).expect("both sides have one sort"),
            };
            let equations: Vec<TermId> = equations.into_iter().map(equation).collect();
            let conclusion = store.and(&equations);
            fresh.symbols.extend(symbols.iter().map(|&f| (f, Some(fresh.definitions.len()))));
            let mentioned = fresh.mentioned(store, conclusion);
            let step = recorder.step(rule, StepKind::Definition, Vec::new(), conclusion);
            fresh.definitions.push((step, mentioned));
        }
        fresh
    }

    /// Returns the symbols of this step in a term.
    fn mentioned(&self, store: &Store, t: TermId) -> Vec<FuncId> {
        let mut found = Vec::new();
        if !self.symbols.is_empty() {
            visit(store, [t], |t| {
                found.extend(store.op(t).func().filter(|f| self.symbols.contains_key(f)));
            });
        }
        found
    }

    /// Returns the definitions that a formula needs, and whether all its symbols have one.
    fn needed(&mut self, store: &Store, t: TermId) -> (Vec<StepId>, bool) {
        let mut used = vec![false; self.definitions.len()];
        let mut is_defined = true;
        let mut stack = self.mentioned(store, t);
        while let Some(symbol) = stack.pop() {
            match self.symbols[&symbol] {
                None => is_defined = false,
                Some(n) if !std::mem::replace(&mut used[n], true) => stack.extend(&self.definitions[n].1),
                Some(_) => {}
            }
        }
        let steps = self.definitions.iter().zip(used).filter(|(_, used)| *used).map(|(definition, _)| definition.0);
        (steps.collect(), is_defined)
    }
}
