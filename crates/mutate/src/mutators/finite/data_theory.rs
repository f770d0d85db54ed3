//! Problems over a theory as data: its sorts and operators, and its values as terms that a solver with the theory understands.

use super::grow::is_hidden;
use super::known::KnownTheory;
use super::problem::{EACH, FiniteProblem};
use super::theme::ProblemVocabulary;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::domain::Domains;
use semantics::{Evaluator, Model, Value};
use smtlib::{Command, FuncId, SortId, Store, TermId};

/// How many applications are evaluated in search of terms for values.
const MAX_TRIED: usize = 4096;
/// How many values of a standard sort are arguments there.
const MAX_ARGUMENTS: u64 = 16;

/// Terms for the values of a theory's sorts.
#[derive(Clone, Debug, Default)]
pub struct DataTheory {
    /// Terms over its operators, by the value as Squall writes it.
    spelled: FxHashMap<TermId, TermId>,
}

impl DataTheory {
    /// Reads the command that declares a theory; `None` if it is not one without errors.
    pub fn read(store: &mut Store, command: &str) -> Option<(DataTheory, ProblemVocabulary)> {
        let KnownTheory { declarations, own, sorts, operators } = KnownTheory::read(store, command)?;
        let sorts = [&[SortId::BOOL], &sorts[..]].concat();
        let spelled = spelled(store, &own, &operators);
        let vocabulary = ProblemVocabulary { sorts, declarations, operators, ..ProblemVocabulary::default() };
        Some((DataTheory { spelled }, vocabulary))
    }

    /// Writes a problem with the theory's own terms for values; `None` if one has none.
    pub fn spell(&self, store: &mut Store, mut problem: FiniteProblem) -> Option<FiniteProblem> {
        for command in &mut problem.commands {
            let terms = match command {
                Command::Assert(term, _) => std::slice::from_mut(term),
                Command::CheckSatAssuming(terms) => &mut terms[..],
                _ => continue,
            };
            for term in terms {
                *term = store.replace(*term, &self.spelled);
                let (mut open, mut seen) = (vec![*term], FxHashSet::default());
                while let Some(t) = open.pop() {
                    if store.op(t).constructor().is_some_and(|(d, _)| is_hidden(store, d)) {
                        return None;
                    }
                    open.extend(store.args(t).iter().filter(|&&a| seen.insert(a)));
                }
            }
        }
        Some(problem)
    }
}

/// Finds a term for each value of the sorts: constants first, then operators on known terms.
fn spelled(store: &mut Store, own: &[SortId], operators: &[FuncId]) -> FxHashMap<TermId, TermId> {
    let mut spelled = FxHashMap::default();
    let mut known: FxHashMap<SortId, Vec<TermId>> = FxHashMap::default();
    let sorts: Vec<SortId> = operators.iter().flat_map(|&f| store.func(f).params.to_vec()).collect();
    for sort in sorts.into_iter().filter(|sort| !own.contains(sort)) {
        let some = || (0..MAX_ARGUMENTS).map(|n| Value::Int(n.into())).filter(|_| sort == SortId::INT).collect();
        let values = Domains { store, model: &Model::new() }.all(sort, MAX_ARGUMENTS).unwrap_or_else(some);
        let terms = values.iter().filter_map(|value| value.to_term(store, sort)).collect();
        known.insert(sort, terms);
    }
    let mut constructors: Vec<FuncId> =
        operators.iter().copied().filter(|&f| own.contains(&store.func(f).result)).collect();
    constructors.sort_by_key(|&f| store.func(f).params.len());
    let mut evaluator = Evaluator::new(Model::new(), EACH);
    let (mut tried, mut before) = (0, usize::MAX);
    while before != spelled.len() {
        before = spelled.len();
        for &f in &constructors {
            let (params, result) = (store.func(f).params.clone(), store.func(f).result);
            let mut rows: Vec<Vec<TermId>> = vec![Vec::new()];
            for param in &params {
                let terms = known.get(param).map_or(&[][..], Vec::as_slice);
                rows = rows
                    .iter()
                    .flat_map(|row| terms.iter().map(|&t| [&row[..], &[t]].concat()))
                    .take(MAX_TRIED)
                    .collect();
            }
            for row in rows {
                tried += 1;
                let Some(applied) = store.apply(f, &row).ok().filter(|_| tried <= MAX_TRIED) else { break };
                let value = evaluator.eval(store, applied).ok().and_then(|value| value.to_term(store, result));
                if let Some(value) = value.filter(|value| !spelled.contains_key(value)) {
                    spelled.insert(value, applied);
                    known.entry(result).or_default().push(applied);
                }
            }
        }
    }
    spelled
}
