//! Tests of `coverage::least`.

use experiment::coverage::least::*;
use solver::coverage::CoverageSet;

fn set(items: &[usize]) -> CoverageSet {
    let mut set = CoverageSet::default();
    items.iter().for_each(|item| set.insert(*item));
    set
}

#[test]
fn all_that_is_executed_is_kept_by_few() {
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
    // Of equal ones the cheaper, then the first.
    check(&[&[1, 2], &[1, 2], &[1, 2]], &[5, 3, 3], &[], &[(1, 2)]);
    check(&[&[1, 2], &[3]], &[1, 1], &[1, 2], &[(1, 1)]);
}
