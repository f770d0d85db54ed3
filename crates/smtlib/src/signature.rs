//! Typing as data: a row has an operator's name, indices, argument sorts and result sort.
//!
//! One table serves the parser, the sort checker, the conformance generator and the mutators.

use crate::op::{Kind, Op};
use crate::sort::{Sort, SortId, Sorts};

/// The maximum width of a bit-vector, in bits. Wider ones are an error.
pub const MAX_WIDTH: u32 = 1 << 24;

/// A sort pattern. The numbers are variables of the row: the same number is the same width, format or sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Exactly `Bool`.
    Bool,
    /// Exactly `Int`.
    Int,
    /// Exactly `Real`.
    Real,
    /// Exactly `String`.
    String,
    /// Exactly `RegLan`.
    RegLan,
    /// Exactly `RoundingMode`.
    RoundingMode,
    /// Any sort, number 0 or 1.
    Any(u8),
    /// `(Array Any(0) Any(1))`.
    Array,
    /// `(Seq Any(0))`.
    Seq,
    /// `(Set Any(0))`.
    Set,
    /// `(Bag Any(0))`.
    Bag,
    /// A relation, number 0 or 1: a set of tuples with fields.
    Relation(u8),
    /// A curried function of these arguments with this result: `(-> A B)`. The function of `seq.map` may be an array.
    Function(&'static [Pattern], &'static Pattern),
    /// A finite field, number 0: `Any(0)` that is one.
    FiniteField,
    /// A bit-vector of width number 0 or 1.
    Bv(u8),
    /// A bit-vector of exactly this width.
    BvExact(u32),
    /// A float of format number 0 or 1.
    Float(u8),

    // The rest are results only.
    /// A bit-vector as wide as numbers 0 and 1 together.
    BvSum,
    /// The width of `(_ extract i j)` of width number 0.
    BvExtract,
    /// Width number 0 plus index `i`.
    BvPlusIndex,
    /// Width number 0 times index `i`.
    BvTimesIndex,
    /// A bit-vector of width `i`.
    BvIndex,
    /// An argument whose width is `i + j`, the bits of an `(i, j)` float.
    BvIndexSum,
    /// A bit-vector as wide as float number 0.
    BvOfFloat,
    /// The float `(i, j)`.
    FloatIndex,
    /// The float whose exponent is width 0 and whose significand is width 1 and the hidden bit.
    FloatOfFields,
    /// `(Set Int)`.
    SetOfInt,
    /// `(Set S)` of the sort of this number.
    SetOf(u8),
    /// `(Bag S)` of the sort of this number.
    BagOf(u8),
    /// `(Seq S)` of the sort of this number.
    SeqOf(u8),
    /// The relation that the operator makes from relations 0 and 1.
    RelationOf,
}

/// How many arguments an operator takes, given those its row lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// As many as the row lists.
    Exact,
    /// `:left-assoc`: two or more of the row's first sort.
    LeftAssoc,
    /// `:right-assoc`: two or more; the last has the row's last sort.
    RightAssoc,
    /// `:chainable`: two or more.
    Chainable,
    /// Two or more of the row's first sort, with a meaning for each number.
    TwoOrMore,
    /// `:pairwise`: two or more.
    Pairwise,
}

/// Where an operator comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperatorOrigin {
    /// A theory of SMT-LIB 2.6.
    Standard,
    /// New in SMT-LIB 2.7.
    Standard27,
    /// Some solvers' extension.
    Extension,
}

/// One operator of one theory.
#[derive(Clone, Copy, Debug)]
pub struct SignatureRow {
    /// The operator.
    pub kind: Kind,
    /// Its name in SMT-LIB 2.7, or in the solvers that have it.
    pub name: &'static str,
    /// How many numeral indices it takes: 0, 1 or 2.
    pub indices: u8,
    /// Argument sorts.
    pub args: &'static [Pattern],
    /// Result sort.
    pub result: Pattern,
    /// Number of arguments.
    pub arity: Arity,
    /// Where the operator comes from.
    pub origin: OperatorOrigin,
}

