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

/// Adds the defaults to a vocabulary under their names. `default` is the default of the goal's logic, as far as a probe knows it.
pub fn add_named_defaults(vocabulary: &mut StrategyVocabulary) {
    let mut by_logic = (String::new(), 0);
    for (logic, text) in default_strategies() {
        let name = default_name(logic);
        let probe = format!("is-{name}");
        if vocabulary.probes.contains_key(&probe) {
            by_logic = (format!("{}(if {probe} {text} ", by_logic.0), by_logic.1 + 1);
        }
        let text = if logic == "ALL" { &format!("{}{text}{}", by_logic.0, ")".repeat(by_logic.1)) } else { text };
        if let Ok(strategy) = parse_strategy(text, vocabulary)
            && !vocabulary.tactics.contains_key(&name)
        {
            vocabulary.strategies.insert(name, strategy);
        }
    }
}
