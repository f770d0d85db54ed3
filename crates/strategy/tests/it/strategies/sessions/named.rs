//! Scripts that name their strategies.

use super::{check, said};
use smtlib::strategy::parse_strategy;
use strategy::Solvers;
use strategy::session::{ByStrategy, with_named};

#[test]
fn a_script_may_name_its_strategy() {
    check(
        "(declare-const p Bool)(assert p)(check-sat-using (then simplify smt))(check-sat-using mine)(check-sat-using fail)",
        "sat sat unknown",
    );
    check(
        "(declare-const p Bool)(assert p)(check-sat-using fail)(get-info :reason-unknown)",
        "unknown (:reason-unknown \"fail\")",
    );
    assert!(
        said("(check-sat-using (then smt (using-params mine :no-such-parameter 3)))").contains("no-such-parameter")
    );
}

#[test]
fn named_strategies_may_not_go_in_circles() {
    let wrong = |pairs: &[(&str, &str)], words: &[&str]| {
        let named = pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let error = ByStrategy::new(Solvers::default(), &named).err().expect("it is wrong").to_string();
        words.iter().for_each(|word| assert!(error.contains(word), "{word} is missing in {error}"));
    };
    wrong(
        &[("a", "(then b smt)"), ("b", "(then a smt)")],
        &["`a` -> `b` -> `a` use each other in a circle", "write one of them without the others"],
    );
    // What leads to a circle is not in it.
    wrong(
        &[("a", "(then skip (or-else d b))"), ("b", "c"), ("c", "(repeat b)"), ("d", "smt")],
        &["the strategies `b` -> `c` -> `b`"],
    );
    wrong(&[("a", "(then a smt)")], &["`a` uses itself"]);
    // Through a default strategy that has got another meaning.
    wrong(&[("qfbv", "(then simplify mine)"), ("mine", "(then skip qfbv)")], &["`mine` -> `qfbv` -> `mine`"]);
    wrong(&[("simplify", "smt")], &["`simplify` has the name of a tactic", "choose another name"]);
    wrong(&[("skip", "smt")], &["has the name of a tactic"]);
    wrong(&[("then", "smt")], &["has the name of a tactical"]);
    wrong(&[("orelse", "smt")], &["has the name of a tactical"]);
    for name in ["", "two words", "(", "3rd", "a|b", "größer"] {
        wrong(&[(name, "smt")], &["cannot name a strategy"]);
    }
    wrong(&[("a", "(then smt")], &["in the strategy `a`", "never closed"]);
    wrong(&[("a", "(then b smtt)"), ("b", "skip")], &["in the strategy `a`: there is no tactic `smtt`; did you mean"]);
    // Thirty names make a strategy of a thousand million parts.
    let names: Vec<(String, String)> = (0..30)
        .map(|n| (format!("s{n}"), format!("(then s{} s{0})", n + 1)))
        .chain([("s30".into(), "smt".into())])
        .collect();
    let pairs: Vec<(&str, &str)> = names.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    wrong(&pairs, &["has more than 10000 parts", "use fewer nested names"]);
}

#[test]
fn named_strategies_mean_the_same_whatever_their_order() {
    let check = |pairs: &[(&str, &str)], text: &str, expect: &str| {
        let named = pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let mut vocabulary = strategy::vocabulary();
        strategy::defaults::add_named_defaults(&mut vocabulary);
        let all = with_named(vocabulary, &named).unwrap_or_else(|error| panic!("{error}"));
        let read = parse_strategy(text, &all).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.to_string(), expect);
    };
    check(
        &[("a", "(then b b)"), ("b", "(repeat c 3)"), ("c", "nnf")],
        "(try-for a 5)",
        "(try-for (then (repeat nnf 3) (repeat nnf 3)) 5)",
    );
    check(&[("z", "nnf"), ("a", "(or-else z (z))")], "a", "(or-else nnf nnf)");
    // A default with a meaning of the user's has it in all others, before and after it by name.
    check(
        &[("a", "(repeat qfbv 2)"), ("qfbv", "nnf"), ("z", "(repeat qfbv 3)")],
        "(then a z)",
        "(then (repeat nnf 2) (repeat nnf 3))",
    );
    // Parameters reach the tactics that a name stands for.
    check(
        &[("a", "(then simplify b)"), ("b", "bit-blast")],
        "(! a :max-gates 3)",
        "(using-params (then simplify bit-blast) :max-gates 3)",
    );
    check(&[("a", "(! b :max-gates 3)"), ("b", "bit-blast")], "a", "(using-params bit-blast :max-gates 3)");
    // A solver with the name of a strategy is none.
    check(
        &[("both", "(par-or mine (solver mine))"), ("mine", "(then nnf (solver both))")],
        "mine",
        "(then nnf (solver both))",
    );
}
