//! Random strategies for the solver under test, over the names it has.

use crate::rng::RandomStream;
use smtlib::strategy::{RandomStrategyLimits, Strategy, StrategyVocabulary, Tactical, Tunable};
use std::fmt::Display;

/// The prefix of the parameter `tactics` for random strategies.
pub const PREFIX: &str = "random:";
/// The deepest that tacticals nest.
const DEPTH: u32 = 3;
/// Milliseconds of `try-for`, at most.
const MOST_MS: u32 = 2000;

/// The names for random strategies, as the parameter `tactics` gives them: `random: TACTIC … ; PROBE … ; ENGINE … ; TACTIC:SWITCH …`, the
/// later parts optional. Engines are tactics that answer; switches are parameters that take `true` and `false`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategyNames {
    vocabulary: StrategyVocabulary,
    engines: Vec<String>,
    tunables: Vec<Tunable>,
}

impl StrategyNames {
    /// Returns the names of a parameter's value without the prefix; `None` if there is no tactic.
    pub fn read(text: &str) -> Option<StrategyNames> {
        let mut parts = text.split(';');
        let mut words = || parts.next().unwrap_or_default().split_ascii_whitespace();
        let vocabulary = StrategyVocabulary::of_names(words(), words());
        let known = |name: &str| vocabulary.tactics.contains_key(name);
        let engines: Vec<String> = words().filter(|name| known(name)).map(str::to_string).collect();
        let switches = words().filter_map(|word| word.split_once(':')).filter(|(tactic, _)| known(tactic));
        let tunables = switches.map(|(tactic, key)| Tunable {
            tactic: tactic.to_string(),
            key: key.to_string(),
            values: vec!["true".to_string(), "false".to_string()],
        });
        let tunables = tunables.collect();
        (!vocabulary.tactics.is_empty()).then_some(StrategyNames { vocabulary, engines, tunables })
    }

    /// Returns the strategy of a number; the same number gives the same strategy everywhere.
    pub fn strategy(&self, number: u64) -> Strategy {
        let mut rng = RandomStream::from_seed(number);
        let shape = RandomStrategyLimits {
            vocabulary: &self.vocabulary,
            tacticals: Tactical::Z3,
            engines: &self.engines,
            tunables: &self.tunables,
            depth: DEPTH,
            most_ms: MOST_MS,
        };
        shape.strategy(&mut |n| rng.index(n))
    }
}

impl Display for StrategyNames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = |names: &mut dyn Iterator<Item = &String>| names.map(String::as_str).collect::<Vec<_>>().join(" ");
        let switches: Vec<String> = self.tunables.iter().map(|t| format!("{}:{}", t.tactic, t.key)).collect();
        write!(
            f,
            "{PREFIX} {}; {}; {}; {}",
            words(&mut self.vocabulary.tactics.keys()),
            words(&mut self.vocabulary.probes.keys()),
            words(&mut self.engines.iter()),
            switches.join(" ")
        )
    }
}
