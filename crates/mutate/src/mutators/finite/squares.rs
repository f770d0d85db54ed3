//! Polynomial constraints that contradict each other by construction; the script defines the certificate.
//!
//! Equations, inequalities and squares are drawn, and a last constraint contradicts that the sum of the squares and of multiples of the others is
//! not negative, multiplied out. The definition `certificate` is that sum as it was made, plus the last constraint's difference: positive by
//! the assertions, and 0 when it is multiplied out. `semantics::truth` checks both.

use super::polynomials::{product, sum};
use super::problem::Drawing;
use crate::rng::RandomStream;
use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::Stop;
use semantics::truth::{self, CheckTruth, Search, TruthQuery};
use smtlib::{Command, Func, FuncBody, Instance, Kind, Op, SortId, Store, TermId};
use std::collections::BTreeMap;

/// The percentage of problems over integers.
const INTEGERS: u32 = 20;

/// The exponents of each symbol, with the coefficient. The check of the certificate multiplies out in another way, so neither hides a
/// fault of the other.
type Summands = BTreeMap<[u8; 3], IBig>;

/// Terms over the symbols of one sort.
struct SquareTerms<'s> {
    store: &'s mut Store,
    symbols: Vec<TermId>,
    sort: SortId,
}

impl Drawing<'_> {
    /// Constraints that contradict each other, in one or two levels.
    pub(super) fn squares(&mut self, store: &mut Store, rng: &mut RandomStream) -> Option<()> {
        let sort = if rng.percent(INTEGERS) { SortId::INT } else { SortId::REAL };
        let count = rng.between(1, 3);
        let symbols =
            (0..count).map(|n| Some(self.constant(store, &format!("x{n}"), sort)?.1)).collect::<Option<_>>()?;
        let mut terms = SquareTerms { store, symbols, sort };
        let (mut total, mut parts, mut asserted) = (Summands::new(), Vec::new(), Vec::new());
        for _ in 0..rng.below(3) {
            let [left, right] = [terms.drawn(rng), if rng.coin() { Summands::new() } else { terms.drawn(rng) }];
            let (cofactor, [l, r]) = (terms.drawn(rng), [terms.written(&left)?, terms.written(&right)?]);
            asserted.push(terms.store.eq(l, r).ok()?);
            let factors = [terms.written(&cofactor)?, terms.difference(l, r)?];
            parts.push(product(terms.store, &factors)?);
            add(&mut total, &times(&cofactor, &difference(&left, &right)));
        }
        if rng.percent(40) {
            let ([left, right], square) = ([terms.drawn(rng), terms.drawn(rng)], terms.drawn(rng));
            let [l, r, s] = [terms.written(&left)?, terms.written(&right)?, terms.written(&square)?];
            asserted.push(terms.at_most(r, l, rng)?);
            let d = terms.difference(l, r)?;
            parts.push(product(terms.store, &[s, s, d])?);
            add(&mut total, &times(&times(&square, &square), &difference(&left, &right)));
        }
        for _ in 0..rng.between(1, 2) {
            let (square, factor) = (terms.drawn(rng), terms.number(rng.between(2, 4).into()));
            let (s, scale) = (terms.written(&square)?, terms.written(&factor)?);
            parts.push(product(terms.store, &[scale, s, s])?);
            add(&mut total, &times(&factor, &times(&square, &square)));
        }
        let is_strict = rng.percent(30);
        if !is_strict {
            let rest = terms.number(rng.between(1, 3).into());
            parts.push(terms.written(&rest)?);
            add(&mut total, &rest);
        }
        // The sum is not positive: what is subtracted in it stands on the other side.
        let (positive, negative): (Summands, Summands) = total.into_iter().partition(|(_, c)| *c > IBig::ZERO);
        let negative = difference(&Summands::new(), &negative);
        let [l, r] = [terms.written(&negative)?, terms.written(&positive)?];
        asserted.push(match is_strict {
            true => terms.app([Kind::RealGt, Kind::IntGt], [l, r])?,
            false if rng.percent(30) => terms.store.eq(r, l).ok()?,
            false => terms.at_most(r, l, rng)?,
        });
        parts.push(terms.difference(l, r)?);
        let body = sum(terms.store, &parts)?;
        self.certified(store, sort, body, asserted, rng)
    }

    /// Asserts constraints and defines their certificate.
    fn certified(
        &mut self,
        store: &mut Store,
        sort: SortId,
        body: TermId,
        asserted: Vec<TermId>,
        rng: &mut RandomStream,
    ) -> Option<()> {
        let name = store.symbols.intern("certificate");
        let body = FuncBody::Defined { vars: [].into(), body };
        let f = store.declare(Func { name, params: [].into(), result: sort, body });
        let (last, others) = asserted.split_last()?;
        self.problem.commands.push(Command::DefineFun(f));
        others.iter().for_each(|&t| self.assert(t));
        let levels = if self.is_incremental && rng.coin() { 2 } else { 1 };
        let declarations = vec![Command::DefineFun(f)];
        let instance = Instance { declarations, assertions: asserted.clone(), ..Instance::default() };
        for level in 1..=levels {
            if level < levels {
                self.push();
            }
            self.assert(*last);
            self.problem.commands.push(Command::CheckSat);
            let query = TruthQuery { limits: self.limits, stop: &Stop::default(), search: Search::Quick };
            let known = truth::of_instance(store, &instance, query).ok()?;
            self.problem.answers.push(Some(known).filter(|known| matches!(known, CheckTruth::Unsat(_)))?);
            if level < levels {
                self.pop();
            }
        }
        Some(())
    }
}

