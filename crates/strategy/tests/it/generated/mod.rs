//! Generated problems of every fragment that the engines decide, compared with z3 if it is installed; models are always checked by the
//! evaluator.
//!
//! `SQUALL_GOALS` says how many problems of each kind (15 unless set; the differences get at least 200), `SQUALL_KINDS`
//! which kinds.

mod arrays;
mod bits;

use crate::engine_support::{plan, read, solve};
use bits::{bit_functions, halves};
pub use bits::{bits, floats};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use solver::process::ProcessLimits;
use solver::series::ScriptSeries;
use solver::session::SessionNeeds;
use std::fmt::Write as _;
use std::time::Duration;
use strategy::SolveAnswer;

/// A kind of problem: its name, the strategies that decide it, its generator.
struct Kind {
    name: &'static str,
    strategies: &'static [&'static str],
    at_least: usize,
    script: fn(&mut Rng) -> String,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "QF_BV",
        strategies: &["sat", "(then simplify bit-blast sat)", "(then bit-blast smt)", "smt"],
        at_least: 0,
        script: bits,
    },
    Kind {
        name: "QF_FP",
        strategies: &["(then fp-to-bv sat)", "(then simplify fp-to-bv simplify bit-blast sat)"],
        at_least: 0,
        script: floats,
    },
    Kind { name: "QF_FP of Float16", strategies: &["(then fp-to-bv sat)"], at_least: 0, script: halves },
    Kind {
        name: "QF_UFBV",
        strategies: &["smt", "(then simplify ackermannize sat)", "(then ackermannize bit-blast sat)"],
        at_least: 0,
        script: bit_functions,
    },
    Kind { name: "QF_IDL", strategies: &["smt"], at_least: 200, script: differences },
    Kind { name: "QF_IDL conjunctions", strategies: &["floyd-warshall", "simplex"], at_least: 15, script: chains },
    Kind { name: "QF_RDL", strategies: &["smt", "(smt floyd-warshall)"], at_least: 0, script: real_differences },
    Kind { name: "QF_LRA", strategies: &["smt", "(smt simplex)", "(then simplify smt)"], at_least: 0, script: reals },
    Kind { name: "QF_LIA", strategies: &["smt", "(smt simplex)"], at_least: 0, script: integers },
    Kind {
        name: "QF_NRA",
        strategies: &[
            "(smt coverings)",
            "(then simplify propagate-values solve-eqs simplify (smt coverings))",
            "(smt (apcad (using-params icp :boxes 20)))",
            "(or-else (smt icp) (smt coverings))",
            "(or-else (smt gb) (smt coverings))",
        ],
        at_least: 0,
        script: polynomials,
    },
    Kind { name: "QF_UF", strategies: &["smt", "(then simplify smt)"], at_least: 0, script: functions },
    Kind { name: "QF_ABV", strategies: &["smt", "(then simplify smt)"], at_least: 0, script: arrays::bit_arrays },
    Kind { name: "QF_AUFLIA", strategies: &["smt"], at_least: 0, script: arrays::number_arrays },
    Kind { name: "QF_AX", strategies: &["smt"], at_least: 0, script: arrays::element_arrays },
    Kind { name: "QF_UFLIA", strategies: &["smt"], at_least: 0, script: mixed },
];

fn pick<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[rng.random_range(0..from.len())]
}

/// A Boolean combination of atoms.
fn formula(rng: &mut Rng, depth: u32, atom: &mut dyn FnMut(&mut Rng) -> String) -> String {
    if depth == 0 || rng.random_range(0..4u32) == 0 {
        return atom(rng);
    }
    let mut part = |rng: &mut Rng| formula(rng, depth - 1, atom);
    match rng.random_range(0..6u32) {
        0 => format!("(not {})", part(rng)),
        1 => format!("(and {} {})", part(rng), part(rng)),
        2 | 3 => format!("(or {} {} {})", part(rng), part(rng), part(rng)),
        4 => format!("(= {} {})", part(rng), part(rng)),
        _ => format!("(ite {} {} {})", part(rng), part(rng), part(rng)),
    }
}

