//! Differences inside the search: the graph against Floyd and Warshall, the engine against others that decide the same.

mod engine;
mod graph;
mod optimum;
pub mod shops;
