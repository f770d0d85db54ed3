//! `p-cad`: formulas over polynomial constraints of few reals, quantified too, by cells around samples.
//!
//! Over a sample of the outer variables a line is covered by intervals on each of which the rest of the formula has one truth value, until
//! one decides the quantifier. What made its truth is projected to a cell around the sample. After Kremer and Nalbach, "Cylindrical algebraic
//! coverings for quantifiers" (2022); partial as in Collins and Hong, "Partial cylindrical algebraic decomposition for quantifier
//! elimination" (1991): what is not needed for the truth value is not projected.

use super::cover::PolynomialConstraint;
use super::limits::{PolynomialError, PolynomialWork};
use super::line::{CoverInterval, Regions, around};
use super::polynomial::{MultiPolynomial, basis};
use super::project::{Projection, project};
use super::read::{PolynomialReader, constant_model, is_constant_symbol};
use super::roots::sign;
use crate::budget::Budget;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use dashu_int::IBig;
use dashu_ratio::RBig;
use rewrite::normal_form::normal_form;
use rewrite::quantifier::{apart, bound};
use rewrite::walk::bottom_up;
use rewrite::{FreshSymbols, TacticParameter};
use rustc_hash::FxHashMap;
use semantics::algebraic::AlgebraicNumber;
use semantics::{Interpretation, Model, Value};
use smtlib::term::HAS_BINDER;
use smtlib::{Kind, Op, SortId, Store, TermId, logic};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "p-cad",
    about: "polynomial constraints of few reals under connectives and quantifiers, by partial cylindrical algebraic decomposition",
    takes: logic::REALS | logic::SUMS | logic::NONLINEAR | logic::QUANTIFIERS,
    parameters: &[LEVELS],
    make: MakeEngine::Alone(|params| Box::new(CellEngine { levels: params.number(&LEVELS) as usize })),
};

/// The limit on variables.
const LEVELS: TacticParameter = TacticParameter {
    name: "variables",
    about: "the maximum number of symbols and of quantified variables around each other",
    default: 4,
    words: &[],
};

/// The maximum number of parts of a formula.
const MAX_PARTS: usize = 4096;
/// How deep connectives may nest.
const MAX_NESTING: usize = 256;

/// `p-cad`.
struct CellEngine {
    levels: usize,
}

/// A formula in negation normal form. A quantifier binds the variable whose number is that of the variables around it.
enum Formula {
    /// A conjunction of constraints.
    Literal(Vec<PolynomialConstraint>),
    /// A conjunction (true) or disjunction (false).
    Junction(bool, Vec<Formula>),
    /// `exists` (true) or `forall` (false).
    Quantified(bool, Box<Formula>),
}

/// Reads formulas.
struct FormulaReader<'r> {
    store: &'r Store,
    numbers: PolynomialReader,
    /// The number of each symbol and of the variables around the present part.
    levels: FxHashMap<TermId, usize>,
    /// The number of variables.
    count: usize,
    left: usize,
}

/// The truth of formulas around points.
struct CellSearch {
    /// The number of symbols, which come first.
    free: usize,
    /// Values of the symbols for which the formula is true.
    witness: Vec<AlgebraicNumber>,
}

impl Engine for CellEngine {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        let mut work = PolynomialWork::new(budget);
        self.search(store, assertions, budget, &mut work).unwrap_or_else(|error| error.into_decision(budget))
    }
}

/// Whether an assertion holds in a model, by a refutation of its negation and the values of its symbols.
pub fn holds(store: &mut Store, assertion: TermId, model: &Model, budget: &Budget) -> bool {
    if store.flags(assertion) & HAS_BINDER == 0 {
        return false;
    }
    let mut parts = vec![store.not(assertion)];
    let symbols = bottom_up(store, [assertion]).into_iter().filter(|&t| is_constant_symbol(store, t));
    for symbol in symbols.collect::<Vec<_>>() {
        let value = store.applied(symbol).and_then(|f| model.interpretation(f));
        let Some(Interpretation::Value(value)) = value else { return false };
        let Some(fixed) = fixed(store, symbol, value) else { return false };
        parts.extend(fixed);
    }
    let engine = CellEngine { levels: LEVELS.default as usize };
    matches!(engine.decide(store, &parts, budget), Decision::Unsat(_))
}

