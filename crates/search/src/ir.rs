//! The program of a formula: a flat list of typed operations in single assignment, one segment per constraint.

use crate::layout::Layout;
use crate::types::Ty;
use smtlib::Op;

/// A value of the program: the index of the operation that computes it.
pub type Id = u32;

/// The code of an operation. `a`, `b`, `c` are its arguments, `w` the width of its result; all values are words unless the operation is
/// [`OpCode::Exact`], [`OpCode::Input`], [`OpCode::Const`], [`OpCode::Limb`] or [`OpCode::Ite`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum OpCode {
    /// The slot of number `imm` of the input.
    Input,
    /// `imm`, or the wide constant of that number.
    Const,
    /// `b` if `a`, else `c`.
    Ite,
    /// Word `imm` of the wide vector `a`.
    Limb,
    /// An SMT-LIB operator, number `imm` of [`Program::operators`], with exact semantics.
    Exact,

    /// Bitwise complement.
    Not,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Whether the words are the same.
    Eq,
    /// Sum modulo 2^w.
    Add,
    /// Difference modulo 2^w.
    Sub,
    /// Product modulo 2^w.
    Mul,
    /// Negation modulo 2^w.
    Neg,
    /// `bvudiv`: all ones when `b` is 0.
    Udiv,
    /// `bvurem`: `a` when `b` is 0.
    Urem,
    /// `bvsdiv`.
    Sdiv,
    /// `bvsrem`.
    Srem,
    /// `bvsmod`.
    Smod,
    /// Shift left by `b`; 0 from w on.
    Shl,
    /// Shift right by `b`, zeros enter.
    Lshr,
    /// Shift right by `b`, the sign enters.
    Ashr,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less, at the width `imm`.
    Slt,
    /// Signed less or equal, at the width `imm`.
    Sle,
    /// `a` above `b`, whose width is `imm`.
    Concat,
    /// The bits of `a` from `imm` up, w of them.
    Extract,
    /// `a`, whose width is `imm`, sign-extended.
    SignExtend,
    /// `a` unchanged: zero extension, a truth value as a bit, a non-native float from its pattern's word.
    Same,

    /// Sum, rounded to nearest even. The format of all arithmetic is that of the result; native ones only.
    FAdd,
    /// Difference, rounded to nearest even.
    FSub,
    /// Product, rounded to nearest even.
    FMul,
    /// Quotient, rounded to nearest even.
    FDiv,
    /// Square root, rounded to nearest even.
    FSqrt,
    /// Sum of `b` and `c` in the mode `a`.
    FAddIn,
    /// Difference in the mode `a`.
    FSubIn,
    /// Product in the mode `a`.
    FMulIn,
    /// Quotient in the mode `a`.
    FDivIn,
    /// Square root of `b` in the mode `a`.
    FSqrtIn,
    /// `a` rounded to an integral value in the constant mode `imm`.
    FIntegral,
    /// Negation; NaN stays.
    FNeg,
    /// Absolute value.
    FAbs,
    /// `fp.lt`; comparisons and tests have the width of their format in `imm`.
    FLt,
    /// `fp.leq`.
    FLe,
    /// `fp.eq`.
    FEq,
    /// `=` of floats.
    FSame,
    /// `fp.isNaN`.
    FIsNan,
    /// `fp.isInfinite`.
    FIsInfinite,
    /// `fp.isZero`.
    FIsZero,
    /// `fp.isNormal`.
    FIsNormal,
    /// `fp.isSubnormal`.
    FIsSubnormal,
    /// `fp.isNegative`.
    FIsNegative,
    /// `fp.isPositive`.
    FIsPositive,
    /// The float of a pattern.
    FFromBits,
    /// The pattern of a float of width `imm`, NaN's being the canonical one.
    FToBits,
    /// Float32 to Float64.
    FPromote,
    /// Float64 to Float32, to nearest even.
    FDemote,
    /// From a signed vector of width `imm`, to nearest even.
    FFromSigned,
    /// From an unsigned vector of width `imm`, to nearest even.
    FFromUnsigned,

    /// Saturating sum.
    Saturate,
    /// Minimum.
    Min,
    /// The distance of `a` from `b`, unsigned with wrap-around, width `imm`.
    GapEq,
    /// The distance of `a` from being less than `b`, unsigned.
    GapUlt,
    /// The distance of `a` from being at most `b`, unsigned.
    GapUle,
    /// As [`OpCode::GapUlt`], signed at the width `imm`.
    GapSlt,
    /// As [`OpCode::GapUle`], signed at the width `imm`.
    GapSle,
    /// The number of floats by which `a` is from being less than `b`; [`FAR`] with a NaN. The width is `imm`.
    GapFLt,
    /// As [`OpCode::GapFLt`] for `fp.leq`.
    GapFLe,
    /// As [`OpCode::GapFLt`] for `fp.eq`.
    GapFEq,
    /// As [`OpCode::GapFLt`] for `=`.
    GapFSame,
}

