//! Every pass on random goals and on its own example: results are equisatisfiable according to their precision, and their models convert
//! to models of the input. Small finite goals are decided by trying all models, others by z3 if installed.
//!
//! `SQUALL_REWRITE_GOALS` sets the number of goals per pass and grammar.

use crate::support::grammar::GRAMMARS;
use crate::support::{self, Random, check_step, goal_of, read, texts};
use rewrite::passes::solve_eqs::ENCODINGS;
use rewrite::passes::{PASSES, SPLITS};
use rewrite::{Goal, PassError, PassResult, PassSettings, Precision};
use smtlib::{Store, TermId};

/// A pass or split by name.
fn apply(name: &str, store: &mut Store, goal: Goal, settings: &PassSettings) -> Result<Vec<PassResult>, PassError> {
    if let Some(pass) = rewrite::passes::pass(name) {
        return pass.apply(store, goal, settings).map(|step| vec![step]);
    }
    match rewrite::passes::split(name) {
        Some(split) => split.apply(store, goal, settings),
        None => panic!("{name} is in no registry"),
    }
}

fn names() -> Vec<&'static str> {
    PASSES.iter().map(|p| p.name).chain(SPLITS.iter().map(|s| s.name)).collect()
}

#[test]
fn every_pass_keeps_random_goals_equisatisfiable() {
    let goals: u64 = testing::amount("SQUALL_REWRITE_GOALS", 8);
    let only = std::env::var("SQUALL_REWRITE_PASS").ok();
    let mut z3 = support::z3::Z3::start();
    let mut counts: Vec<(&str, usize, usize)> = names().into_iter().map(|name| (name, 0, 0)).collect();
    for (g, grammar) in GRAMMARS.iter().enumerate() {
        for seed in 0..goals {
            let text = grammar.script(&mut Random(seed * 100 + g as u64));
            let mut input = read(&text);
            let goal = goal_of(&mut input);
            let formulas: Vec<_> = goal.terms().collect();
            let Some(expect) = support::decide(&mut input.store, &formulas, &mut z3) else { continue };
            for (name, decided, tried) in &mut counts {
                if only.as_ref().is_some_and(|o| o != name) {
                    continue;
                }
                let mut store = input.store.clone();
                match apply(name, &mut store, goal.clone(), &PassSettings::default()) {
                    Ok(steps) => {
                        *tried += 1;
                        let label = format!("{name} on {}: {text}", grammar.name);
                        let checked = check_step(&label, &mut store, &formulas, expect.is_some(), &steps, &mut z3);
                        if rewrite::passes::pass(name).is_some_and(|pass| pass.is_consequence) {
                            follows(&label, &mut store, &formulas, &steps, &mut z3);
                        }
                        *decided += usize::from(checked);
                    }
                    Err(PassError::NotApplicable(_)) => {}
                    Err(error) => panic!("{name} on {text}: {error}"),
                }
            }
        }
    }
    for (name, decided, tried) in counts {
        println!("{name}: {decided} of {tried} decided");
        assert!(tried == 0 || decided > 0, "{name}: nothing was decided");
    }
}

/// No model of the input violates a formula after the step without new symbols.
fn follows(label: &str, store: &mut Store, input: &[TermId], steps: &[PassResult], z3: &mut Option<support::z3::Z3>) {
    let known = support::symbols(store, input.iter().copied());
    for formula in steps.iter().flat_map(|step| step.goal.terms()) {
        if input.contains(&formula) || support::symbols(store, [formula]).iter().any(|f| !known.contains(f)) {
            continue;
        }
        let broken = store.not(formula);
        let broken: Vec<TermId> = input.iter().copied().chain([broken]).collect();
        if let Some(Some(model)) = support::decide(store, &broken, z3) {
            panic!("{label}\n{} does not follow: {model:?}", store.term_text(formula));
        }
    }
}

