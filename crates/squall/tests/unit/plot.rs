//! Unit tests of `src/render/plot.rs`.

use super::*;

#[test]
fn numbers_are_short() {
    let check = |value: f64, expect: &str| assert_eq!(short(value), expect);
    check(0.0, "0");
    check(1.5, "1.5");
    check(1234.0, "1234");
    check(20_000.0, "20k");
    check(3e6, "3M");
}
