//! A sanity check from outside: a solver of today never refutes a mutant. Skipped where there is none.

use crate::support::{own_seeds, parent, scripts, try_read, with_batch};
use mutate::core::Core;
use mutate::equal::EqualMutator;
use mutate::splice::Splice;
use mutate::storm::StormConfig;
use mutate::{Batch, Expected, Mutant, MutantRequest, Mutator, Parent, TargetSpelling, Unit};
use smtlib::{Status, Store};
use std::io::Write;
use std::process::{Command, Stdio};

/// The program named by `SQUALL_Z3`, or `z3`, if it is version 4.13 or later; older ones have known wrong answers.
fn solver() -> Option<String> {
    let program = std::env::var("SQUALL_Z3").unwrap_or_else(|_| "z3".to_string());
    let output = Command::new(&program).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.split_whitespace().find(|w| w.starts_with(|c: char| c.is_ascii_digit()))?;
    let mut parts = version.split('.').map(|p| p.parse::<u32>().unwrap_or(0));
    let version = (parts.next()?, parts.next()?);
    (version >= (4, 13)).then_some(program)
}

fn answers(program: &str, text: &str) -> Vec<String> {
    let mut child = Command::new(program)
        .args(["-in", "-smt2", "-t:300", "-T:20"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the solver starts");
    let mut input = child.stdin.take().expect("its input is a pipe");
    let text = text.to_string();
    // Writing beside reading: a solver that prints much before it has read all would block both.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).ok());
    let output = child.wait_with_output().expect("the solver ends");
    let _ = writer.join();
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

#[test]
fn no_mutant_is_refuted() {
    let Some(program) = testing::require("z3", solver()) else { return };
    let mut paths = own_seeds();
    if let Some(dir) = testing::shared("seeds") {
        paths.extend(scripts(&dir.join("seeds")).into_iter().step_by(40));
    }
    let config = StormConfig { max_asserts: 20, ..StormConfig::default() };
    let (mut asked, mut errors) = (0, Vec::new());
    for path in paths {
        let Some(text) = std::fs::read_to_string(&path).ok().filter(|t| t.len() < 30_000) else { continue };
        let Some((store, instances)) = try_read(&text) else { continue };
        let Some(instance) = instances.first() else { continue };
        with_batch(&store, &parent(instance), &config, Unit { campaign: 77, number: 0 }, |batch| {
            let mut mutant = Mutant::default();
            batch.mutant(0, &mut mutant);
            let answers = answers(&program, &mutant.text);
            assert!(!answers.iter().any(|a| a == "unsat"), "{}\n{answers:?}\n{}", path.display(), mutant.text);
            asked += 1;
            if let Some(error) = answers.iter().find(|a| a.starts_with("(error")) {
                errors.push(format!("{}: {error}", path.display()));
            }
        });
    }
    eprintln!("{asked} mutants asked, {} with errors: {errors:#?}", errors.len());
    assert!(asked > 0);
    assert!(errors.len() * 20 <= asked, "too many mutants are not understood: {errors:#?}");
}

/// Laws keep the answer of an unsatisfiable seed, which no witness shows.
#[test]
fn no_equal_mutant_of_an_unsatisfiable_seed_is_satisfied() {
    let Some(program) = testing::require("z3", solver()) else { return };
    let mutants: u64 = testing::amount("SQUALL_EQUAL_ASKED", 1);
    let mut paths = own_seeds();
    if let Some(dir) = testing::shared("seeds") {
        paths.extend(scripts(&dir.join("seeds")).into_iter().step_by(testing::amount("SQUALL_EQUAL_STEP", 60)));
    }
    let (equal, target) = (EqualMutator::default(), TargetSpelling::default());
    let (mut asked, mut refuted, mut errors) = (0, 0, Vec::new());
    for path in paths {
        let Some(text) = std::fs::read_to_string(&path).ok().filter(|t| t.len() < 30_000) else { continue };
        let Some((mut store, instances)) = try_read(&text) else { continue };
        let Some(instance) = instances.first().filter(|i| i.status == Some(Status::Unsat)) else { continue };
        let parents = [parent(instance)];
        let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 78, number: 0 } };
        let Ok(mut batch) = equal.batch(&mut store, request) else { continue };
        for index in 0..mutants {
            let mut mutant = Mutant::default();
            batch.mutant(index, &mut mutant);
            assert_eq!(mutant.expected, [Expected::Unsat]);
            let answers = answers(&program, &mutant.text);
            asked += 1;
            // An error voids the answers after it.
            if let Some(error) = answers.iter().find(|a| a.starts_with("(error")) {
                errors.push(format!("{}: {error}", path.display()));
                continue;
            }
            assert!(!answers.iter().any(|a| a == "sat"), "{}\n{answers:?}\n{}", path.display(), mutant.text);
            refuted += usize::from(answers.iter().any(|a| a == "unsat"));
        }
    }
    eprintln!("{asked} mutants asked, {refuted} refuted, {} with errors: {errors:#?}", errors.len());
    assert!(asked > 30 && refuted * 2 > asked, "{refuted} of {asked}");
    assert!(errors.len() * 20 <= asked, "too many mutants are not understood: {errors:#?}");
}

/// The answers that `splice` and `core` expect of sessions, on levels and under assumptions, are those of a solver of today.
#[test]
fn no_expected_answer_of_two_seeds_is_contradicted() {
    let Some(program) = testing::require("z3", solver()) else { return };
    let target = TargetSpelling { options: vec![":global-declarations".into()], ..TargetSpelling::default() };
    let paths = own_seeds();
    let step = testing::amount("SQUALL_PAIRS_STEP", 3);
    for mutator in [&Splice::default() as &dyn Mutator, &Core::default()] {
        let (mut asked, mut answered, mut errors) = (0, [0, 0], Vec::new());
        for pair in paths.windows(2).filter(|pair| pair[0].parent() == pair[1].parent()).step_by(step) {
            let mut store = Store::new();
            let read = |path| {
                let text = std::fs::read_to_string(path).expect("the seed is readable");
                parent(&smtlib::parse(&mut store, &text).script.instances()[0])
            };
            let parents: Vec<Parent> = pair.iter().map(read).collect();
            let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 79, number: 0 } };
            let Ok(mut batch) = mutator.prepare(&mut store, request) else { continue };
            for index in 0..2 {
                let mut mutant = Mutant::default();
                batch.mutant(index, &mut mutant);
                let answers = answers(&program, &mutant.text);
                asked += 1;
                // An error voids the answers after it.
                if let Some(error) = answers.iter().find(|a| a.starts_with("(error")) {
                    errors.push(format!("{}: {error}", pair[0].display()));
                    continue;
                }
                for (n, (expected, answer)) in mutant.expected.iter().zip(&answers).enumerate() {
                    let wrong = if *expected == Expected::Sat { "unsat" } else { "sat" };
                    let context = || format!("{} {index}: {:?}\n{answers:?}", pair[0].display(), mutant.expected);
                    assert_ne!(answer, wrong, "check {n} of {}\n{}", context(), mutant.text);
                    answered[usize::from(*expected == Expected::Unsat)] += usize::from(answer.ends_with("sat"));
                }
            }
        }
        let name = mutator.name();
        eprintln!("{name}: {asked} asked, {answered:?} answers, {} with errors: {errors:#?}", errors.len());
        assert!(asked > 10 && answered[0] > 5 && answered[1] > 5, "{name}: {answered:?} of {asked}");
        assert!(errors.len() * 10 <= asked, "{name}: too many mutants are not understood: {errors:#?}");
    }
}
