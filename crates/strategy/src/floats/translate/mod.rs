//! Translates terms: the bit-vector image of every subterm, bottom-up.

mod bits;

use super::ApplicationRows;
use super::choices::{ChoicePart, Choices, OpenValue};
use super::convert::remainder_steps;
use super::packing::{MODE_BITS, SmallFormat};
use super::terms::FloatTerms;
use bits::value_of_bits;
use dashu_ratio::RBig;
use rewrite::walk::TermMap;
use rewrite::{Conversion, FreshSymbols, PassError};
use rustc_hash::FxHashMap;
use semantics::float::{self, Float, RoundingMode};
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::free_vars::FreeVars;
use smtlib::{FuncId, Kind, Op, Sort, SortId, Store, TermId};

/// The maximum significand width, in bits: a division has a quadratic number of gates.
const MAX_SIGNIFICAND: u32 = 4096;
/// The maximum exponent width, in bits: that of the evaluator.
const MAX_EXPONENT: u32 = float::MAX_EXPONENT_BITS;
/// The maximum number of steps of a remainder.
const MAX_REMAINDER: u64 = 5000;
/// The maximum number of conversions to bit-vectors of one kind: each pair of them gets a constraint.
const MAX_CONVERSIONS: usize = 1000;

/// The images so far, and the side conditions.
pub(super) struct Translation {
    /// The image of every term translated.
    pub images: TermMap,
    /// The constraints on fresh symbols.
    pub constraints: Vec<TermId>,
    /// The model conversion for symbols.
    pub conversions: Vec<Conversion>,
    /// The model conversion for values that the standard leaves open.
    pub choices: Choices,
    fresh: FreshSymbols,
    /// The choice for zeros of different sign: with plus first, with minus first.
    extrema: FxHashMap<(Kind, SmallFormat), [TermId; 2]>,
    /// The choice of an encoding of NaN.
    nan_bits: FxHashMap<SmallFormat, TermId>,
    /// The functions on bit-vectors that represent functions on floats, with arguments and value of every application.
    pub functions: FxHashMap<FuncId, (FuncId, ApplicationRows)>,
    /// The unspecified conversions to bit-vectors: mode, float, value.
    conversions_to_bits: FxHashMap<(Op, SmallFormat), Vec<[TermId; 3]>>,
    free: FreeVars,
}

impl Translation {
    pub fn new() -> Translation {
        Translation {
            images: TermMap::default(),
            constraints: Vec::new(),
            conversions: Vec::new(),
            choices: Choices::default(),
            fresh: FreshSymbols::new("fp"),
            extrema: FxHashMap::default(),
            nan_bits: FxHashMap::default(),
            functions: FxHashMap::default(),
            conversions_to_bits: FxHashMap::default(),
            free: FreeVars::default(),
        }
    }

    /// Makes the image of a term from those of its children.
    pub fn translate(&mut self, store: &mut Store, t: TermId) -> Result<(), PassError> {
        let args: Vec<TermId> = store.args(t).iter().map(|&a| self.images.get(a).unwrap_or(a)).collect();
        let image = self.image(store, t, &args)?;
        self.images.insert(t, image);
        Ok(())
    }

