//! Z3's names: that every tactic, probe and parameter of an installed z3 is in the tables, and what stands for it.

use crate::strategies::support::{instance, run, solvers, z3};
use rewrite::{Goal, PassSettings, Wants};
use smtlib::Store;
use smtlib::strategy::{ParamKind, Strategy, StrategyVocabulary, parse_strategy};
use solver::process::ProcessLimits;
use solver::session::SessionNeeds;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use strategy::defaults::add_named_defaults;
use strategy::trace::Trace;
use strategy::z3::{PARAMETERS, PROBES, SWITCHES, TACTICS, Z3Name, add_names};
use strategy::{Budget, Shared, TacticOutcome, TacticRun, plan, vocabulary};

/// What `(help-tactic)` lists.
#[derive(Default)]
struct Help {
    tactics: BTreeSet<String>,
    probes: BTreeSet<String>,
    parameters: BTreeMap<String, String>,
}

impl Help {
    fn read(text: &str) -> Help {
        let mut help = Help::default();
        let mut names: Option<&mut BTreeSet<String>> = None;
        for line in text.lines() {
            if line.contains("builtin tactics:") {
                names = Some(&mut help.tactics);
            } else if line.contains("builtin probes:") {
                names = Some(&mut help.probes);
            } else if let (Some(row), Some(names)) = (line.strip_prefix("- "), names.as_mut()) {
                names.extend(row.split_whitespace().next().map(ToString::to_string));
            } else if let Some((name, rest)) = line.strip_prefix("    ").and_then(|row| row.split_once(" (")) {
                let kind = rest.split_once(')').map_or("", |(kind, _)| kind);
                help.parameters.insert(name.to_string(), kind.to_string());
            }
        }
        help
    }
}

fn everything() -> StrategyVocabulary {
    let mut vocabulary = vocabulary();
    add_named_defaults(&mut vocabulary);
    add_names(&mut vocabulary);
    vocabulary
}

#[test]
fn every_name_of_an_installed_z3_is_known() {
    let Some((_, z3)) = testing::require("z3", solver::testing::z3()) else { return };
    let said = z3.check("(help-tactic)\n", SessionNeeds::SINGLE, &ProcessLimits::default()).expect("z3 runs");
    let help = Help::read(&String::from_utf8_lossy(&said.stdout));
    // A text that is not understood would hold nothing unknown.
    assert!(help.tactics.len() > 100 && help.probes.len() > 35 && help.parameters.len() > 500);
    let unknown = |names: &BTreeSet<String>, table: &BTreeMap<String, Z3Name>| -> Vec<String> {
        names.iter().filter(|name| !table.contains_key(*name)).cloned().collect()
    };
    assert_eq!(unknown(&help.tactics, &TACTICS), [""; 0], "tactics that z3 has and tactics.toml has not");
    assert_eq!(unknown(&help.probes, &PROBES), [""; 0], "probes that z3 has and probes.toml has not");
    let kinds: BTreeMap<&str, ParamKind> = PARAMETERS.kinds().collect();
    for (name, kind) in &help.parameters {
        let expect = match kind.as_str() {
            "bool" => ParamKind::Truth,
            "unsigned int" => ParamKind::Natural,
            "double" | "rational" => ParamKind::Decimal,
            "symbol" | "string" => ParamKind::Word,
            other => panic!("`{name}` takes {other}"),
        };
        assert_eq!(kinds.get(name.as_str()), Some(&expect), "the parameter {name}");
    }
}

#[test]
fn what_stands_for_a_name_is_there() {
    let all = everything();
    for (name, row) in TACTICS.iter() {
        let read = parse_strategy(name, &all);
        match row {
            Z3Name::Ours { ours, .. } => {
                let stands = parse_strategy(ours, &all).unwrap_or_else(|e| panic!("{name}: {}", e.render("s", ours)));
                assert_eq!(read, Ok(stands), "{name}");
                assert!(plan(&read.unwrap(), &solvers()).is_ok(), "{name}");
            }
            Z3Name::Delegated { delegated } => {
                assert_eq!(read.map(|s| s.to_string()), Ok(format!("(solver-tactic z3 {name})")));
                assert!(!delegated.is_empty());
            }
            Z3Name::Refused { refused } => {
                let error = read.expect_err(name);
                assert!(error.render("s", name).contains(refused), "{name}");
            }
        }
    }
    let answered = PROBES.iter().filter(|(_, row)| matches!(row, Z3Name::Ours { .. }));
    for (name, _) in answered.clone() {
        let holds = format!("(when {name} skip)");
        let counts = format!("(when (> {name} 1) skip)");
        assert!(parse_strategy(&holds, &all).is_ok() || parse_strategy(&counts, &all).is_ok(), "{name}");
    }
    assert!(answered.count() >= 40);
    let kinds: BTreeSet<&str> = PARAMETERS.kinds().map(|(name, _)| name).collect();
    for (switch, tactic) in &SWITCHES.switches {
        assert!(kinds.contains(switch.as_str()) && all.tactics.contains_key(tactic), "{switch}");
    }
    let named = SWITCHES.always.keys().chain(SWITCHES.refused.keys());
    named.for_each(|name| assert!(kinds.contains(name.as_str()), "{name}"));
}

