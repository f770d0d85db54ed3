//! Random strategies are made of given names.

use mutate::query_mode::{RANDOM_STRATEGIES, StrategyNames};
use smtlib::strategy::{StrategyVocabulary, parse_strategy};

#[test]
fn random_strategies_are_well_formed_and_repeatable() {
    let text = " simplify smt qfbv nnf; num-consts is-qfbv; smt qfbv; simplify:som simplify:flat";
    let names = StrategyNames::read(text).expect("it names tactics");
    let again = StrategyNames::read(names.to_string().trim_start_matches(RANDOM_STRATEGIES));
    assert_eq!(again.as_ref(), Some(&names));
    let words = StrategyVocabulary::of_names(["simplify", "smt", "qfbv", "nnf"], ["num-consts", "is-qfbv"]);
    let mut different = std::collections::BTreeSet::new();
    for number in 0..500 {
        let made = names.strategy(number);
        assert_eq!(parse_strategy(&made.to_string(), &words).as_ref(), Ok(&made));
        assert_eq!(names.strategy(number), made);
        different.insert(made.to_string());
    }
    assert!(different.len() > 400, "only {} are different", different.len());
    assert_eq!(StrategyNames::read(" ; num-consts"), None);
}
