//! Tests of `session::splitter`.

use strategy::session::Splitter;

/// Blank lines, and small commands in large pieces, were once examined or copied repeatedly.
#[test]
fn a_million_lines_are_split_in_one_go() {
    let mut splitter = Splitter::default();
    splitter.push(&b"\n".repeat(3_000_000));
    splitter.push(&b"(a)\n".repeat(1_000_000));
    let mut count = 0;
    while splitter.next_command().is_some() {
        count += 1;
    }
    assert_eq!((count, splitter.rest()), (1_000_000, b"\n".to_vec()));
}

#[test]
fn commands_come_whole_however_they_are_cut() {
    let check = |text: &str, expect: &[&str]| {
        for piece in [1, 2, 3, 1000] {
            let mut splitter = Splitter::default();
            let mut found = Vec::new();
            for piece in text.as_bytes().chunks(piece) {
                splitter.push(piece);
                while let Some(command) = splitter.next_command() {
                    let command = String::from_utf8_lossy(&command).trim().to_string();
                    if !command.is_empty() {
                        found.push(command);
                    }
                }
            }
            assert_eq!(found, expect, "pieces of {piece}");
        }
    };
    check("(a)(b c)\n(d (e))", &["(a)", "(b c)", "(d (e))"]);
    check("(echo \")\"\") (\")(x)", &["(echo \")\"\") (\")", "(x)"]);
    check("(a |)|)(b ; )\n)", &["(a |)|)", "(b ; )\n)"]);
    check("; comment (\n(a)", &["; comment (\n(a)"]);
    check("check-sat\n(a)", &["check-sat", "(a)"]);
    check(")\n(a)", &[")", "(a)"]);
    check("(open", &[]);
    check("(\"a\"\")\" |;)| b)(c)", &["(\"a\"\")\" |;)| b)", "(c)"]);
}
/// For any bytes, cut anywhere.
#[test]
fn pieces_make_no_difference() {
    let mut state = 1u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let split = |pieces: &[&[u8]]| {
        let mut splitter = Splitter::default();
        let mut found = Vec::new();
        for piece in pieces {
            splitter.push(piece);
            while let Some(command) = splitter.next_command() {
                found.push(command);
            }
        }
        found.push(splitter.rest());
        found
    };
    for _ in 0..20_000 {
        let text: Vec<u8> = (0..random(40)).map(|_| b"()|\"; \na\x00\xff"[random(10)]).collect();
        let whole = split(&[&text]);
        assert_eq!(whole.concat(), text);
        let (a, b) = (random(text.len() + 1), random(text.len() + 1));
        let (a, b) = (a.min(b), a.max(b));
        assert_eq!(split(&[&text[..a], &text[a..b], &text[b..]]), whole, "{:?}", String::from_utf8_lossy(&text));
    }
}
