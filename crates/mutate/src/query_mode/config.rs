//! The way a mutant asks, and the parameters that say how often each way is drawn.

use super::strategies::{PREFIX, StrategyNames};
use crate::mutator::Mutant;
use crate::parameter::{self, ParameterRow, Refused};
use crate::rng::RandomStream;
use smtlib::Status;
use smtlib::sexpr::is_one;

/// How a mutant asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryMode {
    /// Assertions, then one `(check-sat)`.
    Plain,
    /// Assertions, then `(check-sat-using T)` with the tactic of this number.
    Tactic(usize),
    /// Assertions, then `(check-sat-using S)` with the made-up strategy of this number.
    Strategy(u64),
    /// Assertions, pushes and pops with a `(check-sat)` after each group.
    Incremental,
}

/// How often mutants ask in which way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryConfig {
    /// How often a mutant is incremental (push, pop, several checks), in percent.
    pub incremental: u32,
    /// The largest number of checks of an incremental mutant, at least 1.
    pub max_checks: u32,
    /// How often a mutant asks by `(check-sat-using T)`, in percent of those not incremental; never without tactics.
    pub tactical: u32,
    /// The tactics to choose from.
    pub tactics: Vec<Box<str>>,
    /// The names of which strategies are made up instead.
    pub strategies: Option<StrategyNames>,
}

impl Default for QueryConfig {
    fn default() -> Self {
        QueryConfig { incremental: 30, max_checks: 8, tactical: 40, tactics: Vec::new(), strategies: None }
    }
}

/// The parameter `tactics` of a configuration that has one.
pub const fn tactics_row<C>(get: fn(&C) -> String, set: fn(&mut C, &str) -> Result<(), Refused>) -> ParameterRow<C> {
    parameter::text(
        "tactics",
        "`random:`, then at least one tactic",
        "tactics for check-sat-using, separated by semicolons, or random: NAMES to make strategies up",
        get,
        set,
    )
}

impl QueryConfig {
    /// Sets the tactics, or the names of which strategies are made up.
    ///
    /// # Errors
    /// [`Refused`] where `random:` names no tactic, or one is no expression: tactics are put into commands.
    pub fn set_tactics(&mut self, value: &str) -> Result<(), Refused> {
        match value.trim_start().strip_prefix(PREFIX) {
            Some(names) => {
                let names = StrategyNames::read(names).ok_or(Refused(None))?;
                self.tactics.clear();
                self.strategies = Some(names);
            }
            None => {
                let tactics = || value.split(';').map(str::trim).filter(|tactic| !tactic.is_empty());
                if let Some(other) = tactics().find(|tactic| !is_one(tactic)) {
                    return Err(Refused(Some(format!(
                        "`{other}` is no tactic: one word, or one expression in parentheses"
                    ))));
                }
                self.strategies = None;
                self.tactics = tactics().map(Box::from).collect();
            }
        }
        Ok(())
    }

    /// The tactics as [`QueryConfig::set_tactics`] reads them.
    pub fn tactics_text(&self) -> String {
        self.strategies.as_ref().map_or_else(|| self.tactics.join("; "), StrategyNames::to_string)
    }
}

impl QueryMode {
    /// Draws a mode as the configuration's percentages say.
    pub fn draw(config: &QueryConfig, rng: &mut RandomStream) -> QueryMode {
        if rng.percent(config.incremental) {
            return QueryMode::Incremental;
        }
        if !config.tactics.is_empty() && rng.percent(config.tactical) {
            return QueryMode::Tactic(rng.index(config.tactics.len()));
        }
        if config.strategies.is_some() && rng.percent(config.tactical) {
            return QueryMode::Strategy(rng.bits());
        }
        QueryMode::Plain
    }

    /// The tactic or strategy it asks by.
    pub fn tactic(self, config: &QueryConfig) -> Option<String> {
        match self {
            QueryMode::Tactic(n) => config.tactics.get(n).map(|tactic| tactic.to_string()),
            QueryMode::Strategy(number) => config.strategies.as_ref().map(|names| names.strategy(number).to_string()),
            QueryMode::Plain | QueryMode::Incremental => None,
        }
    }

    /// The mode in words, for a finding's record.
    pub fn describe(self, config: &QueryConfig) -> String {
        match self {
            QueryMode::Plain => "plain".to_string(),
            QueryMode::Incremental => "incremental".to_string(),
            QueryMode::Tactic(_) | QueryMode::Strategy(_) => {
                format!("tactic {}", self.tactic(config).unwrap_or_default())
            }
        }
    }

    /// Writes a check whose answer is `sat`.
    pub fn check(self, config: &QueryConfig, out: &mut Mutant) {
        match self.tactic(config) {
            Some(tactic) => {
                out.text.push_str("(check-sat-using ");
                out.text.push_str(&tactic);
                out.text.push_str(")\n");
            }
            None => out.text.push_str("(check-sat)\n"),
        }
        out.expected.push(Status::Sat);
    }
}
