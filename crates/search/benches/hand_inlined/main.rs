//! Our machine code against the same program as hand-inlined C, compiled by `gcc -O2`, on the same inputs.
//!
//! `cargo bench -p search --bench hand_inlined -- FILE…` (three of JFS's benchmarks without an argument).
//! Both run the fail-fast form, ours with the distance of the constraint that fails; then both run all constraints, ours
//! with all distances. Inputs are random, half of them with every slot of moderate size.

mod c_text;
#[path = "../../tests/it/support/trial.rs"]
mod trial;

use search::ir::Program;
use search::rng::Random;
use smtlib::Store;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use trial::Trial;

/// The number of inputs, which are run repeatedly.
const INPUTS: usize = 1024;

/// The number of rounds over the inputs in one measurement.
const ROUNDS: usize = 500;

/// The number of measurements, of which the best counts.
const REPEATS: usize = 4;

const FILES: [&str; 3] = [
    "griggio__fmcad12__sqrt.c.20.smt2",
    "griggio__fmcad12__div.c.20.smt2",
    "griggio__fmcad12__test_v7_r7_vr5_c1_s3582.smt2",
];

fn main() {
    let named: Vec<PathBuf> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).map(PathBuf::from).collect();
    let shared = std::env::var_os("SQUALL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let files = if named.is_empty() { FILES.map(|f| shared.join("bench/fp/QF_FP").join(f)).to_vec() } else { named };
    println!("file\tform\toperations\tcompile ms\tC M/s\tours M/s\tC / ours");
    for file in files {
        match std::fs::read_to_string(&file) {
            Ok(text) => measure(&file, &text),
            Err(_) => println!("skipped: there is no {}", file.display()),
        }
    }
}

fn measure(file: &Path, text: &str) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    let Some(instance) = parsed.script.instances().into_iter().next() else {
        return println!("skipped: {} asks nothing", file.display());
    };
    let trial = match Trial::new(&mut store, &instance.assertions) {
        Ok(trial) => trial,
        Err(error) => return println!("skipped: {}: {error}", file.display()),
    };
    let program = trial.program().clone();
    let inputs = inputs(&program);
    let Some(times) = c_rates(&program, &inputs) else { return };
    let Some(mut compiled) = trial.compile() else { return println!("skipped: {} is not compiled", file.display()) };
    let compile = || {
        black_box(trial.compile());
    };
    let compiling = (0..5).map(|_| time(compile)).fold(f64::INFINITY, f64::min);
    let runs = (INPUTS * ROUNDS) as f64;
    let first = best(|| {
        for _ in 0..ROUNDS {
            inputs.iter().for_each(|input| {
                black_box(compiled.fail_fast.fail_fast(input));
            });
        }
    });
    let mut distances = vec![0; program.constraints.len()];
    let all = best(|| {
        for _ in 0..ROUNDS {
            inputs.iter().for_each(|input| {
                black_box(compiled.try_all.try_all(input, &mut distances));
            });
        }
    });
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    for (form, own, c) in [("fail-fast", first, times[0]), ("try-all", all, times[1])] {
        println!(
            "{name}\t{form}\t{}\t{:.3}\t{:.2}\t{:.2}\t{:.2}",
            program.hot,
            compiling * 1e3 / 2.0,
            runs / c / 1e6,
            runs / own / 1e6,
            own / c
        );
    }
}

/// Seconds of this thread's processor time: the machine may be busy with other things.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn time(mut work: impl FnMut()) -> f64 {
    let start = processor_time();
    work();
    processor_time() - start
}

fn best(mut work: impl FnMut()) -> f64 {
    (0..REPEATS).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

fn inputs(program: &Program) -> Vec<Vec<u8>> {
    let mut random = Random::from_seed(1);
    let layout = &program.layout;
    let mut inputs = Vec::with_capacity(INPUTS);
    for number in 0..INPUTS {
        let mut input = layout.zeros();
        random.fill(&mut input[..layout.bytes()]);
        for (slot, shape) in layout.slots().iter().enumerate().filter(|_| number % 2 == 0) {
            let value = (random.below(2000) as f64 - 1000.0) / 100.0;
            match shape.ty.native() {
                Some(search::types::NativeFormat::Single) => {
                    layout.set(&mut input, slot, 0, u64::from((value as f32).to_bits()))
                }
                Some(search::types::NativeFormat::Double) => layout.set(&mut input, slot, 0, value.to_bits()),
                None => {}
            }
        }
        inputs.push(input);
    }
    inputs
}

/// Seconds the C program takes for all rounds, in both forms.
fn c_rates(program: &Program, inputs: &[Vec<u8>]) -> Option<[f64; 2]> {
    let folder = tempfile::tempdir().ok()?;
    let (source, binary, data) =
        (folder.path().join("program.c"), folder.path().join("program"), folder.path().join("inputs"));
    let text = match c_text::program(program, inputs[0].len(), INPUTS, ROUNDS, REPEATS) {
        Ok(text) => text,
        Err(code) => {
            println!("skipped: no C for {code:?}");
            return None;
        }
    };
    std::fs::write(&source, text).ok()?;
    std::fs::write(&data, inputs.concat()).ok()?;
    let gcc = Command::new("gcc").args(["-O2", "-o"]).arg(&binary).arg(&source).arg("-lm").status();
    if !gcc.is_ok_and(|status| status.success()) {
        println!("skipped: gcc does not compile the program");
        return None;
    }
    let output = Command::new(&binary).arg(&data).output().ok()?;
    let mut seconds =
        String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::parse).collect::<Vec<_>>().into_iter();
    Some([seconds.next()?.ok()?, seconds.next()?.ok()?])
}
