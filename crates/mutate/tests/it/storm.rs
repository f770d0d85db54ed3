//! STORM's laws: every mutant reads back, every assertion live at a check is true under the witness, bounds are kept, and
//! the same numbers give the same bytes.

use crate::support::{SCRIPTS, own_seeds, parent, read, scripts, try_read, with_batch};
use finding::Trust;
use mutate::query_mode::QueryConfig;
use mutate::storm::StormConfig;
use mutate::{Batch, Mutant, Unit};
use proptest::prelude::*;
use semantics::truth::witness::{NotCertified, certify, certify_check};
use smtlib::{Command, Instance, Status, Store};

/// Everything that must hold of one mutant.
fn check(batch: &mut dyn Batch, index: u64, config: &StormConfig) {
    let mut mutant = Mutant::default();
    batch.mutant(index, &mut mutant);
    let context = || format!("index {index}\n{}", mutant.text);
    assert!(!mutant.expected.is_empty() && mutant.expected.iter().all(|&e| e == Status::Sat), "{}", context());
    assert_eq!(mutant.truth, Some(Trust::Certified), "{}", context());

    let mut store = batch.store().clone();
    let parsed = smtlib::parse(&mut store, &mutant.text);
    assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, context());
    let (mut levels, mut asserts, mut checks) = (0i64, 0, 0);
    for command in &parsed.script.commands {
        match command {
            Command::Push(n) => levels += i64::from(*n),
            Command::Pop(n) => levels -= i64::from(*n),
            Command::Assert(t, name) => {
                asserts += 1;
                assert!(store.depth(*t) <= config.max_depth && name.is_none(), "{}", context());
            }
            c if c.is_check() => checks += 1,
            _ => {}
        }
        assert!(levels >= 0, "{}", context());
    }
    assert!((1..=config.max_asserts).contains(&asserts), "{}", context());
    assert!(checks <= config.query.max_checks && checks as usize == mutant.expected.len(), "{}", context());

    let witness = batch.witness(index).expect("a satisfiable mutant has a witness");
    match certify(batch.store(), &witness, &mutant.text, mutant.expected.len()) {
        Ok(certificate) => assert_eq!(certificate.checks, mutant.expected.len()),
        Err(why) => panic!("{why}\n{}", context()),
    }
}

/// Checks some mutants of every instance of a script; the number of instances that gave any.
fn check_script(store: &Store, instances: &[Instance], config: &StormConfig, units: u64, mutants: u64) -> usize {
    let mut fit = 0;
    for instance in instances {
        let parent = parent(instance);
        for number in 0..units {
            fit += usize::from(with_batch(store, &parent, config, Unit { campaign: 11, number }, |batch| {
                (0..mutants).for_each(|index| check(batch, index, config));
            }));
        }
    }
    fit
}

fn config(settings: &[(&str, &str)]) -> StormConfig {
    StormConfig::with(settings).expect("the settings are right")
}

