//! Sequences: a theory of z3 and cvc5, which the standard does not have. The empty sequence has no row, as its arguments do not say its
//! sort.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::LeftAssoc;
use crate::signature::Pattern::{Any, Bool, Function, Int, Seq, SeqOf};
use crate::signature::SignatureRow;

/// Sequences.
pub const THEORY: Theory =
    Theory { name: "Sequences", rows: ROWS, aliases: &[("seq.fold_left", SeqFoldl), ("seq.fold_lefti", SeqFoldli)] };

const ROWS: &[SignatureRow] = &[
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
