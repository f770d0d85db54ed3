//! Chains and the names of mutators: what is read, what is refused, and that chained mutants are what they claim to be.

use crate::support::{SCRIPTS, parent, read};
use finding::Trust;
use mutate::choice::{MutatorChoice, draw_order, names};
use mutate::{Mutant, MutantRequest, RandomStream, TargetSpelling, Unit};
use semantics::truth::witness::{certify, certify_check};
use smtlib::Status;

#[test]
fn lists_are_split_at_commas_before_a_command() {
    let check = |list: &str, expect: &[&str]| assert_eq!(names(list), expect, "{list}");
    check("storm", &["storm"]);
    check("storm:3, fusion:1", &["storm:3", "fusion:1"]);
    check("fusion>operator>storm,operator", &["fusion>operator>storm", "operator"]);
    check("storm,exec:python3 m.py, -x > y", &["storm", "exec:python3 m.py, -x > y"]);
    check("storm>exec:tr a,b > c", &["storm>exec:tr a,b > c"]);
}

#[test]
fn names_are_read() {
    let check = |name: &str, expect: Result<(&str, usize, u32), &str>| {
        let built = MutatorChoice::read(name).and_then(|choice| Ok((choice.build(&[])?, choice)));
        let found = built.map(|(mutator, choice)| {
            assert_eq!(choice.name(), mutator.name());
            (mutator.name().to_string(), mutator.parents(), choice.weight())
        });
        match (found, expect) {
            (Ok(found), Ok(expect)) => assert_eq!((found.0.as_str(), found.1, found.2), expect, "{name}"),
            (Err(error), Err(expect)) => assert!(error.to_string().contains(expect), "{name}: {error}"),
            (found, expect) => panic!("{name}: {found:?}, expected {expect:?}"),
        }
    };
    check("storm", Ok(("storm", 1, 1)));
    check("storm:3", Ok(("storm", 1, 3)));
    check("storm=3", Ok(("storm", 1, 3)));
    check("fusion>operator>storm", Ok(("fusion>operator>storm", 2, 1)));
    check("operator > storm : 2", Ok(("operator > storm", 1, 2)));
    check("exec:sed s/a=1/b:2/ > x", Ok(("exec", 1, 1)));
    check("storm>exec:cat", Ok(("storm>exec:cat", 1, 1)));
    check("storm:0", Err("is not a weight"));
    check("storm:many", Err("is not a weight"));
    check("strom", Err("no mutator 'strom'"));
    check("storm>", Err("no mutator ''"));
    check("storm>fusion", Ok(("storm>fusion", 1, 1)));
    check("", Err("no mutator ''"));
}

#[test]
fn weights_decide_how_often() {
    let of = |name: &str| {
        let choice = MutatorChoice::read(name).expect("the mutator is there");
        (choice.build(&[]).expect("it has no settings"), choice.weight())
    };
    let mutators = [of("storm:3"), of("operator")];
    let mut rng = RandomStream::from_seed(1);
    let first = (0..4000).filter(|_| draw_order(&mutators, &mut rng)[0].name() == "storm").count();
    assert!((2800..3200).contains(&first), "{first} of 4000");
}

/// Mutants of a chain over each script, checked one by one; returns how many were certified.
fn certified_mutants(chain: &str, count: u64) -> usize {
    let mutator = MutatorChoice::read(chain).and_then(|c| c.build(&[])).expect("the chain is there");
    let target = TargetSpelling::default();
    let mut certified = 0;
    for text in SCRIPTS {
        let (base, instances) = read(text);
        let parents = vec![parent(&instances[0]); mutator.parents()];
        let unit = Unit { campaign: 3, number: 9 };
        let request = MutantRequest { parents: &parents, target: &target, unit };
        let mut store = base.clone();
        let Ok(mut batch) = mutator.prepare(&mut store, request) else { continue };
        let mut texts = Vec::new();
        for index in 0..count {
            let mut mutant = Mutant::default();
            batch.mutant(index, &mut mutant);
            texts.push(mutant.text.clone());
            if mutant.truth == Some(Trust::Certified) {
                assert!(mutant.expected.iter().all(|e| *e == Status::Sat));
                let witness = batch.witness(index).expect("a certified mutant has a witness");
                let checked = certify(batch.store(), &witness, &mutant.text, mutant.expected.len());
                assert!(checked.is_ok(), "{chain}: {checked:?}\n{}", mutant.text);
                certified += 1;
            }
        }
        // Another batch, asked for one mutant of a later round only, makes the same.
        let mut store = base.clone();
        let mut again = mutator.prepare(&mut store, request).unwrap_or_else(|unfit| panic!("{unfit}"));
        let mut mutant = Mutant::default();
        again.mutant(count - 1, &mut mutant);
        assert_eq!(mutant.text, texts[count as usize - 1], "{chain}");
    }
    certified
}

