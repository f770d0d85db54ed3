//! Which findings a campaign reduces and confirms.

use finding::{AnswerVector, BugClass, CauseReward, FindingKind, FindingOrigin, symptom};
use triage::reduction_yield::{MOST_MISSES, ReductionYield};

fn kind(class: BugClass, mode: &str) -> FindingKind {
    let (solver, options) = ("z3@4.8.7".to_string(), String::new());
    FindingKind { class, solver, mode: mode.to_string(), options, origin: FindingOrigin::default() }
}

fn of_seed(kind: FindingKind, seed: &str) -> FindingKind {
    let origin = FindingOrigin { seed: Some(seed.to_string()), ..kind.origin };
    FindingKind { origin, ..kind }
}

fn vector(errs: &str) -> AnswerVector {
    let rows = errs.chars().enumerate().filter(|(_, c)| *c != '?');
    rows.map(|(n, c)| (format!("v{n}"), c == 'x')).collect()
}

#[test]
fn a_kind_that_brings_nothing_new_is_worth_less_and_less() {
    let causes = ReductionYield::default();
    let horn = kind(BugClass::A, "tactic horn");
    let check = |kind: &FindingKind, errs: &str, new: bool, worth: u64| {
        assert_eq!(causes.add(kind, "unsat", &vector(errs)), new, "{kind:?} {errs}");
        assert_eq!(causes.worth(kind, 0), worth, "{kind:?} {errs}");
    };
    check(&horn, "x..", true, 1000);
    check(&horn, "x?.", false, 666);
    check(&horn, "x..", false, 500);
    check(&kind(BugClass::A, "plain"), "x..", false, 666);
    check(&kind(BugClass::B, "tactic horn"), "x..", true, 1000);
    check(&horn, "xx.", true, 1000);
    // One answer is that of the solver itself, which every finding has.
    check(&horn, "x", false, 1000);
    let wrong_model = symptom::WRONG_MODEL;
    assert!(causes.add(&kind(BugClass::B, "plain"), wrong_model, &vector("x..")), "a wrong model is no wrong sat");
    assert!(!causes.add(&kind(BugClass::B, "plain"), wrong_model, &vector("x..")));
    assert_eq!(causes.worth(&kind(BugClass::A, "incremental"), 8), 500, "of a kind of which none was reduced");
    assert_eq!(causes.rank(&horn, "unsat"), (0, 0));
    assert_eq!(causes.rank(&kind(BugClass::A, "plain"), "unsat"), (0, 334));
    assert_eq!(causes.rank(&kind(BugClass::D, "plain"), "signal: SIGSEGV"), (1, 0));
}

#[test]
fn hits_of_a_kind_that_brings_nothing_new_are_confirmed_now_and_then() {
    let causes = ReductionYield::default();
    let horn = kind(BugClass::A, "tactic horn");
    for _ in 0..MOST_MISSES {
        causes.add(&horn, "unsat", &vector("x.."));
        assert!(causes.is_wanted(&horn));
    }
    causes.add(&horn, "unsat", &vector("x.."));
    let wanted: Vec<bool> = (0..14).map(|_| causes.is_wanted(&horn)).collect();
    assert_eq!(wanted.iter().filter(|wanted| **wanted).count(), 2, "{wanted:?}");
    assert!(causes.is_wanted(&kind(BugClass::A, "plain")));
    assert_eq!(causes.rank(&horn, "unsat"), (2, 750));
    causes.add(&horn, "unsat", &vector("xxx"));
    assert!(causes.is_wanted(&horn));
}

/// With options drawn for each unit z3 4.8.7 had 500 findings of `qfufbv_ackr` within 15 minutes, nearly all with different options.
#[test]
fn what_drawn_options_show_tells_of_others() {
    let causes = ReductionYield::default();
    let under = |mode: &str, made_by: &str, options: &str| {
        let origin = FindingOrigin { made_by: made_by.to_string(), seed: None };
        FindingKind { options: options.to_string(), origin, ..kind(BugClass::B, mode) }
    };
    for mode in ["plain", "tactic horn"] {
        for n in 0..=MOST_MISSES {
            causes.add(&under(mode, "storm", &format!("a={n}")), "sat", &vector("x.."));
        }
        assert!(!causes.is_wanted(&under(mode, "storm", "b=1 c=2")), "{mode}");
        assert_eq!(causes.worth(&under(mode, "storm", "b=1"), 0), if mode == "plain" { 250 } else { 222 });
    }
    assert!(causes.is_wanted(&under("plain", "storm", "")), "the solver as it comes is another matter");
    assert!(causes.is_wanted(&under("plain", "weave", "b=1")), "so are problems of other kinds");
    assert!(!causes.is_wanted(&under("tactic horn", "weave", "")), "but a tactic errs on all");
}

