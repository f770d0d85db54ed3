//! What a hit is worth.

use finding::kind::RewardByAlike;
use finding::{BugClass, CauseReward, FindingKind, FindingOrigin};

#[test]
fn another_cause_alike_is_worth_less() {
    let kind = FindingKind {
        class: BugClass::A,
        solver: "z3".into(),
        mode: "plain".into(),
        options: String::new(),
        origin: FindingOrigin::default(),
    };
    let check = |alike: u64, expect: u64| assert_eq!(RewardByAlike.worth(&kind, alike), expect, "after {alike}");
    check(0, 1000);
    check(1, 888);
    check(8, 500);
    check(u64::MAX, 0);
}
