//! `smt`: a SAT solver for the Boolean structure and the bit-vectors, theories for the atoms that its assignments need; every theory
//! conflict becomes a clause.
//!
//! `(smt T)` asks the engine T instead of our own theories, as in de Moura and Passmore, "Orchestrating decision engines".
//!
//! Example: `(or (< x y) (= (f x) y))`, `(not (< x y))` is first satisfied by `x >= y` and `f(x) = y`.

mod arrays;
mod congruence;
mod exchange;
mod inside;
mod open;
mod prepare;
mod relevance;
mod theories;
mod translate;

use super::bitblast::{Atoms, Bit, Encoder, Translator};
use super::clauses::{SatAnswer, positions};
use super::conjunctions::{CASES, DEPTH, search_limits};
use super::sat::{MAX_GATES, model_of};
use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use crate::floats::{FloatFree, float_free};
use batsat::{EmptyTheory, Lit};
use exchange::LemmaExchange;
use inside::InsideTheory;
use rewrite::Params;
use rewrite::complete::complete;
use rewrite::definitions::expand;
use rewrite::{Conversion, ModelConverter, PassError};
use rustc_hash::FxHashMap;
use semantics::{EvalLimits, Evaluator, Interpretation, Model};
use smtlib::{Store, TermId, logic};
use theories::{Foreign, NativeTheories, TheoryLiteral, TheorySolver, TheoryVerdict};

/// What may occur in its goals: a set of features of [`smtlib::logic`].
pub const TAKES: u32 = logic::INTEGERS
    | logic::REALS
    | logic::SUMS
    | logic::BITVECTORS
    | logic::FLOATS
    | logic::ARRAYS
    | logic::FUNCTIONS
    | logic::SORTS;

/// The registry's row of `(smt T)`.
pub const OVER: EngineEntry = EngineEntry {
    name: "smt",
    about: "(smt T): SAT with the engine T on sets of literals",
    takes: logic::BITVECTORS | logic::FLOATS | logic::ARRAYS | logic::FUNCTIONS,
    parameters: &[MAX_GATES, DEPTH, CASES],
    make: MakeEngine::Over(|engine, params| Box::new(Smt::new(params, Some(engine)))),
};

/// The maximum number of assignments that the theory could not decide before the search stops.
const MAX_UNDECIDED: usize = 50;

/// The engine.
pub struct Smt {
    max_gates: usize,
    params: Params,
    foreign: Option<Box<dyn Engine>>,
}

impl Smt {
    /// Makes the engine with parameters, and with another engine instead of our own theories.
    pub fn new(params: &Params, foreign: Option<Box<dyn Engine>>) -> Smt {
        let max_gates = params.number(&MAX_GATES).min(1 << 30) as usize;
        Smt { max_gates, params: params.clone(), foreign }
    }
}

impl Engine for Smt {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        match self.search(store, assertions, budget) {
            Ok(decision) => decision,
            Err(GiveUp(why)) => Decision::Unknown(why),
        }
    }
}

/// The state of one search.
struct SmtSearch<'t> {
    translator: Translator,
    encoder: Encoder,
    theory: &'t mut dyn TheorySolver,
    /// The bits of the assertions, with their literals.
    roots: Vec<(Bit, Lit)>,
    /// Further bits that hold.
    definitions: Vec<Bit>,
    /// Further facts that are not among the clauses yet.
    agreements: Vec<TermId>,
    /// The number of the translator's atoms known to the theory.
    admitted: usize,
    /// The exchange with other searches, if there are any.
    exchange: Option<LemmaExchange>,
    /// The arithmetic theory inside the SAT solver's search.
    inside: Option<InsideTheory>,
    /// The atom of every abstracted input, by the input's index.
    atoms: FxHashMap<usize, TermId>,
}

