//! Objectives: best values by exhaustion against a brute force of another hand, and against a solver.

use dashu_ratio::RBig;
use mutate::finite::{FiniteMutator, theme};
use mutate::rng::RandomStream;
use mutate::{Batch, Mutant, TargetSpelling, Unit};
use semantics::truth::optimum::{Optimum, as_number, is_lexicographic, optima, read_number};
use semantics::truth::{ExhaustLimits, OpenTruth, Search, TruthQuery};
use semantics::{EvalLimits, Evaluator, Model, Stop, Value};
use smtlib::{Command, Instance, Store, TermId};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

fn read(store: &mut Store, text: &str) -> Vec<Instance> {
    let parsed = smtlib::parse(store, text);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    parsed.script.instances()
}

fn known(store: &mut Store, instance: &Instance, search: Search) -> Result<Vec<Optimum>, OpenTruth> {
    let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &Stop::default(), search };
    optima(store, instance, query)
}

fn values(optima: &[Optimum]) -> Vec<RBig> {
    optima.iter().map(|optimum| as_number(&optimum.value).expect("a number")).collect()
}

/// One part of a formula or term over `x`, `y` in -2 to 2, `b` of two bits and `p`.
fn number(rng: &mut RandomStream) -> String {
    let constants = [
        "x",
        "y",
        "(- x)",
        "(+ x y)",
        "(- x y)",
        "(* 2 x)",
        "(* (- 3) y)",
        "(ite p x 1)",
        "(ite (= b #b10) y x)",
        "(+ x 4)",
    ];
    rng.pick(&constants).expect("one").to_string()
}

fn vector(rng: &mut RandomStream) -> String {
    rng.pick(&["b", "(bvadd b #b01)", "(bvnot b)", "(bvmul b b)", "(ite p b #b01)"]).expect("one").to_string()
}

fn formula(rng: &mut RandomStream) -> String {
    match rng.below(5) {
        0 => "p".to_string(),
        1 => format!("(bvult {} {})", vector(rng), vector(rng)),
        2 => format!("(not {})", formula(rng)),
        3 => format!("(or {} {})", formula(rng), formula(rng)),
        _ => format!("({} {} {})", rng.pick(&["<", "<=", "=", "distinct"]).expect("one"), number(rng), number(rng)),
    }
}

/// A problem as text.
fn problem(rng: &mut RandomStream) -> String {
    let mut text =
        "(declare-const x Int)(declare-const y Int)(declare-const b (_ BitVec 2))(declare-const p Bool)\n".to_string();
    text += "(assert (<= (- 2) x 2))(assert (and (<= (- 2) y) (< y 3)))\n";
    match rng.below(3) {
        0 => text += "(set-option :opt.priority box)\n",
        1 => text += "(set-option :opt.priority lex)\n",
        _ => {}
    }
    for _ in 0..rng.below(3) {
        text += &format!("(assert {})\n", formula(rng));
    }
    for _ in 0..rng.between(1, 4) {
        let kind = if rng.coin() { "maximize" } else { "minimize" };
        text += &match rng.below(4) {
            0 => format!("({kind} {})\n", vector(rng)),
            1 => format!("({kind} {})\n", number(rng)),
            _ => {
                let weight = *rng.pick(&["", " :weight 2", " :weight 0.5", " :weight 10"]).expect("one");
                let group = *rng.pick(&["", " :id a", " :id |b c|"]).expect("one");
                let [first, second] = if rng.coin() { [weight, group] } else { [group, weight] };
                format!("(assert-soft {}{first}{second})\n", formula(rng))
            }
        };
    }
    text + "(check-sat)\n"
}

/// An objective as the brute force understands it.
enum Goal {
    Term(bool, TermId),
    Soft(Vec<(TermId, RBig)>),
}