fn assertions(rng: &mut Rng, count: usize, depth: u32, atom: &mut dyn FnMut(&mut Rng) -> String) -> String {
    let mut text = String::new();
    for _ in 0..count {
        writeln!(text, "(assert {})", formula(rng, depth, atom)).unwrap();
    }
    text + "(check-sat)"
}

/// Names of a sort, with their declarations.
fn symbols(count: usize, sort: &str) -> (Vec<String>, String) {
    let names: Vec<String> = (0..count).map(|n| format!("x{n}")).collect();
    let declarations = names.iter().map(|n| format!("(declare-const {n} {sort}) ")).collect();
    (names, declarations)
}

fn any<'a>(rng: &mut Rng, names: &'a [String]) -> &'a str {
    &names[rng.random_range(0..names.len())]
}

fn difference(rng: &mut Rng, names: &[String], size: i32, fraction: &str) -> String {
    let bound = rng.random_range(-size..=size);
    let bound = if bound < 0 { format!("(- {}{fraction})", -bound) } else { format!("{bound}{fraction}") };
    let name = pick(rng, &["<=", "<", ">=", ">", "<=", "="]);
    format!("({name} (- {} {}) {bound})", any(rng, names), any(rng, names))
}

/// Problems of 20 to 200 constraints: clauses of differences, as of machines that do one job at a time.
fn differences(rng: &mut Rng) -> String {
    let constraints = rng.random_range(20..=200usize);
    // About as many symbols as constraints, where answers turn from sat to unsat.
    let symbols_count = rng.random_range(constraints / 3..=constraints);
    let (names, mut text) = symbols(symbols_count, "Int");
    for _ in 0..constraints {
        let alternatives = rng.random_range(1..=4usize);
        let atoms: Vec<String> = (0..alternatives).map(|_| difference(rng, &names, 20, "")).collect();
        writeln!(text, "(assert (or {} false))", atoms.join(" ")).unwrap();
    }
    text + "(check-sat)"
}

fn chains(rng: &mut Rng) -> String {
    let (names, mut text) = symbols(rng.random_range(3..15), "Int");
    for _ in 0..rng.random_range(5..40) {
        writeln!(text, "(assert {})", difference(rng, &names, 12, "")).unwrap();
    }
    text + "(check-sat)"
}

fn real_differences(rng: &mut Rng) -> String {
    let (names, mut text) = symbols(rng.random_range(3..10), "Real");
    for _ in 0..rng.random_range(5..30) {
        let atoms = [difference(rng, &names, 4, ".5"), difference(rng, &names, 4, ".0")];
        writeln!(text, "(assert (or {}))", atoms.join(" ")).unwrap();
    }
    text + "(check-sat)"
}

/// A product of powers with a small factor.
fn monomial(rng: &mut Rng, names: &[String]) -> String {
    let powers: Vec<&str> = (0..rng.random_range(0..=3)).map(|_| any(rng, names)).collect();
    let factor = pick(rng, &["1.0", "(- 1.0)", "2.0", "(- 3.0)", "0.5"]);
    if powers.is_empty() { factor.to_string() } else { format!("(* {factor} {})", powers.join(" ")) }
}

/// Few polynomials of low degree: tangencies, repeated factors and irrational solutions come by themselves.
fn polynomials(rng: &mut Rng) -> String {
    let (names, text) = symbols(rng.random_range(1..=3), "Real");
    let mut atom = |rng: &mut Rng| {
        let relation = pick(rng, &["=", "<", "<=", ">", ">=", "distinct"]);
        let parts: Vec<String> = (0..rng.random_range(1..=3)).map(|_| monomial(rng, &names)).collect();
        let sum = format!("(+ {} 0.0)", parts.join(" "));
        let left = if rng.random_range(0..6u32) == 0 { format!("(* {sum} {sum})") } else { sum };
        format!("({relation} {left} {})", monomial(rng, &names))
    };
    let count = rng.random_range(2..=4);
    text + &assertions(rng, count, 1, &mut atom)
}

