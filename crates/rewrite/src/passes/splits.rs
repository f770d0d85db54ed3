//! `split-or`, `split-ineqs` and `split-eqs`: cases of the first formula that has some.

use crate::goal::{Formula, Goal};
use crate::pass::{Example, PassError, Settings, Split, Step};
use smtlib::{Kind, Op, SortId, Store, TermId};

/// One goal for each part of the first disjunction.
pub struct SplitOr;

/// `a <= b` as `a < b` or `a = b`, over Int and Real.
pub struct SplitIneqs;

/// `a /= b` as `a < b` or `b < a`, over Int and Real.
pub struct SplitEqs;

impl Split for SplitOr {
    fn name(&self) -> &'static str {
        "split-or"
    }

    fn describe(&self) -> &'static str {
        "makes one goal of each part of the first disjunction, implication or Boolean ite"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const x Int)(assert (< x 5))(assert (or (< x 0) (> x 3)))",
            after: &["(< x 5) (< x 0)", "(< x 5) (> x 3)"],
        }
    }

    fn apply(&self, store: &mut Store, goal: Goal, settings: &Settings) -> Result<Vec<Step>, PassError> {
        cases(store, goal, settings, |store, t| {
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
        })
    }
}

impl Split for SplitIneqs {
    fn name(&self) -> &'static str {
        "split-ineqs"
    }

    fn describe(&self) -> &'static str {
        "makes a goal with < and one with = of the first <= or >= between two numbers"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const x Real)(declare-const y Real)(assert (<= x y))(assert (< y 2.0))",
            after: &["(< x y) (< y 2.0)", "(= x y) (< y 2.0)"],
        }
    }

    fn apply(&self, store: &mut Store, goal: Goal, settings: &Settings) -> Result<Vec<Step>, PassError> {
        cases(store, goal, settings, |store, t| {
            let strict = match store.kind(t) {
                Kind::IntLe => Kind::IntLt,
                Kind::IntGe => Kind::IntGt,
                Kind::RealLe => Kind::RealLt,
                Kind::RealGe => Kind::RealGt,
                _ => return Ok(None),
            };
            let &[a, b] = store.args(t) else { return Ok(None) };
            Ok(Some(vec![store.app(Op::new(strict), &[a, b])?, store.eq(a, b)?]))
        })
    }
}

impl Split for SplitEqs {
    fn name(&self) -> &'static str {
        "split-eqs"
    }

    fn describe(&self) -> &'static str {
        "makes a goal with < and one with > of the first disequality of two numbers"
    }

    fn example(&self) -> Example {
        Example {
            before: "(declare-const x Int)(assert (not (= x 2)))(assert (< 0 x 4))",
            after: &["(< x 2) (< 0 x 4)", "(> x 2) (< 0 x 4)"],
        }
    }

    fn apply(&self, store: &mut Store, goal: Goal, settings: &Settings) -> Result<Vec<Step>, PassError> {
        cases(store, goal, settings, |store, t| {
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
        })
    }
}

/// The goals with the first formula that has cases replaced by each of them; the goal itself where none has.
fn cases(
    store: &mut Store,
    goal: Goal,
    settings: &Settings,
    cases_of: impl Fn(&mut Store, TermId) -> Result<Option<Vec<TermId>>, PassError>,
) -> Result<Vec<Step>, PassError> {
    let mut found = None;
    for (n, formula) in goal.formulas().iter().enumerate() {
        settings.stop.check()?;
        if let Some(parts) = cases_of(store, formula.term)?.filter(|p| p.len() > 1) {
            found = Some((n, parts));
            break;
        }
    }
    let Some((place, parts)) = found else { return Ok(vec![Step::new(goal)]) };
    let limit = settings.limits.goals;
    if parts.len() > limit {
        return Err(PassError::TooLarge { what: "goals", limit });
    }
    let steps = parts.into_iter().map(|part| {
        let formulas: Vec<Formula> = goal.formulas().to_vec();
        let case =
            formulas.into_iter().enumerate().map(|(n, f)| if n == place { Formula::new(part, f.origins) } else { f });
        Step::new(goal.clone().with(store, case))
    });
    Ok(steps.collect())
}
