//! `gb`: refutes conjunctions of polynomial constraints by a Gröbner basis of the equations; certificates are multiplied out again.
//!
//! Buchberger's algorithm (Cox, Little, O'Shea, "Ideals, Varieties, and Algorithms", chapter 2) in graded lexicographic order.

use super::cover::PolynomialConstraint;
use super::limits::{PolynomialError, PolynomialWork};
use super::polynomial::MultiPolynomial;
use super::read;
use crate::budget::Budget;
use crate::constraint::LinearRelation;
use crate::engine::{Decision, Engine, EngineEntry, MakeEngine};
use dashu_int::IBig;
use rewrite::TacticParameter;
use smtlib::{Store, TermId, logic};
use std::collections::{BTreeMap, BTreeSet};

/// The registry's row.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "gb",
    about: "refutes conjunctions of polynomial constraints by a Gröbner basis of their equations, with cofactors that are checked",
    takes: logic::INTEGERS | logic::REALS | logic::SUMS | logic::NONLINEAR,
    parameters: &[PAIRS],
    make: MakeEngine::Alone(|params| Box::new(BasisEngine { pairs: params.number(&PAIRS) })),
};

/// The limit on pairs.
const PAIRS: TacticParameter =
    TacticParameter { name: "pairs", about: "the maximum number of pairs of polynomials", default: 1000, words: &[] };

/// `gb`.
struct BasisEngine {
    pairs: u64,
}

/// A combination of the constraints' polynomials `f1` to `fn`. It is stored as `s*f + c1*t1 + … + cn*tn`, where `f` is its value and the `c`
/// are the cofactors: sums and multiples keep both right. The exponents are those of `s`, of all variables together, of each variable, and of
/// each `t`, so that lexicographic order is graded order on values.
#[derive(Clone)]
struct Combination(MultiPolynomial);

/// The number of exponents before those of the variables.
const BEFORE: usize = 2;

impl Engine for BasisEngine {
    fn decide(&self, store: &mut Store, assertions: &[TermId], budget: &Budget) -> Decision {
        let mut work = PolynomialWork::new(budget);
        let decide = |work: &mut PolynomialWork| {
            let problem = read::problem(store, assertions, work)?;
            if let Some(violated) = problem.violated {
                return Ok(Decision::Unsat(vec![violated]));
            }
            let (constraints, second_owners) = with_pairs(&problem.constraints);
            let refutation = refutation(&constraints, problem.symbols.len(), self.pairs, work)?;
            let owners: BTreeSet<usize> =
                refutation.into_iter().flat_map(|n| [constraints[n].owner, second_owners[n]]).collect();
            Ok(Decision::Unsat(owners.into_iter().collect()))
        };
        decide(&mut work).unwrap_or_else(|error: PolynomialError| error.into_decision(budget))
    }
}

/// Returns the constraints and an equation for each two that say "at most" and "at least", with the second owner of each.
fn with_pairs(given: &[PolynomialConstraint]) -> (Vec<PolynomialConstraint>, Vec<usize>) {
    let (mut all, mut owners) = (given.to_vec(), given.iter().map(|c| c.owner).collect::<Vec<_>>());
    let is_bound = |c: &&PolynomialConstraint| c.relation == LinearRelation::AtMost;
    let mut upper: BTreeMap<MultiPolynomial, usize> = BTreeMap::new();
    for constraint in given.iter().filter(is_bound) {
        if let Some(owner) = upper.get(&constraint.polynomial.scaled(&IBig::NEG_ONE)) {
            all.push(PolynomialConstraint { relation: LinearRelation::Equal, ..constraint.clone() });
            owners.push(*owner);
        }
        upper.insert(constraint.polynomial.clone(), constraint.owner);
    }
    (all, owners)
}

/// Returns the numbers of constraints that contradict each other.
fn refutation(
    constraints: &[PolynomialConstraint],
    variables: usize,
    pairs: u64,
    work: &mut PolynomialWork,
) -> Result<Vec<usize>, PolynomialError> {
    let combination = |n: usize| Combination::of(n, &constraints[n].polynomial, variables, constraints.len());
    let (equations, others): (Vec<usize>, Vec<usize>) =
        (0..constraints.len()).partition(|n| constraints[*n].relation == LinearRelation::Equal);
    let mut basis: Vec<Combination> = Vec::new();
    let mut queue: Vec<(usize, usize)> = Vec::new();
    let mut left = pairs;
    let mut waiting: Vec<Combination> = equations.into_iter().map(combination).collect();
    loop {
        let next = match waiting.pop() {
            Some(given) => given,
            None => {
                // The pair with the least common multiple of the lowest degree.
                let degree = |(a, b): &(usize, usize)| basis[*a].common_degree(&basis[*b]);
                let Some(at) = (0..queue.len()).min_by_key(|at| degree(&queue[*at])) else { break };
                let (a, b) = queue.swap_remove(at);
                left = left.checked_sub(1).ok_or(PolynomialError::Pairs)?;
                match basis[a].critical(&basis[b], work)? {
                    Some(critical) => critical,
                    None => continue,
                }
            }
        };
        let reduced = next.reduced(&basis, work)?;
        if reduced.value(variables).is_zero() {
            continue;
        }
        if reduced.value(variables).main().is_none() {
            return reduced.checked(constraints, variables, work);
        }
        queue.extend((0..basis.len()).map(|other| (other, basis.len())));
        basis.push(reduced);
    }
    for n in others {
        let reduced = combination(n).reduced(&basis, work)?;
        let Some(number) = reduced.value(variables).as_constant() else { continue };
        if !constraints[n].relation.holds(number.cmp(&IBig::ZERO)) {
            return reduced.checked(constraints, variables, work);
        }
    }
    Err(PolynomialError::NotRefuted)
}

