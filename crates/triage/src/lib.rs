//! From findings to causes: grouping, reducing and bisecting the findings of a campaign, and comparing them with a baseline.

pub mod answer_vector;
pub mod background;
pub mod baseline;
pub mod bisection;
pub mod causes;
pub mod folder;
pub mod progress;
pub mod reduction;
pub mod releases;
mod versions;
mod watched_writer;
mod words;

pub use words::error_text;
