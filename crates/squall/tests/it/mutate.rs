//! `squall mutate` end to end: its output and its error messages.

use std::path::Path;
use std::process::Output;

const SEED: &str = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n\
    (assert (or (> x (+ y 3)) (=> (< y 0) (= x 7))))\n(assert (xor (> y 10) (distinct x y 4)))\n(check-sat)\n";

fn mutate(folder: &Path, arguments: &[&str]) -> Output {
    let seed = folder.join("seed.smt2");
    std::fs::write(&seed, SEED).expect("a file");
    crate::support::program().arg("mutate").arg(seed).args(arguments).output().expect("squall runs")
}

#[test]
fn mutants_are_printed_and_mistakes_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |arguments: &[&str], code: i32, checks: usize, says: &str| {
        let output = mutate(folder.path(), arguments);
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert_eq!(stdout.lines().filter(|l| l.starts_with("; mutant ")).count(), checks, "{arguments:?}: {stdout}");
        assert!(stdout.contains(says) || stderr.contains(says), "{arguments:?}: {says}\n{stdout}{stderr}");
    };
    check(&["-m", "operator", "-n", "3"], 0, 3, "(certified)");
    check(&["-m", "fusion>operator>storm", "-n", "3"], 0, 3, "by fusion>operator>storm");
    check(&["-m", "operator:2,generative", "-n", "2"], 0, 2, "right answers: sat");
    check(&["-m", "operator", "-n", "0"], 2, 0, "0");
    check(&["-m", "strom"], 2, 0, "no mutator 'strom'");
    check(&["-m", "storm>fusion", "-n", "2"], 0, 2, "by storm>fusion");
    check(&["-m", "storm", "--set", "pairs=2"], 2, 0, "no chosen mutator has a parameter `pairs`");
    check(&["-m", "exec:echo out of ideas >&2; exit 3"], 1, 0, "out of ideas");
    check(&["-m", "exec:cat", "-n", "2"], 0, 2, "not known (differential)");
}

#[test]
fn a_list_of_mutators_draws_by_weight() {
    let folder = tempfile::tempdir().expect("a folder");
    let named = |list: &str| {
        let runs = (0..12).map(|n| mutate(folder.path(), &["-m", list, "--seed", &n.to_string()]));
        runs.filter(|run| String::from_utf8_lossy(&run.stdout).contains("by operator,")).count()
    };
    assert_eq!(named("operator"), 12);
    let some = named("operator,generative:4");
    assert!((1..12).contains(&some), "{some}");
}

/// Mutants of seeds whose bound variables shadow constants have their claimed answers, also if the truth is only trusted. Under the names
/// of the text, a binder once captured a constant.
#[test]
fn hidden_names_catch_nothing() {
    let seeds = [
        "(set-info :status unsat)(declare-const p Bool)(declare-const q Bool)(assert p)(assert (forall ((p Bool)) (= q p)))(check-sat)",
        "(set-info :status unsat)(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert (= p q))\
         (assert (not (exists ((p Bool)) (= q p))))(check-sat)",
        "(set-info :status sat)(declare-const p Bool)(declare-const q Bool)(assert (= p q))(assert (exists ((p Bool)) (not (= q p))))(check-sat)",
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let paths: Vec<_> = (0..seeds.len()).map(|n| folder.path().join(format!("s{n}.smt2"))).collect();
    for (path, seed) in paths.iter().zip(seeds) {
        std::fs::write(path, seed).expect("a file");
    }
    let squall = || crate::support::program();
    let (mut judged, out) = (0, folder.path().join("mutants"));
    for mutator in ["fusion", "generative", "skeleton"] {
        let made = squall()
            .arg("mutate")
            .args(&paths)
            .args(["-m", mutator, "-n", "40", "--seed", "3", "-o"])
            .arg(&out)
            .output();
        let made = made.expect("squall runs");
        assert!(made.status.success(), "{mutator}: {}", String::from_utf8_lossy(&made.stderr));
    }
    for file in std::fs::read_dir(&out).expect("a folder").flatten() {
        let text = std::fs::read_to_string(file.path()).expect("a mutant");
        let claims = |word: &str| text.contains(&format!("; right answers: {word} ("));
        let Some(claimed) = ["sat", "unsat"].into_iter().find(|word| claims(word)) else { continue };
        let known = squall().args(["solve", "--exhaust"]).arg(file.path()).output().expect("squall runs").stdout;
        let known = String::from_utf8_lossy(&known).lines().next().unwrap_or_default().to_string();
        if ["sat", "unsat"].contains(&known.as_str()) {
            judged += 1;
            assert_eq!(known, claimed, "{text}");
        }
    }
    assert!(judged >= 100, "only {judged} of the mutants have a known truth");
}
