//! Theories: names of those of generated problems, and files of theories as data.

use clap::builder::PossibleValuesParser;
use mutate::finite::theme::THEMES;
use mutate::theory_file;
use serde::Serialize;
use std::path::Path;

/// Parses the name of a theory or of a combination.
pub fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(THEMES.iter().map(|theme| theme.name))
}

/// A theory file that was read: the command that declares the theory in a script. It stands for the content, not for the path.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct TheoryArg(String);

impl TheoryArg {
    /// Returns the command.
    pub fn command(&self) -> &str {
        &self.0
    }
}

/// Reads a theory file. The command of a theory stands for itself, as in a campaign's record.
/// Errors: it cannot be read, or the first mistake in it, with its line.
pub fn file(path: &str) -> Result<TheoryArg, String> {
    if path.starts_with('(') {
        return theory_file::is_command(path)
            .then(|| TheoryArg(path.to_string()))
            .ok_or_else(|| "this is no theory".to_string());
    }
    let bytes = files::named(Path::new(path)).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{path}: the text is not UTF-8"))?;
    theory_file::read(&text).map(TheoryArg).map_err(|error| error.render(path, &text))
}

/// The option of commands that read scripts over a theory.
#[derive(clap::Args, Default)]
pub struct ScriptTheory {
    /// A theory as data, in TOML: the scripts may use its sorts and operators without the command that declares them.
    #[arg(long, value_name = "FILE", value_parser = file)]
    theory_file: Option<TheoryArg>,
}

impl ScriptTheory {
    /// Returns a script that begins with the theory; its lines keep their numbers.
    pub fn declared(&self, text: String) -> String {
        self.theory_file.as_ref().map_or_else(|| text.clone(), |theory| theory.0.trim_end().to_string() + &text)
    }

    /// Returns the command that declares the theory.
    pub fn command(&self) -> Option<&str> {
        self.theory_file.as_ref().map(TheoryArg::command)
    }
}
