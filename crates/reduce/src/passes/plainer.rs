//! Passes that simplify terms by their meaning.

use super::{Grouping, MAX_TERMS, ReductionPass, View};
use crate::plan::{ScriptEdit, terms};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Kind, Op, SortId, Store, TermId};

/// Folds constants: simplifies operators with constant arguments, and computes terms without symbols.
///
/// Before: `(assert (and true (not (not a)) (= x x) (ite false b c) (< 1 2)))`. After: `(assert (and a c))`.
pub const SIMPLIFY: ReductionPass =
    ReductionPass { name: "simplify", about: "folds constants", group: Grouping::Halving, propose: simplify };

/// Simplifies regular expressions: all strings, none, one character, smaller repetitions.
///
/// Before: `(str.in_re s ((_ re.loop 3 9) (re.range "a" "z")))`. After: `(str.in_re s re.all)`.
pub const REGEXES: ReductionPass = ReductionPass {
    name: "regexes",
    about: "makes regular expressions plainer",
    group: Grouping::Single,
    propose: regexes,
};

fn simplify(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut computer = Evaluator::new(Model::new(), EvalLimits { steps: 20_000, ..EvalLimits::default() });
    let mut edits = Vec::new();
    for t in terms(view.store, view.script).into_iter().take(MAX_TERMS) {
        if let Some(plain) = folded(view.store, t).or_else(|| computed(view.store, &mut computer, t))
            && plain != t
        {
            edits.push(ScriptEdit::Replace(t, plain));
        }
    }
    vec![edits]
}

/// Computes a term without symbols, as a literal.
fn computed(store: &mut Store, computer: &mut Evaluator, t: TermId) -> Option<TermId> {
    if store.args(t).is_empty() || store.kind(t) == Kind::IntNeg || store.kind(t) == Kind::RealNeg {
        return None;
    }
    let value = computer.eval(store, t).ok()?;
    let sort = store.sort(t);
    super::literal(store, &value, sort)
}

/// Simplifies a Boolean operator or `ite`, looking only at its children.
fn folded(store: &mut Store, t: TermId) -> Option<TermId> {
    let args = store.args(t).to_vec();
    let truth = |a: TermId| match store.kind(a) {
        Kind::True => Some(true),
        Kind::False => Some(false),
        _ => None,
    };
    match store.kind(t) {
        Kind::Not => match (truth(args[0]), store.kind(args[0])) {
            (Some(value), _) => Some(store.bool(!value)),
            (None, Kind::Not) => Some(store.args(args[0])[0]),
            _ => None,
        },
        kind @ (Kind::And | Kind::Or) => {
            let absorbing = kind == Kind::Or;
            if args.iter().any(|&a| truth(a) == Some(absorbing)) {
                return Some(store.bool(absorbing));
            }
            let mut kept: Vec<TermId> = Vec::new();
            for &a in &args {
                // Flattens nested junctions of the same kind.
                let parts = if store.kind(a) == kind { store.args(a).to_vec() } else { vec![a] };
                for part in parts {
                    if store.kind(part) != if absorbing { Kind::False } else { Kind::True } && !kept.contains(&part) {
                        kept.push(part);
                    }
                }
            }
            (kept != args).then(|| if absorbing { store.or(&kept) } else { store.and(&kept) })
        }
        Kind::Implies => match (truth(args[0]), truth(args[args.len() - 1])) {
            (Some(true), _) if args.len() == 2 => Some(args[1]),
            (Some(false), _) | (_, Some(true)) => Some(store.bool(true)),
            (_, Some(false)) if args.len() == 2 => Some(store.not(args[0])),
            _ => None,
        },
        Kind::Xor if args.len() == 2 => match (truth(args[0]), truth(args[1])) {
            (Some(false), _) => Some(args[1]),
            (_, Some(false)) => Some(args[0]),
            (Some(true), _) => Some(store.not(args[1])),
            (_, Some(true)) => Some(store.not(args[0])),
            _ => None,
        },
        Kind::Eq if args.len() == 2 => match (truth(args[0]), truth(args[1])) {
            _ if args[0] == args[1] => Some(store.bool(true)),
            (Some(true), _) => Some(args[1]),
            (_, Some(true)) => Some(args[0]),
            (Some(false), _) => Some(store.not(args[1])),
            (_, Some(false)) => Some(store.not(args[0])),
            _ => None,
        },
        Kind::Ite => match truth(args[0]) {
            Some(true) => Some(args[1]),
            Some(false) => Some(args[2]),
            None => (args[1] == args[2]).then_some(args[1]),
        },
        _ => None,
    }
}

fn regexes(view: &mut View<'_>) -> Vec<Vec<ScriptEdit>> {
    let mut edits = Vec::new();
    for t in terms(view.store, view.script).into_iter().take(MAX_TERMS) {
        if view.store.sort(t) == SortId::REGLAN {
            let plainer = plainer(view.store, t);
            edits.extend(plainer.into_iter().filter(|&p| p != t).map(|p| ScriptEdit::Replace(t, p)));
        }
    }
    vec![edits]
}

fn plainer(store: &mut Store, t: TermId) -> Vec<TermId> {
    let op = store.op(t);
    let args = store.args(t).to_vec();
    let mut list = Vec::new();
    for kind in [Kind::ReNone, Kind::ReAll, Kind::ReAllchar] {
        list.extend(store.app(Op::new(kind), &[]).ok());
    }
    let empty = store.string(&[]);
    list.extend(store.app(Op::new(Kind::StrToRe), &[empty]).ok());
    let smaller: Vec<(u32, u32)> = match op.kind {
        Kind::ReLoop => {
            vec![(0, 0), (0, 1), (1, 1), (op.i / 2, op.j / 2), (op.i, op.i), (0, op.j), (op.i.saturating_sub(1), op.j)]
        }
        Kind::RePower => vec![(0, 0), (1, 0), (2, 0), (op.i / 2, 0), (op.i.saturating_sub(1), 0)],
        _ => Vec::new(),
    };
    let indexed = |(i, j)| Op::indexed(op.kind, i, j);
    list.extend(smaller.into_iter().filter_map(|bounds| store.app(indexed(bounds), &args).ok()));
    if matches!(op.kind, Kind::ReLoop | Kind::RePower | Kind::RePlus) {
        list.extend(store.app(Op::new(Kind::ReStar), &args).ok());
    }
    list
}
