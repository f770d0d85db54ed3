//! A program that misbehaves on request.
fn main() {}
