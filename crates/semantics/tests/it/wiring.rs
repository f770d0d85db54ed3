//! Every operator of the theories' tables is wired to its meaning: each occurs in a term with a known value.
//!
//! The meanings themselves are tested below the evaluator, where an operator that the evaluator does not pass on is not missed.

use crate::support::{check, read};
use smtlib::{Kind, Store, TermId, theories};
use std::collections::BTreeSet;

const FLOATS: &[(&str, &str)] = &[
    ("(distinct RNE RNA RTP RTN RTZ)", "true"),
    ("(fp #b1 #b10000 #b1000000000)", "((_ to_fp 5 11) RNE (- 3.0))"),
    ("(fp.isInfinite (_ +oo 5 11))", "true"),
    ("(fp.isNegative (_ -oo 5 11))", "true"),
    ("(fp.isPositive (_ +zero 5 11))", "true"),
    ("(fp.isZero (_ -zero 5 11))", "true"),
    ("(fp.isNaN (_ NaN 5 11))", "true"),
    ("(fp.isNormal (fp #b0 #b00000 #b0000000001))", "false"),
    ("(fp.isSubnormal (fp #b0 #b00000 #b0000000001))", "true"),
    ("(fp.abs ((_ to_fp 5 11) RNE (- 3.0)))", "((_ to_fp 5 11) RNE 3.0)"),
    ("(fp.neg ((_ to_fp 5 11) RNE 3.0))", "((_ to_fp 5 11) RNE (- 3.0))"),
    ("(fp.add RNE ((_ to_fp 5 11) RNE 3.0) ((_ to_fp 5 11) RNE 0.5))", "((_ to_fp 5 11) RNE 3.5)"),
    ("(fp.sub RNE ((_ to_fp 5 11) RNE 3.0) ((_ to_fp 5 11) RNE 0.5))", "((_ to_fp 5 11) RNE 2.5)"),
    ("(fp.mul RNE ((_ to_fp 5 11) RNE 3.0) ((_ to_fp 5 11) RNE 0.5))", "((_ to_fp 5 11) RNE 1.5)"),
    ("(fp.div RNE ((_ to_fp 5 11) RNE 3.0) ((_ to_fp 5 11) RNE 0.5))", "((_ to_fp 5 11) RNE 6.0)"),
    (
        "(fp.fma RNE ((_ to_fp 5 11) RNE 3.0) ((_ to_fp 5 11) RNE 0.5) ((_ to_fp 5 11) RNE 4.0))",
        "((_ to_fp 5 11) RNE 5.5)",
    ),
    ("(fp.sqrt RNE ((_ to_fp 5 11) RNE 6.25))", "((_ to_fp 5 11) RNE 2.5)"),
    ("(fp.rem ((_ to_fp 5 11) RNE 5.0) ((_ to_fp 5 11) RNE 3.0))", "((_ to_fp 5 11) RNE (- 1.0))"),
    ("(fp.roundToIntegral RTP ((_ to_fp 5 11) RNE 2.25))", "((_ to_fp 5 11) RNE 3.0)"),
    ("(fp.min ((_ to_fp 5 11) RNE 3.0) ((_ to_fp 5 11) RNE 0.5))", "((_ to_fp 5 11) RNE 0.5)"),
    ("(fp.max ((_ to_fp 5 11) RNE 3.0) ((_ to_fp 5 11) RNE 0.5))", "((_ to_fp 5 11) RNE 3.0)"),
    ("(fp.leq (_ +zero 5 11) (_ -zero 5 11) (_ +oo 5 11))", "true"),
    ("(fp.lt (_ -oo 5 11) (_ +zero 5 11) (_ -zero 5 11))", "false"),
    ("(fp.geq (_ +oo 5 11) (_ +zero 5 11) (_ -zero 5 11))", "true"),
    ("(fp.gt (_ +oo 5 11) (_ +zero 5 11) (_ -zero 5 11))", "false"),
    ("(fp.eq (_ NaN 5 11) (_ NaN 5 11))", "false"),
    ("((_ to_fp 5 11) #xc200)", "((_ to_fp 5 11) RNE (- 3.0))"),
    ("((_ to_fp 8 24) RNE ((_ to_fp 5 11) RNE 3.0))", "((_ to_fp 8 24) RNE 3.0)"),
    ("((_ to_fp 5 11) RNE #xfd)", "((_ to_fp 5 11) RNE (- 3.0))"),
    ("((_ to_fp_unsigned 5 11) RNE #xfd)", "((_ to_fp 5 11) RNE 253.0)"),
    ("((_ fp.to_ubv 8) RTZ ((_ to_fp 5 11) RNE 3.5))", "#x03"),
    ("((_ fp.to_sbv 8) RTZ ((_ to_fp 5 11) RNE (- 3.5)))", "#xfd"),
    ("(fp.to_real ((_ to_fp 5 11) RNE (- 3.5)))", "(- 3.5)"),
    ("(fp.to_ieee_bv ((_ to_fp 5 11) RNE (- 3.0)))", "#xc200"),
];