/// Returns formulas that hold only for one value of a symbol; `None` if there are none.
fn fixed(store: &mut Store, symbol: TermId, value: &Value) -> Option<Vec<TermId>> {
    match value {
        Value::Real(number) => {
            let number = store.real(number);
            Some(vec![store.eq(symbol, number).ok()?])
        }
        Value::Algebraic(number) => {
            let root = number.as_generator()?;
            let [low, high] = <[_; 2]>::from(root.interval()).map(|end| store.real(end));
            let mut value = store.real(&RBig::ZERO);
            for coefficient in root.polynomial().coefficients().iter().rev() {
                let coefficient = store.real(&RBig::from(coefficient.clone()));
                let product = store.app(Op::new(Kind::RealMul), &[value, symbol]).ok()?;
                value = store.app(Op::new(Kind::RealAdd), &[product, coefficient]).ok()?;
            }
            let zero = store.real(&RBig::ZERO);
            Some(vec![store.eq(value, zero).ok()?, store.app(Op::new(Kind::RealLt), &[low, symbol, high]).ok()?])
        }
        _ => None,
    }
}

impl CellEngine {
    fn search(
        &self,
        store: &mut Store,
        assertions: &[TermId],
        budget: &Budget,
        work: &mut PolynomialWork,
    ) -> Result<Decision, PolynomialError> {
        let (settings, mut names) = (budget.settings(), FreshSymbols::new("bound"));
        let unsupported = |error: rewrite::PassError| PolynomialError::Unsupported(error.to_string());
        let mut formulas = Vec::with_capacity(assertions.len());
        for &assertion in assertions {
            let normal = normal_form(store, assertion, &settings).map_err(unsupported)?;
            formulas.push(apart(store, normal, &mut names, &settings).map_err(unsupported)?);
        }
        let is_variable = |store: &Store, t| store.variable(t).is_some() || is_constant_symbol(store, t);
        let numbers = PolynomialReader::new(store, &formulas, is_variable, work)?;
        if let Some(&other) = numbers.symbols.iter().find(|t| store.sort(**t) != SortId::REAL) {
            return Err(PolynomialError::Unsupported(store.term_text(other)));
        }
        let mut symbols: Vec<TermId> =
            numbers.symbols.iter().copied().filter(|&t| store.variable(t).is_none()).collect();
        // What occurs in low powers gets its value last: it is eliminated first (Brown's heuristic).
        symbols.sort_by_cached_key(|&t| (Reverse(numbers.degree(t)), t));
        let count = depth(store, &formulas, symbols.len())?;
        if count > self.levels {
            return Err(PolynomialError::Levels(self.levels));
        }
        let levels = symbols.iter().enumerate().map(|(level, &t)| (t, level)).collect();
        let mut reader = FormulaReader { store, numbers, levels, count, left: MAX_PARTS };
        let parts = formulas.iter().map(|&t| reader.read(t, symbols.len(), 0)).collect::<Result<_, _>>()?;
        let mut formula = junction(true, parts);
        for _ in &symbols {
            formula = Formula::Quantified(true, Box::new(formula));
        }
        let mut search = CellSearch { free: symbols.len(), witness: Vec::new() };
        match search.truth(&formula, &mut Vec::new(), work)?.0 {
            true => constant_model(store, assertions, symbols.into_iter().zip(search.witness), work),
            false => Ok(Decision::Unsat((0..assertions.len()).collect())),
        }
    }
}

/// Returns how many variables are around each other at most, where some symbols are around all.
fn depth(store: &Store, formulas: &[TermId], symbols: usize) -> Result<usize, PolynomialError> {
    let (mut deepest, mut left) = (symbols, MAX_PARTS);
    let mut open: Vec<(TermId, usize)> = formulas.iter().map(|&t| (t, symbols)).collect();
    while let Some((t, depth)) = open.pop() {
        left = left.checked_sub(1).ok_or(PolynomialError::TooLarge)?;
        let depth = depth + bound(store, t).len();
        deepest = deepest.max(depth);
        if matches!(store.kind(t), Kind::Forall | Kind::Exists | Kind::And | Kind::Or) {
            open.extend(store.args(t).iter().map(|&a| (a, depth)));
        }
    }
    Ok(deepest)
}

