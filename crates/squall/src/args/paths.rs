//! Files and folders to read that a command line names: they must be there, or it is a mistake of the command line.

use clap::{ArgMatches, Command};
use std::any::TypeId;
use std::path::{Path, PathBuf};

/// Options that name what is read, by their fields; the paths of other options are written to.
const READ: [&str; 7] = ["starts", "model", "rules", "resume", "found", "collect", "peers_file"];

/// The first path to read, of the subcommand that is used, where nothing is. Standard input (`-`) and embedded seeds are always there.
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
