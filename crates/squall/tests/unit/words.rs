//! Unit tests of `src/commands/fuzz/live/words.rs`.

use super::*;

#[test]
fn numbers_are_short_and_clear() {
    let check =
        |n: u64, whole: &str, short: &str| assert_eq!((number(n).as_str(), compact(n).as_str()), (whole, short));
    check(0, "0", "0");
    check(999, "999", "999");
    check(1000, "1,000", "1000");
    check(99_999, "99,999", "99999");
    check(100_000, "100,000", "100k");
    check(12_345_678, "12,345,678", "12M");
    check(u64::MAX, "18,446,744,073,709,551,615", "many");
}

#[test]
fn times_and_shares_are_short() {
    let check = |s: f64, expect: &str| assert_eq!(span(s), expect);
    check(7.2, "0:07");
    check(754.0, "12:34");
    check(10_800.0, "3:00:00");
    check(183_600.0, "2d 3h");
    check(f64::INFINITY, "years");
    check(f64::NAN, "years");
    check(-5.0, "0:00");
    assert_eq!((bar(0.5, 4), bar(7.0, 2), bar(f64::NAN, 2)), ("██░░".into(), "██".into(), "░░".into()));
}

#[test]
fn a_seed_is_known_by_its_folder_and_name() {
    let check = |seed: &str, expect: &str| assert_eq!(name_of(seed), expect);
    check("embedded:QF_LIA/sat/a.smt2", "sat/a.smt2");
    check("/data/seeds/QF_BV/b.smt2", "QF_BV/b.smt2");
    check("c.smt2", "c.smt2");
    check("/c.smt2", "c.smt2");
}
