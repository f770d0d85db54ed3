//! Causes as rows of a table, for the list of findings and the end of a campaign.

use crate::render::finding::headline;
use crate::render::plain::columns;
use crate::render::titles::SolverTitles;
use ::finding::{OptionGrade, Trust};
use triage::folder::CauseGroup;

/// The heading of the rows.
pub const HEAD: &str = "  #  class   kept   bytes  cause";
/// The column where the text of a row begins.
const INDENT: usize = 25;
/// The width of rows without a terminal, and the minimum on a terminal.
const WIDTH: usize = 80;
const LEAST: usize = 50;

/// The heading above causes that need experimental options; they come last.
const APART: &str = "Only with what the solver calls experimental, which its project may not want reported:";

/// The rows with their numbers, in order. A group that is not reduced has no number, since it may be of a listed cause.
pub fn rows<'g>(groups: &'g [CauseGroup<'g>], titles: &SolverTitles) -> Vec<String> {
    let mut told = 0;
    let width = columns().map_or(WIDTH, |columns| columns.max(LEAST));
    let number = |group: &CauseGroup<'_>| match group.is_cause() {
        false => "?".to_string(),
        true => {
            told += 1;
            told.to_string()
        }
    };
    let first_apart = groups.iter().position(|group| group.best().is_experimental());
    let rows = groups.iter().map(number).zip(groups).map(|(n, group)| row(&n, group, titles, width)).enumerate();
    rows.map(|(place, row)| match first_apart == Some(place) {
        true => format!("{APART}\n{row}"),
        false => row,
    })
    .collect()
}

/// The [`rows`], each with the folder of its finding.
pub fn rows_with_folders<'g>(groups: &'g [CauseGroup<'g>]) -> impl Iterator<Item = String> {
    let rows = rows(groups, &SolverTitles::of_user()).into_iter().zip(groups);
    rows.map(|(row, group)| format!("{row}\n     {}", group.best().folder.display()))
}

/// Returns a cause in a few lines of at most `width` columns: its number, class, number of findings, bytes of the script;
/// what the solver does wrong; the proof, and the releases that err.
fn row(n: &str, group: &CauseGroup<'_>, titles: &SolverTitles, width: usize) -> String {
    let best = group.best();
    let releases = best.releases();
    let solver = titles.of(&best.finding.solver.label);
    let mut told = vec![proof(&best.trust())];
    if best.reduced.is_none() {
        told.push(match group.members.len() {
            1 => "not reduced".to_string(),
            all => format!("the smallest of {all} that are not reduced"),
        });
    } else if !best.is_reduced() {
        told.push("its reduction ended early".to_string());
    }
    if releases.rows().len() > 1 {
        told.extend(releases.brief().map(|brief| format!("bad: {brief}")));
    }
    if best.grade() < OptionGrade::Default {
        told.push(format!("in the {} mode", best.grade()));
    } else if best.is_experimental() && best.finding.solver.experimental_options.is_empty() {
        told.push("needs an experimental theory".to_string());
    } else if best.grade() != OptionGrade::Default {
        // Only a run of the reduced script without them shows whether it needs them.
        let found = if best.reduced.is_some() { "needs" } else { "found under" };
        told.push(format!("{found} {} options", best.grade()));
    }
    let mut lines = wrapped(&headline(best, &solver), width);
    lines.extend(wrapped(&told.join("; "), width));
    let first = lines.remove(0);
    let head = format!("{n:>3}  {:<5} {:>6} {:>7}  {first}", best.finding.class, group.members.len(), best.bytes());
    let rest = lines.into_iter().map(|line| format!("{:INDENT$}{line}", ""));
    std::iter::once(head).chain(rest).collect::<Vec<_>>().join("\n")
}

/// Returns the basis of the verdict, for people who do not know the trust levels.
fn proof(trust: &Trust) -> String {
    match trust {
        Trust::Exhausted => "proven without any solver".to_string(),
        Trust::Observed => "seen in the run itself".to_string(),
        Trust::Trusted(who) => format!("not proven; according to {who}"),
        Trust::Command => "according to the given command".to_string(),
        _ => "proven by an exact evaluator".to_string(),
    }
}

/// Wraps the text to fit next to the columns, in at least one line. A longer word gets its own line.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width - INDENT {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

#[cfg(test)]
#[path = "../../tests/unit/causes.rs"]
mod tests;