const STRINGS: &[(&str, &str)] = &[
    ("(str.++ \"ab\" \"\" \"c\")", "\"abc\""),
    ("(str.len \"a\\u{1F600}c\")", "3"),
    ("(str.< \"a\" \"ab\" \"b\")", "true"),
    ("(str.< \"a\" \"ab\" \"ab\")", "false"),
    ("(str.<= \"a\" \"ab\" \"ab\")", "true"),
    ("(str.<= \"b\" \"ab\")", "false"),
    ("(str.at \"abc\" 1)", "\"b\""),
    ("(str.substr \"abcd\" 1 2)", "\"bc\""),
    ("(str.prefixof \"ab\" \"abc\")", "true"),
    ("(str.prefixof \"bc\" \"abc\")", "false"),
    ("(str.suffixof \"bc\" \"abc\")", "true"),
    ("(str.suffixof \"ab\" \"abc\")", "false"),
    ("(str.contains \"abc\" \"b\")", "true"),
    ("(str.contains \"b\" \"abc\")", "false"),
    ("(str.indexof \"abab\" \"b\" 2)", "3"),
    ("(str.replace \"abab\" \"b\" \"cc\")", "\"accab\""),
    ("(str.replace_all \"abab\" \"b\" \"cc\")", "\"accacc\""),
    ("(str.replace_re \"abab\" (re.+ (str.to_re \"b\")) \"cc\")", "\"accab\""),
    ("(str.replace_re_all \"abab\" (re.+ (str.to_re \"b\")) \"cc\")", "\"accacc\""),
    ("(str.is_digit \"7\")", "true"),
    ("(str.is_digit \"77\")", "false"),
    ("(str.to_code \"a\")", "97"),
    ("(str.from_code 97)", "\"a\""),
    ("(str.to_int \"0042\")", "42"),
    ("(str.from_int 42)", "\"42\""),
    ("(str.to_lower \"aZ[\")", "\"az[\""),
    ("(str.to_upper \"aZ[\")", "\"AZ[\""),
    ("(str.rev \"abc\")", "\"cba\""),
    ("(str.update \"abc\" 1 \"xyz\")", "\"axy\""),
    ("(str.in_re \"\" re.none)", "false"),
    ("(= re.none (re.comp re.all))", "true"),
    ("(str.in_re \"ab\" re.all)", "true"),
    ("(str.in_re \"ab\" re.allchar)", "false"),
    ("(str.in_re \"a\" re.allchar)", "true"),
    ("(str.in_re \"abc\" (re.++ (str.to_re \"a\") (str.to_re \"b\") (str.to_re \"c\")))", "true"),
    ("(str.in_re \"c\" (re.union (str.to_re \"a\") (str.to_re \"b\") (str.to_re \"c\")))", "true"),
    ("(str.in_re \"b\" (re.inter (re.range \"a\" \"b\") (re.range \"b\" \"c\")))", "true"),
    ("(str.in_re \"a\" (re.inter (re.range \"a\" \"b\") (re.range \"b\" \"c\")))", "false"),
    ("(str.in_re \"aaa\" (re.* (str.to_re \"a\")))", "true"),
    ("(str.in_re \"a\" (re.comp (str.to_re \"a\")))", "false"),
    ("(str.in_re \"c\" (re.diff (re.range \"a\" \"d\") (str.to_re \"b\") (str.to_re \"c\")))", "false"),
    ("(str.in_re \"d\" (re.diff (re.range \"a\" \"d\") (str.to_re \"b\") (str.to_re \"c\")))", "true"),
    ("(str.in_re \"\" (re.+ (str.to_re \"a\")))", "false"),
    ("(str.in_re \"\" (re.opt (str.to_re \"a\")))", "true"),
    ("(str.in_re \"aaa\" ((_ re.^ 3) (str.to_re \"a\")))", "true"),
    ("(str.in_re \"aaa\" ((_ re.loop 1 2) (str.to_re \"a\")))", "false"),
    ("(str.in_re \"aa\" ((_ re.loop 1 2) (str.to_re \"a\")))", "true"),
];

