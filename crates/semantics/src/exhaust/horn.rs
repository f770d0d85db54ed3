//! Constrained Horn clauses over finite sorts, decided by their least fixpoint: an alternative to trying all relations.
//!
//! A clause is `(forall ((x S) …) (=> (and (P x …) … constraint) (Q …)))`, with `false` or nothing positive for a query. Its ground
//! instances are propositional Horn clauses, whose least model follows by unit propagation in linear time (Dowling and Gallier, 1984,
//! "Linear-time algorithms for testing the satisfiability of propositional Horn formulae"). Every relation that satisfies the clauses
//! contains the least one, so they have no solution if and only if a query is derived.
//!
//! Variables of infinite sorts take a few values, and those of derived facts. Then a derived query refutes the clauses as well, and nothing
//! else is known.

use super::ExhaustLimits;
use super::world::subterms;
use crate::cardinality::Cardinality;
use crate::domain::Domains;
use crate::eval::Evaluator;
use crate::meter::Stop;
use crate::model::{FunctionTable, Model};
use crate::symbols::mentioned_deeply;
use crate::value::Value;
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use smtlib::printer::quote_symbol;
use smtlib::{Func, FuncBody, FuncId, Kind, SortId, Store, Symbol, TermId};
use std::fmt::Write;

/// The most ground instances of all clauses; all are kept.
const MAX_INSTANCES: u64 = 1 << 18;
/// How often the values of derived facts become values of variables.
const ROUNDS: usize = 64;
/// The first integers and reals that variables of infinite sorts take, besides the numbers in the clauses.
const FIRST: std::ops::RangeInclusive<i8> = -1..=2;

/// The result of the least fixpoint of clauses.
pub(crate) enum Fixpoint {
    /// The least relations satisfy the clauses.
    Sat(Model),
    /// A query is derived. The derivation has one fact per line, such as `(P #b01) by assertion 2 from (Q true)`.
    Unsat(Vec<String>),
}

/// A clause with its variables turned into constants.
struct HornClause {
    assertion: usize,
    vars: Vec<(FuncId, SortId)>,
    constraints: Vec<TermId>,
    /// Relations with their arguments.
    body: Vec<(FuncId, Vec<TermId>)>,
    head: Option<(FuncId, Vec<TermId>)>,
}

/// A ground clause: facts by number.
struct GroundRule {
    assertion: usize,
    body: Vec<usize>,
    head: Option<usize>,
}

/// Facts found so far.
#[derive(Default)]
struct Facts {
    numbers: FxHashMap<(FuncId, Box<[Value]>), usize>,
    all: Vec<(FuncId, Box<[Value]>)>,
}

/// Whether the relations of clauses have more than this number of points together; false if a symbol is not a relation.
pub(crate) fn has_more_points(store: &Store, assertions: &[TermId], most: u64) -> bool {
    let model = Model::new();
    let domains = Domains { store, model: &model };
    let symbols = mentioned_deeply(store, assertions).into_iter().map(|f| store.func(f)).filter(|f| f.is_declared());
    let (mut points, mut is_of_relations) = (0u64, true);
    for func in symbols {
        is_of_relations &= func.result == SortId::BOOL;
        let size = func.params.iter().try_fold(1u64, |n, &sort| match domains.cardinality(sort) {
            Cardinality::Finite(count) => n.checked_mul(count),
            _ => None,
        });
        points = points.saturating_add(size.unwrap_or(u64::MAX));
    }
    is_of_relations && points > most
}

/// Whether all assertions are clauses.
pub(crate) fn are_clauses(store: &Store, assertions: &[TermId]) -> bool {
    let mut store = store.clone();
    let mut parts: Vec<TermId> = assertions.to_vec();
    while let Some(part) = parts.pop() {
        match store.kind(part) {
            Kind::And => parts.extend_from_slice(store.args(part)),
            _ if clause(&mut store, part, 0, "horn").is_none() => return false,
            _ => {}
        }
    }
    true
}

