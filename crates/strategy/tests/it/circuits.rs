//! Goals as DIMACS and AIGER: the files, and that a SAT solver and an evaluator of circuits, which read only the file, agree with ours.

use crate::engine_support::{plan, read, solve};
use crate::generated::{bits, floats};
use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use rewrite::Stop;
use rewrite::complete::complete;
use semantics::{EvalLimits, Evaluator, Model, Value, Verdict, validate};
use smtlib::printer::quote_symbol;
use smtlib::{Command, Instance, Scope, Store, parse_term};
use std::sync::Arc;
use std::time::Duration;
use strategy::apply::goals_left;
use strategy::circuit::{CircuitFormat, GoalCircuit, circuit_file};
use strategy::trace::Trace;
use strategy::{Budget, Shared, Solvers, TacticRun};

const GATES: usize = 1_000_000;

/// Returns a problem, and the files of the goals that a strategy leaves.
fn files(
    script: &str,
    strategy: &str,
    format: CircuitFormat,
    max_gates: usize,
) -> (Store, Instance, Result<Vec<Vec<u8>>, String>) {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, script);
    assert!(parsed.errors.is_empty(), "{:?} in {script}", parsed.errors);
    let instance = parsed.script.instances().remove(0);
    let shared = Arc::new(Shared::new(Arc::new(Solvers::default()), instance.declarations.clone(), None));
    let mut run = TacticRun::new(Budget::of(Duration::from_secs(60)), shared, Trace::default());
    let made = goals_left(&mut store, &instance, &plan(strategy), &mut run).and_then(|goals| {
        let all = goals.iter().map(|goal| {
            GoalCircuit::of(&mut store, &instance, goal, max_gates, &Stop::default())
                .and_then(|circuit| circuit_file(&circuit, &goal.heading, format, &Stop::default()))
                .map_err(|error| error.to_string())
        });
        all.collect()
    });
    (store, instance, made)
}

/// Returns the only file of a problem, which is text.
fn file(script: &str, strategy: &str, format: CircuitFormat) -> String {
    let files = files(script, strategy, format, GATES).2.unwrap_or_else(|error| panic!("{error} for {script}"));
    assert_eq!(files.len(), 1, "{script}");
    String::from_utf8(files[0].clone()).expect("it is text")
}

