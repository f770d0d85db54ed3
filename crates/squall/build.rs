//! Links the program at a fixed address, where the linker can.
//!
//! A position-independent program has some 45,000 addresses relocated at every start, which touches 200 pages: a third of what it
//! costs to start. `squall solve` is called once a problem, and next to a solver that takes 10 ms its start counts.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
