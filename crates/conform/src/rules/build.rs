//! Builds the terms of a rule for given values of its variables.

use super::operator::RuleOperator;
use super::rule::{Rule, RuleExpression};
use dashu_int::ops::{BitTest, PowerOfTwo};
use dashu_int::{IBig, UBig};
use semantics::{EvalLimits, Evaluator, Model};
use smtlib::{Constant, Kind, Op, SortId, Store, TermId, theories};

/// The maximum width of a bit-vector, and the maximum index.
const MAX_INDEX: u32 = 1 << 10;

/// The meaning of a variable or a part of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleValue {
    /// A term.
    Term(TermId),
    /// The arguments of a list, and the sort of each.
    List(Vec<TermId>, SortId),
    /// `(@bv n 0)`: an empty bit-vector, which only `concat` accepts.
    NoBits,
}

/// Builds terms, and evaluates those without symbols.
pub struct RuleBuilder {
    /// The store of the terms.
    pub store: Store,
    ground: Evaluator,
}

impl Default for RuleBuilder {
    fn default() -> RuleBuilder {
        let limits = EvalLimits { steps: 1 << 12, memory: 1 << 20, regex_steps: 1 << 12, ..EvalLimits::default() };
        RuleBuilder { store: Store::new(), ground: Evaluator::new(Model::new(), limits) }
    }
}

impl RuleBuilder {
    /// Builds a node of a rule from its arguments; `None` if they do not fit. `is_matched` is for terms of the rewritten term, whose
    /// bit-vector literals are in the range of their width.
    pub fn build(
        &mut self,
        rule: &Rule,
        node: usize,
        variables: &[Option<RuleValue>],
        built: &[BuiltNode],
        is_matched: bool,
    ) -> Option<RuleValue> {
        let term = match &rule.nodes[node].term {
            RuleExpression::Variable(n) => return variables[*n].clone(),
            RuleExpression::Literal(constant) => self.literal(constant),
            RuleExpression::Application(operator, args) => {
                let mut given = Vec::with_capacity(args.len());
                for &arg in args {
                    match &built[arg] {
                        BuiltNode::Value(value) => given.push(value),
                        BuiltNode::Open | BuiltNode::IllSorted => return None,
                    }
                }
                return self.application(operator, &given, is_matched);
            }
        };
        Some(RuleValue::Term(term))
    }

    fn literal(&mut self, constant: &Constant) -> TermId {
        match constant {
            Constant::Int(n) => self.store.int(&IBig::from(n.clone())),
            Constant::Real(r) => self.store.real(r),
            Constant::BitVec { width, value } => self.store.bitvec(*width, value),
            Constant::FieldElement { order, value } => self.store.field_element(order, &value.clone().into()),
            Constant::String(s) => self.store.string(s),
        }
    }

