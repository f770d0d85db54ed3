//! The quick search: nested loops over numbered values, with every operator's results remembered.
//!
//! The assertions are compiled to straight-line code over registers that hold numbers of values. Each constant is a loop,
//! and so is each variable of a quantifier; code stands in the outermost loop whose variable it needs. The first time an
//! operator meets some values, the plain evaluator computes the result; after that it is looked up. So all meaning comes from
//! the evaluator, whatever the theory, and a repetition costs some nanoseconds.
//!
//! What the code cannot tell (an open value, an operator it has no instruction for) is an unknown number, and an assignment that is
//! left undecided is given to the plain search.

mod compile;
mod run;
mod values;

pub(super) use run::{QuickEnd, run};

use smtlib::{Op, SortId};

/// The place of a value's number during a run.
type Register = u32;

/// The place of a loop in [`QuickProgram::loops`]. The first one has no variable: its code runs once.
type LoopId = usize;

/// The code of the assertions.
struct QuickProgram {
    loops: Vec<Loop>,
    /// The loops of the constants, the outermost first, after loop 0.
    constants: Vec<LoopId>,
    /// What the registers hold at the beginning: literals, and unknown numbers.
    registers: Vec<u32>,
    operators: Vec<MemoOperator>,
}

/// An operator whose results are remembered, at one result sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct MemoOperator {
    op: Op,
    sort: SortId,
}

/// One variable's values, and what depends on it.
#[derive(Default)]
struct Loop {
    /// Where the variable's value goes.
    variable: Register,
    /// Its values.
    values: Vec<u32>,
    code: Vec<Instruction>,
    /// The assertions known here.
    checks: Vec<Register>,
}

/// One instruction; the first register is where the result goes.
enum Instruction {
    Not(Register, Register),
    And(Register, Box<[Register]>),
    Or(Register, Box<[Register]>),
    /// Condition, then, else.
    Ite(Register, [Register; 3]),
    /// All the same.
    Equal(Register, Box<[Register]>, usize),
    /// An operator, by its place among the operators, on up to two arguments.
    Unary(Register, usize, Register),
    Binary(Register, usize, [Register; 2]),
    /// An operator on another number of arguments.
    Many(Register, usize, Box<[Register]>),
    /// A quantifier: its loops from the outermost inwards, the body, and whether it is `exists`.
    Quantifier(Register, Box<[LoopId]>, Register, bool),
}
