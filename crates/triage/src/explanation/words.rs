//! An explanation in two sentences: who is wrong on what, and what makes that vanish. A third one tells of passes.

use super::releases::{clause, listed, number};
use super::{AskingPart, FindingExplanation, PartKind, PassEffect, TriedChange, TriedPass};
use finding::record::SymptomRepeats;
use finding::{BugSeverity, failure, symptom};
use reduce::bisect::VersionVerdict;
use std::collections::BTreeSet;

/// How many changes that make the answer right are all named.
const NAMED: usize = 4;

/// What is added to a script, and the word for many of a kind.
const KINDS: [(PartKind, &str); 3] =
    [(PartKind::Option, "options"), (PartKind::Command, "simplifiers"), (PartKind::Tactic, "tactics")];

/// The longest assertion that stands in a sentence, in bytes.
const MAX_TOLD: usize = 60;

/// The sentences.
pub fn text(explanation: &FindingExplanation) -> String {
    let mut sentences = vec![what(explanation), hangs_on(explanation)];
    sentences.extend(passes(&explanation.passes));
    sentences.join(" ")
}

/// Who is wrong on what, and since when.
fn what(explanation: &FindingExplanation) -> String {
    let FindingExplanation { class, symptom, operators, title, .. } = explanation;
    let said = symptom::words(symptom);
    let about = match (operators.as_slice(), explanation.assertions.as_slice()) {
        // What has no operator that tells anything is told by itself.
        ([], [one]) if one.len() <= MAX_TOLD => format!(" about `{one}`"),
        ([], _) => String::new(),
        (operators, _) => format!(" about {}", operators.join(", ").replace(", …", " and others")),
    };
    let does = failure::fill(failure::row(*class, symptom).does, &[("about", &about), ("said", &said)]);
    let sometimes = match explanation.shown.confirmed() {
        true => String::new(),
        false => format!(" {}", runs(explanation.shown)),
    };
    format!("{title} {does}{sometimes}{}.", clause(explanation))
}

