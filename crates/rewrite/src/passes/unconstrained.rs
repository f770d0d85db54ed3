//! The values of operators with unconstrained arguments: the table behind `elim-unconstrained`.

use super::solve_eqs::odd_inverse;
use crate::fresh::FreshSymbols;
use crate::linear::number;
use crate::pass::PassError;
use crate::values::{app, bits};
use dashu_int::UBig;
use dashu_ratio::RBig;
use smtlib::{FuncId, Kind, Op, Sort, SortId, Store, TermId};

/// A replaced application.
pub struct Freed {
    /// The replacement, over the fresh symbol.
    pub image: TermId,
    /// The fresh symbol.
    pub symbol: FuncId,
    /// Values for some of the free arguments, by index; the others may have any value.
    pub definitions: Vec<(usize, TermId)>,
}

/// Replaces an application whose arguments marked in `open` are variables without other occurrences. `None` if not every value can be
/// reached, or the operator is unknown.
/// Errors: [`PassError::Build`], which well-sorted terms never cause.
pub fn free(store: &mut Store, t: TermId, open: &[bool], fresh: &mut FreshSymbols) -> Result<Option<Freed>, PassError> {
    let args = store.args(t).to_vec();
    if args.iter().enumerate().any(|(n, a)| open[n] && args[n + 1..].contains(a)) {
        return Ok(None);
    }
    let mut maker = Inverter { store, fresh, args: &args, open, symbol: None };
    let freed = maker.operator(t)?;
    let symbol = maker.symbol;
    Ok(match (freed, symbol) {
        (Some((image, definitions)), Some(symbol)) => Some(Freed { image, symbol, definitions }),
        _ => None,
    })
}

/// A fresh result, and arguments that yield it, by index.
type Inversion = Option<(TermId, Vec<(usize, TermId)>)>;

struct Inverter<'m> {
    store: &'m mut Store,
    fresh: &'m mut FreshSymbols,
    args: &'m [TermId],
    open: &'m [bool],
    symbol: Option<FuncId>,
}

