//! The time to compile real formulas to machine code: `cargo bench -p search --bench compile -- FILE…`.
//!
//! One line per file: operations, and the microseconds for both forms, the best of several tries. At the end the time for 2,000
//! operations over all files. Formulas are lowered without simplification.

#[path = "../tests/it/support/trial.rs"]
mod trial;

use smtlib::Store;
use std::time::Instant;
use trial::Trial;

/// The number of tries, of which the best counts.
const TRIES: usize = 5;

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if files.is_empty() {
        return println!("skipped: say which files");
    }
    // Those of both forms.
    let (mut operations, mut total) = (0, 0.0);
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &text);
        let Some(instance) = parsed.script.instances().into_iter().next() else { continue };
        let Ok(trial) = Trial::new(&mut store, &instance.assertions) else { continue };
        let nodes = trial.program().nodes.len();
        let times = (0..TRIES).map(|_| {
            let start = Instant::now();
            let compiled = trial.compile();
            let time = start.elapsed().as_secs_f64() * 1e6;
            compiled.is_some().then_some(time)
        });
        let name = file.rsplit('/').next().unwrap_or(file);
        match times.collect::<Option<Vec<f64>>>() {
            Some(times) => {
                let best = times.into_iter().fold(f64::INFINITY, f64::min);
                operations += 2 * nodes;
                total += best;
                println!("{nodes}\t{best:.0}\t{name}");
            }
            None => println!("{nodes}\t-\t{name}"),
        }
    }
    println!("{:.3} ms for 2,000 operations in one form", total / operations as f64 * 2.0);
}
