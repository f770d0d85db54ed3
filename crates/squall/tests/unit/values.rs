//! Unit tests of `src/args/values.rs`.

use super::*;

#[test]
fn shares_are_read() {
    let check = |text: &str, expect: Option<f64>| assert_eq!(share(text).ok(), expect, "{text}");
    check("0.2", Some(0.2));
    check("0", Some(0.0));
    check("1", Some(1.0));
    check("1.1", None);
    check("-0.1", None);
    check("NaN", None);
    check("a fifth", None);
}

#[test]
fn settings_are_read() {
    assert_eq!(setting("max-checks=4"), Ok(("max-checks".to_string(), "4".to_string())));
    assert!(setting("max-checks").is_err());
}
