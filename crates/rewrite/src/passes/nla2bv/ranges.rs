//! The possible values of integer terms, from the bounds of variables upwards.

use crate::interval::Bounds;
use crate::pass::PassError;
use crate::substitute::variable;
use crate::values::is_value;
use dashu_base::{Abs, BitTest, Signed};
use dashu_int::IBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::{FuncId, Kind, SortId, Store, TermId};

/// All integers from the first to the second.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct IntegerRange {
    pub low: IBig,
    pub high: IBig,
}

impl IntegerRange {
    fn of(numbers: impl IntoIterator<Item = IBig>) -> IntegerRange {
        let mut numbers = numbers.into_iter();
        let first = numbers.next().unwrap_or(IBig::ZERO);
        numbers.fold(IntegerRange { low: first.clone(), high: first }, |all, n| IntegerRange {
            low: all.low.min(n.clone()),
            high: all.high.max(n),
        })
    }

    /// Returns the smallest range symmetric about 0 that contains this one.
    fn symmetric(&self) -> IntegerRange {
        let most = self.magnitude();
        IntegerRange { low: -most.clone(), high: most }
    }

    fn magnitude(&self) -> IBig {
        self.low.clone().abs().max(self.high.clone().abs())
    }

    fn hull(&self, other: &IntegerRange) -> IntegerRange {
        IntegerRange { low: self.low.clone().min(other.low.clone()), high: self.high.clone().max(other.high.clone()) }
    }

    pub fn has_zero(&self) -> bool {
        self.low <= IBig::ZERO && self.high >= IBig::ZERO
    }

    /// Returns the two's complement width of its numbers.
    fn width(&self) -> u32 {
        let bits = |n: &IBig| if n.is_negative() { (-n - IBig::ONE).bit_len() } else { n.bit_len() };
        1 + bits(&self.low).max(bits(&self.high)) as u32
    }
}

/// The ranges of the integer terms of a goal.
pub(super) struct IntegerRanges {
    bounds: FxHashMap<TermId, Bounds>,
    hidden: FxHashSet<FuncId>,
    of: FxHashMap<TermId, IntegerRange>,
    /// The width that covers all ranges, including intermediate results.
    width: u32,
}

impl IntegerRanges {
    pub fn new(bounds: FxHashMap<TermId, Bounds>, hidden: FxHashSet<FuncId>) -> IntegerRanges {
        IntegerRanges { bounds, hidden, of: FxHashMap::default(), width: 1 }
    }