/// What docs/strategy.md says of the tables is what they hold.
#[test]
fn the_numbers_in_the_documentation_are_those_of_the_tables() {
    let count = |of: fn(&Z3Name) -> bool| TACTICS.values().filter(|row| of(row)).count();
    let ours = count(|row| matches!(row, Z3Name::Ours { .. }));
    let delegated = count(|row| matches!(row, Z3Name::Delegated { .. }));
    let refused = count(|row| matches!(row, Z3Name::Refused { .. }));
    let probes = PROBES.values().filter(|row| matches!(row, Z3Name::Ours { .. })).count();
    let text = include_str!("../../../../../docs/strategy.md");
    for words in [
        format!("Of {} tactics,", TACTICS.len()),
        format!("- {ours} are *ours*"),
        format!("- {delegated} are *delegated*"),
        format!("- {refused} is *refused*"),
        format!("Of {} probes {probes} are answered", PROBES.len()),
        format!("Z3's {} parameters", PARAMETERS.kinds().count()),
    ] {
        assert!(text.contains(&words), "docs/strategy.md does not say `{words}`");
    }
}

#[test]
fn switches_of_simplify_have_their_effect() {
    let check = |strategy: &str, problem: &str, expect: &str| {
        let mut store = Store::new();
        let instance = instance(&mut store, &format!("{problem}(check-sat)"));
        let strategy =
            parse_strategy(strategy, &everything()).unwrap_or_else(|e| panic!("{}", e.render("s", strategy)));
        let report = run(&mut store, &instance, &strategy, 60.0, false);
        let text = report.trace.text();
        assert!(text.contains(expect), "{strategy}: {text}");
    };
    let distinct = "(declare-const a Int)(declare-const b Int)(declare-const c Int)(assert (distinct a b c))";
    check("(then (! simplify :blast_distinct true) smt)", distinct, "distinct-expansion");
    check("(then (! simplify :blast_distinct false) smt)", distinct, "simplify");
    let product = "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))(declare-const p Bool)
        (assert (= (bvmul (bvadd a #x01) (bvadd b #x04)) (ite p (bvadd a b) (bvadd b #x03))))";
    for switch in ["som", "hoist_ite", "mul2concat"] {
        let tactic = switch.replace('_', "-");
        check(&format!("(then (! simplify :{switch} true) sat)"), product, &tactic);
    }
    // Each after the one whose terms it is for, whatever the order in which they are written.
    let strategy = "(using-params simplify :mul2concat true :hoist_ite true :som true)";
    let goal = formulas_after(strategy, product);
    assert_eq!(
        goal,
        ["(= (bvadd (bvadd (bvadd (concat ((_ extract 5 0) a) #b00) (bvmul a b)) b) #x04) (bvadd b (ite p a #x03)))"]
    );
    assert_eq!(formulas_after("(! simplify :som true :som_blowup 0)", product), formulas_after("simplify", product));
    let error = |strategy: &str| {
        let read = parse_strategy(strategy, &everything()).unwrap_or_else(|e| panic!("{}", e.render("s", strategy)));
        plan(&read, &solvers()).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(error("(! simplify :hi_div0 true :som true :max_steps 10)"), "");
    assert!(error("(! smt :hi_div0 false)").contains("`:hi_div0 false` is refused"));
    assert!(error("(then horn smt)").is_empty() || error("(then horn smt)").contains("`horn` is a tactic of z3's own"));
    assert!(error("(solver-tactic no-such-solver qe)").contains("`qe` is a tactic of no-such-solver's own"));
}

/// The formulas of the goal that a strategy leaves of a problem.
fn formulas_after(strategy: &str, problem: &str) -> Vec<String> {
    let mut store = Store::new();
    let instance = instance(&mut store, &format!("{problem}(check-sat)"));
    let strategy = parse_strategy(strategy, &everything()).unwrap_or_else(|e| panic!("{}", e.render("s", strategy)));
    let plan = plan(&strategy, &solvers()).expect("no solver is named");
    let goal = Goal::of(&mut store, &instance.assertions, Wants::ALL, &PassSettings::default()).expect("it is a goal");
    let shared = Arc::new(Shared::new(solvers(), instance.declarations.clone(), None));
    let mut run = TacticRun::new(Budget::of(Duration::from_secs(60)), shared, Trace::default());
    match plan.run(&mut store, goal, &mut run) {
        TacticOutcome::Open(open) => open.branches[0].goal.terms().map(|t| store.term_text(t)).collect(),
        _ => panic!("{problem} is answered"),
    }
}

/// Returns a strategy's answer, the programs it trusts, and whether its model was judged.
fn answered(strategy: &str, problem: &str) -> String {
    let mut store = Store::new();
    let instance = instance(&mut store, &format!("{problem}(check-sat)"));
    let read: Strategy =
        parse_strategy(strategy, &everything()).unwrap_or_else(|e| panic!("{}", e.render("s", strategy)));
    let report = run(&mut store, &instance, &read, 60.0, true);
    match &report.answer {
        strategy::SolveAnswer::Sat { model: Some(_), unchecked: None, .. } => "sat, checked".to_string(),
        strategy::SolveAnswer::Sat { .. } => "sat, trusted".to_string(),
        strategy::SolveAnswer::Unsat { proof, core } => match proof.trusted().is_empty() {
            true => format!("unsat {core:?}"),
            false => format!("unsat {core:?}, trusted"),
        },
        strategy::SolveAnswer::Unknown(why) => format!("unknown: {why}"),
    }
}

#[test]
fn tactics_of_z3_are_steps_of_a_strategy() {
    let Some(z3) = z3() else { return };
    let check = |tactic: &str, rest: &str, problem: &str, expect: &str| {
        let strategy = format!("(then (solver-tactic {z3} {tactic}) {rest})");
        let found = answered(&strategy, problem);
        assert!(found.starts_with(expect), "{strategy} on {problem}: {found}");
    };
    let bits =
        "(declare-const b (_ BitVec 3))(declare-const x Int)(assert (= (bvmul b b) #b001))(assert (= (* 2 x) 4))";
    // Symbols that go, and fresh ones that come: the model is one of the input.
    check("(then solve-eqs bit-blast)", "smt", bits, "sat, checked");
    check("(then simplify bit-blast tseitin-cnf)", "smt", bits, "sat, checked");
    check("fpa2bv", "sat", "(declare-const f Float16)(assert (fp.lt f (fp.neg f)))", "sat, checked");
    // Of several goals, one has to be satisfiable.
    let either = "(declare-const p Bool)(declare-const q Bool)(assert (or p q))";
    check("split-clause", "smt", &format!("{either}(assert (not p))"), "sat, checked");
    check("split-clause", "smt", &format!("{either}(assert (not p))(assert (not q))"), "unsat [0, 1, 2], trusted");
    // What Z3 decides itself: where the evaluator cannot judge the model, or it cannot be read, `sat` is the word of Z3.
    check("qe", "skip", "(assert (forall ((x Int)) (exists ((y Int)) (< x y))))", "sat, trusted");
    check("qe", "skip", "(assert (forall ((p Bool)) (exists ((q Bool)) (= p q))))", "sat, checked");
    check("qe", "skip", "(assert (exists ((y Int)) (forall ((x Int)) (< x y))))", "unsat [0], trusted");
    check("qsat", "skip", "(declare-const r Real)(assert (= (* r r) 2.0))", "sat, trusted");
    // An approximation stays one, and its answer is not that of the input.
    let over = "(declare-const x Int)(assert (> x 70))(assert (< x 80))";
    let open = "(declare-const x Int)(assert (>= x 3))";
    check("(using-params add-bounds :add_bound_upper 10)", "smt", open, "sat, checked");
    let far = "(declare-const x Int)(declare-const y Int)(assert (= (+ x y) 70))";
    check("(using-params add-bounds :add_bound_upper 10 :add_bound_lower 0)", "smt", far, "unknown");
    // What fails says so, and another way is taken.
    check("fail", "skip", over, "unknown");
    check("no-such-tactic", "skip", over, "unknown");
    let strategy = format!("(or-else (solver-tactic {z3} fail) smt)");
    assert_eq!(answered(&strategy, over), "sat, checked");
    // Z3 takes its fresh names without looking whether they are taken.
    check(
        "bit-blast",
        "smt",
        "(declare-const k!0 Bool)(declare-const b (_ BitVec 2))(assert (= k!0 (= b #b01)))",
        "unknown",
    );
}

/// Everyday strategies of Z3's: none is refused, and what is approximated gives right answers.
#[test]
fn everyday_strategies_of_z3_are_taken() {
    let all = everything();
    let problem = "(declare-const x Int)(declare-const p Bool)(assert (or p (> x 3)))(assert (not p))(assert (< x 5))";
    for strategy in include_str!("everyday.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let read = parse_strategy(strategy, &all).unwrap_or_else(|e| panic!("{}", e.render("s", strategy)));
        // Where no z3 is at hand under its own name, strategies that need one cannot be made ready.
        if plan(&read, &solvers()).is_err() {
            continue;
        }
        let found = answered(strategy, problem);
        assert!(!found.starts_with("unsat"), "{strategy}: {found}");
    }
}
