//! The meaning of terms: values, models and the three-valued exact evaluator.

pub mod algebraic;
pub mod array;
pub mod cardinality;
mod choices;
pub mod domain;
pub mod eval;
pub mod exhaust;
pub mod float;
mod frame;
pub mod guard;
pub mod ite_chain;
pub mod judge;
pub mod limits;
pub mod literal;
pub mod meter;
pub mod model;
pub mod model_definitions;
pub mod model_reader;
pub mod open;
pub mod strings;
mod symbols;
pub mod theories;
pub mod totality;
pub mod unknown;
pub mod validate;
pub mod value;

pub use eval::Evaluator;
pub use judge::{Judge, Judgement};
pub use limits::Limits;
pub use meter::{Exhausted, Meter, Stop};
pub use model::{Interpretation, Model, Table};
pub use model_reader::{ReadError, read_model};
pub use unknown::{Reason, Unknown};
pub use validate::{Verdict, validate};
pub use value::Value;