fn add(sum: &mut Summands, other: &Summands) {
    for (exponents, c) in other {
        let coefficient = sum.entry(*exponents).or_default();
        *coefficient += c;
        if *coefficient == IBig::ZERO {
            sum.remove(exponents);
        }
    }
}

fn difference(left: &Summands, right: &Summands) -> Summands {
    let mut all = left.clone();
    add(&mut all, &right.iter().map(|(exponents, c)| (*exponents, -c)).collect());
    all
}

fn times(left: &Summands, right: &Summands) -> Summands {
    let mut all = Summands::new();
    for (a, c) in left {
        for (b, d) in right {
            add(&mut all, &[(std::array::from_fn(|n| a[n] + b[n]), c * d)].into());
        }
    }
    all
}

impl SquareTerms<'_> {
    fn number(&self, n: IBig) -> Summands {
        [([0; 3], n)].into()
    }

    /// Draws up to three summands of degree 2 at most.
    fn drawn(&self, rng: &mut RandomStream) -> Summands {
        let mut all = Summands::new();
        while all.is_empty() {
            for _ in 0..rng.between(1, 3) {
                let mut exponents = [0; 3];
                (0..rng.below(3)).for_each(|_| exponents[rng.index(self.symbols.len())] += 1);
                add(&mut all, &[(exponents, IBig::from(rng.below(7) as i64 - 3))].into());
            }
        }
        all
    }

    fn app(&mut self, kinds: [Kind; 2], args: [TermId; 2]) -> Option<TermId> {
        self.store.app(Op::new(kinds[usize::from(self.sort == SortId::INT)]), &args).ok()
    }

    fn difference(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        self.app([Kind::RealSub, Kind::IntSub], [left, right])
    }

    /// Returns that a term is at most another, in one of two spellings.
    fn at_most(&mut self, low: TermId, high: TermId, rng: &mut RandomStream) -> Option<TermId> {
        match rng.coin() {
            true => self.app([Kind::RealLe, Kind::IntLe], [low, high]),
            false => self.app([Kind::RealGe, Kind::IntGe], [high, low]),
        }
    }

    /// Returns a sum of products.
    fn written(&mut self, summands: &Summands) -> Option<TermId> {
        let mut terms = Vec::new();
        for (exponents, c) in summands {
            let number = |store: &mut Store, n: &IBig| match self.sort {
                SortId::INT => store.int(n),
                _ => store.real(&RBig::from(n.clone())),
            };
            let powers = exponents.iter().zip(&self.symbols).flat_map(|(e, &x)| std::iter::repeat_n(x, (*e).into()));
            let mut factors: Vec<TermId> = powers.collect();
            if *c != IBig::ONE || factors.is_empty() {
                factors.insert(0, number(self.store, c));
            }
            terms.push(product(self.store, &factors)?);
        }
        if terms.is_empty() {
            return self.written(&self.number(IBig::ZERO));
        }
        sum(self.store, &terms)
    }
}
