//! Unit tests of `src/script.rs`.

use super::*;

#[test]
fn checks_are_counted_where_they_are_commands() {
    let check = |text: &str, expect: usize| {
        assert_eq!(count_checks(text.as_bytes()), expect, "{text}");
        let by_commands = commands(text.as_bytes()).iter().filter(|c| c.is_check()).count();
        assert_eq!(by_commands, expect, "by commands: {text}");
    };
    check("", 0);
    check("(check-sat)", 1);
    check("(assert true)(check-sat)\n(check-sat-assuming (a))(check-sat-using smt)", 3);
    check("(check-sat\n)", 1);
    check("( check-sat )", 1);
    check("(rule (=> p q))(query q)(check-sat)", 2);
    check("(assert (queryable x))(check-sat)", 1);
    check("(check-saturation)", 0);
    check("(assert x-check-sat)", 0);
    check("; (check-sat)\n(check-sat)", 1);
    check("(echo \"(check-sat)\")(check-sat)", 1);
    check("(echo \"a \"\" (check-sat) |\")(check-sat)", 1);
    check("(assert |(check-sat)|)(check-sat)", 1);
    check("(assert |a;b|)(check-sat)", 1);
    check("(assert |\"|)(check-sat)(assert |\"|)", 1);
    check("; it's \"\n(check-sat)", 1);
    check("(set-info :x \"never closed) (check-sat)", 0);
}

#[test]
fn commands_know_their_lines() {
    let text = b"; c\n(set-logic ALL)\n(assert\n true)\n\n(check-sat)(get-model)";
    let lines: Vec<_> = commands(text).iter().map(|c| (c.name, c.first_line, c.last_line)).collect();
    let expect: [(&[u8], usize, usize); 4] =
        [(b"set-logic", 2, 2), (b"assert", 3, 4), (b"check-sat", 6, 6), (b"get-model", 6, 6)];
    assert_eq!(lines, expect);
}
