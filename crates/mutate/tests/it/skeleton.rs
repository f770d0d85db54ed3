//! Skeletons: what fills them, and the truth and text of their mutants.

use crate::support::{SCRIPTS, own_seeds, parent, read};
use finding::Trust;
use mutate::edit::TruthMode;
use mutate::skeleton::SkeletonMutator;
use mutate::{Batch, Mutant, MutantRequest, Parent, TargetSpelling, Unfit, Unit};
use semantics::truth::witness::certify;
use smtlib::{Instance, Status, Store};

/// Mutants of the first checks of two scripts.
fn mutants(
    skeleton: &SkeletonMutator,
    scripts: [&str; 2],
    indices: impl Iterator<Item = u64>,
    mut body: impl FnMut(&mut dyn Batch, u64, &Mutant),
) -> Result<(), Unfit> {
    let mut store = Store::new();
    let mut parents: Vec<Parent> = Vec::new();
    for script in scripts {
        let parsed = smtlib::parse(&mut store, script);
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        let instance: Instance = parsed.script.instances().into_iter().next().expect("a check");
        parents.push(parent(&instance));
    }
    let target = TargetSpelling::default();
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 3, number: 8 } };
    let mut batch = skeleton.batch(&mut store, request)?;
    let mut mutant = Mutant::default();
    for index in indices {
        batch.mutant(index, &mut mutant);
        body(&mut batch, index, &mutant);
    }
    Ok(())
}

fn certified(batch: &mut dyn Batch, index: u64, mutant: &Mutant) {
    assert_eq!((&mutant.truth, &mutant.expected[..]), (&Some(Trust::Certified), &[Status::Sat][..]));
    let model = batch.witness(index).expect("a certified mutant has a witness");
    if let Err(error) = certify(batch.store(), &model, &mutant.text, 1) {
        panic!("{error}\n{}", mutant.text);
    }
}

fn differential() -> SkeletonMutator {
    let mut skeleton = SkeletonMutator::default();
    skeleton.config.truth = TruthMode::Differential;
    skeleton
}

#[test]
fn certified_mutants_are_true_under_their_witness() {
    for first in SCRIPTS {
        for second in SCRIPTS {
            let outcome = mutants(&SkeletonMutator::default(), [first, second], 0..25, certified);
            assert_eq!(outcome, Ok(()), "{first}\n{second}");
        }
    }
}

#[test]
fn seeds_of_one_folder_make_certified_mutants() {
    let step = testing::amount("SQUALL_SKELETON_STEP", 1);
    let paths = own_seeds();
    let (mut fit, mut seen) = (0, 0);
    for pair in paths.windows(2).filter(|pair| pair[0].parent() == pair[1].parent()).step_by(step) {
        let texts = [0, 1].map(|n: usize| std::fs::read_to_string(&pair[n]).expect("the seed is readable"));
        seen += 1;
        fit += usize::from(mutants(&SkeletonMutator::default(), [&texts[0], &texts[1]], 0..8, certified).is_ok());
    }
    assert!(seen > 10 && fit * 10 > seen * 9, "{fit} of {seen} pairs are fit");
}

#[test]
fn differential_mutants_read_back() {
    let mut skeleton = differential();
    skeleton.config.consecutive = 4;
    for first in SCRIPTS {
        for second in SCRIPTS {
            let outcome = mutants(&skeleton, [first, second], 0..16, |batch, index, mutant| {
                assert_eq!((mutant.expected[0], batch.witness(index).is_none()), (Status::Unknown, true));
                let parsed = smtlib::parse(&mut Store::new(), &mutant.text);
                assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, mutant.text);
            });
            assert_eq!(outcome, Ok(()), "{first}\n{second}");
        }
    }
}

/// Of 100 mutants of two scripts, how many contain a text.
fn containing(skeleton: &SkeletonMutator, scripts: [&str; 2], text: &str) -> usize {
    let mut found = 0;
    let outcome = mutants(skeleton, scripts, 0..100, |_, _, mutant| {
        found += usize::from(mutant.text.contains(text));
    });
    assert_eq!(outcome, Ok(()));
    found
}

#[test]
fn parameters_say_what_fills_the_holes() {
    let first = "(declare-const x Int)(declare-fun f (Int) Int)
        (assert (or (< (f x) 5) (forall ((v Int)) (=> (> v 2) (= (f v) v)))))(check-sat)";
    let second = "(declare-const a Int)(declare-fun g (Int) Int)(assert (distinct (g a) (+ a 77)))(check-sat)";
    let base = SkeletonMutator { fresh: 0, second: 100, shared: 100, bound: 0, ..differential() };
    let check = |skeleton: SkeletonMutator, text: &str, from: usize, to: usize| {
        let found = containing(&skeleton, [first, second], text);
        assert!((from..=to).contains(&found), "{found} of 100 have {text}");
    };
    // The structure stays, and symbols of the second become those of the first.
    check(base.clone(), "(forall ((v Int)) (=> ", 100, 100);
    check(base.clone(), "(distinct (f x) (+ x 77))", 100, 100);
    check(base.clone(), "(g!1 ", 0, 0);
    check(SkeletonMutator { shared: 0, ..base.clone() }, "(distinct (g!1 a!1) (+ a!1 77))", 100, 100);
    check(SkeletonMutator { shared: 0, ..base.clone() }, "(distinct (f ", 0, 0);
    // Under the binder a constant may become its variable, outside it may not.
    check(SkeletonMutator { bound: 100, ..base.clone() }, "(distinct (f v) (+ v 77))", 50, 99);
    check(base.clone(), "(+ v 77)", 0, 0);
    // A variable of an atom that is put outside of its binder becomes a constant.
    check(SkeletonMutator { second: 0, ..base.clone() }, "(or (> x 2) ", 5, 95);
    check(SkeletonMutator { second: 0, ..base.clone() }, "77", 0, 0);
    check(SkeletonMutator { filled: 100, ..base.clone() }, "(< (f x) 5)", 0, 0);
    check(SkeletonMutator { filled: 0, ..base.clone() }, "(< (f x) 5)", 10, 90);
    check(SkeletonMutator { fresh: 100, ..base.clone() }, "77", 0, 0);
}

