//! One claim, tried with the cheapest method first.

use super::sample::Sampler;
use super::{script, skeleton};
use crate::limits::JudgeLimits;
use crate::verdict::{StepProof, StepRefutation};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::truth::{CheckTruth, ExhaustLimits, OpenTruth, Search, TruthQuery, of_formulas, unproven};
use semantics::{EvalLimits, Evaluator, Model, Stop, Verdict};
use smtlib::free_vars::FreeVars;
use smtlib::{Binder, Command, Func, FuncBody, FuncId, Kind, Store, TermId};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An engine's answer about formulas.
#[derive(Clone, Debug)]
pub enum EngineAnswer {
    /// The formulas are satisfiable; the model is checked.
    Sat(Box<Model>),
    /// The formulas are unsatisfiable.
    Unsat,
    /// No answer.
    Unknown,
}

/// The caller's engine: gets the store, the formulas, and a time limit.
pub type StepEngine<'e> = dyn FnMut(&mut Store, &[TermId], Duration) -> EngineAnswer + 'e;

/// A claim: the premises imply the conclusion.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct StepClaim {
    pub premises: Vec<TermId>,
    /// Variables with one fixed value in the premises, which depend on assumptions about them.
    pub fixed: Vec<TermId>,
    pub conclusion: TermId,
}

/// The result of judging a claim.
pub(super) enum ClaimOutcome {
    Holds(StepProof),
    Refuted(Box<Model>),
    Open(Box<str>),
}

/// A judge of claims over one store.
pub(super) struct ClaimJudge<'a, 'e> {
    pub store: &'a mut Store,
    declarations: &'a [Command],
    skolems: &'a FxHashSet<FuncId>,
    limits: &'a JudgeLimits,
    engine: Option<&'a mut StepEngine<'e>>,
    end: Option<Instant>,
    free: FreeVars,
    /// The constants that stand for free variables.
    constants: FxHashMap<TermId, TermId>,
    sampler: Sampler,
}

impl<'a, 'e> ClaimJudge<'a, 'e> {
    pub fn new(
        store: &'a mut Store,
        declarations: &'a [Command],
        skolems: &'a FxHashSet<FuncId>,
        limits: &'a JudgeLimits,
        engine: Option<&'a mut StepEngine<'e>>,
    ) -> ClaimJudge<'a, 'e> {
        ClaimJudge {
            store,
            declarations,
            skolems,
            limits,
            engine,
            end: Instant::now().checked_add(limits.total),
            free: FreeVars::default(),
            constants: FxHashMap::default(),
            sampler: Sampler::default(),
        }
    }

    /// Judges a claim.
    pub fn judge(&mut self, claim: &StepClaim) -> ClaimOutcome {
        if skeleton::is_plain(self.store, &claim.premises, claim.conclusion) {
            return ClaimOutcome::Holds(StepProof::Shape);
        }
        let now = Instant::now();
        if self.end.is_some_and(|end| now >= end) {
            return ClaimOutcome::Open("the time for all steps is up".into());
        }
        let deadline = now.checked_add(self.limits.each).into_iter().chain(self.end).min();
        let stop = Stop { deadline, cancelled: None };
        let Some(formulas) = self.formulas(claim) else {
            return ClaimOutcome::Open("a name is both free and bound in it".into());
        };
        if skeleton::is_refuted(self.store, &formulas, &stop) {
            return ClaimOutcome::Holds(StepProof::Atoms);
        }
        let mut why = match self.exhaust(&formulas, &stop) {
            Err(outcome) => return outcome,
            Ok(why) => why,
        };
        if let Some(model) = self.sampler.refute(self.store, &formulas, self.limits.samples, &stop) {
            return self.refuted(&formulas, model, &stop);
        }
        if let Some(engine) = self.engine.as_mut() {
            let left = deadline.map_or(self.limits.each, |end| end.saturating_duration_since(Instant::now()));
            match engine(self.store, &formulas, left.max(self.limits.each / 2)) {
                EngineAnswer::Unsat => return ClaimOutcome::Holds(StepProof::Engine),
                EngineAnswer::Sat(model) => return self.refuted(&formulas, *model, &stop),
                EngineAnswer::Unknown => why = format!("{why}; no engine decides it"),
            }
        }
        ClaimOutcome::Open(why.into())
    }

    /// Decides the claim's small world; otherwise returns why it is not decided.
    fn exhaust(&mut self, formulas: &[TermId], stop: &Stop) -> Result<String, ClaimOutcome> {
        match self.world(formulas, stop) {
            Ok(CheckTruth::Unsat(refutation)) if refutation.definition.is_none() => {
                Err(ClaimOutcome::Holds(StepProof::Exhaustion))
            }
            Ok(CheckTruth::Unsat(_)) => Ok("a recursive definition has several readings".to_string()),
            Ok(CheckTruth::Sat(model)) => Err(self.refuted(formulas, *model, stop)),
            Err(reason) => Ok(reason.to_string()),
        }
    }

    /// Decides formulas by trying every assignment.
    fn world(&mut self, formulas: &[TermId], stop: &Stop) -> Result<CheckTruth, OpenTruth> {
        let each = EvalLimits { steps: 1 << 20, ..EvalLimits::default() };
        let evaluations = self.limits.assignments.saturating_mul(4);
        let limits =
            ExhaustLimits { assignments: self.limits.assignments, evaluations, each, ..ExhaustLimits::default() };
        let query = TruthQuery { limits: &limits, stop, search: Search::Quick };
        of_formulas(self.store, formulas, query)
    }

