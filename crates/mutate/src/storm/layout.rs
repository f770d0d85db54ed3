//! The order of a mutant's commands: plain, by a tactic, or incremental with exact assertion levels.

use crate::mutator::{Expected, Mutant};
use crate::rng::RandomStream;
use crate::storm::config::StormConfig;

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

/// The most levels one push or pop moves, and the most that are open at once.
const MAX_STEP: u64 = 3;
const MAX_LEVELS: u64 = 12;

impl QueryMode {
    /// Draws a mode as the configuration's percentages say.
    pub fn draw(config: &StormConfig, rng: &mut RandomStream) -> QueryMode {
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
    fn tactic(self, config: &StormConfig) -> Option<String> {
        match self {
            QueryMode::Tactic(n) => config.tactics.get(n).map(|tactic| tactic.to_string()),
            QueryMode::Strategy(number) => config.strategies.as_ref().map(|names| names.strategy(number).to_string()),
            QueryMode::Plain | QueryMode::Incremental => None,
        }
    }

    /// The mode in words, for a finding's record.
    pub fn describe(self, config: &StormConfig) -> String {
        match self {
            QueryMode::Plain => "plain".to_string(),
            QueryMode::Incremental => "incremental".to_string(),
            QueryMode::Tactic(_) | QueryMode::Strategy(_) => {
                format!("tactic {}", self.tactic(config).unwrap_or_default())
            }
        }
    }
}

/// Writes `count` assertions and their checks. `assert` appends one assertion, and says false when no more should follow.
pub fn write(
    mode: QueryMode,
    count: u64,
    config: &StormConfig,
    rng: &mut RandomStream,
    out: &mut Mutant,
    mut assert: impl FnMut(&mut RandomStream, &mut Mutant) -> bool,
) {
    if mode == QueryMode::Incremental {
        return incremental(count, config, rng, out, assert);
    }
    for _ in 0..count {
        if !assert(rng, out) {
            break;
        }
    }
    match mode.tactic(config) {
        Some(tactic) => {
            out.text.push_str("(check-sat-using ");
            out.text.push_str(&tactic);
            out.text.push_str(")\n");
        }
        None => out.text.push_str("(check-sat)\n"),
    }
    out.expected.push(Expected::Sat);
}

/// Groups of assertions, each followed by a check, with a random push, pop or neither between them.
///
/// Invariant: `levels` is the number of levels the solver has open, so that no pop ever asks for more than there are.
/// Every check is satisfiable, because each assertion alone is true under the one witness.
fn incremental(
    count: u64,
    config: &StormConfig,
    rng: &mut RandomStream,
    out: &mut Mutant,
    mut assert: impl FnMut(&mut RandomStream, &mut Mutant) -> bool,
) {
    let checks = rng.between(1, u64::from(config.max_checks).min(count).max(1));
    let mut levels = 0;
    let mut left = count;
    for check in 0..checks {
        match rng.below(3) {
            0 if levels > 0 => {
                let n = rng.between(1, levels.min(MAX_STEP));
                levels -= n;
                step("(pop ", n, out);
            }
            0 | 1 if levels < MAX_LEVELS => {
                let n = rng.between(1, MAX_STEP.min(MAX_LEVELS - levels));
                levels += n;
                step("(push ", n, out);
            }
            _ => {}
        }
        // The last group takes what is left, so that the number of assertions is exactly the one drawn.
        let groups_after = checks - check - 1;
        let group = if groups_after == 0 { left } else { rng.between(1, left - groups_after) };
        left -= group;
        for _ in 0..group {
            if !assert(rng, out) {
                left = 0;
                break;
            }
        }
        out.text.push_str("(check-sat)\n");
        out.expected.push(Expected::Sat);
        if left == 0 {
            break;
        }
    }
}

/// `(push n)` or `(pop n)`; `n` is at most [`MAX_LEVELS`], so two digits are enough.
fn step(command: &str, n: u64, out: &mut Mutant) {
    out.text.push_str(command);
    if n >= 10 {
        out.text.push(char::from(b'0' + (n / 10) as u8));
    }
    out.text.push(char::from(b'0' + (n % 10) as u8));
    out.text.push_str(")\n");
}
