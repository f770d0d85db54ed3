//! A run as a page of Markdown, for a CI system's summary: the outcome, a table of the findings, and the scripts of failing ones.

use super::outcome::{CiOutcome, JudgedGroup};
use crate::exit::Exit;
use crate::render::markup;
use crate::render::say::{counted, quoted};
use anyhow::Result;
use minijinja::{Value, context};

const TEMPLATE: &str = include_str!("templates/summary.md.j2");

/// The maximum number of findings in the table. CI systems drop a summary that is too long, GitHub above one megabyte.
const ROWS: usize = 100;
/// The maximum number of failing findings shown in full.
const SCRIPTS: usize = 10;
/// The maximum number of shown lines of a script.
const SCRIPT_LINES: usize = 100;

/// Returns the summary of a run.
/// Errors: a malformed template.
pub fn markdown(outcome: &CiOutcome) -> Result<String> {
    let failing: Vec<&JudgedGroup> = outcome.judged.iter().filter(|one| one.fails()).collect();
    let mut templates = markup::templates(&[("summary.md", TEMPLATE)])?;
    markup::add_filters(&mut templates);
    let values = context! {
        headline => headline(outcome, failing.len()),
        verdict => outcome.verdict(),
        change => outcome.change.clone(),
        rows => outcome.judged.iter().take(ROWS).map(row).collect::<Vec<Value>>(),
        rows_left => outcome.judged.len().saturating_sub(ROWS),
        scripts => failing.iter().take(SCRIPTS).map(|one| script(outcome, one)).collect::<Vec<Value>>(),
        scripts_left => failing.len().saturating_sub(SCRIPTS),
    };
    Ok(templates.get_template("summary.md")?.render(values)?)
}

fn headline(outcome: &CiOutcome, failing: usize) -> String {
    match outcome.exit() {
        Exit::Clean => "no new findings".to_string(),
        Exit::Found => counted(failing, "new or proven finding"),
        _ => "undecided".to_string(),
    }
}

fn row(one: &JudgedGroup) -> Value {
    let verdict = if one.fails() { format!("**{}**", one.word()) } else { one.word().to_string() };
    context! { verdict, class => one.class.letter(), text => one.summary.clone(), bytes => one.text.len() }
}

fn script(outcome: &CiOutcome, one: &JudgedGroup) -> Value {
    context! {
        class => one.class.letter(),
        bytes => one.text.len(),
        text => one.summary.clone(),
        trust => one.trust.to_string(),
        script => one.excerpt(SCRIPT_LINES),
        contrast => outcome.contrast(one),
        about_reduced => one.about_reduced.clone(),
        command => format!("squall replay {}", quoted(&one.folder.display().to_string())),
    }
}