    /// Checks a model that is said to refute: it may not depend on anything that the solver may choose.
    fn refuted(&mut self, formulas: &[TermId], model: Model, stop: &Stop) -> ClaimOutcome {
        // If definitions may have no model, a claim that does not mention them may hold because of them.
        if let Some(name) = unproven(self.store, self.declarations) {
            return ClaimOutcome::Open(format!("`{name}` is not proven to have a value everywhere").into());
        }
        match self.refuted_by(formulas, &model, stop) {
            Ok(model) => ClaimOutcome::Refuted(Box::new(model)),
            // Whatever it depends on, if everything refutes it.
            Err(_) if formulas.iter().all(|&f| self.is_valid(f, stop)) => ClaimOutcome::Refuted(Box::new(model)),
            Err(why) => ClaimOutcome::Open(why.into()),
        }
    }

    /// Whether a formula is known to be true under every assignment.
    fn is_valid(&mut self, formula: TermId, stop: &Stop) -> bool {
        let denied = [self.store.not(formula)];
        skeleton::is_plain(self.store, &[], formula)
            || skeleton::is_refuted(self.store, &denied, stop)
            || self
                .world(&denied, stop)
                .is_ok_and(|truth| matches!(truth, CheckTruth::Unsat(refutation) if refutation.definition.is_none()))
            || self
                .engine
                .as_mut()
                .is_some_and(|engine| matches!(engine(self.store, &denied, self.limits.each / 2), EngineAnswer::Unsat))
    }

    /// Returns the refuting model, with values that the evaluation fixed, or why it does not count.
    fn refuted_by(&mut self, formulas: &[TermId], model: &Model, stop: &Stop) -> Result<Model, String> {
        if !model.choices().is_empty() {
            return Err("it depends on a value that the standard leaves open".into());
        }
        if script::symbols(self.store, formulas).iter().any(|f| self.skolems.contains(f)) {
            return Err("it depends on the meaning of the solver's own symbols".into());
        }
        let mut evaluator = Evaluator::new(Arc::new(model.clone()), EvalLimits::default()).heeding(stop);
        let verdict = semantics::validate::validate_with(self.store, formulas, &mut evaluator);
        match verdict {
            Verdict::Valid => Ok((**evaluator.model()).clone()),
            Verdict::Invalid { .. } => Err("the refuting model makes the formulas false".into()),
            Verdict::Unknown { reason, .. } => Err(format!("a model may refute it: {reason}")),
        }
    }

    /// Returns formulas that are unsatisfiable if the claim holds. A free variable of a premise is universal, since the premise
    /// was derived for any value, unless it is fixed; one of the conclusion has one value. `None` if a name is both free and
    /// bound in a formula.
    fn formulas(&mut self, claim: &StepClaim) -> Option<Vec<TermId>> {
        let mut formulas: Vec<TermId> = Vec::with_capacity(claim.premises.len() + 1);
        for &premise in &claim.premises {
            let closed = self.closed(premise, &claim.fixed);
            formulas.push(self.instance(closed)?);
            let instance = self.instance(premise)?;
            if formulas.last() != Some(&instance) {
                formulas.push(instance);
            }
        }
        let conclusion = self.instance(claim.conclusion)?;
        formulas.push(self.store.not(conclusion));
        Some(formulas)
    }

    /// Binds the free variables of a formula by `forall`, except these.
    fn closed(&mut self, formula: TermId, fixed: &[TermId]) -> TermId {
        let mut variables = self.free_variables(formula);
        variables.retain(|variable| !fixed.contains(variable));
        if variables.is_empty() {
            return formula;
        }
        let vars = variables.iter().filter_map(|&v| Some((self.store.variable(v)?, self.store.sort(v)))).collect();
        let binder = Binder { vars, patterns: [].into(), no_patterns: 0, qid: None, weight: None };
        self.store.bind(Kind::Forall, binder, &[formula]).unwrap_or(formula)
    }

    /// Replaces each free variable by a constant.
    fn instance(&mut self, formula: TermId) -> Option<TermId> {
        let variables = self.free_variables(formula);
        if variables.is_empty() {
            return Some(formula);
        }
        let mut by: FxHashMap<TermId, TermId> = FxHashMap::default();
        for variable in variables {
            if let Some(&constant) = self.constants.get(&variable) {
                by.insert(variable, constant);
                continue;
            }
            let Some(name) = self.store.variable(variable) else { continue };
            let base = self.store.name(name).to_string();
            let taken: FxHashSet<smtlib::Symbol> = self.store.function_names().collect();
            let name = self.store.fresh_symbol(&base, |s| taken.contains(&s));
            let result = self.store.sort(variable);
            let f = self.store.declare(Func { name, params: [].into(), result, body: FuncBody::Declared });
            if let Ok(constant) = self.store.constant_of(f) {
                self.constants.insert(variable, constant);
                by.insert(variable, constant);
            }
        }
        skeleton::replace_free(self.store, &mut self.free, formula, &by)
    }

    /// Lists the free variables of a term.
    pub fn free_variables(&mut self, t: TermId) -> Vec<TermId> {
        skeleton::free_variables(self.store, &mut self.free, t)
    }

    /// Describes a refutation.
    pub fn refutation(&mut self, claim: &StepClaim, model: &Model) -> Option<StepRefutation> {
        let formulas = self.formulas(claim)?;
        let declarations = script::declarations(self.store, self.declarations, &formulas);
        let assignment = model.definitions(self.store, &declarations).ok()?;
        let assignment = assignment
            .iter()
            .map(|command| {
                self.store.script_text(&smtlib::Script { commands: vec![command.clone()] }).trim().to_string()
            })
            .collect();
        Some(StepRefutation {
            premises: claim.premises.iter().map(|&p| self.store.term_text(p)).collect(),
            conclusion: self.store.term_text(claim.conclusion),
            assignment,
            script: script::text(self.store, declarations, &formulas),
        })
    }
}
