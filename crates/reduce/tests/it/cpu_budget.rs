//! Tests of `cpu_budget`.

use reduce::cpu_budget::CpuBudget;
use std::time::Duration;

#[test]
fn what_was_not_earned_is_not_worked() {
    let cpu_budget = CpuBudget::new(0.0, Duration::from_millis(1));
    assert!(cpu_budget.rest(|| false), "the credit may be worked at once");
    std::thread::sleep(Duration::from_millis(2));
    cpu_budget.end();
    assert!(!cpu_budget.rest(|| false), "then nothing is left");
    assert!(cpu_budget.spent() >= Duration::from_millis(2));
    let unbounded = CpuBudget::new(1.0, Duration::from_secs(3600));
    assert!(unbounded.rest(|| false));
    assert!(!unbounded.rest(|| true), "a stopped reduction does not continue");
}
