//! Small worlds of seeds: read afresh and decided by the plain evaluator alone, they have the answers they claim.
//!
//! `SQUALL_SHRUNK=40 cargo test -p mutate --test it shrink:: -- --nocapture` makes that many of every check of every seed.

use crate::support::{SCRIPTS, own_seeds, parent, read};
use finding::Trust;
use mutate::choice::MutatorChoice;
use mutate::shrink::ShrinkMutator;
use mutate::small_world::{self, LIMITS};
use mutate::{Batch, Mutant, MutantRequest, TargetSpelling, Unfit, Unit};
use semantics::Stop;
use semantics::truth::witness::certify;
use semantics::truth::{self, ExhaustLimits, OpenTruth, Search, TruthQuery};
use smtlib::{Instance, Status, Store};

/// The right answer to every check of a text; `Differential` where it would take long. A part of the assertions may refute a
/// check that is not finite.
fn answers(text: &str) -> Vec<Status> {
    let (mut store, instances) = read(text);
    let answer = |instance: &Instance| {
        assert!(!instance.incomplete, "{text}");
        let limits = ExhaustLimits { evaluations: 1 << 12, ..LIMITS };
        let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded };
        match truth::of_instance(&mut store, instance, query) {
            Ok(truth) => small_world::expected(&truth),
            Err(OpenTruth::Unresolved { .. }) => Status::Unknown,
            Err(no) => panic!("{no}\n{text}"),
        }
    };
    instances.iter().map(answer).collect()
}

/// A mutant is what it claims to be, and its witness, if it has one, certifies it. False where looking at every assignment
/// takes long.
fn confirm(batch: &mut dyn Batch, index: u64, mutant: &Mutant) -> bool {
    assert_eq!(mutant.truth, Some(Trust::Certified));
    let witness = batch.witness(index);
    // No assignment of symbols says what a heap has.
    let has_witness = mutant.expected == [Status::Sat] && !mutant.text.contains("(declare-heap ");
    assert_eq!(witness.is_some(), has_witness, "{}", mutant.text);
    if let Some(witness) = witness {
        let checked = certify(batch.store(), &witness, &mutant.text, 1);
        assert!(checked.is_ok(), "{checked:?}\n{}", mutant.text);
        return true;
    }
    let found = answers(&mutant.text);
    let is_open = found.contains(&Status::Unknown);
    assert!(is_open || found == mutant.expected, "{found:?}, claimed {:?}\n{}", mutant.expected, mutant.text);
    !is_open
}

/// How many mutants are of each kind.
#[derive(Clone, Copy, Default, Debug)]
struct ShrunkCounts {
    sat: u64,
    unsat: u64,
    /// Without a certified truth.
    open: u64,
    /// Certified ones that the plain evaluator did not finish.
    unconfirmed: u64,
}

/// Every mutant of a check, counted; those that are certified are confirmed.
fn count(batch: &mut dyn Batch, mutants: u64, counts: &mut ShrunkCounts, mut look: impl FnMut(&Mutant)) {
    let mut mutant = Mutant::default();
    for index in 0..mutants {
        batch.mutant(index, &mut mutant);
        if mutant.expected.is_empty() || mutant.truth != Some(Trust::Certified) {
            counts.open += 1;
            continue;
        }
        counts.unconfirmed += u64::from(!confirm(batch, index, &mutant));
        look(&mutant);
        match mutant.expected[0] {
            Status::Sat => counts.sat += 1,
            _ => counts.unsat += 1,
        }
    }
}

/// The checks of the project's seeds, each with the name of its file and the store it is in.
fn seed_checks() -> Vec<(String, Store, Instance)> {
    let mut checks = Vec::new();
    for path in own_seeds() {
        let (store, instances) = read(&std::fs::read_to_string(&path).expect("a seed"));
        checks.extend(instances.into_iter().map(|instance| (path.display().to_string(), store.clone(), instance)));
    }
    checks
}

fn request<'r>(parents: &'r [mutate::Parent], target: &'r TargetSpelling, number: u64) -> MutantRequest<'r> {
    MutantRequest { parents, target, unit: Unit { campaign: 1, number } }
}

/// No constant keeps more values than asked for; with one value each it kept two.
#[test]
fn a_constant_keeps_at_most_so_many_values() {
    let check = |values: u32| {
        let (mut store, instances) = read("(declare-const r Real)(declare-const s Real)(assert (< r s))(check-sat)");
        let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
        let shrink = ShrinkMutator { values, ..ShrinkMutator::default() };
        let mut batch = shrink.batch(&mut store, request(&parents, &target, 0)).expect("it is fit");
        let (mut mutant, mut most) = (Mutant::default(), 0);
        for index in 0..40 {
            batch.mutant(index, &mut mutant);
            let guards = mutant.text.lines().filter(|line| line.contains("(= "));
            most = guards.map(|line| line.matches("(= ").count()).max().unwrap_or(0).max(most);
        }
        assert!(most >= 1 && most <= values as usize, "{most} values, at most {values} were asked for");
    };
    check(1);
    check(2);
    check(4);
}

