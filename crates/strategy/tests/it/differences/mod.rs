//! Differences inside of the search: the graph against Floyd and Warshall, the engine against what else decides the same.

mod engine;
mod graph;
mod optimum;
pub mod shops;
