//! Simplification of the connectives, equality, `distinct` and `ite`.

use super::Simplifier;
use super::nary::flat;
use crate::pass::PassError;
use crate::values::is_value;
use crate::walk::TermSet;
use smtlib::{Kind, Op, Sort, SortId, Store, TermId};

/// Returns the negated term, if it is a negation.
pub fn negated(store: &Store, t: TermId) -> Option<TermId> {
    (store.kind(t) == Kind::Not).then(|| store.args(t)[0])
}

/// Whether each value of a sort has a single term, so different value terms are different values.
pub fn has_canonical_values(store: &Store, sort: SortId) -> bool {
    matches!(
        store.sorts.get(sort),
        Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::BitVec(_)
            | Sort::Float { .. }
            | Sort::RoundingMode
            | Sort::String
            | Sort::Datatype(..)
    )
}

impl Simplifier {
    pub(super) fn connective(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let args = store.args(t).to_vec();
        match store.kind(t) {
            Kind::Not => self.negation(store, t, args[0]),
            Kind::Implies => {
                let mut parts = Vec::with_capacity(args.len());
                let (last, premises) = (args[args.len() - 1], &args[..args.len() - 1]);
                for &p in premises {
                    parts.push(self.not(store, p)?);
                }
                parts.push(last);
                self.junction(store, Kind::Or, &parts)
            }
            Kind::Xor => self.parity(store, &args),
            kind => self.junction(store, kind, &args),
        }
    }

    fn negation(&mut self, store: &mut Store, t: TermId, inner: TermId) -> Result<TermId, PassError> {
        match store.kind(inner) {
            Kind::Not => Ok(store.args(inner)[0]),
            Kind::True => Ok(store.bool(false)),
            Kind::False => Ok(store.bool(true)),
            _ => Ok(t),
        }
    }

    /// `and` and `or` of simplified terms.
    pub(super) fn junction(&mut self, store: &mut Store, kind: Kind, args: &[TermId]) -> Result<TermId, PassError> {
        let (neutral, absorbing) = match kind {
            Kind::And => (Kind::True, Kind::False),
            _ => (Kind::False, Kind::True),
        };
        let mut seen = TermSet::default();
        let mut kept = Vec::with_capacity(args.len());
        for a in flat(store, kind, args) {
            if store.kind(a) == absorbing {
                return Ok(a);
            }
            if store.kind(a) != neutral && seen.insert(a) {
                kept.push(a);
            }
        }
        let contrary = kept.iter().any(|&a| negated(store, a).is_some_and(|inner| seen.contains(inner)));
        if contrary {
            return Ok(store.bool(absorbing == Kind::True));
        }
        Ok(if kind == Kind::And { store.and(&kept) } else { store.or(&kept) })
    }

    /// `xor`: negations and values are combined into one sign, pairs cancel.
    fn parity(&mut self, store: &mut Store, args: &[TermId]) -> Result<TermId, PassError> {
        let mut odd = false;
        let mut kept = Vec::with_capacity(args.len());
        for a in flat(store, Kind::Xor, args) {
            let mut a = a;
            if let Some(inner) = negated(store, a) {
                (odd, a) = (!odd, inner);
            }
            match store.kind(a) {
                Kind::True => odd = !odd,
                Kind::False => {}
                _ => kept.push(a),
            }
        }
        kept.sort_unstable();
        let mut left: Vec<TermId> = Vec::with_capacity(kept.len());
        for a in kept {
            if left.last() == Some(&a) {
                left.pop();
            } else {
                left.push(a);
            }
        }
        let body = match left.as_slice() {
            [] => return Ok(store.bool(odd)),
            &[one] => one,
            _ => store.app(Op::new(Kind::Xor), &left)?,
        };
        Ok(if odd { store.not(body) } else { body })
    }

    pub(super) fn equality(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let args = store.args(t).to_vec();
        let &[a, b] = args.as_slice() else {
            let mut parts = Vec::with_capacity(args.len());
            for pair in args.windows(2) {
                parts.push(self.app(store, Kind::Eq, pair)?);
            }
            return self.junction(store, Kind::And, &parts);
        };
        if a == b {
            return Ok(store.bool(true));
        }
        let sort = store.sort(a);
        if is_value(store, a) && is_value(store, b) && has_canonical_values(store, sort) {
            return Ok(store.bool(false));
        }
        // Fixed order: values last, else older terms first.
        let (a, b) = if is_value(store, a) || (!is_value(store, b) && b < a) { (b, a) } else { (a, b) };
        if let Some(simpler) = self.equality_of_choice(store, a, b)? {
            return Ok(simpler);
        }
        let simpler = match store.sorts.get(sort) {
            Sort::Bool => self.equivalence(store, a, b)?,
            Sort::Int | Sort::Real => self.arithmetic_equality(store, a, b)?,
            Sort::BitVec(_) => self.vector_equality(store, a, b)?,
            _ => None,
        };
        match simpler {
            Some(simpler) => Ok(simpler),
            None => Ok(store.eq(a, b)?),
        }
    }

