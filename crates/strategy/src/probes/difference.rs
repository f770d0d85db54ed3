//! Whether a goal is in the difference-logic fragment.

use super::ProbedGoal;
use dashu_ratio::RBig;
use rewrite::linear::fits;
use rewrite::walk::bottom_up;
use smtlib::{Constant, Kind, SortId, Store, TermId};

/// The maximum number of arguments of a `distinct` whose pairs are all examined.
const MAX_DISTINCT: usize = 1024;

/// The maximum number of nodes examined in one side of an atom.
const MAX_NODES: usize = 64;

/// Whether every arithmetic atom is `x - y ~ c` or `x ~ c`, with no other arithmetic.
pub(super) fn is_difference(seen: &ProbedGoal<'_>) -> bool {
    let store = seen.store;
    if seen.features.binders || seen.features.nonlinear || seen.features.division {
        return false;
    }
    bottom_up(store, seen.goal.terms()).into_iter().all(|t| {
        let args = store.args(t);
        let over_numbers = args.first().is_some_and(|&a| matches!(store.sort(a), SortId::INT | SortId::REAL));
        match store.kind(t) {
            _ if !store.is_bool(t) || !over_numbers => true,
            Kind::IntLe
            | Kind::IntLt
            | Kind::IntGe
            | Kind::IntGt
            | Kind::RealLe
            | Kind::RealLt
            | Kind::RealGe
            | Kind::RealGt
            | Kind::Eq => args.windows(2).all(|pair| is_pair(store, pair[0], pair[1])),
            // Too many pairs: the logic of sums includes it, too.
            Kind::Distinct if args.len() > MAX_DISTINCT => false,
            Kind::Distinct => args.iter().enumerate().all(|(n, &a)| args[..n].iter().all(|&b| is_pair(store, b, a))),
            _ => false,
        }
    })
}

/// Whether `a - b` is `x - y + c`, `x + c`, `-x + c` or `c`.
fn is_pair(store: &Store, a: TermId, b: TermId) -> bool {
    let mut sum: Vec<(TermId, RBig)> = Vec::new();
    let mut stack = vec![(a, RBig::ONE), (b, -RBig::ONE)];
    let mut nodes = 0;
    while let Some((t, factor)) = stack.pop() {
        nodes += 1;
        if nodes > MAX_NODES {
            return false;
        }
        let args = store.args(t);
        match store.kind(t) {
            Kind::Constant => {}
            Kind::IntAdd | Kind::RealAdd => stack.extend(args.iter().map(|&a| (a, factor.clone()))),
            Kind::IntNeg | Kind::RealNeg => stack.push((args[0], -factor)),
            Kind::IntSub | Kind::RealSub => {
                stack.push((args[0], factor.clone()));
                stack.extend(args[1..].iter().map(|&a| (a, -factor.clone())));
            }
            Kind::IntMul | Kind::RealMul => {
                let (mut product, mut rest) = (factor, Vec::new());
                for &a in args {
                    match number(store, a) {
                        // An unfolded term is not a factor.
                        Some(n) if !fits(&n) || !fits(&product) => return false,
                        Some(n) => product *= n,
                        None => rest.push(a),
                    }
                }
                match rest[..] {
                    [] => {}
                    [one] => stack.push((one, product)),
                    _ => return false,
                }
            }
            Kind::RealDiv if args.len() == 2 && number(store, t).is_some() => {}
            Kind::Apply if args.is_empty() => match sum.iter_mut().find(|(x, _)| *x == t) {
                Some((_, known)) => *known += factor,
                None => sum.push((t, factor)),
            },
            _ => return false,
        }
    }
    sum.retain(|(_, factor)| !factor.is_zero());
    let one = RBig::ONE;
    match &sum[..] {
        [] => true,
        [(_, a)] => *a == one || *a == -one,
        [(_, a), (_, b)] => (*a == one && *b == -one.clone()) || (*b == one && *a == -one),
        _ => false,
    }
}

/// Returns the value of a number: a literal, the negative of one, or a quotient of two.
fn number(store: &Store, t: TermId) -> Option<RBig> {
    let args = store.args(t);
    match store.kind(t) {
        Kind::Constant => match store.constant(t)? {
            Constant::Int(n) => Some(RBig::from(n.clone())),
            Constant::Real(r) => Some(r.clone()),
            _ => None,
        },
        Kind::IntNeg | Kind::RealNeg => match store.kind(args[0]) {
            Kind::Constant | Kind::RealDiv => number(store, args[0]).map(|n| -n),
            _ => None,
        },
        Kind::RealDiv
            if args.len() == 2 && args.iter().all(|&a| matches!(store.kind(a), Kind::Constant | Kind::RealNeg)) =>
        {
            let literal = |t: TermId| match store.constant(t) {
                Some(Constant::Real(r)) => Some(r.clone()),
                _ => None,
            };
            let numerator = match store.kind(args[0]) {
                Kind::RealNeg => -literal(store.args(args[0])[0])?,
                _ => literal(args[0])?,
            };
            let denominator = literal(args[1])?;
            (!denominator.is_zero()).then(|| numerator / denominator)
        }
        _ => None,
    }
}
