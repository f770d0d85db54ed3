//! Values as terms: literals and constructor terms.

use crate::algebraic::{AlgebraicLimits, RealRoot};
use crate::array::{ArrayValue, Base};
use crate::collections::{BagValue, SequenceValue, SetValue};
use crate::float::{Float, RoundingMode};
use crate::value::Value;
use dashu_int::{IBig, UBig};
use smtlib::{Func, FuncBody, FuncId, Kind, Op, Sort, SortId, Store, TermId};

impl Value {
    /// Returns a closed term of `sort` with this value: literals, `(- 5)`, `(fp …)`, constructors, `store` chains over `as const`, unions
    /// of singletons. Maps are `lambda`s whose bodies are chains of cases. Sequences are `(seq.++ (seq.unit a) …)`, bags
    /// `(bag.union_disjoint (bag a 2) …)`. Elements of uninterpreted sorts are the constants of [`element_constant`].
    ///
    /// `None` for regular languages, irrational numbers, functions given by a body, and values of another sort. Recursion is as deep as
    /// the value, at most [`MAX_DEPTH`](crate::value::MAX_DEPTH).
    pub fn to_term(&self, store: &mut Store, sort: SortId) -> Option<TermId> {
        match self {
            Value::Bool(b) => Some(store.bool(*b)),
            Value::Int(n) => Some(store.int(n)),
            Value::Real(r) => Some(store.real(r)),
            Value::BitVec { width, value } => Some(store.bitvec(*width, value)),
            Value::FieldElement { order, value } => Some(store.field_element(order, &IBig::from(value.clone()))),
            Value::Float(f) => float_term(f, store),
            Value::RoundingMode(m) => nullary(store, Op::new(mode_kind(*m))),
            Value::String(s) => Some(store.string(s.code_points())),
            Value::Array(a) => array_term(a, store, sort),
            Value::Map(map) => map_term(map, store, sort),
            Value::Set(set) => set_term(set, store, sort),
            Value::Bag(bag) => bag_term(bag, store, sort),
            Value::Datatype(d) => {
                let Sort::Datatype(id, _) = *store.sorts.get(sort) else { return None };
                let fields = store.field_sorts(sort, d.constructor as usize);
                let args: Option<Vec<TermId>> = d.fields.iter().zip(fields).map(|(v, s)| v.to_term(store, s)).collect();
                store.construct(id, d.constructor as usize, &args?, Some(sort)).ok()
            }
            Value::Seq(s) => sequence_term(s, store, sort),
            Value::Element { sort, index } => {
                let f = element_constant(store, *sort, *index);
                store.constant_of(f).ok()
            }
            Value::RegLan(_) | Value::Algebraic(_) => None,
        }
    }

    /// Returns Z3's `root-obj` for an irrational number, unless its polynomial is too large.
    pub fn root_object(&self) -> Option<String> {
        let Value::Algebraic(number) = self else { return None };
        match number.to_root(&AlgebraicLimits::EVALUATION).ok()? {
            RealRoot::Irrational(root) => Some(root.root_object()),
            RealRoot::Rational(_) => None,
        }
    }

    /// Describes a value without a [`Value::to_term`].
    pub fn why_no_term(&self) -> &'static str {
        match self.holds_irrational() {
            true => "irrational (an algebraic number), for which SMT-LIB has no literal",
            false => "a function given by a body, or a regular language",
        }
    }

    /// Whether the value contains an irrational number; recursion is as deep as the value.
    pub(crate) fn holds_irrational(&self) -> bool {
        match self {
            Value::Algebraic(_) => true,
            Value::Datatype(d) => d.fields.iter().any(Value::holds_irrational),
            Value::Seq(s) => s.elements().iter().any(Value::holds_irrational),
            Value::Set(set) => set.elements().iter().any(Value::holds_irrational),
            Value::Bag(bag) => bag.entries().iter().any(|(value, _)| value.holds_irrational()),
            Value::Array(a) | Value::Map(a) => {
                matches!(a.base(), Base::Default(value) if value.holds_irrational())
                    || a.entries().iter().any(|(key, value)| key.holds_irrational() || value.holds_irrational())
            }
            _ => false,
        }
    }
}

/// Returns the declared constant that stands for an element of an uninterpreted sort in printed witnesses: `elem!` with the sort's
/// name and the element's number. A script that declares this name itself cannot have such elements printed.
pub fn element_constant(store: &mut Store, sort: SortId, index: u32) -> FuncId {
    let name = format!("elem!{}!{index}", store.sort_text(sort));
    let name = store.symbols.intern(&name);
    store.declare(Func { name, params: [].into(), result: sort, body: FuncBody::Declared })
}

