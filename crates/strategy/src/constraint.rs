//! Linear constraints over arithmetic symbols, as data.

use dashu_ratio::RBig;
use smtlib::TermId;
use std::cmp::Ordering;

/// A sum of multiples of arithmetic symbols, plus a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct LinearForm {
    /// Symbols, ascending, with nonzero coefficients.
    pub summands: Vec<(TermId, RBig)>,
    /// The constant.
    pub constant: RBig,
}

impl LinearForm {
    /// Returns this plus `factor` times another.
    pub fn plus(&self, factor: &RBig, other: &LinearForm) -> LinearForm {
        let mut summands = Vec::with_capacity(self.summands.len() + other.summands.len());
        let (mut a, mut b) = (self.summands.iter().peekable(), other.summands.iter().peekable());
        loop {
            let first = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(x), Some(y)) => x.0.min(y.0),
                (Some(x), None) | (None, Some(x)) => x.0,
            };
            let mut sum = RBig::ZERO;
            if let Some(x) = a.next_if(|x| x.0 == first) {
                sum += &x.1;
            }
            if let Some(y) = b.next_if(|y| y.0 == first) {
                sum += factor * &y.1;
            }
            if sum != RBig::ZERO {
                summands.push((first, sum));
            }
        }
        LinearForm { summands, constant: &self.constant + factor * &other.constant }
    }

    /// Returns this times `factor`.
    pub fn times(&self, factor: &RBig) -> LinearForm {
        LinearForm::default().plus(factor, self)
    }
}

/// The relation of a form to zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinearRelation {
    /// At most zero.
    AtMost,
    /// Below zero.
    Below,
    /// Zero.
    Equal,
    /// Not zero.
    Distinct,
}

impl LinearRelation {
    /// Whether it holds for a number with this sign.
    pub fn holds(self, sign: Ordering) -> bool {
        match self {
            LinearRelation::AtMost => sign != Ordering::Greater,
            LinearRelation::Below => sign == Ordering::Less,
            LinearRelation::Equal => sign == Ordering::Equal,
            LinearRelation::Distinct => sign != Ordering::Equal,
        }
    }
}

/// A linear constraint: a form in a relation to zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinearConstraint {
    /// The form.
    pub form: LinearForm,
    /// Its relation to zero.
    pub relation: LinearRelation,
}

impl LinearConstraint {
    /// Whether the constraint holds for the values of its symbols; `None` if one of them has none.
    pub fn holds<'v>(&self, value: impl Fn(TermId) -> Option<&'v RBig>) -> Option<bool> {
        let mut sum = self.form.constant.clone();
        for (symbol, factor) in &self.form.summands {
            sum += factor * value(*symbol)?;
        }
        Some(match self.relation {
            LinearRelation::AtMost => sum <= RBig::ZERO,
            LinearRelation::Below => sum < RBig::ZERO,
            LinearRelation::Equal => sum == RBig::ZERO,
            LinearRelation::Distinct => sum != RBig::ZERO,
        })
    }

    /// Returns the negation.
    pub fn negated(&self) -> LinearConstraint {
        let turned = || self.form.times(&RBig::NEG_ONE);
        match self.relation {
            LinearRelation::AtMost => LinearConstraint { form: turned(), relation: LinearRelation::Below },
            LinearRelation::Below => LinearConstraint { form: turned(), relation: LinearRelation::AtMost },
            LinearRelation::Equal => LinearConstraint { form: self.form.clone(), relation: LinearRelation::Distinct },
            LinearRelation::Distinct => LinearConstraint { form: self.form.clone(), relation: LinearRelation::Equal },
        }
    }
}
