//! Tests of `frames`.

use solver::frames::{Frame, FrameFailure, read_head, telling_line};

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
