//! What a trivial strategy costs over calling the solver directly, everything counted that happens in this process: reading,
//! printing, reading the model back, judging it.
//!
//! Runs on request only: `SQUALL_OVERHEAD=100 cargo test --release -p strategy --test strategies overhead -- --nocapture`.

use crate::support::{instance, read, solvers, z3};
use rewrite::Wants;
use smtlib::Store;
use solver::process::Limits;
use solver::session::Purpose;
use std::sync::Arc;
use std::time::{Duration, Instant};
use strategy::{Budget, Request, Shared, plan, solve};

const PROBLEM: &str = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(declare-const y (_ BitVec 8))\n\
    (assert (= (bvmul x x) (bvadd y #x01)))\n(assert (bvult y #x10))\n(check-sat)\n";

#[test]
fn the_overhead_of_a_trivial_strategy() {
    let wanted: Option<usize> = std::env::var("SQUALL_OVERHEAD").ok().and_then(|n| n.parse().ok());
    let Some(rounds) = wanted else {
        println!("skipped: SQUALL_OVERHEAD says how many rounds to measure");
        return;
    };
    let Some(z3) = z3() else { return };
    let solvers = solvers();
    let program = solvers.get(&z3).expect("it was there");
    let plan = plan(&read(&format!("(solver {z3})")), &solvers).expect("it was there");
    let (mut direct, mut through) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let start = Instant::now();
        program.solver.check(PROBLEM, Purpose::SINGLE, &Limits::default()).expect("it runs");
        direct.push(start.elapsed());
        let start = Instant::now();
        let mut store = Store::new();
        let instance = instance(&mut store, PROBLEM);
        let shared = Arc::new(Shared::new(Arc::clone(&solvers), instance.declarations.clone(), instance.logic));
        let request = Request { wants: Wants::MODELS, budget: Budget::of(Duration::from_secs(60)), explain: false };
        let report = solve(&mut store, &instance.assertions, &plan, &request, &shared);
        through.push(start.elapsed());
        assert_eq!(report.answer.word(), "sat");
    }
    direct.sort();
    through.sort();
    let line = |name: &str, times: &[Duration]| {
        println!("{name}: least {:.2?}, median {:.2?}", times[0], times[times.len() / 2])
    };
    line("directly", &direct);
    line("by a strategy", &through);
}
