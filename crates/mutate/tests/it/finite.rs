//! Problems of the mutator `finite`: read afresh and decided by the plain evaluator alone, they have the answers they claim.
//!
//! `SQUALL_PROBLEMS=50000 cargo test --release -p mutate --test it finite:: -- --nocapture` does so with that many a theme, and
//! `SQUALL_THEMES=fp,bv` before it with these themes alone.

use mutate::finite::theme::{self, THEMES, Theme};
use mutate::finite::{FiniteBatch, FiniteMutator};
use mutate::reworded::{RenamedSymbols, RewordingRules, Wording, reword};
use mutate::{Batch, Mutant, TargetSpelling, Unit, small_world};
use semantics::Stop;
use semantics::truth::{CheckTruth, ExhaustLimits, OpenTruth, Search, TruthQuery, of_formulas, of_instance};
use smtlib::{Dialect, Kind, Sort, SortId, Status, Store, TermId};
use std::collections::BTreeSet;
use std::ops::Range;

fn problems(theme: &'static Theme, count: u64, look: impl FnMut(&mut FiniteBatch<'_>, u64, &Mutant)) {
    problems_of(theme, 0..count.div_ceil(25), look);
}

fn problems_of(theme: &'static Theme, units: Range<u64>, mut look: impl FnMut(&mut FiniteBatch<'_>, u64, &Mutant)) {
    let (finite, target) =
        (FiniteMutator { themes: vec![theme], mutants: 25, ..FiniteMutator::default() }, TargetSpelling::default());
    let mut mutant = Mutant::default();
    for number in units {
        let mut batch = finite.batch(&mut Store::new(), &target, Unit { campaign: 1, number });
        for index in 0..25 {
            batch.mutant(index, &mut mutant);
            look(&mut batch, index, &mutant);
        }
    }
}

fn count() -> u64 {
    testing::amount("SQUALL_PROBLEMS", 25)
}

#[test]
fn the_plain_evaluator_finds_the_same_truth_in_the_text() {
    let named = std::env::var("SQUALL_THEMES").unwrap_or_default();
    let is_named = |theme: &&Theme| named.is_empty() || named.split(',').any(|name| name == theme.name);
    for theme in THEMES.iter().filter(is_named) {
        let (mut counts, mut none, mut undecided) = ([0u64; 2], 0u64, 0u64);
        problems(theme, count(), |batch, index, mutant| {
            if mutant.expected.is_empty() {
                none += 1;
                return;
            }
            let mut store = Store::new();
            let parsed = smtlib::parse(&mut store, &mutant.text);
            assert!(parsed.errors.is_empty(), "{}: {:?}\n{}", theme.name, parsed.errors, mutant.text);
            let instances = parsed.script.instances();
            assert_eq!(instances.len(), mutant.expected.len(), "{}", mutant.text);
            for (instance, expected) in instances.iter().zip(&mutant.expected) {
                // More than for making: the quick search decides a few that would be too much for the plain one.
                let limits = ExhaustLimits { evaluations: 1 << 16, steps: 1 << 24, ..ExhaustLimits::default() };
                let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded };
                // A fact is derived exactly if no relations satisfy the rules without it.
                let refuted = instance.rules.as_ref().and_then(|rules| {
                    let goal = *instance.assertions.first()?;
                    Some([rules, &[store.not(goal)][..]].concat())
                });
                let truth = match of_formulas(&mut store, refuted.as_ref().unwrap_or(&instance.assertions), query) {
                    Ok(truth) => match small_world::expected(&truth) {
                        Status::Unsat if refuted.is_some() => Status::Sat,
                        Status::Sat if refuted.is_some() => Status::Unsat,
                        status => status,
                    },
                    // A guard with a binder in it confines nothing that exhaustion sees.
                    Err(OpenTruth::NotFinite(_)) if theme.name == "scopes" => {
                        undecided += 1;
                        continue;
                    }
                    // Where some symbols are free, the planted solution is the truth.
                    Err(OpenTruth::NotFinite(_)) if theme.is_planted() => {
                        match of_instance(&mut store, instance, query) {
                            Ok(CheckTruth::Unsat(refutation)) if refutation.identity.is_some() => Status::Unsat,
                            _ => continue,
                        }
                    }
                    Err(OpenTruth::Unresolved { .. }) => {
                        undecided += 1;
                        continue;
                    }
                    Err(refusal) => panic!("{refusal}\n{}", mutant.text),
                };
                assert_eq!(truth, *expected, "unit and index {index} of {}:\n{}", theme.name, mutant.text);
                counts[usize::from(truth == Status::Sat)] += 1;
            }
            let _ = batch;
        });
        println!(
            "{:12} {} unsat, {} sat, {undecided} by the quick search alone, {none} not made",
            theme.name, counts[0], counts[1]
        );
        let checks = counts[0] + counts[1];
        assert!(counts[0] * 5 > checks && counts[1] * 5 > checks, "{}: one answer is rare: {counts:?}", theme.name);
        assert!(none * 20 <= checks, "{}: {none} problems were not made", theme.name);
        // Functions of functions exceed the bounds of the plain search now and then.
        let few = match theme.name {
            "functions" => 400,
            "scopes" | "lambdas" => 1_000,
            _ => 10_000,
        };
        assert!(undecided * few <= checks, "{}: {undecided} were decided by the quick search alone", theme.name);
    }
}

