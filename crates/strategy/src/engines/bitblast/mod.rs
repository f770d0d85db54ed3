//! Bit-blasting: Boolean and bit-vector terms as circuits, and circuits as clauses.

#[cfg(feature = "sat")]
pub mod encode;
pub mod gates;
pub mod translate;
mod words;

#[cfg(feature = "sat")]
pub use encode::Encoder;
pub use gates::{Bit, Gate, GateLimit, Gates, gate_clauses};
pub use translate::{Atoms, TranslateError, Translator, width_of};
pub use words::BitWord;
