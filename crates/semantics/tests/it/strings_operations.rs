//! Tables of the string operations of the theory, one per operator, corners first.

use dashu_int::IBig;
use semantics::strings::{
    MAX_CODE_POINT, MAX_LENGTH, SmtString, StringsError, at, concat, contains, from_code, from_int, index_of, is_digit,
    is_less, is_less_or_equal, is_prefix, is_suffix, length, replace, replace_all, substring, to_code, to_int,
};

fn word(text: &str) -> SmtString {
    SmtString::from_text(text).unwrap()
}

/// An integer operand that may be far outside every machine word.
fn number(text: &str) -> IBig {
    text.parse().unwrap()
}

const HUGE: &str = "340282366920938463463374607431768211456";

#[test]
fn substring_follows_the_clause() {
    let check = |w: &str, start: &str, count: &str, expect: &str| {
        assert_eq!(substring(&word(w), &number(start), &number(count)), word(expect), "substr {w:?} {start} {count}");
    };
    let minus_huge = format!("-{HUGE}");
    check("hello", "1", "3", "ell");
    check("hello", "0", "5", "hello");
    check("hello", "0", "6", "hello");
    check("hello", "4", "9", "o");
    check("hello", "4", HUGE, "o");
    check("hello", "5", "1", "");
    check("hello", "6", "1", "");
    check("hello", HUGE, "1", "");
    check("hello", HUGE, HUGE, "");
    check("hello", "-1", "3", "");
    check("hello", &minus_huge, "3", "");
    check("hello", "1", "0", "");
    check("hello", "1", "-1", "");
    check("hello", "1", &minus_huge, "");
    check("", "0", "1", "");
    check("", "0", "0", "");
    check("a\u{2F801}b", "1", "1", "\u{2F801}");
}

#[test]
fn at_is_a_substring_of_one() {
    let check = |w: &str, position: &str, expect: &str| {
        assert_eq!(at(&word(w), &number(position)), word(expect), "at {w:?} {position}");
    };
    check("abc", "0", "a");
    check("abc", "2", "c");
    check("abc", "3", "");
    check("abc", "-1", "");
    check("abc", HUGE, "");
    check("", "0", "");
}

#[test]
fn index_of_follows_the_clause() {
    let check = |w: &str, part: &str, start: &str, expect: i64| {
        assert_eq!(
            index_of(&word(w), &word(part), &number(start)),
            IBig::from(expect),
            "indexof {w:?} {part:?} {start}"
        );
    };
    check("abcabc", "bc", "0", 1);
    check("abcabc", "bc", "1", 1);
    check("abcabc", "bc", "2", 4);
    check("abcabc", "bc", "5", -1);
    check("abcabc", "", "0", 0);
    check("abcabc", "", "6", 6);
    check("abcabc", "", "7", -1);
    check("abcabc", "", "-1", -1);
    check("abcabc", "a", "-1", -1);
    check("abcabc", "a", HUGE, -1);
    check("", "", "0", 0);
    check("", "", "1", -1);
    check("", "a", "0", -1);
    check("ab", "abc", "0", -1);
}

#[test]
fn replace_follows_the_clause() {
    let check = |w: &str, part: &str, by: &str, first: &str, all: &str| {
        assert_eq!(replace(&word(w), &word(part), &word(by)).unwrap(), word(first), "replace {w:?} {part:?} {by:?}");
        assert_eq!(
            replace_all(&word(w), &word(part), &word(by)).unwrap(),
            word(all),
            "replace_all {w:?} {part:?} {by:?}"
        );
    };
    check("abab", "ab", "x", "xab", "xx");
    check("aaa", "aa", "b", "ba", "ba");
    check("abab", "c", "x", "abab", "abab");
    // An empty pattern occurs at the start for `replace`, nowhere for `replace_all`.
    check("ab", "", "x", "xab", "ab");
    check("", "", "x", "x", "");
    check("", "a", "x", "", "");
    check("aba", "a", "", "ba", "b");
    // What was put in is not searched again.
    check("aa", "a", "aa", "aaa", "aaaa");
    check("abcabc", "abc", "abc", "abcabc", "abcabc");
}

#[test]
fn prefix_suffix_and_containment() {
    let check = |part: &str, w: &str, prefix: bool, suffix: bool, inside: bool| {
        let (part, w) = (word(part), word(w));
        assert_eq!(
            (is_prefix(&part, &w), is_suffix(&part, &w), contains(&w, &part)),
            (prefix, suffix, inside),
            "{part:?} {w:?}"
        );
    };
    check("", "", true, true, true);
    check("", "a", true, true, true);
    check("a", "", false, false, false);
    check("ab", "abc", true, false, true);
    check("bc", "abc", false, true, true);
    check("abc", "abc", true, true, true);
    check("ac", "abc", false, false, false);
    check("b", "abc", false, false, true);
}

