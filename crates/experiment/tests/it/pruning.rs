//! Tests of `pruning`.

use experiment::problem::BenchProblem;
use experiment::pruning::*;
use smtlib::Status;
use std::path::PathBuf;

#[test]
fn what_simplification_decides_is_left_out() {
    let check = |body: &str, expected: Option<Status>, expect: Option<PruneReason>| {
        let text = format!("{body}(check-sat)");
        let problem = BenchProblem { path: PathBuf::new(), name: "x".into(), suite: "S".into(), expected, text };
        assert_eq!(prune_reason(&problem), expect, "{body}");
    };
    let x = "(declare-const x Float32)";
    check(&format!("{x}(assert (= x ((_ to_fp 8 24) RNE 1.5)))"), None, Some(PruneReason::Trivial));
    check(&format!("{x}(assert (= x x))"), None, Some(PruneReason::Trivial));
    check(&format!("{x}(assert (distinct x x))"), None, Some(PruneReason::Trivial));
    check(&format!("{x}(assert (fp.lt x x))(assert (fp.isNaN x))"), Some(Status::Unsat), Some(PruneReason::Unsat));
    // The first input tried is a model, which is search all the same.
    check(&format!("{x}(assert (fp.isZero (fp.mul RNE x x)))"), Some(Status::Sat), None);
    check("(declare-const s String)(assert (= (str.len s) 3))", None, None);
}
