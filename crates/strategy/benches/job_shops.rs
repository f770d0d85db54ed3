//! Job shops in differences: `cargo bench -p strategy --bench job_shops -- JOBS MACHINES SHOPS [FOLDER]`.
//!
//! For each of several random shops the least deadline is found by bisection. Prints one line for that deadline, the one before it, one 5
//! % later and one 10 % earlier: the answer, and the time of `smt` in seconds. With a folder, the scripts are written there for other
//! programs.

#[path = "../tests/it/differences/shops.rs"]
mod shops;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use rewrite::Params;
use shops::JobShop;
use smtlib::Store;
use std::time::{Duration, Instant};
use strategy::engines::smt::Smt;
use strategy::{Budget, Decision, Engine};

/// The time limit for one deadline, in seconds.
const SECONDS: u64 = 300;

/// Returns whether the script is satisfiable, and the time in seconds.
fn decide(text: &str) -> Option<(bool, f64)> {
    let mut store = Store::new();
    let assertions = smtlib::parse(&mut store, text).script.instances().into_iter().next()?.assertions;
    let start = Instant::now();
    let decision =
        Smt::new(&Params::default(), None).decide(&mut store, &assertions, &Budget::of(Duration::from_secs(SECONDS)));
    let seconds = start.elapsed().as_secs_f64();
    match decision {
        Decision::Sat(_) => Some((true, seconds)),
        Decision::Unsat(_) => Some((false, seconds)),
        Decision::Unknown(_) => None,
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let numbers: Vec<usize> = args.iter().take(3).filter_map(|a| a.parse().ok()).collect();
    let &[jobs, machines, shops] = numbers.as_slice() else {
        return println!(
            "skipped: say how many jobs and machines, how many shops, and perhaps a folder for the scripts"
        );
    };
    for seed in 0..shops as u64 {
        let shop = JobShop::random(&mut Rng::seed_from_u64(seed), jobs.max(1), machines.max(1), 99);
        let script = |deadline: i64| format!("(set-logic QF_IDL)\n{}\n", shop.script(deadline, false, 1));
        let (mut low, mut high) = (shop.bound(), shop.loosest());
        while low < high {
            let middle = (low + high) / 2;
            match decide(&script(middle)) {
                Some((true, _)) => high = middle,
                Some((false, _)) => low = middle + 1,
                None => break,
            }
        }
        if low < high {
            println!("{jobs}x{machines}\tshop {seed}\tno least deadline within {SECONDS} s a question");
            continue;
        }
        let deadlines = [("optimum", low), ("before", low - 1), ("later", low * 21 / 20), ("earlier", low * 9 / 10)];
        for (what, deadline) in deadlines {
            let text = script(deadline);
            match decide(&text) {
                Some((sat, seconds)) => {
                    let answer = if sat { "sat" } else { "unsat" };
                    println!("{jobs}x{machines}\tshop {seed}\t{what}\t{deadline}\t{answer}\t{seconds:.3}");
                }
                None => println!("{jobs}x{machines}\tshop {seed}\t{what}\t{deadline}\tunknown"),
            }
            let Some(folder) = args.get(3) else { continue };
            let path = std::path::Path::new(folder).join(format!("{jobs}x{machines}-{seed}-{what}.smt2"));
            if let Err(error) = std::fs::write(&path, text) {
                println!("{}: {error}", path.display());
            }
        }
    }
}
