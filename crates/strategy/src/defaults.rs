//! The default strategies, one per logic, as data.

use smtlib::strategy::{StrategyVocabulary, parse_strategy};

/// The table: a logic, blanks, a strategy; `#` begins a comment.
static TABLE: &str = include_str!("defaults.txt");

/// Returns the default strategies: logic and strategy.
pub fn default_strategies() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = TABLE.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(char::is_whitespace)).map(|(logic, text)| (logic, text.trim()))
}

/// Returns the default strategy of a logic: its own, else that of `ALL`.
pub fn default_strategy(logic: &str) -> &'static str {
    let of = |name: &str| default_strategies().find(|(logic, _)| *logic == name).map(|(_, text)| text);
    of(logic).or_else(|| of("ALL")).unwrap_or("skip")
}

/// Returns the name of a logic's default strategy, in Z3's style: `default`, `qfbv`, `qflra` and so on.
pub fn default_name(logic: &str) -> String {
    if logic == "ALL" { "default".to_string() } else { logic.to_lowercase().replace('_', "") }
}

/// Adds the defaults to a vocabulary under their names.
pub fn add_named_defaults(vocabulary: &mut StrategyVocabulary) {
    for (logic, text) in default_strategies() {
        let name = default_name(logic);
        if let Ok(strategy) = parse_strategy(text, vocabulary)
            && !vocabulary.tactics.contains_key(&name)
        {
            vocabulary.strategies.insert(name, strategy);
        }
    }
}
