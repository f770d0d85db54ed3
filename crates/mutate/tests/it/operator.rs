//! Operator mutation: its table, and the truth and text of its mutants.

use crate::support::{SCRIPTS, own_seeds, parent, read, try_read};
use finding::Trust;
use mutate::edit::TruthMode;
use mutate::operator::{DEFAULT, OperatorMutator, OperatorTable, TABLE};
use mutate::{Batch, Mutant, MutantRequest, TargetSpelling, Unfit, Unit};
use semantics::truth::witness::certify;
use smtlib::Store;

/// The operators that may stand for that of the first assertion, as `table` says.
fn replacements(table: &str, script: &str) -> Vec<String> {
    let (table, problems) = OperatorTable::read(table);
    assert_eq!(problems, []);
    let (mut store, instances) = read(script);
    let mut ops = Vec::new();
    table.replacements(&mut store, instances[0].assertions[0], &mut ops);
    ops.iter().map(|op| format!("{:?}", op.kind)).collect()
}

#[test]
fn replacements_keep_sorts_arity_and_indices() {
    let check = |table: &str, script: &str, expect: &[&str]| {
        let script = format!("{script}(check-sat)");
        assert_eq!(replacements(table, &script), expect, "{table} on {script}");
    };
    let bools = "(declare-const a Bool)(declare-const b Bool)(declare-const i Int)(declare-const r Real)";
    let script = |t: &str| format!("{bools}(assert {t})");
    check("and,or,=>", &script("(and a b)"), &["Or", "Implies"]);
    check("and,or,=> :arity 3+", &script("(and a b)"), &[]);
    check("and,or,=> :arity 2-", &script("(and a b)"), &["Or", "Implies"]);
    check("and,or :arity 2", &script("(and a b a)"), &[]);
    check("not -> and,or", &script("(not a)"), &[]);
    check("<,<=", &script("(< i 3)"), &["IntLe"]);
    check("<,<=", &script("(< r 3.0)"), &["RealLe"]);
    check("< -> >", &script("(< i 3)"), &["IntGt"]);
    check("< -> >", &script("(> i 3)"), &[]);
    check("=,distinct ; comment", &script("(= i 3)"), &["Distinct"]);
    check("=,str.<", &script("(= i 3)"), &[]);
    check("exists,forall", &script("(forall ((z Int)) (< z i))"), &["Exists"]);
}

#[test]
#[should_panic(expected = "is not an operator")]
fn unknown_names_are_reported() {
    replacements("=,foo", "(assert true)(check-sat)");
}

#[test]
fn problems_say_where_and_why() {
    let check = |text: &str, expect: &[&str]| {
        let problems: Vec<String> = OperatorTable::read(text).1.iter().map(ToString::to_string).collect();
        assert_eq!(problems, expect, "{text}");
    };
    check(
        "=,distinct\n\n; nothing here\nunion,foo,bvadd",
        &[
            "line 4: `union` is not an operator of a standard theory",
            "line 4: `foo` is not an operator of a standard theory",
        ],
    );
    check("+,- :arity two", &["line 1: `+,- :arity two`: the arity must be N, N+ or N-"]);
    check("+,,-", &["line 1: a name is missing between commas"]);
    assert_eq!(OperatorTable::read(DEFAULT).1, []);
    let missing = TABLE.load_into(&mut TABLE.built_in(), "/nonexistent/table").expect_err("no such file");
    assert!(missing.0.as_ref().is_some_and(|part| part.contains("/nonexistent/table")), "{missing:?}");
}

/// Makes mutants of one script and hands each over with the batch's store and witness.
fn mutants(
    operator: &OperatorMutator,
    script: &str,
    count: u64,
    mut body: impl FnMut(&mut dyn Batch, u64, &Mutant),
) -> bool {
    let Some((store, instances)) = try_read(script) else { return false };
    let mut any = false;
    for (n, instance) in instances.iter().enumerate() {
        let mut store = store.clone();
        let (parents, target) = ([parent(instance)], TargetSpelling::default());
        let unit = Unit { campaign: 5, number: n as u64 };
        let Ok(mut batch) = operator.batch(&mut store, MutantRequest { parents: &parents, target: &target, unit })
        else {
            continue;
        };
        any = true;
        let mut mutant = Mutant::default();
        for index in 0..count {
            batch.mutant(index, &mut mutant);
            body(&mut batch, index, &mutant);
        }
    }
    any
}