    fn image(&mut self, store: &mut Store, t: TermId, args: &[TermId]) -> Result<TermId, PassError> {
        use Kind::*;
        let op = store.op(t);
        // Formats of operands follow from the old term, of results from its sort.
        let operand = store.args(t).last().copied();
        let mut terms = FloatTerms { store };
        if let Some(mode) = RoundingMode::of(op.kind) {
            return Ok(terms.mode(mode));
        }
        let result = format_of(terms.store, t)?;
        let source = match operand {
            Some(a) => format_of(terms.store, a)?,
            None => None,
        };
        Ok(match (op.kind, result, source, args) {
            (FpNan, Some(f), ..) => terms.nan(f),
            (FpPlusInfinity | FpMinusInfinity, Some(f), ..) => {
                let negative = terms.truth(op.kind == FpMinusInfinity);
                terms.infinity(f, negative)
            }
            (FpPlusZero | FpMinusZero, Some(f), ..) => {
                let negative = terms.truth(op.kind == FpMinusZero);
                terms.signed_zero(f, negative)
            }
            (Fp, Some(f), _, args) => {
                let encoding = terms.concat(args);
                terms.canonical(f, encoding)
            }
            (FpFromBits, Some(f), _, &[x]) => terms.canonical(f, x),
            (FpAbs, Some(f), _, &[x]) => terms.float_abs(f, x),
            (FpNeg, Some(f), _, &[x]) => terms.float_neg(f, x),
            (FpAdd, Some(f), _, &[m, x, y]) => terms.float_add(f, m, x, y, false),
            (FpSub, Some(f), _, &[m, x, y]) => terms.float_add(f, m, x, y, true),
            (FpMul, Some(f), _, &[m, x, y]) => terms.float_mul(f, m, x, y),
            (FpDiv, Some(f), _, &[m, x, y]) => terms.float_div(f, m, x, y),
            (FpFma, Some(f), _, &[m, x, y, z]) => terms.float_fma(f, m, x, y, z),
            (FpSqrt, Some(f), _, &[m, x]) => terms.float_sqrt(f, m, x),
            (FpRem, Some(f), _, &[x, y]) => {
                if remainder_steps(f) > MAX_REMAINDER {
                    return Err(PassError::TooLarge { what: "steps of a remainder", limit: MAX_REMAINDER as usize });
                }
                terms.float_rem(f, x, y)
            }
            (FpRoundToIntegral, Some(f), _, &[m, x]) => terms.float_integral(f, m, x),
            (FpMin | FpMax, Some(f), _, &[x, y]) => {
                let open = self.extremum_of_zeros(&mut terms, op, f, x);
                terms.float_extremum(f, x, y, op.kind == FpMax, open)
            }
            (FpLt | FpLeq | FpGt | FpGeq | FpEq, _, Some(f), args) => {
                let steps: Vec<TermId> = args
                    .windows(2)
                    .map(|pair| match op.kind {
                        FpLt => terms.float_less(f, pair[0], pair[1], false),
                        FpLeq => terms.float_less(f, pair[0], pair[1], true),
                        FpGt => terms.float_less(f, pair[1], pair[0], false),
                        FpGeq => terms.float_less(f, pair[1], pair[0], true),
                        _ => terms.float_equal(f, pair[0], pair[1]),
                    })
                    .collect();
                terms.and(&steps)
            }
            (
                FpIsNormal | FpIsSubnormal | FpIsZero | FpIsInfinite | FpIsNan | FpIsNegative | FpIsPositive,
                _,
                Some(f),
                &[x],
            ) => terms.float_class(f, op.kind, x),
            (FpFromFp, Some(f), Some(from), &[m, x]) => terms.float_to_format(from, f, m, x),
            (FpFromSbv | FpFromUbv, Some(f), _, &[m, x]) => terms.float_from_bits(f, m, x, op.kind == FpFromSbv),
            (FpFromReal, Some(f), _, &[m, x]) => from_real(&mut terms, f, m, x)?,
            // The value out of range has a name, but under a binder there is one for every bound value.
            (FpToUbv | FpToSbv, ..) if !self.free.is_closed(terms.store, t) => {
                let text = short(terms.store, t);
                return Err(PassError::NotApplicable(format!("`{text}` converts what a binder's variable decides")));
            }
            (FpToUbv | FpToSbv, _, Some(f), &[m, x]) => self.bits_of_float(&mut terms, op, f, m, x)?,
            (FpToIeeeBv, _, Some(f), &[x]) => self.ieee_bits(&mut terms, f, x),
            (FpToReal, ..) => return Err(PassError::NotApplicable("`fp.to_real` has no bit-vector".to_string())),
            (Apply, ..) if args.is_empty() && super::is_floating(terms.store, terms.store.sort(t)) => {
                match terms.store.applied(t).filter(|&f| terms.store.func(f).is_declared()) {
                    Some(f) => self.symbol(&mut terms, f, result)?,
                    None => return Err(foreign(terms.store, t)),
                }
            }
            (Eq | Distinct | Ite, ..) => terms.store.app(op, args)?,
            (Apply, ..) if !args.is_empty() && over_floats(terms.store, t) => self.application(&mut terms, t, args)?,
            _ => other(terms.store, t, args)?,
        })
    }