impl Combination {
    /// Returns one constraint's polynomial.
    fn of(n: usize, polynomial: &MultiPolynomial, variables: usize, count: usize) -> Combination {
        let mut terms: Vec<(Box<[u32]>, IBig)> = Vec::new();
        for (powers, coefficient) in polynomial.terms() {
            let mut exponents = vec![0; BEFORE + variables + count];
            exponents[0] = 1;
            exponents[1] = powers.iter().sum();
            exponents[BEFORE..BEFORE + variables].copy_from_slice(powers);
            terms.push((exponents.into(), coefficient.clone()));
        }
        let mut tag = vec![0; BEFORE + variables + count];
        tag[BEFORE + variables + n] = 1;
        terms.push((tag.into(), IBig::ONE));
        Combination(MultiPolynomial::of_terms(BEFORE + variables + count, terms))
    }

    /// Returns the leading term of the value, with its exponents before the `t`.
    fn lead(&self) -> Option<(&[u32], &IBig)> {
        self.0.last_term().filter(|(exponents, _)| exponents[0] == 1)
    }

    fn common_degree(&self, other: &Combination) -> u32 {
        let (Some((a, _)), Some((b, _))) = (self.lead(), other.lead()) else { return 0 };
        a[BEFORE..].iter().zip(&b[BEFORE..]).map(|(a, b)| a.max(b)).sum()
    }

    /// Returns the combination in which the leading terms of both cancel; `None` if they share no variable: it would be reduced to zero.
    fn critical(&self, other: &Combination, work: &mut PolynomialWork) -> Result<Option<Combination>, PolynomialError> {
        let (Some((a, x)), Some((b, y))) = (self.lead(), other.lead()) else { return Ok(None) };
        if a[BEFORE..].iter().zip(&b[BEFORE..]).all(|(a, b)| *a == 0 || *b == 0) {
            return Ok(None);
        }
        let mut common: Vec<u32> = a.iter().zip(b).map(|(a, b)| *a.max(b)).collect();
        common[1] = common[BEFORE..].iter().sum();
        let shift = |lead: &[u32]| common.iter().zip(lead).map(|(c, l)| c - l).collect::<Vec<u32>>();
        let first = self.0.shifted(&shift(a), y, work)?;
        Ok(Some(Combination(first.plus(&-x, &other.0.shifted(&shift(b), &IBig::ONE, work)?).shortened())))
    }

    /// Subtracts multiples of a basis until no leading term divides that of the value. The multiplier of this one stays positive.
    fn reduced(mut self, basis: &[Combination], work: &mut PolynomialWork) -> Result<Combination, PolynomialError> {
        while let Some((exponents, coefficient)) = self.lead() {
            work.meter.tick()?;
            let divides = |divisor: &&Combination| {
                divisor.lead().is_some_and(|(lead, _)| lead.iter().zip(exponents).all(|(l, e)| l <= e))
            };
            let Some(divisor) = basis.iter().find(divides) else { break };
            let Some((lead, factor)) = divisor.lead() else { break };
            let shift: Vec<u32> = exponents.iter().zip(lead).map(|(e, l)| e - l).collect();
            let (scale, multiple) = match *factor < IBig::ZERO {
                true => (-factor, coefficient.clone()),
                false => (factor.clone(), -coefficient),
            };
            let scaled = self.0.scaled(&scale);
            self = Combination(scaled.plus(&multiple, &divisor.0.shifted(&shift, &IBig::ONE, work)?).shortened());
        }
        Ok(self)
    }

    /// Returns the part with this exponent of one of the marks.
    fn part(&self, mark: usize, variables: usize) -> MultiPolynomial {
        let marked = self.0.terms().filter(|(exponents, _)| exponents[mark] == 1);
        let terms = marked.map(|(e, coefficient)| (e[BEFORE..BEFORE + variables].into(), coefficient.clone()));
        MultiPolynomial::of_terms(variables, terms)
    }

    fn value(&self, variables: usize) -> MultiPolynomial {
        self.part(0, variables)
    }

    /// Returns the numbers of the constraints in it, after multiplying their polynomials with the cofactors again.
    fn checked(
        &self,
        constraints: &[PolynomialConstraint],
        variables: usize,
        work: &mut PolynomialWork,
    ) -> Result<Vec<usize>, PolynomialError> {
        let (mut sum, mut used) = (MultiPolynomial::constant(variables, IBig::ZERO), Vec::new());
        for (n, constraint) in constraints.iter().enumerate() {
            let cofactor = self.part(BEFORE + variables + n, variables);
            if cofactor.is_zero() {
                continue;
            }
            // A constraint that is no equation may be multiplied by a positive number alone.
            let is_positive = cofactor.as_constant().is_some_and(|number| number > IBig::ZERO);
            if constraint.relation != LinearRelation::Equal && !is_positive {
                return Err(PolynomialError::Inexact);
            }
            sum = sum.plus(&IBig::ONE, &cofactor.times(&constraint.polynomial, work)?);
            used.push(n);
        }
        if sum == self.value(variables) { Ok(used) } else { Err(PolynomialError::Inexact) }
    }
}
