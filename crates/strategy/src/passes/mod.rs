//! Passes that lead to the engines: they end in the language an engine decides, where those of the crate `rewrite` simplify.

pub mod bit_blast;
pub mod fp_to_bv;

use rewrite::RewritePass;

/// All of them, by name.
pub static PASSES: &[&dyn RewritePass] = &[&bit_blast::BitBlast, &fp_to_bv::FpToBv];