    fn application(&mut self, operator: &RuleOperator, given: &[&RuleValue], is_matched: bool) -> Option<RuleValue> {
        if let RuleOperator::Theory(kinds, indices) = operator {
            return self.theory(kinds, *indices, given).map(RuleValue::Term);
        }
        let mut args = Vec::with_capacity(given.len());
        for value in given {
            match value {
                RuleValue::Term(t) => args.push(*t),
                RuleValue::List(..) | RuleValue::NoBits => return None,
            }
        }
        let store = &mut self.store;
        let term = match (operator, &args[..]) {
            (RuleOperator::BitVec, &[number, width]) => {
                let (number, width) = (self.number(number)?, self.index(width)?);
                let value = modulo(&number, width);
                if is_matched && IBig::from(value.clone()) != number {
                    return None;
                }
                if width == 0 {
                    return Some(RuleValue::NoBits);
                }
                self.store.bitvec(width, &value)
            }
            (RuleOperator::Size, &[t]) => {
                let width = store.sorts.width(store.sort(t))?;
                store.int(&IBig::from(width))
            }
            (RuleOperator::Log2, &[n]) => {
                let number = positive(&self.number(n)?);
                self.store.int(&IBig::from(number.map_or(0, |n| n.bit_len() - 1)))
            }
            (RuleOperator::IsPow2, &[n]) => {
                let is_power = positive(&self.number(n)?).is_some_and(|n| n.is_power_of_two());
                self.store.bool(is_power)
            }
            (RuleOperator::Pow2, &[n]) => {
                let number = self.number(n)?;
                let power = if number < IBig::ZERO { UBig::ZERO } else { UBig::ONE << self.index(n)? as usize };
                self.store.int(&IBig::from(power))
            }
            (RuleOperator::TotalDiv, &[s, t]) => {
                let zero = store.int(&IBig::ZERO);
                self.total(Kind::IntDiv, [s, t], zero, zero)?
            }
            (RuleOperator::TotalMod, &[s, t]) => {
                let zero = store.int(&IBig::ZERO);
                self.total(Kind::IntMod, [s, t], zero, s)?
            }
            (RuleOperator::TotalQuotient, &[s, t]) => {
                let (s, t) = (self.real(s)?, self.real(t)?);
                let zero = self.store.real(&dashu_ratio::RBig::ZERO);
                self.total(Kind::RealDiv, [s, t], zero, zero)?
            }
            (RuleOperator::Quotient, args) => {
                let args = args.iter().map(|&a| self.real(a)).collect::<Option<Vec<_>>>()?;
                self.store.app(Op::new(Kind::RealDiv), &args).ok()?
            }
            (RuleOperator::BitIte, &[c, s, t]) => {
                let one = store.bitvec(1, &UBig::ONE);
                let condition = store.eq(c, one).ok()?;
                store.app(Op::new(Kind::Ite), &[condition, s, t]).ok()?
            }
            (RuleOperator::ToReal, &[t]) => self.real(t)?,
            (RuleOperator::ToInt, &[t]) if store.sort(t) == SortId::INT => t,
            (RuleOperator::ToInt, &[t]) => store.app(Op::new(Kind::ToInt), &[t]).ok()?,
            (RuleOperator::IsInt, &[t]) if store.sort(t) == SortId::INT => store.bool(true),
            (RuleOperator::IsInt, &[t]) => store.app(Op::new(Kind::IsInt), &[t]).ok()?,
            _ => return None,
        };
        Some(RuleValue::Term(term))
    }

    /// `(ite (= t 0) otherwise (kind s t))`.
    fn total(&mut self, kind: Kind, [s, t]: [TermId; 2], zero: TermId, otherwise: TermId) -> Option<TermId> {
        let value = self.store.app(Op::new(kind), &[s, t]).ok()?;
        let is_zero = self.store.eq(t, zero).ok()?;
        self.store.app(Op::new(Kind::Ite), &[is_zero, otherwise, value]).ok()
    }

    fn real(&mut self, t: TermId) -> Option<TermId> {
        match self.store.sort(t) {
            SortId::REAL => Some(t),
            SortId::INT => self.store.app(Op::new(Kind::ToReal), &[t]).ok(),
            _ => None,
        }
    }

    /// Applies an operator of a theory. If an argument is a list, one element stands for itself, and an empty list for the neutral element.
    fn theory(&mut self, kinds: &[Kind], indices: usize, given: &[&RuleValue]) -> Option<TermId> {
        let mut numbers = [0; 2];
        let (first, rest) = given.split_at_checked(indices)?;
        for (slot, value) in numbers.iter_mut().zip(first) {
            let RuleValue::Term(t) = value else { return None };
            *slot = self.index(*t)?;
        }
        let (mut args, mut list_sort) = (Vec::with_capacity(rest.len()), None);
        for value in rest {
            match value {
                RuleValue::Term(t) => args.push(*t),
                RuleValue::List(terms, sort) => {
                    // Empty lists of bit-vectors have a width, too: that of the neutral element.
                    if terms.is_empty()
                        && list_sort.is_some_and(|known| known != *sort)
                        && !kinds.contains(&Kind::BvConcat)
                    {
                        return None;
                    }
                    list_sort = Some(*sort);
                    args.extend(terms);
                }
                RuleValue::NoBits if kinds.contains(&Kind::BvConcat) => list_sort = list_sort.or(Some(SortId::BOOL)),
                RuleValue::NoBits => return None,
            }
        }
        match (list_sort, &args[..]) {
            (Some(sort), []) => self.neutral(kinds, sort),
            (Some(_), &[one]) => {
                // This applies only to operators of any arity.
                let pair = self.fitting(kinds, numbers, &[one, one])?;
                let is_associative = kinds.iter().any(|&kind| is_associative(kind));
                (is_associative && (self.store.sort(pair) == self.store.sort(one) || kinds.contains(&Kind::BvConcat)))
                    .then_some(one)
            }
            (_, args) => self.fitting(kinds, numbers, args),
        }
    }