/// Whether all are rules: clauses whose heads are relations of `declare-rel`, and so are all symbols in them.
pub(crate) fn are_rules(store: &mut Store, rules: &[TermId]) -> bool {
    let symbols = mentioned_deeply(store, rules).into_iter().map(|f| store.func(f));
    symbols.filter(|func| func.is_declared()).all(|func| func.body == FuncBody::Relation)
        && rules.iter().all(|&rule| clause(store, rule, 0, "rule").is_some_and(|clause| clause.head.is_some()))
}

/// Decides assertions that are clauses; `None` if one is not, a sort or the number of instances exceeds the limits, or an operator
/// leaves a value open.
pub(crate) fn fixpoint(
    store: &mut Store,
    assertions: &[TermId],
    limits: &ExhaustLimits,
    stop: &Stop,
) -> Option<Fixpoint> {
    let mut prefix = "horn".to_string();
    let symbols = mentioned_deeply(store, assertions);
    // The names of variables turned into constants are fresh.
    while symbols.iter().any(|&f| store.name(store.func(f).name).starts_with(&prefix)) {
        prefix.push('!');
    }
    if symbols.iter().any(|&f| store.func(f).is_declared() && store.func(f).result != SortId::BOOL) {
        return None;
    }
    let mut clauses = Vec::new();
    for (number, &assertion) in assertions.iter().enumerate() {
        let parts = match store.kind(assertion) {
            Kind::And => store.args(assertion).to_vec(),
            _ => vec![assertion],
        };
        for part in parts {
            clauses.push(clause(store, part, number, &prefix)?);
        }
    }
    let mut pools = ValuePools::of(store, &clauses, assertions, (limits, stop))?;
    let mut instances = 0;
    for round in 0.. {
        let (mut facts, mut rules) = (Facts::default(), Vec::new());
        for clause in &clauses {
            instances = ground(store, clause, &pools, (limits, stop), instances, (&mut facts, &mut rules))?;
        }
        let (derived, query) = propagate(&rules, facts.all.len());
        if let Some(query) = query {
            let derivation = derivation(store, &facts, &rules, &derived, query);
            return Some(Fixpoint::Unsat(derivation));
        }
        if pools.are_all {
            return least(store, assertions, &facts, &derived, limits);
        }
        if round == ROUNDS || !pools.grow(store, &facts, &derived) {
            return None;
        }
    }
    None
}

/// Returns the least relations, if they satisfy the clauses.
fn least(
    store: &mut Store,
    assertions: &[TermId],
    facts: &Facts,
    derived: &[Option<usize>],
    limits: &ExhaustLimits,
) -> Option<Fixpoint> {
    let model = relations(store, assertions, facts, derived)?;
    let mut check = Evaluator::new(model.clone(), limits.each);
    let holds = assertions.iter().all(|&assertion| check.eval(store, assertion) == Ok(Value::Bool(true)));
    holds.then_some(Fixpoint::Sat(model))
}

