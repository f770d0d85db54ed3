//! How fast models are read, in megabytes per second of this process's CPU time, for models of several sizes: the figures of
//! one shape must not fall as it grows.
//!
//! `cargo bench -p semantics --bench models`.

use semantics::read_model;
use smtlib::{Instance, Store, parse};
use std::fmt::Write;

/// The sizes of the models, in bytes.
const SIZES: [usize; 3] = [50_000, 500_000, 5_000_000];

/// Each measurement runs at least this long, in seconds of CPU time.
const LONG_ENOUGH: f64 = 0.5;

/// A script and a model of it of about so many bytes.
type Shape = fn(usize) -> (String, String);

fn main() {
    let shapes: [(&str, Shape); 4] =
        [("definitions", definitions), ("strings", strings), ("one table", table), ("one deep list", list)];
    for (name, shape) in shapes {
        for size in SIZES {
            let (script, model) = shape(size);
            let mut store = Store::new();
            let parsed = parse(&mut store, &format!("{script}(check-sat)"));
            assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
            let rate = per_second(&store, &parsed.script.instances()[0], &model);
            println!("{name}, {} bytes: {rate:.1} MB/s", model.len());
        }
    }
}

fn definitions(size: usize) -> (String, String) {
    repeated(size, |n, script, model| {
        let _ = writeln!(script, "(declare-fun v{n} () Int)");
        let _ = writeln!(model, "  (define-fun v{n} () Int\n    (- {n}))");
    })
}

fn strings(size: usize) -> (String, String) {
    repeated(size, |n, script, model| {
        let _ = writeln!(script, "(declare-fun |s {n}| () String)");
        let _ = writeln!(model, "(define-fun |s {n}| () String \"a \"\"word\"\" of (\\u{{{n:x}}}) ; |and more|\")");
    })
}

/// Pieces until a model has its size.
fn repeated(size: usize, piece: impl Fn(usize, &mut String, &mut String)) -> (String, String) {
    let (mut script, mut model) = (String::new(), String::from("(\n"));
    let mut n = 0;
    while model.len() < size {
        piece(n, &mut script, &mut model);
        n += 1;
    }
    (script, model + ")")
}

fn table(size: usize) -> (String, String) {
    let rows = size / 40;
    let body: String = (0..rows).map(|n| format!("(ite (= x!0 {n}) U!val!{} ", n % 7)).collect();
    let script = "(declare-sort U 0)(declare-fun f (Int) U)".to_string();
    (script, format!("((define-fun f ((x!0 Int)) U\n{body} U!val!0{}))", ")".repeat(rows)))
}

fn list(size: usize) -> (String, String) {
    let rows = size / 9;
    let script = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-fun l () L)".to_string();
    (script, format!("((define-fun l () L {}nil{}))", "(cons 1 ".repeat(rows), ")".repeat(rows)))
}

/// Megabytes a second of CPU time.
fn per_second(store: &Store, instance: &Instance, model: &str) -> f64 {
    let mut spent = 0.0;
    let mut rounds = 0;
    while spent < LONG_ENOUGH {
        let mut store = store.clone();
        let start = cpu_seconds();
        let read = read_model(&mut store, instance, model);
        spent += cpu_seconds() - start;
        assert!(read.is_ok_and(|model| model.unreadable().is_empty()));
        rounds += 1;
    }
    f64::from(rounds) * model.len() as f64 / 1e6 / spent
}

fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