    /// Returns a variable's bounds, if used.
    pub fn limits(&self, t: TermId) -> Option<&Bounds> {
        self.of.get(&t).and_then(|_| self.bounds.get(&t))
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the range of a term that was added.
    pub fn of(&self, t: TermId) -> Result<&IntegerRange, PassError> {
        self.of.get(&t).ok_or_else(|| PassError::NotApplicable("a number has no bounds".to_string()))
    }

    /// Adds a term whose arguments were added.
    /// Errors: [`PassError::NotApplicable`] if a number has no bounds, or a non-integer operator takes or returns one.
    pub fn add(&mut self, store: &Store, t: TermId) -> Result<(), PassError> {
        if store.sort(t) != SortId::INT {
            let takes = store.args(t).iter().any(|&a| store.sort(a) == SortId::INT);
            return if takes && !is_relation(store.kind(t)) { Err(unsupported(store, t)) } else { Ok(()) };
        }
        let range = self.range(store, t)?;
        self.width = self.width.max(range.width());
        self.of.insert(t, range);
        Ok(())
    }

    fn range(&mut self, store: &Store, t: TermId) -> Result<IntegerRange, PassError> {
        if is_value(store, t) {
            let number = crate::linear::number(store, t).ok_or_else(|| unsupported(store, t))?;
            return Ok(IntegerRange::of([number.numerator().clone()]));
        }
        if let Some(f) = variable(store, t).filter(|f| !self.hidden.contains(f)) {
            let ends = self.bounds.get(&t).and_then(|b| b.lower.as_ref().zip(b.upper.as_ref()));
            let Some((lower, upper)) = ends else {
                let name = store.name(store.func(f).name);
                return Err(PassError::NotApplicable(format!("`{name}` has no bounds; add-bounds adds them")));
            };
            // Integers have integer bounds. If they cross, there is no value, and any range is valid.
            return Ok(IntegerRange::of([lower.value.numerator().clone(), upper.value.numerator().clone()]));
        }
        let op = store.op(t);
        let args = store.args(t);
        let of = |all: &IntegerRanges, n: usize| all.of(args[n]).cloned();
        Ok(match op.kind {
            Kind::IntNeg => {
                let a = of(self, 0)?;
                IntegerRange { low: -a.high, high: -a.low }
            }
            Kind::IntAdd | Kind::IntSub => {
                let mut sum = of(self, 0)?;
                for n in 1..args.len() {
                    let a = of(self, n)?;
                    sum = match op.kind {
                        Kind::IntAdd => IntegerRange { low: sum.low + a.low, high: sum.high + a.high },
                        _ => IntegerRange { low: sum.low - a.high, high: sum.high - a.low },
                    };
                    // Sums are built from the left, and partial sums must not overflow either.
                    self.width = self.width.max(sum.width());
                }
                sum
            }
            Kind::IntMul => {
                let mut product = of(self, 0)?;
                for n in 1..args.len() {
                    let a = of(self, n)?;
                    let corners = [&product.low, &product.high].map(|x| [x * &a.low, x * &a.high]);
                    product = IntegerRange::of(corners.into_iter().flatten());
                    self.width = self.width.max(product.width());
                    if self.width > MAX_WIDTH {
                        return Err(PassError::NotApplicable(format!("a value may need more than {MAX_WIDTH} bits")));
                    }
                }
                product
            }
            Kind::IntAbs => {
                let a = of(self, 0)?.symmetric();
                IntegerRange { low: IBig::ZERO, high: a.high }
            }
            Kind::IntDiv | Kind::IntMod if args.len() == 2 => {
                let (a, n) = (of(self, 0)?.symmetric(), of(self, 1)?.magnitude());
                // Quotients are off by one, and remainders by the divisor, until the remainder is made positive.
                let between = IntegerRange { low: -&a.high - IBig::ONE - &n, high: &a.high + IBig::ONE + &n };
                self.width = self.width.max(between.width());
                if op.kind == Kind::IntDiv { a } else { IntegerRange { low: IBig::ZERO, high: n } }
            }
            Kind::IntAnd => {
                let (a, b) = (of(self, 0)?, of(self, 1)?);
                let most = (IBig::ONE << op.i as usize) - IBig::ONE;
                let high = [a, b].into_iter().filter(|r| !r.low.is_negative()).map(|r| r.high).fold(most, IBig::min);
                // The operands are truncated to this width, which must suffice.
                self.width = self.width.max(op.i + 1);
                IntegerRange { low: IBig::ZERO, high }
            }
            Kind::Ite => of(self, 1)?.hull(&of(self, 2)?),
            Kind::UbvToInt | Kind::SbvToInt => {
                let width = store.sorts.width(store.sort(args[0])).ok_or_else(|| unsupported(store, t))? as usize;
                match op.kind {
                    Kind::UbvToInt => IntegerRange { low: IBig::ZERO, high: (IBig::ONE << width) - IBig::ONE },
                    _ => {
                        let half = IBig::ONE << (width - 1);
                        IntegerRange { low: -half.clone(), high: half - IBig::ONE }
                    }
                }
            }
            _ => return Err(unsupported(store, t)),
        })
    }
}

/// The maximum width, whatever the parameter is.
const MAX_WIDTH: u32 = 1 << 12;

/// Whether a term of another sort may have integer arguments.
fn is_relation(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, IntLe | IntLt | IntGe | IntGt | IntDivisible | Eq | Distinct | IntToBv)
}

fn unsupported(store: &Store, t: TermId) -> PassError {
    PassError::NotApplicable(format!("`{}` is no bounded integer", store.term_text(t)))
}
