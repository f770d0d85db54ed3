//! The overhead of `squall solve` with a trivial strategy over the solver itself: whole programs from spawn to exit, alternating.
//!
//! `cargo bench -p squall --bench overhead -- 300` runs 300 pairs; more arguments are files to solve instead of a small one of bit-vectors.
//! Prints `skipped` without z3.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROBLEM: &str = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(declare-const y (_ BitVec 8))\n\
    (assert (= (bvmul x x) (bvadd y #x01)))\n(assert (bvult y #x10))\n(check-sat)\n";

fn timed(program: &mut Command) -> Duration {
    program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Cargo adds library folders that are searched at each start, which a user's shell does not have.
    program.env_remove("LD_LIBRARY_PATH");
    let start = Instant::now();
    program.status().expect("the program starts");
    start.elapsed()
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let pairs: usize = words.first().and_then(|word| word.parse().ok()).unwrap_or(100).max(1);
    let Some((name, z3)) = solver::testing::z3() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    if words.len() < 2 {
        let path = folder.path().join("small.smt2");
        std::fs::write(&path, PROBLEM).expect("a temporary file");
        words = vec![String::new(), path.display().to_string()];
    }
    let z3 = &z3.installed().command;
    let squall = env!("CARGO_BIN_EXE_squall");
    for file in &words[1..] {
        let (mut alone, mut through, mut start) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..pairs {
            alone.push(timed(Command::new(&z3[0]).args(&z3[1..]).arg(file)));
            through.push(timed(Command::new(squall).args(["solve", file, "--strategy", &format!("(solver {name})")])));
            start.push(timed(Command::new(squall).arg("--version")));
        }
        let difference = |n: usize| through[n].as_secs_f64() - alone[n].as_secs_f64();
        let mut differences: Vec<f64> = (0..pairs).map(difference).collect();
        differences.sort_by(f64::total_cmp);
        [&mut alone, &mut through, &mut start].into_iter().for_each(|times| times.sort());
        println!("{file}: {pairs} pairs");
        for (what, times) in [("z3 alone", alone), ("by squall", through), ("squall --version", start)] {
            println!("  {what}: least {:.2?}, median {:.2?}", times[0], times[pairs / 2]);
        }
        println!("  differences of the pairs: median {:.2} ms", differences[pairs / 2] * 1e3);
    }
}
