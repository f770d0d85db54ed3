//! Claims decided by their shape alone, and terms with free variables.

use rustc_hash::{FxHashMap, FxHashSet};
use semantics::Stop;
use smtlib::free_vars::FreeVars;
use smtlib::{Kind, Store, Symbol, TermId};

/// The maximum number of atoms whose truth values are tried.
const MAX_ATOMS: usize = 14;
/// The most Boolean nodes over them.
const MAX_NODES: usize = 2000;

/// Whether a conclusion is a premise, `true`, or equates a term with itself.
pub(super) fn is_plain(store: &mut Store, premises: &[TermId], conclusion: TermId) -> bool {
    let (yes, no) = (store.bool(true), store.bool(false));
    let is_reflexive = store.kind(conclusion) == Kind::Eq && store.args(conclusion).windows(2).all(|w| w[0] == w[1]);
    is_reflexive || conclusion == yes || premises.contains(&conclusion) || premises.contains(&no)
}

/// Whether formulas contradict each other, whatever the truth values of their atoms.
pub(super) fn is_refuted(store: &Store, formulas: &[TermId], stop: &Stop) -> bool {
    let Some(order) = boolean_nodes(store, formulas) else { return false };
    let atoms = order.iter().filter(|&&(_, is_atom)| is_atom).count();
    if atoms > MAX_ATOMS || order.len() == atoms {
        return false;
    }
    let places: FxHashMap<TermId, usize> = order.iter().enumerate().map(|(n, &(t, _))| (t, n)).collect();
    let mut values = vec![false; order.len()];
    for assignment in 0u32..1 << atoms {
        if assignment % 64 == 0 && stop.is_over() {
            return false;
        }
        let mut atom = 0;
        for (n, &(t, is_atom)) in order.iter().enumerate() {
            values[n] = match is_atom {
                true => {
                    atom += 1;
                    assignment >> (atom - 1) & 1 == 1
                }
                false => value(store, t, |a| values[places[&a]]),
            };
        }
        if formulas.iter().all(|f| values[places[f]]) {
            return false;
        }
    }
    true
}

fn value(store: &Store, t: TermId, of: impl Fn(TermId) -> bool) -> bool {
    let args = store.args(t);
    match store.kind(t) {
        Kind::True => true,
        Kind::Not => !of(args[0]),
        Kind::And => args.iter().all(|&a| of(a)),
        Kind::Or => args.iter().any(|&a| of(a)),
        Kind::Xor => args.iter().fold(false, |sum, &a| sum ^ of(a)),
        Kind::Implies => of(args[args.len() - 1]) || args[..args.len() - 1].iter().any(|&a| !of(a)),
        Kind::Eq => args.windows(2).all(|w| of(w[0]) == of(w[1])),
        Kind::Ite => of(args[if of(args[0]) { 1 } else { 2 }]),
        _ => false,
    }
}

/// Lists the Boolean nodes of formulas down to their atoms, parts first; `None` if there are too many.
fn boolean_nodes(store: &Store, formulas: &[TermId]) -> Option<Vec<(TermId, bool)>> {
    let mut order = Vec::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack: Vec<(TermId, bool)> = formulas.iter().map(|&f| (f, false)).collect();
    while let Some((t, is_ready)) = stack.pop() {
        if is_ready {
            order.push((t, false));
            continue;
        }
        if !seen.insert(t) {
            continue;
        }
        if seen.len() > MAX_NODES {
            return None;
        }
        let args = store.args(t);
        let is_connective = match store.kind(t) {
            Kind::True | Kind::False | Kind::Not | Kind::And | Kind::Or | Kind::Xor | Kind::Implies => true,
            Kind::Eq | Kind::Ite => args.iter().all(|&a| store.is_bool(a)),
            _ => false,
        };
        if is_connective {
            stack.push((t, true));
            stack.extend(args.iter().map(|&a| (a, false)));
        } else {
            order.push((t, true));
        }
    }
    Some(order)
}

/// Lists the free variables of a term, each once.
pub(super) fn free_variables(store: &Store, free: &mut FreeVars, t: TermId) -> Vec<TermId> {
    let names = free.of(store, t);
    if names.is_empty() {
        return Vec::new();
    }
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut found = Vec::new();
    let mut stack = vec![t];
    while let Some(u) = stack.pop() {
        if free.is_closed(store, u) || !seen.insert(u) {
            continue;
        }
        match store.variable(u) {
            Some(name) if names.contains(&name) => found.push(u),
            _ => stack.extend_from_slice(store.args(u)),
        }
    }
    found.sort_unstable();
    found
}

/// Replaces some free variables of a term by closed terms; `None` if one of these names is also bound inside.
pub(super) fn replace_free(
    store: &mut Store,
    free: &mut FreeVars,
    t: TermId,
    by: &FxHashMap<TermId, TermId>,
) -> Option<TermId> {
    let names: FxHashSet<Symbol> = by.keys().filter_map(|&v| store.variable(v)).collect();
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![(t, false)];
    while let Some((u, is_ready)) = stack.pop() {
        if done.contains_key(&u) {
            continue;
        }
        if free.is_closed(store, u) {
            done.insert(u, u);
            continue;
        }
        if store.variable(u).is_some() {
            done.insert(u, by.get(&u).copied().unwrap_or(u));
            continue;
        }
        if is_ready {
            let args: Vec<TermId> = store.args(u).iter().map(|a| done.get(a).copied().unwrap_or(*a)).collect();
            let new = store.with_args(u, &args);
            done.insert(u, new);
            continue;
        }
        if binds(store, u, &names) {
            return None;
        }
        stack.push((u, true));
        stack.extend(store.args(u).iter().map(|&a| (a, false)));
    }
    done.get(&t).copied()
}

/// Whether a term itself binds one of the names.
fn binds(store: &Store, t: TermId, names: &FxHashSet<Symbol>) -> bool {
    let op = store.op(t);
    let by_binder = op.binder().is_some_and(|b| store.binder(b).vars.iter().any(|v| names.contains(&v.0)));
    let mut cases = op.cases().into_iter().flat_map(|m| store.cases(m)).flat_map(|case| case.vars.iter().flatten());
    by_binder || cases.any(|v| names.contains(v))
}
