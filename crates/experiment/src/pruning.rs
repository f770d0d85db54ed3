//! Files that compare nothing: those that simplification alone decides, and, where models are searched, those without one.
//!
//! The JFS paper's evaluation leaves both out (`2-filtered-trivial-and-unsat` of its artifact).

use crate::problem::{BenchProblem, instance};
use search::{SearchConfig, SearchOutcome, solve};
use smtlib::{Status, Store};
use std::time::{Duration, Instant};

/// How long simplifying a file may take. One that takes longer is not trivial.
const LIMIT: Duration = Duration::from_secs(10);

/// Why a file is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PruneReason {
    /// It is known to be unsatisfiable.
    Unsat,
    /// Simplification leaves no constraint, or finds one false.
    Trivial,
}

/// Why a problem would be left out; none if it is worth comparing on.
pub fn prune_reason(problem: &BenchProblem) -> Option<PruneReason> {
    if problem.expected == Some(Status::Unsat) {
        return Some(PruneReason::Unsat);
    }
    let mut store = Store::new();
    let instance = instance(&mut store, &problem.text)?;
    let config = SearchConfig {
        deadline: Instant::now().checked_add(LIMIT),
        // A search that is not over before it begins has constraints left, and is not waited for.
        executions: Some(1),
        ..SearchConfig::default()
    };
    match solve(&mut store, &instance.assertions, &config) {
        (SearchOutcome::Unsat { .. }, _) => Some(PruneReason::Trivial),
        (SearchOutcome::Sat(_), stats) if stats.constraints == 0 => Some(PruneReason::Trivial),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
