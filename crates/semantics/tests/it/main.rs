//! Tests of values, operations, models and exhaustion, in one binary of which each file is a module.
//!
//! A test that changes or measures its own process is a separate binary next to this folder.

mod algebraic_numbers;
mod bags;
mod choices;
mod deep_terms;
mod domains;
mod eval_core;
mod eval_structures;
mod exhaust;
mod finite_fields;
mod float_apfloat;
mod float_hardware;
mod float_operands;
mod float_oracle;
mod float_solvers;
mod float_wide;
mod guards;
mod judge;
mod laws;
mod maps;
mod meter;
mod models;
mod models_dialects;
mod models_odd;
mod sets;
mod solver_models;
mod strings_escapes;
mod strings_laws;
mod strings_operations;
mod strings_regex;
mod strings_solvers;
mod strings_support;
mod support;
mod traversals;
mod truth;
mod values;
mod wiring;
