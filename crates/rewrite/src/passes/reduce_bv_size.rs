//! `reduce-bv-size`: a bit-vector variable with a small unsigned bound becomes a shorter one, zero-extended.

use crate::converter::{Conversion, ModelConverter};
use crate::definitions::hidden_symbols;
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula};
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass};
use crate::substitute::{Substitution, variable};
use crate::values::bits;
use dashu_base::BitTest;
use dashu_int::UBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{FuncId, Kind, Op, Store, TermId};

/// The pass.
pub static REDUCE_BV_SIZE: RewritePass = RewritePass {
    name: "reduce-bv-size",
    about: "shortens bit-vector variables whose high bits a formula forces to zero",
    example: Example {
        before: "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))
                 (assert (bvult x #x05))(assert (= (bvmul x y) #x23))",
        after: &["(bvult (concat #b00000 short!0) #x05) (= (bvmul y (concat #b00000 short!0)) #x23)"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let frozen = hidden_symbols(store, goal.terms());
    let mut bounds: FxHashMap<TermId, (u32, Origins)> = FxHashMap::default();
    let mut order = Vec::new();
    for formula in goal.formulas() {
        let Some((x, needed)) = bound(store, formula.term, &frozen) else { continue };
        match bounds.get_mut(&x) {
            Some(known) if known.0 <= needed => {}
            Some(known) => *known = (needed, formula.origins.clone()),
            None => {
                bounds.insert(x, (needed, formula.origins.clone()));
                order.push(x);
            }
        }
    }
    let mut fresh = FreshSymbols::new("short");
    let mut substitution = Substitution::heeding(&settings.stop);
    let mut conversions = Vec::new();
    for x in order {
        let (needed, origins) = bounds[&x].clone();
        let Some(width) = store.sorts.width(store.sort(x)).filter(|w| needed < *w) else { continue };
        let Some(symbol) = variable(store, x) else { continue };
        let sort = store.sorts.bitvec(needed);
        let (short_symbol, short) = fresh.constant(store, sort);
        let zeros = store.bitvec(width - needed, &UBig::ZERO);
        let long = store.app(Op::new(Kind::BvConcat), &[zeros, short])?;
        let low = store.app(Op::indexed(Kind::BvExtract, needed - 1, 0), &[x])?;
        conversions.push(Conversion::name(short_symbol, short, low));
        conversions.push(Conversion::Define { symbol, term: long });
        substitution.insert(x, long, origins);
    }
    if substitution.is_empty() {
        return Ok(PassResult::new(goal));
    }
    for formula in goal.take() {
        let formula: GoalFormula = substitution.formula(store, &formula, &mut watch)?;
        goal.push(store, formula);
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}

/// Returns a variable with an unsigned upper bound, and the number of bits it needs, at least 1.
fn bound(store: &Store, t: TermId, frozen: &FxHashSet<FuncId>) -> Option<(TermId, u32)> {
    let (atom, positive) = if store.kind(t) == Kind::Not { (store.args(t)[0], false) } else { (t, true) };
    let &[a, b] = store.args(atom) else { return None };
    // As `x < c` or `x <= c`.
    let (x, c, strict) = match (store.kind(atom), positive) {
        (Kind::BvUlt, true) | (Kind::BvUge, false) => (a, b, true),
        (Kind::BvUle, true) | (Kind::BvUgt, false) => (a, b, false),
        (Kind::BvUgt, true) | (Kind::BvUle, false) => (b, a, true),
        (Kind::BvUge, true) | (Kind::BvUlt, false) => (b, a, false),
        (Kind::Eq, true) if store.kind(a) == Kind::BvExtract => return zero_high_bits(store, a, b, frozen),
        _ => return None,
    };
    variable(store, x).filter(|f| !frozen.contains(f))?;
    let (_, c) = bits(store, c)?;
    if strict && c.is_zero() {
        return None;
    }
    let greatest = if strict { c - UBig::ONE } else { c.clone() };
    Some((x, (greatest.bit_len() as u32).max(1)))
}

/// `(= ((_ extract w-1 k) x) 0)`: `x` needs k bits.
fn zero_high_bits(store: &Store, a: TermId, b: TermId, frozen: &FxHashSet<FuncId>) -> Option<(TermId, u32)> {
    let (op, x) = (store.op(a), store.args(a)[0]);
    variable(store, x).filter(|f| !frozen.contains(f))?;
    let whole = store.sorts.width(store.sort(x))?;
    let zero = bits(store, b)?.1.is_zero();
    (zero && op.i + 1 == whole && op.j > 0).then_some((x, op.j))
}
