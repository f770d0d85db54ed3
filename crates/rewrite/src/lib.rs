//! Goals and the passes that rewrite them, shared by the fuzzing solver and the strategies.
//!
//! A [`Goal`] is a conjunction of formulas. A [`RewritePass`] turns one goal into another, a [`Split`] into several of which one must be
//! satisfiable; both return a [`ModelConverter`] for every new goal, which converts a model of the new goal to a model of the old one.
//! Anything else (answers, proofs, parallelism, time) belongs to tactics in the crate `strategy`, which wraps each pass as a tactic of
//! the same name.
//!
//! Invariant: the goals are equisatisfiable to the old one as far as their [`Precision`] promises, and every formula's [`Origins`] name
//! assertions of the input from which the formula follows together with definitions of fresh symbols.
//!
//! Passes are run by their names; here they decide the goal, and the converter gives a model of the input:
//!
//! ```
//! use rewrite::{Goal, GoalStatus, PassSettings, Stop, Wants, pipeline};
//! use semantics::{Model, Verdict, validate};
//!
//! let mut store = smtlib::Store::new();
//! let text = "(declare-const x Int) (declare-const y Int) (assert (= x 3)) (assert (= y (+ x 1))) (check-sat)";
//! let assertions = &smtlib::parse(&mut store, text).script.instances()[0].assertions;
//! let settings = PassSettings::default();
//! let goal = Goal::of(&mut store, assertions, Wants::MODELS, &settings)?;
//! let step = pipeline::run(&mut store, &["solve-eqs"], goal, &settings)?;
//! assert_eq!(step.goal.status(&store), GoalStatus::Sat);
//! let model = step.converter.convert(&mut store, Model::new(), &Stop::default())?;
//! assert_eq!(validate(&store, assertions, model), Verdict::Valid);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod commuting;
pub mod complete;
pub mod converter;
pub mod definitions;
pub mod eliminate;
pub mod fresh;
pub mod goal;
pub mod interval;
pub mod linear;
pub mod normal_form;
pub mod origins;
pub mod pass;
pub mod passes;
pub mod pipeline;
pub mod polynomial;
pub mod quantifier;
pub mod settings;
pub mod simplify;
pub mod substitute;
pub mod values;
pub mod walk;

pub use converter::{Conversion, Convert, ConvertError, ModelConverter};
pub use fresh::FreshSymbols;
pub use goal::{Goal, GoalFormula, GoalScope, GoalStatus, Precision, Wants};
pub use origins::Origins;
pub use pass::{Example, PassResult, RewritePass, Stop};
pub use passes::splits::Split;
pub use settings::{Params, PassError, PassLimits, PassSettings, TacticParameter};
