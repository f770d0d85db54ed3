//! What unknown commands do.

use smtlib::extension_commands::{COMMANDS, Effect, OpaqueReason, effect};

#[test]
fn effects_are_found_by_name() {
    assert!(COMMANDS.is_sorted_by_key(|row| row.0), "it is searched by halves");
    for (command, expect) in [
        ("(apply (then simplify smt))", Effect::None),
        ("( ; (assert\n help-tactic)", Effect::None),
        ("(assert-soft p :weight 2)", Effect::Objective),
        ("(include \"more.smt2\")", Effect::Unknown),
        ("(assert (seq.prefixof s t))", Effect::Constrains),
        ("(define-fun-rec f ((s Foo)) Int (f s))", Effect::Constrains),
        ("(define-fun f ((s Foo)) Int 1)", Effect::Declares),
        ("(get-value ((sin x)))", Effect::None),
        ("(nobody-knows)", Effect::Unknown),
    ] {
        assert_eq!(effect(command, OpaqueReason::Theory), expect, "{command}");
        assert_eq!(effect(command, OpaqueReason::Redeclaration), Effect::Unknown, "{command}");
    }
}
