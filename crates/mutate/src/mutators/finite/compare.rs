//! Problems that compare terms with the evaluator's values: many folds at once, or a term over a whole table.
//!
//! A grown formula shows a wrong operator only if its truth depends on that value. Here it always does, and one problem asks
//! for many values: `(assert (or (distinct (bvsdiv #b10 #b11) #b10) …))` is unsatisfiable as long as every fold is right, and
//! `(assert (distinct (fp.rem x y) (ite (and (= x …) (= y …)) … )))` as long as the operator is right on every pair of values.

use super::domain::{few, pinned};
use super::problem::Drawing;
use crate::guards::{guarded, quantified};
use crate::rng::RandomStream;
use rustc_hash::FxHashMap;
use semantics::domain::Domains;
use semantics::{Evaluator, Interpretation, Model, Value};
use smtlib::{FuncId, Kind, Op, SortId, Store, TermId};

/// How many terms a check of folds compares.
const FOLDS: (u64, u64) = (8, 20);
/// How many problems in a hundred ask in rounds, each on its own level: starting a script takes a solver as long as dozens of such
/// checks. The others ask once, since a solver may then use other algorithms.
const IN_ROUNDS: u32 = 60;
/// The number of rounds.
const ROUNDS: (u64, u64) = (8, 24);
/// The maximum number of rows of a table, to keep its text readable.
const MAX_ROWS: u64 = 40;
/// How many terms are drawn before the sort is abandoned.
const TRIES: usize = 12;

/// A constant with its possible values.
struct TableColumn {
    symbol: FuncId,
    constant: TermId,
    guard: Option<TermId>,
    values: Vec<Value>,
}

/// A term with its value at each row of a table; `None` where the standard leaves it open.
struct TabledTerm {
    term: TermId,
    rows: Vec<(Model, Option<Value>)>,
}

