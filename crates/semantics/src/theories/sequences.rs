//! Sequences: every operator on values, by the operations of [`crate::words`].
//!
//! The meaning is that of cvc5's theory reference and of z3's guide, which agree on what both have: as that of strings
//! (SMT-LIB 2.6) on words of elements. `seq.update` and `seq.rev` are cvc5's, `seq.last_indexof` is z3's.

use crate::collections::SequenceValue;
use crate::open::OperatorContext;
use crate::unknown::UnknownReason;
use crate::value::Value;
use crate::words;
use dashu_int::IBig;
use smtlib::{Kind, Op};

/// Applies an operator of sequences to values.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    use Kind::*;
    let truth = |b: bool| Ok(Value::Bool(b));
    match op.kind {
        SeqEmpty => of(cx, Vec::new()),
        SeqUnit => of(cx, vec![(*args.first().ok_or(UnknownReason::IllSorted)?).clone()]),
        SeqConcat => {
            let parts: Result<Vec<&SequenceValue>, UnknownReason> =
                (0..args.len()).map(|n| sequence(args, n)).collect();
            let parts = parts?;
            check_length(cx, parts.iter().map(|part| part.elements().len() as u128).sum())?;
            of(cx, parts.iter().flat_map(|part| part.elements()).cloned().collect())
        }
        SeqLen => Ok(Value::Int(IBig::from(sequence(args, 0)?.elements().len()))),
        SeqAt => of(cx, words::subword(elements(args, 0)?, int(args, 1)?, &IBig::ONE).to_vec()),
        SeqExtract => of(cx, words::subword(elements(args, 0)?, int(args, 1)?, int(args, 2)?).to_vec()),
        SeqNth => {
            let position = usize::try_from(int(args, 1)?).ok();
            match position.and_then(|n| sequence(args, 0).ok()?.elements().get(n)) {
                Some(element) => Ok(element.clone()),
                // Two spellings of one sequence have one value.
                None if !sequence(args, 0)?.shape().exact => Err(UnknownReason::OutsideSequence),
                None => cx.chosen(op, args, UnknownReason::OutsideSequence),
            }
        }
        SeqPrefixof => truth(comparable(args, 1)?.starts_with(comparable(args, 0)?)),
        SeqSuffixof => truth(comparable(args, 1)?.ends_with(comparable(args, 0)?)),
        SeqContains => truth(words::contains(comparable(args, 0)?, comparable(args, 1)?)),
        SeqIndexof => index(words::index_of(comparable(args, 0)?, comparable(args, 1)?, int(args, 2)?)),
        SeqLastIndexof => index(words::last_index_of(comparable(args, 0)?, comparable(args, 1)?)),
        SeqReplace => {
            let found = words::first_occurrence(comparable(args, 0)?, comparable(args, 1)?);
            spliced(args, found.as_slice(), cx)
        }
        SeqReplaceAll => {
            let found = words::occurrences(comparable(args, 0)?, comparable(args, 1)?);
            spliced(args, &found, cx)
        }
        SeqUpdate => match words::overwritten(elements(args, 0)?, int(args, 1)?, elements(args, 2)?) {
            Some(updated) => of(cx, updated),
            None => Ok(args[0].clone()),
        },
        SeqRev => of(cx, elements(args, 0)?.iter().rev().cloned().collect()),
        _ => Err(UnknownReason::Opaque),
    }
}

/// Returns the sequence of these elements, of the sort of the result.
fn of(cx: &OperatorContext<'_>, elements: Vec<Value>) -> Result<Value, UnknownReason> {
    check_length(cx, elements.len() as u128)?;
    Value::sequence(cx.sort, elements.into()).ok_or(UnknownReason::TooLarge)
}

/// Returns the first sequence with some parts replaced by the third.
fn spliced(args: &[&Value], found: &[(usize, usize)], cx: &OperatorContext<'_>) -> Result<Value, UnknownReason> {
    let (whole, by) = (elements(args, 0)?, elements(args, 2)?);
    if found.is_empty() {
        return Ok(args[0].clone());
    }
    check_length(cx, words::spliced_length(whole.len(), found, by.len()))?;
    of(cx, words::splice(whole, found, by))
}

/// Whether a sequence of this length may be made.
fn check_length(cx: &OperatorContext<'_>, elements: u128) -> Result<(), UnknownReason> {
    if elements > (cx.room / size_of::<Value>()) as u128 { Err(UnknownReason::TooLarge) } else { Ok(()) }
}

/// Returns a position, or -1.
fn index(found: Option<usize>) -> Result<Value, UnknownReason> {
    Ok(Value::Int(found.map_or(IBig::NEG_ONE, IBig::from)))
}

fn sequence<'a>(args: &[&'a Value], n: usize) -> Result<&'a SequenceValue, UnknownReason> {
    match args.get(n) {
        Some(Value::Seq(s)) => Ok(s),
        _ => Err(UnknownReason::IllSorted),
    }
}

fn elements<'a>(args: &[&'a Value], n: usize) -> Result<&'a [Value], UnknownReason> {
    sequence(args, n).map(SequenceValue::elements)
}

/// Returns the elements of a sequence, where `==` decides whether they are the same.
fn comparable<'a>(args: &[&'a Value], n: usize) -> Result<&'a [Value], UnknownReason> {
    let sequence = sequence(args, n)?;
    if sequence.shape().exact { Ok(sequence.elements()) } else { Err(UnknownReason::NoTable) }
}

fn int<'a>(args: &[&'a Value], n: usize) -> Result<&'a IBig, UnknownReason> {
    args.get(n).and_then(|v| v.as_int()).ok_or(UnknownReason::IllSorted)
}
