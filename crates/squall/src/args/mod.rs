//! Arguments that several subcommands share, and the forms of their values.

pub mod focus;
pub mod format;
#[cfg(feature = "nats")]
pub mod nats;
pub mod strategies;
pub mod theory;
pub mod units;
pub mod values;

use std::ffi::OsString;
use std::path::PathBuf;

/// The file that `--config` names. The command line is not parsed yet, since the file may add to it.
pub fn named_settings(words: impl IntoIterator<Item = OsString>) -> Option<PathBuf> {
    let mut words = words.into_iter().take_while(|word| word != "--");
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--config") => return words.next().map(PathBuf::from),
            Some(word) if word.starts_with("--config=") => {
                return word.split_once('=').map(|(_, file)| PathBuf::from(file));
            }
            _ => {}
        }
    }
    None
}