/// Reads a term as a clause, if it is one.
fn clause(store: &mut Store, assertion: TermId, number: usize, prefix: &str) -> Option<HornClause> {
    let mut vars: Vec<(Symbol, SortId)> = Vec::new();
    let mut body = Vec::new();
    let mut at = assertion;
    let head = loop {
        match store.kind(at) {
            Kind::Forall => {
                bind(store, at, &mut vars)?;
                at = *store.args(at).first()?;
            }
            Kind::Implies => {
                let (&last, conditions) = store.args(at).split_last()?;
                body.extend_from_slice(conditions);
                at = last;
            }
            Kind::Or => {
                let parts = store.args(at).to_vec();
                let mut positive = None;
                for part in parts {
                    match store.kind(part) {
                        Kind::Not => body.push(*store.args(part).first()?),
                        _ if !has_relation(store, part) => body.push(store.not(part)),
                        _ if positive.is_some() => return None,
                        _ => positive = Some(part),
                    }
                }
                match positive {
                    Some(part) => at = part,
                    None => break None,
                }
            }
            Kind::Not => {
                body.push(*store.args(at).first()?);
                break None;
            }
            _ if !has_relation(store, at) => {
                body.push(store.not(at));
                break None;
            }
            _ => break Some(at),
        }
    };
    let mut constraints = Vec::new();
    let mut atoms = Vec::new();
    while let Some(t) = body.pop() {
        match store.kind(t) {
            Kind::And => body.extend_from_slice(store.args(t)),
            _ if !has_relation(store, t) => constraints.push(t),
            Kind::Exists => {
                bind(store, t, &mut vars)?;
                body.push(*store.args(t).first()?);
            }
            _ => atoms.push(t),
        }
    }
    if rebinds(store, assertion, vars.len()) {
        return None;
    }
    let mut map = FxHashMap::default();
    let mut constants = Vec::with_capacity(vars.len());
    for (n, &(name, sort)) in vars.iter().enumerate() {
        let fresh = store.symbols.intern(&format!("{prefix}{n}"));
        let f = store.declare(Func { name: fresh, params: [].into(), result: sort, body: FuncBody::Declared });
        map.insert(store.bound_variable(name, sort), store.constant_of(f).ok()?);
        constants.push((f, sort));
    }
    let relation = |store: &mut Store, atom: TermId| {
        let f = store.applied(atom).filter(|&f| store.func(f).is_declared())?;
        let args = store.args(atom).to_vec();
        let is_free = args.iter().all(|&a| !has_relation(store, a));
        is_free.then(|| (f, args.into_iter().map(|a| store.replace(a, &map)).collect::<Vec<TermId>>()))
    };
    let head = match head {
        Some(atom) => Some(relation(store, atom)?),
        None => None,
    };
    let body = atoms.into_iter().map(|atom| relation(store, atom)).collect::<Option<_>>()?;
    let constraints = constraints.into_iter().map(|t| store.replace(t, &map)).collect();
    Some(HornClause { assertion: number, vars: constants, constraints, body, head })
}

/// Adds the variables of a binder; `None` if a name is bound already.
fn bind(store: &Store, t: TermId, vars: &mut Vec<(Symbol, SortId)>) -> Option<()> {
    for &(name, sort) in &store.binder(store.op(t).binder()?).vars {
        if vars.iter().any(|(known, _)| *known == name) {
            return None;
        }
        vars.push((name, sort));
    }
    Some(())
}

/// Whether a clause binds more than its own variables: names might be bound again.
fn rebinds(store: &Store, clause: TermId, own: usize) -> bool {
    let (mut seen, mut open, mut bound) = (vec![false; store.len()], vec![clause], 0);
    while let Some(t) = open.pop() {
        if std::mem::replace(&mut seen[t.index()], true) {
            continue;
        }
        match store.op(t).binder() {
            Some(binder) => bound += store.binder(binder).vars.len(),
            None if store.kind(t) == Kind::Match => return true,
            None => {}
        }
        open.extend_from_slice(store.args(t));
    }
    bound > own
}

/// Whether a symbol without a definition occurs.
fn has_relation(store: &Store, t: TermId) -> bool {
    mentioned_deeply(store, &[t]).into_iter().any(|f| store.func(f).is_declared())
}

/// The values that variables take, by sort.
struct ValuePools {
    values: FxHashMap<SortId, Vec<Value>>,
    /// Whether these are all values of the sorts.
    are_all: bool,
}