/// What it needs, and what makes it vanish.
fn hangs_on(explanation: &FindingExplanation) -> String {
    let class = explanation.class;
    let needs = match (explanation.needs.as_slice(), explanation.needless.as_slice()) {
        ([], []) => String::new(),
        ([], needless) => format!("it does not need {}", or(needless)),
        (needs, []) => format!("it needs {}", parts(needs)),
        (needs, needless) => format!("it needs {}, and not {}", parts(needs), or(needless)),
    };
    let tried = tried(explanation);
    let mut text = match needs.is_empty() {
        true => tried,
        false => format!("{needs}; {tried}"),
    };
    let sometimes: Vec<String> = explanation
        .changes
        .iter()
        .filter_map(|change| Some(format!("{} ({})", word(change.kind, &change.text), runs(change.shown?))))
        .collect();
    if !sometimes.is_empty() {
        let verb = if class.severity() == BugSeverity::Crash { "crashes" } else { "is wrong" };
        text.push_str(&format!("; it {verb} only sometimes with {}", listed(&sometimes)));
    }
    if explanation.untried > 0 {
        text.push_str(&format!("; {} more questions were not asked, since the time was over", explanation.untried));
    }
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// What the changes brought.
fn tried(explanation: &FindingExplanation) -> String {
    let changes = &explanation.changes;
    let of = |did: VersionVerdict| changes.iter().filter(move |change| change.did == did && change.shown.is_none());
    let (right, wrong) = (of(VersionVerdict::Right).count(), of(VersionVerdict::Wrong).count());
    let undecided = of(VersionVerdict::Undecided).count() + of(VersionVerdict::Refused).count();
    let kinds = kinds(changes);
    let [is_right, stays, stay_alone] = explanation.class.row().changed;
    let text = match (right, wrong) {
        (0, 0) if changes.is_empty() && explanation.untried == 0 => {
            return "the solver's profile names no option to try".to_string();
        }
        (0, 0) => format!("none of its {kinds} that were tried decides anything"),
        (0, 1) => format!("{stay_alone} with the one of its {kinds} that was tried"),
        (0, wrong) => format!("{stay_alone} with each of the {} {kinds} that were tried", number(wrong)),
        (_, 0) => format!("{is_right} with {}", remedies(changes)),
        (_, 1) => format!("{is_right} with {}, and {stays} with the other one that was tried", remedies(changes)),
        (_, wrong) => {
            let (right, wrong) = (remedies(changes), number(wrong));
            format!("{is_right} with {right}, and {stays} with the other {wrong} {kinds} that were tried")
        }
    };
    match undecided {
        0 => text,
        _ if right + wrong == 0 => text,
        1 => format!("{text} (one more decides nothing)"),
        more => format!("{text} ({} more decide nothing)", number(more)),
    }
}

/// The changes with which the answer is right: those of a kind by name, or their number where they are many.
fn remedies(changes: &[TriedChange]) -> String {
    let mut told = Vec::new();
    let has_many = changes.iter().filter(|change| change.did == VersionVerdict::Right).count() > NAMED;
    for (kind, word_of_many) in KINDS {
        // Where there are many, options tell more than the rest.
        let named = if has_many && kind != PartKind::Option { 1 } else { NAMED };
        let decides = |change: &&TriedChange| matches!(change.did, VersionVerdict::Right | VersionVerdict::Wrong);
        let decided = changes.iter().filter(|change| change.kind == kind).filter(decides);
        let all = decided.clone().count();
        let right: Vec<&TriedChange> = decided.filter(|change| change.did == VersionVerdict::Right).collect();
        match right.len() {
            few if few <= named => told.extend(right.iter().map(|change| word(kind, &change.text))),
            many if many == all => told.push(format!("each of the {} {word_of_many}", number(all))),
            many => told.push(format!("{} of the {} {word_of_many}", number(many), number(all))),
        }
    }
    joined(&told, "or")
}

/// What the changes are.
fn kinds(changes: &[TriedChange]) -> String {
    let has = |kind: PartKind| changes.iter().any(|change| change.kind == kind);
    let kinds: Vec<&str> = KINDS.into_iter().filter(|(kind, _)| has(*kind)).map(|(_, word)| word).collect();
    listed(&kinds)
}

/// What the passes do to the script; nothing where none was decided.
fn passes(tried: &[TriedPass]) -> Option<String> {
    let of = |did: PassEffect| tried.iter().filter(move |pass| pass.did == did);
    let (kept, lost) = (of(PassEffect::Kept).count(), of(PassEffect::Lost).count());
    // A pass of several steps is told by the one that is at fault.
    let at_fault: BTreeSet<&str> =
        of(PassEffect::Lost).map(|pass| pass.step.as_deref().unwrap_or(&pass.text)).collect();
    let at_fault: Vec<String> = at_fault.into_iter().map(|step| format!("`{step}`")).collect();
    match (lost, kept) {
        (0, 0) => None,
        (0, 1) => Some("Applied alone, the one pass that can be decided keeps its truth.".to_string()),
        (0, kept) => {
            Some(format!("Applied alone, each of the {} passes that can be decided keeps its truth.", number(kept)))
        }
        (_, kept) => {
            let verb = if at_fault.len() == 1 { "loses" } else { "lose" };
            let others = match kept {
                0 => String::new(),
                1 => "; one other pass keeps it".to_string(),
                kept => format!("; {} other passes keep it", number(kept)),
            };
            Some(format!("Applied alone, {} already {verb} its truth{others}.", listed(&at_fault)))
        }
    }
}

/// How often something shows.
fn runs(shown: SymptomRepeats) -> String {
    format!("in {} of {} runs", shown.shown, shown.runs)
}

fn parts(parts: &[AskingPart]) -> String {
    let words: Vec<String> = parts.iter().map(|part| word(part.kind, &part.text)).collect();
    listed(&words)
}

fn or(parts: &[AskingPart]) -> String {
    let words: Vec<String> = parts.iter().map(|part| word(part.kind, &part.text)).collect();
    joined(&words, "or")
}

fn joined(words: &[String], and: &str) -> String {
    match words {
        [rest @ .., last] if !rest.is_empty() => format!("{} {and} {last}", rest.join(", ")),
        words => words.concat(),
    }
}

/// A part of how the script is asked, as a sentence has it.
fn word(kind: PartKind, text: &str) -> String {
    match kind {
        PartKind::Option | PartKind::Command => format!("`{text}`"),
        PartKind::Tactic => format!("the tactic `{text}`"),
        PartKind::Push => "a push".to_string(),
        PartKind::Predecessors => "the scripts before it in the same process".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::{FORMAT, TriedRelease};
    use VersionVerdict::{Refused, Right, Undecided, Wrong};
    use finding::BugClass;

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
            untried: 0,
            text: String::new(),
        }
    }

    fn first(explanation: &FindingExplanation) -> String {
        what(explanation)
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
            assert_eq!(clause(&explanation), expect, "{rows:?}");
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
            &[
                ("z3@1", Wrong),
                ("z3@2", Right),
                ("z3@3", Wrong),
                ("z3@4", Undecided),
                ("z3@5", Refused),
                ("z3@6", Refused),
            ],
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
            let explanation =
                FindingExplanation { changes: changes.iter().map(change).collect(), ..of(class, "unsat") };
            assert_eq!(hangs_on(&explanation), expect, "{changes:?}");
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
            assert_eq!(hangs_on(&explanation), format!("{expect}; the solver's profile names no option to try."));
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
        let change =
            |text: &str, shown| TriedChange { kind: PartKind::Option, text: text.to_string(), did: Wrong, shown };
        let changes = vec![change("x", None), change("y", shown)];
        let explanation = FindingExplanation { changes, untried: 7, ..of(BugClass::A, "unsat") };
        assert_eq!(
            hangs_on(&explanation),
            "The answer stays wrong with the one of its options that was tried; it is wrong only sometimes with `y` (in 1 of 3 runs); \
             7 more questions were not asked, since the time was over."
        );
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
            assert_eq!(passes(&rows).as_deref(), expect);
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
}
