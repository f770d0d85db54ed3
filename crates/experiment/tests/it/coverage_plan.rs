//! Tests of `coverage::plan`.

use experiment::coverage::plan::next_point;

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
    // After a smaller experiment that went on.
    assert_eq!((next_point(7, 100), next_point(1500, 9000)), (10, 2000));
}
