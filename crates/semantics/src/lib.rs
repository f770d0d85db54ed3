//! The meaning of terms: values, models and the three-valued exact evaluator.
//!
//! A solver's model is read and checked:
//!
//! ```
//! use semantics::{EvalLimits, Evaluator, Value, Verdict, read_model, validate};
//!
//! let mut store = smtlib::Store::new();
//! let script = smtlib::parse(&mut store, "(declare-const x Int) (assert (= (mod x 7) 2)) (check-sat)").script;
//! let instance = &script.instances()[0];
//! let model = read_model(&mut store, instance, "((define-fun x () Int (- 5)))")?;
//! assert_eq!(validate(&store, &instance.assertions, model.clone()), Verdict::Valid);
//!
//! let remainder = store.args(instance.assertions[0])[0];
//! assert_eq!(Evaluator::new(model, EvalLimits::default()).eval(&store, remainder), Ok(Value::Int(2.into())));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod algebraic;
pub mod array;
pub mod cardinality;
mod cells;
mod choices;
pub mod collections;
pub mod domain;
pub mod eval;
mod exhaust;
pub mod float;
mod frame;
pub mod guard;
pub mod ite_chain;
pub mod judge;
pub mod limits;
pub mod literal;
mod measure;
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
mod traversal;
pub mod truth;
mod univariate;
pub mod unknown;
pub mod validate;
pub mod value;
mod words;

pub use eval::Evaluator;
pub use judge::{Judgement, ModelJudge};
pub use limits::EvalLimits;
pub use meter::{Exhausted, Meter, Stop};
pub use model::{FunctionTable, Interpretation, Model};
pub use model_reader::{ModelReadError, read_model};
pub use unknown::{Unknown, UnknownReason};
pub use validate::{Verdict, validate};
pub use value::Value;
