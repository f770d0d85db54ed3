//! Parsers of bug classes, shares and settings on a command line, and the check of its input paths.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Command};
use finding::BugClass;
use std::any::TypeId;
use std::path::{Path, PathBuf};

/// Options that name input files, by their fields; other options name outputs.
const READ: [&str; 7] = ["starts", "model", "rules", "resume", "found", "collect", "peers_file"];

/// Returns a share of a whole, from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, as in 0.2".to_string())
}

/// Returns the letter of a class of bugs.
pub fn class() -> impl TypedValueParser<Value = BugClass> {
    let letters = BugClass::all().map(|class| PossibleValue::new(class.letter()).help(class.meaning()));
    PossibleValuesParser::new(letters).try_map(|letter| letter.parse::<BugClass>())
}

/// `NAME=VALUE`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, as in max-checks=4")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

/// The first input path of the subcommand that does not exist. Standard input (`-`) and embedded seeds always exist.
pub fn missing_input(command: &Command, matches: &ArgMatches) -> Option<String> {
    for arg in command.get_arguments() {
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let id = arg.get_id().as_str();
        if !is_path || !(arg.is_positional() || READ.contains(&id)) {
            continue;
        }
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        let values = values.map(|value| value.to_string_lossy().into_owned());
        let is_missing = |value: &String| value != "-" && !value.starts_with("embedded:") && !Path::new(value).exists();
        if let Some(missing) = values.into_iter().find(is_missing) {
            return Some(missing);
        }
    }
    let (name, matches) = matches.subcommand()?;
    missing_input(command.find_subcommand(name)?, matches)
}

#[cfg(test)]
#[path = "../../tests/unit/values.rs"]
mod tests;
