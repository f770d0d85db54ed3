//! Unit tests of `src/lib.rs`.

use super::is_required;

#[test]
fn a_tool_is_required_by_its_name() {
    let check = |tool: &str, list: &str, expect: bool| assert_eq!(is_required(tool, list), expect, "{tool} by {list}");
    for tool in ["z3", "z3@4.15.4", "cvc5-gpl@1.4.2", "cvc5", "cvc4", "boolector", "nats-server"] {
        check(tool, "1", true);
        check(tool, "", false);
    }
    check("z3@4.8.7", "1", false);
    check("openssl", "1", false);
    check("cvc5", "z3@4.15.4, cvc5", true);
    check("z3", "z3@4.15.4,cvc5", true);
    check("cvc4", "z3@4.15.4,cvc5", false);
    check("z3@4.15.4", "z3", false);
}
