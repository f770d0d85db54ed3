//! Polynomial constraints over reals with a planted point, which is often irrational: the evaluator computes with it exactly. Either the
//! point is a solution, or each symbol is a root of its own polynomial, and exhaustion over the roots decides.
//!
//! `(assert (= (+ (* x0 x0 x0) (- 2.0)) 0.0)) (assert (< (* x0 x1) 1.0))`. Tangencies, repeated factors and polynomials that are zero on a
//! line are drawn on purpose: projections of cylindrical algebraic decomposition err there.

use super::problem::{Drawing, EACH};
use crate::guards::quantified;
use crate::rng::RandomStream;
use crate::small_world::CheckTruth;
use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::algebraic::{AlgebraicLimits, AlgebraicNumber, IntPolynomial};
use semantics::{Evaluator, FunctionTable, Model, Value};
use smtlib::{Command, Func, FuncBody, FuncId, Kind, Op, SortId, Store, TermId};

/// The highest degree of a planted root, in most problems and in the others: solvers take long for high ones.
const DEGREES: [u64; 2] = [3, 6];
/// The percentage of problems with a planted solution.
const PLANTED: u32 = 60;
/// The percentage of problems with quantifiers.
const QUANTIFIED: u32 = 35;
/// The percentage of problems with a sum of squares and of multiples that cannot be 0.
const SQUARES: u32 = 20;
/// The percentage of problems with an array or a function over reals.
const MAPPED: u32 = 20;
/// How two polynomials are compared.
const COMPARISONS: [Kind; 6] = [Kind::Eq, Kind::RealLt, Kind::RealLe, Kind::RealGt, Kind::RealGe, Kind::Distinct];
/// How often a constraint is drawn again that the solution does not decide.
const TRIES: usize = 8;

/// A planted solution, and terms over its symbols.
struct PlantedPoint {
    model: Model,
    symbols: Vec<TermId>,
    /// For each symbol a polynomial that is zero there.
    minimal: Vec<IntPolynomial>,
    /// Whether the problem's formulas hold there.
    is_solution: bool,
    /// Whether formulas may have quantifiers over a number, which the evaluator decides by the cells of the polynomials in it.
    is_quantified: bool,
    /// An array or a function from reals to reals.
    map: Option<FuncId>,
}

