//! The SMT-LIB language: bytes to commands and typed, hash-consed terms, and back to text in a solver's dialect. No I/O.
//!
//! A script is read into a store of terms; each of its checks is an instance:
//!
//! ```
//! use smtlib::{Store, parse};
//!
//! let mut store = Store::new();
//! let text = "(declare-const x Int) (push 1) (assert (> x 2)) (check-sat) (pop 1) (check-sat)";
//! let parsed = parse(&mut store, text);
//! assert!(parsed.errors.is_empty());
//!
//! let instances = parsed.script.instances();
//! assert_eq!(store.term_text(instances[0].assertions[0]), "(> x 2)");
//! assert!(instances[1].assertions.is_empty());
//! ```

pub mod build;
pub mod constant;
pub mod decl;
pub mod error;
pub mod extension_commands;
pub mod free_vars;
mod lexer;
pub mod literal;
pub mod logic;
pub mod name_set;
pub mod names;
pub mod op;
pub mod parser;
pub mod printer;
mod rewrite;
pub mod script;
pub mod sexpr;
pub mod signature;
pub mod sort;
mod standard;
mod store_names;
pub mod strategy;
pub mod symbol;
pub mod term;
pub mod theories;

pub use build::BuildError;
pub use constant::{Constant, FieldOrder, OrderError};
pub use decl::{Binder, Constructor, Datatype, Func, FuncBody, MatchCase};
pub use error::Error;
pub use extension_commands::OpaqueReason;
pub use names::{BOOLEAN_OPTIONS, ERROR_NEXT, NUMERAL_OPTIONS, THEORY, plain_name};
pub use op::{Kind, Op};
pub use parser::{Parsed, Scope, parse, parse_application, parse_bytes, parse_commands, parse_sort, parse_term};
pub use printer::{Dialect, Printer};
pub use script::{Command, Instance, Instances, Live, Script, Status};
pub use sort::{DatatypeId, MAX_TUPLE, Sort, SortId};
pub use symbol::{FuncId, Symbol, TermId};
pub use term::Store;
