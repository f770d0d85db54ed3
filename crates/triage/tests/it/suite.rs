//! Regression tests in the layouts of solvers.

use finding::BugClass;
use triage::suite::{SuiteLayout, SuiteTest};

fn test(options: &[&str]) -> SuiteTest {
    SuiteTest {
        name: "z3-1".to_string(),
        logic: "qf_fp".to_string(),
        solver: Some("z3@5.4.1".to_string()),
        class: Some(BugClass::A),
        about: "fp.rem".to_string(),
        versions: None,
        options: options.iter().map(|word| word.to_string()).collect(),
        answers: vec!["sat", "unsat"],
        text: "(check-sat)\n(assert false)\n(check-sat)\n".to_string(),
        witness: None,
    }
}

#[test]
fn each_layout_says_what_is_right_in_its_own_way() {
    let check = |layout: &str, options: &[&str], expect: &[(&str, &str)]| {
        let layout: SuiteLayout = layout.parse().expect("a layout");
        let files = layout.files(&test(options));
        let files: Vec<(&str, &str)> = files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
        let about = format!(
            "; {} of z3@5.4.1{}\n; about: fp.rem\n",
            BugClass::A.meaning(),
            match options {
                [] => String::new(),
                options => format!(" with {}", options.join(" ")),
            }
        );
        let expect: Vec<(&str, String)> =
            expect.iter().map(|(path, text)| (*path, text.replace("ABOUT\n", &about))).collect();
        assert_eq!(files, expect.iter().map(|(path, text)| (*path, text.as_str())).collect::<Vec<_>>());
    };
    check(
        "plain",
        &[],
        &[(
            "qf_fp/z3-1.smt2",
            "ABOUT\n(set-info :status sat)\n(check-sat)\n(assert false)\n(set-info :status unsat)\n(check-sat)\n",
        )],
    );
    check(
        "cvc5",
        &["--fp-exp", "--a=b"],
        &[(
            "regress0/qf_fp/z3-1.smt2",
            "; COMMAND-LINE: --fp-exp --a=b\n; EXPECT: sat\n; EXPECT: unsat\nABOUT\n(check-sat)\n(assert false)\n(check-sat)\n",
        )],
    );
    check(
        "z3",
        &[],
        &[
            ("regressions/smt2/z3-1.smt2", "ABOUT\n(check-sat)\n(assert false)\n(check-sat)\n"),
            ("regressions/smt2/z3-1.expected.out", "sat\nunsat\n"),
        ],
    );
    check(
        "yices",
        &["--mcsat"],
        &[
            ("regress/qf_fp/z3-1.smt2", "ABOUT\n(check-sat)\n(assert false)\n(check-sat)\n"),
            ("regress/qf_fp/z3-1.smt2.gold", "sat\nunsat\n"),
            ("regress/qf_fp/z3-1.smt2.options", "--mcsat\n"),
        ],
    );
    assert_eq!(
        "x".parse::<SuiteLayout>(),
        Err("'x' is not a layout; choose one of plain, cvc5, z3, yices".to_string())
    );
}