/// Besides separate formulas, problems compare terms with the evaluator's values.
#[test]
fn problems_compare_terms_with_their_values() {
    let check = |theory: &str| {
        let theme = THEMES.iter().find(|theme| theme.name == theory).expect("a theory");
        let (mut folds, mut pinned, mut tables, mut valid) = (0, 0, 0, 0);
        problems(theme, 600, |_, _, mutant| {
            let last = mutant.text.lines().rev().find(|line| line.starts_with("(assert ")).unwrap_or_default();
            let is_folds = last.matches("(not (= ").count() >= 4 && mutant.expected == [Status::Unsat];
            folds += u32::from(is_folds);
            // Constants that equal literals were declared and asserted, and no term had them.
            pinned += u32::from(is_folds && ["x0", "x1", "x2"].iter().any(|name| last.contains(name)));
            tables += u32::from(last.starts_with("(assert (not (= ") && mutant.expected == [Status::Unsat]);
            valid += u32::from(last.contains("(forall ((q0 ") && mutant.expected == [Status::Sat]);
        });
        assert!(folds > 10 && pinned > 3, "{theory}: {folds} folds, {pinned} with constants");
        assert!(tables > 3 && valid > 3, "{theory}: {tables} tables, {valid} valid ones");
    };
    check("fp");
    check("bv");
    check("bv-int");
}

#[test]
fn every_line_of_the_list_is_a_theme() {
    let lines = include_str!("../../src/mutators/finite/themes.txt").lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, THEMES.iter().map(|theme| theme.name).collect::<Vec<_>>());
}

#[test]
fn a_problem_depends_on_its_unit_and_index_alone() {
    for theme in THEMES.iter() {
        let (finite, target) =
            (FiniteMutator { themes: vec![theme], mutants: 8, ..FiniteMutator::default() }, TargetSpelling::default());
        let unit = Unit { campaign: 3, number: 4 };
        let mut batch = finite.batch(&mut Store::new(), &target, unit);
        let mut all = vec![Mutant::default(); 8];
        all.iter_mut().enumerate().for_each(|(index, mutant)| batch.mutant(index as u64, mutant));
        let mut other = finite.batch(&mut Store::new(), &target, unit);
        for index in [5, 2, 7, 2, 0] {
            let mut mutant = Mutant::default();
            other.mutant(index, &mut mutant);
            assert_eq!(mutant, all[index as usize], "{}", theme.name);
        }
    }
}