impl Smt {
    fn search(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Result<Decision, GiveUp> {
        let expanded = expand(store, assertions, &budget.settings())?;
        let none = |formulas| FloatFree { formulas, constraints: Vec::new(), conversions: Vec::new() };
        let free = match float_free(store, &expanded, &budget.settings()) {
            Ok(free) => free.unwrap_or_else(|| none(expanded)),
            // A term without a circuit may be an operator at a value that the standard leaves open, which preparation names.
            Err(PassError::NotApplicable(_)) => none(expanded),
            Err(error) => return Err(error.into()),
        };
        // Side conditions on the bits of floats follow the assertions, and are in no core.
        let given = free.formulas.len();
        let all: Vec<TermId> = free.formulas.into_iter().chain(free.constraints).collect();
        let mut prepared = prepare::prepare(store, &all, budget)?;
        let constraints = prepared.assertions.split_off(given);
        prepared.definitions.extend(constraints);
        let conversions = free.conversions.into_iter().chain(prepared.conversions).collect();
        let mut native;
        let mut foreign;
        let theory: &mut dyn TheorySolver = match &self.foreign {
            None => {
                native = NativeTheories::new(search_limits(&self.params), budget);
                &mut native
            }
            Some(engine) => {
                foreign = Foreign(&**engine);
                &mut foreign
            }
        };
        let mut search = SmtSearch {
            translator: Translator::new(Atoms::Abstracted, self.max_gates, budget.stop()),
            encoder: Encoder::default(),
            theory,
            roots: Vec::new(),
            definitions: Vec::new(),
            agreements: prepared.agreements,
            admitted: 0,
            exchange: budget.lemmas.as_ref().map(LemmaExchange::new),
            inside: None,
            atoms: FxHashMap::default(),
        };
        search.translate(store, &prepared.assertions, &prepared.definitions, budget)?;
        search.run(store, assertions, conversions, budget)
    }
}

impl SmtSearch<'_> {
    /// Returns the bits that must be true.
    fn held(&self) -> impl Iterator<Item = Bit> {
        self.roots.iter().map(|root| root.0).chain(self.definitions.iter().copied())
    }