impl Drawing<'_> {
    /// Constraints that hold at a point, in one or two levels.
    pub(super) fn polynomials(&mut self, store: &mut Store, rng: &mut RandomStream) -> Option<()> {
        if rng.percent(SQUARES) {
            return self.squares(store, rng);
        }
        let mut point = PlantedPoint {
            model: Model::new(),
            symbols: Vec::new(),
            minimal: Vec::new(),
            is_solution: rng.percent(PLANTED),
            is_quantified: rng.percent(QUANTIFIED),
            map: None,
        };
        for n in 0..if rng.percent(20) { 3 } else { rng.between(1, 2) } {
            let (f, x) = self.constant(store, &format!("x{n}"), SortId::REAL)?;
            let (polynomial, value) = match rng.below(4) {
                // Coefficients of bound variables must be rational.
                case if case == 0 || point.is_quantified && rng.coin() => {
                    let (numerator, denominator) = (rng.below(9) as i64 - 4, rng.between(1, 3) as i64);
                    let value = RBig::from_parts(numerator.into(), (denominator as u64).into());
                    (IntPolynomial::new(vec![(-numerator).into(), denominator.into()]), Value::real(value))
                }
                1 if n > 0 => (point.minimal[0].clone(), evaluated(store, &point.model, point.symbols[0])?),
                _ => planted(rng)?,
            };
            point.model.assign(store, f, value).ok()?;
            point.symbols.push(x);
            point.minimal.push(polynomial);
        }
        if point.is_solution && rng.percent(MAPPED) {
            point.map = Some(self.map(store, &mut point.model, rng)?);
        }
        for n in 0..point.symbols.len() {
            // Without its polynomial a symbol is free, and the point is one of many.
            if n == 0 || !point.is_solution || rng.percent(60) {
                let equation = point.equation(store, n, rng)?;
                self.assert(equation);
            }
        }
        for _ in 0..rng.between(1, 3) {
            let formula = point.formula(store, rng)?;
            self.assert(formula);
        }
        self.check_at(store, &point)?;
        if self.is_incremental && rng.percent(30) {
            self.push();
            let formula = point.formula(store, rng)?;
            self.assert(formula);
            self.check_at(store, &point)?;
            self.pop();
            self.check_at(store, &point)?;
        }
        Some(())
    }

    /// Declares an array or a function from reals to reals.
    fn map(&mut self, store: &mut Store, model: &mut Model, rng: &mut RandomStream) -> Option<FuncId> {
        if rng.coin() {
            let sort = store.sorts.array(SortId::REAL, SortId::REAL);
            let (f, _) = self.constant(store, "a", sort)?;
            let value = self.grower.values.value(store, sort, rng)?;
            model.assign(store, f, value).ok()?;
            return Some(f);
        }
        let (name, params) = (store.symbols.intern("f"), [SortId::REAL].into());
        let f = store.declare(Func { name, params, result: SortId::REAL, body: FuncBody::Declared });
        self.problem.declarations.push(Command::DeclareFun(f));
        let value = self.grower.values.value(store, SortId::REAL, rng);
        model.assign_table(store, f, FunctionTable::new(value)).ok()?;
        Some(f)
    }

    /// Adds a check that the point satisfies, or that exhaustion decides.
    fn check_at(&mut self, store: &mut Store, point: &PlantedPoint) -> Option<()> {
        if !point.is_solution {
            return self.check(store, &[]);
        }
        let holds = |t: TermId| evaluated(store, &point.model, t).is_some_and(|value| value.as_bool() == Some(true));
        if !self.asserted().into_iter().all(holds) {
            return None;
        }
        self.problem.commands.push(Command::CheckSat);
        self.problem.answers.push(CheckTruth::Sat(Box::new(point.model.clone())));
        Some(())
    }
}

fn evaluated(store: &Store, model: &Model, t: TermId) -> Option<Value> {
    Evaluator::new(model.clone(), EACH).eval(store, t).ok()
}

/// Draws a polynomial with a real root, and one of its roots.
fn planted(rng: &mut RandomStream) -> Option<(IntPolynomial, Value)> {
    let limits = &AlgebraicLimits::EVALUATION;
    for _ in 0..TRIES {
        let highest = DEGREES[usize::from(rng.percent(20))];
        let degree = rng.between(2, highest) as usize;
        let mut coefficients = vec![IBig::ZERO; degree + 1];
        for c in &mut coefficients {
            if rng.percent(45) {
                *c = IBig::from(rng.below(11) as i64 - 5);
            }
        }
        coefficients[0] = IBig::from(rng.below(10) as i64 - 6);
        coefficients[degree] = IBig::from(rng.between(1, 2));
        let polynomial = IntPolynomial::new(coefficients);
        let index = rng.between(1, 2) as usize;
        if let Ok(root) = AlgebraicNumber::root(&polynomial, index, limits) {
            return Some((polynomial, Value::algebraic(root, limits).ok()?));
        }
    }
    None
}

impl PlantedPoint {
    /// Returns that the polynomial of a symbol is zero, as it is, in Horner's form, or with repeated or other factors.
    fn equation(&self, store: &mut Store, n: usize, rng: &mut RandomStream) -> Option<TermId> {
        let zero_here = self.minimal_term(store, n, rng)?;
        let left = match rng.below(5) {
            0 => product(store, &[zero_here, zero_here])?,
            1 => {
                let other = self.polynomial(store, rng)?;
                product(store, &[other, zero_here])?
            }
            _ => zero_here,
        };
        let zero = store.real(&RBig::ZERO);
        store.eq(left, zero).ok()
    }

