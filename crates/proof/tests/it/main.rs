//! Tests of the crate's public face.

mod print;
