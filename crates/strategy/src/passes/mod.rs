//! Passes for the engines: their results are in an engine's language, while those of the crate `rewrite` simplify.

pub mod bit_blast;
pub mod fp_to_bv;

use rewrite::RewritePass;

/// All passes, by name.
pub static PASSES: &[&dyn RewritePass] = &[&bit_blast::BitBlast, &fp_to_bv::FpToBv];
