//! The values that are tried for a symbol: those of the problem's constants, what is made of them, and what a relation suggests.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rewrite::complete::eval_with;
use rewrite::walk;
use rustc_hash::FxHashMap;
use search::rng::Random;
use semantics::array::{ArrayValue, Base};
use semantics::collections::{BagValue, SetValue};
use semantics::domain::Domains;
use semantics::strings::SmtString;
use semantics::{Evaluator, Model, Stop, Value};
use smtlib::{FuncId, Kind, Op, Sort, SortId, Store, Symbol, TermId};
use std::sync::Arc;

/// The maximum number of values of one sort.
const MOST: usize = 120;
/// The maximum size of a value in bytes.
const LARGEST: usize = 1 << 10;
/// The maximum number of parts that a composed value is made of.
const PARTS: usize = 8;
/// How often values are made of the values so far.
const ROUNDS: usize = 3;
/// The maximum number of sorts: a datatype may have infinitely many as parts.
const SORTS: usize = 100;
/// The number of elements of an uninterpreted sort.
const UNIVERSE: u32 = 4;

/// The candidates by sort.
#[derive(Default)]
pub struct CandidatePool {
    values: FxHashMap<SortId, Vec<Value>>,
    /// Closed terms that are regular languages, whose values mean nothing outside of an evaluator.
    languages: Vec<TermId>,
    universes: Vec<SortId>,
    /// The terms that stand in a relation with an application, by the application.
    related: FxHashMap<TermId, Vec<TermId>>,
    names: Vec<Symbol>,
}

impl CandidatePool {
    /// Collects the candidates for a problem.
    pub fn of(store: &mut Store, assertions: &[TermId], stop: &Stop) -> CandidatePool {
        let mut pool = CandidatePool::default();
        let terms = walk::bottom_up(store, assertions.iter().copied());
        let mut evaluator = Evaluator::new(Model::new(), super::LIMITS).heeding(stop);
        let mut sorts: Vec<SortId> = Vec::new();
        for &t in &terms {
            let sort = store.sort(t);
            if !sorts.contains(&sort) {
                sorts.push(sort);
            }
            match evaluator.eval(store, t) {
                Ok(Value::RegLan(_)) => pool.languages.push(t),
                Ok(value) => pool.add(sort, value),
                Err(_) => {}
            }
            let args = store.args(t);
            if store.sort(t) == SortId::BOOL && args.len() > 1 {
                for (n, &arg) in args.iter().enumerate() {
                    let others =
                        args.iter().enumerate().filter(|(m, other)| *m != n && store.sort(**other) == store.sort(arg));
                    pool.related.entry(arg).or_default().extend(others.map(|(_, &other)| other));
                }
            }
        }
        let longest = terms.iter().filter_map(|&t| store.op(t).func()).map(|f| store.func(f).params.len()).max();
        pool.names = (0..longest.unwrap_or(0)).map(|n| store.symbols.intern(&format!("x!{n}"))).collect();
        let regular = [Kind::ReAll, Kind::ReNone].map(Op::new);
        pool.languages.extend(regular.into_iter().filter_map(|op| store.app(op, &[]).ok()));
        let mut next = 0;
        while let Some(&sort) = sorts.get(next).filter(|_| sorts.len() < SORTS) {
            next += 1;
            let mut inside = store.sorts.children(sort);
            if let Sort::Datatype(id, _) = *store.sorts.get(sort) {
                let constructors = store.datatype(id).constructors.len();
                inside.extend((0..constructors).flat_map(|n| store.field_sorts(sort, n)).collect::<Vec<_>>());
            }
            inside.retain(|s| !sorts.contains(s));
            inside.dedup();
            sorts.extend(inside);
        }
        // Parts before wholes, several times: a list is made of shorter ones.
        sorts.reverse();
        for _ in 0..ROUNDS {
            sorts.iter().for_each(|&sort| pool.compose(store, sort));
        }
        pool
    }