    fn minimal_term(&self, store: &mut Store, n: usize, rng: &mut RandomStream) -> Option<TermId> {
        let x = self.symbols[n];
        let numbers: Vec<TermId> =
            self.minimal[n].coefficients().iter().map(|c| store.real(&RBig::from(c.clone()))).collect();
        if rng.percent(30) {
            let mut whole = *numbers.last()?;
            for &c in numbers.iter().rev().skip(1) {
                let higher = product(store, &[whole, x])?;
                whole = store.app(Op::new(Kind::RealAdd), &[higher, c]).ok()?;
            }
            return Some(whole);
        }
        let zero = store.real(&RBig::ZERO);
        let mut summands = Vec::new();
        for (power, &c) in numbers.iter().enumerate().filter(|(_, c)| **c != zero) {
            summands.push(product(store, &[&[c][..], &vec![x; power]].concat())?);
        }
        sum(store, &summands)
    }

    fn polynomial(&self, store: &mut Store, rng: &mut RandomStream) -> Option<TermId> {
        polynomial_over(store, &self.symbols, rng)
    }

    /// Returns a quantifier over a number, whose body compares polynomials in it and in symbols with rational values.
    fn quantified(&self, store: &mut Store, rng: &mut RandomStream) -> Option<TermId> {
        let (name, variable) = store.named_variable("q", SortId::REAL);
        let mut scope = vec![variable; 3];
        for &symbol in &self.symbols {
            scope.extend(evaluated(store, &self.model, symbol)?.as_real().map(|_| symbol));
        }
        let mut parts = Vec::new();
        for _ in 0..rng.between(1, 3) {
            let kind = *rng.pick(&COMPARISONS)?;
            let (left, right) = (polynomial_over(store, &scope, rng)?, polynomial_over(store, &scope, rng)?);
            parts.push(store.app(Op::new(kind), &[left, right]).ok()?);
        }
        let kind = if rng.coin() { Kind::Exists } else { Kind::Forall };
        // A conjunction for all numbers is rarely true, and a disjunction for some rarely false.
        let body = if (kind == Kind::Exists) == rng.percent(80) { store.and(&parts) } else { store.or(&parts) };
        quantified(store, kind, vec![(name, SortId::REAL)], body)
    }

    /// Returns a term that is zero at the point, or near it.
    fn special(&self, store: &mut Store, rng: &mut RandomStream) -> Option<TermId> {
        let n = rng.below(self.symbols.len() as u64) as usize;
        let zero_here = self.minimal_term(store, n, rng)?;
        let other = self.polynomial(store, rng)?;
        match rng.below(4) {
            // Zero on the line over the point.
            0 => product(store, &[zero_here, other]),
            // A tangent: no change of sign.
            1 => {
                let square = product(store, &[zero_here, zero_here])?;
                let shift = product(store, &[other, zero_here])?;
                store.app(Op::new(Kind::RealAdd), &[square, shift]).ok()
            }
            // A near miss.
            2 => {
                let tiny = store.real(&RBig::from_parts(IBig::ONE, 1_000_000_000u64.into()));
                store.app(Op::new(Kind::RealAdd), &[zero_here, tiny]).ok()
            }
            _ => {
                let divisor = *rng.pick(&self.symbols)?;
                store.app(Op::new(Kind::RealDiv), &[other, divisor]).ok()
            }
        }
    }

    /// Returns a term with the array or the function, if there is one.
    fn mapped(&self, store: &mut Store, t: TermId, rng: &mut RandomStream) -> Option<TermId> {
        let [at, other] = [*rng.pick(&self.symbols)?, *rng.pick(&self.symbols)?];
        let Some(f) = self.map.filter(|_| rng.coin()) else { return Some(t) };
        if store.func(f).params.is_empty() {
            let array = store.constant_of(f).ok()?;
            let stored = store.app(Op::new(Kind::ArrayStore), &[array, at, t]).ok()?;
            return store.app(Op::new(Kind::ArraySelect), &[stored, other]).ok();
        }
        let value = store.apply(f, &[at]).ok()?;
        sum(store, &[value, t])
    }

