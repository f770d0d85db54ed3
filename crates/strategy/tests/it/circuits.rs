//! Goals as DIMACS: the files, and that a SAT solver, which reads only the file, agrees with ours.

use crate::engine_support::{plan, read, solve};
use crate::generated::{bits, floats};
use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use rewrite::Stop;
use rewrite::complete::complete;
use semantics::{EvalLimits, Evaluator, Model, Verdict, validate};
use smtlib::printer::quote_symbol;
use smtlib::{Command, Instance, Scope, Store, parse_term};
use std::sync::Arc;
use std::time::Duration;
use strategy::apply::goals_left;
use strategy::circuit::{GoalCircuit, dimacs_file};
use strategy::trace::Trace;
use strategy::{Budget, Shared, Solvers, TacticRun};

const GATES: usize = 1_000_000;

/// Returns a problem, and the files of the goals that a strategy leaves.
fn files(script: &str, strategy: &str, max_gates: usize) -> (Store, Instance, Result<Vec<Vec<u8>>, String>) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, script);
    assert!(parsed.errors.is_empty(), "{:?} in {script}", parsed.errors);
    let instance = parsed.script.instances().remove(0);
    let shared = Arc::new(Shared::new(Arc::new(Solvers::default()), instance.declarations.clone(), None));
    let mut run = TacticRun::new(Budget::of(Duration::from_secs(60)), shared, Trace::default());
    let made = goals_left(&mut store, &instance, &plan(strategy), &mut run).and_then(|goals| {
        let all = goals.iter().map(|goal| {
            GoalCircuit::of(&mut store, &instance, goal, max_gates, &Stop::default())
                .and_then(|circuit| dimacs_file(&circuit, &goal.heading, &Stop::default()))
                .map_err(|error| error.to_string())
        });
        all.collect()
    });
    (store, instance, made)
}

/// Returns the only file of a problem, which is text.
fn file(script: &str, strategy: &str) -> String {
    let files = files(script, strategy, GATES).2.unwrap_or_else(|error| panic!("{error} for {script}"));
    assert_eq!(files.len(), 1, "{script}");
    String::from_utf8(files[0].clone()).expect("it is text")
}

#[test]
fn clauses_are_written_with_the_bits_of_symbols() {
    let check = |script: &str, strategy: &str, expect: &str| {
        assert_eq!(file(&format!("{script}(check-sat)"), strategy), expect, "{script}");
    };
    check(
        "(declare-const |a b| (_ BitVec 2))(declare-const p Bool)(assert (or p (= |a b| #b10)))",
        "bit-blast",
        "c goal 1 of 1: exact, depth 1\nc symbol |a b| (_ BitVec 2) = 3 2\nc symbol p Bool = 1\np cnf 5 7\n\
         -4 2 0\n-4 -3 0\n4 -2 3 0\n-5 -1 0\n-5 -4 0\n5 1 4 0\n-5 0\n",
    );
}

#[test]
fn decided_goals_have_files_too() {
    let check = |script: &str, strategy: &str, expect: &str| {
        assert_eq!(file(&format!("{script}(check-sat)"), strategy), expect, "{script}");
    };
    let (sat, unsat) = (
        "(declare-const x (_ BitVec 3))(declare-const p Bool)(declare-const i Int)(assert (and p (= x #b110)))",
        "(declare-const p Bool)(assert (and p (not p)))",
    );
    check(
        sat,
        "smt",
        "c goal 1 of 1: exact, depth 0\nc symbol x (_ BitVec 3) = F T T\nc symbol p Bool = T\np cnf 0 0\n",
    );
    check(unsat, "smt", "c goal 1 of 1: exact, depth 0\np cnf 0 1\n0\n");
}

#[test]
fn what_a_program_gives_back_is_told() {
    // The program says what `x` is.
    let program = "cat > /dev/null; echo '(goals (goal p)) (define-fun x () (_ BitVec 2) #b01)'";
    let text = file(
        "(declare-const x (_ BitVec 2))(declare-const p Bool)(assert p)(assert (bvult x #b10))(check-sat)",
        &format!("(exec \"{program}\")"),
    );
    assert!(text.contains("c trusted: exec:cat"), "{text}");
    assert!(text.contains("c symbol x (_ BitVec 2) = T F\nc symbol p Bool = 1\n"), "{text}");
}

#[test]
fn what_has_no_circuit_is_told() {
    let check = |script: &str, strategy: &str, max_gates: usize, words: &[&str]| {
        let made = files(&format!("{script}(check-sat)"), strategy, max_gates).2;
        let error = made.expect_err(script);
        words.iter().for_each(|word| assert!(error.contains(word), "{word} is missing in {error}"));
    };
    let product = "(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))(assert (= (bvmul x y) #x1234))";
    check(product, "skip", 100, &["more than 100 gates", "raise `max-gates` or simplify first"]);
    check(product, "(using-params bit-blast :max-gates 50)", GATES, &["more than 50 gates"]);
    let integers = "(declare-const x Int)(declare-const p Bool)(assert (or p (< x 3)))";
    check(integers, "skip", GATES, &["`<` on these sorts is outside propositional logic and bit-vectors"]);
    check(integers, "bit-blast", GATES, &["eliminate it first"]);
    check("(declare-fun f (Bool) Bool)(assert (f true))", "skip", GATES, &["an application of `f`"]);
    check("(declare-const |a\nb| Bool)(assert |a\nb|)", "skip", GATES, &["\"a\\nb\"", "line break", "rename it"]);
    check("(declare-const p Bool)(assert p)", "fail", GATES, &["fail"]);
}

