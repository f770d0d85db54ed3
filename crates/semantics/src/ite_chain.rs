//! Bodies that denote a finite table: chains of `ite` over equations between a parameter and a closed term.

use rustc_hash::FxHashMap;
use smtlib::free_vars::FreeVars;
use smtlib::{Kind, Store, Symbol, TermId};

/// The rows of a chain, earlier ones before later ones of the same keys, and its last branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IteChain {
    /// Keys, one per parameter, with the value there.
    pub rows: Vec<(Vec<CaseKey>, TermId)>,
    /// The value everywhere else; `None` if the function is defined as itself there.
    pub default: Option<TermId>,
}

/// The key that a parameter is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseKey {
    /// A closed term.
    Term(TermId),
    /// A truth value, if the parameter itself, or its negation, is the condition.
    Truth(bool),
}

/// The maximum number of rows read.
const MAX_ROWS: usize = 1 << 16;

/// Reads `body` as a chain over `params`.
///
/// `None` if a condition is not a conjunction of equations for all parameters, or a part has a free variable.
pub fn ite_chain(store: &Store, params: &[Symbol], body: TermId) -> Option<IteChain> {
    ite_chain_under(store, params, &vec![None; params.len()], None, body)
}

/// Reads `body` as a chain over `params`. Some of them have `known` values, and the term `itself` (the defined function on
/// its parameters) may be the last branch.
///
/// `None` as for [`ite_chain`].
pub fn ite_chain_under(
    store: &Store,
    params: &[Symbol],
    known: &[Option<CaseKey>],
    itself: Option<TermId>,
    body: TermId,
) -> Option<IteChain> {
    let mut reader = ChainReader { store, params, free: FreeVars::default() };
    let mut rows = Vec::new();
    // Conditions that hold from here on, from chains nested per parameter.
    let mut open: Vec<(TermId, Vec<Option<CaseKey>>)> = vec![(body, known.to_vec())];
    let mut default = None;
    while let Some((t, fixed)) = open.pop() {
        if rows.len() > MAX_ROWS {
            return None;
        }
        if let (Kind::Ite, &[condition, then, otherwise]) = (store.kind(t), store.args(t))
            && !reader.is_closed(t)
        {
            let cases = reader.conditions(condition, &fixed)?;
            // A condition that is known to be true has no other branch.
            if !cases.contains(&fixed) {
                open.push((otherwise, fixed.clone()));
            }
            for keys in cases.into_iter().rev() {
                open.push((then, keys));
            }
            continue;
        }
        if Some(t) == itself && open.is_empty() && fixed == known {
            return Some(IteChain { rows, default: None });
        }
        if !reader.is_closed(t) {
            return None;
        }
        match fixed.iter().copied().collect::<Option<Vec<CaseKey>>>() {
            Some(keys) if !params.is_empty() => rows.push((keys, t)),
            // Only the very last branch is the default; the last one of an inner chain would be a row for infinitely
            // many arguments.
            _ if open.is_empty() && fixed == known => default = Some(t),
            _ => return None,
        }
    }
    Some(IteChain { rows, default: Some(default?) })
}

struct ChainReader<'a> {
    store: &'a Store,
    params: &'a [Symbol],
    free: FreeVars,
}

impl ChainReader<'_> {
    fn is_closed(&mut self, t: TermId) -> bool {
        self.free.of(self.store, t).is_empty()
    }

    /// Returns the keys under which a condition holds, besides those fixed already: one list per disjunct.
    fn conditions(&mut self, condition: TermId, fixed: &[Option<CaseKey>]) -> Option<Vec<Vec<Option<CaseKey>>>> {
        let disjuncts = match self.store.kind(condition) {
            Kind::Or => self.store.args(condition),
            _ => std::slice::from_ref(&condition),
        };
        let mut all = Vec::with_capacity(disjuncts.len());
        'disjuncts: for &d in disjuncts {
            let atoms = match self.store.kind(d) {
                Kind::And => self.store.args(d),
                _ => std::slice::from_ref(&d),
            };
            let mut keys = fixed.to_vec();
            for &a in atoms {
                let (position, key) = self.equation(a)?;
                match keys[position].replace(key) {
                    Some(old) if old == key => {}
                    Some(old) if self.differ(old, key) => continue 'disjuncts,
                    // Two equations for one parameter may contradict each other.
                    Some(_) => return None,
                    None => {}
                }
            }
            all.push(keys);
        }
        Some(all)
    }

    /// Whether two keys are different constants.
    fn differ(&self, a: CaseKey, b: CaseKey) -> bool {
        match (a, b) {
            (CaseKey::Term(a), CaseKey::Term(b)) => {
                a != b && [a, b].iter().all(|&t| self.store.kind(t) == Kind::Constant)
            }
            (CaseKey::Truth(a), CaseKey::Truth(b)) => a != b,
            _ => false,
        }
    }

    fn equation(&mut self, atom: TermId) -> Option<(usize, CaseKey)> {
        let args = self.store.args(atom);
        match (self.store.kind(atom), args) {
            (Kind::Variable, _) => Some((self.position(atom)?, CaseKey::Truth(true))),
            (Kind::Not, &[inner]) => Some((self.position(inner)?, CaseKey::Truth(false))),
            (Kind::Eq, &[a, b]) => {
                let (position, value) = match self.position(a) {
                    Some(position) => (position, b),
                    None => (self.position(b)?, a),
                };
                self.is_closed(value).then_some((position, CaseKey::Term(value)))
            }
            _ => None,
        }
    }

    fn position(&self, t: TermId) -> Option<usize> {
        let name = self.store.variable(t)?;
        self.params.iter().position(|&p| p == name)
    }
}

impl IteChain {
    /// Returns all terms of the chain.
    pub fn terms(&self) -> Vec<TermId> {
        let keys = self.rows.iter().flat_map(|r| {
            let terms = r.0.iter().filter_map(|k| match k {
                CaseKey::Term(t) => Some(*t),
                CaseKey::Truth(_) => None,
            });
            terms.chain(std::iter::once(r.1))
        });
        keys.chain(self.default).collect()
    }

    /// Builds the table from the values of its terms; `None` if one is missing or a key is not exact.
    pub fn table(&self, values: &FxHashMap<TermId, crate::Value>) -> Option<crate::FunctionTable> {
        let default = match self.default {
            Some(default) => Some(values.get(&default)?.clone()),
            None => None,
        };
        let mut table = crate::FunctionTable::new(default);
        // From the last row to the first, so that the earlier of two rows wins.
        for (keys, value) in self.rows.iter().rev() {
            let mut args = Vec::with_capacity(keys.len());
            for key in keys {
                args.push(match key {
                    CaseKey::Term(t) => values.get(t)?.clone(),
                    CaseKey::Truth(b) => crate::Value::Bool(*b),
                });
            }
            if !table.insert(args.into(), values.get(value)?.clone()) {
                return None;
            }
        }
        Some(table)
    }
}
