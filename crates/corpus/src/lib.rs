//! The corpus: seeds, what their labels say, and the corpora that are kept.

pub mod seed;
pub mod status;
pub mod stored;
