//! Explanations: their sentences, and the bound of the work.

use VersionVerdict::{Refused, Right, Undecided, Wrong};
use finding::record::SymptomRepeats;
use finding::{BugClass, symptom};
use reduce::bisect::VersionVerdict;
use solver::process::CancelToken;
use std::time::Duration;
use triage::explain::ExplainBound;
use triage::explanation::{
    AskingPart, FORMAT, FindingExplanation, PartKind, PassEffect, TriedChange, TriedPass, TriedRelease, TriedSibling,
};

/// A wrong `unsat` about `mod` that every run shows.
fn of(class: BugClass, symptom: &str) -> FindingExplanation {
    FindingExplanation {
        format: FORMAT,
        script: String::new(),
        solver: "z3@4.8.7".to_string(),
        title: "Z3 4.8.7".to_string(),
        class,
        symptom: symptom.to_string(),
        shown: SymptomRepeats { shown: 3, runs: 3 },
        operators: vec!["mod".to_string()],
        assertions: Vec::new(),
        releases: Vec::new(),
        needs: Vec::new(),
        needless: Vec::new(),
        changes: Vec::new(),
        passes: Vec::new(),
        siblings: Vec::new(),
        untried: 0,
        text: String::new(),
    }
}

/// Returns the first sentence, and what follows it.
fn sentences(explanation: &FindingExplanation) -> (String, String) {
    let text = explanation.clone().worded().text;
    let (first, rest) = text.split_once(". ").expect("two sentences");
    (format!("{first}."), rest.to_string())
}

fn first(explanation: &FindingExplanation) -> String {
    sentences(explanation).0
}

fn depends_on(explanation: &FindingExplanation) -> String {
    sentences(explanation).1
}

#[test]
fn the_first_sentence_says_who_is_wrong_on_what() {
    let check = |class: BugClass, symptom: &str, expect: &str| assert_eq!(first(&of(class, symptom)), expect);
    check(BugClass::A, "unsat", "Z3 4.8.7 answers unsat on a satisfiable script about mod.");
    check(BugClass::B, "sat", "Z3 4.8.7 answers sat on an unsatisfiable script about mod.");
    check(BugClass::B, symptom::WRONG_MODEL, "Z3 4.8.7 gives a wrong model for a script about mod.");
    check(BugClass::B, "invalid model", "Z3 4.8.7 rejects its own model of a script about mod (invalid model).");
    check(BugClass::C, "unknown", "Z3 4.8.7 answers unknown on a script about mod.");
    check(BugClass::D, "signal: SIGSEGV", "Z3 4.8.7 crashes on a script about mod (signal SIGSEGV).");
    check(BugClass::E, "bad", "Z3 4.8.7 rejects its own right model of a script about mod (bad).");
    let bare = FindingExplanation { operators: Vec::new(), ..of(BugClass::A, "unsat") };
    assert_eq!(first(&bare), "Z3 4.8.7 answers unsat on a satisfiable script.");
    let told = FindingExplanation { assertions: vec!["(distinct a a)".to_string()], ..bare.clone() };
    assert_eq!(first(&told), "Z3 4.8.7 answers unsat on a satisfiable script about `(distinct a a)`.");
    let long = FindingExplanation { assertions: vec!["x".repeat(61)], ..bare };
    assert_eq!(first(&long), "Z3 4.8.7 answers unsat on a satisfiable script.");
    let operators = ["+", "-", "*", "div", "…"].map(str::to_string).to_vec();
    let flaky =
        FindingExplanation { operators, shown: SymptomRepeats { shown: 2, runs: 3 }, ..of(BugClass::A, "unsat") };
    let expect = "Z3 4.8.7 answers unsat on a satisfiable script about +, -, *, div and others in 2 of 3 runs.";
    assert_eq!(first(&flaky), expect);
}

