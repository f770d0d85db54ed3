//! The laws of `weave`: every mutant reads back, every assertion live at a check is true under the check's own witness, bounds
//! are kept, the same numbers give the same bytes, and the assignments are really several.

use crate::support::{SCRIPTS, own_seeds, parent, read, scripts, try_read};
use finding::Trust;
use mutate::parameter::ParameterError;
use mutate::weave::{self, Weave, WeaveBatch, WeaveConfig};
use mutate::{Batch, Mutant, MutantRequest, Parent, TargetSpelling, Unfit, Unit};
use proptest::prelude::*;
use semantics::truth::witness::{NotCertified, certify, certify_check};
use smtlib::{Command, Instance, Status, Store};

fn configured(settings: &[(&str, &str)]) -> Result<WeaveConfig, ParameterError> {
    weave::PARAMETERS.over(WeaveConfig::default(), "weave", settings)
}

fn config(settings: &[(&str, &str)]) -> WeaveConfig {
    configured(settings).expect("the settings are right")
}

/// Runs `body` on the batch of one instance.
fn with_batch(
    store: &Store,
    parent: &Parent,
    config: &WeaveConfig,
    unit: Unit,
    body: impl FnOnce(&mut WeaveBatch<'_>),
) -> Result<(), Unfit> {
    let mut store = store.clone();
    let target = TargetSpelling::default();
    let parents = [parent.clone()];
    let weave = Weave { config: config.clone() };
    let mut batch = weave.batch(&mut store, MutantRequest { parents: &parents, target: &target, unit })?;
    body(&mut batch);
    Ok(())
}

/// Everything that must hold of one mutant.
fn check(batch: &mut WeaveBatch<'_>, index: u64, config: &WeaveConfig) {
    let mut mutant = Mutant::default();
    batch.mutant(index, &mut mutant);
    let context = || format!("index {index}\n{}", mutant.text);
    let checks = mutant.expected.len();
    assert!(checks > 0 && mutant.expected.iter().all(|&e| e == Status::Sat), "{}", context());
    assert_eq!(mutant.truth, Some(Trust::Certified), "{}", context());
    assert_eq!(batch.witnesses(index).len(), checks, "{}", context());

    let mut store = batch.store().clone();
    let parsed = smtlib::parse(&mut store, &mutant.text);
    assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, context());
    let (mut levels, mut asserts) = (0i64, 0);
    for command in &parsed.script.commands {
        match command {
            Command::Push(n) => levels += i64::from(*n),
            Command::Pop(n) => levels -= i64::from(*n),
            Command::Assert(t, name) => {
                asserts += 1;
                assert!(store.depth(*t) <= config.max_depth && name.is_none(), "{}", context());
            }
            _ => {}
        }
        assert!(levels >= 0, "{}", context());
    }
    assert!((1..=config.max_asserts).contains(&asserts), "{asserts} assertions: {}", context());
    assert!(checks <= config.query.max_checks as usize, "{}", context());

    for check in 0..checks {
        let witness = batch.check_witness(index, check).expect("each check has a witness");
        match certify_check(batch.store(), &witness, &mutant.text, checks, check) {
            Ok(certificate) => assert_eq!(certificate.checks, 1),
            Err(why) => panic!("{why}\n{}", context()),
        }
    }
    if let Some(witness) = batch.witness(index) {
        certify(batch.store(), &witness, &mutant.text, checks).unwrap_or_else(|why| panic!("{why}\n{}", context()));
    }
}

/// Checks some mutants of every instance of a script; the number of units that gave any.
fn check_script(store: &Store, instances: &[Instance], config: &WeaveConfig, units: u64, mutants: u64) -> usize {
    let mut fit = 0;
    for instance in instances {
        let parent = parent(instance);
        for number in 0..units {
            let made = with_batch(store, &parent, config, Unit { campaign: 11, number }, |batch| {
                (0..mutants).for_each(|index| check(batch, index, config));
            });
            fit += usize::from(made.is_ok());
        }
    }
    fit
}

#[test]
fn mutants_of_small_scripts_are_certified() {
    for script in SCRIPTS {
        let (store, instances) = read(script);
        let settings = [("incremental", "50"), ("tactics", "smt;(then simplify smt)"), ("tactical", "50")];
        let fit = check_script(&store, &instances, &config(&settings), 6, 40);
        assert!(fit > 0, "no two assignments differ: {script}");
    }
}

