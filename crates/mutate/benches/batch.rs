//! Whether a batch changes a verdict, and what it saves: `cargo bench -p mutate --bench batch -- [MUTANTS|FROM..TO] [SOLVER…]`.
//!
//! The mutants are STORM's, of four seeds of its paper together. Each is asked about alone, in a process of its own, and in
//! a batch; answers must agree but for limits. Prints mutants a second of CPU time, the solver's included. The seeds are
//! those of `SQUALL_SHARED`, the solvers those installed; 80 mutants suffice to see that it works, 10,000 to be sure. A line every
//! 500 mutants tells how far it is; `4000..6000` in place of the number does that part of the 10,000 alone.

use mutate::mutator::GivenModel;
use mutate::storm::Storm;
use mutate::{Batch, Mutant, MutantRequest, Parent, TargetSpelling, Unit};
use smtlib::Store;
use solver::batch::{BatchSize, Lesson, MAX_BATCH};
use solver::install::Fleet;
use solver::outcome::{Answer, SolverOutcome};
use solver::process::ProcessLimits;
use solver::session::{SessionNeeds, Solver};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

const SEEDS: [&str; 4] = ["bug3", "bug5", "bug12", "bug15"];
const DEFAULT_MUTANTS: usize = 80;
/// After so many mutants it is told how things stand.
const PIECE: usize = 500;
const DEFAULT_SOLVERS: [&str; 2] = ["z3@5.4.0", "z3@4.8.7"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let part = words.iter().find_map(|word| part(word)).unwrap_or(0..DEFAULT_MUTANTS);
    let mut solvers: Vec<&str> = words.iter().map(String::as_str).filter(|word| self::part(word).is_none()).collect();
    if solvers.is_empty() {
        solvers.extend(DEFAULT_SOLVERS);
    }
    let mutants: Vec<String> = mutants(part.end).into_iter().take(part.end).skip(part.start).collect();
    if mutants.is_empty() {
        println!("skipped: no shared data");
        return;
    }
    let fleet = Fleet::of_user().expect("the profiles are in order");
    for name in solvers {
        match fleet.resolve(&name.parse().expect("a solver's name")) {
            Ok(found) => compare(name, &fleet.solver(found), &mutants),
            Err(error) => println!("skipped: {error}"),
        }
    }
}

/// `4000..6000`, or `2000` for the first of them.
fn part(word: &str) -> Option<Range<usize>> {
    match word.split_once("..") {
        Some((from, to)) => Some(from.parse().ok()?..to.parse().ok()?),
        None => Some(0..word.parse().ok()?),
    }
}

/// The same number of mutants of each seed, unit after unit, in turns.
fn mutants(count: usize) -> Vec<String> {
    let each = count.div_ceil(SEEDS.len());
    let of_seeds: Vec<Vec<String>> = SEEDS.iter().filter_map(|seed| mutants_of(seed, each)).collect();
    (0..each).flat_map(|n| of_seeds.iter().filter_map(move |texts| texts.get(n).cloned())).collect()
}

fn mutants_of(seed: &str, count: usize) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(shared().join("seeds/fse").join(format!("{seed}.smt2"))).ok()?;
    let mut base = Store::new();
    let instance = smtlib::parse(&mut base, &text).script.instances().into_iter().next()?;
    let parents = [Parent { instance, given: GivenModel::Nothing }];
    let (storm, target) = (Storm::default(), TargetSpelling::default());
    let mut mutants = Vec::new();
    let mut out = Mutant::default();
    for number in 0..count as u64 {
        let mut store = base.clone();
        let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 4, number } };
        let Ok(mut batch) = storm.batch(&mut store, request) else { continue };
        for index in 0..batch.size().min((count - mutants.len()) as u64) {
            batch.mutant(index, &mut out);
            mutants.push(out.text.clone());
        }
        if mutants.len() >= count {
            break;
        }
    }
    Some(mutants)
}

fn shared() -> PathBuf {
    match std::env::var_os("SQUALL_SHARED") {
        Some(dir) => PathBuf::from(dir),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    }
}

