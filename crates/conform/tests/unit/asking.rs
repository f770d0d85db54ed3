//! Unit tests of `src/passes/asking.rs`.

use super::*;

#[test]
fn what_is_printed_belongs_to_the_announcement_before_it() {
    let check = |text: &str, expect: &[(usize, &str)]| {
        assert_eq!(parts(text).into_iter().collect::<Vec<_>>(), expect, "{text}");
    };
    check("", &[]);
    check("noise\n@pass 0\n(goals)\n\"@pass 1\"\n", &[(0, "(goals)\n"), (1, "")]);
    check("@pass 0\na\n@pass 2\nb", &[(0, "a\n"), (2, "b")]);
    check("@pass x\n@pass 0", &[(0, "")]);
}

#[test]
fn an_error_voids_what_is_printed() {
    let check = |part: &str, expect: PassReply| assert_eq!(reply(part), expect, "{part}");
    let error = |text: &str| PassReply::Error(text.to_string());
    check("(goals)\n", PassReply::Text("(goals)\n".to_string()));
    check("(error \"tactic failed: no\")\n(goals)\n", error("tactic failed: no"));
    check("unsupported\n", error("unsupported"));
    check("timeout\n", error("timeout"));
}