#[test]
fn bounds_hold_at_their_edges() {
    let (store, instances) = read(SCRIPTS[0]);
    for (depth, asserts, checks) in [("3", "1", "1"), ("4", "2", "1"), ("5", "64", "64"), ("200", "200", "3")] {
        let settings = [("max-depth", depth), ("max-asserts", asserts), ("max-checks", checks), ("incremental", "60")];
        assert!(check_script(&store, &instances, &config(&settings), 4, 30) > 0, "depth {depth}");
    }
    // Nothing of the seed is this shallow.
    assert_eq!(check_script(&store, &instances, &config(&[("max-depth", "0")]), 4, 1), 0);
}

#[test]
fn mutants_of_own_seeds_are_certified() {
    let seeds = own_seeds();
    let mut fit = 0;
    for path in &seeds {
        let text = std::fs::read_to_string(path).expect("own seeds are readable");
        let Some((store, instances)) = try_read(&text) else { panic!("{} does not read", path.display()) };
        let settings = config(&[("max-asserts", "20"), ("constructed", "60")]);
        fit += usize::from(check_script(&store, &instances, &settings, 1, 3) > 0);
    }
    assert!(!seeds.is_empty() && fit * 20 >= seeds.len() * 17, "only {fit} of {} seeds give mutants", seeds.len());
}

#[test]
fn mutants_of_shared_seeds_are_certified() {
    let Some(dir) = testing::shared("seeds") else { return };
    let mut fit = 0;
    for path in scripts(&dir.join("seeds")).iter().skip(3).step_by(14) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if text.len() > 60_000 {
            continue;
        }
        let Some((store, instances)) = try_read(&text) else { continue };
        let settings = config(&[("max-asserts", "10"), ("constructed", "50")]);
        fit += usize::from(check_script(&store, &instances[..instances.len().min(2)], &settings, 1, 2) > 0);
    }
    assert!(fit > 0);
}

#[test]
fn the_same_numbers_give_the_same_bytes() {
    let config = config(&[("incremental", "50"), ("tactics", "smt"), ("constructed", "80")]);
    let (store, instances) = read(SCRIPTS[0]);
    let parent = parent(&instances[0]);
    let made = |order: Vec<u64>| {
        let mut made = vec![(String::new(), Vec::new()); order.len()];
        let done = with_batch(&store, &parent, &config, Unit { campaign: 5, number: 9 }, |batch| {
            let mut mutant = Mutant::default();
            for index in order {
                // Who is asked for the witness of another mutant first must not matter.
                batch.check_witness(index + 7, 0);
                batch.mutant(index, &mut mutant);
                made[index as usize] = (mutant.text.clone(), batch.witnesses(index));
            }
        });
        assert_eq!(done, Ok(()));
        made
    };
    let all = made((0..40).collect());
    assert_eq!(all, made((0..40).rev().collect()));
    let different: std::collections::HashSet<&String> = all.iter().map(|(text, _)| text).collect();
    assert!(different.len() > 30, "only {} are different", different.len());
}

/// The checks of a session have different witnesses, which satisfy different checks.
#[test]
fn each_check_has_a_witness_of_its_own() {
    let (store, instances) = read(SCRIPTS[0]);
    for assuming in ["0", "100"] {
        let config = config(&[("incremental", "100"), ("max-asserts", "40"), ("assuming", assuming)]);
        let (mut several, mut refuted, mut assumed) = (0, 0, 0);
        for number in 0..5 {
            let _ = with_batch(&store, &parent(&instances[0]), &config, Unit { campaign: 1, number }, |batch| {
                for index in 0..20 {
                    let mut mutant = Mutant::default();
                    batch.mutant(index, &mut mutant);
                    assumed += mutant.text.matches("(check-sat-assuming (").count();
                    let (witnesses, checks) = (batch.witnesses(index), mutant.expected.len());
                    if witnesses.iter().all(|w| *w == witnesses[0]) {
                        continue;
                    }
                    several += 1;
                    assert!(batch.witness(index).is_none(), "no single witness is known\n{}", mutant.text);
                    let last = batch.check_witness(index, checks - 1).expect("each check has a witness");
                    let other = (0..checks).find(|&n| witnesses[n] != witnesses[checks - 1]).expect("they differ");
                    let verdict = certify_check(batch.store(), &last, &mutant.text, checks, other);
                    refuted += usize::from(matches!(verdict, Err(NotCertified::Assertion { .. })));
                }
            });
        }
        assert!(several > 20, "assuming {assuming}: {several} mutants have several witnesses");
        assert!(refuted > 10, "assuming {assuming}: {refuted} of {several} need them");
        assert_eq!(assumed > 0, assuming == "100");
    }
}

