//! Operators with commuting arguments: collects and joins their arguments.

use crate::settings::PassError;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use smtlib::{Kind, Op, Sort, SortId, Store, TermId};

/// How the arguments of an operator commute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Commuting {
    /// The index of the first commuting argument; a rounding mode may precede it.
    pub from: usize,
    /// How arguments may be grouped.
    pub grouping: ArgumentGrouping,
}

/// Whether nested applications of an operator can be flattened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentGrouping {
    /// Applications can be flattened, in any order.
    Free,
    /// Applications cannot be flattened.
    Fixed,
}

/// Returns how the arguments of an operator commute; `None` if they do not.
pub fn commuting(kind: Kind) -> Option<Commuting> {
    use Kind::*;
    let how = |from, grouping| Some(Commuting { from, grouping });
    match kind {
        And | Or | Xor | IntAdd | IntMul | RealAdd | RealMul | BvAnd | BvOr | BvXor | BvAdd | BvMul => {
            how(0, ArgumentGrouping::Free)
        }
        Eq | Distinct | BvXnor | BvNand | BvNor | BvComp | FpEq => how(0, ArgumentGrouping::Fixed),
        // For two zeros `fp.min` and `fp.max` may return either, depending on the order of the arguments.
        FpAdd | FpMul => how(1, ArgumentGrouping::Fixed),
        _ => None,
    }
}

/// Returns the arguments of an application of the operator in order, flattening nested applications up to `most` arguments; any other
/// term by itself.
pub fn operands(store: &Store, kind: Kind, t: TermId, most: usize) -> Vec<TermId> {
    let mut all = Vec::new();
    let mut stack = vec![t];
    while let Some(u) = stack.pop() {
        let args = store.args(u);
        if store.kind(u) == kind && (u == t || all.len() + stack.len() + args.len() <= most) {
            stack.extend(args.iter().rev());
        } else {
            all.push(u);
        }
    }
    all
}

/// Applies an operator with [`ArgumentGrouping::Free`] to any number of arguments; without arguments this is the neutral element.
/// Errors: [`PassError::Build`] if the arguments do not fit, [`PassError::NotApplicable`] for another operator without arguments.
pub fn joined(store: &mut Store, kind: Kind, sort: SortId, parts: &[TermId]) -> Result<TermId, PassError> {
    use Kind::*;
    match parts {
        [] => neutral(store, kind, sort)
            .ok_or_else(|| PassError::NotApplicable("an operator without arguments".to_string())),
        &[one] => Ok(one),
        // SMT-LIB has these with two arguments only.
        &[first, ref rest @ ..] if matches!(kind, BvAnd | BvOr | BvXor | BvAdd | BvMul) => {
            let join = |all, &next| Ok(store.app(Op::new(kind), &[all, next])?);
            rest.iter().try_fold(first, join)
        }
        _ => Ok(store.app(Op::new(kind), parts)?),
    }
}

fn neutral(store: &mut Store, kind: Kind, sort: SortId) -> Option<TermId> {
    use Kind::*;
    let bits = match store.sorts.get(sort) {
        Sort::BitVec(width) => Some(*width),
        _ => None,
    };
    Some(match kind {
        And => store.bool(true),
        Or | Xor => store.bool(false),
        IntAdd => store.int(&IBig::ZERO),
        IntMul => store.int(&IBig::ONE),
        RealAdd => store.real(&RBig::ZERO),
        RealMul => store.real(&RBig::ONE),
        BvAnd => store.bitvec(bits?, &UBig::ones(bits? as usize)),
        BvOr | BvXor | BvAdd => store.bitvec(bits?, &UBig::ZERO),
        BvMul => store.bitvec(bits?, &UBig::ONE),
        _ => return None,
    })
}