fn certified(batch: &mut dyn Batch, index: u64, mutant: &Mutant) {
    assert_eq!(mutant.truth, Some(Trust::Certified));
    let model = batch.witness(index).expect("a certified mutant has a witness");
    if let Err(error) = certify(batch.store(), &model, &mutant.text, mutant.expected.len()) {
        panic!("{error}\n{}", mutant.text);
    }
}

#[test]
fn certified_mutants_are_true_under_their_witness() {
    for script in SCRIPTS {
        assert!(mutants(&OperatorMutator::default(), script, 60, certified), "{script}");
    }
    for path in own_seeds() {
        let text = std::fs::read_to_string(&path).expect("the seed is readable");
        mutants(&OperatorMutator::default(), &text, 10, certified);
    }
}

#[test]
fn differential_mutants_keep_their_assertions_and_read_back() {
    let mut operator = OperatorMutator::default();
    operator.config.truth = TruthMode::Differential;
    for script in SCRIPTS {
        mutants(&operator, script, 30, |batch, index, mutant| {
            assert_eq!((&mutant.truth, batch.witness(index).is_none()), (&None, true));
            let parsed = smtlib::parse(&mut Store::new(), &mutant.text);
            assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, mutant.text);
        });
    }
}

#[test]
fn most_mutants_differ_from_each_other() {
    for script in SCRIPTS {
        let mut texts = std::collections::BTreeSet::new();
        mutants(&OperatorMutator::default(), script, 50, |_, _, mutant| {
            texts.insert(mutant.text.clone());
        });
        assert!(texts.len() >= 15, "{} different mutants of {script}", texts.len());
    }
}

#[test]
fn a_mutant_depends_on_its_index_only() {
    for consecutive in [1, 4] {
        let mut operator = OperatorMutator::default();
        operator.config.consecutive = consecutive;
        for script in SCRIPTS {
            let mut forward = Vec::new();
            mutants(&operator, script, 12, |_, _, mutant| forward.push(mutant.clone()));
            let (store, instances) = read(script);
            let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
            let unit = Unit { campaign: 5, number: 0 };
            for index in (0..12u64).rev() {
                let mut store = store.clone();
                let request = MutantRequest { parents: &parents, target: &target, unit };
                let mut batch = operator.batch(&mut store, request).expect("the script is fit");
                let mut mutant = Mutant::default();
                batch.mutant(index, &mut mutant);
                assert_eq!(mutant, forward[index as usize], "mutant {index} of {script}");
            }
        }
    }
}

#[test]
fn an_assertion_that_is_a_name_is_mutated_in_what_it_stands_for() {
    let check = |script: &str, expect: &[&str]| {
        let mut seen = std::collections::BTreeSet::new();
        mutants(&OperatorMutator::default(), script, 40, |batch, index, mutant| {
            certified(batch, index, mutant);
            seen.extend(mutant.text.lines().filter(|l| l.starts_with("(assert")).map(str::to_string));
        });
        for line in expect {
            assert!(seen.contains(*line), "{script} gives {seen:?}, not {line}");
        }
        assert_eq!(seen.is_empty(), expect.is_empty(), "{script}");
    };
    let names =
        "(declare-const x Int)(define-fun a () Int (+ x 1))(define-fun b () Bool (< a a))(define-fun c () Bool b)";
    check(&format!("{names}(assert c)(check-sat)"), &["(assert (not (let (($e1 (- x 1))) (> $e1 $e1))))"]);
    // A name within an assertion stays one, and so does that of a function with parameters.
    check(&format!("{names}(assert (not b))(check-sat)"), &[]);
    check("(define-fun f ((x Bool)) Bool (and x x))(declare-const p Bool)(assert (f p))(check-sat)", &[]);
}

#[test]
fn seeds_without_a_replaceable_operator_are_unfit() {
    let (mut store, instances) = read("(declare-const p Bool)(assert p)(check-sat)");
    let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
    let request = MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 0, number: 0 } };
    let error = OperatorMutator::default().batch(&mut store, request).err();
    assert!(matches!(error, Some(Unfit::Nothing(_))), "{error:?}");
}
