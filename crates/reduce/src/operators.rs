//! Names the main operators of a script, for titles and explanations.

use smtlib::{Command, Kind, Store, TermId};
use std::collections::BTreeSet;

/// The maximum number of operators named.
const MAX_OPERATORS: usize = 4;

/// Returns the first few theory operators of a script in reading order.
pub fn operators(script: &str) -> Vec<String> {
    let mut store = Store::new();
    let script = smtlib::parse(&mut store, script).script;
    let roots = script.commands.iter().filter_map(|command| match command {
        Command::Assert(term, _) => Some(*term),
        _ => None,
    });
    let mut open: Vec<TermId> = roots.collect();
    open.reverse();
    let mut seen = BTreeSet::new();
    let mut names: Vec<String> = Vec::new();
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Some(name) = operator(&store, term)
            && !names.contains(&name)
        {
            names.push(name);
        }
        open.extend(store.args(term).iter().rev());
    }
    if names.len() > MAX_OPERATORS {
        names.truncate(MAX_OPERATORS);
        names.push("…".to_string());
    }
    names
}

/// Returns an operator's display name; `None` for those that occur in any script.
fn operator(store: &Store, term: TermId) -> Option<String> {
    match store.kind(term) {
        Kind::Constant | Kind::Variable | Kind::True | Kind::False | Kind::Not | Kind::And | Kind::Or => None,
        Kind::Implies | Kind::Xor | Kind::Eq | Kind::Distinct | Kind::Ite | Kind::Fp => None,
        Kind::Rne | Kind::Rna | Kind::Rtp | Kind::Rtn | Kind::Rtz => None,
        Kind::Forall | Kind::Exists => Some("quantifiers".to_string()),
        Kind::Apply => (!store.args(term).is_empty()).then(|| "functions".to_string()),
        Kind::ConstArray => Some("constant arrays".to_string()),
        // A value is not an operator.
        _ if store.args(term).is_empty() => None,
        kind => smtlib::theories::row(kind).map(|row| row.name.to_string()),
    }
}