    /// Returns the candidates of a sort.
    pub fn of_sort(&self, sort: SortId) -> &[Value] {
        self.values.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// Fixes the number of elements of uninterpreted sorts.
    pub fn set_universes(&self, model: &mut Model) {
        self.universes.iter().for_each(|&sort| model.set_universe(sort, UNIVERSE));
    }

    /// Gives a symbol for regular languages one of the problem's languages.
    pub fn give_language(&self, store: &Store, model: &mut Model, f: FuncId, random: &mut Random) {
        let params = self.names[..store.func(f).params.len()].into();
        if let Some(&body) = self.languages.get(random.index(self.languages.len())) {
            // A language's sort is right, and so is the number of parameters.
            let _ = model.assign_body(store, f, params, body);
        }
    }

    /// Returns the values that are suggested for an application: small changes of its present value, and the values of the other sides of
    /// relations, with those next to them.
    pub fn suggested(&self, store: &Store, evaluator: &mut Evaluator, place: TermId) -> Vec<Value> {
        let present = eval_with(store, evaluator, place).ok();
        let mut all: Vec<Value> =
            present.iter().flat_map(|value| self.changes(store, store.sort(place), value)).collect();
        for &other in self.related.get(&place).into_iter().flatten() {
            // A function given by a body is suggested as a term.
            if let Ok(value) = eval_with(store, evaluator, other)
                && is_plain(&value)
            {
                all.extend(neighbours(&value));
                all.push(value);
            }
        }
        all
    }

    /// Gives a constant the other sides of relations whose value is a function given by a body. Returns the changed models.
    pub fn defined(&self, store: &Store, evaluator: &mut Evaluator, place: TermId, f: FuncId) -> Vec<Model> {
        let mut all = Vec::new();
        for &other in self.related.get(&place).into_iter().flatten() {
            let model = evaluator.model().clone();
            if eval_with(store, evaluator, other).is_ok_and(|value| !is_plain(&value))
                && !model.depends_on(store, other, f)
            {
                let mut model = (*model).clone();
                if model.assign_body(store, f, [].into(), other).is_ok() {
                    all.push(model);
                }
            }
        }
        all
    }

    /// Returns values that differ little from a value.
    fn changes(&self, store: &Store, sort: SortId, value: &Value) -> Vec<Value> {
        let mut all = neighbours(value);
        let parts = |sort| self.of_sort(sort).iter().take(PARTS);
        match (value, store.sorts.get(sort)) {
            (Value::Int(n), _) => {
                all.extend([n * IBig::from(2), n / IBig::from(2), n + IBig::from(10)].map(Value::Int))
            }
            (Value::String(text), _) => {
                let longer = parts(sort).filter_map(|part| match part {
                    Value::String(part) => Some([[text, part], [part, text]]),
                    _ => None,
                });
                let joined = longer.flatten().map(|both| both.map(SmtString::code_points).concat());
                all.extend(joined.filter_map(|points| SmtString::new(&points).ok()).map(Value::String));
            }
            (Value::Seq(list), Sort::Seq(element)) => {
                let list = list.elements();
                let shorter = list.split_last().map(|(_, rest)| rest.to_vec());
                let longer =
                    parts(*element).flat_map(|e| [[list, std::slice::from_ref(e)], [std::slice::from_ref(e), list]]);
                let lists = shorter.into_iter().chain(longer.map(|both| both.concat()));
                all.extend(lists.filter_map(|list| Value::sequence(sort, list.into())));
            }
            (Value::Set(set), Sort::Set(element)) => {
                let set = set.elements();
                let fewer = (0..set.len().min(PARTS)).map(|n| [&set[..n], &set[n + 1..]].concat());
                let more = parts(*element).map(|e| [set, std::slice::from_ref(e)].concat());
                all.extend(
                    fewer.chain(more).filter_map(|list| SetValue::new(list).ok()).map(|set| Value::Set(Arc::new(set))),
                );
            }
            _ => {}
        }
        all
    }

    fn add(&mut self, sort: SortId, value: Value) {
        let values = self.values.entry(sort).or_default();
        if values.len() < MOST && is_plain(&value) && value.bytes() <= LARGEST && !values.contains(&value) {
            values.push(value);
        }
    }

    /// Adds values of a sort that are made of the candidates so far.
    fn compose(&mut self, store: &mut Store, sort: SortId) {
        let known: Vec<Value> = self.of_sort(sort).iter().take(PARTS).cloned().collect();
        let part = |pool: &CandidatePool, sort| pool.of_sort(sort).iter().take(PARTS).cloned().collect::<Vec<Value>>();
        let mut new: Vec<Value> = known.iter().flat_map(neighbours).collect();
        match store.sorts.get(sort).clone() {
            Sort::Int => {
                new.extend([0, 1, 2, -1].map(|n| Value::Int(IBig::from(n))));
                new.extend(pairs(&known).filter_map(|(a, b)| Some(Value::Int(a.as_int()? + b.as_int()?))));
            }
            Sort::Real => {
                new.extend([0, 1, -1].map(|n| Value::real(RBig::from(n))));
                new.extend(
                    pairs(&known).filter_map(|(a, b)| Some(Value::real((a.as_real()? + b.as_real()?) / RBig::from(2)))),
                );
            }
            Sort::String => {
                new.extend(
                    ["", "a", "0", "1"].iter().filter_map(|text| SmtString::from_text(text).ok()).map(Value::String),
                );
                let joined = pairs(&known).filter_map(|(a, b)| match (a, b) {
                    (Value::String(a), Value::String(b)) => {
                        SmtString::new(&[a.code_points(), b.code_points()].concat()).ok()
                    }
                    _ => None,
                });
                new.extend(joined.map(Value::String));
            }
            Sort::Seq(element) => {
                let elements = part(self, element);
                new.extend(Value::sequence(sort, [].into()));
                new.extend(elements.iter().filter_map(|e| Value::sequence(sort, [e.clone()].into())));
                new.extend(pairs(&elements).filter_map(|(a, b)| Value::sequence(sort, [a.clone(), b.clone()].into())));
            }
            Sort::Set(element) => {
                let elements = part(self, element);
                let lists = std::iter::once(Vec::new()).chain(elements.iter().map(|e| vec![e.clone()]));
                let lists = lists.chain(pairs(&elements).map(|(a, b)| vec![a.clone(), b.clone()]));
                new.extend(lists.filter_map(|list| SetValue::new(list).ok()).map(|set| Value::Set(Arc::new(set))));
            }
            Sort::Bag(element) => {
                let elements = part(self, element);
                let counts = elements.iter().flat_map(|e| [1u8, 2].map(|n| vec![(e.clone(), UBig::from(n))]));
                let lists = std::iter::once(Vec::new()).chain(counts);
                new.extend(
                    lists.filter_map(|list| BagValue::new(sort, list).ok()).map(|bag| Value::Bag(Arc::new(bag))),
                );
            }
            Sort::Datatype(id, _) => {
                for number in 0..store.datatype(id).constructors.len() {
                    let fields = store.field_sorts(sort, number);
                    let mut lists: Vec<Vec<Value>> = vec![Vec::new()];
                    for field in fields {
                        let values = part(self, field);
                        let longer = |list: &Vec<Value>| {
                            values
                                .iter()
                                .take(3)
                                .map(|v| [&list[..], std::slice::from_ref(v)].concat())
                                .collect::<Vec<_>>()
                        };
                        lists = lists.iter().flat_map(longer).take(PARTS * 2).collect();
                    }
                    new.extend(lists.into_iter().filter_map(|list| Value::datatype(sort, number as u32, list.into())));
                }
            }
            Sort::Array(index, element) | Sort::Map(index, element) => {
                let (indices, elements, model) = (part(self, index), part(self, element), Model::new());
                let domains = Domains { store, model: &model };
                let size = domains.cardinality(index);
                let is_array = matches!(store.sorts.get(sort), Sort::Array(..));
                let array = |default: &Value, entries: Vec<(Value, Value)>| {
                    let array =
                        ArrayValue::build(Base::Default(default.clone()), size, entries, |n| domains.nth(index, n))?;
                    Some(if is_array { Value::Array(Arc::new(array)) } else { Value::Map(Arc::new(array)) })
                };
                new.extend(elements.iter().filter_map(|default| array(default, Vec::new())));
                for (default, other) in pairs(&elements).filter(|(a, b)| a != b).take(PARTS) {
                    new.extend(indices.iter().filter_map(|at| array(default, vec![(at.clone(), other.clone())])));
                }
            }
            Sort::Uninterpreted(..) => {
                self.universes.push(sort);
                new.extend((0..UNIVERSE).map(|index| Value::Element { sort, index }));
            }
            _ => {
                let model = Model::new();
                let domains = Domains { store, model: &model };
                new.extend(domains.all(sort, MOST as u64).unwrap_or_else(|| domains.any(sort).into_iter().collect()));
            }
        }
        new.into_iter().for_each(|value| self.add(sort, value));
    }
}

/// Whether a value has a term: it contains no function given by a body.
fn is_plain(value: &Value) -> bool {
    value.is_exact() || matches!(value, Value::Algebraic(_))
}

/// Returns all pairs of values.
fn pairs(values: &[Value]) -> impl Iterator<Item = (&Value, &Value)> {
    values.iter().flat_map(move |a| values.iter().map(move |b| (a, b)))
}

/// Returns the numbers next to a number, and its opposite.
fn neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(n) => [n + IBig::ONE, n - IBig::ONE, -n].map(Value::Int).into(),
        Value::Real(r) => [&**r + RBig::ONE, &**r - RBig::ONE, -&**r, &**r / RBig::from(2)].map(Value::real).into(),
        Value::BitVec { width, value } => {
            let top = UBig::ONE << *width as usize;
            [value + UBig::ONE, value + &top - UBig::ONE].map(|v| Value::bitvec(*width, v)).into()
        }
        Value::String(text) => {
            let points = text.code_points();
            let parts = [points.get(1..), points.len().checked_sub(1).and_then(|n| points.get(..n)), points.get(..1)];
            parts.into_iter().flatten().filter_map(|part| SmtString::new(part).ok()).map(Value::String).collect()
        }
        _ => Vec::new(),
    }
}
