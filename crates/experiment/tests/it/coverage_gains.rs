//! Tests of `coverage::gains`: what each arm executes beyond the seeds.

use experiment::coverage::gains::CoverageGains;
use experiment::coverage::plan::CoverageConditions;
use experiment::coverage::record::PhaseRecord;
use experiment::coverage::run::CoverageRun;
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit};

fn phase(items: &[usize]) -> PhaseRecord {
    let mut executed = CoverageSet::default();
    items.iter().for_each(|item| executed.insert(*item));
    PhaseRecord { executed, ..PhaseRecord::default() }
}

#[test]
fn what_seeds_execute_is_no_gain() {
    let check = |seeds: &[usize], arms: &[&[usize]], expect: (usize, &[usize], usize)| {
        let conditions = CoverageConditions {
            solver: "z3".to_string(),
            program: String::new(),
            instrumentation: String::new(),
            items: String::new(),
            seeds: 1,
            seeds_digest: String::new(),
            seed: 0,
            timeout_ms: 1000,
        };
        let arms = arms.iter().map(|items| phase(items)).collect();
        let run = CoverageRun { conditions, seeds: phase(seeds), arms, is_complete: true };
        let gains = CoverageGains::of(&CoverageItems::edges(8), &run);
        let [unit] = &gains.units[..] else { panic!("{:?}", gains.units) };
        assert_eq!((unit.unit, unit.all), (CoverageUnit::Edge, 8));
        assert_eq!((unit.seeds, &unit.arms[..], unit.together), expect, "{seeds:?}");
        // Nothing says where an edge is.
        assert!(gains.files.is_empty() && gains.functions.is_empty());
    };
    check(&[], &[], (0, &[], 0));
    check(&[0, 1], &[&[0, 1]], (2, &[0], 0));
    check(&[0, 1], &[&[1, 2, 3], &[]], (2, &[2, 0], 2));
    // What several arms execute counts once together.
    check(&[0], &[&[0, 2, 3], &[3, 4], &[4]], (1, &[2, 2, 1], 3));
}