impl FormulaReader<'_> {
    /// Reads a formula in negation normal form below some number of variables. Recursion is bounded by [`MAX_NESTING`].
    fn read(&mut self, t: TermId, depth: usize, nesting: usize) -> Result<Formula, PolynomialError> {
        self.left = self.left.checked_sub(1).filter(|_| nesting < MAX_NESTING).ok_or(PolynomialError::TooLarge)?;
        let (store, args) = (self.store, self.store.args(t));
        match store.kind(t) {
            kind @ (Kind::And | Kind::Or) => {
                let parts = args.iter().map(|&a| self.read(a, depth, nesting + 1)).collect::<Result<_, _>>()?;
                Ok(junction(kind == Kind::And, parts))
            }
            kind @ (Kind::Forall | Kind::Exists) => {
                let variables = bound(store, t);
                if variables.iter().any(|(_, sort)| *sort != SortId::REAL) {
                    return Err(PolynomialError::Unsupported(store.term_text(t).chars().take(60).collect()));
                }
                // A formula that occurs twice binds the same names there, maybe below another number of variables.
                let mut before = Vec::new();
                for (n, &(name, sort)) in variables.iter().enumerate() {
                    // One that is not in the store does not occur.
                    let Some(variable) = store.known_variable(name, sort) else { continue };
                    before.push((variable, self.levels.insert(variable, depth + n)));
                }
                let mut formula = self.read(args[0], depth + variables.len(), nesting + 1)?;
                for _ in &variables {
                    formula = Formula::Quantified(kind == Kind::Exists, Box::new(formula));
                }
                for (variable, level) in before.into_iter().rev() {
                    match level {
                        Some(level) => self.levels.insert(variable, level),
                        None => self.levels.remove(&variable),
                    };
                }
                Ok(formula)
            }
            _ => {
                let mut all = Vec::new();
                for (polynomial, relation) in self.numbers.constraints(store, t)? {
                    all.push(PolynomialConstraint { polynomial: self.renamed(&polynomial)?, relation, owner: 0 });
                }
                Ok(Formula::Literal(all))
            }
        }
    }

    /// Returns a polynomial in the numbers of the variables.
    fn renamed(&self, polynomial: &MultiPolynomial) -> Result<MultiPolynomial, PolynomialError> {
        let mut renamed = MultiPolynomial::constant(self.count, IBig::ZERO);
        for (exponents, coefficient) in polynomial.terms() {
            let mut own = vec![0; self.count];
            for (exponent, symbol) in exponents.iter().zip(&self.numbers.symbols).filter(|(e, _)| **e > 0) {
                let free = || PolynomialError::Unsupported(self.store.term_text(*symbol));
                own[*self.levels.get(symbol).ok_or_else(free)?] += exponent;
            }
            renamed.add_term(own.into(), coefficient.clone());
        }
        Ok(renamed)
    }
}

/// Returns a conjunction or disjunction, parts with few variables first: what decides it early needs the fewest polynomials.
fn junction(is_conjunction: bool, mut parts: Vec<Formula>) -> Formula {
    parts.sort_by_key(|part| match part {
        Formula::Literal(all) => all.iter().map(|c| (c.polynomial.main(), c.polynomial.terms().count())).max(),
        _ => Some((Some(usize::MAX), 0)),
    });
    Formula::Junction(is_conjunction, parts)
}

impl CellSearch {
    /// Returns the truth value at a point, with polynomials in its variables: where none changes its sign, it stays. Recursion is bounded by
    /// [`MAX_NESTING`] and the number of variables.
    fn truth(
        &mut self,
        formula: &Formula,
        point: &mut Vec<AlgebraicNumber>,
        work: &mut PolynomialWork,
    ) -> Result<(bool, Vec<MultiPolynomial>), PolynomialError> {
        work.pause()?;
        match formula {
            Formula::Literal(constraints) => {
                for constraint in constraints {
                    if !constraint.relation.holds(sign(&constraint.polynomial, point, work)?) {
                        return Ok((false, vec![constraint.polynomial.clone()]));
                    }
                }
                Ok((true, constraints.iter().map(|c| c.polynomial.clone()).collect()))
            }
            Formula::Junction(is_conjunction, parts) => {
                let mut all = Vec::new();
                for part in parts {
                    let (truth, polynomials) = self.truth(part, point, work)?;
                    if truth != *is_conjunction {
                        return Ok((truth, polynomials));
                    }
                    all.extend(polynomials);
                }
                Ok((*is_conjunction, all))
            }
            Formula::Quantified(exists, body) => self.line(*exists, body, point, work),
        }
    }

    /// Returns the truth value of a quantifier over the next variable.
    fn line(
        &mut self,
        exists: bool,
        body: &Formula,
        point: &mut Vec<AlgebraicNumber>,
        work: &mut PolynomialWork,
    ) -> Result<(bool, Vec<MultiPolynomial>), PolynomialError> {
        let mut intervals: Vec<CoverInterval> = Vec::new();
        loop {
            let regions = Regions::of(&intervals, work)?;
            let Some(free) = regions.free() else {
                let mut taken: Vec<Option<CoverInterval>> = intervals.into_iter().map(Some).collect();
                let cover = regions.cover().into_iter().filter_map(|n| taken[n].take()).collect();
                return Ok((!exists, project(Projection::Collins, point, cover, work)?));
            };
            let sample = regions.sample(free, work)?;
            point.push(sample.clone());
            let (truth, polynomials) = self.truth(body, point, work)?;
            if truth && point.len() == self.free {
                self.witness.clone_from(point);
            }
            point.pop();
            let polynomials = basis(polynomials, work)?;
            let interval = around(Projection::Collins, point, &sample, polynomials, BTreeSet::new(), work)?;
            if truth == exists {
                return Ok((exists, project(Projection::Collins, point, vec![interval], work)?));
            }
            intervals.push(interval);
        }
    }
}
