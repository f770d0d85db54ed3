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
pub mod order;
pub mod strings;
mod symbols;
pub mod theories;
pub mod totality;
pub mod unknown;
pub mod validate;
pub mod value;

pub use eval::Evaluator;
pub use judge::{Judgement, ModelJudge};
pub use limits::EvalLimits;
pub use meter::{Exhausted, Meter, Stop};
pub use model::{FunctionTable, Interpretation, Model};
pub use model_reader::{ModelReadError, read_model};
pub use unknown::{Unknown, UnknownReason};
pub use validate::{Verdict, validate};
pub use value::Value;