#[test]
fn the_plain_evaluator_finds_the_same_truth_in_the_text() {
    let (mutants, target) = (testing::amount("SQUALL_SHRUNK", 2), TargetSpelling::default());
    let (mut total, mut fit, mut both, mut seen) = (ShrunkCounts::default(), 0, 0, 0);
    let (mut prepared, mut making) = (std::time::Duration::ZERO, std::time::Duration::ZERO);
    let checks = seed_checks();
    for (number, (name, store, instance)) in checks.iter().enumerate().step_by(testing::amount("SQUALL_SHRUNK_STEP", 5))
    {
        seen += 1;
        let parents = [parent(instance)];
        let mut copy = store.clone();
        let start = std::time::Instant::now();
        // Half of the seeds keep their widths.
        let narrow = if number % 2 == 0 { 0 } else { 100 };
        let shrink = ShrinkMutator { narrow, ..ShrinkMutator::default() };
        let batch = shrink.batch(&mut copy, request(&parents, &target, number as u64));
        prepared += start.elapsed();
        let mut batch = match batch {
            Ok(batch) => batch,
            Err(unfit) => {
                println!("{name}: {unfit}");
                continue;
            }
        };
        fit += 1;
        let start = std::time::Instant::now();
        (0..mutants).for_each(|index| batch.mutant(index, &mut Mutant::default()));
        making += start.elapsed();
        let given = instance.assertions.iter().filter(|&&t| store.flags(t) & smtlib::term::HAS_BINDER == 0);
        let given: Vec<String> = given.map(|&t| format!("\n(assert {})\n", store.term_text(t))).collect();
        let mut counts = ShrunkCounts::default();
        count(&mut batch, mutants, &mut counts, |mutant| {
            // The structure is kept, and at the same widths the text.
            for assertion in given.iter().filter(|_| narrow == 0) {
                assert!(mutant.text.contains(assertion.as_str()), "{name}: {assertion}\n{}", mutant.text);
            }
        });
        both += u64::from(counts.sat > 0 && counts.unsat > 0);
        total.sat += counts.sat;
        total.unsat += counts.unsat;
        total.open += counts.open;
        total.unconfirmed += counts.unconfirmed;
    }
    println!("prepared in {prepared:?}, made in {making:?}");
    println!("{fit} of {seen} checks fit, {both} with both answers; {total:?}");
    assert!(
        fit * 2 > seen
            && total.unconfirmed * 10 < total.unsat
            && total.sat * 10 > total.unsat
            && total.unsat * 10 > total.sat,
        "{total:?}"
    );
    assert!(total.open * 10 < total.sat + total.unsat, "{total:?}");
}

#[test]
fn bit_vectors_become_narrower_where_that_is_well_sorted() {
    let check = |text: &str, sort: &str| {
        let (mut store, instances) = read(text);
        let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
        let shrink = ShrinkMutator { narrow: 100, ..ShrinkMutator::default() };
        let mut batch = shrink.batch(&mut store, request(&parents, &target, 0)).expect("it is fit");
        let mut mutant = Mutant::default();
        for index in 0..10 {
            batch.mutant(index, &mut mutant);
            assert!(mutant.text.contains(sort), "{sort}\n{}", mutant.text);
            confirm(&mut batch, index, &mutant);
        }
    };
    let of = |sort: &str, formula: &str| {
        format!("(declare-const x {sort})(declare-const y {sort})(assert {formula})(check-sat)")
    };
    check(&of("(_ BitVec 20)", "(= (bvmul x x) (bvadd y #x00003))"), " (_ BitVec 4))");
    check(&of("(_ BitVec 32)", "(= ((_ zero_extend 24) ((_ extract 31 24) x)) y)"), " (_ BitVec 4))");
    check(&of("(Array (_ BitVec 10) (_ BitVec 5))", "(distinct x y)"), " (_ BitVec 2) (_ BitVec 1)))");
    // Nothing divides 31 and 32.
    check(&of("(_ BitVec 32)", "(= ((_ extract 30 0) x) ((_ extract 31 1) y))"), " (_ BitVec 32))");
    // It would compare two bits with one.
    check(&of("(_ BitVec 16)", "(= ((_ repeat 16) #b1) (bvadd x y))"), " (_ BitVec 16))");
}