    /// Returns the bit-vector that represents a declared float or rounding mode.
    fn symbol(
        &mut self,
        terms: &mut FloatTerms<'_>,
        symbol: FuncId,
        format: Option<SmallFormat>,
    ) -> Result<TermId, PassError> {
        let width = format.map_or(MODE_BITS, SmallFormat::width);
        let sort = terms.store.sorts.bitvec(width);
        let (fresh, bits) = self.fresh.constant(terms.store, sort);
        let (constraint, term) = value_of_bits(terms, format, bits)?;
        self.constraints.push(constraint);
        let float = terms.store.constant_of(symbol)?;
        self.introduce(terms, fresh, constraint, [float, term])?;
        self.conversions.push(Conversion::Define { symbol, term });
        Ok(bits)
    }

    /// Registers a fresh symbol: for some value of it, two terms are equal and a constraint holds.
    fn introduce(
        &mut self,
        terms: &mut FloatTerms<'_>,
        fresh: FuncId,
        constraint: TermId,
        equal: [TermId; 2],
    ) -> Result<(), PassError> {
        let equation = terms.store.eq(equal[0], equal[1])?;
        let (image, of) = (terms.store.and(&[constraint, equation]), terms.truth(true));
        self.conversions.push(Conversion::name(fresh, image, of));
        Ok(())
    }

    /// Applies a function on bit-vectors that represents an uninterpreted function on floats or with a float value. Equal floats have
    /// equal bits, so one is a function if and only if the other is.
    fn application(&mut self, terms: &mut FloatTerms<'_>, t: TermId, args: &[TermId]) -> Result<TermId, PassError> {
        let symbol = terms.store.applied(t).filter(|&f| terms.store.func(f).is_declared());
        let Some(symbol) = symbol.filter(|_| self.free.is_closed(terms.store, t)) else {
            return Err(foreign(terms.store, t));
        };
        let old = terms.store.args(t).to_vec();
        let mut row = Vec::with_capacity(args.len());
        for (&a, &image) in old.iter().zip(args) {
            row.push(match super::is_floating(terms.store, terms.store.sort(a)) {
                true => {
                    let format = format_of(terms.store, a)?;
                    value_of_bits(terms, format, image)?.1
                }
                false => image,
            });
        }
        let result = terms.store.sort(t);
        let is_floating = super::is_floating(terms.store, result);
        let format = format_of(terms.store, t)?;
        let fresh = match self.functions.get(&symbol) {
            Some((fresh, _)) => *fresh,
            None => {
                let params: Vec<SortId> = args.iter().map(|&a| terms.store.sort(a)).collect();
                let width = format.map_or(MODE_BITS, SmallFormat::width);
                let result = if is_floating { terms.store.sorts.bitvec(width) } else { result };
                self.fresh.function(terms.store, &params, result)
            }
        };
        let image = terms.store.apply(fresh, args)?;
        let (mut value, mut constraint) = (image, terms.truth(true));
        if is_floating {
            (constraint, value) = value_of_bits(terms, format, image)?;
            self.constraints.push(constraint);
        }
        let of_floats = terms.store.apply(symbol, &row)?;
        self.introduce(terms, fresh, constraint, [of_floats, value])?;
        self.functions.entry(symbol).or_insert_with(|| (fresh, Vec::new())).1.push((row.into(), value));
        Ok(image)
    }

    /// Returns a fresh constant that is not in models of the input.
    fn choice(&mut self, terms: &mut FloatTerms<'_>, sort: SortId) -> TermId {
        let (symbol, t) = self.fresh.constant(terms.store, sort);
        self.conversions.push(Conversion::Forget(symbol));
        t
    }

    /// Returns the value of `fp.min` or `fp.max` for zeros of different sign, the first of which is `x`: a choice per format and order.
    fn extremum_of_zeros(&mut self, terms: &mut FloatTerms<'_>, op: Op, f: SmallFormat, x: TermId) -> TermId {
        let signs = match self.extrema.get(&(op.kind, f)) {
            Some(&signs) => signs,
            None => {
                let signs = [(); 2].map(|()| self.choice(terms, SortId::BOOL));
                let [plus, minus] = [false, true].map(|negative| {
                    let negative = terms.truth(negative);
                    ChoicePart::Float(f, terms.signed_zero(f, negative))
                });
                let open = terms.truth(true);
                for (args, sign) in [([plus, minus], signs[0]), ([minus, plus], signs[1])] {
                    let value = ChoicePart::Float(f, terms.signed_zero(f, sign));
                    self.choices.list.push(OpenValue { op, args: args.into(), value, open });
                }
                self.extrema.insert((op.kind, f), signs);
                signs
            }
        };
        let negative = terms.is_negative_bit(f, x);
        let sign = terms.ite(negative, signs[1], signs[0]);
        terms.signed_zero(f, sign)
    }
}

