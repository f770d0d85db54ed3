//! Tests of `origins`.

use rewrite::origins::Origins;

#[test]
fn unions_list_each_number_once() {
    let (a, b) = (Origins::one(7), Origins::one(3));
    let both = a.union(&b);
    assert_eq!(both.indices(), [3, 7]);
    assert_eq!(both.union(&a).union(&both).indices(), [3, 7]);
    assert_eq!(Origins::none().union(&a).indices(), [7]);
    assert!(Origins::none().union(&Origins::none()).is_none());
}

#[test]
fn deep_unions_need_no_stack() {
    let mut all = Origins::none();
    for n in 0..1_000_000 {
        all.add(&Origins::one(n % 10));
    }
    assert_eq!(all.indices().len(), 10);
}
