//! Describes which of the installed releases are wrong.

use super::{FindingExplanation, TriedRelease};
use finding::{BugClass, SolverLabel};
use reduce::bisect::VersionVerdict;

/// Returns the clause that follows a sentence about the solver: how many releases do the same, or what each does.
pub fn clause(explanation: &FindingExplanation) -> String {
    let is_release = |row: &&TriedRelease| !SolverLabel::of(&row.solver).is_own_build();
    let rows: Vec<&TriedRelease> = explanation.releases.iter().filter(is_release).collect();
    let is_own = SolverLabel::of(&explanation.solver).is_own_build();
    let all_wrong = rows.iter().all(|row| row.did == VersionVerdict::Wrong);
    match rows.as_slice() {
        [] => String::new(),
        [one] if one.solver == explanation.solver => String::new(),
        [first, _, ..] if all_wrong => {
            let all = if rows.len() == 2 { "both".to_string() } else { format!("all {}", number(rows.len())) };
            format!(", as do {all} installed releases since {}", version(&first.solver))
        }
        [_, _, ..] => {
            format!("; of the {} installed releases {}", number(rows.len()), describe_all(&rows, explanation.class))
        }
        [one] if is_own => format!("; of the installed release {}", describe_all(&[one], explanation.class)),
        [one] => format!("; of the other installed release {}", describe_all(&[one], explanation.class)),
    }
}

/// Describes what each of the releases does, the wrong ones first.
fn describe_all(rows: &[&TriedRelease], class: BugClass) -> String {
    let verbs = |did: VersionVerdict| match did {
        VersionVerdict::Wrong => class.row().errs,
        VersionVerdict::Right => class.row().is_right,
        VersionVerdict::Undecided => ["does not decide it", "do not decide it"],
        VersionVerdict::Refused => ["refuses it", "refuse it"],
    };
    use VersionVerdict::{Refused, Right, Undecided, Wrong};
    let mut parts = Vec::new();
    for did in [Wrong, Right, Undecided, Refused] {
        let stretches = stretches(rows, did);
        let count = rows.iter().filter(|row| row.did == did).count();
        let [one, many] = verbs(did);
        if count > 0 {
            parts.push(format!("{} {}", listed(&stretches), if count == 1 { one } else { many }));
        }
    }
    listed(&parts)
}

/// Lists the versions with one verdict, joining neighbours: `4.8.5 to 4.16.0`. Marks those that show it only sometimes.
fn stretches(rows: &[&TriedRelease], did: VersionVerdict) -> Vec<String> {
    let mut parts = Vec::new();
    let mut stretch: Vec<&str> = Vec::new();
    let mut end = |stretch: &mut Vec<&str>| {
        match stretch.as_slice() {
            [] => {}
            [first, _, .., last] => parts.push(format!("{first} to {last}")),
            few => parts.extend(few.iter().map(ToString::to_string)),
        }
        stretch.clear();
    };
    let mut alone = Vec::new();
    for row in rows {
        match (row.did == did, row.shown) {
            (true, None) => stretch.push(version(&row.solver)),
            (true, Some(shown)) => {
                end(&mut stretch);
                alone.push(format!("{} in {} of {} runs", version(&row.solver), shown.shown, shown.runs));
            }
            (false, _) => end(&mut stretch),
        }
    }
    end(&mut stretch);
    parts.extend(alone);
    parts
}

/// Returns the version of a label, or the label itself.
fn version(label: &str) -> &str {
    SolverLabel::of(label).version.unwrap_or(label)
}

/// Formats a list for a sentence: `a`, `a and b`, `a, b and c`.
pub fn listed<T: AsRef<str>>(parts: &[T]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [rest @ .., last] => {
            let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", rest.join(", "), last.as_ref())
        }
    }
}

/// Formats a number for a sentence: spelled out up to twelve.
pub fn number(n: usize) -> String {
    const LETTERS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    LETTERS.get(n).map_or_else(|| n.to_string(), ToString::to_string)
}
