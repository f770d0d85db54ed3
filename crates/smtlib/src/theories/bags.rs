//! Bags (multisets), as cvc5 names their operators; `bag.empty` has no row, as it stands behind `as` with its sort. Tables and
//! `bag.partition` are carried as text.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::LeftAssoc;
use crate::signature::Pattern::{Any, Bag, BagOf, Bool, Function, Int};
use crate::signature::SignatureRow;

/// Bags.
pub const THEORY: Theory = Theory {
    name: "Bags",
    rows: ROWS,
    // Its name in cvc5 1.0.
    aliases: &[("bag.duplicate_removal", BagSetof)],
};

const ROWS: &[SignatureRow] = &[
    SignatureRow::new(BagMake, "bag", &[Any(0), Int], Bag).extension(),
    SignatureRow::new(BagUnionMax, "bag.union_max", &[Bag, Bag], Bag).arity(LeftAssoc).extension(),
    SignatureRow::new(BagUnionDisjoint, "bag.union_disjoint", &[Bag, Bag], Bag).arity(LeftAssoc).extension(),
    SignatureRow::new(BagInterMin, "bag.inter_min", &[Bag, Bag], Bag).arity(LeftAssoc).extension(),
    SignatureRow::new(BagDifferenceSubtract, "bag.difference_subtract", &[Bag, Bag], Bag).arity(LeftAssoc).extension(),
    SignatureRow::new(BagDifferenceRemove, "bag.difference_remove", &[Bag, Bag], Bag).arity(LeftAssoc).extension(),
    SignatureRow::new(BagSubbag, "bag.subbag", &[Bag, Bag], Bool).extension(),
    SignatureRow::new(BagCount, "bag.count", &[Any(0), Bag], Int).extension(),
    SignatureRow::new(BagMember, "bag.member", &[Any(0), Bag], Bool).extension(),
    SignatureRow::new(BagSetof, "bag.setof", &[Bag], Bag).extension(),
    SignatureRow::new(BagCard, "bag.card", &[Bag], Int).extension(),
    SignatureRow::new(BagChoose, "bag.choose", &[Bag], Any(0)).extension(),
    SignatureRow::new(BagMap, "bag.map", &[Function(&[Any(0)], &Any(1)), Bag], BagOf(1)).extension(),
    SignatureRow::new(BagFilter, "bag.filter", &[Function(&[Any(0)], &Bool), Bag], Bag).extension(),
    SignatureRow::new(BagFold, "bag.fold", &[Function(&[Any(0), Any(1)], &Any(1)), Any(1), Bag], Any(1)).extension(),
    SignatureRow::new(BagAll, "bag.all", &[Function(&[Any(0)], &Bool), Bag], Bool).extension(),
    SignatureRow::new(BagSome, "bag.some", &[Function(&[Any(0)], &Bool), Bag], Bool).extension(),
];
