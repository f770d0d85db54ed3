//! Strategies as the command line names them: an expression, a name of `squall.toml`, or a file.

use ::solver::install::Fleet;
use ::solver::settings::StrategySetting;
use anyhow::{Context, Result, anyhow};
use smtlib::strategy::{Strategy, StrategyVocabulary, parse_strategy};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use strategy::Solvers;
use strategy::session::{ByStrategy, NamedStrategyError};

/// Makes a decider with the solvers and named strategies of this user. A solver gets at most `time`, the limit of each check, to print
/// its version.
/// Errors: a profile, a settings file or a named strategy is malformed.
pub fn decider(time: Option<Duration>) -> Result<ByStrategy> {
    let mut fleet = Fleet::of_user()?;
    if let Some(time) = time {
        fleet = fleet.with_patience(time);
    }
    let settings = fleet.profiles().strategies().clone();
    let named: BTreeMap<String, String> =
        settings.iter().map(|(name, setting)| (name.clone(), setting.text.clone())).collect();
    ByStrategy::new(Solvers::of(fleet), &named).map_err(|error| match settings.get(error.name()) {
        Some(setting) => anyhow!("{}", placed(&error, setting)),
        None => anyhow!("in squall.toml: {error}"),
    })
}

/// Returns the error of a named strategy, with its position in the settings file.
fn placed(error: &NamedStrategyError, setting: &StrategySetting) -> String {
    let file = setting.file.display();
    match (error, &setting.source) {
        (NamedStrategyError::Wrong { name, error }, Some((source, start))) => {
            let mut moved = error.clone();
            moved.span = start + error.span.start..start + error.span.end;
            moved.message = format!("in the strategy `{name}`: {error}");
            moved.render(&file.to_string(), source)
        }
        _ => format!("{file}:{}: error: {error}", setting.line),
    }
}

/// The solvers that are run, if they are installed, where our own engines have no answer. They support all theories.
pub const ASKED_AFTER: [&str; 2] = ["z3", "cvc5"];

/// The prefix of a custom program, as for mutators.
const EXEC: &str = "exec:";

/// Parses an argument as a strategy: an expression, a name, `exec:COMMAND`, or a file.
/// Errors: the argument is not a strategy, or its file cannot be read. The error of a strategy has the position.
pub fn read(word: &str, vocabulary: &StrategyVocabulary) -> Result<Strategy> {
    if let Some(command) = word.strip_prefix(EXEC) {
        if command.trim().is_empty() {
            usage!("`{word}` names no program; write for example 'exec:python3 mine.py'");
        }
        return Ok(Strategy::Exec(command.trim().into()));
    }
    let path = Path::new(word);
    let known = vocabulary.tactics.contains_key(word) || vocabulary.strategies.contains_key(word);
    if !known && !word.trim_start().starts_with('(') && path.is_file() {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read the strategy file {word}"))?;
        return parse_strategy(&text, vocabulary).map_err(|error| anyhow!("{}", error.render(word, &text)));
    }
    match parse_strategy(word, vocabulary) {
        Ok(strategy) => Ok(strategy),
        Err(error) => usage!("{}", error.render("STRATEGY", word)),
    }
}