const SEQUENCES: &[(&str, &str)] = &[
    ("(seq.map (lambda ((x Int)) (* 2 x)) (seq.++ (seq.unit 1) (seq.unit 2)))", "(seq.++ (seq.unit 2) (seq.unit 4))"),
    (
        "(seq.mapi (lambda ((i Int) (x Int)) (* i x)) 3 (seq.++ (seq.unit 1) (seq.unit 2)))",
        "(seq.++ (seq.unit 3) (seq.unit 8))",
    ),
    ("(seq.foldl (lambda ((a Int) (x Int)) (- a x)) 9 (seq.++ (seq.unit 1) (seq.unit 2)))", "6"),
    ("(seq.foldli (lambda ((i Int) (a Int) (x Int)) (+ (* i x) a)) 3 100 (seq.++ (seq.unit 1) (seq.unit 2)))", "111"),
    ("(seq.len (as seq.empty (Seq Int)))", "0"),
    ("(seq.len (seq.unit (as seq.empty (Seq Int))))", "1"),
    ("(seq.++ (seq.unit 1) (as seq.empty (Seq Int)) (seq.++ (seq.unit 2) (seq.unit 3)))", S123),
    ("(seq.at (seq.++ (seq.unit 1) (seq.unit 2)) 1)", "(seq.unit 2)"),
    ("(seq.at (seq.++ (seq.unit 1) (seq.unit 2)) 2)", "(as seq.empty (Seq Int))"),
    ("(seq.at (seq.++ (seq.unit 1) (seq.unit 2)) (- 1))", "(as seq.empty (Seq Int))"),
    ("(seq.extract (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 3)) 1 9)", "(seq.++ (seq.unit 2) (seq.unit 3))"),
    ("(seq.extract (seq.++ (seq.unit 1) (seq.unit 2)) 0 0)", "(as seq.empty (Seq Int))"),
    ("(seq.nth (seq.++ (seq.unit 1) (seq.unit 2)) 1)", "2"),
    ("(seq.nth (seq.unit (seq.unit true)) 0)", "(seq.unit true)"),
    ("(seq.prefixof (seq.unit 1) (seq.++ (seq.unit 1) (seq.unit 2)))", "true"),
    ("(seq.prefixof (seq.unit 2) (seq.++ (seq.unit 1) (seq.unit 2)))", "false"),
    ("(seq.suffixof (seq.unit 2) (seq.++ (seq.unit 1) (seq.unit 2)))", "true"),
    ("(seq.suffixof (seq.unit 1) (seq.++ (seq.unit 1) (seq.unit 2)))", "false"),
    ("(seq.contains (seq.++ (seq.unit 1) (seq.unit 2)) (as seq.empty (Seq Int)))", "true"),
    ("(seq.contains (seq.unit 1) (seq.++ (seq.unit 1) (seq.unit 2)))", "false"),
    ("(seq.indexof (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 1)) (seq.unit 1) 1)", "2"),
    ("(seq.indexof (seq.unit 1) (as seq.empty (Seq Int)) 1)", "1"),
    ("(seq.indexof (seq.unit 1) (as seq.empty (Seq Int)) 2)", "(- 1)"),
    ("(seq.last_indexof (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 1)) (seq.unit 1))", "2"),
    ("(seq.last_indexof (seq.unit 1) (as seq.empty (Seq Int)))", "1"),
    ("(seq.last_indexof (seq.unit 1) (seq.++ (seq.unit 1) (seq.unit 1)))", "(- 1)"),
    ("(seq.replace (seq.++ (seq.unit 1) (seq.unit 1)) (seq.unit 1) (as seq.empty (Seq Int)))", "(seq.unit 1)"),
    ("(seq.replace (seq.++ (seq.unit 2) (seq.unit 3)) (as seq.empty (Seq Int)) (seq.unit 1))", S123),
    (
        "(seq.replace_all (seq.++ (seq.unit 1) (seq.unit 1)) (seq.unit 1) (as seq.empty (Seq Int)))",
        "(as seq.empty (Seq Int))",
    ),
    ("(seq.replace_all (seq.unit 1) (as seq.empty (Seq Int)) (seq.unit 2))", "(seq.unit 1)"),
    (
        "(seq.update (seq.++ (seq.unit 1) (seq.unit 7)) 1 (seq.++ (seq.unit 2) (seq.unit 3)))",
        "(seq.++ (seq.unit 1) (seq.unit 2))",
    ),
    ("(seq.update (seq.unit 1) (- 1) (seq.unit 2))", "(seq.unit 1)"),
    ("(seq.rev (seq.++ (seq.unit 3) (seq.unit 2) (seq.unit 1)))", S123),
    ("(= (seq.unit 1) (seq.++ (seq.unit 1) (seq.unit 1)))", "false"),
    ("(distinct (seq.unit 1) (as seq.empty (Seq Int)) (seq.unit 2))", "true"),
];