/// Nothing is hand-listed: every operator of the standard theories, of sequences and of sets comes up.
#[test]
fn every_operator_of_the_standard_is_generated() {
    let mut seen: BTreeSet<u16> = BTreeSet::new();
    let standard = || smtlib::theories::rows().filter(|row| theme::is_generated(row));
    let missing = |seen: &BTreeSet<u16>| -> Vec<&str> {
        standard().filter(|row| !seen.contains(&(row.kind as u16))).map(|row| row.name).collect()
    };
    // At most 400 problems of each theme; most operators come up in the first 25.
    for unit in 0..16 {
        for theme in THEMES.iter() {
            problems_of(theme, unit..unit + 1, |batch, index, _| {
                let Some(problem) = batch.problem(index).cloned() else { return };
                let store = batch.store();
                let asserted = |command: &smtlib::Command| match command {
                    smtlib::Command::Assert(t, _) => Some(*t),
                    _ => None,
                };
                let mut open: Vec<_> = problem.commands.iter().filter_map(asserted).collect();
                while let Some(t) = open.pop() {
                    seen.insert(store.kind(t) as u16);
                    open.extend_from_slice(store.args(t));
                }
            });
        }
        if missing(&seen).is_empty() {
            break;
        }
    }
    assert!(missing(&seen).is_empty(), "never generated: {:?}", missing(&seen));
    assert!(seen.contains(&(Kind::Forall as u16)) && seen.contains(&(Kind::Select as u16)));
}

/// Four of five problems were errors to solvers of few logics, such as Yices and Bitwuzla.
#[test]
fn problems_stay_within_a_logic_of_the_solver() {
    let check = |logics: &[&str], themes: &[&str]| {
        let granted: Vec<u32> = logics.iter().map(|logic| smtlib::logic::granted(logic)).collect();
        let target = TargetSpelling { logics: granted.clone(), ..TargetSpelling::default() };
        let (finite, mut mutant) = (FiniteMutator::default(), Mutant::default());
        let (mut seen, mut made) = (BTreeSet::new(), 0);
        for number in 0..60 {
            let mut batch = finite.batch(&mut Store::new(), &target, Unit { campaign: 1, number });
            for index in 0..8 {
                batch.mutant(index, &mut mutant);
                let mut store = Store::new();
                let script = smtlib::parse(&mut store, &mutant.text).script;
                let needed = smtlib::logic::of_script(&store, &script);
                assert!(granted.iter().any(|granted| needed & !granted == 0), "{logics:?}: {}", mutant.text);
                made += usize::from(!mutant.text.is_empty());
            }
            seen.insert(batch.theory());
        }
        assert!(made > 400, "{logics:?}: only {made} of 480 were made");
        assert!(themes.iter().all(|theme| seen.contains(theme)), "{logics:?}: {seen:?}");
    };
    check(&["QF_BV"], &["bv"]);
    check(&["QF_FP", "BV", "LIA"], &["fp", "bv", "ints"]);
    check(&["QF_SLIA", "QF_AX"], &["strings", "string-int"]);
    check(&["QF_AUFBV", "QF_NRA", "UF"], &["arrays", "bv", "reals", "uf"]);
}

/// Shows every term of the problems of some units, 8 each, as it reads back, once for each place where it stands. Says how many were made.
fn each_term(
    finite: &FiniteMutator,
    target: &TargetSpelling,
    units: u64,
    mut see: impl FnMut(&Store, TermId),
) -> usize {
    let (mut mutant, mut made) = (Mutant::default(), 0);
    for number in 0..units {
        let mut batch = finite.batch(&mut Store::new(), target, Unit { campaign: 1, number });
        for index in 0..8 {
            batch.mutant(index, &mut mutant);
            let mut store = Store::new();
            let instances = smtlib::parse(&mut store, &mutant.text).script.instances();
            let mut open: Vec<TermId> = instances.iter().flat_map(|i| i.assertions.iter().copied()).collect();
            while let Some(t) = open.pop() {
                see(&store, t);
                open.extend_from_slice(store.args(t));
            }
            made += usize::from(!mutant.text.is_empty());
        }
    }
    made
}

