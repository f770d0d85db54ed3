//! Rephrased scripts: every check asks the same, and fixed parts stay unchanged.

use crate::support::exhaustion::decided;
use finding::Trust;
use mutate::finite::FiniteMutator;
use mutate::finite::theme::THEMES;
use mutate::reworded::{RenamedSymbols, RewordedBatch, RewordingOptions, RewordingRules, Wording, reword};
use mutate::{Batch, Mutant, RandomStream, TargetSpelling, Unit, small_world};
use semantics::Stop;
use semantics::truth::witness::certify;
use semantics::truth::{ExhaustLimits, Search, TruthQuery, of_instance};
use smtlib::{Dialect, Instance, Status, Store};
use std::collections::BTreeMap;

/// The truths of the checks of a script, by exhaustion.
fn truths(text: &str) -> Vec<Option<Status>> {
    let mut store = Store::new();
    let parsed = smtlib::parse(&mut store, text);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    let query = TruthQuery { limits: &ExhaustLimits::default(), stop: &Stop::default(), search: Search::Quick };
    let truth = |instance: &Instance| match instance.rules {
        Some(_) => of_instance(&mut store, instance, query).ok().map(|truth| small_world::expected(&truth)),
        None => decided(&mut store, instance),
    };
    parsed.script.instances().iter().map(truth).collect()
}

/// What a script without witness must keep to.
fn rules(dialect: &Dialect, takes_commands: bool) -> RewordingRules<'_> {
    RewordingRules { dialect, takes_commands, takes_errors: false, renamed: RenamedSymbols::All }
}

#[test]
fn problems_in_other_words_have_the_same_truths() {
    let (target, mut counts, mut mutant) =
        (TargetSpelling::default(), BTreeMap::<String, u64>::new(), Mutant::default());
    let number = testing::amount("SQUALL_PROBLEMS", 7);
    for theme in THEMES.iter() {
        let finite = FiniteMutator { themes: vec![theme], mutants: 25, ..FiniteMutator::default() };
        for number in 0..number {
            let unit = Unit { campaign: 3, number };
            let mut store = Store::new();
            let inner = Box::new(finite.batch(&mut store, &target, unit));
            let options = RewordingOptions {
                percent: 100,
                dialect: &target.dialect,
                takes_commands: true,
                takes_errors: true,
                unit,
            };
            let mut batch = RewordedBatch::new(inner, options);
            for index in 0..5 {
                batch.mutant(index, &mut mutant);
                if mutant.expected.is_empty() {
                    continue;
                }
                for (truth, expected) in truths(&mutant.text).into_iter().zip(&mutant.expected) {
                    assert!(truth.is_none_or(|truth| truth == *expected), "{}: {index}\n{}", theme.name, mutant.text);
                }
                let parameters = batch.parameters(index);
                let wording =
                    parameters.iter().find(|(name, _)| *name == "reworded").map(|(_, wording)| wording.clone());
                *counts.entry(wording.unwrap_or("none".into())).or_default() += 1;
            }
        }
    }
    println!("{counts:?}");
    assert!(Wording::ALL.iter().all(|wording| counts.contains_key(&wording.to_string())), "{counts:?}");
}

#[test]
fn witnesses_of_sessions_stay_witnesses() {
    let text = "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(declare-const b Bool)\
                (define-fun f ((n Int)) Bool (< n (* 2 y)))(assert (=> b (f x)))(assert (or (= x 3) (> (+ x y) 7) b))(check-sat)";
    let (target, mut mutant) = (TargetSpelling::default(), Mutant::default());
    let mut counts = BTreeMap::<String, u64>::new();
    for name in ["storm", "operator", "equal"] {
        let mutator = (mutate::mutators::find(name).expect("a mutator").build)(&[]).expect("its defaults");
        let (mut store, parents) = crate::support::parents(&[text]);
        let unit = Unit { campaign: 1, number: 2 };
        let request = mutate::MutantRequest { parents: &parents, target: &target, unit };
        let inner = mutator.prepare(&mut store, request).expect("mutants");
        let options =
            RewordingOptions { percent: 100, dialect: &target.dialect, takes_commands: true, takes_errors: true, unit };
        let mut batch = RewordedBatch::new(inner, options);
        for index in 0..200 {
            batch.mutant(index, &mut mutant);
            let parameters = batch.parameters(index);
            let wording =
                parameters.iter().find(|(name, _)| *name == "reworded").map_or("none", |(_, wording)| wording);
            *counts.entry(wording.to_string()).or_default() += 1;
            let mode = parameters.iter().find(|(name, _)| *name == "mode").map_or("plain", |(_, mode)| mode);
            assert!(mode != "plain" || !mutant.text.contains("(push ") && !mutant.text.contains("-assuming"), "{mode}");
            if let (Some(Trust::Certified), Some(witness)) = (&mutant.truth, batch.witness(index)) {
                let certified = certify(batch.store(), &witness, &mutant.text, mutant.expected.len());
                assert!(certified.is_ok(), "{name} {index}: {:?}\n{}", certified.err(), mutant.text);
            }
        }
    }
    assert!(Wording::ALL.iter().all(|wording| counts.contains_key(&wording.to_string())), "{counts:?}");
}

