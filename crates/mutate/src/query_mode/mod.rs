//! How the mutants of recombined fragments ask: one check, a check with a tactic, or several checks among push and pop.

mod strategies;

use crate::mutator::Mutant;
use crate::parameter::{self, ParameterRow, ParameterValue, Refused, ValuePlace};
use crate::rewritten::{Rewrite, RewrittenBatch};
use crate::rng::{RandomStream, Unit};
use smtlib::Status;
use smtlib::sexpr::is_one;
use std::ops::RangeInclusive;
use strategies::PREFIX;
pub use strategies::{PREFIX as RANDOM_STRATEGIES, StrategyNames};

/// The maximum number of levels that one push or pop moves, and that are open at once.
const MAX_STEP: u64 = 3;
const MAX_LEVELS: u64 = 12;

/// The replaced command, alone on its line as all mutators write it.
const CHECK: &str = "(check-sat)";

/// How a mutant asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryMode {
    /// Assertions, then one `(check-sat)`.
    Plain,
    /// Assertions, then `(check-sat-using T)` with the tactic of this number.
    Tactic(usize),
    /// Assertions, then `(check-sat-using S)` with the random strategy of this number.
    Strategy(u64),
    /// Assertions, pushes and pops with a `(check-sat)` after each group.
    Incremental,
}

/// How often mutants use each query mode.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryConfig {
    /// How often a mutant is incremental (push, pop, several checks), in percent.
    pub incremental: u32,
    /// The maximum number of checks of an incremental mutant, at least 1.
    pub max_checks: u32,
    /// How often a mutant asks with `(check-sat-using T)`, in percent of those not incremental; never without tactics.
    pub tactical: u32,
    /// The tactics to choose from.
    pub tactics: Vec<Box<str>>,
    /// The names for random strategies instead.
    pub strategies: Option<StrategyNames>,
}

/// The change of levels before a group of assertions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LevelChange {
    /// The levels stay.
    Stay,
    /// This many are opened.
    Push(u64),
    /// This many are closed.
    Pop(u64),
}

/// The assertion levels of a script under construction.
///
/// Invariant: `open` is the solver's number of open levels, so no pop exceeds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenLevels {
    open: u64,
}

/// The mutants of a batch, some of them asked with a tactic.
pub type TacticalBatch<'s> = RewrittenBatch<'s, TacticalQueries>;

/// Replaces each `(check-sat)` by `(check-sat-using T)` in some mutants.
///
/// Checks under assumptions stay, since there is no such command with a tactic. The draws have a separate stream, so that a mutant does not
/// depend on the tactics.
#[derive(Clone, Debug)]
pub struct TacticalQueries {
    query: QueryConfig,
    unit: Unit,
}

impl Default for QueryConfig {
    fn default() -> Self {
        QueryConfig { incremental: 30, max_checks: 8, tactical: 40, tactics: Vec::new(), strategies: None }
    }
}

impl QueryConfig {
    /// Sets the tactics, or the names for random strategies.
    /// Errors: [`Refused`] if `random:` names no tactic, or one is not an expression: tactics are inserted into commands.
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
                        "`{other}` is not a tactic: one word, or one expression in parentheses"
                    ))));
                }
                self.strategies = None;
                self.tactics = tactics().map(Box::from).collect();
            }
        }
        Ok(())
    }

    /// Returns the tactics as [`QueryConfig::set_tactics`] reads them.
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

    /// Returns the tactic or strategy it asks with.
    pub fn tactic(self, config: &QueryConfig) -> Option<String> {
        match self {
            QueryMode::Tactic(n) => config.tactics.get(n).map(|tactic| tactic.to_string()),
            QueryMode::Strategy(number) => config.strategies.as_ref().map(|names| names.strategy(number).to_string()),
            QueryMode::Plain | QueryMode::Incremental => None,
        }
    }

    /// Returns the mode in words, for a finding's record.
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

impl OpenLevels {
    /// Returns the number of open levels.
    pub fn open(self) -> u64 {
        self.open
    }

    /// Draws a push, a pop or neither, and writes the command.
    pub fn step(&mut self, rng: &mut RandomStream, out: &mut String) -> LevelChange {
        match rng.below(3) {
            0 if self.open > 0 => {
                let n = rng.between(1, self.open.min(MAX_STEP));
                self.open -= n;
                write_levels("(pop ", n, out);
                LevelChange::Pop(n)
            }
            0 | 1 if self.open < MAX_LEVELS => {
                let n = rng.between(1, MAX_STEP.min(MAX_LEVELS - self.open));
                self.open += n;
                write_levels("(push ", n, out);
                LevelChange::Push(n)
            }
            _ => LevelChange::Stay,
        }
    }
}

impl TacticalQueries {
    /// As many as `query` says, each with one of its tactics.
    pub fn new(query: QueryConfig, unit: Unit) -> TacticalQueries {
        TacticalQueries { query: QueryConfig { incremental: 0, ..query }, unit }
    }
}

impl Rewrite for TacticalQueries {
    /// The tactic.
    type Done = String;

    fn rewrite(&self, index: u64, mutant: &mut Mutant) -> Option<String> {
        let mode = QueryMode::draw(&self.query, &mut self.unit.tactic_stream(index));
        let tactic = mode.tactic(&self.query)?;
        let checks = mutant.text.lines().filter(|line| *line == CHECK).count();
        // A line inside a literal would look the same.
        if checks == 0 || checks > mutant.expected.len() {
            return None;
        }
        let command = format!("(check-sat-using {tactic})");
        let lines = mutant.text.split_inclusive('\n');
        mutant.text = lines
            .map(|line| match line.strip_suffix('\n').unwrap_or(line) == CHECK {
                true => line.replacen(CHECK, &command, 1),
                false => line.to_string(),
            })
            .collect();
        Some(tactic)
    }

    fn record(tactic: &String, record: &mut Vec<(&'static str, String)>) {
        record.retain(|(name, _)| *name != "mode");
        record.push(("mode", format!("tactic {tactic}")));
    }
}

/// Its text is the parameter `tactics`.
impl ParameterValue for QueryConfig {
    fn text(&self) -> String {
        self.tactics_text()
    }

    fn set(&mut self, text: &str, _: RangeInclusive<u32>) -> Result<(), Refused> {
        self.set_tactics(text)
    }
}

/// Returns the parameter `tactics` of a configuration that has one.
pub const fn tactics<C>(place: ValuePlace<C>) -> ParameterRow<C> {
    let about = "tactics for check-sat-using, separated by semicolons, or random: NAMES for random strategies";
    parameter::word("tactics", "`random:`, then at least one tactic", about, place)
}

/// `(push n)` or `(pop n)`; `n` is at most [`MAX_STEP`], so one digit is enough.
fn write_levels(command: &str, n: u64, out: &mut String) {
    out.push_str(command);
    out.push(char::from(b'0' + n as u8));
    out.push_str(")\n");
}
