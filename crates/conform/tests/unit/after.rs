//! Unit tests of `src/passes/after.rs`.

use super::*;
use crate::passes::truth::WorldTruth;

fn problem() -> PassProblem {
    PassProblem {
        theory: "bv",
        logic: "QF_BV".to_string(),
        declarations: "(declare-fun |x 0| () (_ BitVec 2))\n".to_string(),
        assertions: "(assert (= |x 0| #b01))\n".to_string(),
        truth: WorldTruth::Sat { by_choice: false },
    }
}

#[test]
fn goals_become_scripts() {
    let check = |text: &str, expect: Result<&str, &str>| {
        let script = AfterPass::of_apply(&problem(), text).map(|after| after.script());
        assert_eq!(script.as_deref().map_err(String::as_str), expect, "{text}");
    };
    let x = "(declare-fun |x 0| () (_ BitVec 2))\n";
    check(
        "(goals\n(goal\n (= |x 0| #b01)\n :precision precise :depth 1)\n)\n(declare-fun |x 0| () (_ BitVec 2))\n(check-sat)",
        Ok(&format!("{x}(assert (= |x 0| #b01))\n(check-sat)\n")),
    );
    check(
        "(goals (goal k!0 :precision precise :depth 2))(declare-fun k!0 () Bool)(assert k!0)(check-sat)",
        Ok(&format!("{x}(declare-fun k!0 () Bool)\n(assert k!0)\n(check-sat)\n")),
    );
    check(
        "(goals (goal :precision over :depth 1) (goal false :precision precise :depth 1))",
        Ok(&format!("{x}(push 1)\n(check-sat)\n(pop 1)\n(push 1)\n(assert false)\n(check-sat)\n(pop 1)\n")),
    );
    check("(goals)", Ok(x));
    check("(goals (goal false :depth 1))", Err("no goals are printed"));
    check("(goals (goal false :precision roughly :depth 1))", Err("no goals are printed"));
    check("(goals (goal (= x", Err("no goals are printed"));
    check("unsupported", Err("no goals are printed"));
    check("", Err("no goals are printed"));
    check(&"x".repeat(MAX_TEXT + 1), Err("the goals are too large"));
}

#[test]
fn assertions_after_preprocessing_become_scripts() {
    let check = |text: &str, expect: Result<&str, &str>| {
        let script = AfterPass::of_post_asserts(text).map(|after| after.script());
        assert_eq!(script.as_deref().map_err(String::as_str), expect, "{text}");
    };
    check(
        ";; post-asserts start\n(set-logic ALL)\n(define-fun p () Bool true)\n(assert (or p false))\n(check-sat)\n;; post-asserts end\nsat\n",
        Ok("(set-logic ALL)\n(define-fun p () Bool true)\n(assert (or p false))\n(check-sat)\n"),
    );
    check(";; post-asserts start\n(assert ", Err("no assertions after preprocessing are printed"));
    check(
        ";; post-asserts start\n(assert \n;; post-asserts end",
        Err("the assertions after preprocessing are incomplete"),
    );
    check("sat", Err("no assertions after preprocessing are printed"));
}
