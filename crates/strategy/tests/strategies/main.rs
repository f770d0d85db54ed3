//! Strategies as a whole: laws, answers, threads, sessions, and no wrong answers.

mod answers;
mod defaults;
mod equisatisfiable;
mod laws;
mod overhead;
mod parallel;
mod portfolio;
mod probes;
mod sessions;
mod soundness;
mod support;