/// Of z3 4.8.7's `qfufbv_ackr` 143 findings waited within 15 minutes, of which four were reduced: other kinds came before them.
#[test]
fn hits_that_wait_for_reductions_count_in_part() {
    let causes = ReductionYield::default();
    let horn = kind(BugClass::B, "tactic horn");
    let wanted = || (0..100).filter(|_| causes.is_wanted(&horn)).count();
    causes.add(&horn, "sat", &vector("x.."));
    assert!((25..40).contains(&wanted()));
    assert!(causes.worth(&horn, 0) < 250);
    assert_eq!(causes.rank(&horn, "sat"), (0, 0), "none of its reductions was for nothing");
    causes.add(&horn, "sat", &vector("xx."));
    assert!(causes.is_wanted(&horn) && causes.worth(&horn, 0) == 1000, "it brings new causes");
}

/// In half an hour 653 findings of that tactic waited and none was reduced: other kinds always came before them, and nothing held them
/// back.
#[test]
fn a_kind_of_which_many_wait_is_reduced_once() {
    let causes = ReductionYield::default();
    let (horn, other) = (kind(BugClass::B, "tactic horn"), kind(BugClass::B, "tactic smt"));
    causes.add(&other, "sat", &vector("x.."));
    causes.add(&other, "sat", &vector("x.."));
    assert_eq!((causes.worth(&horn, 0), causes.rank(&horn, "sat")), (750, (0, 250)), "as its mode is");
    let wanted = (0..100).filter(|_| causes.is_wanted(&horn)).count();
    assert!((25..40).contains(&wanted), "{wanted}");
    assert!(causes.worth(&horn, 0) < 250);
    assert_eq!(causes.rank(&horn, "sat"), (0, 0), "it is due");
    causes.add(&horn, "sat", &vector("x.."));
    assert_eq!(causes.rank(&horn, "sat"), (0, 334), "now it is known");
}

/// A mistake that needs no tactic shows under each of sixty: hits by the others likely have the same cause.
#[test]
fn what_one_tactic_and_one_seed_show_tells_of_others() {
    let causes = ReductionYield::default();
    let tactic = |n: u64, seed: &str| of_seed(kind(BugClass::A, &format!("tactic t{n}")), seed);
    let check = |kind: &FindingKind, worth: u64, wanted: bool| {
        assert_eq!((causes.worth(kind, 0), causes.is_wanted(kind)), (worth, wanted), "{kind:?}");
    };
    for n in 0..4 {
        causes.add(&tactic(n, "a"), "unsat", &vector("x.."));
    }
    check(&tactic(9, "a"), 400, false);
    assert_eq!(causes.rank(&tactic(9, "b"), "unsat"), (0, 500), "none of its own kind was reduced");
    check(&tactic(9, "b"), 500, true);
    check(&tactic(0, "b"), 1000, true);
    check(&of_seed(kind(BugClass::A, "plain"), "b"), 1000, true);
    causes.add(&tactic(9, "a"), "unsat", &vector("xx."));
    check(&tactic(8, "a"), 571, true);
}

#[test]
fn a_campaign_waits_only_while_more_comes_than_is_reduced() {
    let causes = ReductionYield::default();
    let check = |is_behind: bool, begins: bool, expect: bool| {
        causes.fall_behind(is_behind, begins);
        assert_eq!(causes.keeps_pace(), expect, "{is_behind} {begins}");
    };
    assert!(causes.keeps_pace());
    check(true, false, false);
    check(true, true, false);
    check(false, true, true);
    check(true, false, false);
    check(false, false, true);
}
