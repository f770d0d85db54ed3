//! The values of a law's variables and parameters: found by matching a side with a term, and substituted into a side.

use super::law::{Law, LawBits, LawIndex, LawSort, LawTerm};
use dashu_int::UBig;
use smtlib::{Constant, Kind, Op, Sort, SortId, Store, TermId, theories};

/// The known values of an instance of a law.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LawBindings {
    /// The sort parameters.
    pub sorts: Vec<Option<SortId>>,
    /// The index parameters.
    pub indices: Vec<Option<u32>>,
    /// The variables.
    pub terms: Vec<Option<TermId>>,
}

impl LawBindings {
    /// Returns an empty instance.
    pub fn of(law: &Law) -> LawBindings {
        LawBindings {
            sorts: vec![None; law.sorts.len()],
            indices: vec![None; law.indices.len()],
            terms: vec![None; law.variables.len()],
        }
    }

    /// Returns the sort of a variable, if its parameters are known and there is such a sort.
    pub fn sort(&self, store: &mut Store, sort: &LawSort) -> Option<SortId> {
        match sort {
            LawSort::Simple(sort) => Some(*sort),
            LawSort::Parameter(n) => self.sorts.get(*n).copied().flatten(),
            LawSort::BitVec(width) => {
                let width = width.value(&self.indices).filter(|w| (1..=MAX_WIDTH).contains(w))?;
                Some(store.sorts.bitvec(width))
            }
            LawSort::Float(eb, sb) => {
                let (eb, sb) = (eb.value(&self.indices)?, sb.value(&self.indices)?);
                (eb >= 2 && sb >= 2 && eb <= MAX_WIDTH && sb <= MAX_WIDTH).then(|| store.sorts.float(eb, sb))
            }
            LawSort::Array(index, element) => {
                let (index, element) = (self.sort(store, index)?, self.sort(store, element)?);
                Some(store.sorts.array(index, element))
            }
        }
    }

    /// Whether a sort matches; the implied parameters are recorded.
    pub fn accepts(&mut self, store: &Store, pattern: &LawSort, sort: SortId) -> bool {
        match (pattern, store.sorts.get(sort)) {
            (LawSort::Simple(wanted), _) => *wanted == sort,
            // Solvers support no `ite` and few equations of regular expressions.
            (LawSort::Parameter(_), Sort::RegLan) => false,
            (LawSort::Parameter(n), _) => match self.sorts.get_mut(*n) {
                Some(slot) => *slot.get_or_insert(sort) == sort,
                None => false,
            },
            (LawSort::BitVec(width), Sort::BitVec(w)) => width.accepts(*w, &mut self.indices),
            (LawSort::Float(e, s), Sort::Float { eb, sb }) => {
                e.accepts(*eb, &mut self.indices) && s.accepts(*sb, &mut self.indices)
            }
            (LawSort::Array(i, e), Sort::Array(index, element)) => {
                let (index, element) = (*index, *element);
                self.accepts(store, i, index) && self.accepts(store, e, element)
            }
            _ => false,
        }
    }

    /// Whether a side may match this term. It does only if the side, built with the known values, is exactly the term.
    ///
    /// Recursion is as deep as the side.
    pub fn matches(&mut self, store: &Store, law: &Law, side: &LawTerm, t: TermId) -> bool {
        match side {
            LawTerm::Variable(n) => match self.terms.get(*n).copied().flatten() {
                Some(bound) => bound == t,
                None => {
                    let fits = law.variables.get(*n).is_some_and(|v| self.accepts(store, &v.1, store.sort(t)));
                    if let Some(slot) = self.terms.get_mut(*n) {
                        *slot = Some(t);
                    }
                    fits
                }
            },
            LawTerm::Literal(literal) => store.constant(t) == Some(literal),
            LawTerm::Bits(bits, width) => match store.constant(t) {
                Some(Constant::BitVec { width: w, value }) => {
                    let number = match bits {
                        LawBits::Number(number) => {
                            u32::try_from(value).is_ok_and(|v| number.accepts(v, &mut self.indices))
                        }
                        _ => true,
                    };
                    number && width.accepts(*w, &mut self.indices)
                }
                _ => false,
            },
            LawTerm::FloatOne(e, s) => match store.sorts.get(store.sort(t)) {
                Sort::Float { eb, sb } if store.kind(t) == Kind::Fp => {
                    e.accepts(*eb, &mut self.indices) && s.accepts(*sb, &mut self.indices)
                }
                _ => false,
            },
            LawTerm::ConstArray(sort, element) => {
                store.kind(t) == Kind::ConstArray
                    && self.accepts(store, sort, store.sort(t))
                    && store.args(t).first().is_some_and(|&e| self.matches(store, law, element, e))
            }
            LawTerm::Application { kinds, indices, args } => {
                let (op, given) = (store.op(t), store.args(t));
                kinds.contains(&op.kind)
                    && given.len() == args.len()
                    && indices.iter().zip([op.i, op.j]).all(|(index, value)| index.accepts(value, &mut self.indices))
                    && args.iter().zip(given).all(|(side, &a)| self.matches(store, law, side, a))
            }
        }
    }

