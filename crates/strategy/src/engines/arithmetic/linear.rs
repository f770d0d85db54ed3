//! Converts terms to linear forms, and literals to linear constraints.

use crate::budget::Budget;
use crate::constraint::{LinearConstraint, LinearForm, LinearRelation};
use dashu_base::BitTest;
use dashu_ratio::RBig;
use rewrite::linear::fits;
use rustc_hash::FxHashMap;
use semantics::{EvalLimits, Evaluator, Exhausted, Meter, Model, Value};
use smtlib::{Kind, SortId, Store, TermId};
use std::rc::Rc;

/// Why a term is not a linear form or constraint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinearError {
    /// A product of two terms that are not constant, or a division by one.
    #[error("`{0}` is not linear")]
    NotLinear(String),
    /// Not arithmetic.
    #[error("`{0}` is not a linear constraint; eliminate it first")]
    Unsupported(String),
    /// The forms exceed the memory limit.
    #[error("the linear forms would take more memory than allowed")]
    TooLarge,
    /// A number is wider than [`MAX_BITS`](rewrite::linear::MAX_BITS).
    #[error("a linear form has a number of more than {} bits", rewrite::linear::MAX_BITS)]
    Wide,
    /// The budget is spent.
    #[error(transparent)]
    Stopped(#[from] crate::Stopped),
}

/// Approximate bytes of a summand, without its number.
const SUMMAND: usize = 96;

impl From<Exhausted> for LinearError {
    fn from(exhausted: Exhausted) -> LinearError {
        match exhausted {
            Exhausted::Stopped => LinearError::Stopped(crate::Stopped::Time),
            Exhausted::Memory { .. } => LinearError::TooLarge,
        }
    }
}

/// Converts the terms of one store, each shared subterm once.
pub struct LinearReader {
    forms: FxHashMap<TermId, Rc<LinearForm>>,
    constants: Evaluator,
    meter: Meter,
}

impl LinearReader {
    /// Makes a reader within a budget.
    pub fn new(budget: &Budget) -> LinearReader {
        let constants = Evaluator::new(Model::new(), EvalLimits::default()).heeding(&budget.stop());
        LinearReader { forms: FxHashMap::default(), constants, meter: budget.meter() }
    }

