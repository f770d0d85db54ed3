//! `ackermannize`: applications of uninterpreted functions, and reads of read-only arrays, become variables with functional consistency
//! (Ackermann, "Solvable cases of the decision problem", 1954).

use crate::converter::{Conversion, ModelConverter};
use crate::definitions::hidden_symbols;
use crate::fresh::FreshSymbols;
use crate::goal::{Goal, GoalFormula};
use crate::origins::Origins;
use crate::pass::{Example, PassError, PassMeter, PassResult, PassSettings, RewritePass};
use crate::substitute::variable;
use crate::walk::{TermMap, bottom_up};
use rustc_hash::{FxHashMap, FxHashSet};
use smtlib::term::{HAS_BINDER, HAS_VARIABLE};
use smtlib::{FuncId, Kind, Op, Sort, Store, TermId};

/// The pass.
pub static ACKERMANNIZE: RewritePass = RewritePass {
    name: "ackermannize",
    about: "replaces function applications, and reads of arrays that are only read, by variables that agree where arguments do",
    example: Example {
        before: "(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)(assert (< (f x) (f y)))",
        after: &["(< f!0 f!1) (or (not (= x y)) (= f!0 f!1))"],
    },
    params: &[],
    is_consequence: false,
    rewrite: apply,
};

fn apply(store: &mut Store, mut goal: Goal, settings: &PassSettings) -> Result<PassResult, PassError> {
    let mut watch = settings.watch(store);
    let terms = bottom_up(store, goal.terms());
    if terms.iter().any(|&t| store.flags(t) & (HAS_BINDER | HAS_VARIABLE) != 0) {
        return Err(PassError::NotApplicable("the goal has binders".to_string()));
    }
    let targets = targets(store, &goal, &terms);
    let mut images = TermMap::default();
    let mut tables: Vec<NamedApplications> = Vec::new();
    let mut numbers: FxHashMap<FuncId, usize> = FxHashMap::default();
    let mut conversions = Vec::new();
    for &t in &terms {
        watch.tick(store)?;
        let args: Vec<TermId> = store.args(t).iter().map(|&a| images.get(a).unwrap_or(a)).collect();
        let Some((symbol, from)) = application(store, t).filter(|(f, _)| targets.contains(f)) else {
            let rebuilt = store.with_args(t, &args);
            images.insert(t, rebuilt);
            continue;
        };
        let number = *numbers.entry(symbol).or_insert_with(|| {
            let stem = store.name(store.func(symbol).name).to_string();
            tables.push(NamedApplications { symbol, fresh: FreshSymbols::new(&stem), rows: Vec::new() });
            tables.len() - 1
        });
        let table = &mut tables[number];
        let name = match table.rows.iter().find(|row| *row.0 == args[from..]) {
            Some(row) => row.1,
            None => {
                let sort = store.sort(t);
                let (fresh, name) = table.fresh.constant(store, sort);
                conversions.push(Conversion::name(fresh, name, store.with_args(t, &args)));
                table.rows.push((args[from..].into(), name));
                name
            }
        };
        images.insert(t, name);
    }
    for GoalFormula { term, origins } in goal.take() {
        goal.push(store, GoalFormula::new(images.get(term).unwrap_or(term), origins));
    }
    for table in tables {
        let limit = settings.limits.formulas;
        table.consistency(store, &mut goal, limit, &mut watch)?;
        conversions.push(table.conversion(store)?);
    }
    Ok(PassResult::with(goal, ModelConverter::new(conversions)))
}

/// A function's named applications.
struct NamedApplications {
    symbol: FuncId,
    fresh: FreshSymbols,
    /// The arguments of each application, and its name.
    rows: Vec<(Box<[TermId]>, TermId)>,
}

impl NamedApplications {
    /// Adds a formula for every two applications: equal arguments give equal values.
    fn consistency(
        &self,
        store: &mut Store,
        goal: &mut Goal,
        limit: usize,
        watch: &mut PassMeter<'_>,
    ) -> Result<(), PassError> {
        for (n, (args, name)) in self.rows.iter().enumerate() {
            for (others, other) in &self.rows[n + 1..] {
                watch.tick(store)?;
                let mut parts = Vec::with_capacity(args.len() + 1);
                for (&a, &b) in args.iter().zip(others) {
                    if a != b {
                        let same = store.eq(a, b)?;
                        parts.push(store.not(same));
                    }
                }
                parts.push(store.eq(*name, *other)?);
                let clause = store.or(&parts);
                goal.push(store, GoalFormula::new(clause, Origins::none()));
                if goal.len() > limit {
                    return Err(PassError::TooLarge { what: "formulas", limit });
                }
            }
        }
        Ok(())
    }

    /// Returns the model conversion: a function's graph, or an array written at every index.
    fn conversion(self, store: &mut Store) -> Result<Conversion, PassError> {
        let NamedApplications { symbol, rows, .. } = self;
        if !store.func(symbol).params.is_empty() {
            return Ok(Conversion::Graph { symbol, rows });
        }
        let sort = store.func(symbol).result;
        let mut term = match rows.first() {
            Some((_, value)) => store.const_array(sort, *value)?,
            None => store.constant_of(symbol)?,
        };
        for (index, value) in &rows {
            term = store.app(Op::new(Kind::ArrayStore), &[term, index[0], *value])?;
        }
        Ok(Conversion::Define { symbol, term })
    }
}

/// Returns the symbol applied, or the array variable read, and the index of the first argument.
fn application(store: &Store, t: TermId) -> Option<(FuncId, usize)> {
    match store.kind(t) {
        Kind::Apply if !store.args(t).is_empty() => Some((store.applied(t)?, 0)),
        Kind::ArraySelect => Some((variable(store, store.args(t)[0])?, 1)),
        _ => None,
    }
}

/// Returns the declared function symbols that are only applied, and the array variables that are only read.
fn targets(store: &Store, goal: &Goal, terms: &[TermId]) -> FxHashSet<FuncId> {
    let hidden = hidden_symbols(store, goal.terms());
    let mut targets = FxHashSet::default();
    let mut otherwise = hidden;
    let is_array = |t: TermId| matches!(store.sorts.get(store.sort(t)), Sort::Array(..));
    for &t in terms {
        if let Some((f, _)) = application(store, t) {
            let func = store.func(f);
            // The application of a parametric function has its own sorts.
            let plain = func.is_declared()
                && (func.params.is_empty() || func.result == store.sort(t))
                && func.params.iter().zip(store.args(t)).all(|(&p, &a)| p == store.sort(a));
            if plain {
                targets.insert(f)
            } else {
                otherwise.insert(f)
            };
        }
        if matches!(store.kind(t), Kind::AsArray | Kind::FuncValue) {
            otherwise.extend(store.op(t).func());
        }
        let read = usize::from(store.kind(t) == Kind::ArraySelect);
        for &a in &store.args(t)[read..] {
            if is_array(a) {
                otherwise.extend(variable(store, a));
            }
        }
    }
    targets.retain(|f| !otherwise.contains(f));
    targets
}
