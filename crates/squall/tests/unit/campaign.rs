//! Unit tests of `src/commands/report/campaign.rs`.

use super::*;
use ::fuzz::persist::history::HistoryPoint;

#[test]
fn pauses_between_runs_do_not_count() {
    let run = |started_at: u64, wall_s: f64| CampaignRun {
        started_at,
        points: vec![HistoryPoint { wall_s, ..HistoryPoint::default() }],
        ..CampaignRun::default()
    };
    let runs = [run(1000, 100.0), run(9000, 50.0)];
    let check = |moment: u64, expect: f64| assert!((worked_until(&runs, moment) - expect).abs() < 1e-9, "{moment}");
    check(1000, 0.0);
    check(1060, 60.0);
    check(5000, 100.0);
    check(9010, 110.0);
    check(99_999, 150.0);
    check(0, 0.0);
    assert_eq!(worked_until(&[], 5), 0.0);
}