#[test]
fn every_example_is_what_the_pass_does() {
    for name in names() {
        let example = match (rewrite::passes::pass(name), rewrite::passes::split(name)) {
            (Some(pass), _) => pass.example,
            (_, Some(split)) => split.example,
            _ => continue,
        };
        let mut input = read(example.before);
        let goal = goal_of(&mut input);
        let steps = match apply(name, &mut input.store, goal, &PassSettings::default()) {
            Ok(steps) => steps,
            Err(error) => panic!("{name}: {error}"),
        };
        let found: Vec<String> = steps.iter().map(|s| texts(&input.store, &s.goal).join(" ")).collect();
        let expect: Vec<String> =
            example.after.iter().map(|s| s.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(found, expect, "{name}");
    }
}

#[test]
fn encodings_are_solved_for_only_where_that_is_asked() {
    let text = "(declare-const x (_ BitVec 32))(declare-const y Float32)
        (assert (= ((_ to_fp 8 24) x) (fp.add RNE y y)))(assert (bvult x #x00000005))";
    let check = |encodings: u64, expect: &[&str], precision: Precision| {
        let mut input = read(text);
        let goal = goal_of(&mut input);
        let mut settings = PassSettings::default();
        settings.params.set(&ENCODINGS, encodings);
        match apply("solve-eqs", &mut input.store, goal, &settings) {
            Ok(steps) => {
                assert_eq!(texts(&input.store, &steps[0].goal), expect);
                assert_eq!(steps[0].goal.precision, precision);
            }
            Err(error) => panic!("{error}"),
        }
    };
    let encoding =
        "(let (($e1 (fp.add RNE y y))) (bvult (ite (fp.isNaN $e1) #x7fc00000 (fp.to_ieee_bv $e1)) #x00000005))";
    check(1, &[encoding], Precision::Under);
    check(0, &["(= ((_ to_fp 8 24) x) (fp.add RNE y y))", "(bvult x #x00000005)"], Precision::Exact);
}

#[test]
fn names_are_unique_and_described() {
    let mut all = names();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    for pass in PASSES {
        assert!(!pass.about.is_empty() && !pass.about.ends_with('.'), "{}", pass.name);
    }
}

/// `extract-equalities` refuted `(= (- 0.0) 0.0)` and `(= 0.5 (/ 1.0 2.0))`: it took the sides for two values.
#[test]
fn values_spelled_otherwise_are_the_same_values() {
    let mut z3 = support::z3::Z3::start();
    for equation in [
        "(= (- 0.0) 0.0)",
        "(= 0.0 (- 0.0) 0.0)",
        "(= 0.5 (/ 1.0 2.0))",
        "(= (- 0.25) (- (/ 1.0 4.0)))",
        "(= (/ 2.0 6.0) (/ 1.0 3.0))",
        "(= (- (/ 1.0 3.0)) (/ (- 1.0) 3.0))",
        "(= (- 0) 0)",
        "(= (- (- 1)) 1)",
        "(= (fp #b0 #b00000 #b0000000000) (_ +zero 5 11))",
        "(= (fp #b1 #b11111 #b0000000001) (_ NaN 5 11))",
        "(= #xf (_ bv15 4) #b1111)",
        "(= \"a\" \"\\u{61}\")",
        "(= RNE roundNearestTiesToEven)",
    ] {
        for text in [format!("(assert {equation})"), {
            let sides: Vec<&str> = smtlib::sexpr::items(equation.trim_start_matches('(').trim_end())
                .map(|item| &equation[1 + item.span.start..1 + item.span.end])
                .skip(1)
                .collect();
            let sort = match sides[0] {
                side if side.contains('.') => "Real",
                side if side.contains("fp ") => "Float16",
                side if side.contains('#') => "(_ BitVec 4)",
                side if side.contains('"') => "String",
                "RNE" => "RoundingMode",
                _ => "Int",
            };
            format!("(declare-const x {sort})(assert (= x {}))(assert (= {} x))", sides[0], sides[1])
        }] {
            let mut input = read(&text);
            let goal = goal_of(&mut input);
            let formulas: Vec<_> = goal.terms().collect();
            for name in names() {
                let mut store = input.store.clone();
                match apply(name, &mut store, goal.clone(), &PassSettings::default()) {
                    Ok(steps) => {
                        check_step(&format!("{name} on {text}"), &mut store, &formulas, true, &steps, &mut z3);
                    }
                    Err(PassError::NotApplicable(_)) => {}
                    Err(error) => panic!("{name} on {text}: {error}"),
                }
            }
        }
    }
}

/// A solution in a cycle was dropped, but not what had been visited on the way to it: `x` was defined by `y`, `y` by `x`, and an equation was lost.
#[test]
fn solutions_in_cycles_lose_no_equation() {
    let mut z3 = support::z3::Z3::start();
    let declared = |sort: &str| ["x", "y", "z", "w"].map(|name| format!("(declare-const {name} {sort})")).concat();
    let (reals, vectors) = (declared("Real"), declared("(_ BitVec 4)"));
    let mut texts = vec![
        format!("{reals}(assert (= x (* 2.0 y)))(assert (= (+ x y z) 5.0))(assert (= (+ x z) 7.0))"),
        format!(
            "{vectors}(assert (= x (bvadd y #x1)))(assert (= y (bvxor (bvnot x) z)))(assert (= z (bvlshr (bvnot x) #x1)))"
        ),
        format!(
            "{vectors}(assert (= x (bvudiv y #x3)))(assert (= y (bvudiv (bvnot x) z)))(assert (= z (bvlshr (bvnot x) w)))(assert (bvugt y #x3))"
        ),
    ];
    let mut random = Random(1);
    for _ in 0..40 {
        let mut text = reals.clone();
        for _ in 0..4 {
            let mut term = || format!("(* {}.0 {})", 1 + random.below(2), ["x", "y", "z", "w"][random.below(4)]);
            let (a, b, c) = (term(), term(), term());
            text.push_str(&format!("(assert (= (+ {a} {b} (- {c})) {}.0))", random.below(8)));
        }
        texts.push(text);
    }
    for text in texts {
        let mut input = read(&text);
        let goal = goal_of(&mut input);
        let formulas: Vec<_> = goal.terms().collect();
        let Some(expect) = support::decide(&mut input.store, &formulas, &mut z3) else { continue };
        let steps = apply("solve-eqs", &mut input.store, goal, &PassSettings::default()).expect("it applies");
        check_step(&text, &mut input.store, &formulas, expect.is_some(), &steps, &mut z3);
    }
}
