//! Tables of typed cells, written as text for a terminal, as Markdown, as HTML and as comma-separated values.

use super::axes::{time_text, trimmed};
use super::markup;
use finding::BugClass;
use serde::Serialize;

/// One value: the text for people, and the one for programs if it differs.
#[derive(Clone, Default, Debug, Serialize)]
pub struct SheetCell {
    shown: String,
    #[serde(skip)]
    raw: Option<String>,
    /// Its CSS classes on a page.
    style: String,
}

impl SheetCell {
    /// Returns a time: `1.5 s` for people, seconds to the millisecond for programs.
    pub fn seconds(seconds: f64) -> SheetCell {
        SheetCell { raw: Some(format!("{seconds:.3}")), ..time_text(seconds).into() }
    }

    /// Returns a number with at most this many decimals.
    pub fn number(value: f64, decimals: usize) -> SheetCell {
        SheetCell { raw: Some(format!("{value:.decimals$}")), ..trimmed(value, decimals, "").into() }
    }

    /// Adds the colour of a warning, if it is one.
    pub fn warning(mut self, is_one: bool) -> SheetCell {
        self.style = if is_one { "warn" } else { "" }.to_string();
        self
    }

    /// Sets a monospaced font, as for paths.
    pub fn path(mut self) -> SheetCell {
        self.style = "path".to_string();
        self
    }

    fn csv(&self) -> String {
        let text = self.raw.as_ref().unwrap_or(&self.shown);
        let is_plain = !text.contains([',', '"', '\n', '\r']);
        if is_plain { text.clone() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
    }
}

impl From<String> for SheetCell {
    fn from(shown: String) -> SheetCell {
        SheetCell { shown, ..SheetCell::default() }
    }
}

impl From<BugClass> for SheetCell {
    fn from(class: BugClass) -> SheetCell {
        SheetCell { style: format!("badge c{class}"), ..class.to_string().into() }
    }
}

/// An unknown value is a dash for people, and empty for programs.
impl<T: Into<SheetCell>> From<Option<T>> for SheetCell {
    fn from(value: Option<T>) -> SheetCell {
        value.map_or_else(|| SheetCell { raw: Some(String::new()), ..SheetCell::from("–") }, Into::into)
    }
}

macro_rules! cells_of {
    ($($kind:ty),*) => {
        $(impl From<$kind> for SheetCell {
            fn from(value: $kind) -> SheetCell {
                value.to_string().into()
            }
        })*
    };
}
cells_of!(&str, &String, bool, i64, u32, u64, usize);

/// A row of values of different types.
macro_rules! cells {
    ($($value:expr),* $(,)?) => {
        [$($crate::render::sheet::SheetCell::from($value)),*]
    };
}
pub(crate) use cells;

/// A heading and the alignment of its cells.
#[derive(Serialize)]
pub struct SheetColumn {
    heading: String,
    is_number: bool,
}

/// Returns a column of words.
pub fn words(heading: impl Into<String>) -> SheetColumn {
    SheetColumn { heading: heading.into(), is_number: false }
}

/// Returns a column of numbers.
pub fn numbers(heading: impl Into<String>) -> SheetColumn {
    SheetColumn { heading: heading.into(), is_number: true }
}

/// Rows of cells under headings.
#[derive(Serialize)]
pub struct Sheet {
    columns: Vec<SheetColumn>,
    rows: Vec<Vec<SheetCell>>,
}

impl Sheet {
    /// Makes a table without rows.
    pub fn new(columns: impl IntoIterator<Item = SheetColumn>) -> Sheet {
        Sheet { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Returns a table whose headings are a comma-separated text and `more`.
    pub fn of<'h>(headings: &'h str, more: impl IntoIterator<Item = &'h str>) -> Sheet {
        Sheet::new(headings.split(',').chain(more).map(words))
    }

    /// Adds a row. Missing cells are empty; extra cells are dropped.
    pub fn row(&mut self, cells: impl IntoIterator<Item = SheetCell>) {
        let mut row: Vec<SheetCell> = cells.into_iter().collect();
        row.resize(self.columns.len(), SheetCell::default());
        self.rows.push(row);
    }

    /// The table as text, with two spaces between columns.
    pub fn text(&self) -> String {
        let headings: Vec<&str> = self.columns.iter().map(|column| column.heading.as_str()).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|cell| cell.shown.as_str()).collect());
        let rows: Vec<Vec<&str>> = std::iter::once(headings).chain(rows).collect();
        let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        for row in &rows {
            let cell = |((cell, &width), column): ((&&str, &usize), &SheetColumn)| match column.is_number {
                false => format!("{cell:<width$}"),
                true => format!("{cell:>width$}"),
            };
            let cells: Vec<String> = row.iter().zip(&widths).zip(&self.columns).map(cell).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// Returns the table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.columns.iter().map(|column| markup::spans(column.heading.clone())).collect());
        text.push('|');
        for column in &self.columns {
            text.push_str(if column.is_number { "---:|" } else { "---|" });
        }
        text.push('\n');
        for row in &self.rows {
            text += &line(row.iter().map(|cell| markup::spans(cell.shown.clone())).collect());
        }
        text
    }

    /// Returns the table as comma-separated values (RFC 4180).
    pub fn csv(&self) -> String {
        let headings = self.columns.iter().map(|column| SheetCell::from(&column.heading).csv()).collect::<Vec<_>>();
        let rows = self.rows.iter().map(|row| row.iter().map(SheetCell::csv).collect());
        std::iter::once(headings).chain(rows).map(|row| row.join(",") + "\n").collect()
    }
}

#[cfg(test)]
#[path = "../../tests/unit/sheet.rs"]
mod tests;
