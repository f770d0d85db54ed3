//! Deep terms and exploding goals: a pass works or reports why not, and never overflows the stack.
//!
//! `SQUALL_REWRITE_DEPTH` sets the depth; a test thread's stack of 2 MiB is too small for recursion over the default already.

use rewrite::passes::{PASSES, SPLITS};
use rewrite::{Goal, Origins, PassError, PassLimits, PassSettings, Stop, Wants};
use smtlib::{Kind, Op, SortId, Store, TermId};
use std::time::Instant;

fn depth() -> usize {
    testing::amount("SQUALL_REWRITE_DEPTH", 100_000)
}

/// A term of many nested applications of an operator.
fn tower(store: &mut Store, mut t: TermId, step: impl Fn(&mut Store, TermId, usize) -> TermId) -> TermId {
    for n in 0..depth() {
        t = step(store, t, n);
    }
    t
}

fn constant(store: &mut Store, name: &str, sort: SortId) -> TermId {
    rewrite::FreshSymbols::new(name).constant(store, sort).1
}

fn app(store: &mut Store, kind: Kind, args: &[TermId]) -> TermId {
    match store.app(Op::new(kind), args) {
        Ok(t) => t,
        Err(error) => panic!("{error}"),
    }
}

/// A goal of one deep formula.
fn deep(kind: &str) -> (Store, Goal) {
    let mut store = Store::new();
    let p = constant(&mut store, "p", SortId::BOOL);
    let q = constant(&mut store, "q", SortId::BOOL);
    let formula = match kind {
        "connectives" => tower(&mut store, p, |s, t, n| {
            let t = s.not(t);
            if n % 2 == 0 { s.and(&[q, t]) } else { s.or(&[p, t]) }
        }),
        "sums" => {
            let x = constant(&mut store, "x", SortId::INT);
            let y = constant(&mut store, "y", SortId::INT);
            let sum = tower(&mut store, x, |s, t, n| {
                if n % 3 == 0 { app(s, Kind::IntAbs, &[t]) } else { app(s, Kind::IntAdd, &[t, y]) }
            });
            app(&mut store, Kind::IntLt, &[sum, y])
        }
        "choices" => {
            let x = constant(&mut store, "x", SortId::INT);
            let y = constant(&mut store, "y", SortId::INT);
            let choice = tower(&mut store, x, |s, t, n| {
                if n % 2 == 0 { app(s, Kind::Ite, &[p, t, y]) } else { app(s, Kind::IntAbs, &[t]) }
            });
            store.eq(choice, y).unwrap_or(p)
        }
        _ => {
            let sort = store.sorts.bitvec(32);
            let x = constant(&mut store, "x", sort);
            let y = constant(&mut store, "y", sort);
            let sum = tower(&mut store, x, |s, t, n| match n % 3 {
                0 => app(s, Kind::BvNot, &[t]),
                1 => app(s, Kind::BvAdd, &[t, y]),
                _ => app(s, Kind::BvXor, &[t, y]),
            });
            store.eq(sum, y).unwrap_or(p)
        }
    };
    let mut goal = Goal::new(Wants::ALL);
    goal.push(&store, rewrite::GoalFormula::new(formula, Origins::one(0)));
    (store, goal)
}

#[test]
fn deep_terms_never_overflow_the_stack() {
    for kind in ["connectives", "sums", "choices", "vectors"] {
        let (store, goal) = deep(kind);
        let settings = PassSettings {
            limits: PassLimits { rounds: 2, terms: 500_000, ..PassLimits::default() },
            ..PassSettings::default()
        };
        for pass in PASSES {
            let mut store = store.clone();
            let start = Instant::now();
            let outcome = pass.apply(&mut store, goal.clone(), &settings);
            println!("{} on {kind}: {} ms", pass.name, start.elapsed().as_millis());
            match outcome {
                Ok(_) | Err(PassError::TooLarge { .. } | PassError::NotApplicable(_)) => {}
                Err(error) => panic!("{} on {kind}: {error}", pass.name),
            }
        }
        for split in SPLITS {
            let mut store = store.clone();
            // A goal without a case to split fails.
            let outcome = split.apply(&mut store, goal.clone(), &settings);
            assert!(matches!(outcome, Ok(_) | Err(PassError::NotApplicable(_))), "{} on {kind}", split.name);
        }
    }
}

#[test]
fn limits_and_deadlines_fail_the_pass() {
    let (store, goal) = deep("connectives");
    let small = PassSettings { limits: PassLimits { terms: 1000, ..PassLimits::default() }, ..PassSettings::default() };
    let late =
        PassSettings { stop: Stop { deadline: Some(Instant::now()), cancelled: None }, ..PassSettings::default() };
    let Some(pass) = rewrite::passes::pass("nnf") else { panic!("nnf is in no registry") };
    let (mut first, mut second) = (store.clone(), store.clone());
    assert!(matches!(pass.apply(&mut first, goal.clone(), &small), Err(PassError::TooLarge { .. })));
    assert!(matches!(pass.apply(&mut second, goal, &late), Err(PassError::Interrupted)));
}

/// The conversion of each replaced term was a separate run of definitions, with its own evaluator: 50,000 took minutes.
#[test]
fn a_long_way_back_is_gone_in_one_run() {
    let mut store = Store::new();
    let x = constant(&mut store, "x", SortId::INT);
    let one = store.int(&1.into());
    let sum = tower(&mut store, x, |s, t, _| app(s, Kind::IntAdd, &[one, t]));
    let formula = store.eq(sum, one).unwrap_or(sum);
    let mut goal = Goal::new(Wants::MODELS);
    goal.push(&store, rewrite::GoalFormula::new(formula, Origins::none()));
    let Some(pass) = rewrite::passes::pass("elim-unconstrained") else { panic!("it is in no registry") };
    let step = match pass.apply(&mut store, goal, &PassSettings::default()) {
        Ok(step) => step,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(step.goal.len(), 0);
    let model = step
        .converter
        .convert(&mut store, semantics::Model::new(), &rewrite::Stop::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut evaluator = semantics::Evaluator::new(model, semantics::EvalLimits::default());
    assert_eq!(evaluator.eval(&store, formula).ok(), Some(semantics::Value::Bool(true)));
}