/// With neither steering nor anything else that narrows, all assignments satisfy a mutant; steering leaves fewer.
#[test]
fn steering_rules_assignments_out() {
    let (store, instances) = read(SCRIPTS[0]);
    let steered = |steering: &str| {
        let settings = [
            ("assignments", "2"),
            ("steering", steering),
            ("shared", "100"),
            ("guarded", "0"),
            ("blocking", "0"),
            ("incremental", "0"),
        ];
        let (mut one, mut all) = (0, 0);
        for number in 0..5 {
            let _ =
                with_batch(&store, &parent(&instances[0]), &config(&settings), Unit { campaign: 2, number }, |batch| {
                    for index in 0..20 {
                        let mut mutant = Mutant::default();
                        batch.mutant(index, &mut mutant);
                        let own = batch.witnesses(index)[0];
                        let witness = batch.assignment(1 - own).expect("there are two assignments");
                        match certify(batch.store(), &witness, &mutant.text, 1) {
                            Ok(_) => all += 1,
                            Err(NotCertified::Assertion { .. }) => one += 1,
                            Err(why) => panic!("{why}\n{}", mutant.text),
                        }
                    }
                });
        }
        (one, all)
    };
    let (one, all) = steered("0");
    assert!(one == 0 && all > 0, "without steering {one} mutants have one witness, {all} two");
    let (one, all) = steered("50");
    assert!(one > 0 && all == 0, "with steering {one} mutants have one witness, {all} two");
}

#[test]
fn records_say_how_a_mutant_was_made() {
    let (store, instances) = read(SCRIPTS[0]);
    let config = config(&[("incremental", "100"), ("max-asserts", "7"), ("assignments", "3")]);
    let done = with_batch(&store, &parent(&instances[0]), &config, Unit { campaign: 3, number: 4 }, |batch| {
        let witnesses = batch.witnesses(2).len();
        let record = batch.parameters(2);
        let value = |name: &str| record.iter().find(|p| p.0 == name).map(|p| p.1.clone()).unwrap_or_default();
        assert_eq!((value("campaign"), value("unit"), value("index")), ("3".into(), "4".into(), "2".into()));
        assert_eq!(
            (value("mode"), value("max-asserts"), value("assignments")),
            ("incremental".into(), "7".into(), "3-3".into())
        );
        assert_eq!(value("assignments-used").split("; ").count(), 3);
        assert_eq!(value("witnesses").split("; ").count(), witnesses);
    });
    assert_eq!(done, Ok(()));
}

#[test]
fn wrong_settings_and_seeds_are_refused() {
    for (name, value) in [("assignments", "1"), ("assignments", "2-5"), ("steering", "101"), ("tactics", "random:")] {
        assert!(configured(&[(name, value)]).is_err(), "{name}={value}");
    }
    assert!(configured(&[("steer", "1")]).is_err());
    assert!(configured(&[("assignments", "4")]).is_ok());
    let unfit = |text: &str| {
        let (store, instances) = read(text);
        let unit = Unit { campaign: 0, number: 0 };
        with_batch(&store, &parent(&instances[0]), &WeaveConfig::default(), unit, |_| {}).err()
    };
    // Every assignment makes the only fragment true.
    let same = unfit("(declare-const x Int)(assert (= (* 0 x) 0))(check-sat)");
    assert!(matches!(same, Some(Unfit::Nothing(_))), "{same:?}");
    assert_eq!(unfit("(assert true)(check-sat)"), Some(Unfit::NoFragments { seen: 0 }));
    assert_eq!(unfit("(declare-const x Int)(assert (< x 4))(check-sat)"), None);
}

/// Names of the seed are not taken for selectors and names of fragments.
#[test]
fn fresh_names_are_new() {
    let (store, instances) = read(
        "(declare-const p Bool)(declare-fun s (Bool) Bool)(declare-const x Int)
         (assert (or p (s (> x 3))))(assert (= (< x 7) p))(check-sat)",
    );
    let config = config(&[("guarded", "100")]);
    assert!(check_script(&store, &instances, &config, 5, 30) > 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_configuration_keeps_the_laws(
        script in 0..SCRIPTS.len(),
        (campaign, number, index) in (any::<u64>(), any::<u64>(), 0u64..2000),
        (depth, asserts, checks) in (1u32..80, 1u32..80, 1u32..12),
        (incremental, assuming, steering, shared) in (0u32..=100, 0u32..=100, 0u32..=100, 0u32..=100),
        (guarded, blocking) in (0u32..=100, 0u32..=100),
    ) {
        let (store, instances) = read(SCRIPTS[script]);
        let mut config = WeaveConfig {
            max_depth: depth,
            max_asserts: asserts,
            assuming,
            steering,
            shared,
            guarded,
            blocking,
            ..WeaveConfig::default()
        };
        config.query.incremental = incremental;
        config.query.max_checks = checks;
        let _ = with_batch(&store, &parent(&instances[0]), &config, Unit { campaign, number }, |batch| {
            check(batch, index, &config);
        });
    }
}
