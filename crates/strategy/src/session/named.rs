//! Strategies named by the user: each may use the others, in any order without cycles.

use smtlib::printer::quote_symbol;
use smtlib::strategy::{Arguments, Strategy, StrategyVocabulary, TacticName, is_tactical, parse_strategy};
use std::collections::{BTreeMap, BTreeSet};

/// Why the user's named strategies cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NamedStrategyError {
    /// The name is not allowed in a strategy.
    #[error(
        "`{name}` cannot name a strategy: a name is a word of letters, digits and ~!@$%^&*_-+=<>.?/, and begins with no digit"
    )]
    Unusable {
        /// The name.
        name: String,
    },
    /// The name belongs to the language.
    #[error("the strategy `{name}` has the name of a {what}; choose another name")]
    Taken {
        /// The name.
        name: String,
        /// The existing meaning: a tactic or a tactical.
        what: &'static str,
    },
    /// The text of one is wrong.
    #[error("in the strategy `{name}`: {error}{}", advice(error))]
    Wrong {
        /// The name.
        name: String,
        /// The error, with its position in the text.
        error: smtlib::Error,
    },
    /// Some use each other in a cycle.
    #[error("{}; write one of them without the others", circle(names))]
    Circle {
        /// The names in order: each is used by the previous one, and the first by the last.
        names: Vec<String>,
    },
}

impl NamedStrategyError {
    /// Returns the wrong strategy; for a cycle, one of its strategies.
    pub fn name(&self) -> &str {
        match self {
            NamedStrategyError::Unusable { name }
            | NamedStrategyError::Taken { name, .. }
            | NamedStrategyError::Wrong { name, .. } => name,
            NamedStrategyError::Circle { names } => names.first().map_or("", String::as_str),
        }
    }
}

fn advice(error: &smtlib::Error) -> String {
    error.help.as_deref().map_or(String::new(), |help| format!("; {help}"))
}

fn circle(names: &[String]) -> String {
    match names {
        [only] => format!("the strategy `{only}` uses itself"),
        _ => {
            let all: Vec<String> = names.iter().chain(names.first()).map(|name| format!("`{name}`")).collect();
            format!("the strategies {} use each other in a circle", all.join(" -> "))
        }
    }
}

/// Adds named strategies to a vocabulary, which may use each other in any order without cycles. A name of the vocabulary that is not a
/// tactic (a default strategy, a name of Z3) gets the user's meaning except in its own text.
/// Errors: one is wrong, has a name that is not free, or uses itself.
pub fn with_named(
    mut vocabulary: StrategyVocabulary,
    named: &BTreeMap<String, String>,
) -> Result<StrategyVocabulary, NamedStrategyError> {
    for name in named.keys() {
        free(name, &vocabulary)?;
    }
    let mut waiting = uses(&vocabulary, named)?;
    while !waiting.is_empty() {
        let ready: Vec<String> = waiting
            .iter()
            .filter(|(_, used)| used.iter().all(|name| !waiting.contains_key(name)))
            .map(|(name, _)| name.clone())
            .collect();
        if ready.is_empty() {
            return Err(NamedStrategyError::Circle { names: circle_of(&waiting) });
        }
        for name in ready {
            waiting.remove(&name);
            let text = named.get(&name).map_or("", String::as_str);
            let strategy = parse_strategy(text, &vocabulary)
                .map_err(|error| NamedStrategyError::Wrong { name: name.clone(), error })?;
            vocabulary.strategies.insert(name, strategy);
        }
    }
    Ok(vocabulary)
}

/// Rejects a name that strategies could not use, or that has another meaning.
fn free(name: &str, vocabulary: &StrategyVocabulary) -> Result<(), NamedStrategyError> {
    let taken = |what| Err(NamedStrategyError::Taken { name: name.to_string(), what });
    if vocabulary.tactics.contains_key(name) || matches!(name, "skip" | "fail") {
        return taken("tactic");
    }
    if is_tactical(name) {
        return taken("tactical");
    }
    let mut quoted = String::new();
    quote_symbol(name, &mut quoted);
    if name.is_empty() || quoted != name {
        return Err(NamedStrategyError::Unusable { name: name.to_string() });
    }
    Ok(())
}

/// Returns which other named strategies each of them uses.
fn uses(
    vocabulary: &StrategyVocabulary,
    named: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, BTreeSet<String>>, NamedStrategyError> {
    // Every name is accepted with any parameter.
    let mut words = vocabulary.clone();
    let placeholder = TacticName { arguments: Arguments::None, params: None };
    for name in named.keys() {
        words.tactics.insert(name.clone(), placeholder.clone());
    }
    let mut all = BTreeMap::new();
    for (name, text) in named {
        // In its own text a name has its original meaning, if any.
        let has_meaning = vocabulary.strategies.contains_key(name);
        let own = if has_meaning { words.tactics.remove(name) } else { None };
        let read = parse_strategy(text, &words);
        words.tactics.extend(own.map(|own| (name.clone(), own)));
        let strategy = read.map_err(|error| NamedStrategyError::Wrong { name: name.clone(), error })?;
        let mut used = BTreeSet::new();
        let mut rest = vec![&strategy];
        while let Some(part) = rest.pop() {
            if let Strategy::Tactic(word) = part
                && named.contains_key(&**word)
            {
                used.insert(word.to_string());
            }
            rest.extend(part.parts());
        }
        all.insert(name.clone(), used);
    }
    Ok(all)
}

/// Returns a cycle among strategies, each of which uses another one.
fn circle_of(waiting: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let next = |name: &String| waiting.get(name)?.iter().find(|used| waiting.contains_key(*used));
    let mut path: Vec<String> = waiting.keys().take(1).cloned().collect();
    while let Some(name) = path.last().and_then(next) {
        if let Some(start) = path.iter().position(|seen| seen == name) {
            return path.split_off(start);
        }
        path.push(name.clone());
    }
    path
}
