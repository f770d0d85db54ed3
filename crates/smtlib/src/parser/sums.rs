//! Cardinalities and sums of formulas, as z3 has them ("Cardinality constraints" and "Pseudo-Boolean constraints" of its C interface).
//!
//! `((_ pble 3 2 2) p q)` is a function with the meaning `(<= (+ (ite p 2 0) (ite q 2 0)) 3)`; `at-most` has the coefficients 1.

use super::frame::AppliedHead;
use super::reader::Parser;
use crate::build::BuildError;
use crate::error::Error;
use crate::lexer::{Token, TokenKind};
use crate::op::{Kind, Op};
use crate::standard::Binding;
use crate::symbol::Symbol;
use crate::term::TermId;
use crate::theories::extensions::SUMS;

/// How the sums of the operators compare with the bound.
const COMPARISONS: [Kind; 5] = [Kind::IntLe, Kind::IntGe, Kind::IntLe, Kind::IntGe, Kind::Eq];

/// An operator with its indices.
pub(super) struct FormulaSum {
    /// Its place among [`SUMS`].
    operator: usize,
    /// The bound, then the coefficients.
    indices: Vec<u32>,
}

impl Parser<'_> {
    /// After `(_ name`: such an operator, up to and including `)`; nothing is consumed if there is none.
    pub(super) fn indexed_sum(&mut self, name: Symbol, at: Token) -> Result<Option<AppliedHead>, Error> {
        let text = self.store.name(name);
        let Some(operator) = SUMS.iter().position(|own| *own == text) else { return Ok(None) };
        if self.scope.get(name) != Binding::Unbound {
            return Ok(None);
        }
        let mut indices = Vec::new();
        while self.peek()?.kind != TokenKind::Close {
            indices.push(self.index("a bound or a coefficient")?);
        }
        self.next()?;
        if indices.is_empty() || operator < 2 && indices.len() > 1 {
            let message = format!("`{}` with {} indices", SUMS[operator], indices.len());
            return Err(
                Error::new(at.span(), message).help("expected a bound, and coefficients for pble, pbge and pbeq")
            );
        }
        self.sums.push(FormulaSum { operator, indices });
        Ok(Some(AppliedHead::Sum(self.sums.len() - 1)))
    }

    /// Returns such an operator on formulas.
    pub(super) fn apply_sum(&mut self, sum: usize, args: &[TermId], at: Token) -> Result<TermId, Error> {
        let FormulaSum { operator, indices } = &self.sums[sum];
        let (name, kind) = (SUMS[*operator], COMPARISONS[*operator]);
        let (bound, coefficients) = (indices[0], &indices[1..]);
        let fits = *operator < 2 || coefficients.len() == args.len();
        if args.is_empty() || !fits || args.iter().any(|&a| !self.store.is_bool(a)) {
            let message = format!("operands of `{name}`: ({})", self.store.sort_list(args));
            return Err(Error::new(at.span(), message).help("expected a formula for each coefficient, at least one"));
        }
        let numbers: String = indices.iter().map(|n| format!(" {n}")).collect();
        let coefficient = |n: usize| coefficients.get(n).copied().unwrap_or(1);
        let made = self.store.apply_meaning(&format!("(_ {name}{numbers})"), args, |store, args| {
            let zero = store.int(&0.into());
            let mut parts = Vec::with_capacity(args.len());
            for (n, &arg) in args.iter().enumerate() {
                let counted = store.int(&coefficient(n).into());
                parts.push(store.app(Op::new(Kind::Ite), &[arg, counted, zero])?);
            }
            let sum = if let [one] = parts[..] { one } else { store.app(Op::new(Kind::IntAdd), &parts)? };
            let bound = store.int(&bound.into());
            store.app(Op::new(kind), &[sum, bound])
        });
        made.map_err(|e: BuildError| Error::new(at.span(), e.to_string()))
    }
}
