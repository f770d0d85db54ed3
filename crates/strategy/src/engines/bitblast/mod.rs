//! Bit-blasting: Boolean and bit-vector terms as circuits, and circuits as clauses.

#[cfg(feature = "sat")]
pub mod encode;
pub mod gates;
pub mod translate;
mod tseitin;
mod words;

#[cfg(feature = "sat")]
pub use encode::Encoder;
pub use gates::{Bit, Gate, GateLimit, Gates};
pub use translate::{Atoms, TranslateError, Translator, width_of};
pub use tseitin::gate_clauses;
pub use words::BitWord;
