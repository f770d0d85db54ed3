//! Translates the orders of z3: each becomes a declared function, of which instances of its laws hold.
//!
//! The laws are those of "Special relations" in the online guide of Z3, since 2023: before, a tree order was the other way round there, and
//! never in Z3 (issue 6654 of Z3). If no operand has a bound variable, it is enough that they hold among the operands, since an order of
//! some values extends to all: the others are related to themselves alone, or follow in a linear order. Otherwise they hold among all
//! values of the sort.

use super::hidden::{first_of, mentions_hidden, unfolded};
use super::known::OpenTruth;
use crate::exhaust::all_values;
use crate::symbols::mentioned_deeply;
use rustc_hash::FxHashSet;
use smtlib::term::HAS_VARIABLE;
use smtlib::{BuildError, Func, FuncBody, FuncId, Kind, Op, SortId, Store, TermId};
use std::borrow::Cow;

/// The maximum number of values that an order is about: it has as many laws as they have triples.
const MAX_TERMS: usize = 12;
/// The maximum number of terms that definitions with orders are unfolded to, and of rounds in which they are.
const MAX_UNFOLDED: usize = 1 << 16;
const MAX_ROUNDS: usize = 200;

/// An order of a sort, as the function that it becomes.
struct TranslatedOrder {
    op: Op,
    sort: SortId,
    function: FuncId,
    operands: Vec<TermId>,
}

/// Returns the assertions with functions for orders, and then the laws of these; borrowed if there are no orders.
/// Errors: [`OpenTruth::Hidden`] if an order is about too many values, or is mentioned where it is not understood.
pub(super) fn without_orders<'t>(store: &mut Store, assertions: &'t [TermId]) -> Result<Cow<'t, [TermId]>, OpenTruth> {
    if first_of(store, assertions, |op| op.is_order().then_some(())).is_none() {
        return Ok(Cow::Borrowed(assertions));
    }
    let used = mentioned_deeply(store, assertions).into_iter().map(|f| store.func(f).name).collect::<FxHashSet<_>>();
    let mut orders: Vec<TranslatedOrder> = Vec::new();
    let mut plain = Vec::with_capacity(assertions.len());
    for &t in assertions {
        let whole = unfold(store, t);
        plain.push(store.rebuild(whole, |store, u| {
            let (op, args) = (store.op(u), store.args(u).to_vec());
            let sort = store.sort(*args.first().filter(|_| op.is_order())?);
            let known = orders.iter().position(|order| (order.op, order.sort) == (op, sort));
            let order = known.unwrap_or_else(|| {
                let name = store.fresh_symbol(&format!("order {}", orders.len()), |name| used.contains(&name));
                let params = [sort, sort].into();
                let function = store.declare(Func { name, params, result: SortId::BOOL, body: FuncBody::Declared });
                orders.push(TranslatedOrder { op, sort, function, operands: Vec::new() });
                orders.len() - 1
            });
            let TranslatedOrder { operands, function, .. } = &mut orders[order];
            for &operand in &args {
                // One more says that there are too many.
                if operands.len() <= MAX_TERMS && !operands.contains(&operand) {
                    operands.push(operand);
                }
            }
            store.apply(*function, &args).ok()
        }));
    }
    if plain.iter().any(|&t| mentions_hidden(store, t)) {
        let why = "an order is in a definition that is recursive, has binders or is too deep, or together with a heap";
        return Err(OpenTruth::Hidden(why.to_string()));
    }
    for order in orders {
        let values = values(store, &order)?;
        laws(store, &order, &values, &mut plain)?;
    }
    Ok(Cow::Owned(plain))
}

/// Replaces calls of definitions with orders by their bodies, as long as there are not too many terms.
fn unfold(store: &mut Store, mut t: TermId) -> TermId {
    let most = store.len().saturating_add(MAX_UNFOLDED);
    for _ in 0..MAX_ROUNDS {
        let next = store.rebuild(t, |store, u| unfolded(store, u).filter(|_| store.len() < most));
        if next == t {
            break;
        }
        t = next;
    }
    t
}

/// Returns the terms among which the laws of an order are stated.
fn values(store: &mut Store, order: &TranslatedOrder) -> Result<Vec<TermId>, OpenTruth> {
    let too_many = |store: &Store, count: &str| {
        let sort = store.sort_text(order.sort);
        OpenTruth::Hidden(format!("an order of sort {sort} is about {count}, and its laws are tried for {MAX_TERMS}"))
    };
    let is_bound = order.operands.iter().any(|&t| store.flags(t) & HAS_VARIABLE != 0);
    let values = match is_bound {
        false => order.operands.clone(),
        true => {
            let all = all_values(store, order.sort, MAX_TERMS as u64).map_err(|count| too_many(store, &count))?;
            let terms: Option<Vec<TermId>> = all.iter().map(|value| value.to_term(store, order.sort)).collect();
            terms.ok_or_else(|| too_many(store, "values without a text"))?
        }
    };
    match values.len() > MAX_TERMS {
        true => Err(too_many(store, &format!("more than {MAX_TERMS} operands"))),
        false => Ok(values),
    }
}

/// Adds the laws of an order among some terms.
fn laws(store: &mut Store, order: &TranslatedOrder, terms: &[TermId], out: &mut Vec<TermId>) -> Result<(), BuildError> {
    let has = |store: &mut Store, x, y| store.apply(order.function, &[x, y]);
    let lacks = |store: &mut Store, x, y| store.apply(order.function, &[x, y]).map(|has| store.not(has));
    let kind = order.op.kind;
    for (n, &x) in terms.iter().enumerate() {
        out.push(has(store, x, x)?);
        for (m, &y) in terms.iter().enumerate().filter(|&(m, _)| m != n) {
            if n < m {
                let antisymmetric = [lacks(store, x, y)?, lacks(store, y, x)?, store.eq(x, y)?];
                out.push(store.or(&antisymmetric));
                if kind == Kind::LinearOrder {
                    let total = [has(store, x, y)?, has(store, y, x)?];
                    out.push(store.or(&total));
                }
            }
            for (k, &z) in terms.iter().enumerate().filter(|&(k, _)| k != n && k != m) {
                let transitive = [lacks(store, x, y)?, lacks(store, y, z)?, has(store, x, z)?];
                out.push(store.or(&transitive));
                if m < k && matches!(kind, Kind::TreeOrder | Kind::PiecewiseOrder) {
                    let below = [lacks(store, y, x)?, lacks(store, z, x)?, has(store, y, z)?, has(store, z, y)?];
                    out.push(store.or(&below));
                }
                if m < k && kind == Kind::PiecewiseOrder {
                    let above = [lacks(store, x, y)?, lacks(store, x, z)?, has(store, y, z)?, has(store, z, y)?];
                    out.push(store.or(&above));
                }
            }
        }
    }
    Ok(())
}