impl Drawing<'_> {
    /// Terms without symbols, or over constants with one value, compared with their values.
    pub(super) fn folds(&mut self, store: &mut Store, sorts: &[SortId], rng: &mut RandomStream) -> Option<()> {
        let mut model = Model::new();
        for n in 0..rng.below(4) {
            let sort = *rng.pick(sorts)?;
            let Some(value) = self.grower.value(store, sort, rng) else { continue };
            let (symbol, constant) = self.constant(store, &format!("x{n}"), sort)?;
            let pinned = pinned(store, constant, &value, rng)?;
            self.assert(pinned);
            self.grower.scope.entry(sort).or_default().push(constant);
            model.assign(store, symbol, value).ok()?;
        }
        let mut evaluator = Evaluator::new(model, self.limits.each);
        self.rounds(rng, |drawing, _, rng| drawing.compare_folds(store, &mut evaluator, rng))
    }

    /// Asks once, or several times, each on its own level; `ask` gets whether it is one of several.
    fn rounds(
        &mut self,
        rng: &mut RandomStream,
        mut ask: impl FnMut(&mut Self, bool, &mut RandomStream) -> Option<()>,
    ) -> Option<()> {
        if !self.is_incremental || !rng.percent(IN_ROUNDS) {
            return ask(self, false, rng);
        }
        for _ in 0..rng.between(ROUNDS.0, ROUNDS.1) {
            self.push();
            ask(self, true, rng)?;
            self.pop();
        }
        Some(())
    }

    /// Adds some terms with their values, and a check.
    fn compare_folds(&mut self, store: &mut Store, evaluator: &mut Evaluator, rng: &mut RandomStream) -> Option<()> {
        let wanted = rng.between(FOLDS.0, FOLDS.1) as usize;
        let mut equal = Vec::with_capacity(wanted);
        for _ in 0..wanted * 2 {
            let fuel = 1 + u32::from(rng.percent(40));
            let Some(term) = self.grower.theory_term(store, fuel, rng) else { continue };
            let Ok(value) = evaluator.eval(store, term) else { continue };
            let sort = store.sort(term);
            let literal = value.to_term(store, sort)?;
            if literal != term {
                equal.push(store.eq(term, literal).ok()?);
            }
            if equal.len() == wanted {
                break;
            }
        }
        if equal.is_empty() {
            return None;
        }
        match rng.coin() {
            true => equal.into_iter().for_each(|one| self.assert(one)),
            false => {
                let differ: Vec<TermId> = equal.into_iter().map(|one| store.not(one)).collect();
                let some = store.or(&differ);
                self.assert(some);
            }
        }
        self.check(store, &[])
    }

    /// Adds one term over one or two constants, compared with the table of its values.
    pub(super) fn table(&mut self, store: &mut Store, sorts: &[SortId], rng: &mut RandomStream) -> Option<()> {
        let columns = self.columns(store, sorts, rng)?;
        self.rounds(rng, |drawing, is_one_of_several, rng| drawing.ask_table(store, &columns, is_one_of_several, rng))
    }

    /// Adds a term with the table of its values, and a check.
    fn ask_table(
        &mut self,
        store: &mut Store,
        columns: &[TableColumn],
        is_one_of_several: bool,
        rng: &mut RandomStream,
    ) -> Option<()> {
        let tabled = self.tabled(store, columns, rng)?;
        let guards: Vec<TermId> = columns.iter().filter_map(|column| column.guard).collect();
        match rng.below(10) {
            // No row differs: unsatisfiable.
            0..5 => {
                let equal = as_the_table_says(store, columns, &tabled)?;
                let differs = store.not(equal);
                self.constrain(store, &guards, differs, rng)
            }
            // All rows are equal: satisfiable, by a quantifier.
            5..7 => {
                let equal = as_the_table_says(store, columns, &tabled)?;
                let valid = generalized(store, columns, &guards, equal)?;
                if !is_one_of_several {
                    self.problem.declarations.truncate(self.problem.declarations.len() - columns.len());
                }
                self.constrain(store, &[], valid, rng)
            }
            // The inverse: one value, which few rows have, or none.
            _ => {
                let value = self.rare_value(store, &tabled, rng)?;
                let sort = store.sort(tabled.term);
                let literal = value.to_term(store, sort)?;
                let met = store.eq(tabled.term, literal).ok()?;
                self.constrain(store, &guards, met, rng)
            }
        }
    }

    fn constrain(&mut self, store: &mut Store, guards: &[TermId], last: TermId, rng: &mut RandomStream) -> Option<()> {
        let mut all: Vec<TermId> = guards.iter().copied().chain([last]).collect();
        if rng.percent(25) {
            all = vec![store.and(&all)];
        }
        all.into_iter().for_each(|one| self.assert(one));
        self.check(store, &[])
    }

    /// Returns the constants of a table, with no more than [`MAX_ROWS`] assignments together.
    fn columns(&mut self, store: &mut Store, sorts: &[SortId], rng: &mut RandomStream) -> Option<Vec<TableColumn>> {
        let mut columns: Vec<TableColumn> = Vec::new();
        let mut left = MAX_ROWS;
        for n in 0..1 + u64::from(rng.percent(70)) {
            let sort = *rng.pick(sorts)?;
            if sort == SortId::BOOL && n == 0 {
                continue;
            }
            let (symbol, constant) = self.constant(store, &format!("x{n}"), sort)?;
            let (values, guard) = match (Domains { store, model: &Model::new() }).all(sort, left) {
                Some(values) => (values, None),
                None => {
                    let (values, guard) = few(store, &mut self.grower, constant, left.min(6), rng)?;
                    (values, Some(guard))
                }
            };
            left /= values.len().max(1) as u64;
            self.grower.scope.entry(sort).or_default().push(constant);
            columns.push(TableColumn { symbol, constant, guard, values });
            if left < 2 {
                break;
            }
        }
        (!columns.is_empty()).then_some(columns)
    }

    /// Returns a term with its values, at least one known and not all the same.
    fn tabled(&mut self, store: &mut Store, columns: &[TableColumn], rng: &mut RandomStream) -> Option<TabledTerm> {
        let models = assignments(store, columns)?;
        for _ in 0..TRIES {
            let fuel = 1 + u32::from(rng.percent(30));
            let Some(term) = self.grower.theory_term(store, fuel, rng) else { continue };
            let each = self.limits.each;
            let value = |model: &Model| Evaluator::new(model.clone(), each).eval(store, term).ok();
            let rows: Vec<(Model, Option<Value>)> = models.iter().map(|m| (m.clone(), value(m))).collect();
            let mut known = rows.iter().filter_map(|(_, value)| value.as_ref());
            let first = known.next();
            if first.is_some() && known.any(|value| Some(value) != first) {
                return Some(TabledTerm { term, rows });
            }
        }
        None
    }

    /// Returns the rarest value of the rows; in one case of four, another value of the sort.
    fn rare_value(&mut self, store: &mut Store, tabled: &TabledTerm, rng: &mut RandomStream) -> Option<Value> {
        if rng.percent(25) {
            let sort = store.sort(tabled.term);
            return self.grower.value(store, sort, rng);
        }
        let known: Vec<&Value> = tabled.rows.iter().filter_map(|(_, value)| value.as_ref()).collect();
        let count = |value: &Value| known.iter().filter(|other| **other == value).count();
        known.iter().min_by_key(|value| count(value)).map(|value| (**value).clone())
    }
}

