//! `lia2pb`: bounded integers become sums of powers of two times 0-1 integers (pseudo-Booleans).

use crate::converter::{Conversion, ModelConverter};
use crate::definitions::hidden_symbols;
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula};
use crate::interval::bounds;
use crate::linear::number_term;
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassResult, PassSettings, RewritePass, TacticParameter};
use crate::substitute::{Substitution, variables};
use dashu_base::BitTest;
use dashu_int::IBig;
use dashu_ratio::RBig;
use smtlib::{Kind, Op, SortId, Store, TermId};

/// The limit on one variable.
const MAX_BITS: TacticParameter = TacticParameter {
    name: "max-bits",
    about: "the maximum number of 0-1 integers for one variable; a variable with more values is rejected",
    default: 32,
    words: &[],
};

/// The limit on all of them.
const TOTAL_BITS: TacticParameter = TacticParameter {
    name: "total-bits",
    about: "the maximum total number of 0-1 integers; a goal that needs more is rejected",
    default: 2048,
    words: &[],
};

/// The pass.
pub static LIA2PB: RewritePass = RewritePass {
    name: "lia2pb",
    about: "turns bounded integers into sums of 0-1 integers",
    example: Example {
        before: "(declare-const x Int)(declare-const y Int)(assert (<= 2 x))(assert (<= x 4))
                 (assert (<= 0 y))(assert (<= y 1))(assert (< y x))",
        after: &["(not (<= (+ bit!0 (* 2 bit!1)) (- 1))) (<= (+ bit!0 (* 2 bit!1)) 2) (not (<= y (- 1))) (<= y 1)
                 (<= (+ y (* (- 1) bit!0) (* (- 2) bit!1)) 1) (<= 0 bit!0) (<= bit!0 1) (<= 0 bit!1) (<= bit!1 1)"],
    },
    params: &[MAX_BITS, TOTAL_BITS],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let most = settings.params.number(&MAX_BITS) as usize;
    let mut left = settings.params.number(&TOTAL_BITS) as usize;
    let mut watch = settings.watch(store);
    let frozen = hidden_symbols(store, goal.terms());
    let known = bounds(store, &goal);
    let mut work = BinarySums { fresh: FreshSymbols::new("bit"), conversions: Vec::new(), ranges: Vec::new() };
    let mut substitution = Substitution::heeding(watch.stop());
    for (x, f) in variables(store, goal.terms()) {
        if store.sort(x) != SortId::INT {
            continue;
        }
        let range = known.get(&x).and_then(|b| Some((b.lower.as_ref()?, b.upper.as_ref()?)));
        let Some((least, greatest)) = range else {
            let name = store.term_text(x);
            return Err(PassError::NotApplicable(format!("`{name}` has no bounds; add-bounds adds them")));
        };
        let (least, greatest) = (least.value.ceil(), greatest.value.floor());
        let span = &greatest - &least;
        if frozen.contains(&f) || least > greatest || (least == IBig::ZERO && greatest <= IBig::ONE) {
            continue;
        }
        let bits = span.bit_len();
        if bits > most {
            let name = store.term_text(x);
            return Err(PassError::NotApplicable(format!("`{name}` has values of {bits} bits, more than {most}")));
        }
        left = left
            .checked_sub(bits)
            .ok_or(PassError::TooLarge { what: "bits", limit: settings.params.number(&TOTAL_BITS) as usize })?;
        watch.tick(store)?;
        let term = work.sum(store, x, &least, bits)?;
        work.conversions.push(Conversion::Define { symbol: f, term });
        // Outside of its bounds a variable has no value in any model, and the bounds stay among the formulas. The upper end of the
        // sum follows from the new bits.
        let origins = known.get(&x).map(|b| b.origins()).unwrap_or_default();
        substitution.insert(x, term, origins);
    }
    for formula in goal.take() {
        let formula = substitution.formula(store, &formula, &mut watch)?;
        goal.push(store, formula);
    }
    work.ranges.into_iter().for_each(|range| goal.push(store, GoalFormula::new(range, Origins::none())));
    Ok(PassResult::with(goal, ModelConverter::new(work.conversions)))
}

struct BinarySums {
    fresh: FreshSymbols,
    conversions: Vec<Conversion>,
    /// The constraints that each new integer is 0 or 1.
    ranges: Vec<TermId>,
}

impl BinarySums {
    /// Returns the sum of the least value of `x` and of `bits` weighted bits.
    fn sum(&mut self, store: &mut Store, x: TermId, least: &IBig, bits: usize) -> Result<TermId, PassError> {
        let (zero, one, two) = (store.int(&IBig::ZERO), store.int(&IBig::ONE), store.int(&IBig::from(2)));
        let mut parts = vec![number_term(store, SortId::INT, &RBig::from(least.clone()))];
        let above = store.app(Op::new(Kind::IntSub), &[x, parts[0]])?;
        for n in 0..bits {
            let (symbol, bit) = self.fresh.constant(store, SortId::INT);
            let weight = store.int(&(IBig::ONE << n));
            let rest = store.app(Op::new(Kind::IntDiv), &[above, weight])?;
            let digit = store.app(Op::new(Kind::IntMod), &[rest, two])?;
            self.conversions.push(Conversion::name(symbol, bit, digit));
            self.ranges.push(store.app(Op::new(Kind::IntLe), &[zero, bit])?);
            self.ranges.push(store.app(Op::new(Kind::IntLe), &[bit, one])?);
            parts.push(store.app(Op::new(Kind::IntMul), &[weight, bit])?);
        }
        Ok(if parts.len() == 1 { parts[0] } else { store.app(Op::new(Kind::IntAdd), &parts)? })
    }
}
