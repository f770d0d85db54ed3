//! `(refine A B)`: A on an under-approximation of a goal and B on an over-approximation, alternating, each guided by the other's results.
//!
//! Bryant, Kroening, Ouaknine, Seshia, Strichman and Brady, "Deciding Bit-Vector Arithmetic with Abstraction", TACAS 2007, section 3,
//! generalized to goals of any theory and strategies of any kind. B gets the formulas that refutations by A used; if A failed, those that
//! B's last model violates; formulas that B cannot decide are left out. A gets all formulas, with numbers and bit-vectors near their
//! values in that model, in a growing neighbourhood.
//!
//! Example: for `x > 50` and `x * x = 10404` B takes the first, and finds `x = 51`; within 64 of it A finds 102.

use super::StrategyPlan;
use crate::outcome::{GoalWitness, Refutation, TacticFailure, TacticOutcome};
use crate::proof::Proof;
use crate::run::TacticRun;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rewrite::complete::complete;
use rewrite::linear::number_term;
use rewrite::substitute::variables;
use rewrite::{Goal, GoalFormula, Origins, Precision, Wants};
use semantics::{EvalLimits, Evaluator, Interpretation, Model, Value};
use smtlib::{BuildError, FuncId, Kind, Op, Sort, SortId, Store, TermId};
use std::sync::Arc;

/// The default number of rounds.
const ROUNDS: u32 = 16;

/// The maximum distance of a value from the model in the first round.
const FIRST_RADIUS: u64 = 1;

/// The growth factor of the neighbourhood per round.
const GROWTH: u64 = 4;

/// Beyond this radius nothing is restricted.
const LAST_RADIUS: u64 = 1 << 40;

/// Runs `under` and `over` alternately, for a limited number of rounds.
pub(super) fn refine(
    under: &StrategyPlan,
    over: &StrategyPlan,
    rounds: Option<u32>,
    store: &mut Store,
    goal: Goal,
    run: &mut TacticRun,
) -> TacticOutcome {
    let mut search = Refinement {
        is_recorded: run.claims.is_some(),
        standing: vec![FormulaStanding::Outside; goal.len()],
        goal,
        broken: Vec::new(),
        centre: Model::new(),
        radius: Some(FIRST_RADIUS),
    };
    let mut why = TacticFailure::Undecided("refine of no rounds".to_string());
    run.budget = run.budget.cooperating();
    for _ in 0..rounds.unwrap_or(ROUNDS).min(super::MAX_ROUNDS) {
        let before = search.standing.clone();
        match search.over(over, store, run) {
            RefinementStep::Decided(outcome) => return *outcome,
            RefinementStep::Failed(failure) => why = failure,
            RefinementStep::Refined => {}
        }
        match search.under(under, store, run) {
            RefinementStep::Decided(outcome) => return *outcome,
            RefinementStep::Failed(failure) => {
                why = failure;
                std::mem::take(&mut search.broken).into_iter().for_each(|n| search.propose(n));
            }
            RefinementStep::Refined => {}
        }
        if let Err(stopped) = run.budget.check() {
            return TacticOutcome::Fail(stopped.into());
        }
        if search.radius.is_none() && search.standing == before {
            break;
        }
        search.radius = search.radius.map(|radius| radius * GROWTH).filter(|&radius| radius <= LAST_RADIUS);
    }
    TacticOutcome::Fail(why)
}

/// The result of one of the two strategies.
enum RefinementStep {
    /// The goal is decided.
    Decided(Box<TacticOutcome>),
    /// The approximations were improved.
    Refined,
    /// Nothing was learned.
    Failed(TacticFailure),
}

/// The state of a formula in the over-approximation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FormulaStanding {
    /// The formula is not included.
    Outside,
    /// The formula will be included.
    Proposed,
    /// The formula is included.
    Inside,
    /// With it the over-approximation was not decided.
    Refused,
}

/// The approximations.
struct Refinement {
    goal: Goal,
    /// Whether origins are steps of a proof.
    is_recorded: bool,
    /// The state of each formula of the goal.
    standing: Vec<FormulaStanding>,
    /// The formulas that the model violates.
    broken: Vec<usize>,
    /// The model near which values are searched.
    centre: Model,
    /// The maximum distance from it; `None` without a limit.
    radius: Option<u64>,
}

