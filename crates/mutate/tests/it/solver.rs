//! A sanity check from outside: a solver of today never refutes a mutant. Skipped where there is none.

use crate::support::{own_seeds, parent, scripts, try_read, with_batch};
use mutate::equal::EqualMutator;
use mutate::splice::Splice;
use mutate::storm::StormConfig;
use mutate::{Batch, Mutant, MutantRequest, Mutator, Parent, TargetSpelling, Unit};
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
    // Writing and reading concurrently: a solver that prints much before it has read all would block both.
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
            assert_eq!(mutant.expected, [Status::Unsat]);
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

/// The answers that `splice` expects of sessions, on levels and under assumptions, are those of a solver of today.
#[test]
fn no_expected_answer_of_two_seeds_is_contradicted() {
    let Some(program) = testing::require("z3", solver()) else { return };
    let target = TargetSpelling { options: vec![":global-declarations".into()], ..TargetSpelling::default() };
    let paths = own_seeds();
    let step = testing::amount("SQUALL_PAIRS_STEP", 3);
    let (mut asked, mut answered, mut errors) = (0, [0, 0], Vec::new());
    for pair in paths.windows(2).filter(|pair| pair[0].parent() == pair[1].parent()).step_by(step) {
        let mut store = Store::new();
        let read = |path| {
            let text = std::fs::read_to_string(path).expect("the seed is readable");
            parent(&smtlib::parse(&mut store, &text).script.instances()[0])
        };
        let parents: Vec<Parent> = pair.iter().map(read).collect();
        let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 79, number: 0 } };
        let Ok(mut batch) = Splice::default().prepare(&mut store, request) else { continue };
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
                let wrong = if *expected == Status::Sat { "unsat" } else { "sat" };
                let context = || format!("{} {index}: {:?}\n{answers:?}", pair[0].display(), mutant.expected);
                assert_ne!(answer, wrong, "check {n} of {}\n{}", context(), mutant.text);
                answered[usize::from(*expected == Status::Unsat)] += usize::from(answer.ends_with("sat"));
            }
        }
    }
    eprintln!("{asked} asked, {answered:?} answers, {} with errors: {errors:#?}", errors.len());
    assert!(asked > 10 && answered[0] > 5 && answered[1] > 5, "{answered:?} of {asked}");
    assert!(errors.len() * 10 <= asked, "too many mutants are not understood: {errors:#?}");
}

/// Seeds on which mutants were wrong or did not read, each with a mutator that made some: `unsat` was expected of what has a model where a
/// literal was renamed like a quoted name (|5|), a fusion was put under a variable of the same name, or a recursive definition without a model
/// was left out, or under another logic names meant something else.
const NAMES: [[&str; 4]; 7] = [
    [
        "fusion",
        "oracle=unsat",
        "(set-info :status unsat)(declare-const |5| Int)(assert (= |5| 3))(assert (= 5 |5|))(check-sat)",
        "(declare-const a Int)(assert (> a 3))(check-sat)",
    ],
    [
        "splice",
        "",
        "(set-info :status unsat)(declare-const |\"a\"| String)(assert (= |\"a\"| \"b\"))(assert (= \"a\" |\"a\"|))(check-sat)",
        "(declare-const a Int)(assert (> a 3))(check-sat)",
    ],
    [
        "fusion",
        "oracle=unsat others=100 generated=0",
        "(set-info :status unsat)(declare-const x Int)(assert (exists ((w Int)) (and (= w x) (distinct w x))))(declare-const w Int)\
         (assert (> w 0))(check-sat)",
        "(declare-const a Int)(assert (> a 3))(check-sat)",
    ],
    [
        "generative",
        "",
        "(declare-const x Int)(define-fun d () Bool (forall ((w (_ BitVec 2))) (or (= w #b00) (< x 7))))(declare-const w Int)\
         (assert d)(assert (> w x))(check-sat)",
        "",
    ],
    [
        "fusion",
        "oracle=unsat",
        "(set-info :status unsat)(set-logic ALL)(declare-const x Int)(declare-const y Int)\
         (define-fun-rec f ((n Int)) Int (+ 1 (f n)))(assert (> x y))(check-sat)",
        "(declare-const a Int)(assert (> a 3))(check-sat)",
    ],
    [
        "operator",
        "",
        "(set-logic QF_UFLIA)(declare-fun str.from_int (Int) Int)(declare-const a Int)(declare-const b Int)\
         (assert (> (+ (str.from_int a) b) a))(check-sat)",
        "",
    ],
    [
        "skeleton",
        "",
        "(set-logic QF_UF)(declare-sort S 0)(declare-fun seq.unit (S) S)(declare-const a S)(assert (= (seq.unit a) a))(check-sat)",
        "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)",
    ],
];

#[test]
fn names_that_mean_several_things_mislead_nobody() {
    let Some(program) = testing::require("z3", solver()) else { return };
    for [name, settings, first, second] in NAMES {
        let settings: Vec<(&str, &str)> = settings.split_whitespace().filter_map(|word| word.split_once('=')).collect();
        let mutator = (mutate::mutators::find(name).expect("a mutator").build)(&settings).expect("its parameters");
        let (target, mut asked) = (TargetSpelling::default(), 0);
        let both =
            if second.is_empty() { vec![[first].to_vec()] } else { vec![vec![first, second], vec![second, first]] };
        for (texts, number) in both.iter().flat_map(|texts| (0..3).map(move |number| (texts, number))) {
            let (mut store, parents) = crate::support::parents(texts);
            let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 80, number } };
            let Ok(mut batch) = mutator.prepare(&mut store, request) else { continue };
            for index in 0..8 {
                let mut mutant = Mutant::default();
                batch.mutant(index, &mut mutant);
                if mutant.expected.is_empty() {
                    continue;
                }
                asked += 1;
                let answers = answers(&program, &mutant.text);
                assert!(!answers.iter().any(|a| a.starts_with("(error")), "{name}: {answers:?}\n{}", mutant.text);
                for (expected, answer) in mutant.expected.iter().zip(&answers) {
                    let wrong = if *expected == Status::Sat { "unsat" } else { "sat" };
                    assert_ne!(answer, wrong, "{name} {index}: {answers:?}\n{}", mutant.text);
                }
            }
        }
        println!("{name}: {asked} asked");
    }
}
