//! Mutants a second of generative mutation, printing included: `cargo bench -p mutate --bench generative`.

#[path = "support/mod.rs"]
mod support;

fn main() {
    support::report("generative");
}
