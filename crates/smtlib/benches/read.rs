//! How fast scripts are read and printed, in megabytes per second of this process's CPU time.
//!
//! `cargo bench -p smtlib --bench read` measures the real problems named by `SQUALL_SHARED` (or found beside the checkout),
//! and a generated script, which is all there is where those are absent. CPU time is measured, for it hardly depends on what
//! else the machine does.

use smtlib::{Dialect, Printer, Store, parse_bytes};
use std::path::{Path, PathBuf};

/// Each measurement runs at least this long, in seconds of CPU time.
const LONG_ENOUGH: f64 = 1.0;

fn main() {
    let shared = std::env::var_os("SQUALL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let mut files = Vec::new();
    collect(&shared.join("seeds"), &mut files);
    if files.is_empty() {
        println!("skipped: no shared data");
    } else {
        let texts: Vec<Vec<u8>> = files.iter().filter_map(|f| std::fs::read(f).ok()).collect();
        measure(&format!("{} shared files", texts.len()), &texts);
    }
    measure("one generated script", &[generated(20_000).into_bytes()]);
}

/// All `.smt2` files under a folder.
fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "smt2") {
            files.push(path);
        }
    }
}

fn measure(what: &str, texts: &[Vec<u8>]) {
    let size: usize = texts.iter().map(Vec::len).sum();
    let read = per_second(size, || {
        for text in texts {
            let mut store = Store::new();
            std::hint::black_box(parse_bytes(&mut store, text).is_ok());
        }
    });
    let parsed: Vec<_> = texts
        .iter()
        .filter_map(|text| {
            let mut store = Store::new();
            let parsed = parse_bytes(&mut store, text).ok()?;
            Some((store, parsed.script))
        })
        .collect();
    let dialect = Dialect::default();
    let print = || -> usize {
        let mut out = String::new();
        let each = parsed.iter().map(|(store, script)| {
            out.clear();
            Printer::new(store, &dialect).script(script, &mut out);
            out.len()
        });
        each.sum()
    };
    let printed = print();
    let print = per_second(printed, || {
        std::hint::black_box(print());
    });
    println!("{what}, {size} bytes: read {read:.1} MB/s, print {print:.1} MB/s");
}

/// Megabytes a second of CPU time of a job over `size` bytes.
fn per_second(size: usize, mut job: impl FnMut()) -> f64 {
    job();
    let start = cpu_seconds();
    let mut rounds = 0;
    while cpu_seconds() - start < LONG_ENOUGH {
        job();
        rounds += 1;
    }
    f64::from(rounds) * size as f64 / 1e6 / (cpu_seconds() - start)
}

fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// A script over integers, bit-vectors and arrays with some sharing: deterministic, of about 130 bytes a step.
fn generated(steps: usize) -> String {
    use std::fmt::Write;
    let mut text = String::from("(set-logic ALL)\n(declare-fun m () (Array Int Int))\n");
    for n in 0..200 {
        let _ = writeln!(text, "(declare-fun x{n} () Int)\n(declare-fun v{n} () (_ BitVec 32))");
    }
    for n in 0..steps {
        let (a, b, c) = (n % 200, n * 7 % 200, n * 31 % 200);
        let _ = writeln!(
            text,
            "(assert (let ((?t (+ x{a} (* {n} x{b})))) (or (<= ?t (select m x{c})) (bvult (bvadd v{a} #x{n:08x}) v{b}) (not (= ?t {c})))))"
        );
    }
    text.push_str("(check-sat)\n");
    text
}
