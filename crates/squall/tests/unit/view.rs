//! Unit tests of `src/commands/fuzz/live/view.rs`.

use super::*;

#[test]
fn no_line_is_given_twice_or_lost() {
    for total in 1..200 {
        for workers in [0, 1, 2, 8, 300] {
            let h = heights(total, workers);
            let sum = 1 + h.totals + h.pass + h.now + h.charts + h.findings + h.workers + h.messages + h.keys;
            assert_eq!(sum, total, "{h:?}");
            assert!(total < 12 || h.findings >= 4, "{total} {h:?}");
        }
    }
}
