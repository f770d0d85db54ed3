//! The pools and the use of models: values of constructed formulas, given models, trusted values.

use crate::support::{SCRIPTS, parent, read, with_batch};
use finding::Trust;
use mutate::mutator::GivenModel;
use mutate::storm::StormConfig;
use mutate::{Batch, Mutant, Parent, Unit};
use semantics::truth::witness::certify;
use semantics::{EvalLimits, Evaluator, Model, Value};
use smtlib::{Command, FuncId, Instance, Store};

const UNIT: Unit = Unit { campaign: 2, number: 3 };

#[test]
fn constructed_formulas_have_the_value_the_evaluator_gives() {
    for script in SCRIPTS {
        let (store, instances) = read(script);
        with_batch(&store, &parent(&instances[0]), &StormConfig::default(), UNIT, |batch| {
            let witness = batch.witness(0).expect("there is a witness");
            let mut evaluator = Evaluator::new(witness, EvalLimits::default());
            let (all, initial) = batch.pools().sizes();
            assert!(all > initial && initial > 0);
            for position in 0..all {
                let fragment = batch.pools().fragment(position);
                assert!(fragment.certified);
                assert_eq!(evaluator.truth(batch.store(), fragment.term), Some(fragment.value));
            }
        });
    }
}

#[test]
fn both_values_occur() {
    for script in SCRIPTS {
        let (store, instances) = read(script);
        let mut seen = [false; 2];
        for number in 0..20 {
            with_batch(
                &store,
                &parent(&instances[0]),
                &StormConfig::default(),
                Unit { campaign: 1, number },
                |batch| {
                    let initial = batch.pools().sizes().1;
                    (0..initial).for_each(|n| seen[usize::from(batch.pools().fragment(n).value)] = true);
                },
            );
        }
        assert_eq!(seen, [true; 2], "{script}");
    }
}

#[test]
fn a_focus_keeps_few_fragments() {
    let text = std::iter::repeat_n("(declare-fun @ () Bool)(assert (not (not @)))", 60)
        .enumerate()
        .map(|(n, part)| part.replace('@', &format!("b{n}")))
        .collect::<String>();
    let (store, instances) = read(&(text + "(check-sat)"));
    for (focus, bounds) in [("100", 4..=24), ("0", 180..=180)] {
        let config = StormConfig::with(&[("focus", focus)]).expect("the settings are right");
        for number in 0..20 {
            with_batch(&store, &parent(&instances[0]), &config, Unit { campaign: 1, number }, |batch| {
                assert!(bounds.contains(&batch.pools().sizes().1));
            });
        }
    }
}

/// The function of this name.
fn func(store: &Store, instance: &Instance, name: &str) -> FuncId {
    let found = instance.declarations.iter().find_map(|c| match c {
        Command::DeclareFun(f) if store.name(store.func(*f).name) == name => Some(*f),
        _ => None,
    });
    found.expect("the name is declared")
}

fn integer(model: &mut Model, store: &Store, f: FuncId, n: i64) {
    model.assign(store, f, Value::Int(n.into())).expect("the symbol is an integer");
}

/// The texts of some mutants, and whether all were certified.
fn mutants(batch: &mut dyn Batch, count: u64) -> (Vec<String>, bool) {
    let (mut texts, mut certified) = (Vec::new(), true);
    let mut mutant = Mutant::default();
    for index in 0..count {
        batch.mutant(index, &mut mutant);
        certified &= mutant.truth == Some(Trust::Certified);
        texts.push(mutant.text.clone());
    }
    (texts, certified)
}

#[test]
fn a_given_model_is_used_and_completed() {
    let (store, instances) = read(SCRIPTS[0]);
    let mut model = Model::new();
    integer(&mut model, &store, func(&store, &instances[0], "x"), 12345);
    let given = Parent { instance: instances[0].clone(), given: GivenModel::Assignment(model.into()) };
    let config = StormConfig::with(&[("assignment", "model")]).expect("the settings are right");
    let used = with_batch(&store, &given, &config, UNIT, |batch| {
        let witness = batch.witness(0).expect("there is a witness");
        let x = func(&store, &instances[0], "x");
        let y = func(&store, &instances[0], "y");
        assert!(matches!(
            witness.interpretation(x),
            Some(semantics::Interpretation::Value(Value::Int(n))) if *n == 12345.into()
        ));
        assert!(witness.interpretation(y).is_some() && witness.completed() == [y]);
    });
    assert!(used);
}

