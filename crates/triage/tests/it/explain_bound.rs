//! The bound of an explanation.

use solver::process::CancelToken;
use std::time::Duration;
use triage::explain::ExplainBound;

#[test]
fn what_solvers_take_is_counted_and_an_interrupt_ends_it() {
    let cancel = CancelToken::new();
    let bound = ExplainBound::new(Some(Duration::from_secs(3600)), cancel.clone());
    assert!(!bound.is_over());
    bound.add(Duration::from_secs(3599));
    assert!(!bound.is_over() && bound.left().is_some_and(|left| left <= Duration::from_secs(1)));
    bound.add(Duration::from_secs(1));
    assert!(bound.is_over() && bound.left() == Some(Duration::ZERO));
    let unlimited = ExplainBound::new(None, cancel.clone());
    unlimited.add(Duration::from_secs(1 << 30));
    assert!(!unlimited.is_over() && unlimited.left().is_none());
    cancel.cancel();
    assert!(unlimited.is_over());
}
