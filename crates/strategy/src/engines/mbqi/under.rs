//! A formula under a model: symbols are replaced by their values, and the result is simplified.

use super::ground::InstanceFailure;
use crate::budget::Budget;
use rewrite::PassError;
use rewrite::simplify::Simplifier;
use rewrite::walk::Rebuild;
use semantics::{Interpretation, Model};
use smtlib::{FuncId, Kind, Store, TermId};

/// The maximum number of rows of a function's graph.
const MAX_ROWS: usize = 256;

/// Returns the formula with a model's values for its symbols, except those in `kept`.
/// Errors: where a value has no term, or a graph has too many rows.
pub(super) fn under(
    store: &mut Store,
    t: TermId,
    model: &Model,
    kept: &[FuncId],
    budget: &Budget,
) -> Result<TermId, InstanceFailure> {
    let settings = budget.settings();
    let mut watch = settings.watch(store);
    let mut simplifier = Simplifier::heeding(&budget.stop());
    let image = Rebuild::default().run(store, t, &mut watch, |store, u| {
        let Some(f) = store.applied(u).filter(|f| !kept.contains(f)) else {
            return simplifier.node(store, u);
        };
        let image = match model.interpretation(f) {
            None => u,
            Some(interpretation) => value_at(store, interpretation, u).ok_or_else(|| {
                let name = store.name(store.func(f).name).to_string();
                PassError::NotApplicable(format!("the model's value of `{name}` cannot be written as a term"))
            })?,
        };
        simplifier.simplify(store, image, &mut settings.watch(store))
    })?;
    Ok(image)
}

/// Returns the value of a symbol for the arguments of an application, as a term.
fn value_at(store: &mut Store, interpretation: &Interpretation, u: TermId) -> Option<TermId> {
    let sort = store.sort(u);
    let table = match interpretation {
        Interpretation::Value(value) => return value.to_term(store, sort),
        Interpretation::Table(table) if table.len() <= MAX_ROWS => table,
        _ => return None,
    };
    let args = store.args(u).to_vec();
    let mut image = table.default_value()?.to_term(store, sort)?;
    for (row, value) in table.rows().into_iter().rev() {
        let mut same = Vec::with_capacity(args.len());
        for (&a, v) in args.iter().zip(row) {
            let v = v.to_term(store, store.sort(a))?;
            same.push(store.eq(a, v).ok()?);
        }
        let same = store.and(&same);
        let value = value.to_term(store, sort)?;
        image = store.app(smtlib::Op::new(Kind::Ite), &[same, value, image]).ok()?;
    }
    Some(image)
}
