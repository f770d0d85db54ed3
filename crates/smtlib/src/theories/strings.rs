//! The Strings theory, with regular expressions.

use super::theory::Theory;
use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Bool, Int, RegLan as Re, String as Str};
use crate::signature::Row;

/// Strings.
pub const THEORY: Theory = Theory {
    name: "Strings",
    rows: ROWS,
    // Spellings from before SMT-LIB 2.6 took the theory in.
    aliases: &[
        ("str.in.re", StrInRe),
        ("str.to.re", StrToRe),
        ("str.to.int", StrToInt),
        ("int.to.str", StrFromInt),
        ("str.from.int", StrFromInt),
        ("str.from-int", StrFromInt),
        ("str.to-int", StrToInt),
        ("str.replaceall", StrReplaceAll),
        ("str.tolower", StrToLower),
        ("str.toupper", StrToUpper),
        ("re.nostr", ReNone),
        ("re.empty", ReNone),
        ("re.full", ReAll),
        ("re.complement", ReComp),
        ("re.allchars", ReAllchar),
    ],
};

const ROWS: &[Row] = &[
    Row::new(StrConcat, "str.++", &[Str, Str], Str).arity(LeftAssoc),
    Row::new(StrLen, "str.len", &[Str], Int),
    Row::new(StrLt, "str.<", &[Str, Str], Bool).arity(Chainable),
    Row::new(StrLe, "str.<=", &[Str, Str], Bool).arity(Chainable),
    Row::new(StrAt, "str.at", &[Str, Int], Str),
    Row::new(StrSubstr, "str.substr", &[Str, Int, Int], Str),
    Row::new(StrPrefixof, "str.prefixof", &[Str, Str], Bool),
    Row::new(StrSuffixof, "str.suffixof", &[Str, Str], Bool),
    Row::new(StrContains, "str.contains", &[Str, Str], Bool),
    Row::new(StrIndexof, "str.indexof", &[Str, Str, Int], Int),
    Row::new(StrReplace, "str.replace", &[Str, Str, Str], Str),
    Row::new(StrReplaceAll, "str.replace_all", &[Str, Str, Str], Str),
    Row::new(StrReplaceRe, "str.replace_re", &[Str, Re, Str], Str),
    Row::new(StrReplaceReAll, "str.replace_re_all", &[Str, Re, Str], Str),
    Row::new(StrIsDigit, "str.is_digit", &[Str], Bool),
    Row::new(StrToCode, "str.to_code", &[Str], Int),
    Row::new(StrFromCode, "str.from_code", &[Int], Str),
    Row::new(StrToInt, "str.to_int", &[Str], Int),
    Row::new(StrFromInt, "str.from_int", &[Int], Str),
    Row::new(StrInRe, "str.in_re", &[Str, Re], Bool),
    Row::new(StrToRe, "str.to_re", &[Str], Re),
    Row::new(ReNone, "re.none", &[], Re),
    Row::new(ReAll, "re.all", &[], Re),
    Row::new(ReAllchar, "re.allchar", &[], Re),
    Row::new(ReConcat, "re.++", &[Re, Re], Re).arity(LeftAssoc),
    Row::new(ReUnion, "re.union", &[Re, Re], Re).arity(LeftAssoc),
    Row::new(ReInter, "re.inter", &[Re, Re], Re).arity(LeftAssoc),
    Row::new(ReStar, "re.*", &[Re], Re),
    Row::new(ReComp, "re.comp", &[Re], Re),
    Row::new(ReDiff, "re.diff", &[Re, Re], Re).arity(LeftAssoc),
    Row::new(RePlus, "re.+", &[Re], Re),
    Row::new(ReOpt, "re.opt", &[Re], Re),
    Row::new(ReRange, "re.range", &[Str, Str], Re),
    Row::new(RePower, "re.^", &[Re], Re).indices(1),
    Row::new(ReLoop, "re.loop", &[Re], Re).indices(2),
    Row::new(StrToLower, "str.to_lower", &[Str], Str).extension(),
    Row::new(StrToUpper, "str.to_upper", &[Str], Str).extension(),
    Row::new(StrRev, "str.rev", &[Str], Str).extension(),
    Row::new(StrUpdate, "str.update", &[Str, Int, Str], Str).extension(),
];
