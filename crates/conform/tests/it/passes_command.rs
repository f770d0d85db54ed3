//! Tests of `passes::command`.

use conform::passes::{PassCommand, PassProblem, PassSyntax, WorldTruth};

#[test]
fn passes_are_taken_apart_and_put_together() {
    let check = |command: PassCommand, pass: &str, steps: &[&str]| {
        let syntax = PassSyntax { command, options: Vec::new() };
        assert_eq!(syntax.steps(pass), steps, "{pass}");
        assert_eq!(syntax.pass_of(&syntax.steps(pass)), pass);
    };
    use PassCommand::{Apply, PostAsserts};
    check(Apply, "simplify", &["simplify"]);
    check(Apply, "(then simplify (using-params qe :x 1) smt)", &["simplify", "(using-params qe :x 1)", "smt"]);
    check(Apply, "(or-else a b)", &["(or-else a b)"]);
    check(PostAsserts, "", &[]);
    check(PostAsserts, "--ackermann --no-ite-simp", &["--ackermann", "--no-ite-simp"]);
    assert_eq!(PassSyntax { command: Apply, options: Vec::new() }.pass_of(&[]), "skip");
}

#[test]
fn each_command_has_its_script() {
    let problem = PassProblem {
        theory: "bv",
        logic: "QF_BV".to_string(),
        declarations: "(declare-fun p () Bool)\n".to_string(),
        assertions: "(assert p)\n".to_string(),
        truth: WorldTruth::Sat { by_choice: false },
    };
    let apply = PassSyntax { command: PassCommand::Apply, options: Vec::new() };
    assert_eq!(apply.script(&problem, "qe"), "(declare-fun p () Bool)\n(assert p)\n(apply qe)\n");
    let options = vec!["--no-incremental".to_string()];
    let post = PassSyntax { command: PassCommand::PostAsserts, options };
    assert_eq!(
        post.check(&problem, "--ackermann --solve-int-as-bv=8"),
        "(set-option :incremental false)\n(set-option :ackermann true)\n(set-option :solve-int-as-bv 8)\n\
         (set-logic QF_BV)\n(declare-fun p () Bool)\n(assert p)\n(check-sat)\n"
    );
}
