//! Every tactic keeps the truth: generated goals are decided by z3 and cvc5 before and after it, models are converted back, and cores
//! suffice.
//!
//! A few goals run in the suite. The numbers in docs/measurements/benchmarks.md come from
//! `SQUALL_TACTIC_GOALS=5000 cargo test --release -p strategy --test it every_tactic -- --nocapture`; `SQUALL_SEED`
//! chooses other goals.

use crate::strategies::goals::goal;
use crate::strategies::oracle::{Oracle, Truth};
use crate::strategies::support::{Numbers, instance, read, solvers, z3};
use rewrite::{Goal, Origins, PassSettings, Wants};
use smtlib::{Instance, Store, TermId};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use strategy::registry::tactics;
use strategy::solve::checked;
use strategy::trace::Trace;
use strategy::{Budget, Shared, SolveAnswer, Solvers, StrategyPlan, TacticOutcome, TacticRun, plan};

/// The result of a tactic, with a solver for open goals.
struct Came {
    word: &'static str,
    /// What is wrong with it, whatever the truth.
    wrong: Option<String>,
}

/// A tactic under test, and its numbers of sat, unsat and undecided results.
struct Subject {
    name: String,
    plan: Arc<StrategyPlan>,
    counts: [usize; 3],
}

fn subjects() -> Vec<Subject> {
    let mut texts: Vec<String> = Vec::new();
    for entry in tactics() {
        match (entry.kind(), entry.name) {
            ("basic", _) | (_, "solver" | "exec" | "rules") => {}
            // The fuzzing solver would go on until the time is up.
            (_, "search") => texts.push("(using-params search :max-executions 20000)".to_string()),
            (_, "apcad") => texts.push("(apcad icp)".to_string()),
            (_, name) => texts.push(name.to_string()),
        }
    }
    texts.extend(["(smt simplex)", "(smt floyd-warshall)"].map(str::to_string));
    let subject = |name: String| {
        let plan = plan(&read(&name), &Solvers::default()).expect("no solver is named");
        Subject { name, plan, counts: [0; 3] }
    };
    texts.into_iter().map(subject).collect()
}

/// Applies a tactic and has an oracle decide the remaining goals.
fn came(subject: &Subject, store: &Store, instance: &Instance, cores: bool, oracle: &mut Oracle) -> Came {
    let store = &mut store.clone();
    let shared = Arc::new(Shared::new(Arc::default(), instance.declarations.clone(), None));
    let mut run = TacticRun::new(Budget::of(Duration::from_secs(20)), shared, Trace::default());
    let wants = Wants { models: true, cores };
    let goal = Goal::of(store, &instance.assertions, wants, &PassSettings::default()).expect("small");
    let fine = |word| Came { word, wrong: None };
    let by: Arc<str> = subject.name.as_str().into();
    let model_checked = |store: &mut Store, model| match checked(
        store,
        &instance.assertions,
        model,
        (&by, false),
        &Budget::default(),
    )
    .0
    {
        SolveAnswer::Sat { unchecked: None, .. } => fine("sat"),
        other => Came { word: "sat", wrong: Some(format!("{other:?}")) },
    };
    let core_checked = |store: &Store, origins: &Origins, oracle: &mut Oracle| {
        let core: Vec<TermId> = origins.indices().into_iter().map(|n| instance.assertions[n as usize]).collect();
        let satisfiable = cores && matches!(oracle.truth(store, instance, &core), Truth::Sat(_));
        let wrong = satisfiable.then(|| format!("the core {:?} is satisfiable", origins.indices()));
        Came { word: "unsat", wrong }
    };
    match subject.plan.run(store, goal, &mut run) {
        TacticOutcome::Fail(_) => fine("unknown"),
        TacticOutcome::Sat(witness) => model_checked(store, witness.model.expect("own tactics give models")),
        TacticOutcome::Unsat(refutation) => core_checked(store, &refutation.origins, oracle),
        TacticOutcome::Open(open) => {
            let mut origins = open.origins.clone();
            for branch in &open.branches {
                let formulas: Vec<TermId> = branch.goal.terms().collect();
                match oracle.truth(store, instance, &formulas) {
                    Truth::Unsat if branch.goal.precision.keeps_unsat() => origins.add(&branch.goal.origins()),
                    Truth::Sat(text) if branch.goal.precision.keeps_sat() => {
                        let Some(model) = Oracle::model(store, instance, &formulas, &text) else {
                            return Came { word: "sat", wrong: Some(format!("its model is not read: {text}")) };
                        };
                        if let (_, true) = checked(store, &formulas, model.clone(), (&by, false), &Budget::default()) {
                            return Came { word: "sat", wrong: Some(format!("the solver's model is none: {text}")) };
                        }
                        return match branch.converter.convert(store, model, &rewrite::Stop::default()) {
                            Ok(model) => model_checked(store, model),
                            Err(error) => Came { word: "sat", wrong: Some(error.to_string()) },
                        };
                    }
                    _ => return fine("unknown"),
                }
            }
            core_checked(store, &origins, oracle)
        }
    }
}

#[test]
fn every_tactic_keeps_the_truth() {
    let Some(z3) = z3() else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<usize>().ok());
    let count = number("SQUALL_TACTIC_GOALS").unwrap_or(20);
    let mut numbers = Numbers(number("SQUALL_SEED").unwrap_or(0x5eed) as u64 | 1);
    let solvers = solvers();
    let cvc5 = testing::require("cvc5", solvers.get("cvc5 --fp-exp").ok());
    let mut oracles: Vec<Oracle> = solvers.get(&z3).ok().into_iter().chain(cvc5).map(Oracle::new).collect();
    let mut subjects = subjects();
    let mut truths: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for n in 0..count {
        let text = goal(&mut numbers);
        let mut store = Store::new();
        let instance = instance(&mut store, &text);
        oracles.iter_mut().for_each(Oracle::forget);
        let said: Vec<Truth> = oracles.iter_mut().map(|o| o.truth(&store, &instance, &instance.assertions)).collect();
        let truth = said.iter().map(Truth::word).find(|word| *word != "unknown").unwrap_or("unknown");
        *truths.entry(truth).or_default() += 1;
        if said.iter().any(|t| t.word() != truth && *t != Truth::Unknown) {
            wrong.push(format!("the solvers disagree: {said:?}\n{text}"));
        }
        // Solvers take turns at deciding the remaining goals.
        let turn = n % oracles.len();
        for subject in &mut subjects {
            let came = came(subject, &store, &instance, n % 3 == 0, &mut oracles[turn]);
            subject.counts[["sat", "unsat", "unknown"].iter().position(|w| *w == came.word).unwrap_or(2)] += 1;
            let contradicts = came.word != "unknown" && truth != "unknown" && came.word != truth;
            if contradicts || came.wrong.is_some() {
                let Subject { name, .. } = subject;
                let alone = oracles[turn].truth_alone(&store, &instance, &instance.assertions).word();
                let label = &oracles[turn].program.label;
                let why = came.wrong.unwrap_or_default();
                wrong.push(format!("{name} with {label}: {}, not {truth} ({alone} alone); {why}\n{text}", came.word));
            }
        }
        if (n + 1) % 500 == 0 {
            println!("{} goals, {} wrong", n + 1, wrong.len());
        }
    }
    println!("{count} goals: {truths:?}");
    for oracle in &oracles {
        println!("{}: {} questions, {} of them repeated", oracle.program.label, oracle.asked[0], oracle.asked[1]);
    }
    for subject in &subjects {
        println!("  {}: sat, unsat, not decided: {:?}", subject.name, subject.counts);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