impl SignatureRow {
    /// Makes a row of the 2.6 standard with a fixed number of arguments.
    pub const fn new(kind: Kind, name: &'static str, args: &'static [Pattern], result: Pattern) -> SignatureRow {
        SignatureRow { kind, name, indices: 0, args, result, arity: Arity::Exact, origin: OperatorOrigin::Standard }
    }

    /// Returns the row with this many indices.
    pub const fn indices(mut self, indices: u8) -> SignatureRow {
        self.indices = indices;
        self
    }

    /// Returns the row with another arity.
    pub const fn arity(mut self, arity: Arity) -> SignatureRow {
        self.arity = arity;
        self
    }

    /// Returns the row as an extension.
    pub const fn extension(mut self) -> SignatureRow {
        self.origin = OperatorOrigin::Extension;
        self
    }

    /// Returns the row as new in SMT-LIB 2.7.
    pub const fn since27(mut self) -> SignatureRow {
        self.origin = OperatorOrigin::Standard27;
        self
    }

    /// Whether values of its arguments have a value; only a model says that of an order.
    pub fn is_evaluated(&self) -> bool {
        !Op::new(self.kind).is_order()
    }

    /// Returns the pattern of argument `n` of `count`.
    pub fn arg(&self, n: usize, count: usize) -> Option<Pattern> {
        match self.arity {
            Arity::Exact => self.args.get(n).copied(),
            _ if n + 1 == count => self.args.last().copied(),
            _ => self.args.first().copied(),
        }
    }

    /// Whether the row takes `count` arguments.
    pub fn takes(&self, count: usize) -> bool {
        match self.arity {
            Arity::Exact => count == self.args.len(),
            _ => count >= 2,
        }
    }

    /// Returns the result sort of `op` (of this row) on arguments of sorts `args`, or why there is none.
    pub fn result_sort(&self, op: Op, args: &[SortId], sorts: &mut Sorts) -> Result<SortId, Mismatch> {
        if !self.takes(args.len()) {
            return Err(Mismatch::Count);
        }
        let mut unifier = Unifier::default();
        for (n, &sort) in args.iter().enumerate() {
            let Some(pattern) = self.arg(n, args.len()) else { return Err(Mismatch::Count) };
            if !unifier.accepts(pattern, sort, op, sorts) {
                return Err(Mismatch::Argument(n));
            }
        }
        // `(_ divisible 0)` is not a predicate of the Ints theory, and integers have at least one bit.
        if op.i == 0 && matches!(self.kind, Kind::IntDivisible | Kind::IntAnd) {
            return Err(Mismatch::Index);
        }
        unifier.result(self.result, op, sorts).ok_or(Mismatch::Index)
    }
}

/// Why arguments do not match a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// Too many or too few.
    Count,
    /// The argument of this number has a wrong sort.
    Argument(usize),
    /// The indices are out of range for the argument's width, or the result too wide.
    Index,
}

/// The values of a row's variables while its arguments are matched.
#[derive(Default)]
struct Unifier {
    sorts: [Option<SortId>; 2],
    widths: [Option<u32>; 2],
    formats: [Option<(u32, u32)>; 2],
}

/// A theory: its name in the standard and its operators.
pub struct Theory {
    /// The name in the SMT-LIB catalogue.
    pub name: &'static str,
    /// Its operators, extensions marked as such.
    pub rows: &'static [SignatureRow],
    /// Other spellings in files, with their operators.
    pub aliases: &'static [(&'static str, Kind)],
}

