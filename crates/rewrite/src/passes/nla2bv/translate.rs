//! Integer terms as bit-vector terms of one sufficient width.

use crate::converter::Conversion;
use crate::fresh::FreshSymbols;
use crate::linear::number;
use crate::pass::PassError;
use crate::substitute::variable;
use crate::values::{app, is_value};
use crate::walk::TermMap;
use dashu_base::Signed;
use dashu_int::{IBig, UBig};
use smtlib::{Kind, Op, SortId, Store, TermId};

/// The translation of a goal.
pub(super) struct VectorTranslation {
    pub images: TermMap,
    pub width: u32,
    pub fresh: FreshSymbols,
    pub conversions: Vec<Conversion>,
}

impl VectorTranslation {
    /// Translates a term with translated arguments.
    pub fn add(&mut self, store: &mut Store, t: TermId) -> Result<(), PassError> {
        let args: Vec<TermId> = store.args(t).iter().map(|&a| self.images.get(a).unwrap_or(a)).collect();
        let of_numbers = store.args(t).first().is_some_and(|&a| store.sort(a) == SortId::INT);
        let image = if store.sort(t) == SortId::INT {
            self.number(store, t, &args)?
        } else if of_numbers {
            self.relation(store, t, &args)?
        } else {
            store.with_args(t, &args)
        };
        self.images.insert(t, image);
        Ok(())
    }

    fn number(&mut self, store: &mut Store, t: TermId, args: &[TermId]) -> Result<TermId, PassError> {
        if is_value(store, t)
            && let Some(n) = number(store, t)
        {
            return Ok(self.literal(store, n.numerator()));
        }
        if let Some(symbol) = variable(store, t) {
            let sort = store.sorts.bitvec(self.width);
            let (f, image) = self.fresh.constant(store, sort);
            let term = store.app(Op::new(Kind::SbvToInt), &[image])?;
            let low = store.app(Op::indexed(Kind::IntToBv, self.width, 0), &[t])?;
            self.conversions.push(Conversion::name(f, image, low));
            self.conversions.push(Conversion::Define { symbol, term });
            return Ok(image);
        }
        let op = store.op(t);
        match op.kind {
            Kind::IntNeg => app(store, Kind::BvNeg, args),
            Kind::IntAdd => app(store, Kind::BvAdd, args),
            Kind::IntMul => app(store, Kind::BvMul, args),
            Kind::IntSub => {
                let mut difference = args[0];
                for &a in &args[1..] {
                    difference = app(store, Kind::BvSub, &[difference, a])?;
                }
                Ok(difference)
            }
            Kind::IntAbs => self.absolute(store, args[0]),
            Kind::IntDiv => self.quotient(store, args[0], args[1]),
            Kind::IntMod => self.remainder(store, args[0], args[1]),
            Kind::IntAnd => {
                let low = Op::indexed(Kind::BvExtract, op.i - 1, 0);
                let (a, b) = (store.app(low, &args[..1])?, store.app(low, &args[1..])?);
                let both = app(store, Kind::BvAnd, &[a, b])?;
                self.extended(store, Kind::BvZeroExtend, both)
            }
            Kind::UbvToInt => self.extended(store, Kind::BvZeroExtend, args[0]),
            Kind::SbvToInt => self.extended(store, Kind::BvSignExtend, args[0]),
            _ => app(store, op.kind, args),
        }
    }

    fn relation(&self, store: &mut Store, t: TermId, args: &[TermId]) -> Result<TermId, PassError> {
        let op = store.op(t);
        let order = |store: &mut Store, kind| -> Result<TermId, PassError> {
            let mut all = Vec::with_capacity(args.len());
            for pair in args.windows(2) {
                all.push(app(store, kind, pair)?);
            }
            Ok(store.and(&all))
        };
        match op.kind {
            Kind::IntLe => order(store, Kind::BvSle),
            Kind::IntLt => order(store, Kind::BvSlt),
            Kind::IntGe => order(store, Kind::BvSge),
            Kind::IntGt => order(store, Kind::BvSgt),
            Kind::IntDivisible => {
                let n = IBig::from(op.i);
                // A divisor wider than every value divides only 0.
                let divisor = if n < (IBig::ONE << (self.width as usize - 1)) { n } else { IBig::ZERO };
                let zero = self.literal(store, &IBig::ZERO);
                if divisor.is_zero() {
                    return Ok(store.eq(args[0], zero)?);
                }
                let divisor = self.literal(store, &divisor);
                let rest = app(store, Kind::BvSrem, &[args[0], divisor])?;
                Ok(store.eq(rest, zero)?)
            }
            Kind::IntToBv => {
                let wanted = op.i;
                if wanted <= self.width {
                    return Ok(store.app(Op::indexed(Kind::BvExtract, wanted - 1, 0), args)?);
                }
                Ok(store.app(Op::indexed(Kind::BvSignExtend, wanted - self.width, 0), args)?)
            }
            _ => app(store, op.kind, args),
        }
    }

    fn literal(&self, store: &mut Store, n: &IBig) -> TermId {
        let modulus = IBig::ONE << self.width as usize;
        let n = if n.is_negative() { n + modulus } else { n.clone() };
        let bits = UBig::try_from(n).unwrap_or(UBig::ZERO);
        store.bitvec(self.width, &bits)
    }

    fn extended(&self, store: &mut Store, kind: Kind, t: TermId) -> Result<TermId, PassError> {
        let width = store.sorts.width(store.sort(t)).unwrap_or(self.width);
        match self.width.saturating_sub(width) {
            0 => Ok(t),
            more => Ok(store.app(Op::indexed(kind, more, 0), &[t])?),
        }
    }

    fn is_negative(&self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let zero = self.literal(store, &IBig::ZERO);
        app(store, Kind::BvSlt, &[t, zero])
    }

    fn absolute(&self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let (below, minus) = (self.is_negative(store, t)?, app(store, Kind::BvNeg, &[t])?);
        app(store, Kind::Ite, &[below, minus, t])
    }

    /// `div` of SMT-LIB rounds so that the remainder is not negative, `bvsdiv` towards 0 (SMT-LIB, theory Ints).
    fn quotient(&self, store: &mut Store, a: TermId, n: TermId) -> Result<TermId, PassError> {
        let (q, r) = (app(store, Kind::BvSdiv, &[a, n])?, app(store, Kind::BvSrem, &[a, n])?);
        let one = self.literal(store, &IBig::ONE);
        let (down, up) = (app(store, Kind::BvSub, &[q, one])?, app(store, Kind::BvAdd, &[q, one])?);
        let (below, divisor_below) = (self.is_negative(store, r)?, self.is_negative(store, n)?);
        let moved = app(store, Kind::Ite, &[divisor_below, up, down])?;
        app(store, Kind::Ite, &[below, moved, q])
    }

    fn remainder(&self, store: &mut Store, a: TermId, n: TermId) -> Result<TermId, PassError> {
        let r = app(store, Kind::BvSrem, &[a, n])?;
        let (below, size) = (self.is_negative(store, r)?, self.absolute(store, n)?);
        let moved = app(store, Kind::BvAdd, &[r, size])?;
        app(store, Kind::Ite, &[below, moved, r])
    }
}
