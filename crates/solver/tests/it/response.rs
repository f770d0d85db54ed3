//! The splitting of outputs: responses of solvers, and frames of programs.

use solver::frames::{Frame, FrameFailure, read_head, telling_line};
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

#[test]
fn heads_of_frames() {
    let check = |output: &str, expect: Option<(&str, usize, usize)>| {
        let expect = expect.map(|(word, start, length)| (word.to_string(), start, length));
        assert_eq!(read_head(output.as_bytes(), 100), Ok(expect), "{output:?}");
    };
    check("", None);
    check("mut", None);
    check("mutant 3", None);
    check("mutant 3\n", Some(("mutant", 9, 3)));
    check("mutant 0\nmore", Some(("mutant", 9, 0)));
    check("mutant 100\r\nmore", Some(("mutant", 12, 100)));
    let refuses = |output: &str, expect: FrameFailure| {
        assert_eq!(read_head(output.as_bytes(), 100), Err(expect), "{output:?}");
    };
    let no_frame = |text: &str| FrameFailure::NoFrame(text.to_string());
    refuses("mutant 101\n", FrameFailure::Flood);
    refuses("mutant -1\n", no_frame("mutant -1"));
    refuses("mutant\n", no_frame("mutant"));
    refuses("\n", no_frame(""));
    refuses(" 3\n", no_frame(" 3"));
    refuses("mutant three\n", no_frame("mutant three"));
    refuses("(assert true)\n", no_frame("(assert true)"));
    refuses("mutant 99999999999999999999999\n", no_frame("mutant 99999999999999999999999"));
    refuses(&"x".repeat(65), no_frame(&format!("{}…", "x".repeat(60))));
    refuses(&format!("{}\n", "x".repeat(70)), no_frame(&format!("{}…", "x".repeat(60))));
}

#[test]
fn of_a_traceback_the_last_line_tells() {
    let check = |stderr: &str, expect: &str| assert_eq!(telling_line(stderr.as_bytes()), expect, "{stderr}");
    check("", "");
    check("\nno file\nmore\n", "no file");
    let traceback = "Traceback (most recent call last):\n  File \"m.py\", line 1, in <module>\nKeyError: '<='\n\n";
    check(traceback, "KeyError: '<='");
    check("Traceback (most recent call last):\n", "Traceback (most recent call last):");
}

#[test]
fn frames_are_written_as_they_are_read() {
    let mut bytes = Vec::new();
    Frame::new("seed", "(check-sat)\n").write(&mut bytes);
    assert_eq!(bytes, b"seed 12\n(check-sat)\n");
    assert_eq!(read_head(&bytes, 100), Ok(Some(("seed".to_string(), 8, 12))));
}
