//! The laws of `core`: no mutant that is said to have no model has one, what is certified is refuted again from the text, checks
//! between are satisfied by their witness, and the same numbers give the same bytes.

use crate::support::exhaustion::decided;
use crate::support::{SCRIPTS, own_seeds, parents};
use finding::Trust;
use mutate::choice::MutatorChoice;
use mutate::core::{self, Core, CoreConfig};
use mutate::parameter::ParameterError;
use mutate::{Batch, Mutant, MutantRequest, Mutator, TargetSpelling, Unfit, Unit};
use proptest::prelude::*;
use semantics::truth::witness::certify_check;
use smtlib::{Command, Status};

fn configured(settings: &[(&str, &str)]) -> Result<CoreConfig, ParameterError> {
    core::PARAMETERS.over(CoreConfig::default(), "core", settings)
}

fn config(settings: &[(&str, &str)]) -> CoreConfig {
    configured(settings).expect("the settings are right")
}

#[derive(Clone, Copy, Default, Debug)]
struct CoreCounts {
    mutants: usize,
    certified: usize,
    /// Checks.
    sat: usize,
    unsat: usize,
    /// Checks without a model that exhaustion refutes again.
    refuted: usize,
}

/// Everything that must hold of one mutant.
fn check(batch: &mut dyn Batch, index: u64, counts: &mut CoreCounts) -> Mutant {
    let mut mutant = Mutant::default();
    batch.mutant(index, &mut mutant);
    let context = || format!("index {index}, {:?}, {:?}\n{}", mutant.truth, mutant.expected, mutant.text);
    assert!(!mutant.expected.is_empty(), "{:?}", batch.failure());
    let mut store = batch.store().clone();
    let parsed = smtlib::parse(&mut store, &mutant.text);
    assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, context());
    let mut levels = 0i64;
    for command in &parsed.script.commands {
        match command {
            Command::Push(n) => levels += i64::from(*n),
            Command::Pop(n) => levels -= i64::from(*n),
            _ => {}
        }
        assert!(levels >= 0, "{}", context());
    }
    let instances = parsed.script.instances();
    assert_eq!(instances.len(), mutant.expected.len(), "{}", context());
    assert!(mutant.expected.contains(&Status::Unsat), "{}", context());
    counts.mutants += 1;
    counts.certified += usize::from(mutant.truth == Some(Trust::Certified));
    for (n, (instance, expected)) in instances.iter().zip(&mutant.expected).enumerate() {
        let exhausted = decided(&mut store, &instance.assertions);
        let witness = batch.check_witness(index, n);
        match expected {
            Status::Sat => {
                let witness = witness.expect("a satisfiable check has a witness");
                let certified = certify_check(batch.store(), &witness, &mutant.text, mutant.expected.len(), n);
                assert!(certified.is_ok(), "check {n}: {certified:?}\n{}", context());
                assert_ne!(exhausted, Some(Status::Unsat), "check {n}\n{}", context());
                counts.sat += 1;
            }
            Status::Unsat => {
                assert!(witness.is_none(), "check {n}\n{}", context());
                assert_ne!(exhausted, Some(Status::Sat), "check {n}\n{}", context());
                assert!(exhausted.is_some() || mutant.truth != Some(Trust::Certified), "check {n}\n{}", context());
                counts.unsat += 1;
                counts.refuted += usize::from(exhausted.is_some());
            }
            Status::Unknown => panic!("check {n} has no known answer\n{}", context()),
        }
    }
    mutant
}

/// Checks mutants of two scripts.
fn check_pair(
    texts: [&str; 2],
    config: &CoreConfig,
    indices: std::ops::Range<u64>,
) -> Result<(CoreCounts, Vec<Mutant>), Unfit> {
    let (mut store, parents) = parents(&texts);
    let target = TargetSpelling::default();
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 5, number: 3 } };
    let mut batch = Core { config: config.clone() }.batch(&mut store, request)?;
    let mut counts = CoreCounts::default();
    let mutants = indices.map(|index| check(&mut batch, index, &mut counts)).collect();
    Ok((counts, mutants))
}