fn nullary(store: &mut Store, op: Op) -> Option<TermId> {
    store.app(op, &[]).ok()
}

fn mode_kind(mode: RoundingMode) -> Kind {
    match mode {
        RoundingMode::Rne => Kind::Rne,
        RoundingMode::Rna => Kind::Rna,
        RoundingMode::Rtp => Kind::Rtp,
        RoundingMode::Rtn => Kind::Rtn,
        RoundingMode::Rtz => Kind::Rtz,
    }
}

fn float_term(f: &Float, store: &mut Store) -> Option<TermId> {
    let (eb, sb) = (f.format().eb(), f.format().sb());
    let special = |kind| Op::indexed(kind, eb, sb);
    if f.is_nan() {
        return nullary(store, special(Kind::FpNan));
    }
    if f.is_infinite() {
        return nullary(store, special(if f.sign() { Kind::FpMinusInfinity } else { Kind::FpPlusInfinity }));
    }
    let sign = store.bitvec(1, &UBig::from(u8::from(f.sign())));
    let exponent = store.bitvec(eb, &UBig::from(f.exponent_field()));
    let significand = store.bitvec(sb - 1, &f.trailing_significand());
    store.app(Op::new(Kind::Fp), &[sign, exponent, significand]).ok()
}

fn sequence_term(sequence: &SequenceValue, store: &mut Store, sort: SortId) -> Option<TermId> {
    let Sort::Seq(element) = *store.sorts.get(sort) else { return None };
    let mut units = Vec::with_capacity(sequence.elements().len());
    for value in sequence.elements() {
        let value = value.to_term(store, element)?;
        units.push(store.app(Op::new(Kind::SeqUnit), &[value]).ok()?);
    }
    match units[..] {
        [] => store.empty_sequence(sort).ok(),
        [unit] => Some(unit),
        _ => store.app(Op::new(Kind::SeqConcat), &units).ok(),
    }
}

fn array_term(array: &ArrayValue, store: &mut Store, sort: SortId) -> Option<TermId> {
    let Sort::Array(index, element) = *store.sorts.get(sort) else { return None };
    let Base::Default(default) = array.base() else { return None };
    let default = default.to_term(store, element)?;
    let mut term = store.const_array(sort, default).ok()?;
    for (key, value) in array.entries() {
        let key = key.to_term(store, index)?;
        let value = value.to_term(store, element)?;
        term = store.app(Op::new(Kind::ArrayStore), &[term, key, value]).ok()?;
    }
    Some(term)
}

fn map_term(map: &ArrayValue, store: &mut Store, sort: SortId) -> Option<TermId> {
    let Sort::Map(from, to) = *store.sorts.get(sort) else { return None };
    let Base::Default(default) = map.base() else { return None };
    let default = default.to_term(store, to)?;
    let constant = store.constant_map(sort, default).ok()?;
    map.entries().iter().try_fold(constant, |term, (key, value)| {
        let (key, value) = (key.to_term(store, from)?, value.to_term(store, to)?);
        store.updated_map(term, key, value).ok()
    })
}

fn set_term(set: &SetValue, store: &mut Store, sort: SortId) -> Option<TermId> {
    let Sort::Set(element) = *store.sorts.get(sort) else { return None };
    let mut singletons = Vec::with_capacity(set.elements().len());
    for value in set.elements() {
        let value = value.to_term(store, element)?;
        singletons.push(store.app(Op::new(Kind::SetSingleton), &[value]).ok()?);
    }
    match singletons[..] {
        [] => store.set_constant(Kind::SetEmpty, sort).ok(),
        [one] => Some(one),
        _ => store.app(Op::new(Kind::SetUnion), &singletons).ok(),
    }
}

fn bag_term(bag: &BagValue, store: &mut Store, sort: SortId) -> Option<TermId> {
    let Sort::Bag(element) = *store.sorts.get(sort) else { return None };
    let mut parts = Vec::with_capacity(bag.entries().len());
    for (value, count) in bag.entries() {
        let (value, count) = (value.to_term(store, element)?, store.int(&IBig::from(count.clone())));
        parts.push(store.app(Op::new(Kind::BagMake), &[value, count]).ok()?);
    }
    match parts[..] {
        [] => store.empty_bag(sort).ok(),
        [one] => Some(one),
        _ => store.app(Op::new(Kind::BagUnionDisjoint), &parts).ok(),
    }
}