impl ValuePools {
    fn of(
        store: &Store,
        clauses: &[HornClause],
        assertions: &[TermId],
        (limits, stop): (&ExhaustLimits, &Stop),
    ) -> Option<ValuePools> {
        let numerals = subterms(store, assertions, stop).ok()?;
        let mut evaluator = Evaluator::new(Model::new(), limits.each);
        let model = Model::new();
        let domains = Domains { store, model: &model };
        let mut pools = ValuePools { values: FxHashMap::default(), are_all: true };
        for &(_, sort) in clauses.iter().flat_map(|clause| &clause.vars) {
            if pools.values.contains_key(&sort) {
                continue;
            }
            let values = domains.all(sort, limits.values).or_else(|| {
                pools.are_all = false;
                let number = |n: IBig| match sort {
                    SortId::INT => Some(Value::Int(n)),
                    SortId::REAL => Some(Value::real(n.into())),
                    _ => None,
                };
                let mut first: Vec<Value> = FIRST.map(|n| number(n.into())).collect::<Option<_>>()?;
                for &t in numerals.iter().filter(|&&t| store.sort(t) == sort && store.kind(t) == Kind::Constant) {
                    let value = evaluator.eval(store, t).ok()?;
                    if !first.contains(&value) {
                        first.push(value);
                    }
                }
                Some(first)
            });
            pools.values.insert(sort, values?);
        }
        Some(pools)
    }

    /// Adds the values of derived facts; false if all are there.
    fn grow(&mut self, store: &Store, facts: &Facts, derived: &[Option<usize>]) -> bool {
        let mut is_new = false;
        for ((f, args), rule) in facts.all.iter().zip(derived) {
            for (arg, sort) in args.iter().zip(&*store.func(*f).params).filter(|_| rule.is_some()) {
                if let Some(values) = self.values.get_mut(sort)
                    && !values.contains(arg)
                {
                    values.push(arg.clone());
                    is_new = true;
                }
            }
        }
        is_new
    }
}

/// Adds the instances of a clause whose constraints hold; returns the number so far.
fn ground(
    store: &mut Store,
    clause: &HornClause,
    pools: &ValuePools,
    (limits, stop): (&ExhaustLimits, &Stop),
    before: u64,
    (facts, rules): (&mut Facts, &mut Vec<GroundRule>),
) -> Option<u64> {
    let values: Vec<&Vec<Value>> = clause.vars.iter().map(|(_, sort)| pools.values.get(sort)).collect::<Option<_>>()?;
    let count = values.iter().try_fold(1u64, |n, values| n.checked_mul(values.len() as u64))?;
    let after = before.checked_add(count).filter(|&n| n <= limits.evaluations.min(MAX_INSTANCES))?;
    for number in 0..count {
        if stop.is_over() {
            return None;
        }
        let (mut model, mut rest) = (Model::new(), number);
        for ((f, _), values) in clause.vars.iter().zip(&values) {
            let value = values.get((rest % values.len() as u64) as usize)?;
            rest /= values.len() as u64;
            model.assign(store, *f, value.clone()).ok()?;
        }
        let mut evaluator = Evaluator::new(model, limits.each);
        let mut holds = true;
        for &constraint in &clause.constraints {
            match evaluator.eval(store, constraint) {
                Ok(Value::Bool(true)) => {}
                // Without all instances nothing rests on this one.
                Err(_) if pools.are_all => return None,
                _ => holds = false,
            }
        }
        if !holds {
            continue;
        }
        let mut fact = |store: &mut Store, (f, args): &(FuncId, Vec<TermId>)| {
            let args = args.iter().map(|&a| evaluator.eval(store, a).ok()).collect::<Option<Box<[Value]>>>()?;
            facts.number(*f, args)
        };
        let body = clause.body.iter().map(|atom| fact(store, atom)).collect::<Option<_>>()?;
        let head = match &clause.head {
            Some(atom) => Some(fact(store, atom)?),
            None => None,
        };
        rules.push(GroundRule { assertion: clause.assertion, body, head });
    }
    Some(after)
}

impl Facts {
    /// Returns the number of a fact; `None` if its values are inexact.
    fn number(&mut self, f: FuncId, args: Box<[Value]>) -> Option<usize> {
        if !args.iter().all(Value::is_exact) {
            return None;
        }
        let next = self.all.len();
        let number = *self.numbers.entry((f, args.clone())).or_insert(next);
        if number == next {
            self.all.push((f, args));
        }
        Some(number)
    }

