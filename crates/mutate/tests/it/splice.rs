//! The laws of `splice`: every check that is satisfiable holds under its own witness, every other one is refuted again from the
//! text, levels and declarations are in order, and the same numbers give the same bytes.

use crate::support::exhaustion::{self, decided};
use crate::support::{SCRIPTS, own_seeds, parents};
use finding::Trust;
use mutate::choice::MutatorChoice;
use mutate::parameter::ParameterError;
use mutate::splice::{self, Splice, SpliceConfig};
use mutate::{Batch, Mutant, MutantRequest, Mutator, TargetSpelling, Unfit, Unit};
use proptest::prelude::*;
use semantics::truth::witness::certify_check;
use smtlib::{Command, Status};

fn configured(settings: &[(&str, &str)]) -> Result<SpliceConfig, ParameterError> {
    splice::PARAMETERS.over(SpliceConfig::default(), "splice", settings)
}

fn config(settings: &[(&str, &str)]) -> SpliceConfig {
    configured(settings).expect("the settings are right")
}

/// A solver that knows `:global-declarations`.
fn choosing() -> TargetSpelling {
    TargetSpelling { options: vec![":global-declarations".into()], ..TargetSpelling::default() }
}

/// The counts of a unit's mutants.
#[derive(Clone, Copy, Default, Debug)]
struct SpliceCounts {
    mutants: usize,
    sat: usize,
    /// Refuted by exhaustion, and by a trusted status.
    refuted: usize,
    trusted: usize,
    /// Satisfiable after an unsatisfiable one.
    recovered: usize,
}

/// Everything that must hold of one mutant.
fn check(batch: &mut dyn Batch, index: u64, counts: &mut SpliceCounts) -> Mutant {
    let mut mutant = Mutant::default();
    batch.mutant(index, &mut mutant);
    if mutant.expected.is_empty() {
        assert!(batch.failure().is_some_and(|why| !why.is_empty()));
        return mutant;
    }
    let context = || format!("index {index}, {:?}, {:?}\n{}", mutant.truth, mutant.expected, mutant.text);
    let mut store = batch.store().clone();
    let parsed = smtlib::parse(&mut store, &mutant.text);
    assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, context());
    let mut levels = 0i64;
    for command in &parsed.script.commands {
        match command {
            Command::Push(n) => levels += i64::from(*n),
            Command::Pop(n) => levels -= i64::from(*n),
            Command::ResetAssertions => levels = 0,
            _ => {}
        }
        assert!((0..=12).contains(&levels), "{levels} levels\n{}", context());
    }
    counts.mutants += 1;
    let instances = parsed.script.instances();
    assert_eq!(instances.len(), mutant.expected.len(), "{}", context());
    for (n, (instance, expected)) in instances.iter().zip(&mutant.expected).enumerate() {
        let witness = batch.check_witness(index, n);
        let exhausted = decided(&mut store, instance);
        match expected {
            Status::Sat => {
                let witness = witness.expect("each satisfiable check has a witness");
                let certified = certify_check(batch.store(), &witness, &mutant.text, mutant.expected.len(), n);
                assert!(certified.is_ok(), "check {n}: {certified:?}\n{}", context());
                assert_ne!(exhausted, Some(Status::Unsat), "check {n}\n{}", context());
                counts.sat += 1;
                counts.recovered += usize::from(n > 0 && mutant.expected[n - 1] == Status::Unsat);
            }
            Status::Unsat => {
                assert!(witness.is_none(), "check {n}\n{}", context());
                assert_ne!(exhausted, Some(Status::Sat), "check {n}\n{}", context());
                match exhausted {
                    Some(_) => counts.refuted += 1,
                    None => {
                        assert!(matches!(mutant.truth, Some(Trust::Trusted(_))), "check {n}\n{}", context());
                        counts.trusted += 1;
                    }
                }
            }
            Status::Unknown => panic!("check {n} has no known answer\n{}", context()),
        }
    }
    mutant
}

/// Checks mutants of two scripts.
fn check_pair(
    texts: [&str; 2],
    config: &SpliceConfig,
    target: &TargetSpelling,
    indices: std::ops::Range<u64>,
) -> Result<SpliceCounts, Unfit> {
    let (mut store, parents) = parents(&texts);
    let request = MutantRequest { parents: &parents, target, unit: Unit { campaign: 5, number: 3 } };
    let mut batch = Splice { config: config.clone() }.batch(&mut store, request)?;
    let mut counts = SpliceCounts::default();
    for index in indices {
        let mutant = check(&mut batch, index, &mut counts);
        assert!(mutant.expected.len() <= config.checks.high as usize, "{}", mutant.text);
    }
    Ok(counts)
}

