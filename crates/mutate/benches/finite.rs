//! What it costs to make a problem of the mutator `finite` and to decide it: `cargo bench -p mutate --bench finite -- [PROBLEMS] [THEME…]`.
//!
//! A line a theme, in CPU time of the thread: *making* is one call of the batch, which grows the problem, decides it by the quick search and
//! prints it; *deciding again* reads the text and tries every assignment by the plain evaluator, as `squall replay` does. 2,000 problems of
//! every theme unless the command says otherwise.

use mutate::finite::FiniteMutator;
use mutate::finite::problem::LIMITS;
use mutate::finite::theme::{THEMES, Theme};
use mutate::{Batch, Mutant, TargetSpelling, Unit};
use semantics::Stop;
use semantics::truth::{ExhaustLimits, Search, TruthQuery, of_formulas};
use smtlib::Store;
use std::time::Duration;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let count = words.iter().find_map(|word| word.parse().ok()).unwrap_or(2_000);
    let named: Vec<&String> = words.iter().filter(|word| word.parse::<u64>().is_err()).collect();
    println!(
        "CPU time in µs          making: mean  median     95 %     99 %      max   again: mean  median     95 %     99 %   2 ms"
    );
    for theme in THEMES.iter().filter(|theme| named.is_empty() || named.iter().any(|name| *name == theme.name)) {
        measure(theme, count);
    }
}

fn measure(theme: &'static Theme, count: u64) {
    let finite = FiniteMutator { themes: vec![theme], ..FiniteMutator::default() };
    let target = TargetSpelling::default();
    let (mut making, mut again) = (Vec::new(), Vec::new());
    let mut mutant = Mutant::default();
    for number in 0.. {
        let mut store = Store::new();
        let start = cpu_time();
        let mut batch = finite.batch(&mut store, &target, Unit { campaign: 1717, number });
        let mut before = start;
        for index in 0..batch.size() {
            batch.mutant(index, &mut mutant);
            // The first problem of a batch bears what is done once for all of them.
            let now = cpu_time();
            making.push(now - before);
            if !mutant.expected.is_empty() {
                decide(&mutant.text);
                again.push(cpu_time() - now);
            }
            before = cpu_time();
        }
        if making.len() as u64 >= count {
            break;
        }
    }
    let within =
        making.iter().filter(|time| **time <= Duration::from_millis(2)).count() as f64 * 100.0 / making.len() as f64;
    println!("{:16}{}        {}  {within:5.1} %", theme.name, row(&mut making, true), row(&mut again, false));
}

fn decide(text: &str) {
    let mut store = Store::new();
    let limits = ExhaustLimits { evaluations: 1 << 20, steps: u64::MAX, ..LIMITS };
    for instance in smtlib::parse(&mut store, text).script.instances() {
        let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded };
        let _ = std::hint::black_box(of_formulas(&mut store, &instance.assertions, query));
    }
}

/// Mean, median, the 95th and 99th percentile, and the greatest where asked for.
fn row(times: &mut [Duration], greatest: bool) -> String {
    times.sort_unstable();
    let at = |part: usize| times.get(times.len() * part / 100).map_or(0, Duration::as_micros);
    let mean = times.iter().sum::<Duration>().as_micros() / (times.len().max(1) as u128);
    let mut figures = vec![mean, at(50), at(95), at(99)];
    if greatest {
        figures.push(times.last().map_or(0, Duration::as_micros));
    }
    figures.iter().map(|figure| format!("{figure:9}")).collect()
}

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
