//! The laws of every mutator in the registry: a new one is tested by its row.

use crate::support::{SCRIPTS, exhaustion, parents};
use mutate::{Batch, Mutant, MutantRequest, MutatorEntry, REGISTRY, TargetSpelling, Unit};
use semantics::truth::witness::certify_check;
use smtlib::Status;

/// Seeds that no assignment satisfies, for those that begin with one.
const REFUTED: &[&str] = &[
    "(set-info :status unsat)(declare-const p Bool)(declare-const q Bool)(assert (or p q))(assert (not p))(assert (not q))(check-sat)",
    "(set-info :status unsat)(declare-const v (_ BitVec 2))(assert (bvult v #b01))(assert (not (= v #b00)))(check-sat)",
];

/// Runs `body` on the batch of a unit; false if its seeds give none.
fn with_batch(entry: &MutatorEntry, number: usize, body: impl FnOnce(&mut dyn Batch)) -> bool {
    let seeds = if number.is_multiple_of(3) { REFUTED } else { SCRIPTS };
    let texts: Vec<&str> = (0..entry.parents).map(|n| seeds[(number / 3 + n) % seeds.len()]).collect();
    let (mut store, parents) = parents(&texts);
    let target = TargetSpelling::default();
    let unit = Unit { campaign: 24, number: number as u64 };
    let mutator = (entry.build)(&[]).expect("its defaults");
    let request = MutantRequest { parents: &parents, target: &target, unit };
    match mutator.prepare(&mut store, request) {
        Ok(mut batch) => body(&mut *batch),
        Err(_) => return false,
    }
    true
}

/// What must hold of one mutant; false if none could be made.
fn check(entry: &MutatorEntry, batch: &mut dyn Batch, index: u64) -> bool {
    let mut mutant = Mutant::default();
    batch.mutant(index, &mut mutant);
    let mut store = batch.store().clone();
    let parsed = smtlib::parse(&mut store, &mutant.text);
    let context = format!("{}, index {index}\n{}", entry.name, mutant.text);
    assert!(parsed.errors.is_empty(), "{:?}\n{context}", parsed.errors);
    let instances = parsed.script.instances();
    assert_eq!(instances.len(), mutant.expected.len(), "{context}");
    for (check, expected) in
        mutant.expected.iter().enumerate().filter(|_| mutant.truth == Some(finding::Trust::Certified))
    {
        match (expected, batch.check_witness(index, check)) {
            (Status::Unknown, _) => panic!("nothing is certified of check {check}: {context}"),
            (Status::Sat, Some(witness)) => {
                let certified = certify_check(batch.store(), &witness, &mutant.text, instances.len(), check);
                assert!(certified.is_ok(), "{}: {context}", certified.unwrap_err());
            }
            (expected, _) => {
                let decided = exhaustion::decided(&mut store, &instances[check]);
                assert_eq!(decided, Some(*expected), "check {check}: {context}");
            }
        }
    }
    !instances.is_empty()
}

#[test]
fn every_mutator_keeps_its_word() {
    for entry in REGISTRY {
        let mut made = 0;
        for number in 0..18 {
            let text = |batch: &mut dyn Batch, index| {
                let mut mutant = Mutant::default();
                batch.mutant(index, &mut mutant);
                (mutant.text, batch.parameters(index))
            };
            let mut last = None;
            with_batch(entry, number, |batch| {
                made += (0..3).filter(|&index| check(entry, batch, index)).count();
                last = Some(text(batch, 2));
            });
            // It depends on the seeds, the unit and the index alone.
            let again = with_batch(entry, number, |batch| assert_eq!(Some(text(batch, 2)), last, "{}", entry.name));
            assert_eq!(again, last.is_some(), "{}", entry.name);
        }
        assert!(made >= 6, "{}: only {made} mutants could be made", entry.name);
    }
}
