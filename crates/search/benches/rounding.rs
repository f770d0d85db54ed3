//! Directed rounding: the processor's modes against exact code, `cargo bench -p search --bench rounding`.
//!
//! Nanoseconds per operation in a compiled chain: to nearest even (an instruction), towards zero (with two writes of MXCSR) and to
//! nearest away (exact code, since the processor has no such mode); and of the exact code alone, towards zero.

#[path = "../tests/it/support/trial.rs"]
mod trial;

use search::rng::Random;
use semantics::float::{Float, FloatFormat, RoundingMode};
use smtlib::Store;
use std::hint::black_box;
use std::time::Instant;
use trial::Trial;

/// Operations in a chain.
const LENGTH: usize = 200;

/// Inputs run through it.
const RUNS: usize = 20_000;

fn main() {
    if !search::jit::AVAILABLE {
        return println!("skipped: nothing is compiled on this machine");
    }
    println!("operation\tRNE\tRTZ\tRNA\texact RTZ");
    for name in ["add", "mul", "div"] {
        let [even, zero, away] = ["RNE", "RTZ", "RNA"].map(|mode| chain(name, mode));
        println!("fp.{name}\t{even:.1}\t{zero:.1}\t{away:.1}\t{:.1}", exact(name));
    }
}

/// Returns the nanoseconds per operation, the best of five measurements.
fn best(operations: usize, mut work: impl FnMut()) -> f64 {
    let times = (0..5).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min) * 1e9 / operations as f64
}

fn chain(name: &str, mode: &str) -> f64 {
    let term = (0..LENGTH).fold("x".to_string(), |inner, _| format!("(fp.{name} {mode} {inner} y)"));
    let text = format!("(declare-const x Float64)(declare-const y Float64)(assert (fp.lt {term} x))(check-sat)");
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    let assertions = parsed.script.instances().remove(0).assertions;
    let trial = Trial::new(&mut store, &assertions).expect("a formula of floats");
    let mut compiled = trial.compile().expect("this machine compiles");
    let program = trial.program().clone();
    let mut input = program.layout.zeros();
    program.layout.set(&mut input, 0, 0, 1.75f64.to_bits());
    program.layout.set(&mut input, 1, 0, 1.000_000_3f64.to_bits());
    best(RUNS * LENGTH, || {
        for _ in 0..RUNS {
            black_box(compiled.fail_fast.fail_fast(black_box(&input)));
        }
    })
}

fn exact(name: &str) -> f64 {
    let mut random = Random::from_seed(1);
    let values: Vec<u64> = (0..1024).map(|_| random.bits() >> 2 | 1 << 61).collect();
    best(1023 * 20, || {
        for _ in 0..20 {
            for pair in values.windows(2) {
                let [x, y] = [pair[0], pair[1]].map(|bits| Float::from_u64_bits(FloatFormat::FLOAT64, bits));
                let mode = RoundingMode::Rtz;
                black_box(match name {
                    "add" => x.add(mode, &y),
                    "mul" => x.mul(mode, &y),
                    _ => x.div(mode, &y),
                });
            }
        }
    })
}
