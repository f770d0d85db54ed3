//! The results of a measurement, for a terminal, the documentation and a page, with tables for programs.

use super::plot::Plot;
use super::say::quoted;
use super::sheet::Sheet;
use super::{date, markup, report_files};
use crate::build;
use anyhow::Result;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The file's name in a report's folder.
const FIGURES: &str = "figures.md";

/// Where a part is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// Only on the page.
    Page,
    /// On the page and in the documentation's Markdown.
    Written,
    /// Also on the terminal.
    Everywhere,
}

/// The results, part by part.
pub struct Results {
    title: String,
    about: Vec<String>,
    footer: String,
    parts: Vec<(Shown, ResultPart)>,
}

#[derive(Serialize)]
enum ResultPart {
    Heading(String),
    Note(String),
    Sheet(Sheet),
    Plots(Vec<Plot>),
    Legend(Vec<(String, String)>),
}

impl Results {
    /// Results without parts. Text between backticks in `about` and in notes is code.
    pub fn new(title: impl Into<String>, about: impl Into<String>) -> Results {
        Results { title: title.into(), about: vec![about.into()], footer: String::new(), parts: Vec::new() }
    }

    /// Adds a sentence to those under the title.
    pub fn about(&mut self, sentence: String) {
        self.about.push(sentence);
    }

    /// Sets the page's footer.
    pub fn footer(&mut self, footer: String) {
        self.footer = footer;
    }

    /// Adds a heading.
    pub fn heading(&mut self, shown: Shown, heading: impl Into<String>) {
        self.parts.push((shown, ResultPart::Heading(heading.into())));
    }

    /// Adds a sentence.
    pub fn note(&mut self, shown: Shown, note: impl Into<String>) {
        self.parts.push((shown, ResultPart::Note(note.into())));
    }

    /// Adds sentences.
    pub fn notes(&mut self, shown: Shown, notes: impl IntoIterator<Item = String>) {
        notes.into_iter().for_each(|note| self.note(shown, note));
    }

    /// Adds a table.
    pub fn sheet(&mut self, shown: Shown, sheet: Sheet) {
        self.parts.push((shown, ResultPart::Sheet(sheet)));
    }

    /// Adds plots to the page, if there are any.
    pub fn plots(&mut self, plots: Vec<Plot>) {
        if !plots.is_empty() {
            self.parts.push((Shown::Page, ResultPart::Plots(plots)));
        }
    }

    /// Adds a legend of colour names to the page.
    pub fn legend(&mut self, legend: Vec<(String, String)>) {
        self.parts.push((Shown::Page, ResultPart::Legend(legend)));
    }

    /// Returns the text for a terminal.
    pub fn text(&self) -> String {
        let text = |(shown, part): &(Shown, ResultPart)| match part {
            _ if *shown != Shown::Everywhere => String::new(),
            ResultPart::Heading(text) | ResultPart::Note(text) => format!("{text}\n"),
            ResultPart::Sheet(sheet) => sheet.text(),
            ResultPart::Plots(_) | ResultPart::Legend(_) => String::new(),
        };
        self.parts.iter().map(text).collect()
    }

    fn markdown(&self) -> impl Iterator<Item = String> {
        self.parts.iter().filter(|(shown, _)| *shown >= Shown::Written).map(|(_, part)| match part {
            ResultPart::Heading(text) => format!("**{text}**"),
            ResultPart::Note(text) => text.clone(),
            ResultPart::Sheet(sheet) => sheet.markdown(),
            ResultPart::Plots(_) | ResultPart::Legend(_) => String::new(),
        })
    }

    fn page(&self) -> Result<String> {
        let parts: Vec<&ResultPart> = self.parts.iter().map(|(_, part)| part).collect();
        let values = context! {
            title => &self.title,
            about => &self.about,
            footer => &self.footer,
            parts => Value::from(Serde(&parts)),
        };
        let page = include_str!("templates/results.html.j2");
        markup::page(
            &markup::templates(&[("chart.html", markup::CHART), ("results.html", page)])?,
            "results.html",
            values,
        )
    }

    /// Writes index.html, figures.md, results.json with the build, and the tables.
    /// Errors: a file cannot be written.
    pub fn publish(&self, out: &Path, json: serde_json::Value, tables: &[(&str, Sheet)]) -> Result<()> {
        self.write(out, json, tables)?;
        print!("{}", self.text());
        println!("{}", out.join("index.html").display());
        Ok(())
    }

    /// Writes the files of [`Results::publish`].
    /// Errors: a file cannot be written.
    pub fn write(&self, out: &Path, mut json: serde_json::Value, tables: &[(&str, Sheet)]) -> Result<()> {
        json["build"] = serde_json::json!(crate::build::here());
        let files = [
            ("results.json", report_files::json(&json)?),
            (FIGURES, figures(self.markdown())),
            ("index.html", self.page()?),
        ];
        let tables = tables.iter().map(|(name, sheet)| (*name, sheet.csv()));
        report_files::write(out, tables.chain(files))
    }
}

/// Tables and sentences below the command, the build, the day and the number of processors.
fn figures(parts: impl IntoIterator<Item = String>) -> String {
    let words = std::iter::once("squall".to_string()).chain(std::env::args().skip(1).map(|word| quoted(&word)));
    let command = words.collect::<Vec<_>>().join(" ");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let processors = ::solver::process::processors();
    let day = date::day(now);
    under(&format!("`{command}`, squall {}, {day}, {processors} processors:", build::WORDS), parts)
}

/// Parts separated by empty lines.
fn under(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("{head}\n");
    for part in parts.into_iter().filter(|part| !part.trim().is_empty()) {
        text.push('\n');
        text.push_str(part.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
#[path = "../../tests/unit/results.rs"]
mod tests;