fn goals(instance: &Instance) -> Vec<Goal> {
    let (mut all, mut groups) = (Vec::new(), BTreeMap::new());
    for command in &instance.objectives {
        let Command::Extension(name, term, attributes) = command else { panic!("{command:?}") };
        if &**name != "assert-soft" {
            all.push(Goal::Term(&**name == "maximize", *term));
            continue;
        }
        let after = |key: &str| attributes.split_once(key).map(|(_, rest)| rest.trim_start());
        let weight = after(":weight").map_or("1", |rest| rest.split(' ').next().expect("a word"));
        let weight = match weight {
            "0.5" => RBig::from_parts(1.into(), 2u8.into()),
            whole => RBig::from(whole.parse::<i64>().expect("a number")),
        };
        let id = after(":id").map_or("", |rest| if rest.starts_with('|') { "b c" } else { "a" });
        let at = *groups.entry(id).or_insert_with(|| {
            all.push(Goal::Soft(Vec::new()));
            all.len() - 1
        });
        let Goal::Soft(parts) = &mut all[at] else { panic!("a group") };
        parts.push((*term, weight));
    }
    all
}

/// All assignments one after the other by the plain evaluator, and the best of their values; `None` without a model.
fn by_hand(store: &mut Store, instance: &Instance, is_box: bool) -> Option<Vec<RBig>> {
    let functions: Vec<_> = instance
        .declarations
        .iter()
        .filter_map(|c| if let Command::DeclareFun(f) = c { Some(*f) } else { None })
        .collect();
    let goals = goals(instance);
    let mut rows: Vec<Vec<RBig>> = Vec::new();
    for n in 0..5 * 5 * 4 * 2i64 {
        let own = [
            Value::Int((n % 5 - 2).into()),
            Value::Int((n / 5 % 5 - 2).into()),
            Value::bitvec(2, (n / 25 % 4).unsigned_abs().into()),
            Value::Bool(n / 100 == 1),
        ];
        let mut model = Model::new();
        for (&f, value) in functions.iter().zip(own) {
            model.assign(store, f, value).expect("a value of the sort");
        }
        let mut evaluator = Evaluator::new(model, EvalLimits::default());
        if !instance.assertions.iter().all(|&t| evaluator.truth(store, t) == Some(true)) {
            continue;
        }
        let cost = |goal: &Goal| match goal {
            Goal::Term(is_max, term) => {
                let value = match evaluator.eval(store, *term).expect("a value") {
                    Value::Int(n) => RBig::from(n),
                    Value::BitVec { value, .. } => RBig::from(value),
                    other => panic!("{other:?}"),
                };
                if *is_max { -value } else { value }
            }
            Goal::Soft(parts) => {
                let violated = parts.iter().filter(|(t, _)| evaluator.truth(store, *t) == Some(false));
                violated.fold(RBig::ZERO, |sum, (_, weight)| sum + weight)
            }
        };
        rows.push(
            goals
                .iter()
                .map({
                    let mut cost = cost;
                    move |goal| cost(goal)
                })
                .collect(),
        );
    }
    let best = match is_box {
        false => rows.iter().min()?.clone(),
        true => (0..goals.len()).map(|n| rows.iter().map(|row| row[n].clone()).min()).collect::<Option<Vec<_>>>()?,
    };
    let sign = |(goal, value): (&Goal, RBig)| if matches!(goal, Goal::Term(true, _)) { -value } else { value };
    Some(goals.iter().zip(best).map(sign).collect())
}

