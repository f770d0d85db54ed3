//! Reads values printed by solvers, and compares them with ours.

use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Kind, Op, Scope, SortId, Store, TermId, parse_term};

/// Why a text cannot be compared with our value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unread {
    /// The text is not an SMT-LIB term of our sort.
    #[error("the value printed cannot be read")]
    NoTerm,
    /// The text is a term but not a literal: the solver left something to compute.
    #[error("left as a term that is no value")]
    NoValue,
    /// The text is a literal without a value known to us, like a quotient by zero.
    #[error("the value printed has no value by the standard")]
    Unspecified,
}

/// Reads values of one solver.
pub struct ValueReader {
    store: Store,
    scope: Scope,
}

impl Default for ValueReader {
    fn default() -> ValueReader {
        let store = Store::new();
        ValueReader { scope: Scope::new(&store), store }
    }
}

impl ValueReader {
    /// Whether a printed value equals ours, which is the literal `ours` in SMT-LIB's own spelling.
    ///
    /// Invariant: only literals are compared. A term that the solver returned unchanged would be evaluated by us alone, and we would
    /// agree with ourselves.
    /// Errors: [`Unread`], where there is nothing to compare.
    pub fn same(&mut self, ours: &str, theirs: &str) -> Result<bool, Unread> {
        if ours == theirs {
            return Ok(true);
        }
        let mut theirs = parse_term(&mut self.store, &mut self.scope, theirs).map_err(|_| Unread::NoTerm)?;
        let ours = parse_term(&mut self.store, &mut self.scope, ours).map_err(|_| Unread::NoTerm)?;
        if !is_literal(&self.store, theirs) {
            return Err(Unread::NoValue);
        }
        // Some print the real number 2 as `2`.
        if self.store.sort(theirs) == SortId::INT && self.store.sort(ours) == SortId::REAL {
            theirs = self.store.app(Op::new(Kind::ToReal), &[theirs]).map_err(|_| Unread::NoTerm)?;
        }
        let equation = self.store.eq(theirs, ours).map_err(|_| Unread::NoTerm)?;
        let value = Evaluator::new(Model::new(), EvalLimits::default()).eval(&self.store, equation);
        value.ok().and_then(|value| value.as_bool()).ok_or(Unread::Unspecified)
    }
}

/// Whether a term uses only what values are printed with: literals, negated numbers, quotients of two numbers, floats of three bit
/// patterns, constant arrays and stores into them, unions of sets and bags with one element.
fn is_literal(store: &Store, term: TermId) -> bool {
    use Kind::*;
    let number = |&t: &TermId| match store.kind(t) {
        Constant => true,
        IntNeg | RealNeg => store.args(t).iter().all(|&a| store.kind(a) == Constant),
        // The parser represents an integer in place of a real number like this.
        ToReal => store
            .args(t)
            .iter()
            .all(|&a| store.kind(a) == Constant || store.kind(a) == IntNeg && store.kind(store.args(a)[0]) == Constant),
        _ => false,
    };
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        let args = store.args(term);
        let is_one = match store.kind(term) {
            Constant | True | False | Rne | Rna | Rtp | Rtn | Rtz => true,
            FpPlusInfinity | FpMinusInfinity | FpPlusZero | FpMinusZero | FpNan => true,
            IntNeg | RealNeg => {
                open.extend(args);
                args.iter()
                    .all(|a| number(a) && !matches!(store.kind(*a), IntNeg | RealNeg) || store.kind(*a) == RealDiv)
            }
            ToReal => number(&term),
            RealDiv => args.len() == 2 && args.iter().all(number),
            Fp => args.iter().all(|&a| store.kind(a) == Constant),
            SeqEmpty | SetEmpty | BagEmpty => true,
            ConstArray | ArrayStore | SeqUnit | SeqConcat | SetSingleton | SetUnion | BagMake | BagUnionDisjoint => {
                open.extend(args);
                true
            }
            _ => false,
        };
        if !is_one {
            return false;
        }
    }
    true
}

#[cfg(test)]
#[path = "../tests/unit/reading.rs"]
mod tests;
