//! Unit tests of `src/render/date.rs`.

use super::{day, utc};

#[test]
fn dates_follow_the_calendar() {
    let check = |seconds: u64, expect: &str| assert_eq!(utc(seconds), expect);
    check(0, "1970-01-01 00:00");
    check(951_782_400, "2000-02-29 00:00");
    check(1_709_251_199, "2024-02-29 23:59");
    check(1_709_251_200, "2024-03-01 00:00");
    check(1_767_225_599, "2025-12-31 23:59");
    check(u64::MAX / 2, &utc(u64::MAX / 2));
    assert_eq!(day(951_782_400), "2000-02-29");
}