#[test]
fn order_is_by_code_point() {
    let check = |a: &[u32], b: &[u32], less: bool, less_or_equal: bool| {
        let (a, b) = (SmtString::new(a).unwrap(), SmtString::new(b).unwrap());
        assert_eq!((is_less(&a, &b), is_less_or_equal(&a, &b)), (less, less_or_equal), "{a:?} {b:?}");
    };
    check(&[], &[], false, true);
    check(&[], &[0], true, true);
    check(&[0], &[], false, false);
    check(&[97], &[97, 97], true, true);
    check(&[98], &[97, 97], false, false);
    // UTF-16 would order these the other way round.
    check(&[0xFFFF], &[0x10000], true, true);
    check(&[0xD800], &[0xE000], true, true);
    check(&[0x2FFFF], &[0x2FFFF], false, true);
}

#[test]
fn codes_and_digits() {
    let code = |w: &str, expect: i64, digit: bool| {
        assert_eq!(to_code(&word(w)), IBig::from(expect), "{w:?}");
        assert_eq!(is_digit(&word(w)), digit, "{w:?}");
    };
    code("", -1, false);
    code("a", 97, false);
    code("0", 48, true);
    code("9", 57, true);
    code("/", 47, false);
    code(":", 58, false);
    code("00", -1, false);
    // A digit of another script is no digit of the theory.
    code("\u{0663}", 0x663, false);

    let word_of = |n: &str, expect: &[u32]| assert_eq!(from_code(&number(n)).code_points(), expect, "{n}");
    word_of("0", &[0]);
    word_of("196607", &[MAX_CODE_POINT]);
    word_of("196608", &[]);
    word_of("-1", &[]);
    word_of("55296", &[0xD800]);
    word_of(HUGE, &[]);
}

#[test]
fn numerals() {
    let parse = |w: &str, expect: &str| assert_eq!(to_int(&word(w)).unwrap(), number(expect), "{w:?}");
    parse("", "-1");
    parse("-5", "-1");
    parse("+5", "-1");
    parse(" 5", "-1");
    parse("5 ", "-1");
    parse("1_0", "-1");
    parse("0x1", "-1");
    parse("\u{0663}", "-1");
    parse("0", "0");
    parse("000", "0");
    parse("00123", "123");
    parse(HUGE, HUGE);
    let print = |n: &str, expect: &str| assert_eq!(from_int(&number(n)).unwrap(), word(expect), "{n}");
    print("0", "0");
    print("-0", "0");
    print("-1", "");
    print("123", "123");
    print(HUGE, HUGE);
}

#[test]
fn lengths() {
    assert_eq!(length(&word("")), IBig::ZERO);
    assert_eq!(length(&word("a\u{10000}")), IBig::from(2));
    assert_eq!(concat(&[]).unwrap(), word(""));
    assert_eq!(concat(&[word("a"), word(""), word("bc")]).unwrap(), word("abc"));
}

#[test]
fn alphabet_is_enforced() {
    assert!(SmtString::new(&[0, 0xD800, MAX_CODE_POINT]).is_ok());
    assert_eq!(
        SmtString::new(&[97, MAX_CODE_POINT + 1]),
        Err(StringsError::NoCharacter { code_point: MAX_CODE_POINT + 1, position: 1 })
    );
    assert!(SmtString::from_text("\u{30000}").is_err());
}

#[test]
fn long_words_are_bounded() {
    let ten_million = SmtString::new(&vec![u32::from(b'7'); 10_000_000]).unwrap();
    assert!(matches!(to_int(&ten_million), Err(StringsError::TooManyDigits { digits: 10_000_000, .. })));
    // Not a numeral at all, so the value is known however long it is.
    let no_numeral = concat(&[ten_million.clone(), word("x")]).unwrap();
    assert_eq!(to_int(&no_numeral).unwrap(), IBig::NEG_ONE);
    // Leading zeros do not count.
    let zeros = SmtString::new(&vec![u32::from(b'0'); 10_000_000]).unwrap();
    assert_eq!(to_int(&concat(&[zeros, word("12")]).unwrap()).unwrap(), IBig::from(12));
    assert!(matches!(from_int(&(IBig::ONE << 40_000_000)), Err(StringsError::TooManyDigits { .. })));

    let tripled: Vec<SmtString> = vec![ten_million.clone(); 4];
    assert!(matches!(concat(&tripled), Err(StringsError::TooLong { bound: MAX_LENGTH, .. })));
    assert!(matches!(replace_all(&ten_million, &word("7"), &ten_million), Err(StringsError::TooLong { .. })));
    // A search that compares afresh at every position would take 10^14 steps here.
    let half = SmtString::new(&vec![u32::from(b'7'); 5_000_000]).unwrap();
    let unlike = concat(&[half, word("8")]).unwrap();
    assert!(!contains(&ten_million, &unlike));
    assert_eq!(index_of(&concat(&[ten_million, word("8")]).unwrap(), &unlike, &IBig::ZERO), IBig::from(5_000_000));
}