    /// Whether there is an assignment, possibly one that violates what only a check of the theories sees.
    fn assign(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<SatAnswer, GiveUp> {
        loop {
            if let Some(exchange) = &mut self.exchange {
                exchange.hear(&mut self.encoder.solver);
            }
            let news = self.exchange.as_ref().map(LemmaExchange::reader);
            let solver = &mut self.encoder.solver;
            let answer = match &mut self.inside {
                Some(inside) => solver.solve_in(inside, assumptions, news, budget)?,
                None => solver.solve_in(&mut EmptyTheory::new(), assumptions, news, budget)?,
            };
            if let Some(inside) = &mut self.inside {
                if let Some(exchange) = &self.exchange {
                    inside.take_conflicts().iter().for_each(|conflict| exchange.tell(conflict));
                }
                if inside.is_stopped() {
                    budget.check()?;
                    return Err(GiveUp("the search was stopped".to_string()));
                }
                if answer == Some(SatAnswer::Sat)
                    && let Some(values) = inside.values()
                {
                    self.theory.propose(values);
                }
            }
            if let Some(answer) = answer {
                return Ok(answer);
            }
        }
    }

    fn run(
        &mut self,
        store: &mut Store,
        assertions: &[TermId],
        conversions: Vec<Conversion>,
        budget: &Budget,
    ) -> Result<Decision, GiveUp> {
        let assumptions: Vec<Lit> = self.roots.iter().map(|r| r.1).collect();
        let mut undecided = Vec::new();
        loop {
            match self.assign(&assumptions, budget)? {
                SatAnswer::Unsat(core) => {
                    return Ok(match undecided.pop() {
                        // Assignments were skipped, so this is not a refutation.
                        Some(why) => Decision::Unknown(why),
                        None => Decision::Unsat(positions(&assumptions, &core)),
                    });
                }
                SatAnswer::Sat => {}
            }
            let needed: Vec<Bit> = self.held().collect();
            let inputs = relevance::needed(&self.translator.gates, &self.encoder, &needed);
            let literals = self.literals(&inputs);
            match self.theory.check(store, &literals, budget)? {
                TheoryVerdict::Consistent(model) => {
                    let model = self.with_bits(store, model)?;
                    if let Some(atom) = contradicted(store, &model, &literals, budget) {
                        let atom = store.term_text(atom);
                        self.put_aside(&literals, &mut undecided, format!("{atom} shares a symbol with bits"))?;
                        continue;
                    }
                    if self.refine(store, &model, budget)? {
                        continue;
                    }
                    let mut model = ModelConverter::new(conversions).convert(store, model, &budget.stop())?;
                    complete(store, &mut model, assertions.iter().copied());
                    return Ok(Decision::Sat(model));
                }
                TheoryVerdict::Conflict(positions) => {
                    let clause = self.exclude(&literals, &positions)?;
                    if let Some(exchange) = &self.exchange {
                        exchange.tell(&clause.into_iter().map(|literal| !literal).collect::<Vec<_>>());
                    }
                }
                TheoryVerdict::Unknown(why) => self.put_aside(&literals, &mut undecided, why)?,
            }
        }
    }

    /// Excludes an assignment that could not be decided; gives up after too many of them, or if nothing can vary.
    fn put_aside(
        &mut self,
        literals: &[TheoryLiteral],
        undecided: &mut Vec<String>,
        why: String,
    ) -> Result<(), GiveUp> {
        if literals.is_empty() || undecided.len() >= MAX_UNDECIDED {
            return Err(GiveUp(why));
        }
        self.exclude(literals, &(0..literals.len()).collect::<Vec<_>>())?;
        undecided.push(why);
        Ok(())
    }

    /// Returns the theory literals among the inputs.
    fn literals(&self, inputs: &[usize]) -> Vec<TheoryLiteral> {
        inputs
            .iter()
            .filter_map(|position| {
                let atom = *self.atoms.get(position)?;
                Some((atom, self.encoder.value(self.bit_of(atom))))
            })
            .collect()
    }

    fn bit_of(&self, atom: TermId) -> Bit {
        // An abstracted atom has exactly one bit.
        self.translator.known_bit(atom)
    }

    /// Adds the clause that not all of these literals hold, and returns it.
    ///
    /// Invariant: every one of them is in the clause, or there is none.
    fn exclude(&mut self, literals: &[TheoryLiteral], positions: &[usize]) -> Result<Vec<Lit>, GiveUp> {
        let mut clause = Vec::with_capacity(positions.len());
        for &position in positions {
            let (atom, truth) = literals[position];
            // It has a value, so it has a literal.
            let literal = self.encoder.known(self.bit_of(atom)).ok_or("an atom has no literal")?;
            clause.push(if truth { !literal } else { literal });
        }
        self.encoder.solver.add(&clause);
        Ok(clause)
    }

    /// Returns the theories' model with the values of bits.
    fn with_bits(&self, store: &Store, mut model: Model) -> Result<Model, GiveUp> {
        let bits = model_of(store, &self.translator, &self.encoder);
        for f in bits.symbols() {
            if let Some(Interpretation::Value(value)) = bits.interpretation(f) {
                model.assign(store, f, value.clone())?;
            }
        }
        complete(store, &mut model, self.agreements.iter().copied());
        Ok(model)
    }

    /// Adds the agreements that a model violates; returns whether there were any.
    fn refine(&mut self, store: &Store, model: &Model, budget: &Budget) -> Result<bool, GiveUp> {
        let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default()).heeding(&budget.stop());
        let (kept, broken): (Vec<TermId>, Vec<TermId>) =
            self.agreements.iter().partition(|&&t| evaluator.truth(store, t) == Some(true));
        self.agreements = kept;
        for &t in &broken {
            budget.check()?;
            self.define(store, t, budget)?;
        }
        if !broken.is_empty() {
            self.admit(store, budget)?;
        }
        Ok(!broken.is_empty())
    }
}

/// Returns a literal that is false under the combined model of theories and bits: a foreign engine does not know the bits, so both may
/// give a common symbol different values.
fn contradicted(store: &Store, model: &Model, literals: &[TheoryLiteral], budget: &Budget) -> Option<TermId> {
    let mut evaluator = Evaluator::new(model.clone(), EvalLimits::default()).heeding(&budget.stop());
    let broken = |&&(atom, truth): &&TheoryLiteral| evaluator.truth(store, atom) == Some(!truth);
    literals.iter().find(broken).map(|literal| literal.0)
}

/// Why a search ends without an answer.
struct GiveUp(String);

impl<E: std::fmt::Display> From<E> for GiveUp {
    fn from(error: E) -> GiveUp {
        GiveUp(error.to_string())
    }
}