#[test]
fn each_way_is_written() {
    let mut seen = BTreeMap::new();
    let text = "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n(push 1)\n(assert (< (+ x 1) y))\n(assert (> x 4))\n\
                (check-sat)\n(pop 1)\n(assert (= (+ x 1) y))\n(check-sat)\n";
    for seed in 0..60 {
        let mut rng = RandomStream::from_seed(seed);
        let (text, wording) = reword(text, rules(&Dialect::default(), true), &mut rng).expect("another text");
        seen.entry(wording.to_string()).or_insert(text);
    }
    insta::assert_snapshot!(seen.into_iter().map(|(wording, text)| format!("; {wording}\n{text}")).collect::<String>());
}

#[test]
fn what_must_not_change_stays_as_it_is() {
    let check = |text: &str, takes_commands: bool, expect: &[Wording]| {
        let mut seen = Vec::new();
        for seed in 0..80 {
            let mut rng = RandomStream::from_seed(seed);
            let wording =
                reword(text, rules(&Dialect::default(), takes_commands), &mut rng).map(|(_, wording)| wording);
            seen.extend(wording.filter(|wording| !seen.contains(wording)));
        }
        seen.sort_by_key(|wording| wording.to_string());
        assert_eq!(seen, expect, "{text}");
    };
    use Wording::{Define, Fresh, Lets, Levels, Named, Names, Order, Scopes};
    check("(declare-const p Bool)(check-sat)", true, &[Names]);
    check("(declare-const p Bool)(assert p)(reset)(check-sat)", true, &[]);
    check("(declare-const p Bool)(assert p)(check-sat)(get-model)", true, &[]);
    check("(set-option :global-declarations true)(declare-const p Bool)(assert (not p))(check-sat)", true, &[]);
    check("(declare-const p Bool)(assert (not p)(check-sat)", true, &[]);
    // A tactic takes no assumptions, and its script no levels that stay open; what is not known to be taken is not sent.
    let tactic = "(declare-const p Bool)(assert (not p))(check-sat-using smt)";
    check(tactic, true, &[Define, Lets, Levels, Named, Names, Scopes]);
    check("(check-sat)(check-sat)", true, &[Fresh]);
    check("(check-sat)(check-sat)", false, &[]);
    check(
        "(declare-const p Bool)(declare-const q Bool)(assert (not p))(assert (or p q))(check-sat)",
        false,
        &[Lets, Names, Order, Scopes],
    );
    let large = format!("(declare-const p Bool)(assert (and {}))(check-sat)", "(not p) ".repeat(10_000));
    check(&large, true, &[]);
}

/// A variable of the name of a sort was renamed together with it, so that no witness held any more, and right findings were dropped.
#[test]
fn a_variable_with_the_name_of_a_sort_keeps_it() {
    let text = "(declare-sort U 0)\n(declare-fun f (U) Bool)\n(assert (exists ((U U) (w U)) (and (f U) (f w))))\n(check-sat)\n";
    let dialect = Dialect::default();
    let rules = RewordingRules {
        dialect: &dialect,
        takes_commands: true,
        takes_errors: false,
        renamed: RenamedSymbols::Variables,
    };
    for seed in 0..60 {
        let mut rng = RandomStream::from_seed(seed);
        if let Some((text, wording)) = reword(text, rules, &mut rng)
            && wording != Wording::Scopes
        {
            assert!(text.contains("(declare-sort U 0)") && text.contains("(f U)"), "{text}");
        }
    }
}