const SMALL: &str = "(declare-const x (_ BitVec 2))(declare-const b Bool)(declare-const n Int)
    (assert (<= 0 n 3))(assert (or b (bvult x #b10)))(assert (=> b (= x #b11)))(assert (and (distinct x #b00) (> n 0)))
    (assert (or (= (bvmul x x) #b00) (= n 0)))(assert (= b (> (* n n) 4)))(assert (=> (= x #b10) b))(check-sat)";
const GUARDED: &str = "(declare-const s String)(declare-const r Real)
    (assert (or (= s \"a\") (= s \"ab\")))(assert (or (= r 0.5) (= r (- 1.5))))
    (assert (=> (> r 0.0) (= (str.len s) 3)))(assert (or (> r 0.0) (str.contains s \"c\")))(check-sat)";
const LABELLED: &str = "(set-info :status unsat)(set-logic QF_NIA)(declare-const y Int)(declare-const z Int)
    (assert (> (* y y) (+ z 5)))(assert (= z (* y y)))(assert (< y 9))(check-sat)";
const SATISFIABLE: &str = "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not p))(check-sat)";

#[test]
fn cores_of_small_scripts_stay_refuted() {
    for first in [SMALL, GUARDED] {
        for second in [SATISFIABLE, SMALL, GUARDED] {
            let (counts, _) = check_pair([first, second], &CoreConfig::default(), 0..60).expect("it is fit");
            assert!(counts.certified * 10 >= counts.mutants * 8, "{counts:?}\n{first}\n{second}");
            assert!(counts.sat > 5 && counts.refuted > 60, "{counts:?}\n{first}\n{second}");
        }
    }
}

/// The second seed may have the core, and need not be finite.
#[test]
fn any_second_seed_is_filler() {
    for second in SCRIPTS {
        for texts in [[SMALL, second], [second, SMALL]] {
            let (counts, _) = check_pair(texts, &CoreConfig::default(), 0..20).expect("it is fit");
            assert!(counts.refuted * 2 > counts.unsat, "{counts:?}\n{second}");
        }
        let (counts, mutants) = check_pair([LABELLED, second], &CoreConfig::default(), 0..20).expect("it is fit");
        assert_eq!(counts.certified, 0);
        assert!(
            mutants
                .iter()
                .all(|m| matches!(&m.truth, Some(Trust::Trusted(who)) if who.to_string().contains(":status")))
        );
    }
}

#[test]
fn own_seeds_with_a_label_give_mutants() {
    let step = testing::amount("SQUALL_CORE_STEP", 2);
    let paths = own_seeds();
    let (mut fit, mut seen, mut all) = (0, 0, CoreCounts::default());
    for pair in paths.windows(2).filter(|pair| pair[0].parent() == pair[1].parent()).step_by(step) {
        let texts = [0, 1].map(|n: usize| std::fs::read_to_string(&pair[n]).expect("the seed is readable"));
        seen += 1;
        match check_pair([&texts[0], &texts[1]], &CoreConfig::default(), 0..4) {
            Ok((counts, _)) => {
                fit += 1;
                all.unsat += counts.unsat;
                all.refuted += counts.refuted;
            }
            Err(unfit) => assert!(unfit.to_string().contains("seed"), "{unfit}"),
        }
    }
    println!("{fit} of {seen} pairs fit; {all:?}");
    assert!(seen > 10 && fit * 3 > seen, "{fit} of {seen} pairs are fit");
}

/// Every mutant that a chain says to have no model is refuted by exhaustion.
#[test]
fn chains_after_small_worlds_are_certified() {
    let check_chain = |name: &str, texts: &[&str]| {
        let mutator = MutatorChoice::read(name).and_then(|c| c.build(&[])).expect("the chain is there");
        let target = TargetSpelling::default();
        let (mut all, mut passed) = (CoreCounts::default(), 0);
        for number in 0..testing::amount("SQUALL_CORE_CHAINS", 8) as u64 {
            let (mut store, parents) = parents(texts);
            let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 9, number } };
            let Ok(mut batch) = mutator.prepare(&mut store, request) else { continue };
            for round in 0..3 {
                for index in 20 * round..20 * round + 6 {
                    let mut mutant = Mutant::default();
                    batch.mutant(index, &mut mutant);
                    let was_passed = batch.parameters(index).contains(&("passed-over", "core".to_string()));
                    if was_passed {
                        passed += 1;
                        break;
                    }
                    check(&mut *batch, index, &mut all);
                }
            }
        }
        println!("{name}: {passed} rounds without, {all:?}");
        assert!(all.certified * 10 >= all.mutants * 6 && all.mutants > 20, "{name}: {all:?}");
        assert!(all.refuted * 10 >= all.unsat * 6, "{name}: {all:?}");
    };
    check_chain("finite>core", &[]);
    check_chain("shrink>core", &[SCRIPTS[0]]);
}

/// Each way to hide a formula shows in the text.
#[test]
fn parameters_say_how_a_core_is_hidden() {
    let with = |text: &'static str, settings: &[(&str, &str)]| {
        let (_, mutants) = check_pair([SMALL, SATISFIABLE], &config(settings), 0..60).expect("it is fit");
        mutants.iter().filter(|mutant| mutant.text.contains(text)).count()
    };
    let check = |settings: &[(&str, &str)], text: &'static str, within: std::ops::RangeInclusive<usize>| {
        let found = with(text, settings);
        assert!(within.contains(&found), "{found} of 60 have {text} with {settings:?}");
    };
    let plain = [("hidden", "0"), ("weakened", "0"), ("lets", "0"), ("incremental", "0"), ("minimal", "0")];
    let but = |name: &'static str, value: &'static str| {
        let mut settings = plain.to_vec();
        settings.retain(|(known, _)| *known != name);
        settings.push((name, value));
        settings
    };
    check(&plain, "(assert (=> b (= x #b11)))", 60..=60);
    check(&plain, "hold", 0..=0);
    check(&plain, "bound!part", 0..=0);
    check(&plain, "(push ", 0..=0);
    check(&but("hidden", "100"), "(assert (=> b (= x #b11)))", 0..=30);
    check(&but("hidden", "100"), "(assert (= hold!", 10..=60);
    check(&but("weakened", "100"), "(assert (=> b (= x #b11)))", 0..=45);
    check(&but("lets", "100"), "(let ((bound!part ", 50..=60);
    check(&but("incremental", "100"), "(push ", 60..=60);
    let quantified = [("hidden", "100"), ("quantified", "100")];
    check(&quantified, "ists ((v", 10..=60);
    check(&quantified, "(forall ((v", 10..=60);
    check(&[("hidden", "100"), ("quantified", "0")], "all ((v", 0..=0);
    check(&[("second", "0")], "(declare-fun q!1 ", 0..=0);
    check(&[("second", "100")], "(declare-fun q!1 ", 20..=60);
}

/// A solver with a list of logics gets quantifiers only where the seed has them.
#[test]
fn quantifiers_are_for_solvers_that_take_them() {
    let (mut store, parents) = parents(&[SMALL, SATISFIABLE]);
    let target = TargetSpelling { logics: vec![0], ..TargetSpelling::default() };
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 5, number: 3 } };
    let core = Core { config: config(&[("quantified", "100")]) };
    let mut batch = core.batch(&mut store, request).expect("it is fit");
    for index in 0..40 {
        let mutant = check(&mut batch, index, &mut CoreCounts::default());
        assert!(!mutant.text.contains("forall") && !mutant.text.contains("exists"), "{}", mutant.text);
    }
}

#[test]
fn the_same_numbers_give_the_same_bytes() {
    let (store, parents) = parents(&[SMALL, SCRIPTS[1]]);
    let target = TargetSpelling::default();
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 1, number: 2 } };
    let made = |order: &[u64]| {
        let mut store = store.clone();
        let mut batch = Core::default().batch(&mut store, request).expect("it is fit");
        let one = |&index: &u64| {
            batch.check_witness(index + 3, 0);
            let mut mutant = Mutant::default();
            batch.mutant(index, &mut mutant);
            mutant
        };
        order.iter().map(one).collect::<Vec<_>>()
    };
    let all = made(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let again = made(&[9, 4, 7, 4, 0]);
    assert_eq!(again, [9, 4, 7, 4, 0].map(|index| all[index].clone()));
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn what_is_unfit_is_said() {
    let run = |texts: [&str; 2]| {
        check_pair(texts, &CoreConfig::default(), 0..1).err().map_or(String::new(), |unfit| unfit.to_string())
    };
    let check = |texts: [&str; 2], words: &str| {
        let message = run(texts);
        assert!(message.contains(words) && message.is_empty() == words.is_empty(), "{texts:?}: {message}");
    };
    check([SMALL, SATISFIABLE], "");
    check([SATISFIABLE, LABELLED], "");
    check([SATISFIABLE, SATISFIABLE], "the seed is satisfiable");
    check([SCRIPTS[0], SATISFIABLE], "neither exhaustion nor its :status");
    // A label that exhaustion refutes, and one that an assignment refutes.
    check(
        ["(set-info :status unsat)(declare-const p Bool)(assert p)(check-sat)", SATISFIABLE],
        "the seed is satisfiable",
    );
    let wrong = "(set-info :status unsat)(declare-const x Int)(assert (or (= x x) (> x 0)))(check-sat)";
    check([wrong, SATISFIABLE], ":status is wrong");
    let endless =
        "(set-info :status unsat)(define-fun-rec f ((n Int)) Int (+ 1 (f n)))(assert (= (f 0) (f 1)))(check-sat)";
    check([endless, SATISFIABLE], "not proven total");
    let (mut store, parents) = parents(&[SMALL]);
    let target = TargetSpelling::default();
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 0, number: 0 } };
    let unfit = Core::default().prepare(&mut store, request).map(|_| ()).err();
    assert_eq!(unfit, Some(Unfit::Parents { expected: 2, given: 1 }));
    for (name, value) in [("layers", "0"), ("layers", "1-7"), ("hidden", "101"), ("filler", "0"), ("depth", "1")] {
        assert!(configured(&[(name, value)]).is_err(), "{name}={value}");
    }
    assert!(configured(&[("layers", "6")]).is_ok());
}

/// Hidden formulas and filler are bounded, whatever the parameters.
#[test]
fn mutants_are_bounded() {
    let config = config(&[("layers", "6"), ("hidden", "100"), ("filler", "500"), ("max-bytes", "3000")]);
    let (_, mutants) = check_pair([SMALL, SCRIPTS[0]], &config, 0..20).expect("it is fit");
    for mutant in mutants {
        assert!(mutant.text.len() < 7 * (1 << 14) + 10_000, "{} bytes", mutant.text.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_configuration_keeps_the_laws(
        (first, second) in (0..3usize, 0..SCRIPTS.len()),
        (number, index) in (any::<u64>(), 0u64..1000),
        (hidden, weakened, minimal) in (0u32..=100, 0u32..=100, 0u32..=100),
        (second_percent, quantified, lets, incremental) in (0u32..=100, 0u32..=100, 0u32..=100, 0u32..=100),
        checks in 1u32..10,
    ) {
        let first = [SMALL, GUARDED, LABELLED][first];
        let mut config =
            CoreConfig { hidden, weakened, minimal, second: second_percent, quantified, lets, ..CoreConfig::default() };
        config.query.incremental = incremental;
        config.query.max_checks = checks;
        let (mut store, parents) = parents(&[first, SCRIPTS[second]]);
        let target = TargetSpelling::default();
        let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 5, number } };
        let mut batch = Core { config }.batch(&mut store, request).expect("it is fit");
        let mutant = check(&mut batch, index, &mut CoreCounts::default());
        prop_assert!(mutant.expected.len() <= checks as usize);
    }
}
