//! Unit tests of `src/sync.rs`.

use super::*;

#[test]
fn what_a_campaign_waits_for_ends_a_tenth_of_its_time_late() {
    let check = |began_s: u64, length_s: u64, is_late: bool| {
        let stops = Stops::default();
        let start = Instant::now().checked_sub(Duration::from_secs(began_s)).expect("the machine runs that long");
        stops.begin(start, Duration::from_secs(length_s));
        assert_eq!(stops.late.is_cancelled(), is_late, "{length_s} s, begun {began_s} s ago");
        assert_eq!(stops.late.part().is_cancelled(), is_late, "what is a part of it");
        assert!(!stops.user.is_cancelled() && !stops.time.is_cancelled());
    };
    check(0, 3600, false);
    check(11, 10, true);
    check(10, 3600, false);
    check(11, 11, false);
    let stops = Stops::default();
    stops.user.cancel();
    assert!(stops.late.is_cancelled(), "the user waits for nothing");
}