    /// Booleans: values and negations move out of an equivalence.
    fn equivalence(&mut self, store: &mut Store, a: TermId, b: TermId) -> Result<Option<TermId>, PassError> {
        if store.kind(b) == Kind::True {
            return Ok(Some(a));
        }
        if store.kind(b) == Kind::False {
            return self.not(store, a).map(Some);
        }
        match (negated(store, a), negated(store, b)) {
            (Some(x), Some(y)) => self.app(store, Kind::Eq, &[x, y]).map(Some),
            (Some(x), None) if x == b => Ok(Some(store.bool(false))),
            (None, Some(y)) if y == a => Ok(Some(store.bool(false))),
            (Some(x), None) | (None, Some(x)) => {
                let other = if negated(store, a).is_some() { b } else { a };
                let same = self.app(store, Kind::Eq, &[x, other])?;
                self.not(store, same).map(Some)
            }
            (None, None) => Ok(None),
        }
    }

    /// `(= (ite c v w) u)` with three values: the condition decides.
    fn equality_of_choice(&mut self, store: &mut Store, a: TermId, b: TermId) -> Result<Option<TermId>, PassError> {
        if store.kind(a) != Kind::Ite || store.is_bool(a) || !has_canonical_values(store, store.sort(a)) {
            return Ok(None);
        }
        let (c, then, otherwise) = (store.args(a)[0], store.args(a)[1], store.args(a)[2]);
        let differs = |x: TermId| x != b && is_value(store, x) && is_value(store, b);
        match (then == b, otherwise == b) {
            (true, _) if differs(otherwise) => Ok(Some(c)),
            (_, true) if differs(then) => self.not(store, c).map(Some),
            (false, false) if differs(then) && differs(otherwise) => Ok(Some(store.bool(false))),
            _ if differs(then) => {
                let not = self.not(store, c)?;
                let same = self.app(store, Kind::Eq, &[otherwise, b])?;
                self.junction(store, Kind::And, &[not, same]).map(Some)
            }
            _ if differs(otherwise) => {
                let same = self.app(store, Kind::Eq, &[then, b])?;
                self.junction(store, Kind::And, &[c, same]).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn distinct(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let args = store.args(t).to_vec();
        if let &[a, b] = args.as_slice() {
            let same = self.app(store, Kind::Eq, &[a, b])?;
            return self.not(store, same);
        }
        let mut sorted = args.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|w| w[0] == w[1]) || exceeds_sort(store, &args) {
            return Ok(store.bool(false));
        }
        Ok(t)
    }

    pub(super) fn ite(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        let (c, then, otherwise) = (store.args(t)[0], store.args(t)[1], store.args(t)[2]);
        if then == otherwise {
            return Ok(then);
        }
        match store.kind(c) {
            Kind::True => return Ok(then),
            Kind::False => return Ok(otherwise),
            Kind::Not => {
                let inner = store.args(c)[0];
                return self.app(store, Kind::Ite, &[inner, otherwise, then]);
            }
            _ => {}
        }
        // The condition is known in its branches.
        let nested = |branch: TermId, place: usize| {
            (store.kind(branch) == Kind::Ite && store.args(branch)[0] == c).then(|| store.args(branch)[place])
        };
        let (inner_then, inner_otherwise) = (nested(then, 1), nested(otherwise, 2));
        if inner_then.is_some() || inner_otherwise.is_some() {
            let args = [c, inner_then.unwrap_or(then), inner_otherwise.unwrap_or(otherwise)];
            return self.app(store, Kind::Ite, &args);
        }
        if store.is_bool(t) {
            return self.boolean_ite(store, t, c, then, otherwise);
        }
        Ok(t)
    }

    fn boolean_ite(
        &mut self,
        store: &mut Store,
        t: TermId,
        c: TermId,
        then: TermId,
        otherwise: TermId,
    ) -> Result<TermId, PassError> {
        let same = |x: TermId| x == c;
        match (store.kind(then), store.kind(otherwise)) {
            (Kind::True, _) => self.junction(store, Kind::Or, &[c, otherwise]),
            (_, Kind::False) => self.junction(store, Kind::And, &[c, then]),
            (Kind::False, _) => {
                let not = self.not(store, c)?;
                self.junction(store, Kind::And, &[not, otherwise])
            }
            (_, Kind::True) => {
                let not = self.not(store, c)?;
                self.junction(store, Kind::Or, &[not, then])
            }
            _ if same(then) => self.junction(store, Kind::Or, &[c, otherwise]),
            _ if same(otherwise) => self.junction(store, Kind::And, &[c, then]),
            _ if negated(store, then) == Some(otherwise) || negated(store, otherwise) == Some(then) => {
                self.app(store, Kind::Eq, &[c, then])
            }
            _ => Ok(t),
        }
    }
}

/// Whether more terms are required to be distinct than their sort has elements.
fn exceeds_sort(store: &Store, args: &[TermId]) -> bool {
    let sort = store.sort(args[0]);
    let elements = match store.sorts.get(sort) {
        Sort::Bool => 2,
        Sort::RoundingMode => 5,
        Sort::BitVec(width) if *width < 32 => 1usize << width,
        _ => return false,
    };
    args.len() > elements
}
