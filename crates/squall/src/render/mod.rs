//! Output that several subcommands share: lines of text, pages, and plots.

#[macro_use]
pub mod say;

pub mod axes;
pub mod causes;
pub mod color;
pub mod date;
pub mod finding;
pub mod markup;
pub mod plain;
pub mod plot;
pub mod progress;
pub mod report_files;
pub mod results;
pub mod sheet;
pub mod titles;