fn linear(rng: &mut Rng, names: &[String], real: bool) -> String {
    let dot = if real { ".0" } else { "" };
    let mut parts = Vec::new();
    for _ in 0..rng.random_range(1..4) {
        let factor = rng.random_range(-3..=3i32);
        let factor = if factor < 0 { format!("(- {}{dot})", -factor) } else { format!("{factor}{dot}") };
        parts.push(format!("(* {factor} {})", any(rng, names)));
    }
    parts.push(format!("{}{dot}", rng.random_range(0..8u32)));
    format!("(+ {})", parts.join(" "))
}

fn reals(rng: &mut Rng) -> String {
    let (names, text) = symbols(rng.random_range(2..6), "Real");
    let mut atom = |rng: &mut Rng| {
        let name = pick(rng, &["<=", "<", ">", "=", "distinct"]);
        let left = linear(rng, &names, true);
        match rng.random_range(0..4u32) {
            0 => format!(
                "({name} {left} (ite (< {} 1.0) {} {}))",
                any(rng, &names),
                linear(rng, &names, true),
                any(rng, &names)
            ),
            _ => format!("({name} {left} {})", linear(rng, &names, true)),
        }
    };
    let count = rng.random_range(3..12);
    text + &assertions(rng, count, 2, &mut atom)
}

fn integers(rng: &mut Rng) -> String {
    let (names, mut text) = symbols(rng.random_range(2..5), "Int");
    for name in &names {
        writeln!(text, "(assert (<= (- {}) {name} {}))", rng.random_range(0..9u32), rng.random_range(0..9u32)).unwrap();
    }
    let mut atom = |rng: &mut Rng| {
        let name = pick(rng, &["<=", "<", ">", "=", "distinct"]);
        let left = linear(rng, &names, false);
        match rng.random_range(0..4u32) {
            0 => format!(
                "(= ({} {left} {}) {})",
                pick(rng, &["mod", "div"]),
                rng.random_range(2..5u32),
                rng.random_range(0..3u32)
            ),
            1 => format!("({name} (abs {left}) {})", any(rng, &names)),
            _ => format!("({name} {left} {})", linear(rng, &names, false)),
        }
    };
    let count = rng.random_range(2..7);
    text + &assertions(rng, count, 1, &mut atom)
}

fn element(rng: &mut Rng, depth: u32) -> String {
    match rng.random_range(0..if depth == 0 { 1 } else { 4u32 }) {
        0 => pick(rng, &["a", "b", "c", "d"]).to_string(),
        1 => format!("(g {} {})", element(rng, depth - 1), element(rng, depth - 1)),
        2 => format!("(ite (p {}) {} {})", element(rng, 0), element(rng, depth - 1), element(rng, depth - 1)),
        _ => format!("(f {})", element(rng, depth - 1)),
    }
}

fn functions(rng: &mut Rng) -> String {
    let mut atom = |rng: &mut Rng| match rng.random_range(0..6u32) {
        0 => format!("(p {})", element(rng, 2)),
        1 => format!("(distinct {} {} {})", element(rng, 1), element(rng, 1), element(rng, 2)),
        _ => format!("(= {} {})", element(rng, 3), element(rng, 2)),
    };
    let count = rng.random_range(6..24);
    "(declare-sort U 0) (declare-fun f (U) U) (declare-fun g (U U) U) (declare-fun p (U) Bool)
     (declare-const a U) (declare-const b U) (declare-const c U) (declare-const d U) "
        .to_string()
        + &assertions(rng, count, 2, &mut atom)
}