impl Unifier {
    /// Recursion is as deep as the pattern.
    fn accepts(&mut self, pattern: Pattern, sort: SortId, op: Op, sorts: &Sorts) -> bool {
        if let Pattern::Function(params, result) = pattern {
            return match (params, sorts.get(sort)) {
                ([], _) => self.accepts(*result, sort, op, sorts),
                ([first, rest @ ..], &Sort::Map(from, to)) => {
                    self.accepts(*first, from, op, sorts)
                        && self.accepts(Pattern::Function(rest, result), to, op, sorts)
                }
                ([Pattern::Any(n)], &Sort::Array(from, to)) if op.kind == Kind::SeqMap => {
                    self.accepts(Pattern::Any(*n), from, op, sorts) && self.accepts(*result, to, op, sorts)
                }
                _ => false,
            };
        }
        fn bind<T: PartialEq + Copy>(slot: &mut Option<T>, value: T) -> bool {
            *slot.get_or_insert(value) == value
        }
        match (pattern, sorts.get(sort)) {
            (Pattern::Bool, Sort::Bool)
            | (Pattern::Int, Sort::Int)
            | (Pattern::Real, Sort::Real)
            | (Pattern::String, Sort::String)
            | (Pattern::RegLan, Sort::RegLan)
            | (Pattern::RoundingMode, Sort::RoundingMode) => true,
            (Pattern::Any(n), _) => bind(&mut self.sorts[n as usize], sort),
            (Pattern::Array, Sort::Array(i, e)) => bind(&mut self.sorts[0], *i) && bind(&mut self.sorts[1], *e),
            (Pattern::Seq, Sort::Seq(e)) => bind(&mut self.sorts[0], *e),
            (Pattern::Set, Sort::Set(e)) | (Pattern::Bag, Sort::Bag(e)) => bind(&mut self.sorts[0], *e),
            (Pattern::Relation(n), _) if sorts.relation(sort).is_some() => bind(&mut self.sorts[n as usize], sort),
            (Pattern::FiniteField, Sort::FiniteField(_)) => bind(&mut self.sorts[0], sort),
            (Pattern::Bv(n), Sort::BitVec(w)) => bind(&mut self.widths[n as usize], *w),
            (Pattern::BvExact(w), Sort::BitVec(v)) => w == *v,
            (Pattern::BvIndexSum, Sort::BitVec(w)) => op.i.checked_add(op.j) == Some(*w),
            (Pattern::Float(n), Sort::Float { eb, sb }) => bind(&mut self.formats[n as usize], (*eb, *sb)),
            _ => false,
        }
    }

    fn result(&self, pattern: Pattern, op: Op, sorts: &mut Sorts) -> Option<SortId> {
        let bv = |width: Option<u32>, sorts: &mut Sorts| match width {
            Some(w) if (1..=MAX_WIDTH).contains(&w) => Some(sorts.bitvec(w)),
            _ => None,
        };
        let [w0, w1] = self.widths;
        match pattern {
            Pattern::Bool => Some(SortId::BOOL),
            Pattern::Int => Some(SortId::INT),
            Pattern::Real => Some(SortId::REAL),
            Pattern::String => Some(SortId::STRING),
            Pattern::RegLan => Some(SortId::REGLAN),
            Pattern::RoundingMode => Some(SortId::ROUNDING_MODE),
            Pattern::Any(n) => self.sorts[n as usize],
            Pattern::FiniteField => self.sorts[0],
            Pattern::Relation(n) => self.sorts[n as usize],
            Pattern::RelationOf => {
                let fields =
                    |n: usize, sorts: &Sorts| self.sorts[n].and_then(|sort| sorts.relation(sort)).map(<[_]>::to_vec);
                let made = related(op.kind, &fields(0, sorts)?, &fields(1, sorts).unwrap_or_default())?;
                let tuple = sorts.tuple(&made)?;
                sorts.bounded(Sort::Set(tuple))
            }
            Pattern::Array => Some(sorts.array(self.sorts[0]?, self.sorts[1]?)),
            Pattern::Seq => sorts.bounded(Sort::Seq(self.sorts[0]?)),
            Pattern::Set => Some(sorts.set(self.sorts[0]?)),
            Pattern::Bag => sorts.bounded(Sort::Bag(self.sorts[0]?)),
            Pattern::SetOfInt => Some(sorts.set(SortId::INT)),
            Pattern::SetOf(n) => Some(sorts.set(self.sorts[n as usize]?)),
            Pattern::BagOf(n) => sorts.bounded(Sort::Bag(self.sorts[n as usize]?)),
            Pattern::SeqOf(n) => sorts.bounded(Sort::Seq(self.sorts[n as usize]?)),
            Pattern::Function(..) => None,
            Pattern::Bv(n) => bv(self.widths[n as usize], sorts),
            Pattern::BvExact(w) => bv(Some(w), sorts),
            Pattern::Float(n) => self.formats[n as usize].map(|(eb, sb)| sorts.float(eb, sb)),
            Pattern::BvSum => bv(w0?.checked_add(w1?), sorts),
            Pattern::BvExtract => {
                let fits = op.i < w0? && op.j <= op.i;
                fits.then(|| sorts.bitvec(op.i - op.j + 1))
            }
            Pattern::BvPlusIndex => bv(w0?.checked_add(op.i), sorts),
            Pattern::BvTimesIndex => bv(w0?.checked_mul(op.i), sorts),
            Pattern::BvIndex => bv(Some(op.i), sorts),
            Pattern::BvIndexSum => bv(op.i.checked_add(op.j), sorts),
            Pattern::BvOfFloat => self.formats[0].and_then(|(eb, sb)| bv(eb.checked_add(sb), sorts)),
            Pattern::FloatIndex => float(op.i, op.j, sorts),
            Pattern::FloatOfFields => float(w0?, w1?.checked_add(1)?, sorts),
        }
    }
}