/// Two of three checks of arrays were errors to cvc5, which has no constant arrays, and one of eight of strings: no solver compares
/// three at once.
#[test]
fn problems_have_no_operator_that_the_solver_lacks() {
    let check = |lacks: &[&str], binary_only: &[&str], themes: &[&str], has: fn(&Store, TermId) -> bool| {
        let names = |names: &[&str]| names.iter().map(|name| Box::from(*name)).collect::<Vec<_>>();
        let found = |target: TargetSpelling| {
            let themes = themes.iter().filter_map(|name| theme::find(name)).collect();
            let finite = FiniteMutator { themes, mutants: 8, ..FiniteMutator::default() };
            let mut found = 0;
            let made = each_term(&finite, &target, 30, |store, t| found += usize::from(has(store, t)));
            assert!(made > 200, "{themes:?} without {lacks:?}: only {made} of 240 were made", themes = finite.themes);
            found
        };
        assert!(
            found(TargetSpelling::default()) > 10,
            "{lacks:?} {binary_only:?} are there for a solver that has them"
        );
        let target =
            TargetSpelling { lacks: names(lacks), binary_only: names(binary_only), ..TargetSpelling::default() };
        assert_eq!(found(target), 0, "{lacks:?} {binary_only:?}");
    };
    check(&["const"], &[], &["arrays", "mixed"], |store, t| store.kind(t) == Kind::ConstArray);
    check(&["str.replace_all"], &[], &["strings"], |store, t| store.kind(t) == Kind::StrReplaceAll);
    check(&["seq.update"], &[], &["sequences"], |store, t| store.kind(t) == Kind::SeqUpdate);
    check(&["Seq"], &[], &["sequences", "bv"], |store, t| matches!(store.sorts.get(store.sort(t)), Sort::Seq(_)));
    check(&["bag.choose"], &[], &["bags"], |store, t| store.kind(t) == Kind::BagChoose);
    check(&["Bag"], &[], &["bags", "bv"], |store, t| matches!(store.sorts.get(store.sort(t)), Sort::Bag(_)));
    check(&["FiniteField"], &[], &["ff", "bv"], |store, t| store.sorts.field_order(store.sort(t)).is_some());
    check(&["ff.bitsum"], &[], &["ff"], |store, t| store.kind(t) == Kind::FfBitsum);
    check(&[], &["str.<", "str.<="], &["strings", "string-int"], |store, t| {
        matches!(store.kind(t), Kind::StrLt | Kind::StrLe) && store.args(t).len() > 2
    });
}

/// cvc5 has the sizes of sets over infinite sorts alone, and z3 before 5.0 has no finite sets.
#[test]
fn problems_of_sets_have_what_the_solver_takes_of_them() {
    let sizes = |target: TargetSpelling| {
        let themes = vec![theme::find("sets").expect("a theme"), theme::find("ints").expect("a theme")];
        let finite = FiniteMutator { themes, mutants: 8, ..FiniteMutator::default() };
        let mut sizes = [0; 3];
        each_term(&finite, &target, 60, |store, t| {
            sizes[2] += usize::from(matches!(store.sorts.get(store.sort(t)), Sort::Set(_)));
            let first = store.args(t).first().map_or(SortId::BOOL, |&a| store.sort(a));
            let Sort::Set(element) = *store.sorts.get(first) else { return };
            let is_infinite = element == SortId::INT || element == SortId::STRING;
            let is_finite = matches!(store.sorts.get(element), Sort::Bool | Sort::BitVec(_));
            if store.kind(t) == Kind::SetCard {
                sizes[0] += usize::from(is_finite);
                sizes[1] += usize::from(is_infinite);
            }
        });
        sizes
    };
    let [finite, infinite, _] = sizes(TargetSpelling::default());
    assert!(finite > 20 && infinite > 20, "{finite}, {infinite}");
    let [finite, infinite, _] =
        sizes(TargetSpelling { infinite_only: vec!["set.card".into()], ..TargetSpelling::default() });
    assert!(finite == 0 && infinite > 20, "{finite}, {infinite}");
    let [.., sets] = sizes(TargetSpelling { lacks: vec!["Set".into()], ..TargetSpelling::default() });
    assert_eq!(sets, 0);
}

/// Where no theme is named, sequences, sets, bags and finite fields come up for solvers that have them, and only for these.
#[test]
fn themes_without_a_name_are_those_of_the_solver() {
    let has = |target: &TargetSpelling, text: &str| {
        let drawn = |number: u64| {
            let mut store = Store::new();
            let finite = FiniteMutator::default();
            let mut batch = finite.batch(&mut store, target, Unit { campaign: 3, number });
            let mut mutant = Mutant::default();
            batch.mutant(0, &mut mutant);
            mutant.text.contains(text)
        };
        (0..120).any(drawn)
    };
    let lacks = vec!["Set".into(), "Seq".into(), "Bag".into(), "FiniteField".into()];
    let lacking = TargetSpelling { lacks, ..TargetSpelling::default() };
    for text in ["(Set ", "(Seq ", "(Bag ", "(_ FiniteField "] {
        assert!(has(&TargetSpelling::default(), text), "{text}");
        assert!(!has(&lacking, text), "{text}");
    }
}

