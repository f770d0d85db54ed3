//! `vts`: eliminates quantified reals that occur in polynomials of degree 1 or 2, by virtual substitution of test points.
//!
//! `∃x p` holds if `p` does at minus infinity, at a root of a polynomial in `p`, or right after one. The root need not be a term: a comparison
//! of a polynomial in it is equivalent to comparisons without it. Loos and Weispfenning, "Applying linear quantifier elimination" (1993);
//! Weispfenning, "Quantifier elimination for real algebra: the quadratic case and beyond" (1997).

mod substitution;

use crate::constraint::LinearRelation;
use crate::engines::nonlinear::limits::{PolynomialError, PolynomialWork};
use crate::engines::nonlinear::polynomial::MultiPolynomial;
use crate::engines::nonlinear::read::PolynomialReader;
use dashu_int::IBig;
use rewrite::normal_form::normal_form;
use rewrite::quantifier::{BoundVariable, bind_free, bound, each_quantified};
use rewrite::walk::Rebuild;
use rewrite::{Example, Goal, PassError, PassResult, PassSettings, RewritePass};
use smtlib::free_vars::FreeVars;
use smtlib::{Kind, SortId, Store, TermId};
use std::collections::BTreeSet;
use substitution::{PointSubstitution, TestPoint, ZeroComparison, junction};

