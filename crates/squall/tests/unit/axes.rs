//! Axes of plots.

use super::*;

#[test]
fn linear_axes_end_at_round_numbers() {
    let check = |highest: f64, count: u32, end: f64| {
        let axis = Axis::linear((0.0, 100.0), highest, count);
        let marks = axis.marks();
        assert!((marks[marks.len() - 1] - end).abs() < 1e-9, "{highest}: {marks:?}");
        assert!(marks[0] == 0.0 && marks.len() as u32 <= 2 * count + 1, "{marks:?}");
        assert!((axis.at(end) - 100.0).abs() < 1e-9 && axis.at(0.0) == 0.0);
    };
    check(10.0, 4, 10.0);
    check(7.0, 4, 8.0);
    check(1.0, 4, 1.0);
    check(0.0, 4, 1.0);
    check(f64::NAN, 4, 1.0);
}

#[test]
fn scores_are_integers_and_may_be_negative() {
    let check = |lowest: usize, highest: usize, expect: &[f64]| {
        let axis = Axis::scores((0.0, 100.0), lowest, highest, 4);
        assert_eq!(axis.marks(), expect);
        assert_eq!((axis.at(expect[0]), axis.at(expect[expect.len() - 1])), (0.0, 100.0));
    };
    check(0, 3, &[0.0, 1.0, 2.0, 3.0]);
    check(0, 0, &[0.0, 1.0]);
    check(1, 3, &[-1.0, 0.0, 1.0, 2.0, 3.0]);
    check(7, 9, &[-10.0, -5.0, 0.0, 5.0, 10.0]);
}

#[test]
fn logarithmic_axes_end_at_the_limit() {
    let axis = Axis::logarithmic((0.0, 100.0), 1e-3, 1000.0);
    assert!((axis.at(1.0) - 50.0).abs() < 1e-9);
    assert_eq!((axis.at(0.0), axis.at(1e9)), (0.0, 100.0));
    assert_eq!(axis.marks().last(), Some(&1000.0));
    assert!(axis.marks().iter().all(|m| *m <= 1000.0));
}

#[test]
fn lines_have_a_beginning() {
    let points = [(0.0, 1.0), (2.0, 3.0)];
    assert_eq!(line(points.into_iter(), Join::Straight), "M0.0 1.0L2.0 3.0");
    assert_eq!(line(points.into_iter(), Join::Steps), "M0.0 1.0H2.0V3.0");
    assert_eq!(line([].into_iter(), Join::Steps), "");
}