#[test]
fn the_first_sentence_says_which_releases_err() {
    let check = |class: BugClass, rows: &[(&str, VersionVerdict)], expect: &str| {
        let row = |(solver, did): &(&str, VersionVerdict)| TriedRelease {
            solver: (*solver).to_string(),
            did: *did,
            shown: None,
        };
        let explanation = FindingExplanation { releases: rows.iter().map(row).collect(), ..of(class, "unsat") };
        let bare = first(&of(class, "unsat"));
        assert_eq!(first(&explanation), format!("{}{expect}.", bare.trim_end_matches('.')), "{rows:?}");
    };
    let (a, d) = (BugClass::A, BugClass::D);
    check(a, &[], "");
    check(a, &[("z3@4.8.7", Wrong)], "");
    check(a, &[("z3@4.8.5", Wrong), ("z3@4.8.7", Wrong)], ", as do both installed releases since 4.8.5");
    check(
        a,
        &[("z3@4.8.5", Right), ("z3@4.8.7", Wrong), ("z3@4.8.9", Wrong), ("z3@5", Wrong)],
        "; of the four installed releases 4.8.7 to 5 err and 4.8.5 is right",
    );
    check(
        a,
        &[("z3@1", Wrong), ("z3@2", Right), ("z3@3", Wrong), ("z3@4", Undecided), ("z3@5", Refused), ("z3@6", Refused)],
        "; of the six installed releases 1 and 3 err, 2 is right, 4 does not decide it and 5 and 6 refuse it",
    );
    check(d, &[("z3@1", Right), ("z3@2", Wrong)], "; of the two installed releases 2 crashes and 1 does not");
    // A build of the user's own is none of them.
    check(a, &[("z3@4.8.5", Right), ("./z3@4.8.7", Wrong)], "; of the other installed release 4.8.5 is right");
}

#[test]
fn the_second_sentence_says_what_makes_it_vanish() {
    let check = |class: BugClass, changes: &[(&str, VersionVerdict)], expect: &str| {
        let change = |(text, did): &(&str, VersionVerdict)| TriedChange {
            kind: if text.starts_with('(') { PartKind::Tactic } else { PartKind::Option },
            text: (*text).to_string(),
            did: *did,
            shown: None,
        };
        let explanation = FindingExplanation { changes: changes.iter().map(change).collect(), ..of(class, "unsat") };
        assert_eq!(depends_on(&explanation), expect, "{changes:?}");
    };
    let (a, d) = (BugClass::A, BugClass::D);
    check(a, &[], "The solver's profile names no option to try.");
    check(a, &[("x", Refused)], "None of its options that were tried decides anything.");
    check(a, &[("x", Wrong)], "The answer stays wrong with the one of its options that was tried.");
    check(
        a,
        &[("x", Wrong), ("(t)", Wrong)],
        "The answer stays wrong with each of the two options and tactics that were tried.",
    );
    check(a, &[("x", Right)], "The answer is right with `x`.");
    check(
        a,
        &[("x", Right), ("y", Wrong)],
        "The answer is right with `x`, and stays wrong with the other one that was tried.",
    );
    check(
        a,
        &[("x", Right), ("(t)", Right), ("y", Wrong), ("z", Wrong), ("u", Undecided), ("v", Refused)],
        "The answer is right with `x` or the tactic `(t)`, and stays wrong with the other two options and tactics that were tried \
         (two more decide nothing).",
    );
    check(
        d,
        &[("x", Right), ("y", Wrong), ("z", Wrong)],
        "It does not crash with `x`, and crashes with the other two options that were tried.",
    );
    let many: Vec<(&str, VersionVerdict)> = ["a", "b", "c", "d", "e"].map(|text| (text, Right)).to_vec();
    check(a, &many, "The answer is right with each of the five options.");
    let more = [&many[..], &[("f", Wrong), ("(t)", Right)]].concat();
    check(
        a,
        &more,
        "The answer is right with five of the six options or the tactic `(t)`, and stays wrong with the other one that was tried.",
    );
    let mixed = [&many[..3], &[("(t)", Right), ("(u)", Right), ("(v)", Wrong)]].concat();
    let expect = "The answer is right with `a`, `b`, `c` or two of the three tactics, and stays wrong with the other one that was tried.";
    check(a, &mixed, expect);
}

#[test]
fn the_second_sentence_says_what_is_needed() {
    let part = |(kind, text): &(PartKind, &str)| AskingPart { kind: *kind, text: (*text).to_string() };
    let check = |needs: &[(PartKind, &str)], needless: &[(PartKind, &str)], expect: &str| {
        let (needs, needless) = (needs.iter().map(part).collect(), needless.iter().map(part).collect());
        let explanation = FindingExplanation { needs, needless, ..of(BugClass::A, "unsat") };
        assert_eq!(depends_on(&explanation), format!("{expect}; the solver's profile names no option to try."));
    };
    use PartKind::{Command, Option, Predecessors, Push, Tactic};
    check(&[(Option, "a=1")], &[], "It needs `a=1`");
    check(&[], &[(Option, "a=1"), (Tactic, "t")], "It does not need `a=1` or the tactic `t`");
    check(
        &[(Option, "a=1"), (Push, "(push 1)"), (Predecessors, "")],
        &[(Command, "(set-option :b true)")],
        "It needs `a=1`, a push and the scripts before it in the same process, and not `(set-option :b true)`",
    );
}

