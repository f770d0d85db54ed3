//! Guidance by coverage: whether mutants that reach new branches are worth keeping as seeds.
//!
//! `SOLVER=./counted/bitwuzla SINGLES=. cargo bench -p squall --bench guidance` fuzzes a build with gcov counters for CPU SECONDS
//! (600), PAIRS (5) times without and with guidance, from the same seeds and random streams, whose numbers begin with FIRST (0). With
//! guidance a mutant that reaches a branch that nothing reached before joins the seeds. Each script runs alone in both arms, because its
//! counters are read after it. If SINGLES is a folder with builds of one planted change each (`changed-N/bitwuzla`, of the benchmark
//! `changes`) and BASE the build without any, a hit counts for each change that shows it, else by its class and symptom.

use corpus::seed::{self, Seed, SeedSource};
use experiment::statistics::{compare_ranks, median};
use fuzz::sync::Stops;
use fuzz::under_test::{Target, TargetOptions};
use mutate::mutator::GivenModel;
use mutate::{Mutant, MutantRequest, Parent, Unit, choice};
use oracle::Asking;
use oracle::candidate::own_cpu;
use smtlib::Store;
use solver::coverage::{CoverageSet, CoverageUnit, InstrumentedBuild};
use solver::install::Fleet;
use solver::process::{ProcessLimits, RunStatus, ended_cpu};
use solver::session::{SessionNeeds, Solver};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The number of mutants of one preparation.
const PER_UNIT: u64 = 4;
/// The number of points of a curve.
const POINTS: usize = 6;
/// The maximum number of hits whose causes are determined.
const MAX_HITS: usize = 400;

/// A run of one arm.
struct Arm {
    /// Branches at each point.
    curve: Vec<f64>,
    scripts: u64,
    seeds: usize,
    causes: BTreeSet<String>,
}

fn main() {
    let variable = |name: &str| std::env::var(name).ok();
    let Some(solver) = variable("SOLVER") else {
        println!("skipped: SOLVER names a build with counters");
        return;
    };
    let number = |name: &str, default: f64| variable(name).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seconds, first, pairs) = (number("SECONDS", 600.0), number("FIRST", 0.0) as u64, number("PAIRS", 5.0) as u64);
    let singles = variable("SINGLES").map(|folder| builds(Path::new(&folder))).unwrap_or_default();
    let fleet = Fleet::of_user().expect("a fleet");
    let solver = fleet.solver(fleet.resolve(&solver.parse().expect("a solver")).expect("the solver"));
    println!(
        "| pair | guided | branches at sixths of the time | scripts | seeds | causes |\n|---:|---|---|---:|---:|---|"
    );
    let mut arms: [Vec<Arm>; 2] = [Vec::new(), Vec::new()];
    for pair in first..first + pairs {
        for (at, guided) in [false, true].into_iter().enumerate() {
            let arm = run(&solver, &singles, pair, guided, seconds);
            let curve: Vec<String> = arm.curve.iter().map(|branches| format!("{branches:.0}")).collect();
            let causes = arm.causes.iter().cloned().collect::<Vec<_>>().join(", ");
            println!("| {pair} | {guided} | {} | {} | {} | {causes} |", curve.join(", "), arm.scripts, arm.seeds);
            arms[at].push(arm);
        }
    }
    let last = |arm: &Arm| arm.curve.last().copied().unwrap_or(0.0);
    compare("branches", &arms.each_ref().map(|arms| arms.iter().map(last).collect()));
    compare("causes", &arms.each_ref().map(|arms| arms.iter().map(|arm| arm.causes.len() as f64).collect()));
}

fn compare(what: &str, [without, with]: &[Vec<f64>; 2]) {
    let median = |values: &[f64]| median(values).unwrap_or(0.0);
    println!("\n{what}: median {} without, {} with; {:?}", median(without), median(with), compare_ranks(with, without));
}

/// The builds of one change each.
fn builds(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("changed-"));
    folders.map(|entry| entry.path().join("bitwuzla")).filter(|program| program.exists()).collect()
}