/// Whether a term or one of its arguments is a float or a rounding mode.
fn over_floats(store: &Store, t: TermId) -> bool {
    let mut sorts = store.args(t).iter().map(|&a| store.sort(a)).chain([store.sort(t)]);
    sorts.any(|sort| super::is_floating(store, sort))
}

/// Returns the format of a float term within the bounds; `None` if it is not a float.
fn format_of(store: &Store, t: TermId) -> Result<Option<SmallFormat>, PassError> {
    match *store.sorts.get(store.sort(t)) {
        Sort::Float { eb, .. } if eb > MAX_EXPONENT => {
            Err(PassError::TooLarge { what: "exponent bits", limit: MAX_EXPONENT as usize })
        }
        Sort::Float { sb, .. } if sb > MAX_SIGNIFICAND => {
            Err(PassError::TooLarge { what: "significand bits", limit: MAX_SIGNIFICAND as usize })
        }
        Sort::Float { eb, sb } => Ok(Some(SmallFormat { eb, sb })),
        _ => Ok(None),
    }
}

/// `to_fp` of a real, which must have a constant value; the mode is arbitrary.
fn from_real(terms: &mut FloatTerms<'_>, f: SmallFormat, mode: TermId, real: TermId) -> Result<TermId, PassError> {
    let value = Evaluator::new(Model::new(), EvalLimits::default()).eval(terms.store, real);
    let Ok(Value::Real(real)) = value else {
        return Err(PassError::NotApplicable("`to_fp` of a real that is no rational constant".to_string()));
    };
    let cases: Result<Vec<(TermId, TermId)>, PassError> = RoundingMode::ALL
        .into_iter()
        .map(|m| Ok((terms.is_mode(mode, m), rounded_real(terms, f, m, &real)?)))
        .collect();
    let cases = cases?;
    let [rest @ .., last] = cases.as_slice() else { return Err(foreign(terms.store, mode)) };
    Ok(terms.cases(rest, last.1))
}

fn rounded_real(
    terms: &mut FloatTerms<'_>,
    f: SmallFormat,
    mode: RoundingMode,
    real: &RBig,
) -> Result<TermId, PassError> {
    let format = float::FloatFormat::new(f.eb, f.sb).map_err(|e| PassError::NotApplicable(e.to_string()))?;
    let bits = Float::from_real(format, mode, real).to_ieee_bits();
    let bits = bits.map_err(|e| PassError::NotApplicable(e.to_string()))?;
    Ok(terms.store.bitvec(f.width(), &bits))
}

/// Rebuilds a term that is not a floating-point operator; its children's sorts must not have changed.
fn other(store: &mut Store, t: TermId, args: &[TermId]) -> Result<TermId, PassError> {
    let stayed = store.args(t).iter().zip(args).all(|(&a, &b)| store.sort(a) == store.sort(b));
    let mentions = |s: SortId| {
        let mut inside = vec![s];
        let mut next = 0;
        while let Some(&s) = inside.get(next) {
            next += 1;
            if super::is_floating(store, s) {
                return true;
            }
            inside.extend(store.sorts.children(s));
        }
        false
    };
    let bound = store.op(t).binder().is_some_and(|b| store.binder(b).vars.iter().any(|v| mentions(v.1)));
    if !stayed || bound || mentions(store.sort(t)) {
        return Err(foreign(store, t));
    }
    Ok(store.with_args(t, args))
}

fn short(store: &Store, t: TermId) -> String {
    store.term_text(t).chars().take(60).collect()
}

fn foreign(store: &Store, t: TermId) -> PassError {
    let text = short(store, t);
    PassError::NotApplicable(format!("`{text}` mixes floats with another theory; eliminate that first"))
}
