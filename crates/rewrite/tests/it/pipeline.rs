//! Sequences of passes: their converters compose, in any order.

use crate::support::grammar::GRAMMARS;
use crate::support::{self, Random, check_step, decide, goal_of, read, texts};
use rewrite::passes::PASSES;
use rewrite::{PassSettings, Precision, pipeline};

#[test]
fn random_rows_of_passes_keep_goals_equisatisfiable() {
    let mut z3 = support::z3::Z3::start();
    let (mut decided, mut tried) = (0, 0);
    for (g, grammar) in GRAMMARS.iter().enumerate() {
        for seed in 0..25 {
            let mut random = Random(seed * 1000 + g as u64);
            let text = grammar.script(&mut random);
            let mut input = read(&text);
            let goal = goal_of(&mut input);
            let formulas: Vec<_> = goal.terms().collect();
            let Some(expect) = decide(&mut input.store, &formulas, &mut z3) else { continue };
            let names: Vec<&str> = (0..6).map(|_| PASSES[random.below(PASSES.len())].name).collect();
            match pipeline::run(&mut input.store, &names, goal, &PassSettings::default()) {
                Ok(step) => {
                    tried += 1;
                    let label = format!("{names:?} on {text}");
                    let steps = [step];
                    let checked = check_step(&label, &mut input.store, &formulas, expect.is_some(), &steps, &mut z3);
                    decided += usize::from(checked);
                }
                Err(error) => panic!("{names:?} on {text}: {error}"),
            }
        }
    }
    println!("{decided} of {tried} decided");
    assert!(decided * 2 > tried, "{decided} of {tried}");
}

#[test]
fn before_a_search_constraints_are_few_and_apart() {
    let text = "(declare-const x (_ FloatingPoint 8 24))(declare-const y (_ FloatingPoint 8 24))
        (declare-const z (_ FloatingPoint 8 24))(declare-const p Bool)
        (assert (and (= x y) (not (or (not p) (fp.isNaN z)))))
        (assert (fp.lt x (fp.neg (fp.neg z))))(assert (fp.gt z y))(assert (= p (fp.leq y y)))";
    let mut input = read(text);
    let goal = goal_of(&mut input);
    match pipeline::run(&mut input.store, pipeline::BEFORE_SEARCH, goal, &PassSettings::default()) {
        Ok(step) => {
            let expect = ["(not (fp.isNaN z))", "(fp.lt x z)", "(not (fp.isNaN x))"];
            assert_eq!(texts(&input.store, &step.goal), expect);
            assert_eq!(step.goal.precision, Precision::Exact);
        }
        Err(error) => panic!("{error}"),
    }
    let goal = goal_of(&mut input);
    assert!(pipeline::run(&mut input.store, &["no-such-pass"], goal, &PassSettings::default()).is_err());
}
