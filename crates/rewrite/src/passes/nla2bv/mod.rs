//! `nla2bv`: bounded integers become bit-vectors wide enough that nothing overflows, including products.
//!
//! A goal of bounded integers keeps its answer. The pass does not apply to unbounded variables; `add-bounds` adds bounds, and then only
//! `sat` is an answer.

mod ranges;
mod translate;

use crate::converter::ModelConverter;
use crate::definitions::hidden_symbols;
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula, Precision};
use crate::interval::bounds;
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::walk::{TermMap, bottom_up, visit};
use ranges::IntegerRanges;
use rustc_hash::FxHashMap;
use smtlib::term::HAS_BINDER;
use smtlib::{Kind, SortId, Store, TermId};
use translate::VectorTranslation;

/// The default maximum width.
const WIDTH: TacticParameter = TacticParameter {
    name: "max-width",
    about: "the maximum number of bits of a value; with more it does not apply",
    default: 128,
    words: &[],
};

/// The pass.
pub static NLA2BV: RewritePass = RewritePass {
    name: "nla2bv",
    about: "turns integers that all have bounds into bit-vectors wide enough for every value",
    example: Example {
        before: "(declare-const x Int)(assert (<= 0 x))(assert (<= x 3))(assert (= (* x x) 4))",
        after: &["(bvsle #b00000 int!0) (bvsle int!0 #b00011) (= (bvmul int!0 int!0) #b00100)"],
    },
    params: &[WIDTH],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let terms = bottom_up(store, goal.terms());
    if !terms.iter().any(|&t| store.sort(t) == SortId::INT) {
        return Ok(PassResult::new(goal));
    }
    let mut ranges = IntegerRanges::new(bounds(store, &goal), hidden_symbols(store, goal.terms()));
    let mut divisors = Vec::new();
    for &t in &terms {
        watch.tick(store)?;
        if store.flags(t) & HAS_BINDER != 0 {
            return Err(PassError::NotApplicable("something is bound in it".to_string()));
        }
        ranges.add(store, t)?;
        if matches!(store.kind(t), Kind::IntDiv | Kind::IntMod) && ranges.of(store.args(t)[1])?.has_zero() {
            divisors.push(store.args(t)[1]);
        }
    }
    let most = u32::try_from(settings.params.number(&WIDTH)).unwrap_or(u32::MAX);
    let width = ranges.width();
    if width > most {
        return Err(PassError::NotApplicable(format!("a value may need {width} bits, more than {most}")));
    }
    let nonzero = without_zero(store, &mut goal, divisors)?;
    let mut work = VectorTranslation {
        images: TermMap::default(),
        width,
        fresh: FreshSymbols::new("int"),
        conversions: Vec::new(),
    };
    // The formulas about divisors were added after the terms were listed.
    for t in bottom_up(store, goal.terms()) {
        watch.tick(store)?;
        work.add(store, t)?;
    }
    for GoalFormula { term, mut origins } in goal.take() {
        // The bounds exclude overflow, and no divisor is 0, so all consequences of the result follow from the goal as well.
        visit(store, [term], |t| {
            if let Some(limits) = ranges.limits(t) {
                origins.add(&limits.origins());
            }
            if matches!(store.kind(t), Kind::IntDiv | Kind::IntMod)
                && let Some(why) = nonzero.get(&store.args(t)[1])
            {
                origins.add(why);
            }
        });
        let term = work.images.get(term).unwrap_or(term);
        goal.push(store, GoalFormula::new(term, origins));
    }
    Ok(PassResult::with(goal, ModelConverter::new(work.conversions)))
}

/// Adds that divisors are not 0, an under-approximation unless the goal implies it, with the reason.
fn without_zero(
    store: &mut Store,
    goal: &mut Goal,
    divisors: Vec<TermId>,
) -> Result<FxHashMap<TermId, Origins>, PassError> {
    let mut why = FxHashMap::default();
    for divisor in divisors {
        if why.contains_key(&divisor) {
            continue;
        }
        let zero = store.int(&dashu_int::IBig::ZERO);
        let (one, other) = (store.eq(divisor, zero)?, store.eq(zero, divisor)?);
        let (one, other) = (store.not(one), store.not(other));
        let known = goal.formulas().iter().find(|f| f.term == one || f.term == other);
        let origins = known.map_or_else(Origins::none, |f| f.origins.clone());
        if known.is_none() {
            goal.push(store, GoalFormula::new(one, Origins::none()));
            goal.precision = goal.precision.then(Precision::Under);
        }
        why.insert(divisor, origins);
    }
    Ok(why)
}