impl Refinement {
    /// Proposes a formula for the over-approximation, unless that failed before.
    fn propose(&mut self, n: usize) {
        if self.standing[n] == FormulaStanding::Outside {
            self.standing[n] = FormulaStanding::Proposed;
        }
    }

    /// Decides the over-approximation with all proposed formulas or, if that fails, with each in turn.
    fn over(&mut self, plan: &StrategyPlan, store: &mut Store, run: &mut TacticRun) -> RefinementStep {
        let proposed = (0..self.standing.len()).filter(|&n| self.standing[n] == FormulaStanding::Proposed);
        let proposed: Vec<usize> = proposed.collect();
        let mut step = self.over_with(&proposed, plan, store, run);
        if !matches!(step, RefinementStep::Failed(_)) {
            return step;
        }
        for n in &proposed {
            self.standing[*n] = FormulaStanding::Refused;
        }
        if proposed.len() > 1 {
            for n in proposed {
                match self.over_with(&[n], plan, store, run) {
                    RefinementStep::Failed(_) => {}
                    RefinementStep::Refined => step = RefinementStep::Refined,
                    decided => return decided,
                }
            }
        }
        step
    }

    /// Decides the over-approximation with additional formulas, which stay in it on success.
    fn over_with(
        &mut self,
        more: &[usize],
        plan: &StrategyPlan,
        store: &mut Store,
        run: &mut TacticRun,
    ) -> RefinementStep {
        let is_in = |n: usize| self.standing[n] == FormulaStanding::Inside || more.contains(&n);
        let mut part = self.part(store, is_in);
        if !(0..self.standing.len()).all(is_in) {
            part.precision = Precision::Over;
        }
        let step = match plan.run(store, part, run) {
            TacticOutcome::Fail(TacticFailure::LostSat(Some(model))) => self.learn(store, *model, run),
            outcome => self.decided(outcome, run),
        };
        if let RefinementStep::Refined = step {
            more.iter().for_each(|&n| self.standing[n] = FormulaStanding::Inside);
        }
        step
    }

    fn under(&mut self, plan: &StrategyPlan, store: &mut Store, run: &mut TacticRun) -> RefinementStep {
        let mut all = self.part(store, |_| true);
        match self.neighbourhood(store) {
            Ok(bounds) if bounds.is_empty() => self.radius = None,
            Ok(bounds) => {
                all.precision = Precision::Under;
                let none = Origins::none();
                let bounds = bounds.into_iter().map(|bound| GoalFormula::new(bound, none.clone()));
                for bound in bounds {
                    let bound = match &mut run.claims {
                        Some(claims) => claims.assumed(bound, "refine"),
                        None => bound,
                    };
                    all.push(store, bound);
                }
            }
            Err(error) => return RefinementStep::Failed(TacticFailure::Trouble(error.to_string())),
        }
        match plan.run(store, all, run) {
            TacticOutcome::Fail(TacticFailure::LostUnsat(core)) => {
                self.positions(&core, run).into_iter().for_each(|n| self.propose(n));
                RefinementStep::Refined
            }
            outcome => self.decided(outcome, run),
        }
    }

    /// Returns the positions of the goal's formulas that a refutation of a part used.
    fn positions(&self, core: &Origins, run: &TacticRun) -> Vec<usize> {
        match &run.claims {
            Some(claims) => claims.rests_on(core, self.goal.formulas()),
            None => core.indices().into_iter().map(|n| n as usize).collect(),
        }
    }

    /// Returns some formulas of the goal, each with its own origin or step, so that a core identifies those used.
    fn part(&self, store: &mut Store, wanted: impl Fn(usize) -> bool) -> Goal {
        let mut part = Goal::new(Wants::ALL);
        part.depth = self.goal.depth.saturating_add(1);
        for (n, formula) in self.goal.formulas().iter().enumerate().filter(|(n, _)| wanted(*n)) {
            let origins = if self.is_recorded { formula.origins.clone() } else { Origins::one(n as u32) };
            part.push(store, GoalFormula::new(formula.term, origins));
        }
        part
    }