#[test]
fn what_cannot_be_finite_is_refused() {
    let check = |text: &str, expect: Result<(), &str>| {
        let (mut store, instances) = read(text);
        let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
        let made = ShrinkMutator::default().batch(&mut store, request(&parents, &target, 0)).map(|_| ());
        match (made, expect) {
            (Ok(()), Ok(())) => {}
            (Err(unfit), Err(words)) => assert!(unfit.to_string().contains(words), "{text}: {unfit}"),
            (made, _) => panic!("{text}: {made:?}, expected {expect:?}"),
        }
    };
    check("(declare-const x Int)(assert (< x 5))(check-sat)", Ok(()));
    check("(declare-const s String)(assert (= (str.len s) 1))(check-sat)", Ok(()));
    check("(declare-const a (Array Int Int))(assert (= (select a 1) 1))(check-sat)", Ok(()));
    check("(assert (forall ((x Int)) (< x 5)))(check-sat)", Ok(()));
    check("(declare-fun p (Int) Bool)(assert (p 5))(check-sat)", Ok(()));
    check("(declare-sort U 0)(declare-const a U)(assert (forall ((x U)) (= x a)))(check-sat)", Ok(()));
    check("(declare-fun f (Bool) Int)(assert (< (f true) (f false)))(check-sat)", Ok(()));
    check("(declare-fun f (Int) Int)(assert (< (f 1) (f 2)))(check-sat)", Err("the function `f` has too many"));
    check("(declare-sort U 0)(assert (forall ((x U)) (= x x)))(check-sat)", Err("the sort U may have any number"));
    check("(declare-const x Int)(check-sat)", Err("asserts nothing"));
    check(
        "(define-fun-rec f ((n Int)) Int (+ 1 (f n)))(declare-const x Int)(assert (= x (f 2)))(check-sat)",
        Err("not proven total"),
    );
    let (mut store, _) = read("");
    let none = ShrinkMutator::default().batch(&mut store, request(&[], &TargetSpelling::default(), 0)).err();
    assert_eq!(none, Some(Unfit::Parents { expected: 1, given: 0 }));
}

#[test]
fn a_world_depends_on_its_unit_and_index_alone() {
    let (store, instances) = read(SCRIPTS[0]);
    let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
    let of = |order: &[u64]| {
        let mut store = store.clone();
        let mut batch = ShrinkMutator::default().batch(&mut store, request(&parents, &target, 4)).expect("it is fit");
        let made = order.iter().map(|&index| {
            let mut mutant = Mutant::default();
            batch.mutant(index, &mut mutant);
            mutant
        });
        made.collect::<Vec<_>>()
    };
    let all = of(&[0, 1, 2, 3, 4, 5, 6, 7]);
    let again = of(&[5, 2, 7, 2, 0]);
    assert_eq!(again, [5, 2, 7, 2, 0].map(|index| all[index].clone()));
    assert!(all.windows(2).any(|pair| pair[0] != pair[1]));
}

/// After a mutator that makes small worlds, exhaustion certifies the mutants of the others, both ways.
#[test]
fn chains_give_certified_mutants_of_both_answers() {
    let mutants: u64 = testing::amount("SQUALL_SHRUNK_CHAINS", 10);
    let target = TargetSpelling::default();
    let check = |chain: &str, settings: &[(&str, &str)], least: ShrunkCounts| {
        let mutator = MutatorChoice::read(chain).and_then(|c| c.build(settings)).expect("the chain is there");
        let mut total = ShrunkCounts::default();
        for (number, (_, store, instance)) in
            seed_checks().iter().enumerate().step_by(testing::amount("SQUALL_SHRUNK_STEP", 21))
        {
            let parents = [parent(instance)];
            let mut copy = store.clone();
            let Ok(mut batch) = mutator.prepare(&mut copy, request(&parents, &target, number as u64)) else { continue };
            count(&mut *batch, mutants, &mut total, |_| {});
        }
        println!("{chain}: {total:?}");
        assert!(total.sat >= least.sat && total.unsat >= least.unsat, "{chain}: {total:?}, expected {least:?}");
    };
    let both = ShrunkCounts { sat: 3, unsat: 20, ..ShrunkCounts::default() };
    check("shrink>operator", &[], both);
    check("shrink>generative", &[], both);
    check("finite>operator", &[], both);
    check("shrink>skeleton", &[], ShrunkCounts { sat: 1, ..both });
    check("finite>skeleton", &[], both);
    check("shrink>fusion", &[], ShrunkCounts { sat: 3, unsat: 0, ..ShrunkCounts::default() });
    check("shrink>operator", &[("truth", "certified")], ShrunkCounts { sat: 3, unsat: 0, ..ShrunkCounts::default() });
}
