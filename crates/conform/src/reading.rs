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
mod tests {
    use super::*;

    #[test]
    fn printed_values_are_read() {
        let check = |ours: &str, theirs: &str, expect: Result<bool, Unread>| {
            assert_eq!(ValueReader::default().same(ours, theirs), expect, "{ours} and {theirs}");
        };
        check("#b0011", "#x3", Ok(true));
        check("#b0011", "#x4", Ok(false));
        check("#b0011", "#b011", Err(Unread::NoTerm));
        check("(fp #b1 #b001 #b0000)", "(fp #b1 #b001 #x0)", Ok(true));
        check("(_ NaN 3 5)", "(fp #b0 #b111 #x1)", Ok(true));
        check("(_ +zero 3 5)", "(_ -zero 3 5)", Ok(false));
        check("(_ +zero 3 5)", "(_ +zero 5 3)", Err(Unread::NoTerm));
        check("RNE", "roundNearestTiesToEven", Ok(true));
        check("true", "false", Ok(false));
        check("(- 5)", "(- 6)", Ok(false));
        // Reals of z3, of cvc5, and of yices, which omits the point.
        check("(/ (- 1.0) 3.0)", "(- (/ 1.0 3.0))", Ok(true));
        check("(/ (- 1.0) 3.0)", "(/ (- 1) 3)", Ok(true));
        check("(- 2.0)", "(- 2)", Ok(true));
        check("2.5", "(/ 5 2)", Ok(true));
        check("2.5", "(/ 5 3)", Ok(false));
        check("2", "2.0", Err(Unread::NoTerm));
        check("0.0", "(/ 1.0 0.0)", Err(Unread::Unspecified));
        check("\"a\\u{1}\"", "\"a\\u{01}\"", Ok(true));
        check("\"a\"\"\"", "\"a\"\"\"", Ok(true));
        check("\"a\"", "\"b\"", Ok(false));
        let array = "(store ((as const (Array Int Real)) 1.0) (- 3) (- 4.0))";
        check(array, "(store (store ((as const (Array Int Real)) 1.0) 2 1.0) (- 3) (- 4.0))", Ok(true));
        check(array, "(store ((as const (Array Int Real)) 1.0) 3 (- 4.0))", Ok(false));
        check("(as set.empty (Set Int))", "(as set.empty (FiniteSet Int))", Ok(true));
        let set = "(set.union (set.singleton 1) (set.singleton (- 2)))";
        check(set, "(set.union (set.singleton (- 2)) (set.union (set.singleton 1) (set.singleton 1)))", Ok(true));
        check(set, "(set.singleton 1)", Ok(false));
        check(set, "(set.union (set.singleton (- 0 2)) (set.singleton 1))", Err(Unread::NoValue));
        check(set, "((as set.unique (FiniteSet Int)) 1 2)", Err(Unread::NoTerm));
        check("(as bag.empty (Bag Int))", "(as bag.empty (Bag Int))", Ok(true));
        let bag = "(bag.union_disjoint (bag (- 2) 1) (bag 1 3))";
        check(bag, "(bag.union_disjoint (bag.union_disjoint (bag 1 2) (bag (- 2) 1)) (bag 1 1))", Ok(true));
        check(bag, "(bag.union_disjoint (bag 1 2) (bag (- 2) 1))", Ok(false));
        check(bag, "(bag.union_disjoint (bag 1 (+ 1 2)) (bag (- 2) 1))", Err(Unread::NoValue));
        check(bag, "(bag.union_max (bag 1 3) (bag (- 2) 1))", Err(Unread::NoValue));
        check("3", "(bag.choose (bag 3 1))", Err(Unread::NoValue));
        // Terms that are not values, even those with a known value.
        check("#b0011", "(bvadd #b0001 #b0010)", Err(Unread::NoValue));
        check("3", "(- 4 1)", Err(Unread::NoValue));
        check("3", "(- (- 3))", Err(Unread::NoValue));
        check("1.0", "(/ 4.0 (/ 2.0 0.5))", Err(Unread::NoValue));
        check(array, "(store ((as const (Array Int Real)) 1.0) (- 4 7) (- 4.0))", Err(Unread::NoValue));
        check("#b0011", "k!0", Err(Unread::NoTerm));
        check("#b0011", "(bvadd #b0001", Err(Unread::NoTerm));
        check("#b0011", "", Err(Unread::NoTerm));
    }
}
