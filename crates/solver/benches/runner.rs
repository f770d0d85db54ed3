//! Measures the cost of a run besides the solver's own work: `cargo bench -p solver`.

use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use solver::cache::SolverCache;
use solver::install::Fleet;
use solver::process::ProcessLimits;
use solver::profiles::Profiles;
use solver::session::{SessionNeeds, Solver};
use solver::sources::path::SearchPath;

const STAND_IN: &str = env!("CARGO_BIN_EXE_stand-in-solver");

fn main() {
    divan::main();
}

fn solver(spec: &str) -> Solver {
    let profiles = Profiles::embedded();
    let fleet = Fleet::new(profiles, SolverCache::at(Path::new("/nonexistent")), SearchPath::new(Vec::new()));
    fleet.solver(fleet.resolve(&spec.parse().unwrap()).unwrap())
}

/// Makes a script of about `bytes` bytes, similar to mutants: many assertions, a few check-sats, some quoted symbols.
fn script(bytes: usize) -> String {
    let line = "(assert (or (not (= |v 1| (+ v2 v3))) (and (> v2 12) (<= v3 (* 7 |v 1|)) (= f1 (ite b v2 v3)))))\n";
    format!("{}(check-sat)\n(push 1)\n(check-sat)\n(pop 1)\n", line.repeat(bytes / line.len()))
}

#[divan::bench(args = [25_000, 250_000])]
fn builtin(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let (solver, script, limits) = (solver("builtin:sat"), script(bytes), ProcessLimits::default());
    bencher
        .counter(divan::counter::BytesCount::new(script.len()))
        .bench(|| solver.check(&script, SessionNeeds::INCREMENTAL, &limits).unwrap());
}

#[divan::bench(args = [25_000, 250_000])]
fn process_fed_by_memory_file(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let (solver, script, limits) = (solver(STAND_IN), script(bytes), ProcessLimits::default());
    bencher.bench(|| solver.check(&script, SessionNeeds::SINGLE, &limits).unwrap());
}

/// The usual way, for comparison: a pipe, and a thread that fills it.
#[divan::bench(args = [25_000, 250_000])]
fn process_fed_by_pipe(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let script = script(bytes);
    bencher.bench(|| {
        let mut command = Command::new(STAND_IN);
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                stdin.write_all(script.as_bytes()).unwrap();
                drop(stdin);
            });
            let mut output = Vec::new();
            child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
            child.wait().unwrap();
            output
        })
    });
}
