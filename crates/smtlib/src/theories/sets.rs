//! Finite sets, as cvc5 names their operators; z3 has most of them under names of its own.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Any, Bool, Function, Int, Set, SetOf, SetOfInt};
use crate::signature::SignatureRow;

/// Finite sets. The constants `set.empty` and `set.universe` are not in the table: they stand behind `as`, with their sort.
pub const THEORY: Theory = Theory {
    name: "Sets",
    rows: ROWS,
    // The names of z3, since 5.0.
    aliases: &[("set.intersect", SetInter), ("set.difference", SetMinus), ("set.in", SetMember), ("set.size", SetCard)],
};

/// The name of a constant that stands behind `as`; none of other operators.
pub fn constant_name(kind: crate::Kind) -> Option<&'static str> {
    match kind {
        SetEmpty => Some("set.empty"),
        SetUniverse => Some("set.universe"),
        _ => None,
    }
}

const ROWS: &[SignatureRow] = &[
    SignatureRow::new(SetSingleton, "set.singleton", &[Any(0)], Set).extension(),
    SignatureRow::new(SetUnion, "set.union", &[Set, Set], Set).arity(LeftAssoc).extension(),
    SignatureRow::new(SetInter, "set.inter", &[Set, Set], Set).arity(LeftAssoc).extension(),
    SignatureRow::new(SetMinus, "set.minus", &[Set, Set], Set).arity(LeftAssoc).extension(),
    SignatureRow::new(SetMember, "set.member", &[Any(0), Set], Bool).extension(),
    SignatureRow::new(SetSubset, "set.subset", &[Set, Set], Bool).extension(),
    SignatureRow::new(SetInsert, "set.insert", &[Any(0), Set], Set).arity(RightAssoc).extension(),
    SignatureRow::new(SetCard, "set.card", &[Set], Int).extension(),
    SignatureRow::new(SetIsEmpty, "set.is_empty", &[Set], Bool).extension(),
    SignatureRow::new(SetIsSingleton, "set.is_singleton", &[Set], Bool).extension(),
    SignatureRow::new(SetComplement, "set.complement", &[Set], Set).extension(),
    SignatureRow::new(SetChoose, "set.choose", &[Set], Any(0)).extension(),
    SignatureRow::new(SetMap, "set.map", &[Function(&[Any(0)], &Any(1)), Set], SetOf(1)).extension(),
    SignatureRow::new(SetFilter, "set.filter", &[Function(&[Any(0)], &Bool), Set], Set).extension(),
    SignatureRow::new(SetFold, "set.fold", &[Function(&[Any(0), Any(1)], &Any(1)), Any(1), Set], Any(1)).extension(),
    SignatureRow::new(SetAll, "set.all", &[Function(&[Any(0)], &Bool), Set], Bool).extension(),
    SignatureRow::new(SetSome, "set.some", &[Function(&[Any(0)], &Bool), Set], Bool).extension(),
    SignatureRow::new(SetRange, "set.range", &[Int, Int], SetOfInt).extension(),
];
