//! Generative mutation: its signatures, scopes, and the truth and text of its mutants.

use crate::support::{SCRIPTS, own_seeds, parent, read, try_read};
use finding::Trust;
use mutate::edit::TruthMode;
use mutate::generative::{Generative, signature};
use mutate::{Batch, Mutant, MutantRequest, TargetSpelling, Unit};
use semantics::truth::witness::certify;
use smtlib::Store;

#[test]
fn signature_files_are_read_line_by_line() {
    let check = |text: &str, expect: &[&str], problems: &[&str]| {
        let (signatures, found) = signature::read(text);
        let names: Vec<String> =
            signatures.iter().map(|s| format!("{}/{}", s.row.map_or("id", |r| r.name), s.arity)).collect();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            (names, found),
            (expect.iter().map(|s| s.to_string()).collect(), problems.iter().map(|s| s.to_string()).collect()),
            "{text}"
        );
    };
    check("(par (A) (id A A))", &["id/1"], &[]);
    check("; a comment\n\n(- Int Int)   ; negation", &["-/1", "-/1"], &[]);
    check("(and Bool Bool Bool :left-assoc)", &["and/2"], &[]);
    check("(re.none RegLan)", &["re.none/0"], &[]);
    check("(par (A) (ite Bool A A A))", &["ite/3"], &[]);
    check("(bvadd (_ BitVec 8) (_ BitVec 8) (_ BitVec 8))", &["bvadd/2"], &[]);
    check("(not Bool Bool)\n(foo Int Int)", &["not/1"], &["line 2: `foo` is not an operator of a standard theory"]);
    check("(not Bool Bool Bool)", &[], &["line 1: `not` does not take 2 arguments"]);
    check("(not Bool", &[], &["line 1: parentheses or quotes do not match"]);
    check("(not)", &[], &["line 1: `not` has no result sort"]);
    check("not Bool", &[], &["line 1: expected one `( … )`"]);
}

fn mutants(generative: &Generative, script: &str, count: u64, mut body: impl FnMut(&mut dyn Batch, u64, &Mutant)) {
    let Some((store, instances)) = try_read(script) else { return };
    for (n, instance) in instances.iter().enumerate() {
        let mut store = store.clone();
        let (parents, target) = ([parent(instance)], TargetSpelling::default());
        let unit = Unit { campaign: 5, number: n as u64 };
        let Ok(mut batch) = generative.batch(&mut store, MutantRequest { parents: &parents, target: &target, unit })
        else {
            continue;
        };
        let mut mutant = Mutant::default();
        for index in 0..count {
            batch.mutant(index, &mut mutant);
            body(&mut batch, index, &mutant);
        }
    }
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
    let mut generative = Generative::default();
    generative.config.changes = mutate::parameter::Span { low: 1, high: 5 };
    for script in SCRIPTS {
        mutants(&generative, script, 80, certified);
    }
    // The name of a selector of tuples was once printed in bars.
    let tuples = "(declare-fun t () (Tuple Int Bool))(assert (and ((_ tuple.select 1) t) (> ((_ tuple.select 0) t) 1)))(check-sat)";
    mutants(&generative, tuples, 80, certified);
    for path in own_seeds() {
        let text = std::fs::read_to_string(&path).expect("the seed is readable");
        mutants(&generative, &text, 10, certified);
    }
}

#[test]
fn differential_mutants_read_back() {
    let mut generative = Generative::default();
    generative.config.truth = TruthMode::Differential;
    generative.config.consecutive = 5;
    for script in SCRIPTS {
        mutants(&generative, script, 40, |_, _, mutant| {
            let parsed = smtlib::parse(&mut Store::new(), &mutant.text);
            assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, mutant.text);
        });
    }
}

/// Under a binder its variables may be used, outside of it they may not: the reader would not know them.
#[test]
fn variables_stay_in_scope() {
    let script = "(declare-fun x () Int)
        (assert (forall ((v Int)) (=> (> v x) (exists ((w Int)) (and (> w v) (< (+ w v) x))))))
        (assert (exists ((v Bool)) (= v (> x 3))))
        (assert (> x 3)) (check-sat)";
    let mut generative = Generative::default();
    generative.config.truth = TruthMode::Differential;
    let (mut inside, mut outside) = (0, 0);
    mutants(&generative, script, 300, |_, _, mutant| {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &mutant.text);
        assert!(parsed.errors.is_empty(), "{:?}\n{}", parsed.errors, mutant.text);
        inside += mutant.text.matches("(exists ((w Int))").count();
        outside += 1;
    });
    assert!(inside >= outside / 4, "{inside} of {outside}");
}

#[test]
fn a_signature_file_limits_what_is_made() {
    let mut generative = Generative::default();
    generative.signatures.data = signature::read("(abs Int Int)").0;
    generative.config.truth = TruthMode::Differential;
    let script = "(declare-const x Int)(declare-const y Int)(assert (< (+ x y) 7))(check-sat)";
    let mut seen = 0;
    mutants(&generative, script, 40, |_, _, mutant| {
        seen += mutant.text.matches("(abs ").count();
        for other in ["(* ", "(div ", "(ite ", "(and "] {
            assert!(!mutant.text.contains(other), "{}", mutant.text);
        }
    });
    assert!(seen >= 40, "{seen}");
}

#[test]
fn a_mutant_depends_on_its_index_only() {
    for consecutive in [1, 3] {
        let mut generative = Generative::default();
        generative.config.consecutive = consecutive;
        for script in SCRIPTS {
            let (store, instances) = read(script);
            let mut forward = Vec::new();
            mutants(&generative, script, 9, |_, _, mutant| forward.push(mutant.clone()));
            let (parents, target) = ([parent(&instances[0])], TargetSpelling::default());
            for index in (0..9u64).rev() {
                let mut store = store.clone();
                let request =
                    MutantRequest { parents: &parents, target: &target, unit: Unit { campaign: 5, number: 0 } };
                let mut batch = generative.batch(&mut store, request).expect("the script is fit");
                let mut mutant = Mutant::default();
                batch.mutant(index, &mut mutant);
                assert_eq!(mutant, forward[index as usize], "mutant {index} of {script}");
            }
        }
    }
}
