//! Tests of `response`.

use solver::response::{Response, SatResponse, responses};

#[test]
fn messages_end_where_they_end() {
    let check = |text: &str, expect: &[Response]| assert_eq!(responses(text).collect::<Vec<_>>(), expect, "{text}");
    check("(error \"a \"b\" c\")\nsat", &[Response::Error("a \"b\" c"), Response::Answer(SatResponse::Sat)]);
    check("(error \"a\") (x)", &[Response::Error("a"), Response::Expression("(x)")]);
    // The first quote of the output was once taken for that of the message, wherever it was.
    check("(error 'no model')\n(\"x\")", &[Response::Error("'no model'"), Response::Expression("(\"x\")")]);
    check("(error no (a) model)\nsat \"", &[Response::Error("no (a) model"), Response::Text("sat \"")]);
    check("(error stray \" in it)\nsat", &[Response::Error("stray \" in it"), Response::Answer(SatResponse::Sat)]);
    check("(error \"cut", &[Response::Error("cut")]);
    check("(error )", &[Response::Error("")]);
    check(
        "(error \"a\") (x)\n(error \"b\") \n(y)",
        &[Response::Error("a\") (x)\n(error \"b"), Response::Expression("(y)")],
    );
}

#[test]
fn an_unknown_may_tell_its_reason() {
    let check = |text: &str, expect: Response| assert_eq!(responses(text).collect::<Vec<_>>(), [expect], "{text}");
    check("unknown", Response::Answer(SatResponse::Unknown));
    check("unknown (INCOMPLETE)", Response::Answer(SatResponse::Unknown));
    check("unknown (REQUIRES_FULL_CHECK)\r", Response::Answer(SatResponse::Unknown));
    check("unknown option", Response::Text("unknown option"));
    check("unknown constant (x)", Response::Text("unknown constant (x)"));
}

#[test]
fn strings_and_symbols_hide_parentheses() {
    let check = |text: &str| assert_eq!(responses(text).collect::<Vec<_>>(), [Response::Expression(text)], "{text}");
    for text in
        ["((s \"\"\")\"\"\"))", "((|)| 1))", "((|\"| 1))", "( ; )\n)", "(\"|\" \";\")", "\"a \"\" (\"", "(\"\\\")"]
    {
        check(text);
    }
    let cut = |text: &str| assert_eq!(responses(text).collect::<Vec<_>>(), [Response::Truncated(text)], "{text}");
    for text in ["((s \"\"\"))", "((s |))", "(a ; )", "\"a\"\"", "(("] {
        cut(text);
    }
}

/// Each of these messages once caused a search through all later text: these texts took hours.
#[test]
fn a_million_messages_are_read_in_one_go() {
    let count = |text: &str| responses(text).filter(|r| matches!(r, Response::Error(_))).count();
    assert_eq!(count(&"(error (\n".repeat(1_000_000)), 1_000_000);
    assert_eq!(count(&"(error \"x\") (y)\u{b} ".repeat(1_000_000)), 1_000_000);
    assert_eq!(count(&"(error \"x\")\n".repeat(1_000_000)), 1_000_000);
}
