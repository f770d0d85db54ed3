//! The Strings theory, with regular expressions.

use crate::op::Kind::*;
use crate::signature::Arity::*;
use crate::signature::Pattern::{Bool, Int, RegLan as Re, String as Str};
use crate::signature::SignatureRow;
use crate::signature::Theory;

/// Strings.
pub const THEORY: Theory = Theory {
    name: "Strings",
    rows: ROWS,
    // Spellings from before SMT-LIB 2.6 adopted the theory.
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

const ROWS: &[SignatureRow] = &[
    SignatureRow::new(StrConcat, "str.++", &[Str, Str], Str).arity(LeftAssoc),
    SignatureRow::new(StrLen, "str.len", &[Str], Int),
    SignatureRow::new(StrLt, "str.<", &[Str, Str], Bool).arity(Chainable),
    SignatureRow::new(StrLe, "str.<=", &[Str, Str], Bool).arity(Chainable),
    SignatureRow::new(StrAt, "str.at", &[Str, Int], Str),
    SignatureRow::new(StrSubstr, "str.substr", &[Str, Int, Int], Str),
    SignatureRow::new(StrPrefixof, "str.prefixof", &[Str, Str], Bool),
    SignatureRow::new(StrSuffixof, "str.suffixof", &[Str, Str], Bool),
    SignatureRow::new(StrContains, "str.contains", &[Str, Str], Bool),
    SignatureRow::new(StrIndexof, "str.indexof", &[Str, Str, Int], Int),
    SignatureRow::new(StrReplace, "str.replace", &[Str, Str, Str], Str),
    SignatureRow::new(StrReplaceAll, "str.replace_all", &[Str, Str, Str], Str),
    SignatureRow::new(StrReplaceRe, "str.replace_re", &[Str, Re, Str], Str),
    SignatureRow::new(StrReplaceReAll, "str.replace_re_all", &[Str, Re, Str], Str),
    SignatureRow::new(StrIsDigit, "str.is_digit", &[Str], Bool),
    SignatureRow::new(StrToCode, "str.to_code", &[Str], Int),
    SignatureRow::new(StrFromCode, "str.from_code", &[Int], Str),
    SignatureRow::new(StrToInt, "str.to_int", &[Str], Int),
    SignatureRow::new(StrFromInt, "str.from_int", &[Int], Str),
    SignatureRow::new(StrInRe, "str.in_re", &[Str, Re], Bool),
    SignatureRow::new(StrToRe, "str.to_re", &[Str], Re),
    SignatureRow::new(ReNone, "re.none", &[], Re),
    SignatureRow::new(ReAll, "re.all", &[], Re),
    SignatureRow::new(ReAllchar, "re.allchar", &[], Re),
    SignatureRow::new(ReConcat, "re.++", &[Re, Re], Re).arity(LeftAssoc),
    SignatureRow::new(ReUnion, "re.union", &[Re, Re], Re).arity(LeftAssoc),
    SignatureRow::new(ReInter, "re.inter", &[Re, Re], Re).arity(LeftAssoc),
    SignatureRow::new(ReStar, "re.*", &[Re], Re),
    SignatureRow::new(ReComp, "re.comp", &[Re], Re),
    SignatureRow::new(ReDiff, "re.diff", &[Re, Re], Re).arity(LeftAssoc),
    SignatureRow::new(RePlus, "re.+", &[Re], Re),
    SignatureRow::new(ReOpt, "re.opt", &[Re], Re),
    SignatureRow::new(ReRange, "re.range", &[Str, Str], Re),
    SignatureRow::new(RePower, "re.^", &[Re], Re).indices(1),
    SignatureRow::new(ReLoop, "re.loop", &[Re], Re).indices(2),
    SignatureRow::new(StrToLower, "str.to_lower", &[Str], Str).extension(),
    SignatureRow::new(StrToUpper, "str.to_upper", &[Str], Str).extension(),
    SignatureRow::new(StrRev, "str.rev", &[Str], Str).extension(),
    SignatureRow::new(StrUpdate, "str.update", &[Str, Int, Str], Str).extension(),
];
