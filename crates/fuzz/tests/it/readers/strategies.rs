//! Strategies, and the solvers' names in them.

use smtlib::strategy::{StrategyVocabulary, parse_strategy};
use solver::spec::SolverSpec;

/// Strategies, and names of solvers.
pub const EXAMPLES: &[&str] = &[
    "(then simplify solve-eqs (or-else (try-for smt 5000) (par-or smt (solver \"z3@4.8.7\" :random-seed 3 :tactic (then simplify smt)))))",
    "(or-else (then (fail-if (and is-qfbv (> (/ size 2.5) 10))) (using-params simplify :arith-lhs true :max-steps 100)) (repeat smt 4))",
    "(if (not (>= (+ size size 1) 3)) (thens split-or smt skip) (when is-qfbv (! simplify :x y))) ; a comment",
    "z3+z3str3@4.8.7 smt.random_seed=3",
    "\"/opt/my solver/z3\" -T:5 --x=\"a b\"",
];

/// Reads bytes as a strategy and as a solver's name.
///
/// # Panics
/// When an error has no position, or the parsed value prints differently.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let names = StrategyVocabulary::of_names(["simplify", "solve-eqs", "smt", "split-or"], ["size", "is-qfbv"]);
    match parse_strategy(text, &names) {
        Ok(strategy) => {
            let printed = strategy.to_string();
            assert_eq!(parse_strategy(&printed, &names).ok().as_ref(), Some(&strategy), "{printed}");
        }
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
            assert!(error.render("x", text).starts_with("x:"));
        }
    }
    if let Ok(spec) = text.parse::<SolverSpec>() {
        let printed = spec.to_string();
        assert_eq!(printed.parse::<SolverSpec>().ok().as_ref(), Some(&spec), "{printed}");
    }
}
