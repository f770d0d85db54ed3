//! Cells that another engine refutes before any algebra: the `T` of `(apcad T)`.
//!
//! After Passmore and Jackson, "Abstract Partial Cylindrical Algebraic Decomposition I: The Lifting Phase" (2012). A cell here is a box with
//! rational ends around the sample.

use super::limits::{PolynomialError, PolynomialWork};
use super::line::CoverInterval;
use super::polynomial::MultiPolynomial;
use crate::budget::Budget;
use crate::engine::{Decision, Engine};
use dashu_int::IBig;
use dashu_ratio::RBig;
use semantics::algebraic::AlgebraicNumber;
use smtlib::{Kind, Op, SortId, Store, TermId};
use std::rc::Rc;

/// The sides of a box in one variable; `None` is infinity.
pub type CellSides = [Option<RBig>; 2];

/// Asks the other engine.
pub struct CellCutter<'c> {
    /// The store of the assertions.
    pub store: &'c mut Store,
    /// The engine.
    pub engine: &'c dyn Engine,
    /// The assertions.
    pub assertions: &'c [TermId],
    /// The symbols in the order of the search.
    pub symbols: Vec<TermId>,
    /// The budget of the whole search.
    pub budget: &'c Budget,
    /// How often the engine may still be asked; half as often after a question in vain.
    pub questions: usize,
}

impl CellCutter<'_> {
    /// Returns an interval of the last variable of the cell on which the assertions fail, if the engine refutes the cell.
    pub fn cut(
        &mut self,
        cell: &[CellSides],
        work: &mut PolynomialWork,
    ) -> Result<Option<CoverInterval>, PolynomialError> {
        work.pause()?;
        let Some(left) = self.questions.checked_sub(1) else { return Ok(None) };
        self.questions = left / 2;
        let (mut question, mut bounds) = (self.assertions.to_vec(), Vec::new());
        for (variable, sides) in cell.iter().enumerate() {
            for (side, number) in sides.iter().enumerate() {
                let Some(number) = number else { continue };
                question.push(self.bound(variable, side == 0, number)?);
                bounds.push((variable, side, number));
            }
        }
        let Decision::Unsat(core) = self.engine.decide(self.store, &question, self.budget) else { return Ok(None) };
        self.questions = left;
        let (owners, used): (Vec<usize>, Vec<usize>) = core.into_iter().partition(|n| *n < self.assertions.len());
        let mut interval = CoverInterval::failing(owners.into_iter().collect());
        let (count, last) = (self.symbols.len(), cell.len() - 1);
        for (variable, side, number) in used.into_iter().filter_map(|n| bounds.get(n - self.assertions.len())) {
            let denominator = IBig::from(number.denominator().clone());
            let end = MultiPolynomial::constant(count, -number.numerator().clone())
                .plus(&denominator, &MultiPolynomial::variable(count, *variable));
            if *variable == last {
                let root = AlgebraicNumber::from((*number).clone());
                interval.ends[*side] = Some(root.clone());
                interval.main.push((Rc::new(end), Rc::new([root])));
            } else {
                interval.below.push(end);
            }
        }
        Ok(Some(interval))
    }

    fn bound(&mut self, variable: usize, is_lower: bool, number: &RBig) -> Result<TermId, PolynomialError> {
        let symbol = self.symbols[variable];
        let symbol = if self.store.sort(symbol) == SortId::INT { self.store.to_real(symbol) } else { symbol };
        let number = self.store.real(number);
        let args = if is_lower { [number, symbol] } else { [symbol, number] };
        let unsupported = |_| PolynomialError::Unsupported("a bound".to_string());
        self.store.app(Op::new(Kind::RealLe), &args).map_err(unsupported)
    }
}
