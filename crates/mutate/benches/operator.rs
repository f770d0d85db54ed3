//! Mutants a second of operator mutation, printing included: `cargo bench -p mutate --bench operator`.

#[path = "support/mod.rs"]
mod support;

fn main() {
    support::report("operator");
}
