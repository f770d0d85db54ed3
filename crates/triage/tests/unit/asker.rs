//! Unit tests of `src/explain/asker.rs`.

use super::runs_for;
use finding::record::SymptomRepeats;

#[test]
fn the_seldomer_it_shows_the_more_runs_are_made() {
    let check = |shown: u32, runs: u32, expect: u32| assert_eq!(runs_for(SymptomRepeats { shown, runs }), expect);
    check(3, 3, 3);
    check(2, 3, 3);
    check(1, 3, 8);
    check(1, 100, 12);
    check(0, 3, 3);
}
