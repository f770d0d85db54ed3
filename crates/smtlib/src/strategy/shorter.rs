//! Shorter strategies, for reduction: each differs from the given one in one place and is well-formed.

use super::{GoalProbe, Measure, Strategy};

/// Lists all strategies that replace one node of `strategy` by something smaller: one of its parts, or itself without a
/// part or a parameter, or with a simpler probe or a smaller number. The smallest come first.
pub fn shorter(strategy: &Strategy) -> Vec<Strategy> {
    let mut found = at_node(strategy);
    found.sort_by_key(|s| (s.size(), s.to_string().len()));
    found.dedup();
    found
}

fn at_node(s: &Strategy) -> Vec<Strategy> {
    let mut found: Vec<Strategy> = s.parts().into_iter().cloned().collect();
    let boxed = |s: Strategy| Box::new(s);
    match s {
        Strategy::Tactic(_) | Strategy::SolverTactic(..) | Strategy::Exec(_) | Strategy::Rules(_) => {}
        Strategy::Solver(spec, params) => {
            found.extend(without_one(params).map(|fewer| Strategy::Solver(spec.clone(), fewer)));
        }
        Strategy::Over(name, inner) => {
            found.push(Strategy::Tactic(name.clone()));
            found.extend(at_node(inner).into_iter().map(|i| Strategy::Over(name.clone(), boxed(i))));
        }
        Strategy::Then(parts) => many(parts, 2, Strategy::Then, &mut found),
        // One part less would require another number of subgoals, which is worth a try.
        Strategy::Thens(parts) => many(parts, 2, Strategy::Thens, &mut found),
        Strategy::OrElse(parts) => many(parts, 2, Strategy::OrElse, &mut found),
        Strategy::ParOr(parts) => many(parts, 2, Strategy::ParOr, &mut found),
        Strategy::ParThen(parts) => {
            found.push(Strategy::Then(parts.clone()));
            many(parts, 2, Strategy::ParThen, &mut found);
        }
        Strategy::Repeat(inner, bound) => {
            let smaller = bound.map(halves).unwrap_or_else(|| vec![1]);
            found.extend(smaller.into_iter().map(|n| Strategy::Repeat(inner.clone(), Some(n))));
            found.extend(at_node(inner).into_iter().map(|i| Strategy::Repeat(boxed(i), *bound)));
        }
        Strategy::Refine(a, b, rounds) => {
            found.extend(at_node(a).into_iter().map(|a| Strategy::Refine(boxed(a), b.clone(), *rounds)));
            found.extend(at_node(b).into_iter().map(|b| Strategy::Refine(a.clone(), boxed(b), *rounds)));
        }
        Strategy::TryFor(inner, ms) => {
            found.extend(at_node(inner).into_iter().map(|i| Strategy::TryFor(boxed(i), *ms)));
        }
        Strategy::Nice(inner, by) => {
            found.extend(at_node(inner).into_iter().map(|i| Strategy::Nice(boxed(i), *by)));
        }
        Strategy::If(p, a, b) => {
            found.extend(smaller_probes(p).into_iter().map(|q| Strategy::If(q, a.clone(), b.clone())));
            found.extend(at_node(a).into_iter().map(|a| Strategy::If(p.clone(), boxed(a), b.clone())));
            found.extend(at_node(b).into_iter().map(|b| Strategy::If(p.clone(), a.clone(), boxed(b))));
        }
        Strategy::When(p, inner) => {
            found.extend(smaller_probes(p).into_iter().map(|q| Strategy::When(q, inner.clone())));
            found.extend(at_node(inner).into_iter().map(|i| Strategy::When(p.clone(), boxed(i))));
        }
        Strategy::FailIf(p) => {
            found.push(Strategy::tactic("skip"));
            found.extend(smaller_probes(p).into_iter().map(Strategy::FailIf));
        }
        Strategy::UsingParams(inner, params) => {
            let fewer = without_one(params).filter(|fewer| !fewer.is_empty());
            found.extend(fewer.map(|fewer| Strategy::UsingParams(inner.clone(), fewer)));
            found.extend(at_node(inner).into_iter().map(|i| Strategy::UsingParams(boxed(i), params.clone())));
        }
    }
    found
}

/// For a list: without one part, down to `least`, and with one part smaller.
fn many(parts: &[Strategy], least: usize, make: fn(Box<[Strategy]>) -> Strategy, found: &mut Vec<Strategy>) {
    if parts.len() > least {
        found.extend(without_one(parts).map(make));
    }
    for (n, part) in parts.iter().enumerate() {
        found.extend(at_node(part).into_iter().map(|smaller| {
            let mut parts = parts.to_vec();
            parts[n] = smaller;
            make(parts.into())
        }));
    }
}

fn without_one<T: Clone>(parts: &[T]) -> impl Iterator<Item = Box<[T]>> {
    (0..parts.len())
        .map(move |leave| parts.iter().enumerate().filter(|(n, _)| *n != leave).map(|(_, p)| p.clone()).collect())
}

fn halves(n: u32) -> Vec<u32> {
    if n > 1 { vec![n / 2] } else { Vec::new() }
}

fn smaller_probes(probe: &GoalProbe) -> Vec<GoalProbe> {
    let mut found = Vec::new();
    match probe {
        GoalProbe::Named(_) => {}
        GoalProbe::Not(inner) => {
            found.push((**inner).clone());
            found.extend(smaller_probes(inner).into_iter().map(|p| GoalProbe::Not(Box::new(p))));
        }
        GoalProbe::And(parts) | GoalProbe::Or(parts) => {
            found.extend(parts.iter().cloned());
            let make = if matches!(probe, GoalProbe::And(_)) { GoalProbe::And } else { GoalProbe::Or };
            if parts.len() > 2 {
                found.extend(without_one(parts).map(make));
            }
        }
        GoalProbe::Implies(a, b) => found.extend([(**a).clone(), (**b).clone()]),
        GoalProbe::Compare(how, a, b) => {
            let with = |a: &Measure, b: &Measure| GoalProbe::Compare(*how, Box::new(a.clone()), Box::new(b.clone()));
            found.extend(operands(a).iter().map(|a| with(a, b)));
            found.extend(operands(b).iter().map(|b| with(a, b)));
        }
    }
    found
}

fn operands(measure: &Measure) -> &[Measure] {
    match measure {
        Measure::Arithmetic(_, parts) => parts,
        _ => &[],
    }
}