const SMALL: &str = "(declare-const x (_ BitVec 2))(declare-const b Bool)
    (assert (or b (bvult x #b10)))(assert (= b (= x #b11)))(assert (not (= (bvmul x x) #b01)))(check-sat)";
const SMALL_UNSAT: &str =
    "(declare-const n Int)(assert (<= 0 n 3))(assert (> (* n n) 4))(assert (distinct n 3))(check-sat)";
const LABELLED: &str = "(set-info :status unsat)(declare-const y Int)(declare-const z Int)
    (assert (> (* y y) (+ z 5)))(assert (= z (* y y)))(check-sat)";

#[test]
fn checks_of_small_scripts_are_proven_again() {
    let mut all = SpliceCounts::default();
    for first in SCRIPTS.iter().chain(&[SMALL]) {
        for second in SCRIPTS {
            for target in [TargetSpelling::default(), choosing()] {
                let counts = check_pair([first, second], &SpliceConfig::default(), &target, 0..6);
                let counts = counts.unwrap_or_else(|unfit| panic!("{unfit}\n{first}\n{second}"));
                assert!(counts.mutants > 3 && counts.sat > 10, "{counts:?}\n{first}\n{second}");
                all.recovered += counts.recovered;
            }
        }
    }
    assert!(all.recovered > 50, "{all:?}");
}

/// A seed refuted by exhaustion is certified together with any other seed, and labels are trusted.
#[test]
fn unsatisfiable_parts_refute_the_whole() {
    let run = |first, second| {
        check_pair([first, second], &SpliceConfig::default(), &choosing(), 0..40).expect("the seeds are fit")
    };
    let counts = run(SMALL, SMALL_UNSAT);
    assert!(counts.sat > 50 && counts.refuted > 50 && counts.trusted == 0, "{counts:?}");
    let counts = run(SMALL_UNSAT, SCRIPTS[0]);
    assert!(counts.sat > 50 && counts.refuted > 10 && counts.recovered > 10, "{counts:?}");
    let counts = run(LABELLED, SCRIPTS[0]);
    assert!(counts.sat > 50 && counts.trusted > 30, "{counts:?}");
}

#[test]
fn own_seeds_make_proven_sessions() {
    let step = testing::amount("SQUALL_SPLICE_STEP", 2);
    let paths = own_seeds();
    let (mut fit, mut seen, mut all) = (0, 0, SpliceCounts::default());
    for pair in paths.windows(2).filter(|pair| pair[0].parent() == pair[1].parent()).step_by(step) {
        let texts = [0, 1].map(|n: usize| std::fs::read_to_string(&pair[n]).expect("the seed is readable"));
        seen += 1;
        if let Ok(counts) = check_pair([&texts[0], &texts[1]], &SpliceConfig::default(), &choosing(), 0..4) {
            fit += 1;
            all.sat += counts.sat;
            all.refuted += counts.refuted;
            all.trusted += counts.trusted;
        }
    }
    println!("{fit} of {seen} pairs fit; {all:?}");
    assert!(seen > 10 && fit * 10 > seen * 8, "{fit} of {seen} pairs are fit");
}

/// Sessions of small worlds are certified both ways.
#[test]
fn chains_after_small_worlds_are_certified() {
    let check_chain = |name: &str, texts: &[&str]| {
        // Planted polynomials are no small worlds.
        let themes = [("theory", "bv,ints,datatypes,arrays")];
        let mutator = MutatorChoice::read(name).and_then(|c| c.build(&themes)).expect("the chain is there");
        let target = TargetSpelling::default();
        let (mut all, mut certified) = (SpliceCounts::default(), 0);
        for number in 0..testing::amount("SQUALL_SPLICE_CHAINS", 4) as u64 {
            let (mut store, parents) = parents(texts);
            let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 9, number } };
            let Ok(mut batch) = mutator.prepare(&mut store, request) else { continue };
            for index in 0..10 {
                let mutant = check(&mut *batch, index, &mut all);
                certified += usize::from(mutant.truth == Some(Trust::Certified) && mutant.expected.len() > 1);
            }
        }
        println!("{name}: {certified} certified, {all:?}");
        assert!(certified * 10 >= all.mutants * 8, "{name}: {certified}, {all:?}");
        assert!(all.sat > 20 && all.refuted > 10, "{name}: {all:?}");
    };
    check_chain("finite>splice", &[]);
    check_chain("shrink>splice", &[SCRIPTS[0]]);
}

#[test]
fn the_same_numbers_give_the_same_bytes() {
    let (store, parents) = parents(&[SMALL, SCRIPTS[1]]);
    let target = choosing();
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 1, number: 2 } };
    let made = |order: &[u64]| {
        let mut store = store.clone();
        let mut batch = Splice::default().batch(&mut store, request).expect("it is fit");
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
fn parameters_say_what_a_session_has() {
    let count = |settings: &[(&str, &str)], target: &TargetSpelling, text: &str| {
        let (mut store, parents) = parents(&[SMALL, SCRIPTS[0]]);
        let request = MutantRequest { parents: &parents, target, unit: Unit { campaign: 5, number: 3 } };
        let splice = Splice { config: config(settings) };
        let mut batch = splice.batch(&mut store, request).expect("it is fit");
        let mut found = 0;
        for index in 0..40 {
            let mut mutant = Mutant::default();
            batch.mutant(index, &mut mutant);
            found += usize::from(mutant.text.contains(text));
        }
        found
    };
    let plain = TargetSpelling::default();
    let check =
        |settings: &[(&str, &str)], target: &TargetSpelling, text: &str, within: std::ops::RangeInclusive<usize>| {
            let found = count(settings, target, text);
            assert!(within.contains(&found), "{found} of 40 have {text} with {settings:?}");
        };
    check(&[], &plain, "(pop ", 30..=40);
    check(&[("assuming", "100")], &plain, "(check-sat-assuming (", 30..=40);
    check(&[("assuming", "0")], &plain, "(check-sat-assuming (", 0..=0);
    check(&[("scoped", "100")], &plain, ":global-declarations", 0..=0);
    check(&[("scoped", "100")], &plain, "(reset-assertions)", 0..=0);
    check(&[("scoped", "100"), ("global", "0")], &choosing(), "(set-option :global-declarations false)", 40..=40);
    check(&[("scoped", "100"), ("global", "0")], &choosing(), "(reset-assertions)", 0..=0);
    check(&[("scoped", "100"), ("global", "100")], &choosing(), "(set-option :global-declarations true)", 40..=40);
    check(&[("scoped", "100"), ("global", "100")], &choosing(), "(reset-assertions)", 10..=40);
    check(&[("scoped", "0"), ("global", "100")], &choosing(), "(reset-assertions)", 0..=0);
    // `x` is declared where it is used, or first of all.
    check(&[("scoped", "0")], &plain, "()\n(push", 0..=0);
}

/// A definition may mention any function, so that all stand before it.
#[test]
fn seeds_with_definitions_are_declared_first() {
    let counts = check_pair([SCRIPTS[3], SMALL], &config(&[("scoped", "100")]), &choosing(), 0..20).expect("it is fit");
    assert!(counts.sat > 50, "{counts:?}");
}

#[test]
fn what_is_unfit_is_said() {
    let run = |texts: [&str; 2], settings: &[(&str, &str)]| {
        check_pair(texts, &config(settings), &TargetSpelling::default(), 0..1).err().map(|unfit| unfit.to_string())
    };
    let none = "(declare-const x Int)(check-sat)";
    assert_eq!(run([SMALL, SCRIPTS[0]], &[]), None);
    let message = run([SMALL, SCRIPTS[0]], &[("incremental", "0")]).unwrap_or_default();
    assert!(message.contains("incremental"), "{message}");
    for pair in [[SMALL, none], [none, SMALL]] {
        let message = run(pair, &[]).unwrap_or_default();
        assert!(message.contains("no fragment"), "{message}");
    }
    let (mut store, parents) = parents(&[SMALL]);
    let target = TargetSpelling::default();
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 0, number: 0 } };
    let unfit = Splice::default().prepare(&mut store, request).map(|_| ()).err();
    assert_eq!(unfit, Some(Unfit::Parents { expected: 2, given: 1 }));
    for (name, value) in [("checks", "0"), ("checks", "5-2"), ("refuting", "101"), ("max-bytes", "0"), ("levels", "1")]
    {
        assert!(configured(&[(name, value)]).is_err(), "{name}={value}");
    }
}

