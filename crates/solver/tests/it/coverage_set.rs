//! Tests of `coverage::set`.

use solver::coverage::CoverageSet;

fn of(numbers: &[usize]) -> CoverageSet {
    let mut set = CoverageSet::default();
    numbers.iter().for_each(|number| set.insert(*number));
    set
}

#[test]
fn sets_are_sets() {
    let check = |left: &[usize], right: &[usize], union: &[usize], rest: &[usize]| {
        let (left, right) = (of(left), of(right));
        let mut all = left.clone();
        all.add_all(&right);
        assert_eq!(all.iter().collect::<Vec<_>>(), union);
        assert_eq!(left.without(&right).iter().collect::<Vec<_>>(), rest);
        assert_eq!((all.len(), all.is_empty()), (union.len(), union.is_empty()));
        assert_eq!(CoverageSet::from_hex(&all.to_hex()), Some(all));
    };
    check(&[], &[], &[], &[]);
    check(&[1, 64, 200], &[64], &[1, 64, 200], &[1, 200]);
    check(&[3], &[3, 500], &[3, 500], &[]);
    assert!(of(&[63]).contains(63) && !of(&[63]).contains(64));
    for wrong in ["1", "000000000000000g", "+00000000000000f"] {
        assert_eq!(CoverageSet::from_hex(wrong), None, "{wrong}");
    }
}