/// Declared sorts and equal datatypes are those of the first seed, so that atoms over them can share its constants.
#[test]
fn types_are_shared_where_they_are_alike() {
    let first = "(declare-sort U 0)(declare-sort V 0)(declare-datatypes ((L 0)) (((nil) (cons (head V) (tail L)))))
        (declare-const u U)(declare-const v V)(declare-const l L)
        (assert (or (= u u) (= l (cons v l)) (distinct v (head l))))(check-sat)";
    let base = SkeletonMutator { fresh: 0, second: 100, shared: 100, filled: 0, ..SkeletonMutator::default() };
    let check = |second: &str, text: &str, is_there: bool| {
        let mut found = 0;
        let outcome = mutants(&base, [first, second], 0..40, |batch, index, mutant| {
            certified(batch, index, mutant);
            found += usize::from(mutant.text.contains(text));
        });
        assert_eq!((outcome, found > 10), (Ok(()), is_there), "{text} in {found} of 40");
    };
    let of = |sort: &str, formula: &str| {
        format!("(declare-sort {sort} 0)(declare-const a {sort})(declare-const b {sort})(assert {formula})(check-sat)")
    };
    check(&of("V", "(distinct a b a)"), "(distinct v v v)", true);
    // Another name is that of the first sort that is left.
    check(&of("W", "(distinct a b a)"), "(distinct u u u)", true);
    check(&of("W", "(exists ((W Int)) (distinct a b a))"), "(distinct u u u)", false);
    let list = |fields: &str| {
        format!(
            "(declare-sort V 0)(declare-datatypes ((L 0)) (((nil) (cons {fields}))))(declare-const k L)
            (assert (= (tail k) nil))(check-sat)"
        )
    };
    check(&list("(head V) (tail L)"), "(= (tail l) nil)", true);
    check(&list("(tail L)"), "(= (tail l) nil)", false);
    check(&list("(tail L)"), "(= (tail!", true);
}

/// Where an atom's negation makes a false assertion true, no assertion is negated as a whole.
#[test]
fn an_atom_is_negated_rather_than_the_assertion() {
    let first = "(declare-const x Int)(declare-const y Int)(assert (or (< x 5) (= y 2)))(check-sat)";
    let second = "(declare-const a Int)(assert (distinct a a))(check-sat)";
    let base = SkeletonMutator { fresh: 0, second: 100, shared: 100, filled: 100, ..SkeletonMutator::default() };
    let whole = |skeleton: &SkeletonMutator| containing(skeleton, [first, second], "(assert (not ");
    let within = |skeleton: &SkeletonMutator| containing(skeleton, [first, second], "(or (not ");
    let never = SkeletonMutator { negated: 0, ..base.clone() };
    assert_eq!((whole(&never), within(&never)), (100, 0));
    let always = SkeletonMutator { negated: 100, ..base };
    assert_eq!(whole(&always), 0);
    assert!(within(&always) > 20);
}

#[test]
fn what_has_no_hole_is_unfit() {
    let check = |scripts: [&str; 2], expect: Result<(), &str>| {
        let outcome = mutants(&SkeletonMutator::default(), scripts, 0..1, |_, _, _| {});
        match (outcome, expect) {
            (Ok(()), Ok(())) => {}
            (Err(unfit), Err(words)) => assert!(unfit.to_string().contains(words), "{unfit}"),
            (outcome, _) => panic!("{outcome:?}, expected {expect:?}"),
        }
    };
    let (empty, full) = ("(declare-const x Int)(check-sat)", "(declare-const x Int)(assert (< x 1))(check-sat)");
    check([full, full], Ok(()));
    check([full, empty], Ok(()));
    check([empty, full], Err("no assertion of the first seed has an atom"));
    let (mut store, instances) = read(full);
    let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 0, number: 0 } };
    let alone = SkeletonMutator::default().batch(&mut store, request).err();
    assert_eq!(alone, Some(Unfit::Parents { expected: 2, given: 1 }));
}

#[test]
fn a_mutant_depends_on_its_index_only() {
    for consecutive in [1, 3] {
        let mut skeleton = SkeletonMutator::default();
        skeleton.config.consecutive = consecutive;
        for pair in SCRIPTS.windows(2) {
            let mut forward = Vec::new();
            let scripts = [pair[0], pair[1]];
            let made = mutants(&skeleton, scripts, 0..9, |_, _, mutant| forward.push(mutant.clone()));
            assert_eq!(made, Ok(()));
            for index in (0..9).rev() {
                let again = mutants(&skeleton, scripts, std::iter::once(index), |_, _, mutant| {
                    assert_eq!(*mutant, forward[index as usize], "mutant {index}");
                });
                assert_eq!(again, Ok(()));
            }
        }
    }
}