    /// Returns the constraints of a literal. Conjunctions, chains, and their negations if these are conjunctions too, are split.
    /// Errors: [`LinearError`] when it is not a conjunction of linear constraints.
    pub fn constraints(&mut self, store: &Store, literal: TermId) -> Result<Vec<LinearConstraint>, LinearError> {
        let mut found = Vec::new();
        let mut stack = vec![(literal, true)];
        while let Some((t, positive)) = stack.pop() {
            let args = store.args(t);
            match store.kind(t) {
                Kind::True | Kind::False => {
                    if (store.kind(t) == Kind::True) != positive {
                        // One is at most zero: a constraint that cannot hold.
                        let form = LinearForm { summands: Vec::new(), constant: RBig::ONE };
                        found.push(LinearConstraint { form, relation: LinearRelation::AtMost });
                    }
                }
                Kind::Not => stack.push((args[0], !positive)),
                Kind::And if positive => stack.extend(args.iter().rev().map(|&a| (a, true))),
                Kind::Or if !positive => stack.extend(args.iter().rev().map(|&a| (a, false))),
                _ => {
                    let pairs = self.atom(store, t)?;
                    match pairs.as_slice() {
                        _ if positive => found.extend(pairs),
                        [one] => found.push(one.negated()),
                        _ => return Err(unsupported(store, t)),
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns the constraints whose conjunction is the atom.
    /// Errors: as [`LinearReader::constraints`].
    pub fn atom(&mut self, store: &Store, t: TermId) -> Result<Vec<LinearConstraint>, LinearError> {
        use Kind::*;
        let args = store.args(t);
        let arithmetic = args.first().is_some_and(|&a| is_number(store, a));
        let (relation, swap) = match store.kind(t) {
            IntLe | RealLe => (LinearRelation::AtMost, false),
            IntLt | RealLt => (LinearRelation::Below, false),
            IntGe | RealGe => (LinearRelation::AtMost, true),
            IntGt | RealGt => (LinearRelation::Below, true),
            Eq if arithmetic => (LinearRelation::Equal, false),
            Distinct if arithmetic => (LinearRelation::Distinct, false),
            _ => return Err(unsupported(store, t)),
        };
        let mut pairs = Vec::new();
        if relation == LinearRelation::Distinct {
            for (n, &b) in args.iter().enumerate() {
                self.meter.take(n * size_of::<(TermId, TermId)>())?;
                pairs.extend(args[..n].iter().map(|&a| (a, b)));
            }
        } else {
            pairs.extend(args.windows(2).map(|w| if swap { (w[1], w[0]) } else { (w[0], w[1]) }));
        }
        pairs
            .into_iter()
            .map(|(a, b)| {
                let (x, y) = (self.form(store, a)?, self.form(store, b)?);
                self.meter.take(SUMMAND * (x.summands.len() + y.summands.len()))?;
                Ok(LinearConstraint { form: x.plus(&RBig::NEG_ONE, &y), relation })
            })
            .collect()
    }

    /// Returns the linear form of a term of sort `Int` or `Real`.
    /// Errors: [`LinearError`] when it has none.
    pub fn form(&mut self, store: &Store, root: TermId) -> Result<Rc<LinearForm>, LinearError> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.forms.contains_key(&t) {
                stack.pop();
                continue;
            }
            if !is_operator(store.kind(t)) {
                let form = self.leaf(store, t)?;
                self.keep(t, form)?;
                continue;
            }
            let before = stack.len();
            stack.extend(store.args(t).iter().filter(|a| !self.forms.contains_key(a)));
            if stack.len() == before {
                let form = self.combine(store, t)?;
                self.keep(t, form)?;
            }
        }
        Ok(Rc::clone(&self.forms[&root]))
    }

    fn keep(&mut self, t: TermId, form: LinearForm) -> Result<(), LinearError> {
        let mut bytes = SUMMAND;
        for number in form.summands.iter().map(|s| &s.1).chain([&form.constant]) {
            if !fits(number) {
                return Err(LinearError::Wide);
            }
            bytes += SUMMAND + (number.numerator().bit_len() + number.denominator().bit_len()) / 8;
        }
        self.meter.take(bytes)?;
        self.forms.insert(t, Rc::new(form));
        Ok(())
    }

    fn leaf(&mut self, store: &Store, t: TermId) -> Result<LinearForm, LinearError> {
        if !is_number(store, t) {
            return Err(unsupported(store, t));
        }
        if store.kind(t) == Kind::Constant {
            let constant = match self.constants.eval(store, t) {
                Ok(Value::Int(n)) => RBig::from(n),
                Ok(Value::Real(r)) => (*r).clone(),
                _ => return Err(unsupported(store, t)),
            };
            return Ok(LinearForm { summands: Vec::new(), constant });
        }
        let declared = store.applied(t).is_some_and(|f| store.func(f).is_declared());
        if declared && store.args(t).is_empty() {
            return Ok(LinearForm { summands: vec![(t, RBig::ONE)], constant: RBig::ZERO });
        }
        Err(unsupported(store, t))
    }

    fn sum(&mut self, form: &mut LinearForm, factor: &RBig, rest: &[Rc<LinearForm>]) -> Result<(), LinearError> {
        for b in rest {
            *form = form.plus(factor, b);
            // Every partial sum is a new form.
            for _ in 0..=form.summands.len() / 64 {
                self.meter.tick()?;
            }
        }
        Ok(())
    }

    /// Returns the form of an operator from those of its operands.
    fn combine(&mut self, store: &Store, t: TermId) -> Result<LinearForm, LinearError> {
        use Kind::*;
        let args: Vec<Rc<LinearForm>> = store.args(t).iter().map(|a| Rc::clone(&self.forms[a])).collect();
        let not_linear = || LinearError::NotLinear(short(store, t));
        let (first, rest) = args.split_first().ok_or_else(|| unsupported(store, t))?;
        let mut form = (**first).clone();
        match store.kind(t) {
            IntNeg | RealNeg => form = form.times(&RBig::NEG_ONE),
            IntAdd | RealAdd => self.sum(&mut form, &RBig::ONE, rest)?,
            IntSub | RealSub => self.sum(&mut form, &RBig::NEG_ONE, rest)?,
            IntMul | RealMul => {
                for b in rest {
                    if !fits(&form.constant) {
                        return Err(LinearError::Wide);
                    }
                    form = match (form.summands.is_empty(), b.summands.is_empty()) {
                        (true, _) => b.times(&form.constant),
                        (_, true) => form.times(&b.constant),
                        _ => return Err(not_linear()),
                    };
                }
            }
            RealDiv => {
                for b in rest {
                    // The standard leaves division by zero open.
                    if !b.summands.is_empty() || b.constant == RBig::ZERO {
                        return Err(not_linear());
                    }
                    form = form.times(&(RBig::ONE / &b.constant));
                }
            }
            // The rest of the operators: `to_real`.
            _ => {}
        }
        Ok(form)
    }
}

fn is_operator(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, IntNeg | RealNeg | IntAdd | RealAdd | IntSub | RealSub | IntMul | RealMul | RealDiv | ToReal)
}

/// Whether a term is of sort `Int` or `Real`.
pub fn is_number(store: &Store, t: TermId) -> bool {
    matches!(store.sort(t), SortId::INT | SortId::REAL)
}

fn short(store: &Store, t: TermId) -> String {
    store.term_text(t).chars().take(60).collect()
}

fn unsupported(store: &Store, t: TermId) -> LinearError {
    LinearError::Unsupported(short(store, t))
}