    /// Returns a side as a term; `None` if a part has no value or does not fit. Recursion is as deep as the side.
    pub fn build(&self, store: &mut Store, side: &LawTerm) -> Option<TermId> {
        match side {
            LawTerm::Variable(n) => self.terms.get(*n).copied().flatten(),
            LawTerm::Literal(Constant::Int(n)) => Some(store.int(&n.clone().into())),
            LawTerm::Literal(Constant::Real(r)) => Some(store.real(r)),
            LawTerm::Literal(Constant::String(s)) => Some(store.string(s)),
            LawTerm::Literal(Constant::BitVec { width, value }) => Some(store.bitvec(*width, value)),
            LawTerm::Literal(Constant::FieldElement { order, value }) => {
                Some(store.field_element(order, &value.clone().into()))
            }
            LawTerm::Bits(bits, width) => {
                let width = width.value(&self.indices).filter(|w| (1..=MAX_WIDTH).contains(w))?;
                let value = match bits {
                    // A number that exceeds the width is not a value of it.
                    LawBits::Number(n) => Some(UBig::from(n.value(&self.indices)?)).filter(|v| bits_of(v) <= width)?,
                    LawBits::Ones => UBig::ones(width as usize),
                    LawBits::Least => UBig::ONE << (width as usize - 1),
                    LawBits::Most => UBig::ones(width as usize - 1),
                };
                Some(store.bitvec(width, &value))
            }
            LawTerm::FloatOne(eb, sb) => {
                let index = |index: &LawIndex| index.value(&self.indices).filter(|n| (2..=MAX_WIDTH).contains(n));
                let (eb, sb) = (index(eb)?, index(sb)?);
                let fields = [
                    store.bitvec(1, &UBig::ZERO),
                    store.bitvec(eb, &UBig::ones(eb as usize - 1)),
                    store.bitvec(sb - 1, &UBig::ZERO),
                ];
                store.app(Op::new(Kind::Fp), &fields).ok()
            }
            LawTerm::ConstArray(sort, element) => {
                let element = self.build(store, element)?;
                let sort = self.sort(store, sort)?;
                store.const_array(sort, element).ok()
            }
            LawTerm::Application { kinds, indices, args } => {
                let mut values = [0; 2];
                for (slot, index) in values.iter_mut().zip(indices) {
                    *slot = index.value(&self.indices)?;
                }
                let args = args.iter().map(|a| self.build(store, a)).collect::<Option<Vec<TermId>>>()?;
                kinds.iter().find_map(|&kind| {
                    let op = Op::indexed(kind, values[0], values[1]);
                    let given: Vec<SortId> = args.iter().map(|&a| store.sort(a)).collect();
                    let row = theories::row(kind)?;
                    row.result_sort(op, &given, &mut store.sorts).ok()?;
                    store.app(op, &args).ok()
                })
            }
        }
    }
}

/// The maximum width at which laws are used: wider bit-vectors are not worth the time.
const MAX_WIDTH: u32 = 1 << 12;

fn bits_of(value: &UBig) -> u32 {
    use dashu_int::ops::BitTest;
    u32::try_from(value.bit_len()).unwrap_or(u32::MAX)
}
