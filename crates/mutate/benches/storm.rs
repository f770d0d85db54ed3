//! Mutants a second, printing included: `cargo bench -p mutate`.
//!
//! `unit` does all that one unit of a campaign does for a seed that is already read: copy its terms, draw and value an
//! assignment, build the pools, and make every mutant of the unit. `mutants` makes mutants of a unit already prepared, and
//! shows what is left when the solver is slow. `divan` prints items a second: items are mutants.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use mutate::mutator::GivenModel;
use mutate::query_mode::QueryConfig;
use mutate::storm::{Storm, StormConfig};
use mutate::{Batch, Mutant, MutantRequest, Parent, TargetSpelling, Unit};
use smtlib::Store;
use std::path::{Path, PathBuf};

fn main() {
    divan::main();
}

/// A seed shaped like the STORM paper's bug 3: a chain of disjunctions of linear bounds.
const EMBEDDED: &str = "(set-logic QF_LIA)
    (declare-fun a () Int) (declare-fun b () Int) (declare-fun c () Int) (declare-fun d () Int)
    (assert (and (or (>= a 17) (>= (* 3 a) b)) (or (>= b (* 120 a)) (<= (- b) (* 7 c)))
                 (or (< c (* 31 b)) (= c (+ a d))) (=> (> d 0) (< (+ a b c) (* 2 d))) (distinct a b c d)))
    (check-sat)";

const SEEDS: [&str; 4] = ["embedded", "fse/bug3", "fse/bug7", "fse/bug9"];

/// A seed ready to be mutated; none where its file is not here.
fn load(name: &str) -> Option<(Store, Vec<Parent>)> {
    let text = match name {
        "embedded" => EMBEDDED.to_string(),
        _ => std::fs::read_to_string(shared().join("seeds").join(format!("{name}.smt2"))).ok()?,
    };
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, &text);
    let instance = parsed.script.instances().into_iter().next()?;
    Some((store, vec![Parent { instance, given: GivenModel::Nothing }]))
}

fn shared() -> PathBuf {
    match std::env::var_os("SQUALL_SHARED") {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    }
}

/// The paper's defaults, Amax = Dmax = 64, plain checks. Without focus, so that all units have about the same size.
fn storm() -> Storm {
    Storm {
        config: StormConfig {
            query: QueryConfig { incremental: 0, ..QueryConfig::default() },
            focus: 0,
            ..StormConfig::default()
        },
    }
}

#[divan::bench(args = SEEDS)]
fn unit(bencher: Bencher<'_, '_>, name: &str) {
    let Some((store, parents)) = load(name) else {
        println!("skipped: no shared data");
        return;
    };
    let (storm, target) = (storm(), TargetSpelling::default());
    let run = |number: u64, out: &mut Mutant| {
        let mut store = store.clone();
        let unit = Unit { campaign: 1, number };
        let Ok(mut batch) = storm.batch(&mut store, MutantRequest { parents: &parents, target: &target, unit }) else {
            return (0, 0);
        };
        let mut bytes = 0;
        for index in 0..batch.size() {
            batch.mutant(index, out);
            bytes += divan::black_box(&out.text).len();
        }
        (batch.size(), bytes)
    };
    let mut out = Mutant::default();
    let (mutants, bytes) = run(0, &mut out);
    let mut number = 0;
    bencher.counter(ItemsCount::new(mutants)).counter(BytesCount::new(bytes)).bench_local(|| {
        number += 1;
        run(number, &mut out)
    });
}

#[divan::bench(args = SEEDS)]
fn mutants(bencher: Bencher<'_, '_>, name: &str) {
    let Some((mut store, parents)) = load(name) else {
        println!("skipped: no shared data");
        return;
    };
    let (storm, target) = (storm(), TargetSpelling::default());
    let unit = Unit { campaign: 1, number: 0 };
    let Ok(mut batch) = storm.batch(&mut store, MutantRequest { parents: &parents, target: &target, unit }) else {
        return;
    };
    let (mut out, mut index) = (Mutant::default(), 0);
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
        batch.mutant(index, &mut out);
        index += 1;
        divan::black_box(&out.text).len()
    });
}
