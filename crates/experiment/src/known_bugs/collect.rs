//! Makes a list of known bugs from reduced findings: how each was found, the last release that has it, and the first without it.

use super::manifest::{BugList, BugRow, EMBEDDED};
use finding::BugSeverity;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use triage::folder::{CampaignFindings, CauseGroup, Triaged};

/// The maximum length of the part of a bug's name that says how the bug is found.
const LONGEST: usize = 24;

/// Lists the causes that a later release has fixed and that fuzzing can find again, from a seed file, an embedded seed, or generated
/// problems. Crashes, wrong answers and wrong models count, unless they only show after other scripts in the same process. Causes with
/// equal rows become one row.
pub fn collect(findings: &CampaignFindings) -> BugList {
    let mut bug: Vec<BugRow> = Vec::new();
    for row in findings.groups().iter().filter_map(row_of_group) {
        // Rows that differ only in the fuzzed release, and end at the same release, are one bug.
        let end = |row: &BugRow| row.last.clone().or(row.solver.clone());
        let rest = |row: &BugRow| BugRow { id: String::new(), solver: None, last: None, ..row.clone() };
        let same = |other: &BugRow| end(other) == end(&row) && rest(other) == rest(&row);
        if !bug.iter().any(same) {
            bug.push(row);
        }
    }
    let mut taken = BTreeSet::new();
    for row in &mut bug {
        let stem = name(row);
        let numbered = (1..).map(|n| if n == 1 { stem.clone() } else { format!("{stem}.{n}") });
        row.id = numbered.into_iter().find(|id| taken.insert(id.clone())).unwrap_or(stem);
    }
    BugList { bug }
}

/// Returns the row of the first member that has one.
fn row_of_group(group: &CauseGroup<'_>) -> Option<BugRow> {
    group.members[..group.reduced].iter().find_map(|member| row(member))
}

fn row(triaged: &Triaged) -> Option<BugRow> {
    let finding = &triaged.finding;
    let is_told = finding.class.severity() < BugSeverity::Minor;
    if !is_told || triaged.is_experimental() || !triaged.earlier.is_empty() {
        return None;
    }
    let releases = triaged.releases();
    let (last, fixed) = releases.end_of(&finding.solver.label)?;
    let mutator = finding.mutator.as_ref()?;
    let theory = mutator.parameters.get("theory");
    let is_there = |name: &&str| name.starts_with(EMBEDDED) || Path::new(name).is_file();
    let seed = match (theory, finding.seed_name().filter(is_there)) {
        (Some(_), _) => None,
        // A second seed is drawn among all seeds.
        (None, Some(name)) => Some(PathBuf::from(name)),
        (None, None) => return None,
    };
    let mut fuzz = format!("--mutator '{}'", mutator.name);
    if let Some(theory) = theory {
        fuzz.push_str(&format!(" --theory {theory}"));
    }
    let tactic = Some(triaged.mode()).filter(|mode| !matches!(*mode, "plain" | "incremental"));
    Some(BugRow {
        seed,
        solver: Some(finding.solver.label.clone()),
        last: (last != finding.solver.label).then(|| last.to_string()),
        fixed: Some(fixed.to_string()),
        class: Some(finding.class.to_string()),
        options: triaged.options().join(" "),
        tactic: tactic.map(str::to_string),
        fuzz,
        ..BugRow::default()
    })
}

/// Returns a name of the last release that has the bug, its class, and how it is found.
fn name(row: &BugRow) -> String {
    let about = match (&row.tactic, &row.seed) {
        (Some(tactic), _) => tactic.clone(),
        (None, Some(seed)) => seed.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        (None, None) => row.fuzz.rsplit(' ').next().unwrap_or_default().to_string(),
    };
    let about = about.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let about: String = about.collect::<Vec<_>>().join("-").chars().take(LONGEST).collect();
    let last = row.last.as_ref().or(row.solver.as_ref()).map(|label| label.replace(['@', '+'], "-"));
    [last.as_deref(), row.class.as_deref(), Some(about.trim_end_matches('-'))]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_of_folders() {
        let check = |row: BugRow, expect: &str| assert_eq!(name(&row), expect);
        let row = BugRow { solver: Some("z3@4.8.7".into()), class: Some("A".into()), ..BugRow::default() };
        check(BugRow { fuzz: "--mutator 'finite' --theory strings".into(), ..row.clone() }, "z3-4.8.7-A-strings");
        check(BugRow { seed: Some("embedded:QF_S/a_b.smt2".into()), ..row.clone() }, "z3-4.8.7-A-a-b");
        let tactic = Some("(then simplify (repeat solve-eqs) smt)".to_string());
        check(BugRow { last: Some("z3+str3@4.9".into()), tactic, ..row }, "z3-str3-4.9-A-then-simplify-repeat-sol");
    }
}
