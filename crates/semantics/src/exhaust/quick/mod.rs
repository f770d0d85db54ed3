//! The quick search: nested loops over numbered values, with every operator's results remembered.
//!
//! The assertions are compiled to straight-line code over registers that hold numbers of values. Each constant is a loop, and
//! so is each variable of a quantifier; code is in the outermost loop whose variable it needs. When an operator gets new
//! values, the plain evaluator computes the result; after that it is looked up. So all semantics come from the evaluator, and
//! a repetition costs some nanoseconds.
//!
//! Values that the code cannot compute (open values, operators without an instruction) are an unknown number, and undecided
//! assignments are left to the plain search.

mod compile;
mod run;
mod values;

pub(super) use run::{QuickEnd, run};

use smtlib::{Op, SortId};

/// The register of a value's number.
type Register = u32;

/// The index of a loop in [`QuickProgram::loops`]. The first one has no variable: its code runs once.
type LoopId = usize;

/// The code of the assertions.
struct QuickProgram {
    loops: Vec<Loop>,
    /// The loops of the constants, the outermost first, after loop 0.
    constants: Vec<LoopId>,
    /// The initial registers: literals, and unknown numbers.
    registers: Vec<u32>,
    operators: Vec<MemoOperator>,
}

/// An operator with memoised results, at one result sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct MemoOperator {
    op: Op,
    sort: SortId,
}

/// One variable's values, and the code that depends on it.
#[derive(Default)]
struct Loop {
    /// The register of the variable.
    variable: Register,
    /// Its values.
    values: Vec<u32>,
    code: Vec<Instruction>,
    /// The assertions known here.
    checks: Vec<Register>,
}

/// One instruction; the first register is the destination.
enum Instruction {
    Not(Register, Register),
    And(Register, Box<[Register]>),
    Or(Register, Box<[Register]>),
    /// Condition, then, else.
    Ite(Register, [Register; 3]),
    /// All the same.
    Equal(Register, Box<[Register]>, usize),
    /// An operator, by index, on up to two arguments.
    Unary(Register, usize, Register),
    Binary(Register, usize, [Register; 2]),
    /// An operator on another number of arguments.
    Many(Register, usize, Box<[Register]>),
    /// A quantifier: its loops from the outermost inwards, the body, and whether it is `exists`.
    Quantifier(Register, Box<[LoopId]>, Register, bool),
}
