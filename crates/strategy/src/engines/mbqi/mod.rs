//! `mbqi`: quantified problems by ground ones: a model of the current instances is checked against every universal formula, and a
//! counterexample is its next instance.
//!
//! Model-based quantifier instantiation: Ge and de Moura, "Complete Instantiation for Quantified Formulas in Satisfiability Modulo
//! Theories", CAV 2009; for bit-vectors Wintersteiger, Hamadi and de Moura, "Efficiently Solving Quantified Bit-Vector Formulas", FMSD
//! 42(1), 2013; terms instead of values: Niemetz, Preiner, Reynolds, Barrett and Tinelli, "Solving Quantified Bit-Vectors Using
//! Invertibility Conditions", CAV 2018. The check is the same problem for a closed formula with one fewer alternation.
//!
//! Example: `(forall ((y (_ BitVec 8))) (bvule x y))` holds only for `x = 0`: the ground search is repeated with the instance at `y = x -
//! 1`.

mod ground;
mod terms;
mod under;

use super::smt::Smt;
use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use ground::{Grounding, InstanceFailure};
use rewrite::complete::{any_value, complete};
use rewrite::definitions::expand;
use rewrite::{Params, TacticParameter};
use semantics::{EvalLimits, Evaluator, Interpretation, Model, Value};
use smtlib::{FuncId, Sort, SortId, Store, TermId, logic};
use terms::Candidates;
use under::under;

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "mbqi",
    about: "quantifiers over what smt decides: adds instances of universal formulas that a model violates",
    takes: logic::QUANTIFIERS | super::smt::TAKES,
    parameters: &[ROUNDS, super::sat::MAX_GATES],
    make: MakeEngine::Alone(|params| Box::new(Mbqi::new(params))),
};

/// The maximum number of models.
pub const ROUNDS: TacticParameter = TacticParameter {
    name: "max-rounds",
    about: "the maximum number of models on each level",
    default: 2000,
    words: &[],
};

/// The maximum nesting of searches: one per quantifier alternation.
const MAX_ALTERNATIONS: usize = 12;

/// The engine.
pub struct Mbqi {
    rounds: u64,
    ground: Smt,
}

impl Mbqi {
    /// With parameters.
    pub fn new(params: &Params) -> Mbqi {
        Mbqi { rounds: params.number(&ROUNDS), ground: Smt::new(params, None) }
    }

    /// Whether an assertion is shown to have no refutation under a model; false if undecided. Values that the
    /// standard leaves open are not taken from the model: the assertion holds for any choice.
    pub fn holds(&self, store: &mut Store, assertion: TermId, model: &Model, budget: &Budget) -> bool {
        let negation = store.not(assertion);
        matches!(self.under_model(store, negation, model, budget), Ok(Decision::Unsat(_)))
    }

    fn under_model(
        &self,
        store: &mut Store,
        t: TermId,
        model: &Model,
        budget: &Budget,
    ) -> Result<Decision, InstanceFailure> {
        let mut closed = expand(store, &[t], &budget.settings())?;
        for t in &mut closed {
            *t = under(store, *t, model, &[], budget)?;
        }
        self.search(store, &closed, budget, 0)
    }
}

impl Engine for Mbqi {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        // Each round solves similar formulas.
        let budget = budget.cooperating();
        let run = |store: &mut Store| {
            let expanded = expand(store, assertions, &budget.settings())?;
            self.search(store, &expanded, &budget, 0)
        };
        match run(store) {
            Ok(Decision::Sat(mut model)) => {
                complete(store, &mut model, assertions.iter().copied());
                Decision::Sat(model)
            }
            Ok(decision) => decision,
            Err(InstanceFailure(why)) => Decision::Unknown(why),
        }
    }
}

/// The result of checking a model against a universal formula.
enum ModelCheck {
    /// The formula holds.
    Holds,
    /// The formula does not hold: a new instance was made.
    Refined,
    /// Undecided, or without a new instance.
    Open(String),
}

/// The search on one level of alternation.
struct AlternationLevel<'m> {
    engine: &'m Mbqi,
    budget: &'m Budget,
    level: usize,
    grounding: Grounding,
    candidates: Vec<Candidates>,
}

impl Mbqi {
    fn search(
        &self,
        store: &mut Store,
        assertions: &[TermId],
        budget: &Budget,
        level: usize,
    ) -> Result<Decision, InstanceFailure> {
        if level > MAX_ALTERNATIONS {
            return Err(InstanceFailure(format!("quantifiers alternate more than {MAX_ALTERNATIONS} times")));
        }
        let grounding = Grounding::new(budget.settings());
        AlternationLevel { engine: self, budget, level, grounding, candidates: Vec::new() }.run(store, assertions)
    }
}

