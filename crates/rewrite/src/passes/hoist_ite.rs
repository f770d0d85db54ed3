//! `hoist-ite`: operands that both branches of an `ite` add, multiply or combine bitwise move out of it.

use crate::commuting::{ArgumentGrouping, commuting, joined, operands};
use crate::goal::Goal;
use crate::linear::number;
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::values::bits;
use smtlib::{Kind, Op, Store, TermId};

/// The maximum number of operands of a branch after flattening.
const MAX_OPERANDS: usize = 64;

/// The pass.
pub static HOIST_ITE: RewritePass = RewritePass {
    name: "hoist-ite",
    about: "moves summands, factors and other operands that both branches of an ite have out of it",
    example: Example {
        before: "(declare-const p Bool)(declare-const a Int)(declare-const x Int)(declare-const y Int)
                 (declare-const b (_ BitVec 4))(declare-const c (_ BitVec 4))
                 (assert (= (ite p (+ a x) (+ a y)) 1))(assert (= (ite p (bvadd b c) c) #x1))",
        after: &["(= (+ a (ite p x y)) 1) (= (bvadd c (ite p b #x0)) #x1)"],
    },
    params: &[],
    is_consequence: true,
    rewrite: apply,
};

fn apply(store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    PassResult::rebuilt(store, goal, settings, |store, t| match store.kind(t) {
        Kind::Ite => hoisted(store, t, &mut watch),
        _ => Ok(t),
    })
}

/// The common operands of two branches under one operator.
struct SharedOperands {
    kind: Kind,
    /// The operands that both branches have.
    both: Vec<TermId>,
    /// The other operands of each branch.
    rests: [Vec<TermId>; 2],
}

/// Returns an `ite` below all operators whose operands its branches share.
fn hoisted(store: &mut Store, t: TermId, watch: &mut PassMeter<'_>) -> Result<TermId, PassError> {
    let sort = store.sort(t);
    let &[condition, mut then, mut otherwise] = store.args(t) else { return Ok(t) };
    let mut layers = Vec::new();
    // Each round removes an application from a branch, so this terminates.
    while then != otherwise
        && let Some(SharedOperands { kind, both, rests: [first, second] }) = shared(store, then, otherwise)
    {
        watch.tick(store)?;
        if first.is_empty() && second.is_empty() {
            then = joined(store, kind, sort, &both)?;
            otherwise = then;
            break;
        }
        then = joined(store, kind, sort, &first)?;
        otherwise = joined(store, kind, sort, &second)?;
        layers.push((kind, both));
    }
    if store.args(t)[1..] == [then, otherwise] {
        return Ok(t);
    }
    let mut inner = then;
    if then != otherwise {
        inner = store.app(Op::new(Kind::Ite), &[condition, then, otherwise])?;
    }
    for (kind, mut both) in layers.into_iter().rev() {
        both.push(inner);
        inner = joined(store, kind, sort, &both)?;
    }
    Ok(inner)
}

/// Returns the common operands, under the operator of the first or of the second; `None` if there is nothing to move.
fn shared(store: &Store, then: TermId, otherwise: TermId) -> Option<SharedOperands> {
    let may_group = |kind: &Kind| commuting(*kind).is_some_and(|how| how.grouping == ArgumentGrouping::Free);
    let kinds = [then, otherwise].map(|t| store.kind(t));
    kinds.into_iter().filter(may_group).find_map(|kind| {
        let mut first = operands(store, kind, then, MAX_OPERANDS);
        let mut second = operands(store, kind, otherwise, MAX_OPERANDS);
        let both: Vec<TermId> = first
            .extract_if(.., |a| match second.iter().position(|b| a == b) {
                Some(place) => {
                    second.remove(place);
                    true
                }
                None => false,
            })
            .collect();
        let shared = SharedOperands { kind, both, rests: [first, second] };
        (!shared.both.is_empty() && shared.stays_as_easy(store)).then_some(shared)
    })
}

impl SharedOperands {
    /// Whether linear products stay linear: `(ite p (* 2 x) (* 3 x))` is linear, `(* x (ite p 2 3))` is not.
    fn stays_as_easy(&self, store: &Store) -> bool {
        if !matches!(self.kind, Kind::IntMul | Kind::RealMul | Kind::BvMul) {
            return true;
        }
        let is_number = |t: &TermId| number(store, *t).is_some() || bits(store, *t).is_some();
        self.both.iter().all(is_number) || self.rests.iter().all(|rest| !rest.iter().all(is_number))
    }
}
