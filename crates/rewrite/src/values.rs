//! Values as terms: recognizes canonical value terms, and folds ground terms to them.

use crate::walk::TermSet;
use semantics::{EvalLimits, Evaluator, Model, Stop, Value};
use smtlib::build::has_finite_decimal;
use smtlib::{Kind, Op, SortId, Store, TermId};

/// Whether a term is a value as written by [`Value::to_term`], for sorts with a single term per value: two of them are equal if and only
/// if they are the same term.
pub fn is_value(store: &Store, t: TermId) -> bool {
    use Kind::*;
    let constant = |t: &TermId| store.kind(*t) == Constant;
    match store.kind(t) {
        Constant | True | False | Rne | Rna | Rtp | Rtn | Rtz => true,
        FpPlusInfinity | FpMinusInfinity | FpPlusZero | FpMinusZero | FpNan => true,
        // `(- 0)`, `(- 0.0)`, `(/ 1.0 2.0)` and a reducible quotient are values in other spellings; see [`Folder`].
        IntNeg => store.args(t).iter().all(constant) && !is_zero(store, store.args(t)[0]),
        RealNeg => {
            let of = store.args(t)[0];
            is_value(store, of) && store.kind(of) != RealNeg && !is_zero(store, of)
        }
        RealDiv => is_canonical_quotient(store, t),
        // Zeros, infinities and NaN have their own terms.
        Fp => store.args(t).iter().all(constant) && is_canonical_float(store, t),
        Construct => store.args(t).is_empty(),
        _ => false,
    }
}

fn is_zero(store: &Store, t: TermId) -> bool {
    use smtlib::Constant::*;
    match store.constant(t) {
        Some(Int(n)) => n.is_zero(),
        Some(Real(r)) => r.is_zero(),
        Some(BitVec { value, .. }) => value.is_zero(),
        _ => false,
    }
}

fn is_canonical_quotient(store: &Store, t: TermId) -> bool {
    let &[n, d] = store.args(t) else { return false };
    match (store.constant(n), store.constant(d)) {
        (Some(smtlib::Constant::Real(a)), Some(smtlib::Constant::Real(b))) => {
            !b.is_zero() && {
                let quotient = a / b;
                let same = |r: &dashu_ratio::RBig, n: dashu_int::IBig| *r == dashu_ratio::RBig::from(n);
                let (numerator, denominator) = quotient.into_parts();
                same(a, numerator) && same(b, denominator.clone().into()) && !has_finite_decimal(&denominator)
            }
        }
        _ => false,
    }
}

fn is_canonical_float(store: &Store, t: TermId) -> bool {
    let bits = |n: usize| match store.constant(store.args(t)[n]) {
        Some(smtlib::Constant::BitVec { width, value }) => Some((*width, value)),
        _ => None,
    };
    let (Some((eb, exponent)), Some((_, significand))) = (bits(1), bits(2)) else { return false };
    let special = *exponent == dashu_int::UBig::ones(eb as usize);
    let zero = exponent.is_zero() && significand.is_zero();
    !special && !zero
}

/// Evaluates ground terms with the empty model: values that the standard leaves open stay terms.
pub struct Folder {
    evaluator: Evaluator,
    /// Terms known to have no value.
    open: TermSet,
}

/// The maximum bytes of large values of one folder: they are cached as values and as terms.
const MAX_FOLDED: usize = 1 << 24;

impl Default for Folder {
    fn default() -> Folder {
        Folder::heeding(&Stop::default())
    }
}

impl Folder {
    /// Makes a folder that folds nothing more once the time is up.
    pub fn heeding(stop: &Stop) -> Folder {
        // A regular expression or a power that needs more work than this is left to others.
        let limits = EvalLimits {
            steps: 100_000,
            regex_steps: 20_000,
            bits: 1 << 16,
            memory: MAX_FOLDED,
            ..EvalLimits::default()
        };
        Folder { evaluator: Evaluator::new(Model::new(), limits).heeding(stop), open: TermSet::default() }
    }

    /// Returns the value of a value term.
    pub fn value(&mut self, store: &Store, t: TermId) -> Option<Value> {
        if !is_value(store, t) {
            return None;
        }
        self.evaluator.eval(store, t).ok()
    }

    /// Returns the value term of an application to values only, if it has one.
    pub fn fold(&mut self, store: &mut Store, t: TermId) -> Option<TermId> {
        let kind = store.kind(t);
        let foldable = !matches!(
            kind,
            Kind::Apply
                | Kind::Variable
                | Kind::Construct
                | Kind::ConstArray
                | Kind::ArrayStore
                | Kind::AsArray
                | Kind::FuncValue
        );
        let sort = store.sort(t);
        if is_value(store, t) || !foldable || sort == SortId::REGLAN || self.open.contains(t) {
            return None;
        }
        let ground = |store: &Store, t: TermId| is_value(store, t) || store.sort(t) == SortId::REGLAN;
        if !store.args(t).iter().all(|&a| ground(store, a)) {
            return None;
        }
        let folded = self.evaluator.eval(store, t).ok().and_then(|value| value.to_term(store, sort));
        if folded.is_none() {
            self.open.insert(t);
        }
        folded.filter(|&f| f != t)
    }
}

/// Returns a bit-vector value.
pub fn bits(store: &Store, t: TermId) -> Option<(u32, &dashu_int::UBig)> {
    match store.constant(t) {
        Some(smtlib::Constant::BitVec { width, value }) => Some((*width, value)),
        _ => None,
    }
}

/// Applies an operator without indices to arguments that fit.
/// Errors: [`PassError::Build`](crate::PassError::Build), when the result's sort would be too large.
pub fn app(store: &mut Store, kind: Kind, args: &[TermId]) -> Result<TermId, crate::PassError> {
    Ok(store.app(Op::new(kind), args)?)
}
