//! When an answer is slow.

use oracle::slowness::least;
use std::time::Duration;

#[test]
fn what_is_slow_takes_a_hundred_times_as_long_and_half_a_second() {
    let check = |fast: u64, expect: u64| {
        assert_eq!(least(Duration::from_millis(fast)), Duration::from_millis(expect), "{fast} ms");
    };
    check(0, 500);
    check(5, 500);
    check(6, 600);
    check(40, 4000);
}
