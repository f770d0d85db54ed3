//! Strings and regular languages: every operator on values, by the operations of [`crate::strings`].

use crate::open::OperatorContext;
use crate::strings::{self, RegexId, SmtString};
use crate::unknown::UnknownReason;
use crate::value::Value;
use crate::words;
use dashu_int::IBig;
use smtlib::{Kind, Op};

/// The regular expressions kept before new ones are refused; see [`RegexStore`](crate::strings::RegexStore).
const MAX_REGEXES: usize = 1 << 23;

/// Applies an operator of Strings to values.
pub fn apply(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<Value, UnknownReason> {
    use Kind::*;
    let word = |w: SmtString| Ok(Value::String(w));
    let truth = |b: bool| Ok(Value::Bool(b));
    match op.kind {
        StrConcat => {
            let words: Result<Vec<SmtString>, UnknownReason> =
                (0..args.len()).map(|n| string(args, n).cloned()).collect();
            let words = words?;
            cx.check_length(words.iter().map(SmtString::len).sum())?;
            word(strings::concat(&words)?)
        }
        StrLen => Ok(Value::Int(strings::length(string(args, 0)?))),
        StrLt => chain(args, strings::is_less),
        StrLe => chain(args, strings::is_less_or_equal),
        StrAt => word(strings::at(string(args, 0)?, int(args, 1)?)),
        StrSubstr => word(strings::substring(string(args, 0)?, int(args, 1)?, int(args, 2)?)),
        StrPrefixof => truth(strings::is_prefix(string(args, 0)?, string(args, 1)?)),
        StrSuffixof => truth(strings::is_suffix(string(args, 0)?, string(args, 1)?)),
        StrContains => truth(strings::contains(string(args, 0)?, string(args, 1)?)),
        StrIndexof => Ok(Value::Int(strings::index_of(string(args, 0)?, string(args, 1)?, int(args, 2)?))),
        StrReplace => word(strings::replace(string(args, 0)?, string(args, 1)?, string(args, 2)?)?),
        StrReplaceAll => word(strings::replace_all(string(args, 0)?, string(args, 1)?, string(args, 2)?)?),
        StrReplaceRe => {
            let (s, r, t) = (string(args, 0)?, regex(args, 1)?, string(args, 2)?);
            word(strings::replace_regex(cx.regexes, s, r, t, cx.work)?)
        }
        StrReplaceReAll => {
            let (s, r, t) = (string(args, 0)?, regex(args, 1)?, string(args, 2)?);
            word(strings::replace_all_regex(cx.regexes, s, r, t, cx.work)?)
        }
        StrIsDigit => truth(strings::is_digit(string(args, 0)?)),
        StrToCode => Ok(Value::Int(strings::to_code(string(args, 0)?))),
        StrFromCode => word(strings::from_code(int(args, 0)?)),
        StrToInt => Ok(Value::Int(strings::to_int(string(args, 0)?)?)),
        StrFromInt => word(strings::from_int(int(args, 0)?)?),
        StrInRe => truth(cx.regexes.matches(string(args, 0)?, regex(args, 1)?, cx.work)?),
        StrToLower => word(mapped(string(args, 0)?, 'A', 'Z', 32)?),
        StrToUpper => word(mapped(string(args, 0)?, 'a', 'z', -32)?),
        StrRev => {
            let reversed: Vec<u32> = string(args, 0)?.code_points().iter().rev().copied().collect();
            word(SmtString::new(&reversed)?)
        }
        StrUpdate => update(string(args, 0)?, int(args, 1)?, string(args, 2)?),
        _ => language(op, args, cx).map(Value::RegLan),
    }
}

fn language(op: Op, args: &[&Value], cx: &mut OperatorContext<'_>) -> Result<RegexId, UnknownReason> {
    use Kind::*;
    if cx.regexes.len() > MAX_REGEXES {
        return Err(UnknownReason::RegexWork);
    }
    let parts = || -> Result<Vec<RegexId>, UnknownReason> { (0..args.len()).map(|n| regex(args, n)).collect() };
    let store = &mut *cx.regexes;
    Ok(match op.kind {
        StrToRe => store.literal_of(string(args, 0)?),
        ReNone => store.none(),
        ReAll => store.all(),
        ReAllchar => store.any_character(),
        ReConcat => store.concat_all(&parts()?),
        ReUnion => store.union(&parts()?),
        ReInter => store.inter(&parts()?),
        ReStar => store.star(regex(args, 0)?),
        ReComp => store.complement(regex(args, 0)?),
        ReDiff => {
            let mut rest = regex(args, 0)?;
            for n in 1..args.len() {
                rest = store.difference(rest, regex(args, n)?);
            }
            rest
        }
        RePlus => store.plus(regex(args, 0)?),
        ReOpt => store.optional(regex(args, 0)?),
        ReRange => store.range(string(args, 0)?, string(args, 1)?),
        RePower => store.power(regex(args, 0)?, u64::from(op.i)),
        ReLoop => store.repeat(regex(args, 0)?, u64::from(op.i), u64::from(op.j)),
        _ => return Err(UnknownReason::Opaque),
    })
}

/// Whether two regular languages are the same: no word is in only one of them.
pub fn same_language(a: RegexId, b: RegexId, cx: &mut OperatorContext<'_>) -> Result<bool, UnknownReason> {
    let only_a = cx.regexes.difference(a, b);
    if !cx.regexes.is_language_empty(only_a, cx.work)? {
        return Ok(false);
    }
    let only_b = cx.regexes.difference(b, a);
    Ok(cx.regexes.is_language_empty(only_b, cx.work)?)
}

fn string<'a>(args: &[&'a Value], n: usize) -> Result<&'a SmtString, UnknownReason> {
    match args.get(n) {
        Some(Value::String(s)) => Ok(s),
        _ => Err(UnknownReason::IllSorted),
    }
}

fn int<'a>(args: &[&'a Value], n: usize) -> Result<&'a IBig, UnknownReason> {
    args.get(n).and_then(|v| v.as_int()).ok_or(UnknownReason::IllSorted)
}

fn regex(args: &[&Value], n: usize) -> Result<RegexId, UnknownReason> {
    match args.get(n) {
        Some(Value::RegLan(r)) => Ok(*r),
        _ => Err(UnknownReason::IllSorted),
    }
}

fn chain(args: &[&Value], holds: impl Fn(&SmtString, &SmtString) -> bool) -> Result<Value, UnknownReason> {
    for n in 1..args.len() {
        if !holds(string(args, n - 1)?, string(args, n)?) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// The extensions `str.to_lower` and `str.to_upper`: only the letters of ASCII change.
fn mapped(word: &SmtString, first: char, last: char, shift: i32) -> Result<SmtString, UnknownReason> {
    let range = u32::from(first)..=u32::from(last);
    let change = |&c: &u32| if range.contains(&c) { c.wrapping_add_signed(shift) } else { c };
    let mapped: Vec<u32> = word.code_points().iter().map(change).collect();
    Ok(SmtString::new(&mapped)?)
}

/// The extension `(str.update s i t)`: the part of `s` from `i` on overwritten by `t`, cut at the end of `s`; `s` itself
/// if `i` is not a position in it.
fn update(s: &SmtString, i: &IBig, t: &SmtString) -> Result<Value, UnknownReason> {
    match words::overwritten(s.code_points(), i, t.code_points()) {
        Some(points) => Ok(Value::String(SmtString::new(&points)?)),
        None => Ok(Value::String(s.clone())),
    }
}
