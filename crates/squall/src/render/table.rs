//! Tables of words, for a terminal and for Markdown.

use super::markdown;
use std::fmt::Write;

/// Where the cells of a column stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// A heading and the side on which its cells stand.
pub struct ReportColumn {
    heading: String,
    side: Side,
}

/// A column of words.
pub fn words(heading: impl Into<String>) -> ReportColumn {
    ReportColumn { heading: heading.into(), side: Side::Left }
}

/// A column of numbers.
pub fn numbers(heading: impl Into<String>) -> ReportColumn {
    ReportColumn { heading: heading.into(), side: Side::Right }
}

/// Rows of cells under headings.
pub struct Table {
    columns: Vec<ReportColumn>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = ReportColumn>) -> Table {
        Table { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row: cells that are missing are empty, cells beyond the last column are left out.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// A line for the headings and one for each row, with two blanks between columns.
    pub fn text(&self) -> String {
        let width = |(at, column): (usize, &ReportColumn)| {
            let cells = self.rows.iter().map(|row| row[at].as_str());
            std::iter::once(column.heading.as_str()).chain(cells).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().map(width).collect();
        let headings: Vec<String> = self.columns.iter().map(|column| column.heading.clone()).collect();
        let mut text = String::new();
        for row in std::iter::once(&headings).chain(&self.rows) {
            let cell = |((cell, &width), column): ((&String, &usize), &ReportColumn)| match column.side {
                Side::Left => format!("{cell:<width$}"),
                Side::Right => format!("{cell:>width$}"),
            };
            let cells: Vec<String> = row.iter().zip(&widths).zip(&self.columns).map(cell).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for column in &self.columns {
            // Writing to a string cannot fail.
            let _ = write!(text, "| {} ", markdown::spans(column.heading.clone()));
        }
        text.push_str("|\n|");
        for column in &self.columns {
            text.push_str(if column.side == Side::Left { "---|" } else { "---:|" });
        }
        text.push('\n');
        for row in &self.rows {
            for cell in row {
                let _ = write!(text, "| {} ", markdown::spans(cell.clone()));
            }
            text.push_str("|\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_is_written_in_two_ways() {
        let mut table = Table::new([words("bug"), numbers("CPU time"), words("about")]);
        table.row(["a|b".into(), "1 s".into(), "wrong by `x_y`".into()]);
        table.row(["longer".into(), "12 min".into()]);
        assert_eq!(
            table.text(),
            "bug     CPU time  about\n\
             a|b          1 s  wrong by `x_y`\n\
             longer    12 min\n"
        );
        assert_eq!(
            table.markdown(),
            "| bug | CPU time | about |\n|---|---:|---|\n| a\\|b | 1 s | wrong by `x_y` |\n| longer | 12 min |  |\n"
        );
    }

    #[test]
    fn cells_beyond_the_last_column_are_left_out() {
        let mut table = Table::new([words("a")]);
        table.row(["1".into(), "2".into()]);
        assert_eq!(table.text(), "a\n1\n");
    }
}