/// Formats a literal as DIMACS.
fn read_literal(variables: &[Var], text: &str) -> Lit {
    let number: i32 = text.parse().expect("a literal");
    Lit::new(variables[number.unsigned_abs() as usize - 1], number > 0)
}

/// Makes a SAT solver with the clauses of a file, whose header must be right, and its variables.
fn clauses(text: &str) -> (BasicSolver, Vec<Var>) {
    let mut solver = BasicSolver::default();
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let header: Vec<&str> = lines.next().expect("a header").split_whitespace().collect();
    let [variables, count] = [header[2], header[3]].map(|n| n.parse::<usize>().expect("a number"));
    assert_eq!(header[..2], ["p", "cnf"]);
    let variables: Vec<Var> = (0..variables).map(|_| solver.new_var_default()).collect();
    let mut read = 0;
    for line in lines {
        let mut clause: Vec<Lit> = line
            .split_whitespace()
            .take_while(|word| *word != "0")
            .map(|word| read_literal(&variables, word))
            .collect();
        solver.add_clause_reuse(&mut clause);
        read += 1;
    }
    assert_eq!(read, count);
    (solver, variables)
}

/// Solves a file of clauses; returns a model of the problem by the comments, if there is one.
fn solved(store: &mut Store, instance: &Instance, bytes: &[u8]) -> Option<Model> {
    let (mut solver, variables) = clauses(std::str::from_utf8(bytes).expect("it is text"));
    if solver.solve_limited(&[]) != lbool::TRUE {
        return None;
    }
    let truth = |literal: &str| match literal {
        "T" => true,
        "F" => false,
        // A variable in no clause is free.
        number => solver.value_lit(read_literal(&variables, number)) == lbool::TRUE,
    };
    let mut model = Model::new();
    for line in std::str::from_utf8(bytes).expect("it is text").lines() {
        let Some(symbol) = line.strip_prefix("c symbol ") else { continue };
        let (head, literals) = symbol.split_once(" = ").expect("the form of a comment");
        let digits: String = literals.split(' ').rev().map(|literal| if truth(literal) { '1' } else { '0' }).collect();
        let (f, sort) = instance
            .declarations
            .iter()
            .find_map(|command| match command {
                Command::DeclareFun(f) => {
                    let mut name = String::new();
                    quote_symbol(store.name(store.func(*f).name), &mut name);
                    head.strip_prefix(&format!("{name} ")).map(|sort| (*f, sort.to_string()))
                }
                _ => None,
            })
            .unwrap_or_else(|| panic!("the problem has no symbol {head}"));
        let value = match sort.as_str() {
            "Bool" => if digits == "1" { "true" } else { "false" }.to_string(),
            "RoundingMode" => {
                ["RNE", "RNA", "RTP", "RTN", "RTZ"][usize::from_str_radix(&digits, 2).expect("binary")].to_string()
            }
            float if float.starts_with("(_ FloatingPoint") => {
                format!("((_ to_fp {} #b{digits})", float.trim_start_matches("(_ FloatingPoint"))
            }
            _ => format!("#b{digits}"),
        };
        let mut scope = Scope::new(store);
        let term = parse_term(store, &mut scope, &value).unwrap_or_else(|error| panic!("{error} in {value}"));
        let value = Evaluator::new(Model::new(), EvalLimits::default()).eval(store, term).expect("it is a value");
        model.assign(store, f, value).expect("a value of the sort");
    }
    complete(store, &mut model, instance.assertions.iter().copied());
    Some(model)
}

#[test]
fn a_sat_solver_agrees_and_its_model_is_one_of_the_problem() {
    let (mut satisfiable, mut refuted) = (0, 0);
    let mut check = |script: &str, strategies: &[&str]| {
        let script = format!("{script}(check-sat)");
        let (mut store, assertions) = read(&script);
        let expect =
            solve(&mut store, &assertions, &plan("(or-else sat (then fp-to-bv sat))"), Duration::from_secs(60));
        for strategy in strategies {
            let (mut store, instance, made) = files(&script, strategy, GATES);
            let made = made.unwrap_or_else(|error| panic!("{strategy}: {error} for {script}"));
            let models: Vec<Model> = made.iter().filter_map(|file| solved(&mut store, &instance, file)).collect();
            assert_eq!(if models.is_empty() { "unsat" } else { "sat" }, expect.word(), "{strategy} for {script}");
            for model in models {
                assert_eq!(validate(&store, &instance.assertions, model), Verdict::Valid, "{strategy} for {script}");
            }
        }
        *if expect.word() == "sat" { &mut satisfiable } else { &mut refuted } += 1;
    };
    let mut rng = Rng::seed_from_u64(23);
    for _ in 0..testing::amount("SQUALL_CIRCUITS", 40) {
        let strategies = [
            "skip",
            "bit-blast",
            "(then simplify solve-eqs elim-unconstrained)",
            "(then simplify solve-eqs bit-blast)",
        ];
        check(&bits(&mut rng), &strategies);
    }
    for _ in 0..testing::amount("SQUALL_CIRCUITS", 10) {
        check(&floats(&mut rng), &["fp-to-bv", "(then fp-to-bv simplify bit-blast)"]);
    }
    check(
        "(declare-const m RoundingMode)(assert (not (= m RNE)))(assert (not (= m RTZ)))",
        &["(then fp-to-bv bit-blast)"],
    );
    // Several goals: one of them suffices.
    check(
        "(declare-const x (_ BitVec 4))(assert (or (= x #x3) (bvugt x #xf)))(assert (bvult x #x4))",
        &["(then split-or bit-blast)", "split-or"],
    );
    assert!(satisfiable > 10 && refuted > 3, "{satisfiable} satisfiable, {refuted} refuted");
}