/// Returns the fields of the relation that an operator makes from relations of these fields, if it takes them.
fn related(kind: Kind, first: &[SortId], second: &[SortId]) -> Option<Vec<SortId>> {
    match (kind, first, second) {
        (Kind::RelTranspose, _, _) => Some(first.iter().rev().copied().collect()),
        (Kind::RelTclosure, [a, b], _) if a == b => Some(first.to_vec()),
        (Kind::RelIden, [a], _) => Some(vec![*a; 2]),
        (Kind::RelJoinImage, [a, b], _) if a == b => Some(vec![*a]),
        (Kind::RelProduct, _, _) => Some([first, second].concat()),
        (Kind::RelJoin, [left @ .., a], [b, right @ ..]) if a == b && !(left.is_empty() && right.is_empty()) => {
            Some([left, right].concat())
        }
        _ => None,
    }
}

/// Returns the float sort `(eb, sb)` if the standard allows it (both above 1) and it is not wider than [`MAX_WIDTH`].
pub(crate) fn float(eb: u32, sb: u32, sorts: &mut Sorts) -> Option<SortId> {
    (eb >= 2 && sb >= 2 && eb.checked_add(sb)? <= MAX_WIDTH).then(|| sorts.float(eb, sb))
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pattern::Any(0) => f.write_str("A"),
            Pattern::Any(_) => f.write_str("B"),
            Pattern::Array => f.write_str("(Array A B)"),
            Pattern::Seq => f.write_str("(Seq A)"),
            Pattern::Set => f.write_str("(Set A)"),
            Pattern::Bag => f.write_str("(Bag A)"),
            Pattern::Relation(_) => f.write_str("(Relation A …)"),
            Pattern::FiniteField => f.write_str("(_ FiniteField p)"),
            Pattern::Function(params, result) => {
                f.write_str("(->")?;
                for param in *params {
                    write!(f, " {param}")?;
                }
                write!(f, " {result})")
            }
            Pattern::Bv(0) => f.write_str("(_ BitVec m)"),
            Pattern::Bv(_) => f.write_str("(_ BitVec n)"),
            Pattern::BvExact(w) => write!(f, "(_ BitVec {w})"),
            Pattern::Float(0) => f.write_str("(_ FloatingPoint eb sb)"),
            Pattern::Float(_) => f.write_str("(_ FloatingPoint eb' sb')"),
            Pattern::BvIndexSum => f.write_str("(_ BitVec eb+sb)"),
            other => write!(f, "{other:?}"),
        }
    }
}
