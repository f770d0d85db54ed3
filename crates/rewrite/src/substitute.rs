//! Substitutes closed terms in formulas, with simplification and tracking of origins.

use crate::goal::GoalFormula;
use crate::origins::Origins;
use crate::pass::{PassError, PassMeter, Stop};
use crate::simplify::Simplifier;
use crate::walk::{Rebuild, TermSet, visit};
use rustc_hash::FxHashMap;
use smtlib::{FuncBody, FuncId, Kind, Sort, Store, TermId};

/// A simultaneous substitution of closed terms: replacements are not substituted in again.
#[derive(Default)]
pub struct Substitution {
    origins: FxHashMap<TermId, Origins>,
    has_origins: bool,
    rebuild: Rebuild,
    simplifier: Simplifier,
}

impl Substitution {
    /// Makes a substitution that simplifies only as needed once the time is up.
    pub fn heeding(stop: &Stop) -> Substitution {
        Substitution { simplifier: Simplifier::heeding(stop), ..Substitution::default() }
    }

    /// Adds a replacement with these origins. All replacements must be added before the first formula is processed; a later one may be
    /// missed inside visited terms.
    pub fn insert(&mut self, t: TermId, image: TermId, origins: Origins) {
        self.rebuild.preset(t, image);
        self.has_origins |= !origins.is_none();
        self.origins.insert(t, origins);
    }

    /// Returns the number of replaced terms.
    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    /// Whether a term is replaced.
    pub fn contains(&self, t: TermId) -> bool {
        self.origins.contains_key(&t)
    }

    /// Returns the simplified term after the substitution.
    /// Errors: [`PassError::TooLarge`] if too many terms were made, [`PassError::Interrupted`] if the time is up or the
    /// work is cancelled.
    pub fn term(&mut self, store: &mut Store, t: TermId, watch: &mut PassMeter<'_>) -> Result<TermId, PassError> {
        let Substitution { rebuild, simplifier, .. } = self;
        rebuild.run(store, t, watch, |store, u| simplifier.node(store, u))
    }

    /// Like [`Substitution::term`], but the root itself is not replaced, only its subterms.
    /// Errors: as [`Substitution::term`].
    pub fn inside(&mut self, store: &mut Store, t: TermId, watch: &mut PassMeter<'_>) -> Result<TermId, PassError> {
        let mut args = store.args(t).to_vec();
        for a in &mut args {
            *a = self.term(store, *a, watch)?;
        }
        let rebuilt = store.with_args(t, &args);
        self.simplifier.node(store, rebuilt)
    }

    /// Simplifies a term with simplified children, without replacements.
    /// Errors: as [`Simplifier::node`].
    pub fn simplified(&mut self, store: &mut Store, t: TermId) -> Result<TermId, PassError> {
        self.simplifier.node(store, t)
    }

    /// Returns the formula after the substitution, with the origins of the replacements used.
    /// Errors: as [`Substitution::term`].
    pub fn formula(
        &mut self,
        store: &mut Store,
        formula: &GoalFormula,
        watch: &mut PassMeter<'_>,
    ) -> Result<GoalFormula, PassError> {
        let term = self.term(store, formula.term, watch)?;
        let mut origins = formula.origins.clone();
        if term != formula.term {
            origins.add(&self.used(store, formula.term));
        }
        Ok(GoalFormula { term, origins })
    }

    /// Returns the origins of the replacements that occur in a term. A formula without origins, the definition of a fresh symbol, gets
    /// them too once something in it is replaced.
    pub fn used(&self, store: &Store, t: TermId) -> Origins {
        // Without cores there are none.
        if !self.has_origins {
            return Origins::none();
        }
        let mut seen = TermSet::default();
        let mut stack = vec![t];
        let mut all = Origins::none();
        while let Some(u) = stack.pop() {
            if !seen.insert(u) {
                continue;
            }
            match self.origins.get(&u) {
                Some(origins) => all.add(origins),
                None => stack.extend_from_slice(store.args(u)),
            }
        }
        all
    }
}

/// Returns the symbol of a declared constant whose sort has values that models can hold.
pub fn variable(store: &Store, t: TermId) -> Option<FuncId> {
    let f = store.applied(t)?;
    let func = store.func(f);
    let plain = func.params.is_empty() && func.body == FuncBody::Declared && func.result == store.sort(t);
    (plain && !matches!(store.sorts.get(func.result), Sort::RegLan | Sort::Map(..) | Sort::Extension(..))).then_some(f)
}

/// Returns the declared constants in some terms whose sorts have values that models can hold, as terms and symbols, in a fixed order.
pub fn variables(store: &Store, terms: impl IntoIterator<Item = TermId>) -> Vec<(TermId, FuncId)> {
    let mut found = Vec::new();
    visit(store, terms, |t| found.extend(variable(store, t).map(|f| (t, f))));
    found.sort_unstable();
    found
}

/// Returns a formula as an equation of a term with a value or another term: `p` is `p = true`, `(not p)` is `p = false`, `(fp.isNaN x)`
/// is `x = NaN`, since there is a single NaN.
pub fn equation(store: &mut Store, t: TermId) -> Result<(TermId, TermId), PassError> {
    match store.kind(t) {
        Kind::Eq if store.args(t).len() == 2 => Ok((store.args(t)[0], store.args(t)[1])),
        Kind::Not => Ok((store.args(t)[0], store.bool(false))),
        Kind::FpIsNan => {
            let x = store.args(t)[0];
            let nan = match *store.sorts.get(store.sort(x)) {
                Sort::Float { eb, sb } => store.app(smtlib::Op::indexed(Kind::FpNan, eb, sb), &[])?,
                _ => x,
            };
            Ok((x, nan))
        }
        _ => Ok((t, store.bool(true))),
    }
}