    /// Returns a fact as a term.
    fn text(&self, store: &mut Store, fact: usize) -> String {
        let (f, args) = &self.all[fact];
        let (mut name, sorts) = (String::new(), store.func(*f).params.clone());
        quote_symbol(store.name(store.func(*f).name), &mut name);
        let mut text = String::new();
        for (arg, &sort) in args.iter().zip(&*sorts) {
            let arg = arg.to_term(store, sort).map_or_else(|| "?".to_string(), |t| store.term_text(t));
            let _ = write!(text, " {arg}");
        }
        if args.is_empty() { name } else { format!("({name}{text})") }
    }
}

/// Which rule derived each fact, in which order, and the first derived query.
fn propagate(rules: &[GroundRule], facts: usize) -> (Vec<Option<usize>>, Option<usize>) {
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); facts];
    let mut missing: Vec<usize> = rules.iter().map(|rule| rule.body.len()).collect();
    for (number, rule) in rules.iter().enumerate() {
        rule.body.iter().for_each(|&fact| waiting[fact].push(number));
    }
    let mut derived: Vec<Option<usize>> = vec![None; facts];
    let mut ready: std::collections::VecDeque<usize> = (0..rules.len()).filter(|&rule| missing[rule] == 0).collect();
    while let Some(rule) = ready.pop_front() {
        let Some(head) = rules[rule].head else { return (derived, Some(rule)) };
        if derived[head].is_some() {
            continue;
        }
        derived[head] = Some(rule);
        for &next in &waiting[head] {
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push_back(next);
            }
        }
    }
    (derived, None)
}

/// Returns the facts that the query needs, each after its own premises, and the query last.
fn derivation(
    store: &mut Store,
    facts: &Facts,
    rules: &[GroundRule],
    derived: &[Option<usize>],
    query: usize,
) -> Vec<String> {
    let mut line = |(fact, rule): (Option<usize>, &GroundRule)| {
        let head = fact.map_or("false".to_string(), |fact| facts.text(store, fact));
        let from: String = rule.body.iter().map(|&fact| format!(" {}", facts.text(store, fact))).collect();
        format!("{head} by assertion {}{}{from}", rule.assertion + 1, if from.is_empty() { "" } else { " from" })
    };
    let (mut lines, mut printed) = (Vec::new(), vec![false; derived.len()]);
    let before = |rule: usize| rules[rule].body.iter().map(|&fact| (fact, false));
    let mut open: Vec<(usize, bool)> = before(query).collect();
    while let Some((fact, is_ready)) = open.pop() {
        let Some(rule) = derived[fact].filter(|_| !printed[fact]) else { continue };
        if is_ready {
            printed[fact] = true;
            lines.push((Some(fact), rule));
        } else {
            open.push((fact, true));
            open.extend(before(rule));
        }
    }
    lines.push((None, query));
    lines.into_iter().map(|(fact, rule)| line((fact, &rules[rule]))).collect()
}

/// Returns the relations that hold exactly for the derived facts.
fn relations(store: &Store, assertions: &[TermId], facts: &Facts, derived: &[Option<usize>]) -> Option<Model> {
    let mut model = Model::new();
    let mut tables: FxHashMap<FuncId, FunctionTable> = FxHashMap::default();
    let symbols = mentioned_deeply(store, assertions);
    for f in symbols.into_iter().filter(|&f| store.func(f).is_declared()) {
        tables.insert(f, FunctionTable::new(Some(Value::Bool(false))));
    }
    for ((f, args), rule) in facts.all.iter().zip(derived) {
        if rule.is_some() {
            tables.get_mut(f)?.insert(args.clone(), Value::Bool(true));
        }
    }
    for (f, table) in tables {
        match store.func(f).params.is_empty() {
            true => model.assign(store, f, Value::Bool(!table.is_empty())).ok()?,
            false => model.assign_table(store, f, table).ok()?,
        }
    }
    Some(model)
}