/// The bound on the text holds but for the step under way.
#[test]
fn mutants_are_bounded() {
    let config = config(&[("max-bytes", "2000"), ("checks", "200")]);
    let (mut store, parents) = parents(&[SMALL, SCRIPTS[0]]);
    let target = TargetSpelling::default();
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 0, number: 0 } };
    let mut batch = Splice { config }.batch(&mut store, request).expect("it is fit");
    for index in 0..40 {
        let mut mutant = Mutant::default();
        batch.mutant(index, &mut mutant);
        assert!((1000..6000).contains(&mutant.text.len()), "{} bytes", mutant.text.len());
    }
}

#[test]
fn exhaustion_of_the_tests_knows_both_answers() {
    exhaustion::check_itself();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_configuration_keeps_the_laws(
        (first, second) in (0..SCRIPTS.len() + 3, 0..SCRIPTS.len()),
        (number, index) in (any::<u64>(), 0u64..1000),
        (redundant, refuting, again) in (0u32..=100, 0u32..=100, 0u32..=100),
        (assuming, scoped, global) in (0u32..=100, 0u32..=100, 0u32..=100),
        fragments in 0u32..40,
    ) {
        let first = [SCRIPTS, &[SMALL, SMALL_UNSAT, LABELLED]].concat()[first];
        let config =
            SpliceConfig { redundant, refuting, again, assuming, scoped, global, fragments, ..SpliceConfig::default() };
        let (mut store, parents) = parents(&[first, SCRIPTS[second]]);
        let target = choosing();
        let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 5, number } };
        if let Ok(mut batch) = (Splice { config }).batch(&mut store, request) {
            check(&mut batch, index, &mut SpliceCounts::default());
        }
    }
}
