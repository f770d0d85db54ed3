//! Strategies as a whole: laws, answers, threads, sessions, and no wrong answers.

mod answers;
mod claims;
mod cooperation;
mod defaults;
mod equisatisfiable;
mod goals;
mod laws;
mod open_values;
mod oracle;
mod probes;
mod refine;
mod sessions;
mod soundness;
pub mod support;
mod worlds;
mod z3_names;
