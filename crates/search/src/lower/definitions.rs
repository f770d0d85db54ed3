//! Definitions put in place of their names.

use super::{LowerError, MAX_OPERATIONS};
use rustc_hash::FxHashMap;
use smtlib::{FuncBody, Kind, Store, TermId};

/// The assertions with every application of a `define-fun` replaced by its body.
///
/// # Errors
/// [`LowerError::Operator`] for recursive functions, [`LowerError::TooLarge`] when the bodies multiply.
pub fn expand(store: &mut Store, assertions: &[TermId]) -> Result<Vec<TermId>, LowerError> {
    let defined = store.has_definitions();
    if !defined {
        return Ok(assertions.to_vec());
    }
    let mut expansion = Expansion { done: FxHashMap::default() };
    assertions.iter().map(|&t| expansion.of(store, t)).collect()
}

struct Expansion {
    done: FxHashMap<TermId, TermId>,
}

impl Expansion {
    /// One term. Bodies may use earlier definitions, so that a body is expanded before it is put in place: the walk's
    /// stack holds bodies beside children.
    fn of(&mut self, store: &mut Store, root: TermId) -> Result<TermId, LowerError> {
        let mut stack = vec![(root, false)];
        while let Some((t, ready)) = stack.pop() {
            if self.done.contains_key(&t) {
                continue;
            }
            let definition = definition(store, t)?;
            if !ready {
                stack.push((t, true));
                stack.extend(definition.iter().map(|d| (d.1, false)));
                stack.extend(store.args(t).iter().map(|&a| (a, false)));
                continue;
            }
            let args: Vec<TermId> = store.args(t).iter().map(|a| self.done.get(a).copied().unwrap_or(*a)).collect();
            let new = match definition {
                None => store.with_args(t, &args),
                Some((vars, body)) => {
                    let body = self.done.get(&body).copied().unwrap_or(body);
                    let map: FxHashMap<TermId, TermId> = vars.into_iter().zip(args).collect();
                    // Scripts of tools are made of thousands of definitions without parameters, each over those before it.
                    if map.is_empty() { body } else { store.replace(body, &map) }
                }
            };
            if store.len() > MAX_OPERATIONS {
                return Err(LowerError::TooLarge);
            }
            self.done.insert(t, new);
        }
        Ok(self.done.get(&root).copied().unwrap_or(root))
    }
}

/// The variables and the body of a defined function that is applied.
fn definition(store: &mut Store, t: TermId) -> Result<Option<(Vec<TermId>, TermId)>, LowerError> {
    if store.kind(t) != Kind::Apply {
        return Ok(None);
    }
    let Some(f) = store.applied(t) else { return Ok(None) };
    let func = store.func(f).clone();
    match func.body {
        FuncBody::Declared => Ok(None),
        FuncBody::Recursive { .. } => Err(LowerError::Operator(store.name(func.name).to_string())),
        FuncBody::Defined { vars, body } => {
            let vars = vars.iter().zip(&func.params).map(|(&v, &sort)| store.bound_variable(v, sort)).collect();
            Ok(Some((vars, body)))
        }
    }
}
