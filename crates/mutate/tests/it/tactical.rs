//! Mutants asked by tactics: nothing but the command changes, and as often as was said.

use finding::Trust;
use mutate::finite::FiniteMutator;
use mutate::query_mode::{QueryConfig, TacticalBatch, TacticalQueries};
use mutate::{Batch, Mutant, MutantRequest, TargetSpelling, Unit};
use semantics::truth::witness::certify;
use smtlib::Store;

const SEED: &str = "(set-logic QF_LIA)(declare-const x Int)(declare-const b Bool)(assert (=> b (< x 9)))\
                    (assert (or (= x 3) (> (* 2 x) 7)))(check-sat)";

fn query(tactical: u32, tactics: &str) -> QueryConfig {
    let mut query = QueryConfig { tactical, ..QueryConfig::default() };
    query.set_tactics(tactics).expect("a list");
    query
}

/// How a mutant is asked, by its record.
fn mode(batch: &mut dyn Batch, index: u64) -> String {
    let parameters = batch.parameters(index);
    parameters.into_iter().find(|(name, _)| *name == "mode").map_or("plain".to_string(), |(_, mode)| mode)
}

/// Makes the mutants of `name` with and without tactics, and says how many were asked by one.
fn check(name: &str, query: &QueryConfig) -> usize {
    let mutator = (mutate::mutators::find(name).expect("a mutator").build)(&[]).expect("its defaults");
    let (target, unit) = (TargetSpelling::default(), Unit { campaign: 1, number: 2 });
    let (mut store, parents) = crate::support::parents(&[SEED]);
    let mut other = store.clone();
    let request = MutantRequest { parents: &parents, target: &target, unit };
    let mut plain = mutator.prepare(&mut store, request).expect("mutants");
    let inner = mutator.prepare(&mut other, request).expect("mutants");
    let mut batch = TacticalBatch::new(inner, TacticalQueries::new(query.clone(), unit));
    let (mut mutant, mut expected, mut asked) = (Mutant::default(), Mutant::default(), 0);
    for index in 0..100 {
        plain.mutant(index, &mut expected);
        batch.mutant(index, &mut mutant);
        let mode = mode(&mut batch, index);
        let command = mode.strip_prefix("tactic ").map(|tactic| format!("(check-sat-using {tactic})"));
        asked += usize::from(command.is_some());
        let text = command.map_or(expected.text.clone(), |command| expected.text.replace("(check-sat)", &command));
        assert_eq!((&mutant.text, &mutant.expected), (&text, &expected.expected), "{name} {index}");
        if let (Some(Trust::Certified), Some(witness)) = (&mutant.truth, batch.witness(index)) {
            assert!(certify(batch.store(), &witness, &mutant.text, mutant.expected.len()).is_ok(), "{}", mutant.text);
        }
    }
    asked
}

#[test]
fn only_the_command_changes() {
    for name in ["operator", "generative", "shrink", "equal"] {
        assert_eq!(check(name, &query(100, "")), 0, "{name}: without tactics");
        assert_eq!(check(name, &query(0, "horn;(then simplify smt)")), 0, "{name}: never");
        assert_eq!(check(name, &query(100, "horn;(then simplify smt)")), 100, "{name}: always");
        let some = check(name, &query(30, "horn"));
        assert!((10..60).contains(&some), "{name}: {some} of 100 where 30 are wanted");
    }
}

#[test]
fn every_check_of_a_session_is_asked_but_those_under_assumptions() {
    let (target, mut mutant, mut mixed) = (TargetSpelling::default(), Mutant::default(), 0);
    for number in 0..40 {
        let unit = Unit { campaign: 3, number };
        let mut store = Store::new();
        let inner = Box::new(FiniteMutator::default().batch(&mut store, &target, unit));
        let mut batch = TacticalBatch::new(inner, TacticalQueries::new(query(100, "smt"), unit));
        for index in 0..4 {
            batch.mutant(index, &mut mutant);
            let (by_tactic, assuming) = (
                mutant.text.matches("(check-sat-using smt)").count(),
                mutant.text.matches("(check-sat-assuming ").count(),
            );
            assert!(!mutant.text.contains("(check-sat)"), "{}", mutant.text);
            let queries = mutant.text.matches("(query ").count();
            assert_eq!(by_tactic + assuming + queries, mutant.expected.len(), "{}", mutant.text);
            mixed += usize::from(by_tactic > 0 && assuming > 0);
        }
    }
    assert!(mixed > 0);
}
