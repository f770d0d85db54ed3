//! The `squall` command line.
fn main() {}