/// Returns every assignment of the columns.
fn assignments(store: &Store, columns: &[TableColumn]) -> Option<Vec<Model>> {
    let mut models = vec![Model::new()];
    for column in columns {
        let mut longer = Vec::with_capacity(models.len() * column.values.len());
        for model in &models {
            for value in &column.values {
                let mut model = model.clone();
                model.assign(store, column.symbol, value.clone()).ok()?;
                longer.push(model);
            }
        }
        models = longer;
    }
    Some(models)
}

/// States that the term has the table's value, wherever there is one.
fn as_the_table_says(store: &mut Store, columns: &[TableColumn], tabled: &TabledTerm) -> Option<TermId> {
    let sort = store.sort(tabled.term);
    let mut open = Vec::new();
    let mut values: Vec<(&Value, Vec<TermId>)> = Vec::new();
    for (model, value) in &tabled.rows {
        let case = case(store, columns, model)?;
        match value {
            None => open.push(case),
            Some(value) => match values.iter_mut().find(|(known, _)| *known == value) {
                Some((_, cases)) => cases.push(case),
                None => values.push((value, vec![case])),
            },
        }
    }
    // The most frequent value comes last, without its cases.
    values.sort_by_key(|(_, cases)| cases.len());
    let mut chain: Option<TermId> = None;
    for (value, cases) in values.into_iter().rev() {
        let literal = value.to_term(store, sort)?;
        chain = Some(match chain {
            None => literal,
            Some(rest) => {
                let cases = store.or(&cases);
                store.app(Op::new(Kind::Ite), &[cases, literal, rest]).ok()?
            }
        });
    }
    let equal = store.eq(tabled.term, chain?).ok()?;
    open.push(equal);
    Some(store.or(&open))
}

/// States that the columns have the values of a row.
fn case(store: &mut Store, columns: &[TableColumn], model: &Model) -> Option<TermId> {
    let mut parts = Vec::with_capacity(columns.len());
    for column in columns {
        let Some(Interpretation::Value(value)) = model.interpretation(column.symbol) else { return None };
        let sort = store.sort(column.constant);
        let literal = value.clone().to_term(store, sort)?;
        parts.push(store.eq(column.constant, literal).ok()?);
    }
    Some(store.and(&parts))
}

/// `(forall (…) (=> guards formula))`, with a variable for each column.
fn generalized(store: &mut Store, columns: &[TableColumn], guards: &[TermId], formula: TermId) -> Option<TermId> {
    let whole = guarded(store, Kind::Forall, guards, formula)?;
    let mut vars = Vec::with_capacity(columns.len());
    let mut map = FxHashMap::default();
    for (n, column) in columns.iter().enumerate() {
        let sort = store.sort(column.constant);
        let (name, variable) = store.named_variable(&format!("q{n}"), sort);
        vars.push((name, sort));
        map.insert(column.constant, variable);
    }
    let body = store.replace(whole, &map);
    quantified(store, Kind::Forall, vars, body)
}