    /// Returns a formula that holds at the point, or one that may be false there.
    fn formula(&self, store: &mut Store, rng: &mut RandomStream) -> Option<TermId> {
        let formula = self.true_formula(store, rng)?;
        Some(if self.is_solution || rng.coin() { formula } else { store.not(formula) })
    }

    fn true_formula(&self, store: &mut Store, rng: &mut RandomStream) -> Option<TermId> {
        let atom = self.atom(store, rng)?;
        if !rng.percent(25) {
            return Some(atom);
        }
        let other = self.atom(store, rng)?;
        let other = store.not(other);
        Some(store.or(&if rng.coin() { [atom, other] } else { [other, atom] }))
    }

    fn atom(&self, store: &mut Store, rng: &mut RandomStream) -> Option<TermId> {
        for _ in 0..TRIES {
            let left = if rng.percent(35) { self.special(store, rng)? } else { self.polynomial(store, rng)? };
            let left = self.mapped(store, left, rng)?;
            let kind = *rng.pick(&COMPARISONS)?;
            let atom = if self.is_quantified && rng.percent(50) {
                self.quantified(store, rng)?
            } else if rng.percent(3) {
                store.app(Op::new(Kind::IsInt), &[left]).ok()?
            } else if rng.percent(8) {
                let whole = store.app(Op::new(Kind::ToInt), &[left]).ok()?;
                let whole = store.to_real(whole);
                store.app(Op::new(kind), &[whole, *rng.pick(&self.symbols)?]).ok()?
            } else {
                let right = match rng.coin() {
                    true => store.real(&RBig::from(rng.below(5) as i64 - 2)),
                    false => self.polynomial(store, rng)?,
                };
                store.app(Op::new(kind), &[left, right]).ok()?
            };
            match evaluated(store, &self.model, atom).and_then(|value| value.as_bool()) {
                Some(true) => return Some(atom),
                Some(false) => return Some(store.not(atom)),
                // The limits, or a quotient by zero.
                None => {}
            }
        }
        None
    }
}

/// Returns a sum of up to three products of up to three of these terms.
fn polynomial_over(store: &mut Store, scope: &[TermId], rng: &mut RandomStream) -> Option<TermId> {
    let mut summands = Vec::new();
    for _ in 0..rng.between(1, 3) {
        let mut factors = vec![store.real(&RBig::from(rng.below(7) as i64 - 3))];
        for _ in 0..rng.below(3) {
            factors.push(*rng.pick(scope)?);
        }
        summands.push(product(store, &factors)?);
    }
    sum(store, &summands)
}

/// Returns the product of reals or integers, the first of which may be the number 1.
pub(super) fn product(store: &mut Store, factors: &[TermId]) -> Option<TermId> {
    let is_int = store.sort(*factors.first()?) == SortId::INT;
    let (one, kind) = match is_int {
        true => (store.int(&IBig::ONE), Kind::IntMul),
        false => (store.real(&RBig::ONE), Kind::RealMul),
    };
    let rest = if factors.len() > 1 && factors[0] == one { &factors[1..] } else { factors };
    if let [only] = rest { Some(*only) } else { store.app(Op::new(kind), rest).ok() }
}

/// Returns the sum of reals or integers.
pub(super) fn sum(store: &mut Store, summands: &[TermId]) -> Option<TermId> {
    let kind = if store.sort(*summands.first()?) == SortId::INT { Kind::IntAdd } else { Kind::RealAdd };
    if let [only] = summands { Some(*only) } else { store.app(Op::new(kind), summands).ok() }
}
