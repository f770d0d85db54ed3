//! Intervals of rational numbers with the origins of their ends, and the bounds that the formulas of a goal give to numbers.

use crate::goal::Goal;
use crate::linear::Linear;
use crate::origins::Origins;
use dashu_base::Signed;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{Kind, SortId, Store, TermId};

/// One end of an interval.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Its position.
    pub value: RBig,
    /// Whether the end itself is excluded.
    pub strict: bool,
    /// The assertions from which it follows.
    pub origins: Origins,
}

/// The known ends of an interval.
#[derive(Clone, Default, Debug)]
pub struct Bounds {
    /// The lower end.
    pub lower: Option<Limit>,
    /// The upper end.
    pub upper: Option<Limit>,
}

impl Bounds {
    /// Returns the interval with one number.
    pub fn of_number(value: &RBig) -> Bounds {
        let end = Limit { value: value.clone(), strict: false, origins: Origins::none() };
        Bounds { lower: Some(end.clone()), upper: Some(end) }
    }

    /// Lowers the upper end to a limit, if that is tighter; rounds down over the integers.
    pub fn lower_to(&mut self, mut limit: Limit, integral: bool) -> bool {
        if integral {
            let floor = RBig::from(limit.value.floor());
            limit.value = if limit.strict && floor == limit.value { floor - RBig::ONE } else { floor };
            limit.strict = false;
        }
        let tighter = match &self.upper {
            None => true,
            Some(old) => limit.value < old.value || (limit.value == old.value && limit.strict && !old.strict),
        };
        if tighter {
            self.upper = Some(limit);
        }
        tighter
    }

    /// Raises the lower end to a limit, if that is tighter; rounds up over the integers.
    pub fn raise_to(&mut self, limit: Limit, integral: bool) -> bool {
        let mut mirrored = std::mem::take(self).negated();
        let changed = mirrored.lower_to(Limit { value: -limit.value, ..limit }, integral);
        *self = mirrored.negated();
        changed
    }

    /// Returns the interval of the negated numbers.
    pub fn negated(self) -> Bounds {
        let negate = |l: Limit| Limit { value: -l.value, ..l };
        Bounds { lower: self.upper.map(negate), upper: self.lower.map(negate) }
    }

    /// Returns the interval of the multiples by a nonzero number.
    pub fn times(self, c: &RBig) -> Bounds {
        let scale = |l: Limit| Limit { value: l.value * c, ..l };
        let scaled = Bounds { lower: self.lower.map(scale), upper: self.upper.map(scale) };
        if c.is_negative() { Bounds { lower: scaled.upper, upper: scaled.lower } } else { scaled }
    }

    /// Returns the interval of the sums.
    pub fn plus(&self, other: &Bounds) -> Bounds {
        let add = |a: &Option<Limit>, b: &Option<Limit>| match (a, b) {
            (Some(a), Some(b)) => Some(Limit {
                value: &a.value + &b.value,
                strict: a.strict || b.strict,
                origins: a.origins.union(&b.origins),
            }),
            _ => None,
        };
        Bounds { lower: add(&self.lower, &other.lower), upper: add(&self.upper, &other.upper) }
    }

    /// Whether the interval contains no number.
    pub fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) => l.value > u.value || (l.value == u.value && (l.strict || u.strict)),
            _ => false,
        }
    }

    /// Returns its only number.
    pub fn fixed(&self) -> Option<&RBig> {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) if l.value == u.value && !l.strict && !u.strict => Some(&l.value),
            _ => None,
        }
    }

    /// Whether all its numbers are at most this, or all above it; `None` if neither.
    pub fn is_at_most(&self, bound: &RBig) -> Option<bool> {
        if self.upper.as_ref().is_some_and(|u| u.value <= *bound) {
            return Some(true);
        }
        let above = |l: &Limit| l.value > *bound || (l.value == *bound && l.strict);
        self.lower.as_ref().is_some_and(above).then_some(false)
    }

    /// Whether a number certainly lies outside.
    pub fn excludes(&self, number: &RBig) -> bool {
        let below = |u: &Limit| u.value < *number || (u.value == *number && u.strict);
        self.is_at_most(number) == Some(false) || self.upper.as_ref().is_some_and(below)
    }

    /// Returns the origins of both ends.
    pub fn origins(&self) -> Origins {
        Origins::all(self.lower.iter().chain(&self.upper).map(|l| &l.origins))
    }
}

/// Returns the terms, including variables, with a constant lower bound, and those with an upper bound.
pub fn bounded(store: &Store, goal: &Goal) -> (FxHashSet<TermId>, FxHashSet<TermId>) {
    let all = bounds(store, goal);
    let having = |end: fn(&Bounds) -> bool| all.iter().filter(|(_, b)| end(b)).map(|(&t, _)| t).collect();
    (having(|b| b.lower.is_some()), having(|b| b.upper.is_some()))
}

/// Returns the bounds of terms: an atom with a constant on one side bounds the other side.
pub fn bounds(store: &Store, goal: &Goal) -> FxHashMap<TermId, Bounds> {
    let mut all: FxHashMap<TermId, Bounds> = FxHashMap::default();
    for formula in goal.formulas() {
        let t = formula.term;
        let (atom, positive) = if store.kind(t) == Kind::Not { (store.args(t)[0], false) } else { (t, true) };
        let &[a, b] = store.args(atom) else { continue };
        // Whether the first is the smaller one, and whether they may be equal.
        let (small_first, or_equal) = match store.kind(atom) {
            Kind::IntLe | Kind::RealLe => (positive, positive),
            Kind::IntLt | Kind::RealLt => (positive, !positive),
            Kind::IntGe | Kind::RealGe => (!positive, positive),
            Kind::IntGt | Kind::RealGt => (!positive, !positive),
            Kind::Eq if positive && matches!(store.sort(a), SortId::INT | SortId::REAL) => (true, true),
            _ => continue,
        };
        let is_equation = store.kind(atom) == Kind::Eq;
        let integral = store.sort(a) == SortId::INT;
        for (x, other, is_small) in [(a, b, small_first), (b, a, !small_first)] {
            let number = Linear::of(store, other);
            if !number.monomials.is_empty() {
                continue;
            }
            let limit = Limit { value: number.constant, strict: !or_equal, origins: formula.origins.clone() };
            let known = all.entry(x).or_default();
            if is_small || is_equation {
                known.lower_to(limit.clone(), integral);
            }
            if !is_small || is_equation {
                known.raise_to(limit, integral);
            }
        }
    }
    all
}
