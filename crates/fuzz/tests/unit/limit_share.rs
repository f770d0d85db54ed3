//! Unit tests of `src/worker/limit_share.rs`.

use super::{FACTOR, LEAST, LimitShare, RunCost, ScriptKind};
use solver::process::ProcessLimits;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn kind(theme: &str) -> ScriptKind {
    ("z3".to_string(), theme.to_string())
}

#[test]
fn limits_are_short_only_while_they_cost_too_much() {
    let (share, given) = (LimitShare::default(), ProcessLimits { script_cpu: Some(5 * SECOND), ..Default::default() });
    let most = |theme: &str| share.limits(&kind(theme), Duration::ZERO, &given).script_cpu;
    assert_eq!(most("fp"), Some(5 * SECOND), "nothing was spent");
    share.ran(&kind("fp"), RunCost { all: 2 * SECOND, cut: Duration::ZERO, answered: 100 });
    share.ran(&kind("ints"), RunCost { all: 5 * SECOND, cut: 5 * SECOND, answered: 0 });
    assert_eq!(most("fp"), Some(FACTOR * (SECOND / 50)), "what is usual");
    assert_eq!(most("ints"), Some(LEAST), "none was answered");
    share.ran(&kind("fp"), RunCost { all: 20 * SECOND, cut: Duration::ZERO, answered: 1000 });
    assert_eq!(most("ints"), Some(5 * SECOND), "5 s of 27 s");
}

#[test]
fn a_shorter_limit_that_was_given_stays() {
    let (share, given) = (LimitShare::default(), ProcessLimits { script_cpu: Some(LEAST / 4), ..Default::default() });
    share.ran(&kind("fp"), RunCost { all: SECOND, cut: SECOND, answered: 0 });
    assert_eq!(share.limits(&kind("fp"), Duration::ZERO, &given), given);
}

#[test]
fn hard_scripts_alone_take_a_quarter_at_most_once_easy_ones_are_there() {
    // One script of 64 is never answered, and takes what it may; the others take 20 ms.
    let (share, given) = (LimitShare::default(), ProcessLimits { script_cpu: Some(5 * SECOND), ..Default::default() });
    let (mut all, mut cut) = (Duration::ZERO, Duration::ZERO);
    for n in 0..2000 {
        let hard = n % 64 == 0;
        let most = share.limits(&kind("fp"), Duration::ZERO, &given).script_cpu.unwrap_or_default();
        let cost = match hard {
            true => RunCost { all: most, cut: most, answered: 0 },
            false => RunCost { all: SECOND / 50, cut: Duration::ZERO, answered: 1 },
        };
        share.ran(&kind("fp"), cost);
        (all, cut) = (all + cost.all, cut + cost.cut);
    }
    assert!(cut * 4 <= all + 4 * 5 * SECOND, "{cut:?} of {all:?}");
}