#[test]
fn mutants_of_small_scripts_are_certified() {
    for script in SCRIPTS {
        let (store, instances) = read(script);
        let settings = [("incremental", "50"), ("tactics", "smt;(then simplify smt)"), ("tactical", "50")];
        let fit = check_script(&store, &instances, &config(&settings), 6, 40);
        assert!(fit > 0, "no fragment has a value: {script}");
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
    assert!(!seeds.is_empty());
    let mut fit = 0;
    for path in &seeds {
        let text = std::fs::read_to_string(path).expect("own seeds are readable");
        let Some((store, instances)) = try_read(&text) else { panic!("{} does not read", path.display()) };
        let settings = config(&[("max-asserts", "20"), ("constructed", "60")]);
        let these = check_script(&store, &instances, &settings, 1, 3);
        fit += usize::from(these > 0);
        if these == 0 {
            eprintln!("no fragment: {}", path.display());
        }
    }
    assert!(fit * 20 >= seeds.len() * 19, "only {fit} of {} seeds give mutants", seeds.len());
}

#[test]
fn mutants_of_shared_seeds_are_certified() {
    let Some(dir) = testing::shared("seeds") else { return };
    let mut fit = 0;
    let paths = scripts(&dir.join("seeds"));
    // A spread of all logics, not the same few of each folder; large files belong to the benchmarks.
    for path in paths.iter().step_by(7) {
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
    let config = config(&[("incremental", "30"), ("tactics", "smt"), ("constructed", "80")]);
    for script in SCRIPTS {
        let (store, instances) = read(script);
        let parent = parent(&instances[0]);
        let unit = Unit { campaign: 5, number: 9 };
        let texts = |order: &[u64]| {
            let mut texts = vec![String::new(); order.len()];
            with_batch(&store, &parent, &config, unit, |batch| {
                let mut mutant = Mutant::default();
                for &index in order {
                    batch.mutant(index, &mut mutant);
                    texts[index as usize] = mutant.text.clone();
                }
            });
            texts
        };
        let forwards: Vec<u64> = (0..20).collect();
        let backwards: Vec<u64> = (0..20).rev().collect();
        // The order of making does not matter either.
        assert_eq!(texts(&forwards), texts(&backwards), "{script}");
        let all = texts(&forwards);
        let different: std::collections::HashSet<&String> = all.iter().collect();
        assert!(different.len() > 15 || all[0].is_empty(), "{script}");
    }
}

#[test]
fn every_check_of_a_seed_is_its_own_instance() {
    let (store, instances) = read(SCRIPTS[3]);
    assert_eq!(instances.len(), 3);
    // The first check does not see `b`, which is declared after it.
    with_batch(&store, &parent(&instances[0]), &StormConfig::default(), Unit { campaign: 1, number: 1 }, |batch| {
        let mut mutant = Mutant::default();
        batch.mutant(0, &mut mutant);
        assert!(!mutant.text.contains("(declare-fun b"), "{}", mutant.text);
        assert!(mutant.text.contains("(define-fun m"), "{}", mutant.text);
    });
}

#[test]
fn preambles_keep_what_formulas_need() {
    let text = "(set-option :smt.arith.solver 2) (set-option :produce-models true) (set-info :status sat)
        (set-logic QF_UFDT) (declare-sort U 0) (declare-sort V 0) (declare-sort W 0)
        (define-sort A () (Array U V))
        (declare-datatypes ((D 0)) (((mk (f A))))) (declare-datatypes ((E 0)) (((e))))
        (declare-fun d () D) (declare-fun unused () E) (declare-fun w () W)
        (define-fun g ((x D)) A (f x)) (define-fun h () Bool (= w w))
        (declare-fun u () U)
        (assert (= (select (g d) u) (select (f d) u)))
        (check-sat)";
    let (mut store, instances) = read(text);
    let target = mutate::TargetSpelling { options: vec![":smt.*".into()], ..Default::default() };
    let request = mutate::MutantRequest {
        parents: &[parent(&instances[0])],
        target: &target,
        unit: Unit { campaign: 1, number: 0 },
    };
    let batch = mutate::storm::Storm::default().batch(&mut store, request);
    let Ok(mut batch) = batch else { panic!("the seed gives mutants") };
    let mut mutant = Mutant::default();
    batch.mutant(0, &mut mutant);
    let preamble: Vec<&str> = mutant.text.lines().take_while(|l| !l.starts_with("(assert")).collect();
    assert_eq!(
        preamble.iter().filter(|l| !l.starts_with("(push")).copied().collect::<Vec<_>>(),
        [
            "(set-option :smt.arith.solver 2)",
            "(set-logic QF_UFDT)",
            "(declare-sort U 0)",
            "(declare-sort V 0)",
            "(declare-datatypes ((D 0)) (((mk (f (Array U V))))))",
            "(declare-fun d () D)",
            "(define-fun g ((x D)) (Array U V) (f x))",
            "(declare-fun u () U)",
        ]
    );
}

#[test]
fn parameters_record_how_a_mutant_was_made() {
    let (store, instances) = read(SCRIPTS[0]);
    let config = config(&[("incremental", "100"), ("max-asserts", "7")]);
    with_batch(&store, &parent(&instances[0]), &config, Unit { campaign: 3, number: 4 }, |batch| {
        let record = batch.parameters(2);
        let value = |name: &str| record.iter().find(|p| p.0 == name).map(|p| p.1.as_str());
        assert_eq!(value("campaign"), Some("3"));
        assert_eq!(value("unit"), Some("4"));
        assert_eq!(value("index"), Some("2"));
        assert_eq!(value("mode"), Some("incremental"));
        assert_eq!(value("assignment-used"), Some("random"));
        assert_eq!(value("max-asserts"), Some("7"));
        let mut mutant = Mutant::default();
        batch.mutant(2, &mut mutant);
        let asserts = mutant.text.matches("(assert ").count().to_string();
        assert_eq!(value("assertions"), Some(asserts.as_str()));
    });
}

#[test]
fn a_seed_without_known_values_is_unfit() {
    let (mut store, instances) = read(
        "(declare-fun x () Int) (define-fun-rec f ((n Int)) Int (ite (= n 0) 0 (+ 1 (f n)))) (assert (= (f x) 1)) (check-sat)",
    );
    let target = mutate::TargetSpelling::default();
    let unit = Unit { campaign: 0, number: 0 };
    let parents = [parent(&instances[0])];
    let storm = mutate::storm::Storm::default();
    let error = storm.batch(&mut store, mutate::MutantRequest { parents: &parents, target: &target, unit }).err();
    assert_eq!(error, Some(mutate::Unfit::NoFragments { seen: 0 }));
    let error = storm.batch(&mut store, mutate::MutantRequest { parents: &[], target: &target, unit }).err();
    assert_eq!(error, Some(mutate::Unfit::Parents { expected: 1, given: 0 }));
}

#[test]
fn wrong_texts_are_not_certified() {
    let (store, instances) = read(SCRIPTS[0]);
    with_batch(&store, &parent(&instances[0]), &StormConfig::default(), Unit { campaign: 1, number: 1 }, |batch| {
        let mut mutant = Mutant::default();
        batch.mutant(0, &mut mutant);
        let witness = batch.witness(0).expect("there is a witness");
        let verdict = |text: &str, checks: usize| certify(batch.store(), &witness, text, checks);
        let checks = mutant.expected.len();
        assert!(verdict(&mutant.text, checks).is_ok());
        let certified = mutant.text.as_str();
        // A check that the witness does not satisfy leaves those before it certified, each alone.
        let longer = format!("{certified}(assert false)(check-sat)");
        let alone = |check| certify_check(batch.store(), &witness, &longer, checks + 1, check);
        assert!((0..checks).all(|check| alone(check).is_ok_and(|certificate| certificate.checks == 1)));
        assert!(matches!(alone(checks), Err(NotCertified::Assertion { .. })));
        assert!(matches!(alone(checks + 1), Err(NotCertified::Checks { .. })));
        type Case = (String, usize, fn(&NotCertified) -> bool);
        let cases: [Case; 6] = [
            (certified.to_string(), checks + 1, |e| matches!(e, NotCertified::Checks { .. })),
            (format!("{certified}(assert false)(check-sat)"), checks + 1, |e| {
                matches!(e, NotCertified::Assertion { .. })
            }),
            (format!("{certified}(assert (< x"), checks, |e| matches!(e, NotCertified::Unreadable { .. })),
            // A symbol the witness says nothing of, though a value for it would exist.
            (format!("{certified}(declare-fun new () Int)(assert (= new 0))(check-sat)"), checks + 1, |e| {
                matches!(e, NotCertified::Assertion { .. })
            }),
            (format!("{certified}(define-fun-rec r ((n Int)) Int (+ 1 (r n)))(check-sat)"), checks + 1, |e| {
                matches!(e, NotCertified::Recursive { .. })
            }),
            (format!("{certified}(assume false)(check-sat)"), checks + 1, |e| matches!(e, NotCertified::Opaque { .. })),
        ];
        for (text, checks, expected) in cases {
            match verdict(&text, checks) {
                Err(e) if expected(&e) => {}
                other => panic!("{other:?}\n{text}"),
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn any_configuration_keeps_the_laws(
        script in 0..SCRIPTS.len(),
        (campaign, number, index) in (any::<u64>(), any::<u64>(), 0u64..2000),
        (depth, asserts, checks) in (1u32..80, 1u32..80, 1u32..12),
        (incremental, initial) in (0u32..=100, 0u32..=100),
    ) {
        let (store, instances) = read(SCRIPTS[script]);
        let config = StormConfig {
            max_depth: depth,
            max_asserts: asserts,
            query: QueryConfig { max_checks: checks, incremental, ..QueryConfig::default() },
            initial_operand: initial,
            initial_assertion: 100 - initial,
            ..StormConfig::default()
        };
        with_batch(&store, &parent(&instances[0]), &config, Unit { campaign, number }, |batch| {
            check(batch, index, &config);
        });
    }
}
