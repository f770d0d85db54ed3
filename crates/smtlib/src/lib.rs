//! The SMT-LIB language: bytes to commands and typed, hash-consed terms, and back to text in a solver's dialect. No I/O.

pub mod build;
pub mod constant;
pub mod decl;
pub mod error;
pub mod extension_commands;
pub mod free_vars;
mod lexer;
pub mod literal;
pub mod logic;
mod name_set;
pub mod op;
pub mod parser;
pub mod printer;
mod recursive;
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
pub use constant::Constant;
pub use decl::{Binder, Case, Constructor, Datatype, Func, FuncBody, FuncId};
pub use error::Error;
pub use op::{Kind, Op};
pub use parser::{Parsed, Scope, parse, parse_bytes, parse_commands, parse_term};
pub use printer::{Dialect, Printer};
pub use script::{Command, Instance, Instances, Live, OpaqueReason, Script, Status};
pub use sort::{DatatypeId, Sort, SortId};
pub use symbol::Symbol;
pub use term::{Store, TermId};
