//! Mutants a second of fusion, printing included: `cargo bench -p mutate --bench fusion`.

#[path = "support/mod.rs"]
mod support;

fn main() {
    support::report("fusion");
}
