//! Unit tests of `src/question.rs`.

use super::*;

#[test]
fn replies_are_filed_under_their_questions() {
    let check = |kind: QueryKind, output: &str, expect: &[Option<Reply>]| {
        let mut replies = vec![None; expect.len()];
        read(output, kind, &mut replies);
        assert_eq!(replies, expect, "{output}");
    };
    let text = |text: &str| Some(Reply::Text(text.to_string()));
    let error = |message: &str| Some(Reply::Error(message.to_string()));
    use QueryKind::{Refute, Simplify, Value};
    check(Refute, "question 0\nsat\n\"question 1\"\nunsat\n", &[Some(Reply::False), Some(Reply::True)]);
    check(Refute, "question 0\nunknown\nquestion 1\ntimeout\n", &[Some(Reply::Open), Some(Reply::Open)]);
    check(
        Simplify,
        "question 0\n#x3\nquestion 2\n(fp #b0\n #b1 #b1)\n",
        &[text("#x3"), None, text("(fp #b0\n #b1 #b1)")],
    );
    check(Simplify, "question 0\ntrue\nquestion 1\nfalse\n", &[Some(Reply::True), Some(Reply::False)]);
    // The value "@1" was once taken for the announcement of the second question.
    check(Simplify, "question 0\n\"@1\"\nquestion 1\n\"b\"\n", &[text("\"@1\""), text("\"b\"")]);
    check(Simplify, "question 0\n(error \"no\")\n", &[error("no")]);
    check(Simplify, "question 0\nunsupported\nquestion 1\n(fp #b0", &[error("unsupported"), None]);
    // Responses before the first announcement, and beyond the last question.
    check(Value, "sat\nquestion 0\n(((bvadd #b1 #b1) #b0))\nquestion 7\n((x 1))\n", &[text("#b0")]);
    check(
        Value,
        "question 0\n((\"question 1\" (- 1)))\nquestion 1\n(((f) true))\n",
        &[text("(- 1)"), Some(Reply::True)],
    );
    check(Value, "question 0\n((a b c))\nquestion 1\n()\n", &[text("((a b c))"), text("()")]);
}