#[test]
fn best_values_are_those_of_all_assignments() {
    let (mut counts, count) = ([0u64; 3], testing::amount("SQUALL_PROBLEMS", 300u64));
    for number in 0..count {
        let mut rng = Unit { campaign: 12, number }.stream();
        let text = problem(&mut rng);
        let mut store = Store::new();
        let instance = read(&mut store, &text).remove(0);
        let is_box = text.contains("box");
        let expected = by_hand(&mut store, &instance, is_box);
        for search in [Search::Quick, Search::Recorded] {
            let known = known(&mut store, &instance, search);
            assert_eq!(known.as_ref().map(|all| values(all)).ok(), expected, "{text}{known:?}");
            let Ok(known) = known else { continue };
            assert_eq!(is_lexicographic(&instance), Some(!is_box), "{text}");
            for optimum in &known {
                let mut evaluator = Evaluator::new(optimum.model.clone(), EvalLimits::default());
                assert!(instance.assertions.iter().all(|&t| evaluator.truth(&store, t) == Some(true)), "{text}");
                assert_eq!(evaluator.eval(&store, optimum.term).as_ref(), Ok(&optimum.value), "{text}");
            }
        }
        counts[match expected {
            None => 0,
            Some(_) if is_box => 1,
            Some(_) => 2,
        }] += 1;
    }
    println!("no model, box, lex: {counts:?}");
    assert!(counts.iter().all(|&n| n * 20 > count), "{counts:?}");
}

#[test]
fn what_is_open_stays_open() {
    let declared = "(declare-const x Int)(declare-const y Int)(declare-const p Bool)(declare-const b (_ BitVec 3))(assert (<= 0 x 3))(assert (<= 1 y 2))";
    const OPEN: &str = "its best value is not known";
    let check = |text: &str, expect: &str| {
        let mut store = Store::new();
        let text = format!("{declared}{text}(check-sat)");
        let instance = read(&mut store, &text).pop().expect("a check");
        let told = match known(&mut store, &instance, Search::Recorded) {
            Ok(known) => values(&known).iter().map(|value| value.to_string()).collect::<Vec<_>>().join(" "),
            Err(why) => why.to_string(),
        };
        assert!(told.contains(expect), "{text}: {told}");
    };
    check("(maximize x)(minimize (+ x y))", "3 4");
    check("(maximize b)(minimize (bvadd b #b001))", "7 0");
    check("(maximize x)(push 1)(minimize y)(check-sat)(pop 1)", "3");
    check("(push 1)(maximize x)(pop 1)(minimize y)", "1");
    check("(maximize x)(reset-assertions)", "");
    check("(assert-soft (< x y) :weight 0.25)(assert-soft (> x y))", "1/4");
    // The last priority before the check applies.
    check("(maximize x)(minimize x)(set-option :opt.priority box)(set-option :opt.priority lex)", "3 3");
    check("(maximize x)(minimize x)(set-option :opt.priority box)", "3 0");
    check("(maximize x)(set-option :opt.priority pareto)", OPEN);
    check("(maximize (* x y))", OPEN);
    check("(maximize (div x y))", OPEN);
    check("(define-fun c () Int (* x y))(maximize c)", OPEN);
    check("(maximize p)", OPEN);
    check("(minimize x :signed)", OPEN);
    check("(assert-soft p :weight -1)", OPEN);
    check("(assert-soft p :weight 0)", OPEN);
    check("(declare-const z Int)(minimize z)", "");
    check("(declare-const z Int)(assert (>= z 0))(minimize z)", "`z`");
    check("(assert false)(minimize x)", OPEN);
    check("(assert (forall ((q Bool)) (or q p (not q))))(minimize x)", OPEN);
    check("(assert-soft (forall ((q Bool)) (or q p)))", OPEN);
    // Under assumptions and tactics z3 ignores objectives.
    check("(maximize x)(check-sat-assuming ((< x 2)))(check-sat-using smt)(push 1)(assert (< x 3))", "2");
}

#[test]
fn numbers_are_read_as_solvers_print_them() {
    let check = |text: &str, expect: Option<(i64, u64)>| {
        let expect = expect.map(|(a, b)| RBig::from_parts(a.into(), b.into()));
        assert_eq!(read_number(text), expect, "{text}");
    };
    check("5", Some((5, 1)));
    check("(- 5)", Some((-5, 1)));
    check("2.50", Some((5, 2)));
    check("(/ 7 2)", Some((7, 2)));
    check("(- (/ 7.0 2.0))", Some((-7, 2)));
    for other in
        ["oo", "(* (- 1) oo)", "(+ 1 epsilon)", "(interval 0 1)", "true", "", "1 2", "x", "(/ 1 0)", "1))(check-sat"]
    {
        check(other, None);
    }
}

