//! Unit tests of `src/worker/extra_share.rs`.

use super::ExtraShare;
use std::time::Duration;

#[test]
fn a_fifth_is_granted_and_what_is_unused_comes_back() {
    let (share, second) = (ExtraShare::default(), Duration::from_secs(1));
    assert!(share.take(second).is_none(), "nothing was spent");
    share.spent(10 * second);
    let mut grant = share.take(2 * second).expect("a fifth");
    assert!(share.take(second / 10).is_none(), "all is granted");
    grant.used(second);
    share.spent(second);
    drop(grant);
    assert!(share.take(second).is_some(), "half of it came back");
    assert!(share.take(2 * second).is_none(), "1 s of 11 s is used");
}
