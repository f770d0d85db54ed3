//! Differences inside the search: the graph against Floyd and Warshall, the engine against others that decide the same.

mod engine;
mod graph;
pub mod shops;