/// The pass.
pub static VTS: RewritePass = RewritePass {
    name: "vts",
    about: "eliminates quantified reals of degree 1 and 2, by virtual substitution of test points",
    example: Example {
        before: "(declare-const a Real)(assert (exists ((x Real)) (and (< a x) (< x 2.0))))",
        after: &["(< (+ (- 2.0) a) 0.0)"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

/// The maximum number of test points of one variable.
const MAX_POINTS: usize = 100;

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut free = FreeVars::default();
    each_quantified(store, goal, settings, |store, q| without_reals(store, q, &mut free, settings))
}

/// Returns a quantified formula without the variables that can be eliminated.
fn without_reals(
    store: &mut Store,
    q: TermId,
    free: &mut FreeVars,
    settings: &PassSettings,
) -> Result<TermId, PassError> {
    let (kind, mut body, mut vars) = (store.kind(q), store.args(q)[0], bound(store, q));
    let negated = |store: &mut Store, t| {
        let not = store.not(t);
        normal_form(store, not, settings)
    };
    if kind == Kind::Forall {
        body = negated(store, body)?;
    }
    let mut is_changed = false;
    'again: loop {
        for n in (0..vars.len()).rev() {
            if let Some(next) = eliminated(store, body, vars[n], free, settings)? {
                (body, is_changed) = (next, true);
                vars.remove(n);
                continue 'again;
            }
        }
        break;
    }
    if !is_changed {
        return Ok(q);
    }
    if kind == Kind::Forall {
        body = negated(store, body)?;
    }
    bind_free(store, kind, &vars, body, free)
}

/// Returns what is equivalent to the existence of a value for a variable; `None` if the pass cannot say.
fn eliminated(
    store: &mut Store,
    body: TermId,
    variable: BoundVariable,
    free: &mut FreeVars,
    settings: &PassSettings,
) -> Result<Option<TermId>, PassError> {
    let (name, sort) = variable;
    if !free.contains(store, body, name) {
        return Ok(Some(body));
    }
    if sort != SortId::REAL {
        return Ok(None);
    }
    if store.kind(body) == Kind::Or {
        let mut parts = Vec::new();
        for part in store.args(body).to_vec() {
            let Some(part) = eliminated(store, part, variable, free, settings)? else { return Ok(None) };
            parts.push(part);
        }
        return Ok(Some(junction(store, false, parts)));
    }
    let (mut literals, mut open) = (BTreeSet::new(), vec![body]);
    while let Some(t) = open.pop() {
        match store.kind(t) {
            Kind::And | Kind::Or => open.extend(store.args(t).iter().filter(|&&a| free.contains(store, a, name))),
            _ => drop(literals.insert(t)),
        }
    }
    let variable = store.bound_variable(name, sort);
    match VariableElimination::new(store, variable, literals.into_iter().collect(), free, settings) {
        Ok(Some(elimination)) => elimination.run(store, body, settings),
        Ok(None) => Ok(None),
        Err(error) => give_up(error),
    }
}

/// The pass leaves what is no polynomial, or becomes too large; the time ends it.
fn give_up<T>(error: PolynomialError) -> Result<Option<T>, PassError> {
    match error {
        PolynomialError::Exhausted(exhausted) => Err(exhausted.into()),
        _ => Ok(None),
    }
}

/// The literals of a body with one variable.
struct VariableElimination {
    symbols: Vec<TermId>,
    literals: Vec<(TermId, Vec<ZeroComparison>)>,
    work: PolynomialWork,
}

impl VariableElimination {
    /// Reads literals; `None` if one is of a higher degree, or says something else about the variable.
    fn new(
        store: &Store,
        variable: TermId,
        literals: Vec<TermId>,
        free: &mut FreeVars,
        settings: &PassSettings,
    ) -> Result<Option<VariableElimination>, PolynomialError> {
        let mut work = PolynomialWork::of_pass(settings);
        let reader = PolynomialReader::new(store, &literals, is_opaque, &mut work)?;
        let name = store.variable(variable);
        let hides = |&&t: &&TermId| t != variable && name.is_some_and(|name| free.contains(store, t, name));
        let hidden = reader.symbols.iter().find(hides);
        let (Ok(n), None) = (reader.symbols.binary_search(&variable), hidden) else { return Ok(None) };
        let mut read = Vec::new();
        for literal in literals {
            let mut comparisons = Vec::new();
            for (polynomial, relation) in reader.constraints(store, literal)? {
                if polynomial.degree(n) > 2 {
                    return Ok(None);
                }
                comparisons.push((polynomial.coefficients(n), relation));
            }
            read.push((literal, comparisons));
        }
        Ok(Some(VariableElimination { symbols: reader.symbols, literals: read, work }))
    }

    fn run(mut self, store: &mut Store, body: TermId, settings: &PassSettings) -> Result<Option<TermId>, PassError> {
        let points = match self.points() {
            Ok(points) if points.len() <= MAX_POINTS => points,
            Ok(_) => return Ok(None),
            Err(error) => return give_up(error),
        };
        let mut cases = Vec::new();
        for point in std::iter::once(None).chain(points.into_iter().map(Some)) {
            let mut rebuild = Rebuild::default();
            for (literal, comparisons) in &self.literals {
                let mut at = PointSubstitution { symbols: &self.symbols, work: &mut self.work, store };
                match comparisons.iter().map(|c| at.comparison(c, point.as_ref())).collect() {
                    Ok(parts) => rebuild.preset(*literal, junction(store, true, parts)),
                    Err(error) => return give_up(error),
                }
            }
            let mut at = PointSubstitution { symbols: &self.symbols, work: &mut self.work, store };
            let guard = point.iter().flat_map(|point| &point.guard);
            let mut parts: Vec<TermId> =
                guard.map(|(polynomial, relation)| at.literal(polynomial, *relation)).collect();
            let mut watch = settings.watch(store);
            parts.push(rebuild.run(store, body, &mut watch, |store, u| match store.kind(u) {
                kind @ (Kind::And | Kind::Or) => {
                    let args = store.args(u).to_vec();
                    Ok(junction(store, kind == Kind::And, args))
                }
                _ => Ok(u),
            })?);
            cases.push(junction(store, true, parts));
        }
        Ok(Some(junction(store, false, cases)))
    }

    /// Returns the roots of all polynomials. A set of numbers that are right of a bound begins at a root, or right after one.
    fn points(&mut self) -> Result<Vec<TestPoint>, PolynomialError> {
        let mut points = Vec::new();
        let mut seen = BTreeSet::new();
        for (coefficients, relation) in self.literals.iter().flat_map(|(_, comparisons)| comparisons) {
            let is_after = matches!(relation, LinearRelation::Below | LinearRelation::Distinct);
            if !seen.insert((coefficients, is_after)) {
                continue;
            }
            let (Some(c), Some(b)) = (coefficients.first(), coefficients.get(1)) else { continue };
            let (zero, work) = (c.zero_like(), &mut self.work);
            let number = |n: i32| MultiPolynomial::constant(c.variables(), IBig::from(n));
            let mut guard = vec![(b.clone(), LinearRelation::Distinct)];
            let minus = IBig::NEG_ONE;
            if let Some(a) = coefficients.get(2) {
                guard.push((a.clone(), LinearRelation::Equal));
                let r = b.times(b, work)?.plus(&IBig::from(-4), &a.times(c, work)?);
                for q in [1, -1] {
                    let guard = vec![(a.clone(), LinearRelation::Distinct), (r.scaled(&minus), LinearRelation::AtMost)];
                    let (p, q, s) = (b.scaled(&minus), number(q), a.scaled(&IBig::from(2)));
                    points.push(TestPoint { guard, p, q, r: r.clone(), s, is_after });
                }
            }
            points.push(TestPoint { guard, p: c.scaled(&minus), q: zero.clone(), r: zero, s: b.clone(), is_after });
        }
        Ok(points)
    }
}

/// Whether a number is no sum, product, quotient, or constant.
fn is_opaque(store: &Store, t: TermId) -> bool {
    use Kind::*;
    let is_ring = matches!(store.kind(t), RealAdd | RealSub | RealNeg | RealMul | RealDiv | ToReal | Constant)
        || matches!(store.kind(t), IntAdd | IntSub | IntNeg | IntMul);
    !is_ring
}
