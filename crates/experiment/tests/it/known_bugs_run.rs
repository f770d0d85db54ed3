//! Tests of `known_bugs::run`.

use experiment::known_bugs::run::form;

#[test]
fn the_form_is_what_is_asked() {
    let check = |a: &str, b: &str, same: bool| assert_eq!(form(a) == form(b), same, "{a} {b}");
    let text = "(declare-const p Bool)(assert p)(check-sat)";
    check(text, "(set-info :status sat)\n(declare-const p Bool) (assert p)\n(check-sat)\n(exit)", true);
    check(text, "(declare-const p Bool)(assert (not p))(check-sat)", false);
}
