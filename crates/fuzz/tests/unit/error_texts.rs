//! Unit tests of `src/counts/error_texts.rs`.

use super::{ErrorText, ErrorTexts, MOST, UnmadeText, count, first_line};

#[test]
fn a_text_is_its_first_line_without_its_place() {
    let check = |text: &str, expect: &str| assert_eq!(first_line(text), expect, "{text}");
    check("line 3 column 7: unknown constant x\nmore", "unknown constant x");
    check("\n  usage: solver FILE\n", "usage: solver FILE");
    check("error: no: way", "error: no: way");
    check(": x", ": x");
    check("", "");
    let cut = format!("{}…", "ä".repeat(160));
    check(&"ä".repeat(500), &cut);
    check(&cut, &cut);
}

#[test]
fn the_most_frequent_come_first_and_there_is_an_end_to_them() {
    let mut texts = ErrorTexts::default();
    (0..2 * MOST).for_each(|n| count(&mut texts.checks, &format!("{n:03}"), 1));
    assert_eq!(texts.most_frequent(usize::MAX).len(), MOST);
    texts.add_unmade("RuntimeError: my bug\nmore", 4);
    let mut all = ErrorTexts::default();
    count(&mut all.checks, "001", 2);
    all.extend(&texts);
    count(&mut all.checks, "", 9);
    let row = |text: &str, checks: u64| ErrorText { text: text.to_string(), checks };
    assert_eq!(all.most_frequent(2), [row("001", 3), row("000", 1)]);
    let unmade = UnmadeText { text: "RuntimeError: my bug".to_string(), mutants: 4 };
    assert_eq!(all.most_frequent_unmade(2), [unmade]);
}
