//! Tests of `coverage`.

use experiment::coverage::gains::{CoverageGains, least};
use experiment::coverage::plan::{CoverageConditions, next_point};
use experiment::coverage::record::PhaseRecord;
use experiment::coverage::run::CoverageRun;
use solver::coverage::{CoverageItems, CoverageSet, CoverageUnit};

#[test]
fn points_are_round_numbers() {
    let all = |total: u64| {
        let mut points = vec![0];
        while points[points.len() - 1] < total {
            points.push(next_point(points[points.len() - 1], total));
        }
        points.remove(0);
        points
    };
    assert_eq!(all(7), [1, 2, 5, 7]);
    assert_eq!(all(200), [1, 2, 5, 10, 20, 50, 100, 200]);
    assert_eq!(all(3100)[8..], [500, 1000, 2000, 3000, 3100]);
    // After a smaller experiment was extended.
    assert_eq!((next_point(7, 100), next_point(1500, 9000)), (10, 2000));
}

fn set(items: &[usize]) -> CoverageSet {
    let mut set = CoverageSet::default();
    items.iter().for_each(|item| set.insert(*item));
    set
}

#[test]
fn few_scripts_execute_everything() {
    let check = |sets: &[&[usize]], costs: &[usize], covered: &[usize], expect: &[(usize, usize)]| {
        let sets: Vec<CoverageSet> = sets.iter().map(|items| set(items)).collect();
        let kept = least(&sets, costs, &set(covered));
        assert_eq!(kept.iter().map(|one| (one.number, one.gain)).collect::<Vec<_>>(), expect);
        let mut all = set(covered);
        kept.iter().for_each(|one| all.add_all(&sets[one.number]));
        assert!(sets.iter().all(|one| one.without(&all).is_empty()));
    };
    check(&[], &[], &[], &[]);
    check(&[&[]], &[1], &[], &[]);
    check(&[&[1, 2], &[1, 2, 3], &[3, 4]], &[1, 1, 1], &[], &[(1, 3), (2, 1)]);
    // Among equal ones the cheaper, then the first.
    check(&[&[1, 2], &[1, 2], &[1, 2]], &[5, 3, 3], &[], &[(1, 2)]);
    check(&[&[1, 2], &[3]], &[1, 1], &[1, 2], &[(1, 1)]);
}

fn phase(items: &[usize]) -> PhaseRecord {
    PhaseRecord { executed: set(items), ..PhaseRecord::default() }
}

#[test]
fn items_that_seeds_execute_are_not_gains() {
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
        // Edges have no source positions.
        assert!(gains.files.is_empty() && gains.functions.is_empty());
    };
    check(&[], &[], (0, &[], 0));
    check(&[0, 1], &[&[0, 1]], (2, &[0], 0));
    check(&[0, 1], &[&[1, 2, 3], &[]], (2, &[2, 0], 2));
    // Items of several arms count once in `together`.
    check(&[0], &[&[0, 2, 3], &[3, 4], &[4]], (1, &[2, 2, 1], 3));
}