const S123: &str = "(seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 3))";

/// The operators of a term.
fn kinds(store: &Store, t: TermId, found: &mut BTreeSet<Kind>) {
    found.insert(store.kind(t));
    for &child in store.args(t) {
        kinds(store, child, found);
    }
}

/// Checks the values, and that no operator of the theory is left out.
#[track_caller]
fn check_theory(name: &str, table: &[(&str, &str)]) {
    let mut found = BTreeSet::new();
    for (term, value) in table {
        check("", term, value);
        let r = read(&format!("(assert (= {term} {term} {value}))"));
        r.assertions.iter().for_each(|&t| kinds(&r.store, t, &mut found));
    }
    let theory = theories::THEORIES.iter().find(|t| t.name == name).expect("a theory");
    let left: Vec<&str> = theory.rows.iter().filter(|row| !found.contains(&row.kind)).map(|row| row.name).collect();
    assert_eq!(left, [""; 0], "operators of {name} without a term");
}

#[test]
fn floating_point() {
    check_theory("FloatingPoint", FLOATS);
}

#[test]
fn strings_and_regular_languages() {
    check_theory("Strings", STRINGS);
}

#[test]
fn sequences() {
    check_theory("Sequences", SEQUENCES);
}

/// What is left open, and what is not decided.
#[test]
fn sequences_without_values() {
    check("", "(seq.nth (seq.unit 1) 1)", "unknown");
    check("", "(seq.nth (seq.unit 1) (- 1))", "unknown");
    check("", "(= (seq.nth (seq.unit 1) 1) (seq.nth (seq.unit 1) 1))", "true");
    // Functions given by bodies are not compared, so that nothing is found among them.
    let unlike = "(seq.unit (lambda ((x Int)) (+ x 1)))";
    check("", &format!("(seq.contains {unlike} (seq.unit (lambda ((x Int)) (+ 1 x))))"), "unknown");
    check("", &format!("(= {unlike} (seq.++ {unlike} {unlike}))"), "false");
}

/// The last occurrence was looked for at each place by itself: 2^30 comparisons here.
#[test]
fn the_last_occurrence_is_found_in_linear_time() {
    let mut declarations = String::from("(define-fun s0 () (Seq Int) (seq.unit 1))");
    for n in 1..=16 {
        declarations += &format!("(define-fun s{n} () (Seq Int) (seq.++ s{} s{}))", n - 1, n - 1);
    }
    check(&declarations, "(seq.last_indexof s16 (seq.++ (seq.unit 2) s15))", "(- 1)");
    check(&declarations, "(seq.last_indexof s16 (seq.++ s15 (seq.unit 2)))", "(- 1)");
    check(&declarations, "(seq.last_indexof s16 (seq.++ s15 (seq.unit 1)))", "32767");
}
