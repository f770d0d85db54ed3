//! Tests of `interval`.

use dashu_ratio::RBig;
use rewrite::interval::{Bounds, Limit};
use rewrite::origins::Origins;

fn limit(value: i32, strict: bool) -> Limit {
    Limit { value: RBig::from(value), strict, origins: Origins::none() }
}

#[test]
fn ends_only_get_tighter() {
    let mut b = Bounds::default();
    assert!(b.lower_to(limit(5, true), true));
    assert_eq!(b.upper.as_ref().map(|u| (u.value.clone(), u.strict)), Some((RBig::from(4), false)));
    assert!(!b.lower_to(limit(4, false), true));
    assert!(b.raise_to(limit(3, true), true));
    assert_eq!(b.fixed(), Some(&RBig::from(4)));
    assert!(!b.is_empty());
    assert!(b.raise_to(limit(4, true), false));
    assert!(b.is_empty());
}

#[test]
fn atoms_are_decided_at_the_ends() {
    let b = Bounds { lower: Some(limit(1, true)), upper: Some(limit(3, false)) };
    let cases = [(3, Some(true)), (2, None), (1, Some(false)), (0, Some(false))];
    for (bound, expect) in cases {
        assert_eq!(b.is_at_most(&RBig::from(bound)), expect, "{bound}");
    }
    assert!(b.excludes(&RBig::from(1)) && b.excludes(&RBig::from(4)) && !b.excludes(&RBig::from(3)));
    let flipped = b.times(&RBig::from(-2));
    assert_eq!(flipped.is_at_most(&RBig::from(-3)), None);
    assert_eq!(flipped.is_at_most(&RBig::from(-2)), Some(true));
}