impl AlternationLevel<'_> {
    fn run(&mut self, store: &mut Store, assertions: &[TermId]) -> Result<Decision, InstanceFailure> {
        let mut ground = Vec::with_capacity(assertions.len());
        for &t in assertions {
            ground.push(self.grounding.add(store, t)?);
        }
        let given = ground.len();
        for _ in 0..self.engine.rounds {
            self.budget.check()?;
            ground.truncate(given);
            ground.extend(self.grounding.definitions());
            let mut model = match self.engine.ground.decide(store, &ground, self.budget) {
                Decision::Sat(model) => model,
                Decision::Unsat(core) => return Ok(Decision::Unsat(core.into_iter().filter(|&n| n < given).collect())),
                Decision::Unknown(why) => return Err(InstanceFailure(why)),
            };
            complete(store, &mut model, self.grounding.universals.iter().map(|u| u.body));
            if self.refine(store, &model)? {
                continue;
            }
            self.grounding.symbols.iter().for_each(|&f| model.remove(f));
            return Ok(Decision::Sat(model));
        }
        Err(InstanceFailure(format!("no answer after {} models", self.engine.rounds)))
    }

    /// Adds an instance of every universal formula that a model violates; returns whether there was any.
    /// Errors: there was none, but not every formula could be checked.
    fn refine(&mut self, store: &mut Store, model: &Model) -> Result<bool, InstanceFailure> {
        let (mut refined, mut open) = (false, None);
        let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default()).heeding(&self.budget.stop());
        // The instances contain universal formulas of their own, against which the next model is checked.
        for n in 0..self.grounding.universals.len() {
            match evaluator.truth(store, self.grounding.universals[n].proxy) {
                Some(true) => {}
                Some(false) => continue,
                // The evaluator was stopped, or reached a limit: nothing is known about this formula.
                None => {
                    self.budget.check()?;
                    open = open.or(Some("a model could not be evaluated".to_string()));
                    continue;
                }
            }
            match self.check(store, n, &mut evaluator)? {
                ModelCheck::Holds => {}
                ModelCheck::Refined => refined = true,
                ModelCheck::Open(why) => open = open.or(Some(why)),
            }
        }
        match open {
            Some(why) if !refined => Err(InstanceFailure(why)),
            _ => Ok(refined),
        }
    }

    /// Searches for values that refute a universal formula under a model, and makes an instance of them.
    fn check(&mut self, store: &mut Store, n: usize, evaluator: &mut Evaluator) -> Result<ModelCheck, InstanceFailure> {
        let (negated, constants) = self.grounding.negated(store, n)?;
        let question = under(store, negated, evaluator.model(), &constants, self.budget)?;
        if let Some(sort) = foreign_sort(store, question) {
            let sort = store.sort_text(sort);
            return Ok(ModelCheck::Open(format!("a quantifier ranges over uninterpreted sort {sort}")));
        }
        let found = match self.engine.search(store, &[question], self.budget, self.level + 1) {
            Ok(Decision::Unsat(_)) => return Ok(ModelCheck::Holds),
            Ok(Decision::Sat(found)) => found,
            Ok(Decision::Unknown(why)) | Err(InstanceFailure(why)) => {
                self.budget.check()?;
                return Ok(ModelCheck::Open(why));
            }
        };
        let mut values = Vec::with_capacity(constants.len());
        for &f in &constants {
            match value_of(store, &found, f) {
                Some(value) => values.push(value),
                None => return Ok(ModelCheck::Open("a bound variable has a value that cannot be written".to_string())),
            }
        }
        for u in self.candidates.len()..=n {
            let candidates = Candidates::of(store, &self.grounding.universals[u], self.budget)?;
            self.candidates.push(candidates);
        }
        let terms = self.candidates[n].choose(store, &self.grounding, n, &values, evaluator)?;
        Ok(match self.grounding.instantiate(store, n, &terms)? {
            true => ModelCheck::Refined,
            false => ModelCheck::Open("the instance that refutes a model already exists".to_string()),
        })
    }
}

/// Returns the value of a constant in a model, or any value, and a term for it.
fn value_of(store: &mut Store, model: &Model, f: FuncId) -> Option<(Value, TermId)> {
    let sort = store.func(f).result;
    let value = match model.interpretation(f) {
        Some(Interpretation::Value(value)) => value.clone(),
        _ => any_value(store, &mut model.clone(), sort)?,
    };
    let term = value.to_term(store, sort)?;
    Some((value, term))
}

/// Returns an uninterpreted sort of some subterm: its elements in a model have no terms.
fn foreign_sort(store: &Store, t: TermId) -> Option<SortId> {
    let mut found = None;
    rewrite::walk::visit(store, [t], |u| {
        let sort = store.sort(u);
        if matches!(store.sorts.get(sort), Sort::Uninterpreted(..)) {
            found = Some(sort);
        }
    });
    found
}
