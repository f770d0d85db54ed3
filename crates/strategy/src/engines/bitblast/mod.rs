//! Bit-blasting: Boolean and bit-vector terms as circuits, and circuits as clauses.

pub mod encode;
pub mod gates;
pub mod translate;
mod words;

pub use encode::Encoder;
pub use gates::{Bit, Gate, Gates};
pub use translate::{Atoms, TranslateError, Translator, width_of};
pub use words::Word;
