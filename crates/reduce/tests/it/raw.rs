//! Commands of a text that does not parse.

use reduce::raw::split;

#[test]
fn commands_end_where_they_end() {
    let check = |text: &str, expect: &[&str]| assert_eq!(split(text), expect, "{text}");
    check("(a) ; (b)\n(c (d))(e", &["(a)", "(c (d))"]);
    check("(echo \"(\"\"\")(x |)(|)\n", &["(echo \"(\"\"\")", "(x |)(|)"]);
}
