//! The page with the history of all causes.

use crate::render::date::day;
use triage::ledger::{KnownCause, Ledger, Sighting};

/// The page as Markdown: present causes, the newest first, then gone ones.
pub fn markdown(ledger: &Ledger) -> String {
    let mut all: Vec<(&String, &KnownCause)> = ledger.causes.iter().collect();
    all.sort_by_key(|(id, cause)| (cause.gone.is_some(), std::cmp::Reverse(cause.first.night), cause.class, *id));
    let mut text = format!(
        "# Causes\n\nAfter {} nights, {} causes are present and {} are gone.\n\n\
         | cause | class | first seen | last seen | gone since | hits | bytes | what is wrong |\n|---|---|---|---|---|---:|---:|---|\n",
        ledger.nights,
        ledger.present().count(),
        ledger.causes.len() - ledger.present().count(),
    );
    for (id, cause) in all {
        text.push_str(&format!(
            "| [{id}](findings/{id}) | {} | {} | {} | {} | {} | {} | {} |\n",
            cause.class,
            seen(&cause.first),
            seen(&cause.last),
            cause.gone.as_ref().map(seen).unwrap_or_default(),
            cause.hits,
            cause.bytes,
            cell(&cause.summary),
        ));
    }
    text
}

/// A night with its date and program.
fn seen(sighting: &Sighting) -> String {
    format!("night {}, {}, {}", sighting.night, day(sighting.at), cell(&sighting.program))
}

/// Escapes a text for a table cell, without links or tags.
fn cell(text: &str) -> String {
    let escaped = |c: char| match c {
        '|' | '[' | ']' | '<' | '>' | '`' | '*' | '_' | '\\' => format!("\\{c}"),
        c if c.is_control() => " ".to_string(),
        c => c.to_string(),
    };
    text.chars().map(escaped).collect()
}