impl Inverter<'_> {
    /// Returns the fresh variable, as a term.
    fn variable(&mut self, sort: SortId) -> TermId {
        let (symbol, term) = self.fresh.constant(self.store, sort);
        self.symbol = Some(symbol);
        term
    }

    fn app(&mut self, kind: Kind, args: &[TermId]) -> Result<TermId, PassError> {
        app(self.store, kind, args)
    }

    fn choose(&mut self, c: TermId, then: TermId, otherwise: TermId) -> Result<TermId, PassError> {
        self.app(Kind::Ite, &[c, then, otherwise])
    }

    /// Returns the first open index, and the other argument of a binary operator.
    fn one_of_two(&self) -> Option<(usize, TermId)> {
        let place = self.open.iter().position(|&o| o)?;
        (self.args.len() == 2).then(|| (place, self.args[1 - place]))
    }

    fn all_open(&self) -> bool {
        self.open.iter().all(|&o| o)
    }

    fn operator(&mut self, t: TermId) -> Result<Inversion, PassError> {
        use Kind::*;
        let sort = self.store.sort(t);
        match self.store.kind(t) {
            kind @ (Not | BvNot | BvNeg | IntNeg | RealNeg | FpNeg) => {
                let u = self.variable(sort);
                let x = self.app(kind, &[u])?;
                Ok(Some((u, vec![(0, x)])))
            }
            And | Or if self.all_open() => self.first_decides(t, sort),
            BvAnd | BvOr | BvMul | BvUdiv if self.all_open() && self.args.len() == 2 => self.first_decides(t, sort),
            Xor => self.one_of_two().map(|(n, b)| self.undo(sort, n, Xor, b)).transpose(),
            BvXor => self.one_of_two().map(|(n, b)| self.undo(sort, n, BvXor, b)).transpose(),
            Eq => self.equality(),
            Ite => self.choice(sort),
            IntAdd | RealAdd | BvAdd => self.sum(t, sort),
            IntSub | RealSub | BvSub if self.args.len() == 2 => self.difference(t, sort),
            RealMul | IntMul | BvMul => self.multiple(sort),
            IntLe | IntLt | IntGe | IntGt | RealLe | RealLt | RealGe | RealGt => self.order(t),
            BvUlt | BvUle | BvSlt | BvSle | BvUgt | BvUge | BvSgt | BvSge => self.vector_order(t),
            BvConcat if self.all_open() => self.concat(sort),
            BvExtract => self.extract(t, sort),
            FpEq | FpLt | FpLeq | FpGt | FpGeq => self.float_order(t),
            FpIsNan | FpIsInfinite | FpIsZero => self.float_class(t),
            ArraySelect if self.open[0] => {
                let u = self.variable(sort);
                let array = self.store.sort(self.args[0]);
                let constant = self.store.const_array(array, u)?;
                Ok(Some((u, vec![(0, constant)])))
            }
            _ => Ok(None),
        }
    }

    /// Returns an inversion with the result as first argument and neutral others.
    fn first_decides(&mut self, t: TermId, sort: SortId) -> Result<Inversion, PassError> {
        let neutral = match (self.store.kind(t), self.store.sorts.get(sort).clone()) {
            (Kind::And, _) => self.store.bool(true),
            (Kind::Or, _) => self.store.bool(false),
            (Kind::BvAnd, Sort::BitVec(w)) => self.store.bitvec(w, &UBig::ones(w as usize)),
            (Kind::BvOr, Sort::BitVec(w)) => self.store.bitvec(w, &UBig::ZERO),
            (_, Sort::BitVec(w)) => self.store.bitvec(w, &UBig::ONE),
            _ => return Ok(None),
        };
        let u = self.variable(sort);
        let definitions = (0..self.args.len()).map(|n| (n, if n == 0 { u } else { neutral })).collect();
        Ok(Some((u, definitions)))
    }

    /// `x op b = u` where `x = u op b`.
    fn undo(
        &mut self,
        sort: SortId,
        place: usize,
        kind: Kind,
        b: TermId,
    ) -> Result<(TermId, Vec<(usize, TermId)>), PassError> {
        let u = self.variable(sort);
        let x = self.app(kind, &[u, b])?;
        Ok((u, vec![(place, x)]))
    }

    fn equality(&mut self) -> Result<Inversion, PassError> {
        let Some((place, b)) = self.one_of_two() else { return Ok(None) };
        let Some(other) = self.another(b)? else { return Ok(None) };
        let u = self.variable(SortId::BOOL);
        let x = self.choose(u, b, other)?;
        Ok(Some((u, vec![(place, x)])))
    }

    /// Returns a term whose value differs from that of `b`.
    fn another(&mut self, b: TermId) -> Result<Option<TermId>, PassError> {
        let sort = self.store.sort(b);
        Ok(Some(match *self.store.sorts.get(sort) {
            Sort::Bool => self.store.not(b),
            Sort::BitVec(_) => self.app(Kind::BvNot, &[b])?,
            Sort::Int => {
                let one = self.store.int(&1.into());
                self.app(Kind::IntAdd, &[b, one])?
            }
            Sort::Real => {
                let one = self.store.real(&RBig::ONE);
                self.app(Kind::RealAdd, &[b, one])?
            }
            Sort::Float { eb, sb } => {
                let zero = self.store.app(Op::indexed(Kind::FpPlusZero, eb, sb), &[])?;
                let nan = self.store.app(Op::indexed(Kind::FpNan, eb, sb), &[])?;
                let is_nan = self.app(Kind::FpIsNan, &[b])?;
                self.choose(is_nan, zero, nan)?
            }
            Sort::RoundingMode => {
                let (rne, rtz) = (self.app(Kind::Rne, &[])?, self.app(Kind::Rtz, &[])?);
                let is = self.store.eq(b, rne)?;
                self.choose(is, rtz, rne)?
            }
            // A sort with one element, or whose elements have no terms.
            _ => return Ok(None),
        }))
    }

    fn choice(&mut self, sort: SortId) -> Result<Inversion, PassError> {
        match *self.open {
            [_, true, true] => {
                let u = self.variable(sort);
                Ok(Some((u, vec![(1, u), (2, u)])))
            }
            [true, true, false] => {
                let u = self.variable(sort);
                let truth = self.store.bool(true);
                Ok(Some((u, vec![(0, truth), (1, u)])))
            }
            [true, false, true] => {
                let u = self.variable(sort);
                let falsum = self.store.bool(false);
                Ok(Some((u, vec![(0, falsum), (2, u)])))
            }
            _ => Ok(None),
        }
    }

    fn sum(&mut self, t: TermId, sort: SortId) -> Result<Inversion, PassError> {
        let Some(place) = self.open.iter().position(|&o| o) else { return Ok(None) };
        let u = self.variable(sort);
        let minus = match self.store.kind(t) {
            Kind::IntAdd => Kind::IntSub,
            Kind::RealAdd => Kind::RealSub,
            _ => Kind::BvSub,
        };
        let mut x = u;
        for (n, &a) in self.args.iter().enumerate() {
            if n != place {
                x = app(self.store, minus, &[x, a])?;
            }
        }
        Ok(Some((u, vec![(place, x)])))
    }

    fn difference(&mut self, t: TermId, sort: SortId) -> Result<Inversion, PassError> {
        let Some((place, b)) = self.one_of_two() else { return Ok(None) };
        let (minus, plus) = match self.store.kind(t) {
            Kind::IntSub => (Kind::IntSub, Kind::IntAdd),
            Kind::RealSub => (Kind::RealSub, Kind::RealAdd),
            _ => (Kind::BvSub, Kind::BvAdd),
        };
        let u = self.variable(sort);
        let x = if place == 0 { self.app(plus, &[u, b])? } else { self.app(minus, &[b, u])? };
        Ok(Some((u, vec![(place, x)])))
    }

    /// Returns a product with an invertible value.
    fn multiple(&mut self, sort: SortId) -> Result<Inversion, PassError> {
        let Some((place, b)) = self.one_of_two() else { return Ok(None) };
        let (inverse, kind) = match *self.store.sorts.get(sort) {
            Sort::Real => match number(self.store, b).filter(|c| !c.is_zero()) {
                Some(c) => (self.store.real(&(RBig::ONE / c)), Kind::RealMul),
                None => return Ok(None),
            },
            Sort::BitVec(_) => match bits(self.store, b).and_then(|(w, c)| odd_inverse(w, c).map(|i| (w, i))) {
                Some((w, inverse)) => (self.store.bitvec(w, &inverse), Kind::BvMul),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let u = self.variable(sort);
        let x = self.app(kind, &[u, inverse])?;
        Ok(Some((u, vec![(place, x)])))
    }

    /// Int and Real are unbounded: both truth values are reached.
    fn order(&mut self, t: TermId) -> Result<Inversion, PassError> {
        use Kind::*;
        let Some((place, b)) = self.one_of_two() else { return Ok(None) };
        let kind = self.store.kind(t);
        let integral = self.store.sort(b) == SortId::INT;
        let (one, plus, minus) = if integral {
            (self.store.int(&1.into()), IntAdd, IntSub)
        } else {
            (self.store.real(&RBig::ONE), RealAdd, RealSub)
        };
        // Whether `x` must be small for the atom to hold, and whether equality suffices.
        let below = matches!(kind, IntLe | IntLt | RealLe | RealLt) == (place == 0);
        let weak = matches!(kind, IntLe | IntGe | RealLe | RealGe);
        let (up, down) = (self.app(plus, &[b, one])?, self.app(minus, &[b, one])?);
        let (holds, fails) = match (below, weak) {
            (true, true) => (b, up),
            (true, false) => (down, b),
            (false, true) => (b, down),
            (false, false) => (up, b),
        };
        let u = self.variable(SortId::BOOL);
        let x = self.choose(u, holds, fails)?;
        Ok(Some((u, vec![(place, x)])))
    }

    /// Bit-vectors have a least and a greatest value: compared with these, one truth value cannot be reached.
    fn vector_order(&mut self, t: TermId) -> Result<Inversion, PassError> {
        use Kind::*;
        let Some((place, b)) = self.one_of_two() else { return Ok(None) };
        let Sort::BitVec(w) = *self.store.sorts.get(self.store.sort(b)) else { return Ok(None) };
        let kind = self.store.kind(t);
        let width = w as usize;
        let top = UBig::ONE << (width - 1);
        let (least, greatest) = match kind {
            BvSlt | BvSle | BvSgt | BvSge => (top.clone(), &top - UBig::ONE),
            _ => (UBig::ZERO, UBig::ones(width)),
        };
        let (least, greatest) = (self.store.bitvec(w, &least), self.store.bitvec(w, &greatest));
        let below = matches!(kind, BvUlt | BvUle | BvSlt | BvSle) == (place == 0);
        let strict = matches!(kind, BvUlt | BvUgt | BvSlt | BvSgt);
        let (holds, fails) = if below { (least, greatest) } else { (greatest, least) };
        let u = self.variable(SortId::BOOL);
        let x = self.choose(u, holds, fails)?;
        // If `b` is the extreme that `x` would have to pass, a strict comparison is always false; a weak one is always true if `b` is
        // the other one.
        let blocked = self.store.eq(b, if strict { holds } else { fails })?;
        let image = if strict {
            let not = self.store.not(blocked);
            self.store.and(&[u, not])
        } else {
            self.store.or(&[u, blocked])
        };
        Ok(Some((image, vec![(place, x)])))
    }

    fn concat(&mut self, sort: SortId) -> Result<Inversion, PassError> {
        let u = self.variable(sort);
        let mut low = 0;
        let mut definitions = Vec::with_capacity(self.args.len());
        for (n, &a) in self.args.iter().enumerate().rev() {
            let Sort::BitVec(w) = *self.store.sorts.get(self.store.sort(a)) else { return Ok(None) };
            definitions.push((n, self.store.app(Op::indexed(Kind::BvExtract, low + w - 1, low), &[u])?));
            low += w;
        }
        Ok(Some((u, definitions)))
    }

    fn extract(&mut self, t: TermId, sort: SortId) -> Result<Inversion, PassError> {
        let op = self.store.op(t);
        let Sort::BitVec(w) = *self.store.sorts.get(self.store.sort(self.args[0])) else { return Ok(None) };
        let u = self.variable(sort);
        let mut x = u;
        if op.i + 1 < w {
            let zeros = self.store.bitvec(w - 1 - op.i, &UBig::ZERO);
            x = self.app(Kind::BvConcat, &[zeros, x])?;
        }
        if op.j > 0 {
            let zeros = self.store.bitvec(op.j, &UBig::ZERO);
            x = self.app(Kind::BvConcat, &[x, zeros])?;
        }
        Ok(Some((u, vec![(0, x)])))
    }

    /// A NaN makes any comparison false; an infinity makes it true, if anything does.
    fn float_order(&mut self, t: TermId) -> Result<Inversion, PassError> {
        use Kind::*;
        let Some((place, b)) = self.one_of_two() else { return Ok(None) };
        let Sort::Float { eb, sb } = *self.store.sorts.get(self.store.sort(b)) else { return Ok(None) };
        let kind = self.store.kind(t);
        let below = matches!(kind, FpLt | FpLeq) == (place == 0);
        let end = if below { FpMinusInfinity } else { FpPlusInfinity };
        let end = self.store.app(Op::indexed(end, eb, sb), &[])?;
        let nan = self.store.app(Op::indexed(FpNan, eb, sb), &[])?;
        let holds = if kind == FpEq { b } else { end };
        let reachable = match kind {
            FpLt | FpGt => {
                let args = if below { [end, b] } else { [b, end] };
                self.app(FpLt, &args)?
            }
            _ => {
                let is_nan = self.app(FpIsNan, &[b])?;
                self.store.not(is_nan)
            }
        };
        let u = self.variable(SortId::BOOL);
        let x = self.choose(u, holds, nan)?;
        Ok(Some((self.store.and(&[u, reachable]), vec![(place, x)])))
    }

    fn float_class(&mut self, t: TermId) -> Result<Inversion, PassError> {
        use Kind::*;
        let Sort::Float { eb, sb } = *self.store.sorts.get(self.store.sort(self.args[0])) else { return Ok(None) };
        let (yes, no) = match self.store.kind(t) {
            FpIsNan => (FpNan, FpPlusZero),
            FpIsInfinite => (FpPlusInfinity, FpPlusZero),
            _ => (FpPlusZero, FpNan),
        };
        let yes = self.store.app(Op::indexed(yes, eb, sb), &[])?;
        let no = self.store.app(Op::indexed(no, eb, sb), &[])?;
        let u = self.variable(SortId::BOOL);
        let x = self.choose(u, yes, no)?;
        Ok(Some((u, vec![(0, x)])))
    }
}