/// The distance if no direction is known.
pub const FAR: u64 = 1 << 62;

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IrNode {
    /// The operation code.
    pub code: OpCode,
    /// The type of its result. Distances are `Bits(64)`.
    pub ty: Ty,
    /// Its arguments; unused ones are 0.
    pub args: [Id; 4],
    /// A number whose meaning depends on the [`OpCode`].
    pub imm: u64,
}

impl OpCode {
    /// Returns the number of arguments of a code; for [`OpCode::Exact`] it depends on the operator.
    pub fn arity(self) -> usize {
        use OpCode::*;
        match self {
            Input | Const | Exact => 0,
            Limb | Not | Neg | Extract | SignExtend | Same | FSqrt | FIntegral | FNeg | FAbs | FIsNan | FIsInfinite
            | FIsZero | FIsNormal | FIsSubnormal | FIsNegative | FIsPositive | FFromBits | FToBits | FPromote
            | FDemote | FFromSigned | FFromUnsigned => 1,
            Ite | FAddIn | FSubIn | FMulIn | FDivIn => 3,
            _ => 2,
        }
    }
}

/// An operator with exact semantics.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ExactOperator {
    /// The operator.
    pub op: Op,
    /// The number of its arguments, at most 4.
    pub arity: usize,
}

/// A constraint of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgramConstraint {
    /// Its truth value.
    pub truth: Id,
    /// The end of the operations that compute it and all earlier constraints.
    pub end: Id,
    /// Its distance: 0 if and only if it is true.
    pub distance: Id,
    /// The operations that compute the distance from those before `end`: from here …
    pub cold_start: Id,
    /// … to here.
    pub cold_end: Id,
}

/// A conjunction of constraints over an input, as operations.
///
/// Invariant: arguments precede their users; the operations of distances (from [`Program::hot`] on) are used only by the distance of one
/// constraint.
#[derive(Clone, Debug)]
pub struct Program {
    /// The operations: first those of truth values, in the order of the constraints, then those of distances.
    pub nodes: Vec<IrNode>,
    /// The number of operations that compute truth values.
    pub hot: Id,
    /// The constraints in order.
    pub constraints: Vec<ProgramConstraint>,
    /// The start of the operations that only [`Program::observed`] needs; they extend to the end of the list.
    pub observed_start: Id,
    /// Values that are read when a model is made.
    pub observed: Vec<Id>,
    /// The operators of [`OpCode::Exact`].
    pub operators: Vec<ExactOperator>,
    /// Constants of more than one word, lowest word first.
    pub wide_constants: Vec<Box<[u64]>>,
    /// The input.
    pub layout: Layout,
}

impl Program {
    /// Returns the arguments of an operation.
    pub fn args(&self, id: Id) -> &[Id] {
        let node = &self.nodes[id as usize];
        &node.args[..self.arity(node)]
    }

    fn arity(&self, node: &IrNode) -> usize {
        match node.code {
            OpCode::Exact => self.operators[node.imm as usize].arity,
            code => code.arity(),
        }
    }

    /// Returns the type of an operation's result.
    pub fn ty(&self, id: Id) -> Ty {
        self.nodes[id as usize].ty
    }
}
