//! The theories of collections: ArraysEx, sequences, sets and bags.

use crate::op::Kind::*;
use crate::signature::Arity::{LeftAssoc, *};
use crate::signature::Pattern::{
    Any, Array, Bag, BagOf, Bool, Function, Int, Relation, RelationOf, Seq, SeqOf, Set, SetOf, SetOfInt,
};
use crate::signature::SignatureRow;
use crate::signature::Theory;

/// ArraysEx.
pub const ARRAYS: Theory = Theory { name: "ArraysEx", rows: ARRAY_ROWS, aliases: &[] };

const ARRAY_ROWS: &[SignatureRow] = &[
    SignatureRow::new(ArraySelect, "select", &[Array, Any(0)], Any(1)),
    SignatureRow::new(ArrayStore, "store", &[Array, Any(0), Any(1)], Array),
];

/// Sequences: a theory of z3 and cvc5 outside the standard. The empty sequence has no row, since its arguments do not show its sort.
pub const SEQUENCES: Theory = Theory {
    name: "Sequences",
    rows: SEQUENCE_ROWS,
    aliases: &[("seq.fold_left", SeqFoldl), ("seq.fold_lefti", SeqFoldli)],
};

const SEQUENCE_ROWS: &[SignatureRow] = &[
    SignatureRow::new(SeqUnit, "seq.unit", &[Any(0)], Seq).extension(),
    SignatureRow::new(SeqConcat, "seq.++", &[Seq, Seq], Seq).arity(LeftAssoc).extension(),
    SignatureRow::new(SeqLen, "seq.len", &[Seq], Int).extension(),
    SignatureRow::new(SeqAt, "seq.at", &[Seq, Int], Seq).extension(),
    SignatureRow::new(SeqExtract, "seq.extract", &[Seq, Int, Int], Seq).extension(),
    SignatureRow::new(SeqNth, "seq.nth", &[Seq, Int], Any(0)).extension(),
    SignatureRow::new(SeqPrefixof, "seq.prefixof", &[Seq, Seq], Bool).extension(),
    SignatureRow::new(SeqSuffixof, "seq.suffixof", &[Seq, Seq], Bool).extension(),
    SignatureRow::new(SeqContains, "seq.contains", &[Seq, Seq], Bool).extension(),
    SignatureRow::new(SeqIndexof, "seq.indexof", &[Seq, Seq, Int], Int).extension(),
    SignatureRow::new(SeqLastIndexof, "seq.last_indexof", &[Seq, Seq], Int).extension(),
    SignatureRow::new(SeqReplace, "seq.replace", &[Seq, Seq, Seq], Seq).extension(),
    SignatureRow::new(SeqReplaceAll, "seq.replace_all", &[Seq, Seq, Seq], Seq).extension(),
    SignatureRow::new(SeqUpdate, "seq.update", &[Seq, Int, Seq], Seq).extension(),
    SignatureRow::new(SeqRev, "seq.rev", &[Seq], Seq).extension(),
    SignatureRow::new(SeqMap, "seq.map", &[Function(&[Any(0)], &Any(1)), Seq], SeqOf(1)).extension(),
    SignatureRow::new(SeqMapi, "seq.mapi", &[Function(&[Int, Any(0)], &Any(1)), Int, Seq], SeqOf(1)).extension(),
    SignatureRow::new(SeqFoldl, "seq.foldl", &[Function(&[Any(1), Any(0)], &Any(1)), Any(1), Seq], Any(1)).extension(),
    SignatureRow::new(SeqFoldli, "seq.foldli", &[Function(&[Int, Any(1), Any(0)], &Any(1)), Int, Any(1), Seq], Any(1))
        .extension(),
];

/// Finite sets, as cvc5 names their operators; z3 has most of them under other names. The constants `set.empty` and `set.universe` have
/// no row: they are written with `as` and their sort.
pub const SETS: Theory = Theory {
    name: "Sets",
    rows: SET_ROWS,
    // The names of z3, since 5.0.
    aliases: &[("set.intersect", SetInter), ("set.difference", SetMinus), ("set.in", SetMember), ("set.size", SetCard)],
};

/// Relations, as cvc5 names their operators.
pub const RELATIONS: Theory = Theory {
    name: "Relations",
    rows: &[
        SignatureRow::new(RelTranspose, "rel.transpose", &[Relation(0)], RelationOf).extension(),
        SignatureRow::new(RelTclosure, "rel.tclosure", &[Relation(0)], RelationOf).extension(),
        SignatureRow::new(RelJoin, "rel.join", &[Relation(0), Relation(1)], RelationOf).extension(),
        SignatureRow::new(RelProduct, "rel.product", &[Relation(0), Relation(1)], RelationOf).extension(),
        SignatureRow::new(RelIden, "rel.iden", &[Relation(0)], RelationOf).extension(),
        SignatureRow::new(RelJoinImage, "rel.join_image", &[Relation(0), Int], RelationOf).extension(),
    ],
    aliases: &[],
};

/// Returns the name of a constant that needs `as`; `None` for other operators.
pub fn constant_name(kind: crate::Kind) -> Option<&'static str> {
    match kind {
        SetEmpty => Some("set.empty"),
        SetUniverse => Some("set.universe"),
        SepNil => super::heaps::name(kind),
        _ => None,
    }
}

const SET_ROWS: &[SignatureRow] = &[
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

/// Bags (multisets), as cvc5 names their operators; `bag.empty` has no row, since it is written with `as` and its sort. `table.product`,
/// `table.join` and `bag.partition` are carried as text.
pub const BAGS: Theory = Theory {
    name: "Bags",
    rows: BAG_ROWS,
    // Its name in cvc5 1.0.
    aliases: &[("bag.duplicate_removal", BagSetof)],
};

const BAG_ROWS: &[SignatureRow] = &[
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