#[test]
fn chained_mutants_are_certified_and_repeat() {
    for chain in [
        "operator>storm",
        "fusion>operator>storm",
        "generative>operator>generative",
        "storm>generative",
        "storm>fusion",
        "storm>skeleton",
        "skeleton>operator",
    ] {
        assert!(certified_mutants(chain, 45) > 100, "{chain}");
    }
}

#[test]
fn a_chain_changes_what_its_first_mutator_made() {
    let (store, instances) = read(SCRIPTS[0]);
    let parents = [parent(&instances[0]), parent(&instances[0])];
    let target = TargetSpelling::default();
    let text = |name: &str| {
        let mutator = MutatorChoice::read(name).and_then(|c| c.build(&[])).expect("the mutators are there");
        let mut store = store.clone();
        let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 0, number: 0 } };
        let mut batch = mutator.prepare(&mut store, request).unwrap_or_else(|unfit| panic!("{unfit}"));
        let mut mutant = Mutant::default();
        batch.mutant(0, &mut mutant);
        mutant.text
    };
    let (fused, chained) = (text("fusion"), text("fusion>operator"));
    assert_ne!(fused, chained);
    // The fresh constant of the fusion is still there.
    assert!(fused.contains("!f1") && chained.contains("!f1"), "{chained}");
}

/// Each problem of `finite` declares symbols of its own, whose numbers stand for others where another problem was made last: such a witness
/// named functions that the store did not have, and the next mutator of two seeds ended the campaign. One that is passed over leaves two problems
/// with one store.
#[test]
fn a_witness_of_another_store_is_not_handed_on() {
    let target = TargetSpelling::default();
    let mut certified = 0;
    for chain in ["finite>splice", "finite>fusion"] {
        let mutator = MutatorChoice::read(chain).and_then(|c| c.build(&[])).expect("the chain is there");
        for number in 0..20 {
            let (mut store, _) = read("");
            let request = MutantRequest { parents: &[], target: &target, unit: Unit { campaign: 41, number } };
            let Ok(mut batch) = mutator.prepare(&mut store, request) else { continue };
            let mut mutant = Mutant::default();
            batch.mutant(0, &mut mutant);
            for check in 0..mutant.expected.len() {
                let Some(witness) = batch.check_witness(0, check) else { continue };
                let checked = certify_check(batch.store(), &witness, &mutant.text, mutant.expected.len(), check);
                assert!(checked.is_ok(), "{chain}: {checked:?}\n{}", mutant.text);
                certified += 1;
            }
        }
    }
    assert!(certified > 30, "{certified}");
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_in_a_chain_says_why() {
    let (mut store, instances) = read(SCRIPTS[0]);
    let mutator = MutatorChoice::read("operator>exec:echo no >&2; exit 3").and_then(|c| c.build(&[])).expect("a chain");
    let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 0, number: 0 } };
    let mut batch = mutator.prepare(&mut store, request).unwrap_or_else(|unfit| panic!("{unfit}"));
    let mut mutant = Mutant::default();
    batch.mutant(0, &mut mutant);
    assert!(mutant.expected.is_empty());
    assert!(batch.failure().is_some_and(|why| why.contains("no")), "{:?}", batch.failure());
}