fn run(solver: &Solver, singles: &[PathBuf], pair: u64, guided: bool, seconds: f64) -> Arm {
    let folder = tempfile::tempdir().expect("a folder");
    let mut build = InstrumentedBuild::open(solver.installed(), folder.path()).expect("a build with counters");
    let counted = solver.clone().with_variables(build.variables());
    let target = Target::new(counted, &TargetOptions::default(), &Stops::default()).expect("a target");
    let mut seeds = seed::embedded();
    let mut arm = Arm { curve: Vec::new(), scripts: 0, seeds: 0, causes: BTreeSet::new() };
    let (mut all, mut hits) = (CoverageSet::default(), Vec::new());
    let cpu = || own_cpu() + ended_cpu();
    let (start, given) = (cpu(), seeds.len() as u64);
    for number in 0.. {
        let spent = (cpu() - start).as_secs_f64();
        while arm.curve.len() < POINTS && spent >= seconds * (arm.curve.len() + 1) as f64 / POINTS as f64 {
            arm.curve.push(all.count(build.items(), CoverageUnit::Branch) as f64);
        }
        if arm.curve.len() == POINTS {
            break;
        }
        let unit = Unit { campaign: pair, number };
        let is_seed = number < given;
        for mutant in if is_seed { own(&seeds[number as usize], &target) } else { mutants(&target, &seeds, unit) } {
            build.clear().expect("cleared");
            let limits = ProcessLimits { wall: Duration::from_secs(2), ..ProcessLimits::default() };
            let needs = SessionNeeds::of_script(mutant.expected.len(), &mutant.text);
            let Ok(outcome) = target.tested.solver.check(&mutant.text, needs, &limits) else { continue };
            let ended = matches!(outcome.status, RunStatus::Exited(_)) && outcome.crash.is_none();
            let set = build.executed(ended).unwrap_or_default();
            arm.scripts += 1;
            if let Some(hit) = oracle::judge(&mutant.expected, &outcome, Asking::of(&mutant.text))
                && !hit.class.needs_another()
                && hits.len() < MAX_HITS
            {
                hits.push((format!("{} {}", hit.class, hit.symptom), mutant.text.clone()));
            }
            let new = set.without(&all).count(build.items(), CoverageUnit::Branch);
            all.add_all(&set);
            if guided && !is_seed && new > 0 {
                let name = format!("mutant {number}");
                seeds.push(SeedSource::Piped { name, bytes: mutant.text.clone().into_bytes().into() });
            }
        }
    }
    arm.seeds = seeds.len();
    for (symptom, text) in hits {
        let shown = shown_by(singles, &text);
        arm.causes.extend(if shown.is_empty() { vec![symptom] } else { shown });
    }
    arm
}

/// The names of the builds of one change that answer a script otherwise than the build without any.
fn shown_by(singles: &[PathBuf], text: &str) -> Vec<String> {
    let answers = |program: &Path| {
        let file = tempfile::Builder::new().suffix(".smt2").tempfile().ok()?;
        std::fs::write(file.path(), text).ok()?;
        let output = std::process::Command::new("timeout").arg("5").arg(program).arg(file.path()).output().ok()?;
        Some((output.status.code(), output.stdout))
    };
    let Some(right) = std::env::var("BASE").ok().and_then(|base| answers(Path::new(&base))) else { return Vec::new() };
    let differs = |program: &&PathBuf| answers(program).is_some_and(|said| said != right);
    let name = |program: &PathBuf| Some(program.parent()?.file_name()?.to_string_lossy().into_owned());
    singles.iter().filter(differs).filter_map(name).collect()
}

/// A seed as a script without known answers.
fn own(seed: &SeedSource, target: &Target) -> Vec<Mutant> {
    let Ok(seed) = seed.load() else { return Vec::new() };
    if target.tested.lacks(smtlib::logic::of_script(&seed.store, &seed.script)).is_some() {
        return Vec::new();
    }
    let text = oracle::translate::script(&seed.store, &seed.script.commands, &target.tested);
    vec![Mutant { text, expected: vec![smtlib::Status::Unknown; seed.instances.len()], ..Mutant::default() }]
}

/// Some mutants of a seed or of no seed.
fn mutants(target: &Target, seeds: &[SeedSource], unit: Unit) -> Vec<Mutant> {
    let mut choices = unit.mutant_stream(u64::MAX);
    let drawn = [0; 2].map(|_| choices.index(seeds.len()));
    let Ok(first) = seeds[drawn[0]].load() else { return Vec::new() };
    if target.tested.lacks(smtlib::logic::of_script(&first.store, &first.script)).is_some() {
        return Vec::new();
    }
    let check = unit.number;
    let partner = seeds[drawn[1]].load_into(first.store.clone()).ok();
    for mutator in choice::draw_order(&target.mutators, &mut choices) {
        let (mut store, mut parents) = (Store::new(), Vec::new());
        if mutator.parents() > 0 {
            store = first.store.clone();
            parents.push(parent(&first, check, target));
        }
        if mutator.parents() > 1 {
            let Some(second) = &partner else { continue };
            store = second.store.clone();
            parents.push(parent(second, check, target));
        }
        let request = MutantRequest { parents: &parents, target: &target.tested.spelling, unit };
        let Ok(mut batch) = mutator.prepare_any(&mut store, request) else { continue };
        if target.tested.lacks(batch.needs()).is_some() {
            continue;
        }
        let count = batch.size().min(PER_UNIT);
        let made = (0..count).map(|index| {
            let mut mutant = Mutant::default();
            batch.mutant(index, &mut mutant);
            mutant
        });
        return made
            .filter(|mutant| !mutant.expected.is_empty() && target.tested.misread(&mutant.text).is_none())
            .collect();
    }
    Vec::new()
}

fn parent(seed: &Seed, check: u64, target: &Target) -> Parent {
    let mut instance = seed.instances[check as usize % seed.instances.len().max(1)].clone();
    instance.logic = instance.logic.filter(|logic| target.tested.knows_logic(seed.store.name(*logic)));
    Parent { instance, given: GivenModel::Nothing }
}
