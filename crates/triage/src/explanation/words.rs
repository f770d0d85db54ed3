//! Writes an explanation as two sentences (who is wrong on what, and what makes that vanish), one about passes and one about siblings.

use super::releases::{clause, listed, number};
use super::{AskingPart, FindingExplanation, PartKind, PassEffect, TriedChange, TriedPass, TriedSibling};
use finding::record::SymptomRepeats;
use finding::{BugSeverity, failure, symptom};
use reduce::bisect::VersionVerdict;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of correcting changes that are all named.
const NAMED: usize = 4;

/// Kinds of additions, with their plurals.
const KINDS: [(PartKind, &str); 3] =
    [(PartKind::Option, "options"), (PartKind::Command, "simplifiers"), (PartKind::Tactic, "tactics")];

/// The maximum length of an assertion quoted in a sentence, in bytes.
const MAX_TOLD: usize = 60;

/// Returns the sentences.
pub fn text(explanation: &FindingExplanation) -> String {
    let mut sentences = vec![what(explanation), depends_on(explanation)];
    sentences.extend(passes(&explanation.passes));
    sentences.extend(siblings(&explanation.siblings));
    sentences.join(" ")
}

/// Describes who is wrong on what, and since when.
fn what(explanation: &FindingExplanation) -> String {
    let FindingExplanation { class, symptom, operators, title, .. } = explanation;
    let said = symptom::describe(symptom);
    let about = match (operators.as_slice(), explanation.assertions.as_slice()) {
        // A script without a specific operator is described by its assertion.
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

/// Describes what the failure needs, and what makes it vanish.
fn depends_on(explanation: &FindingExplanation) -> String {
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
        text.push_str(&format!("; {} more questions were not asked because the time was up", explanation.untried));
    }
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Describes the results of the changes.
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

/// Lists the changes with which the answer is right: by name, or their number where they are many.
fn remedies(changes: &[TriedChange]) -> String {
    let mut told = Vec::new();
    let has_many = changes.iter().filter(|change| change.did == VersionVerdict::Right).count() > NAMED;
    for (kind, word_of_many) in KINDS {
        // Among many, options are the most informative.
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

/// Lists the kinds of the changes.
fn kinds(changes: &[TriedChange]) -> String {
    let has = |kind: PartKind| changes.iter().any(|change| change.kind == kind);
    let kinds: Vec<&str> = KINDS.into_iter().filter(|(kind, _)| has(*kind)).map(|(_, word)| word).collect();
    listed(&kinds)
}

/// Describes the effects of the passes; `None` where none was decided.
fn passes(tried: &[TriedPass]) -> Option<String> {
    let of = |did: PassEffect| tried.iter().filter(move |pass| pass.did == did);
    let (kept, lost) = (of(PassEffect::Kept).count(), of(PassEffect::Lost).count());
    // For a pass of several steps, the faulty step is named.
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

/// Lists the siblings on which the solver is wrong, too; `None` where none was decided.
fn siblings(tried: &[TriedSibling]) -> Option<String> {
    let of = |did: VersionVerdict| tried.iter().filter(move |sibling| sibling.did == did);
    let right = of(VersionVerdict::Right).count();
    let mut wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for sibling in of(VersionVerdict::Wrong) {
        wrong.entry(&sibling.of).or_default().push(format!("`{}`", sibling.instead));
    }
    let lists: Vec<String> =
        wrong.iter().map(|(of, instead)| format!("{} instead of `{of}`", joined(instead, "or"))).collect();
    match (lists.is_empty(), right) {
        (true, 0) => None,
        (true, 1) => Some("With the one operator that was tried instead, the answer is right.".to_string()),
        (true, _) => {
            Some(format!("With each of the {} operators that were tried instead, the answer is right.", number(right)))
        }
        (false, 0) => Some(format!("The answer is wrong, too, with {}.", lists.join(", and with "))),
        (false, _) => Some(format!(
            "The answer is wrong, too, with {}; with {} it is right.",
            lists.join(", and with "),
            others(right)
        )),
    }
}

fn others(count: usize) -> String {
    if count == 1 { "one other".to_string() } else { format!("{} others", number(count)) }
}

/// Describes how often a failure shows.
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

/// Formats a part for a sentence.
fn word(kind: PartKind, text: &str) -> String {
    match kind {
        PartKind::Option | PartKind::Command => format!("`{text}`"),
        PartKind::Tactic => format!("the tactic `{text}`"),
        PartKind::Push => "a push".to_string(),
        PartKind::Predecessors => "the scripts before it in the same process".to_string(),
    }
}
