//! `split-or`, `split-ineqs` and `split-eqs`: cases of the first formula that has some.

use crate::goal::{Goal, GoalFormula};
use crate::pass::{Example, PassError, PassResult, PassSettings};
use smtlib::{Kind, Op, SortId, Store, TermId};

/// The cases of a formula, if it has some.
type FormulaCases = Result<Option<Vec<TermId>>, PassError>;

/// A rewriting of one goal into several, one of which must be satisfiable for the goal to be: the cases of the first formula that has
/// some.
pub struct Split {
    /// Its name in the strategy language.
    pub name: &'static str,
    /// Its description, in one sentence.
    pub about: &'static str,
    /// A goal before, and the goals after it.
    pub example: Example,
    cases: fn(&mut Store, TermId) -> FormulaCases,
}

/// One goal for each part of the first disjunction.
pub static SPLIT_OR: Split = Split {
    name: "split-or",
    about: "makes one goal of each part of the first disjunction, implication or Boolean ite",
    example: Example {
        before: "(declare-const x Int)(assert (< x 5))(assert (or (< x 0) (> x 3)))",
        after: &["(< x 5) (< x 0)", "(< x 5) (> x 3)"],
    },
    cases: |store, t| {
        let args = store.args(t).to_vec();
        Ok(match store.kind(t) {
            Kind::Or => Some(args),
            Kind::Implies => {
                let last = args.len() - 1;
                let mut parts: Vec<TermId> = args[..last].iter().map(|&a| store.not(a)).collect();
                parts.push(args[last]);
                Some(parts)
            }
            Kind::Not if store.kind(args[0]) == Kind::And => {
                let parts = store.args(args[0]).to_vec();
                Some(parts.into_iter().map(|a| store.not(a)).collect())
            }
            Kind::Ite => {
                let not = store.not(args[0]);
                Some(vec![store.and(&[args[0], args[1]]), store.and(&[not, args[2]])])
            }
            _ => None,
        })
    },
};

/// `a <= b` as `a < b` or `a = b`, over Int and Real.
pub static SPLIT_INEQS: Split = Split {
    name: "split-ineqs",
    about: "makes a goal with < and one with = of the first <= or >= between two numbers",
    example: Example {
        before: "(declare-const x Real)(declare-const y Real)(assert (<= x y))(assert (< y 2.0))",
        after: &["(< x y) (< y 2.0)", "(= x y) (< y 2.0)"],
    },
    cases: |store, t| {
        let strict = match store.kind(t) {
            Kind::IntLe => Kind::IntLt,
            Kind::IntGe => Kind::IntGt,
            Kind::RealLe => Kind::RealLt,
            Kind::RealGe => Kind::RealGt,
            _ => return Ok(None),
        };
        let &[a, b] = store.args(t) else { return Ok(None) };
        Ok(Some(vec![store.app(Op::new(strict), &[a, b])?, store.eq(a, b)?]))
    },
};

/// `a /= b` as `a < b` or `b < a`, over Int and Real.
pub static SPLIT_EQS: Split = Split {
    name: "split-eqs",
    about: "makes a goal with < and one with > of the first disequality of two numbers",
    example: Example {
        before: "(declare-const x Int)(assert (not (= x 2)))(assert (< 0 x 4))",
        after: &["(< x 2) (< 0 x 4)", "(> x 2) (< 0 x 4)"],
    },
    cases: |store, t| {
        let (inner, expect) = match store.kind(t) {
            Kind::Not => (store.args(t)[0], Kind::Eq),
            _ => (t, Kind::Distinct),
        };
        let &[a, b] = store.args(inner) else { return Ok(None) };
        let (less, greater) = match store.sort(a) {
            SortId::INT => (Kind::IntLt, Kind::IntGt),
            SortId::REAL => (Kind::RealLt, Kind::RealGt),
            _ => return Ok(None),
        };
        if store.kind(inner) != expect {
            return Ok(None);
        }
        Ok(Some(vec![store.app(Op::new(less), &[a, b])?, store.app(Op::new(greater), &[a, b])?]))
    },
};

impl Split {
    /// Returns the goals with the first formula that has cases replaced by each of them. Fails without cases, like Z3's `split-clause`,
    /// so that `(repeat (or-else split-or skip))` ends.
    /// Errors: as [`RewritePass::apply`](crate::RewritePass::apply).
    pub fn apply(&self, store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<Vec<PassResult>, PassError> {
        let mut found = None;
        for (n, formula) in goal.formulas().iter().enumerate() {
            settings.stop.check()?;
            if let Some(parts) = (self.cases)(store, formula.term)?.filter(|p| p.len() > 1) {
                found = Some((n, parts));
                break;
            }
        }
        let Some((place, parts)) = found else {
            return Err(PassError::NotApplicable(format!("no formula has cases for {}", self.name)));
        };
        let limit = settings.limits.goals;
        if parts.len() > limit {
            return Err(PassError::TooLarge { what: "goals", limit });
        }
        let steps = parts.into_iter().map(|part| {
            let formulas: Vec<GoalFormula> = goal.formulas().to_vec();
            let replaced =
                |(n, f): (usize, GoalFormula)| if n == place { GoalFormula::new(part, f.origins) } else { f };
            let case = formulas.into_iter().enumerate().map(replaced);
            PassResult::new(goal.clone().with(store, case))
        });
        Ok(steps.collect())
    }
}
