//! Measures what an instrumented build of a solver executed: lines, functions, branches or edges, by its own counters.

mod detect;
mod edges;
mod error;
mod gcov;
mod gcov_data;
mod gcov_file;
mod gcov_notes;
mod instrumented;
mod items;
mod lcov;
mod llvm;
mod set;
mod shared_map;

pub use detect::Instrumentation;
pub use edges::{EDGE_RUNTIME, EdgeBuild};
pub use error::CoverageError;
pub use gcov::read_object;
pub use instrumented::InstrumentedBuild;
pub use items::{CoverageItem, CoverageItems, CoverageUnit, readable_name};
pub use lcov::read as read_tracefile;
pub use set::CoverageSet;
