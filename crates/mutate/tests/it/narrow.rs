//! Scripts with all widths divided.

use mutate::shrink::narrow::{divided, divisors};

fn check(text: &str, divisor: usize, expected: Option<&str>) {
    assert_eq!(divided(text, divisor).as_deref(), expected, "{text}");
}

#[test]
fn every_width_is_divided() {
    check("(declare-const x (_ BitVec 32))", 8, Some("(declare-const x (_ BitVec 4))"));
    check("((_ extract 15 8) x)", 8, Some("((_ extract 1 1) x)"));
    check("((_ extract 31 31) x)", 8, Some("((_ extract 3 3) x)"));
    check("((_ zero_extend 24) ((_ zero_extend 31) b))", 8, Some("((_ zero_extend 3) ((_ zero_extend 3) b))"));
    check("((_ rotate_left 9) x) ((_ int_to_bv 16) n)", 8, Some("((_ rotate_left 1) x) ((_ int_to_bv 2) n)"));
    check("(_ BitVec 1) #b1", 8, Some("(_ BitVec 1) #b1"));
    check("(_ BitVec 31)", 8, None);
    check("((_ extract 30 0) x)", 8, None);
    check("((_ zero_extend 5) x)", 8, None);
}

#[test]
fn literals_keep_small_values_and_both_ends() {
    check("#x00000003 #xfffffffe #xff", 8, Some("#b0011 #b1110 #b1"));
    check("#x80000000 #x7fffffff", 8, Some("#b1000 #b0111"));
    check("#b0001", 2, Some("#b01"));
}

#[test]
fn what_only_looks_like_a_width_stays() {
    check("(f extract 31) \"#xff (_ BitVec 32)\" |#xff|", 8, Some("(f extract 31) \"#xff (_ BitVec 32)\" |#xff|"));
}

#[test]
fn widths_become_small_by_a_divisor_of_all() {
    let check = |text: &str, expected: &[usize]| assert_eq!(divisors(text), expected, "{text}");
    check("(_ BitVec 32)", &[8, 16]);
    check("(_ BitVec 32) (_ BitVec 8) (_ BitVec 1)", &[8]);
    check("(_ BitVec 32) #b1010101010", &[]);
    check("(_ BitVec 7)", &[7]);
    check("(_ BitVec 4)", &[]);
    // Every number up to the width was tried.
    check("(_ BitVec 4294967290)", &[858993458, 2147483645]);
    check("Int", &[]);
}