/// Seeds that hardly any random assignment satisfies.
const SEARCHED: [&str; 3] = [
    "(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 32))(assert (= (bvmul x y) #x0000beef))
     (assert (bvult x y))(assert (distinct x #x00000001))(check-sat)",
    "(declare-const x Float32)(declare-const y Float32)(assert (fp.eq (fp.mul RNE x x) (fp.add RNE y y)))
     (assert (fp.lt x y))(assert (not (fp.isZero x)))(assert (= y ((_ to_fp 8 24) RNE 2.0)))(check-sat)",
    "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const i (_ BitVec 8))(declare-fun f ((_ BitVec 8)) Bool)
     (assert (= (select a i) (bvadd i #x25)))(assert (f (select a (bvnot i))))(assert (not (f #x00)))(check-sat)",
];

#[test]
fn a_searched_assignment_satisfies_the_seed() {
    for script in SEARCHED {
        let (store, instances) = read(script);
        let config = StormConfig::with(&[("assignment", "search")]).expect("the settings are right");
        let mut satisfied = 0;
        for number in 0..10 {
            with_batch(&store, &parent(&instances[0]), &config, Unit { campaign: 1, number }, |batch| {
                let witness = batch.witness(0).expect("there is a witness");
                let mut evaluator = Evaluator::new(witness, EvalLimits::default());
                let all = instances[0].assertions.iter().all(|&t| evaluator.truth(batch.store(), t) == Some(true));
                satisfied += usize::from(all);
                assert!(mutants(batch, 10).1, "every mutant is certified");
            });
        }
        assert!(satisfied >= 8, "{satisfied} of 10: {script}");
    }
}

const QUANTIFIED: &str = "(declare-fun f (Int) Int) (declare-fun a () Int) (declare-fun b () Int)
    (assert (and (forall ((x Int)) (> (+ (f x) (abs x)) a)) (> a 3)))
    (assert (not (or (exists ((x Int)) (= (+ (f x) (abs x)) b)) (< b 0))))
    (check-sat)";

/// A model of QUANTIFIED: a = 4, f = 9 everywhere, b = `b`; f is left out on request.
fn quantified(b: i64, with_f: bool) -> (Store, Parent) {
    let (store, instances) = read(QUANTIFIED);
    let mut model = Model::new();
    integer(&mut model, &store, func(&store, &instances[0], "a"), 4);
    integer(&mut model, &store, func(&store, &instances[0], "b"), b);
    if with_f {
        let f = func(&store, &instances[0], "f");
        let table = semantics::FunctionTable::new(Some(Value::Int(9.into())));
        model.assign_table(&store, f, table).expect("the table fits");
    }
    let instance = instances[0].clone();
    (store, Parent { instance, given: GivenModel::Trusted(model.into(), "model of a reference solver".into()) })
}

#[test]
fn trusted_values_are_marked() {
    let config = StormConfig::with(&[("assignment", "model")]).expect("the settings are right");
    let (store, parent) = quantified(5, true);
    let used = with_batch(&store, &parent, &config, UNIT, |batch| {
        let (texts, certified) = mutants(batch, 200);
        assert!(!certified);
        assert!(texts.iter().any(|t| t.contains("(forall")));
        let mut mutant = Mutant::default();
        for index in 0..200 {
            batch.mutant(index, &mut mutant);
            // A mutant that holds no quantifier needs nobody's word.
            if !mutant.text.contains("(forall") && !mutant.text.contains("(exists") {
                assert_eq!(mutant.truth, Some(Trust::Certified), "{}", mutant.text);
            }
        }
    });
    assert!(used);
}

#[test]
fn trust_needs_every_symbol_and_no_refutation() {
    let config = StormConfig::with(&[("assignment", "model")]).expect("the settings are right");
    // b < 0 makes the second assertion false, and a missing f leaves its quantifiers unfixed.
    for (b, with_f) in [(-1, true), (5, false)] {
        let (store, parent) = quantified(b, with_f);
        let used = with_batch(&store, &parent, &config, UNIT, |batch| {
            let (texts, certified) = mutants(batch, 100);
            assert!(certified);
            let witness = batch.witness(0).expect("there is a witness");
            for text in texts {
                let checks = text.matches("(check-sat)").count();
                certify(batch.store(), &witness, &text, checks).expect("nothing rests on anybody's word");
            }
        });
        assert!(used);
    }
}

#[test]
fn the_model_query_asks_for_the_instance() {
    use mutate::assignment::{Query, write_query};
    let (mut store, instances) = read(SCRIPTS[3]);
    let target = mutate::TargetSpelling::default();
    for (query, asserts) in [(Query::Assertions, 3), (Query::Negation, 1)] {
        let mut text = String::new();
        write_query(&mut store, &instances[2], query, &target, &mut text);
        assert_eq!(text.matches("(assert ").count(), asserts, "{text}");
        assert!(text.starts_with("(set-option :produce-models true)\n"), "{text}");
        assert!(text.ends_with("(check-sat)\n(get-model)\n"), "{text}");
        let parsed = smtlib::parse(&mut Store::new(), &text);
        assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    }
}