/// The problems of the theme are decided, and a solver finds the same values: all that it prints as numbers.
#[test]
fn the_theme_makes_problems_whose_best_values_are_known() {
    let themes = vec![theme::find("objectives").expect("a theme")];
    let finite = FiniteMutator { themes, mutants: 10, ..FiniteMutator::default() };
    let mut mutant = Mutant::default();
    // What z3 lacks.
    let lacks = ["divisible", "int.pow2", "iand"].map(Box::from).to_vec();
    let target = TargetSpelling { lacks, ..TargetSpelling::default() };
    let z3 = testing::require("z3", z3());
    let (mut open, mut sat, mut compared, mut unfinished) = (0, 0, 0, 0);
    let count: u64 = testing::amount("SQUALL_PROBLEMS", 300);
    let (mut made, mut number) = (0, 0);
    while made < count {
        let mut batch = finite.batch(&mut Store::new(), &target, Unit { campaign: 3, number });
        number += 1;
        for index in 0..batch.size() {
            batch.mutant(index, &mut mutant);
            if mutant.expected.is_empty() {
                continue;
            }
            made += 1;
            let mut store = Store::new();
            let instances = read(&mut store, &mutant.text);
            let answers = z3.as_ref().map(|program| answers(program, &mutant.text));
            for (check, instance) in instances.iter().enumerate() {
                let known = known(&mut store, instance, Search::Quick);
                if mutant.expected[check] == smtlib::Status::Unsat {
                    assert!(known.is_err(), "{}", mutant.text);
                    continue;
                }
                sat += 1;
                let Ok(known) = known else {
                    open += 1;
                    continue;
                };
                let Some((answer, reported)) = answers.as_ref().and_then(|answers| answers.get(check)) else {
                    continue;
                };
                if answer != "sat" {
                    println!("ANSWERS {answer}\n{}", mutant.text);
                    continue;
                }
                assert_eq!(reported.len(), known.len(), "{reported:?}\n{}", mutant.text);
                for (own, told) in values(&known).iter().zip(reported) {
                    let Some(told) = read_number(told) else {
                        unfinished += 1;
                        break;
                    };
                    compared += 1;
                    if told != *own {
                        println!("DIFFERS {told}, and the best is {own}, in {reported:?} of\n{}", mutant.text);
                        break;
                    }
                }
            }
        }
    }
    println!(
        "{made} problems, {sat} satisfiable checks, {open} open; {compared} values compared, {unfinished} lists unfinished"
    );
    assert!(open * 4 < sat && sat * 2 > made, "{open} of {sat} are open, of {made} problems");
}

/// The program that `SQUALL_Z3` names, if any.
fn z3() -> Option<String> {
    std::env::var("SQUALL_Z3").ok()
}

/// The answers, each with the last part of each line of its objectives.
fn answers(program: &str, text: &str) -> Vec<(String, Vec<String>)> {
    let mut child = std::process::Command::new(program)
        .args(["-in", "-smt2", "-T:20"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the solver starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("the solver ends");
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut answers: Vec<(String, Vec<String>)> = Vec::new();
    let all = smtlib::sexpr::Sexprs::read(&output);
    for node in all.top() {
        match all.headed(node, "objectives") {
            Some(rows) if all.is_list(node) => {
                let told = rows
                    .iter()
                    .map(|&row| all.children(row).last().map(|last| all.text(last)).unwrap_or("").to_string());
                answers.last_mut().expect("an answer").1 = told.collect();
            }
            _ if all.is_list(node) => {
                println!("{}\n{text}", all.text(node));
                return Vec::new();
            }
            _ => answers.push((all.text(node).to_string(), Vec::new())),
        }
    }
    answers
}