#[test]
fn what_is_flaky_or_was_not_tried_is_said() {
    let shown = Some(SymptomRepeats { shown: 1, runs: 3 });
    let change = |text: &str, shown| TriedChange { kind: PartKind::Option, text: text.to_string(), did: Wrong, shown };
    let changes = vec![change("x", None), change("y", shown)];
    let explanation = FindingExplanation { changes, untried: 7, ..of(BugClass::A, "unsat") };
    assert_eq!(
        depends_on(&explanation),
        "The answer stays wrong with the one of its options that was tried; it is wrong only sometimes with `y` (in 1 of 3 runs); \
         7 more questions were not asked because the time was up."
    );
}

#[test]
fn the_last_sentence_lists_siblings() {
    let check = |rows: &[(&str, &str, VersionVerdict)], expect: &str| {
        let sibling = |(of, instead, did): &(&str, &str, VersionVerdict)| TriedSibling {
            of: (*of).to_string(),
            instead: (*instead).to_string(),
            did: *did,
        };
        let siblings = rows.iter().map(sibling).collect();
        let without = depends_on(&of(BugClass::A, "unsat"));
        let text = depends_on(&FindingExplanation { siblings, ..of(BugClass::A, "unsat") });
        assert_eq!(text.strip_prefix(&without).map(str::trim_start), Some(expect));
    };
    check(&[], "");
    check(&[("mod", "div", Undecided)], "");
    check(&[("mod", "div", Right)], "With the one operator that was tried instead, the answer is right.");
    check(&[("mod", "div", Wrong)], "The answer is wrong, too, with `div` instead of `mod`.");
    check(
        &[("mod", "div", Wrong), ("<", ">", Wrong), ("mod", "*", Wrong), ("<", "<=", Right)],
        "The answer is wrong, too, with `>` instead of `<`, and with `div` or `*` instead of `mod`; with one other it is right.",
    );
    let two = [("mod", "div", Right), ("mod", "*", Right)];
    check(&two, "With each of the two operators that were tried instead, the answer is right.");
}

#[test]
fn the_third_sentence_says_what_passes_do() {
    let check = |rows: &[(&str, PassEffect, Option<&str>)], expect: Option<&str>| {
        let pass = |(text, did, step): &(&str, PassEffect, Option<&str>)| TriedPass {
            text: (*text).to_string(),
            did: *did,
            step: step.map(str::to_string),
        };
        let rows: Vec<TriedPass> = rows.iter().map(pass).collect();
        let without = depends_on(&of(BugClass::A, "unsat"));
        let text = depends_on(&FindingExplanation { passes: rows, ..of(BugClass::A, "unsat") });
        assert_eq!(text.strip_prefix(&without).map(str::trim_start), Some(expect.unwrap_or_default()));
    };
    use PassEffect::{Kept, Lost, Open};
    check(&[], None);
    check(&[("a", Open, None)], None);
    check(
        &[("a", Kept, None), ("b", Kept, None)],
        Some("Applied alone, each of the two passes that can be decided keeps its truth."),
    );
    check(&[("a", Lost, None)], Some("Applied alone, `a` already loses its truth."));
    check(
        &[("(then a b)", Lost, Some("a")), ("a", Lost, None), ("c", Lost, None), ("d", Kept, None)],
        Some("Applied alone, `a` and `c` already lose its truth; one other pass keeps it."),
    );
}

#[test]
fn what_solvers_take_is_counted_and_an_interrupt_ends_it() {
    let cancel = CancelToken::new();
    let bound = ExplainBound::new(Some(Duration::from_secs(3600)), cancel.clone());
    assert!(!bound.is_over());
    bound.add(Duration::from_secs(3599));
    assert!(!bound.is_over() && bound.left().is_some_and(|left| left <= Duration::from_secs(1)));
    bound.add(Duration::from_secs(1));
    assert!(bound.is_over() && bound.left() == Some(Duration::ZERO));
    let unlimited = ExplainBound::new(None, cancel.clone());
    unlimited.add(Duration::from_secs(1 << 30));
    assert!(!unlimited.is_over() && unlimited.left().is_none());
    cancel.cancel();
    assert!(unlimited.is_over());
}
