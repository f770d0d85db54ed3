//! Tests of `counts::untested`.

use fuzz::counts::stats::Snapshot;
use fuzz::counts::untested::Untested;

#[test]
fn only_a_comparison_is_a_test() {
    let check = |counts: &[(&str, u64)], expect: Option<Untested>| {
        let mut snapshot = Snapshot::default();
        for (name, value) in counts {
            assert!(snapshot.set(name, *value), "{name}");
        }
        assert_eq!(Untested::of(&snapshot), expect, "{counts:?}");
    };
    check(&[], Some(Untested::NoUnit));
    check(&[("units", 3)], Some(Untested::NoMutant));
    check(&[("units", 3), ("sat", 1), ("seeds", 1)], Some(Untested::NoMutant));
    check(&[("units", 3), ("sat", 1), ("unmade", 8)], Some(Untested::Unmade(8)));
    // A judged model of the seed itself is not a test of mutants.
    check(&[("units", 3), ("sat", 1), ("models_valid", 1), ("unmade", 3)], Some(Untested::Unmade(3)));
    check(&[("units", 3), ("sat", 1), ("models_valid", 1)], Some(Untested::NoMutant));
    check(&[("units", 3), ("mutants", 9), ("errors", 9)], Some(Untested::Unanswered));
    check(&[("units", 3), ("mutants", 9), ("errors", 8), ("timeouts", 1)], Some(Untested::Unanswered));
    check(&[("units", 3), ("mutants", 9), ("errors", 2), ("timeouts", 7)], Some(Untested::Limits));
    check(&[("units", 3), ("mutants", 9), ("memouts", 1)], Some(Untested::Limits));
    check(&[("mutants", 9), ("unknown", 9), ("timeouts", 1)], Some(Untested::Unknown(9)));
    check(&[("mutants", 9), ("sat", 9)], Some(Untested::NotCompared(9)));
    check(&[("mutants", 9), ("crashed", 9)], Some(Untested::NotCompared(9)));
    check(&[("mutants", 9), ("sat", 9), ("compared", 1)], None);
    check(&[("mutants", 9), ("sat", 9), ("compared", 9), ("unresolved", 2)], Some(Untested::Unresolved(2)));
    check(&[("mutants", 9), ("sat", 9), ("models_valid", 4), ("models_invalid", 1)], None);
    check(&[("mutants", 9), ("sat", 9), ("models_valid", 4)], Some(Untested::NotCompared(9)));
    check(&[("mutants", 9), ("unsat", 9)], Some(Untested::NotCompared(9)));
    check(&[("mutants", 9), ("sat", 9), ("models_open", 9)], Some(Untested::NotCompared(9)));
}
