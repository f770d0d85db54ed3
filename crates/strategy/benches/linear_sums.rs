//! Linear sums: `cargo bench -p strategy --bench linear_sums -- SECONDS [FOLDER]`.
//!
//! Job shops whose durations are symbols, with bounds and a minimum sum per job, and clauses of sums of three symbols. Prints one line
//! per problem: the answer of `smt` and its time in seconds. With a folder, the scripts are written there for other programs.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use rewrite::Params;
use smtlib::Store;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use strategy::engines::smt::Smt;
use strategy::{Budget, Decision, Engine};

/// Numbers of one sort.
#[derive(Clone, Copy)]
struct NumberSort {
    name: &'static str,
    dot: &'static str,
}

const SORTS: [NumberSort; 2] = [NumberSort { name: "Real", dot: ".0" }, NumberSort { name: "Int", dot: "" }];

impl NumberSort {
    fn text(self, n: i64) -> String {
        let dot = self.dot;
        if n < 0 { format!("(- {}{dot})", -n) } else { format!("{n}{dot}") }
    }
}

/// An operation of a job on a machine, with the duration from which the bounds are made.
struct Operation {
    job: usize,
    step: usize,
    machine: usize,
    duration: i64,
}

/// Makes a job shop with a deadline in hundredths of the time of the longest job, or of the busiest machine.
fn shop(rng: &mut Rng, (jobs, machines): (usize, usize), sort: NumberSort, hundredths: i64) -> String {
    let mut operations = Vec::new();
    for job in 0..jobs {
        let mut order: Vec<usize> = (0..machines).collect();
        for k in (1..machines).rev() {
            order.swap(k, rng.random_range(0..=k));
        }
        for (step, machine) in order.into_iter().enumerate() {
            operations.push(Operation { job, step, machine, duration: rng.random_range(5..=50) });
        }
    }
    let load = |of: &dyn Fn(&Operation) -> bool| operations.iter().filter(|o| of(o)).map(|o| o.duration).sum::<i64>();
    let longest =
        (0..jobs).map(|j| load(&|o| o.job == j)).chain((0..machines).map(|m| load(&|o| o.machine == m))).max();
    let deadline = sort.text(longest.unwrap_or(0) * hundredths / 100);
    let mut text = String::new();
    for Operation { job, step, duration, .. } in &operations {
        let (name, zero) = (format!("{job}_{step}"), sort.text(0));
        let (least, most) = (sort.text(duration * 9 / 10), sort.text(duration * 2));
        let _ = writeln!(text, "(declare-const s{name} {0}) (declare-const d{name} {0})", sort.name);
        let _ = writeln!(text, "(assert (<= {least} d{name} {most})) (assert (>= s{name} {zero}))");
        let _ = writeln!(text, "(assert (<= (+ s{name} d{name}) {deadline}))");
        if let Some(before) = step.checked_sub(1) {
            let _ = writeln!(text, "(assert (>= s{name} (+ s{job}_{before} d{job}_{before})))");
        }
    }
    for job in 0..jobs {
        let sum: String = (0..machines).map(|step| format!(" d{job}_{step}")).collect();
        let _ = writeln!(text, "(assert (>= (+{sum} {}) {}))", sort.text(0), sort.text(load(&|o| o.job == job)));
    }
    for (n, a) in operations.iter().enumerate() {
        for b in operations[n..].iter().filter(|b| b.job != a.job && b.machine == a.machine) {
            let (x, y) = (format!("{}_{}", a.job, a.step), format!("{}_{}", b.job, b.step));
            let _ = writeln!(text, "(assert (or (>= s{x} (+ s{y} d{y})) (>= s{y} (+ s{x} d{x}))))");
        }
    }
    text
}

/// Makes clauses of three comparisons of sums of three symbols between -100 and 100.
fn clauses(rng: &mut Rng, (symbols, each): (usize, usize), sort: NumberSort) -> String {
    let mut text = String::new();
    for n in 0..symbols {
        let (least, most) = (sort.text(-100), sort.text(100));
        let _ = writeln!(text, "(declare-const x{n} {}) (assert (<= {least} x{n} {most}))", sort.name);
    }
    for _ in 0..symbols * each {
        let atom = |rng: &mut Rng| {
            let sum: String = (0..3)
                .map(|_| {
                    let factor = [-3, -2, -1, 1, 2, 3][rng.random_range(0..6usize)];
                    format!(" (* {} x{})", sort.text(factor), rng.random_range(0..symbols))
                })
                .collect();
            let relation = ["<=", ">="][rng.random_range(0..2usize)];
            format!("({relation} (+{sum}) {})", sort.text(rng.random_range(-60..=60)))
        };
        let _ = writeln!(text, "(assert (or {} {} {}))", atom(rng), atom(rng), atom(rng));
    }
    text
}

/// Decides a script, and prints a line of it.
fn measure(name: &str, text: &str, seconds: u64, folder: Option<&String>) {
    let mut store = Store::new();
    let text = format!("{text}(check-sat)\n");
    let Some(instance) = smtlib::parse(&mut store, &text).script.instances().into_iter().next() else { return };
    let start = Instant::now();
    let budget = Budget::of(Duration::from_secs(seconds));
    let answer = match Smt::new(&Params::default(), None).decide(&mut store, &instance.assertions, &budget) {
        Decision::Sat(_) => "sat",
        Decision::Unsat(_) => "unsat",
        Decision::Unknown(_) => "unknown",
    };
    println!("{name}\t{answer}\t{:.2}", start.elapsed().as_secs_f64());
    let Some(folder) = folder else { return };
    let path = Path::new(folder).join(format!("{name}.smt2"));
    if let Err(error) = std::fs::write(&path, format!("(set-logic ALL)\n{text}")) {
        println!("{}: {error}", path.display());
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let Some(seconds) = args.first().and_then(|a| a.parse().ok()) else {
        return println!("skipped: say how many seconds a problem may take, and perhaps a folder for the scripts");
    };
    for sort in SORTS {
        for size in [(5, 3), (6, 4), (7, 5), (8, 5)] {
            for hundredths in [80, 95, 102] {
                let name = format!("shop-{}-{}x{}-{hundredths}", sort.name, size.0, size.1);
                let text = shop(&mut Rng::seed_from_u64(size.0 as u64), size, sort, hundredths);
                measure(&name, &text, seconds, args.get(1));
            }
        }
        for size in [(10, 4), (12, 5), (15, 5), (20, 4), (40, 3)] {
            let name = format!("clauses-{}-{}x{}", sort.name, size.0, size.1);
            let text = clauses(&mut Rng::seed_from_u64(size.0 as u64), size, sort);
            measure(&name, &text, seconds, args.get(1));
        }
    }
}
