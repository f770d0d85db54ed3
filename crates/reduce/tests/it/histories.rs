//! Summaries of a bisection's rows.

use reduce::bisect::{VersionAnswer, VersionVerdict, history, summary};

fn rows(text: &str) -> Vec<VersionAnswer> {
    let did = |c| match c {
        'x' => VersionVerdict::Wrong,
        '.' => VersionVerdict::Right,
        '?' => VersionVerdict::Undecided,
        _ => VersionVerdict::Refused,
    };
    let row = |(n, c)| VersionAnswer { solver: format!("v{n}"), did: did(c), said: String::new(), cached: false };
    text.chars().enumerate().map(row).collect()
}

fn check(history: &str, expect: &str) {
    assert_eq!(summary(&rows(history)), expect, "{history}");
}

#[test]
fn histories_are_shown_as_they_are() {
    check("....", "no version answers wrongly");
    check("..xx..", "first bad: v2; last bad: v3; first fixed: v4");
    check("xx..", "first bad: at the oldest asked or before; last bad: v1; first fixed: v2");
    check("..xx", "first bad: v2; last bad: v3; first fixed: not in any version asked");
    // A version that does not answer is not considered fixed.
    check(".x?.", "first bad: v1; last bad: v1; first fixed: v3");
    check(".x.xx.", "bad with gaps: v1, v3 to v4");
    check("", "no version answers wrongly");
    assert_eq!(history(&rows("..x!")).len(), 3);
}

#[test]
fn a_build_of_ones_own_is_no_release() {
    let check = |own: char, releases: &str, expect: &str| {
        let mut all = rows(releases);
        let build =
            rows(&own.to_string()).into_iter().map(|row| VersionAnswer { solver: "./build/z3@5".to_string(), ..row });
        all.extend(build);
        assert_eq!(summary(&all), expect, "{own} {releases}");
    };
    check('x', "...", "only ./build/z3@5 answers wrongly; no release asked does");
    check('x', ".x.", "./build/z3@5: WRONG; first bad: v1; last bad: v1; first fixed: v2");
    check('.', "xx.", "./build/z3@5: right; first bad: at the oldest asked or before; last bad: v1; first fixed: v2");
    check(
        'x',
        "",
        "first bad: at the oldest asked or before; last bad: ./build/z3@5; first fixed: not in any version asked",
    );
}