fn compare(name: &str, solver: &Solver, mutants: &[String]) {
    let limits = ProcessLimits { wall: Duration::from_secs(5), ..ProcessLimits::default() };
    let mut size = BatchSize::new(MAX_BATCH);
    let (mut alone_cpu, mut batch_cpu) = (Cpu::default(), Cpu::default());
    let (mut differ, mut over, mut void, mut twice, mut done) = (0, 0, 0, 0, 0);
    for piece in mutants.chunks(PIECE) {
        let start = cpu_time();
        let check =
            |text: &String| solver.check(text, SessionNeeds::INCREMENTAL, &limits).expect("the solver can be run");
        let alone: Vec<SolverOutcome> = piece.iter().map(check).collect();
        alone_cpu = alone_cpu.and(cpu_time().since(start));

        let start = cpu_time();
        let mut together: Vec<SolverOutcome> = Vec::with_capacity(piece.len());
        while together.len() < piece.len() {
            let texts: Vec<&str> = piece[together.len()..].iter().take(size.get()).map(String::as_str).collect();
            let batch = solver.check_batch(&texts, SessionNeeds::INCREMENTAL, &limits).expect("the solver can be run");
            size.learn(Lesson::of(&batch));
            twice += batch.iter().filter(|one| one.asked_twice).count();
            together.extend(batch.into_iter().map(|one| one.outcome));
        }
        batch_cpu = batch_cpu.and(cpu_time().since(start));

        let limited = |outcome: &SolverOutcome| outcome.answers.iter().any(|check| is_limit(check.answer));
        let words = |outcome: &SolverOutcome| outcome.answers.iter().map(|check| check.answer).collect::<Vec<_>>();
        for ((one, other), text) in alone.iter().zip(&together).zip(piece) {
            void += usize::from(words(one).contains(&Answer::Void));
            if limited(one) || limited(other) {
                over += 1;
            } else if words(one) != words(other) {
                differ += 1;
                println!("{name}: alone {:?}, in a batch {:?}:\n{text}", words(one), words(other));
            }
        }
        done += piece.len();
        println!("{name}: {done} of {}: {differ} differ, {over} met a limit, batches of {}", mutants.len(), size.get());
    }
    let rate = |cpu: Cpu| mutants.len() as f64 / cpu.all();
    println!(
        "{name}: {} mutants: alone {:.1} a CPU-second, in batches {:.1}, {:.2} times as many; the solver's share {:.1} % and \
         {:.1} %; {differ} differ, {over} met a limit, {void} void, {twice} asked twice",
        mutants.len(),
        rate(alone_cpu),
        rate(batch_cpu),
        rate(batch_cpu) / rate(alone_cpu),
        alone_cpu.share(),
        batch_cpu.share()
    );
    assert_eq!(differ, 0, "a batch changes no verdict");
}

fn is_limit(answer: Answer) -> bool {
    matches!(answer, Answer::Timeout | Answer::MemOut | Answer::OutputOut)
}

/// CPU time in seconds.
#[derive(Clone, Copy, Default)]
struct Cpu {
    own: f64,
    children: f64,
}

impl Cpu {
    fn since(self, start: Cpu) -> Cpu {
        Cpu { own: self.own - start.own, children: self.children - start.children }
    }

    fn and(self, other: Cpu) -> Cpu {
        Cpu { own: self.own + other.own, children: self.children + other.children }
    }

    fn all(self) -> f64 {
        self.own + self.children
    }

    /// The children's part, in per cent.
    fn share(self) -> f64 {
        100.0 * self.children / self.all()
    }
}

/// The CPU time of this process and of the children it has waited for: fields 14 to 17 of proc_pid_stat(5), counted behind
/// the program's name, in hundredths of a second.
fn cpu_time() -> Cpu {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<f64> = rest.split_whitespace().skip(11).take(4).filter_map(|field| field.parse().ok()).collect();
    let sum = |range: std::ops::Range<usize>| fields.get(range).unwrap_or_default().iter().sum::<f64>() / 100.0;
    Cpu { own: sum(0..2), children: sum(2..4) }
}
