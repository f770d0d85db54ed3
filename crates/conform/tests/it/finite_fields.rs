//! Operators of finite fields, compared with the only solver that decides them, cvc5 built with CoCoA.

use conform::explained::BUILT_IN;
use conform::{ApplicationBlock, Ask, Explained, SolverUnderTest, Tally};
use smtlib::Dialect;
use smtlib::theories::numbers::FIELDS;
use solver::install::Fleet;
use solver::process::ProcessLimits;
use std::time::Duration;

/// A version with known answers.
const SOLVER: &str = "cvc5-gpl@1.4.2";

#[test]
fn cvc5_agrees_about_operators_of_finite_fields() {
    let solver = || {
        let fleet = Fleet::of_user().ok()?;
        let installed = fleet.resolve(&SOLVER.parse().ok()?).ok()?;
        Some(fleet.solver(installed))
    };
    let Some(solver) = testing::require(SOLVER, solver()) else { return };
    let table = Explained::parse(BUILT_IN).expect("the built-in table");
    let limits = ProcessLimits { wall: Duration::from_secs(120), output_bytes: 64 << 20, ..ProcessLimits::default() };
    for ask in [Ask::Check, Ask::Value] {
        let mut tested = SolverUnderTest::new(solver.clone(), Dialect::default(), limits.clone(), &table, ask);
        let mut tally = Tally::default();
        let amount = testing::amount("SQUALL_FIELD_BLOCKS", 1u64);
        let rows = FIELDS.rows.iter();
        let blocks = rows.flat_map(|row| (0..amount).map(|n| ApplicationBlock::new(row, 5, n).expect("a block")));
        let blocks: Vec<ApplicationBlock> = blocks.collect();
        tested.compare(&blocks, &mut tally).expect("it runs");
        assert_eq!(tally.unexplained_count, 0, "{:?}", tally.unexplained);
        assert!(tally.agreed == tally.asked && tally.asked > 100, "{ask:?}: {tally:?}");
    }
}
