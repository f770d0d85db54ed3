//! Commands in the text of a model.

use reduce::model_text::commands_of;

#[test]
fn commands_are_found_whatever_the_layout() {
    let check = |text: &str, expect: Option<&str>| assert_eq!(commands_of(text).as_deref(), expect, "{text}");
    let x = "(define-fun x () Int 5)";
    for text in [x.to_string(), format!("({x})"), format!("(model\n;)\n{x})"), format!(" ; (\n({x});\"")] {
        check(&text, Some(x));
    }
    // Text behind a cardinality constraint on the same line was once dropped with it.
    check(&format!("((forall ((x U)) (= x |;(|)) {x})"), Some(x));
    check("((define-fun s () String \"a;(\"\"\"))", Some("(define-fun s () String \"a;(\"\"\")"));
    check("()", Some(""));
    check("", Some(""));
    check(&format!("({x}"), None);
    check(&format!("sat\n({x})"), None);
    check(&format!("({x} \")"), None);
}
