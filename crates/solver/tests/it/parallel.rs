//! Tests of `parallel`.

use solver::parallel::in_order;

#[test]
fn results_come_in_the_order_of_the_items() {
    for jobs in [0, 1, 3, 100] {
        let squares = in_order(&(0..50).collect::<Vec<u64>>(), jobs, |n| n * n);
        assert_eq!(squares, (0..50).map(|n| n * n).collect::<Vec<u64>>(), "{jobs}");
    }
    assert!(in_order(&[] as &[u8], 2, |n| *n).is_empty());
}