    fn fitting(&mut self, kinds: &[Kind], numbers: [u32; 2], args: &[TermId]) -> Option<TermId> {
        let given: Vec<SortId> = args.iter().map(|&a| self.store.sort(a)).collect();
        kinds.iter().find_map(|&kind| {
            let op = Op::indexed(kind, numbers[0], numbers[1]);
            let row = theories::row(kind)?;
            // `concat` takes two arguments, and more in rules.
            if let (Kind::BvConcat, [first, rest @ ..]) = (kind, args)
                && !rest.is_empty()
            {
                return rest.iter().try_fold(*first, |all, &next| self.store.app(op, &[all, next]).ok());
            }
            if !row.takes(args.len()) || row.result_sort(op, &given, &mut self.store.sorts).is_err() {
                return None;
            }
            self.store.app(op, args).ok()
        })
    }

    /// Returns the value of an operator without arguments.
    fn neutral(&mut self, kinds: &[Kind], sort: SortId) -> Option<TermId> {
        let width = self.store.sorts.width(sort);
        kinds.iter().find_map(|&kind| {
            let store = &mut self.store;
            match (kind, sort) {
                (Kind::And, SortId::BOOL) => Some(store.bool(true)),
                (Kind::Or, SortId::BOOL) => Some(store.bool(false)),
                (Kind::IntAdd, SortId::INT) => Some(store.int(&IBig::ZERO)),
                (Kind::IntMul, SortId::INT) => Some(store.int(&IBig::ONE)),
                (Kind::RealAdd, SortId::REAL) => Some(store.real(&dashu_ratio::RBig::ZERO)),
                (Kind::RealMul, SortId::REAL) => Some(store.real(&dashu_ratio::RBig::ONE)),
                (Kind::StrConcat, SortId::STRING) => Some(store.string(&[])),
                (Kind::ReConcat, SortId::REGLAN) => {
                    let empty = store.string(&[]);
                    store.app(Op::new(Kind::StrToRe), &[empty]).ok()
                }
                (Kind::ReUnion, SortId::REGLAN) => store.app(Op::new(Kind::ReNone), &[]).ok(),
                (Kind::ReInter, SortId::REGLAN) => store.app(Op::new(Kind::ReAll), &[]).ok(),
                (Kind::BvAnd, _) => width.map(|w| store.bitvec(w, &UBig::ones(w as usize))),
                (Kind::BvOr | Kind::BvXor | Kind::BvAdd, _) => width.map(|w| store.bitvec(w, &UBig::ZERO)),
                (Kind::BvMul, _) => width.map(|w| store.bitvec(w, &UBig::ONE)),
                _ => None,
            }
        })
    }

    /// Returns the truth of a formula without symbols; `None` if it has some.
    pub fn truth(&mut self, t: TermId) -> Option<bool> {
        self.ground.eval(&self.store, t).ok()?.as_bool()
    }

    fn number(&mut self, t: TermId) -> Option<IBig> {
        self.ground.eval(&self.store, t).ok()?.as_int().cloned()
    }

    fn index(&mut self, t: TermId) -> Option<u32> {
        u32::try_from(&self.number(t)?).ok().filter(|&n| n <= MAX_INDEX)
    }

    /// Returns the number of a term without symbols, as a literal.
    pub fn numeral(&mut self, t: TermId) -> Option<TermId> {
        let number = self.number(t)?;
        Some(self.store.int(&number))
    }
}

/// A node of a rule in an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuiltNode {
    /// A variable of the node has no value yet.
    Open,
    /// The node is not well-sorted, or an index is not a number in range.
    IllSorted,
    /// The built term.
    Value(RuleValue),
}

fn is_associative(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::And
            | Kind::Or
            | Kind::IntAdd
            | Kind::IntMul
            | Kind::RealAdd
            | Kind::RealMul
            | Kind::StrConcat
            | Kind::ReConcat
            | Kind::ReUnion
            | Kind::ReInter
            | Kind::BvAnd
            | Kind::BvOr
            | Kind::BvXor
            | Kind::BvAdd
            | Kind::BvMul
            | Kind::BvConcat
    )
}

fn positive(n: &IBig) -> Option<UBig> {
    UBig::try_from(n.clone()).ok().filter(|n| *n != UBig::ZERO)
}

fn modulo(n: &IBig, width: u32) -> UBig {
    use dashu_int::ops::RemEuclid;
    n.clone().rem_euclid(IBig::from(UBig::ONE << width as usize))
}