#[test]
fn clauses_are_written_with_the_bits_of_symbols() {
    let check = |script: &str, strategy: &str, expect: &str| {
        assert_eq!(file(&format!("{script}(check-sat)"), strategy, CircuitFormat::Dimacs), expect, "{script}");
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
    let check = |script: &str, strategy: &str, format, expect: &str| {
        assert_eq!(file(&format!("{script}(check-sat)"), strategy, format), expect, "{script}");
    };
    let (sat, unsat) = (
        "(declare-const x (_ BitVec 3))(declare-const p Bool)(declare-const i Int)(assert (and p (= x #b110)))",
        "(declare-const p Bool)(assert (and p (not p)))",
    );
    check(
        sat,
        "smt",
        CircuitFormat::Dimacs,
        "c goal 1 of 1: exact, depth 0\nc symbol x (_ BitVec 3) = F T T\nc symbol p Bool = T\np cnf 0 0\n",
    );
    check(unsat, "smt", CircuitFormat::Dimacs, "c goal 1 of 1: exact, depth 0\np cnf 0 1\n0\n");
    check(unsat, "smt", CircuitFormat::AigerText, "aag 0 0 0 1 0\n0\no0 goal\nc\ngoal 1 of 1: exact, depth 0\n");
}

#[test]
fn what_a_program_gives_back_is_told() {
    // The program says what `x` is.
    let program = "cat > /dev/null; echo '(goals (goal p)) (define-fun x () (_ BitVec 2) #b01)'";
    let text = file(
        "(declare-const x (_ BitVec 2))(declare-const p Bool)(assert p)(assert (bvult x #b10))(check-sat)",
        &format!("(exec \"{program}\")"),
        CircuitFormat::Dimacs,
    );
    assert!(text.contains("c trusted: exec:cat"), "{text}");
    assert!(text.contains("c symbol x (_ BitVec 2) = T F\nc symbol p Bool = 1\n"), "{text}");
}

#[test]
fn circuits_are_written_with_a_symbol_table() {
    let script = "(declare-const x (_ BitVec 2))(declare-const p Bool)(assert (or p (= x #b10)))(check-sat)";
    assert_eq!(
        file(script, "skip", CircuitFormat::AigerText),
        "aag 5 3 0 1 2\n2\n4\n6\n11\n8 4 3\n10 9 7\ni0 x[0]\ni1 x[1]\ni2 p\no0 goal\nc\n\
         goal 1 of 1: exact, depth 0\nsymbol x (_ BitVec 2) = 2 4\nsymbol p Bool = 6\n"
    );
}

#[test]
fn what_has_no_circuit_is_told() {
    let check = |script: &str, strategy: &str, max_gates: usize, words: &[&str]| {
        let made = files(&format!("{script}(check-sat)"), strategy, CircuitFormat::Dimacs, max_gates).2;
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
            let (mut store, instance, made) = files(&script, strategy, CircuitFormat::Dimacs, GATES);
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

/// An and-inverter graph in the text format, parsed independently of our code.
struct Aag {
    inputs: Vec<String>,
    ands: Vec<[usize; 3]>,
    output: usize,
}

impl Aag {
    fn read(text: &str) -> Aag {
        let mut lines = text.lines();
        let header: Vec<usize> =
            lines.next().expect("a header").split(' ').skip(1).map(|n| n.parse().expect("a number")).collect();
        let &[most, inputs, latches, outputs, ands] = &header[..] else { panic!("{header:?}") };
        assert_eq!((most, latches, outputs), (inputs + ands, 0, 1));
        for n in 1..=inputs {
            assert_eq!(lines.next(), Some((2 * n).to_string().as_str()));
        }
        let output = lines.next().expect("the output").parse().expect("a number");
        let rows = lines.by_ref().take(ands).map(|line| {
            let row: Vec<usize> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
            <[usize; 3]>::try_from(row).expect("three")
        });
        let ands: Vec<[usize; 3]> = rows.collect();
        // The requirements of the byte format.
        ands.iter().for_each(|[own, a, b]| assert!(own > a && a >= b, "{own} {a} {b}"));
        let names = (0..inputs).map(|n| {
            let line = lines.next().expect("a name");
            line.strip_prefix(&format!("i{n} ")).unwrap_or_else(|| panic!("{line}")).to_string()
        });
        Aag { inputs: names.collect(), ands, output }
    }

    fn output(&self, values: &[bool]) -> bool {
        let mut all = vec![false; 2 * (1 + values.len() + self.ands.len())];
        all[1] = true;
        for (n, &value) in values.iter().enumerate() {
            (all[2 * n + 2], all[2 * n + 3]) = (value, !value);
        }
        for &[own, a, b] in &self.ands {
            let value = all[a] && all[b];
            (all[own], all[own + 1]) = (value, !value);
        }
        all[self.output]
    }
}

#[test]
fn circuits_compute_what_the_evaluator_says_on_all_inputs() {
    let check = |script: &str, strategy: &str| {
        let script = format!("{script}(check-sat)");
        let text = file(&script, strategy, CircuitFormat::AigerText);
        let graph = Aag::read(&text);
        let (store, instance, _) = files(&script, strategy, CircuitFormat::AigerText, GATES);
        let assertions = &instance.assertions;
        let declared = |command: &Command| if let Command::DeclareFun(f) = command { Some(*f) } else { None };
        let symbols: Vec<_> = instance.declarations.iter().filter_map(declared).collect();
        let mut seen = [false; 2];
        for assignment in 0..1u32 << graph.inputs.len() {
            let bit = |n: usize| assignment >> n & 1 == 1;
            let values: Vec<bool> = (0..graph.inputs.len()).map(bit).collect();
            let mut model = Model::new();
            for &f in &symbols {
                let name = store.name(store.func(f).name);
                let place = |what: String| graph.inputs.iter().position(|input| *input == what);
                let value = match *store.sorts.get(store.func(f).result) {
                    smtlib::Sort::BitVec(width) => {
                        let number = (0..width).fold(0u32, |all, n| {
                            let own = if width == 1 { name.to_string() } else { format!("{name}[{n}]") };
                            all | u32::from(place(own).is_some_and(bit)) << n
                        });
                        Value::bitvec(width, number.into())
                    }
                    _ => Value::Bool(place(name.to_string()).is_some_and(bit)),
                };
                model.assign(&store, f, value).expect("a value of the sort");
            }
            let mut evaluator = Evaluator::new(model, EvalLimits::default());
            let expect = assertions.iter().all(|&t| evaluator.eval(&store, t) == Ok(Value::Bool(true)));
            assert_eq!(graph.output(&values), expect, "{values:?} in\n{text}\nof {script}");
            seen[usize::from(expect)] = true;
        }
        seen
    };
    let declared = "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))(declare-const b (_ BitVec 1))(declare-const p Bool)";
    let operators = [
        "(= (bvmul x y) #b101)",
        "(bvult (bvudiv x y) (bvurem y x))",
        "(= (bvsmod x y) (bvsrem x y))",
        "(bvsle (bvshl x y) (bvashr y x))",
        "(xor p (= b #b1) (bvuge x y))",
        "(= (ite p (bvadd x y) (bvsub x y)) (concat b ((_ extract 2 1) y)))",
        "(bvsmulo x y)",
        "(distinct x y (bvnot x) ((_ rotate_left 1) y))",
    ];
    for operator in operators {
        for strategy in ["skip", "bit-blast"] {
            let seen = check(&format!("{declared}(assert {operator})(assert (or p (= b #b0) (= x y)))"), strategy);
            assert!(seen[0], "{operator} is false somewhere");
        }
    }
}

#[test]
fn the_byte_format_holds_the_same_graph() {
    let mut rng = Rng::seed_from_u64(5);
    for _ in 0..20 {
        let script = format!("{}(check-sat)", bits(&mut rng));
        let text = file(&script, "skip", CircuitFormat::AigerText);
        let graph = Aag::read(&text);
        let bytes = files(&script, "skip", CircuitFormat::AigerBinary, GATES).2.expect("it is a circuit").remove(0);
        let mut rest = bytes.as_slice();
        let mut line = || {
            let end = rest.iter().position(|&byte| byte == b'\n').expect("a line");
            let line = std::str::from_utf8(&rest[..end]).expect("text").to_string();
            rest = &rest[end + 1..];
            line
        };
        assert_eq!(line().replacen("aig", "aag", 1), text.lines().next().expect("a header"));
        assert_eq!(line(), graph.output.to_string());
        let mut number = || {
            let (mut value, mut shift) = (0usize, 0);
            loop {
                let (&byte, after) = rest.split_first().expect("a byte");
                rest = after;
                value |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    return value;
                }
            }
        };
        for (n, &[own, a, b]) in graph.ands.iter().enumerate() {
            let first = 2 * (graph.inputs.len() + n + 1);
            let second = first - number();
            assert_eq!([own, a, b], [first, second, second - number()]);
        }
        let table = text.find("i0 ").expect("a symbol table");
        assert_eq!(std::str::from_utf8(rest).expect("text"), &text[table..]);
    }
}