    /// Returns what an answer to an approximation implies for the goal.
    fn decided(&self, outcome: TacticOutcome, run: &TacticRun) -> RefinementStep {
        RefinementStep::Decided(Box::new(match outcome {
            TacticOutcome::Sat(GoalWitness { model, by, external }) => {
                TacticOutcome::sat(&self.goal, model, &by, external)
            }
            TacticOutcome::Unsat(Refutation { origins, proof }) => {
                let used = self.positions(&origins, run).into_iter().filter_map(|n| self.goal.formulas().get(n));
                let used = Origins::all(used.map(|formula| &formula.origins));
                let origins = if self.is_recorded { origins } else { used };
                if !self.goal.precision.keeps_unsat() {
                    return RefinementStep::Decided(Box::new(TacticOutcome::Fail(TacticFailure::LostUnsat(origins))));
                }
                let tactic: Arc<str> = Arc::from("refine");
                let proof = Proof::Step {
                    tactic,
                    trusted: None,
                    formulas: self.goal.len(),
                    premises: vec![proof],
                    split: None,
                };
                TacticOutcome::Unsat(Refutation { origins, proof })
            }
            TacticOutcome::Open(_) => {
                let why = "a strategy below refine left a subgoal open".to_string();
                return RefinementStep::Failed(TacticFailure::Undecided(why));
            }
            TacticOutcome::Fail(failure) => return RefinementStep::Failed(failure),
        }))
    }

    /// Processes a model of the over-approximation: it decides the goal, or shows which formulas matter.
    fn learn(&mut self, store: &mut Store, mut model: Model, run: &TacticRun) -> RefinementStep {
        complete(store, &mut model, self.goal.terms());
        let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default()).heeding(&run.budget.stop());
        let formulas = self.goal.formulas();
        self.broken = (0..formulas.len()).filter(|&n| evaluator.truth(store, formulas[n].term) != Some(true)).collect();
        if self.broken.is_empty() {
            let by: Arc<str> = Arc::from("refine");
            return RefinementStep::Decided(Box::new(TacticOutcome::sat(&self.goal, Some(model), &by, false)));
        }
        run.budget.starts.add(model.clone());
        self.centre = model;
        RefinementStep::Refined
    }

    /// Returns formulas that restrict the goal's numeric and bit-vector constants to the radius.
    fn neighbourhood(&self, store: &mut Store) -> Result<Vec<TermId>, BuildError> {
        let Some(radius) = self.radius else { return Ok(Vec::new()) };
        let mut bounds = Vec::new();
        for (x, f) in variables(store, self.goal.terms()) {
            let sort = store.sort(x);
            match *store.sorts.get(sort) {
                Sort::Int | Sort::Real => {
                    let centre = self.number(f);
                    let radius = RBig::from(radius);
                    let least = number_term(store, sort, &(&centre - &radius));
                    let greatest = number_term(store, sort, &(centre + radius));
                    let kind = if sort == SortId::INT { Kind::IntLe } else { Kind::RealLe };
                    bounds.push(store.app(Op::new(kind), &[least, x])?);
                    bounds.push(store.app(Op::new(kind), &[x, greatest])?);
                }
                // The same distance below and above, with wrap-around.
                Sort::BitVec(width) if UBig::from(2 * radius + 1) < UBig::ONE << width as usize => {
                    let first = self.vector(f, width) + (UBig::ONE << width as usize) - UBig::from(radius);
                    let first = store.bitvec(width, &(first % (UBig::ONE << width as usize)));
                    let span = store.bitvec(width, &UBig::from(2 * radius));
                    let from = store.app(Op::new(Kind::BvSub), &[x, first])?;
                    bounds.push(store.app(Op::new(Kind::BvUle), &[from, span])?);
                }
                _ => {}
            }
        }
        Ok(bounds)
    }

    fn number(&self, f: FuncId) -> RBig {
        match self.centre.interpretation(f) {
            Some(Interpretation::Value(Value::Int(n))) => RBig::from(n.clone()),
            Some(Interpretation::Value(value)) => value.as_real().cloned().unwrap_or_default(),
            _ => RBig::from(IBig::ZERO),
        }
    }

    fn vector(&self, f: FuncId, width: u32) -> UBig {
        match self.centre.interpretation(f) {
            Some(Interpretation::Value(Value::BitVec { width: own, value })) if *own == width => value.clone(),
            _ => UBig::ZERO,
        }
    }
}
