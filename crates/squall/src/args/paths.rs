//! Input files and folders that a command line names. One that does not exist is a usage error.

use clap::{ArgMatches, Command};
use std::any::TypeId;
use std::path::{Path, PathBuf};

/// Options that name input files, by their fields; other options name outputs.
const READ: [&str; 7] = ["starts", "model", "rules", "resume", "found", "collect", "peers_file"];

/// The first input path of the subcommand that does not exist. Standard input (`-`) and embedded seeds always exist.
pub fn missing(command: &Command, matches: &ArgMatches) -> Option<String> {
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
    missing(command.find_subcommand(name)?, matches)
}
