//! Small problems: reproducible, well-formed, of every operator of their field.

use mutate::problems::fields::{FIELDS, TheoryField};
use mutate::problems::{SymbolRole, problem};
use rustc_hash::FxHashSet;
use smtlib::signature::OperatorOrigin;
use smtlib::theories::THEORIES;
use smtlib::{Kind, Store};

fn text(field: &TheoryField, seed: u64, number: u64) -> String {
    let made = problem(field, seed, number).unwrap_or_else(|e| panic!("{e}"));
    made.store.script_text(&made.script)
}

#[test]
fn every_problem_is_read_back_and_follows_from_its_number() {
    for field in FIELDS {
        let mut different = FxHashSet::default();
        for number in 0..200 {
            let script = text(field, 1, number);
            assert_eq!(script, text(field, 1, number), "{} {number}", field.name);
            let mut store = Store::new();
            let parsed = smtlib::parse(&mut store, &script);
            assert!(parsed.errors.is_empty(), "{:?} in {script}", parsed.errors);
            let instances = parsed.script.instances();
            assert!(
                instances.len() == 1 && !instances[0].incomplete && !instances[0].assertions.is_empty(),
                "{script}"
            );
            different.insert(script);
        }
        assert!(different.len() > 190, "{} has {} different problems of 200", field.name, different.len());
        assert_ne!(text(field, 1, 7), text(field, 2, 7));
    }
}

/// Nothing is listed by hand: what the tables hold occurs.
#[test]
fn every_operator_of_a_field_occurs() {
    for field in FIELDS {
        let mut seen: FxHashSet<Kind> = FxHashSet::default();
        let mut shapes: Vec<SymbolRole> = Vec::new();
        for number in 0..3000 {
            let made = problem(field, 3, number).unwrap_or_else(|e| panic!("{e}"));
            let mut stack = made.script.instances()[0].assertions.clone();
            while let Some(t) = stack.pop() {
                seen.insert(made.store.kind(t));
                stack.extend_from_slice(made.store.args(t));
            }
            if !shapes.contains(&made.shape) {
                shapes.push(made.shape);
            }
        }
        assert_eq!(shapes.len(), 4, "{}", field.name);
        let theories = THEORIES.iter().filter(|t| t.name == "Core" || field.theories.contains(&t.name));
        for row in theories.flat_map(|t| t.rows).filter(|row| row.origin != OperatorOrigin::Extension) {
            // Mixtures have variants of some of their theories each.
            let expected = field.name != "Mixed" && possible(field, row.kind);
            assert!(!expected || seen.contains(&row.kind), "{}: {} ({:?})", field.name, row.name, row.kind);
        }
    }
}

/// Whether the variants of a field have the sorts that an operator takes and gives.
fn possible(field: &TheoryField, kind: Kind) -> bool {
    use Kind::*;
    let has = |part: &str| field.variants.iter().any(|v| v.sorts.iter().any(|s| s.contains(part)));
    match kind {
        UbvToInt | SbvToInt | IntToBv => has("Int") && has("BitVec"),
        Fp | FpFromBits | FpFromSbv | FpFromUbv | FpToUbv | FpToSbv => has("BitVec"),
        FpFromReal | FpToReal => has("Real"),
        _ => true,
    }
}