fn mixed(rng: &mut Rng) -> String {
    let term = |rng: &mut Rng| match rng.random_range(0..6u32) {
        0 => format!("(h {})", pick(rng, &["i", "j", "(h i)", "(+ i 1)"])),
        1 => format!("(w {})", element(rng, 1)),
        2 => format!("(k {} (p {}))", pick(rng, &["i", "(- j 1)"]), element(rng, 0)),
        3 => rng.random_range(0..5u32).to_string(),
        _ => pick(rng, &["i", "j", "(+ i j)", "(- j 2)"]).to_string(),
    };
    let mut atom = |rng: &mut Rng| match rng.random_range(0..4u32) {
        0 => format!("(= {} {})", element(rng, 2), element(rng, 1)),
        _ => format!("({} {} {})", pick(rng, &["=", "<", "<=", "distinct"]), term(rng), term(rng)),
    };
    let count = rng.random_range(3..12);
    "(declare-sort U 0) (declare-fun f (U) U) (declare-fun g (U U) U) (declare-fun p (U) Bool) (declare-fun w (U) Int)
     (declare-fun h (Int) Int) (declare-fun k (Int Bool) Int) (declare-const i Int) (declare-const j Int)
     (declare-const a U) (declare-const b U) (declare-const c U) (declare-const d U) (assert (< (- 9) i 9 )) (assert (< (- 9) j 9)) "
        .to_string()
        + &assertions(rng, count, 2, &mut atom)
}

/// The time limit of one strategy: enough for any problem here on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn generated_problems_get_the_answers_of_z3() {
    // In two threads: no other test of this crate takes as long.
    let (first, second) = KINDS.split_at(KINDS.len() / 2);
    std::thread::scope(|scope| [first, second].map(|kinds| drop(scope.spawn(move || check_against_z3(kinds)))));
}

fn check_against_z3(kinds: &[Kind]) {
    let goals = testing::amount("SQUALL_GOALS", 8usize);
    let only = std::env::var("SQUALL_KINDS").unwrap_or_default();
    let limits = ProcessLimits { wall: Duration::from_secs(5), ..ProcessLimits::default() };
    let mut z3 = testing::require("z3", solver::testing::z3())
        .map(|(_, solver)| ScriptSeries::new(solver, SessionNeeds::SINGLE, limits));
    for kind in kinds.iter().filter(|k| only.is_empty() || only.split(',').any(|o| o == k.name)) {
        let plans: Vec<_> = kind.strategies.iter().map(|s| (s, plan(s))).collect();
        let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
        for seed in 0..goals.max(kind.at_least) {
            let text = (kind.script)(&mut Rng::seed_from_u64(seed as u64));
            // Out of time it says nothing.
            let said = z3.as_mut().and_then(|z3| z3.script(&text).ok()).map(|said| said.trim().to_string());
            assert!(said.as_ref().is_none_or(|s| !s.contains("error")), "{said:?} to {text}");
            let mut first: Option<&str> = None;
            for (name, plan) in &plans {
                let (mut store, assertions) = read(&text);
                let answer = solve(&mut store, &assertions, plan, PATIENCE);
                let word = answer.word();
                match &answer {
                    SolveAnswer::Sat { .. } => sat += 1,
                    SolveAnswer::Unsat { core, .. } => {
                        unsat += 1;
                        // The core must suffice.
                        let few: Vec<_> = core.iter().map(|&n| assertions[n]).collect();
                        let again = solve(&mut store, &few, plan, PATIENCE);
                        assert_ne!(again.word(), "sat", "{name}: the core {core:?} is satisfiable: {text}");
                    }
                    SolveAnswer::Unknown(why) => {
                        println!("  {} {seed} by {name}: {why}", kind.name);
                        unknown += 1;
                        continue;
                    }
                }
                if let Some(said) = said.as_deref().filter(|s| matches!(*s, "sat" | "unsat")) {
                    assert_eq!(word, said, "{name} on {text}");
                }
                assert!(first.is_none_or(|f| f == word), "{name} says {word}: {text}");
                first = Some(word);
            }
        }
        println!("{}: {sat} sat, {unsat} unsat, {unknown} unknown", kind.name);
        assert!(sat > 0 && unsat > 0 && 20 * unknown <= sat + unsat, "{} has {unknown} unknown", kind.name);
    }
}