/// `--incremental off` and profiles of solvers without levels reached all mutators but this one.
#[test]
fn problems_have_levels_as_often_as_is_said() {
    let check = |incremental: u32, expect: std::ops::RangeInclusive<usize>| {
        let finite = FiniteMutator { incremental, mutants: 10, ..FiniteMutator::default() };
        let (target, mut mutant, mut count) = (TargetSpelling::default(), Mutant::default(), 0);
        for number in 0..40 {
            let mut batch = finite.batch(&mut Store::new(), &target, Unit { campaign: 1, number });
            for index in 0..10 {
                batch.mutant(index, &mut mutant);
                let words = ["(push", "(pop", "(check-sat-assuming"];
                let has_levels = words.iter().any(|word| mutant.text.contains(word)) || mutant.expected.len() > 1;
                count += usize::from(has_levels);
            }
        }
        assert!(expect.contains(&count), "{incremental}: {count} of 400");
    };
    check(0, 0..=0);
    check(30, 20..=100);
    check(100, 120..=280);
}

/// Definitions, assumptions and `let` hid from exhaustion what confines a symbol, so that hits on such problems could not be confirmed.
#[test]
fn a_problem_in_other_words_is_as_small() {
    let (dialect, mut seen) = (Dialect::default(), BTreeSet::new());
    let rules = RewordingRules {
        dialect: &dialect,
        takes_commands: true,
        takes_errors: true,
        renamed: RenamedSymbols::Variables,
    };
    for theme in THEMES.iter().filter(|theme| !theme.is_planted()) {
        let mut number = 0;
        problems(theme, count(), |_, index, mutant| {
            number += 1;
            let mut rng = Unit { campaign: 1, number }.rewording_stream(index);
            let Some((text, wording)) = reword(&mutant.text, rules, &mut rng) else { return };
            seen.insert(wording.to_string());
            let mut store = Store::new();
            let instances = smtlib::parse(&mut store, &text).script.instances();
            assert_eq!(instances.len(), mutant.expected.len(), "{wording}:\n{text}");
            for instance in &instances {
                // Whether it is a small world, not which answer it has.
                let limits = ExhaustLimits { evaluations: 1, ..ExhaustLimits::default() };
                let query = TruthQuery { limits: &limits, stop: &Stop::default(), search: Search::Recorded };
                let refusal = match of_formulas(&mut store, &instance.assertions, query) {
                    Err(OpenTruth::NotFinite(refusal)) => Some(refusal),
                    _ => None,
                };
                assert_eq!(refusal, None, "{} rephrased ({wording}):\n{text}", theme.name);
            }
        });
    }
    assert!(seen.len() == Wording::ALL.len(), "{seen:?}");
}

/// A solver gets operators that take functions in one theme, and only those that it has.
#[test]
fn functions_are_applied_to_collections_in_one_theme() {
    let kinds = |theory: &str, lacks: &[&str]| {
        let lacks = lacks.iter().map(|name| Box::from(*name)).collect();
        let (theme, target) =
            (theme::find(theory).expect("a theme"), TargetSpelling { lacks, ..TargetSpelling::default() });
        let finite = FiniteMutator { themes: vec![theme], mutants: 8, ..FiniteMutator::default() };
        let mut kinds = BTreeSet::new();
        each_term(&finite, &target, 12, |store, t| {
            kinds.extend(Some(store.kind(t)).filter(|kind| kind.is_traversal()))
        });
        kinds
    };
    assert!(kinds("functions", &[]).len() > 8);
    assert_eq!(kinds("sets", &[]), BTreeSet::new());
    let of_sets = kinds("functions", &["Bag", "Seq", "set.fold"]);
    assert!(!of_sets.contains(&Kind::SetFold) && of_sets.contains(&Kind::SetMap), "{of_sets:?}");
    assert!(of_sets.iter().all(|kind| (Kind::SetMap..=Kind::SetSome).contains(kind)), "{of_sets:?}");
}
