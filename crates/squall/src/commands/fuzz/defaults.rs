//! Defaults of `squall fuzz` from `squall.toml`. They are added to the command line, which takes precedence.

use super::is_harmless;
use crate::render::say::{Usage, quoted};
use ::solver::profiles::{ReadSettings, SettingsSource, Standing, read_settings, settings_files};
use ::solver::spec::{SolverSpec, nearest};
use anyhow::Result;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use toml::Value;

/// The subcommand that has defaults.
const SUBCOMMAND: &str = "fuzz";
/// The key of the positional arguments.
const SEEDS: &str = "seeds";
/// Options without defaults: they begin no campaign.
const NEVER: [&str; 3] = ["resume", "help", "version"];

/// A command line with the defaults of settings files in it.
#[derive(Debug, Default)]
pub struct CompletedWords {
    /// The whole command line, beginning with the program.
    pub words: Vec<OsString>,
    /// The arguments of `squall fuzz`, which `campaign.json` keeps.
    pub campaign: Vec<String>,
    /// The defaults of each file, one line per file.
    pub told: Vec<String>,
}

/// The default of one option.
struct OptionDefault {
    /// As on the command line.
    words: Vec<String>,
    file: PathBuf,
}

/// The command line of the whole program, and the one of `squall fuzz`.
struct FuzzGrammar {
    program: fn() -> Command,
    options: Command,
}

/// A place in a settings file.
struct SettingsPlace<'p> {
    grammar: &'p FuzzGrammar,
    file: &'p SettingsSource,
    line: usize,
    key: &'p str,
}

/// Adds the defaults of the user's settings files to a command line. A command line of another subcommand, and one that
/// resumes a campaign, is unchanged.
/// Errors: [`Usage`] for an unknown key or value; a malformed file.
pub fn complete(program: fn() -> Command, words: Vec<OsString>) -> Result<CompletedWords> {
    let at = words.iter().position(|word| word == SUBCOMMAND);
    let given = at.and_then(|_| given(program(), &words));
    let mut completed = CompletedWords::default();
    if let Some(given) = given.filter(|given| !is_given(given, "resume")) {
        let grammar = FuzzGrammar::of(program);
        let defaults = grammar.of_files(&settings_files())?.into_iter();
        let defaults = defaults.filter(|(key, _)| !is_given(&given, grammar.id(key))).map(|(_, default)| default);
        let mut by_file: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
        for default in defaults {
            by_file.entry(default.file).or_default().extend(default.words);
        }
        for (file, words) in by_file {
            let shown: Vec<String> = words.iter().map(|word| quoted(word)).collect();
            completed.told.push(format!("defaults of {}: {}", file.display(), shown.join(" ")));
            completed.campaign.extend(words);
        }
    }
    let (before, own) = words.split_at(at.map_or(words.len(), |at| at + 1));
    completed.words = before.iter().cloned().chain(completed.campaign.iter().map(OsString::from)).collect();
    completed.words.extend_from_slice(own);
    completed.campaign.extend(own.iter().map(|word| word.to_string_lossy().into_owned()));
    Ok(completed)
}

/// Parses the command line, ignoring errors. `None` for another subcommand or `--help`.
fn given(program: Command, words: &[OsString]) -> Option<ArgMatches> {
    // The settings files may have what is missing.
    let mut matches = program.ignore_errors(true).try_get_matches_from(words).ok()?;
    matches.remove_subcommand().filter(|(name, _)| name == SUBCOMMAND).map(|(_, given)| given)
}

fn is_given(given: &ArgMatches, id: &str) -> bool {
    given.ids().any(|known| known == id) && given.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns the key of an argument in a settings file.
fn key(option: &Arg) -> Option<&str> {
    match option.is_positional() {
        true => (option.get_id() == SEEDS).then_some(SEEDS),
        false => option.get_long().filter(|long| !NEVER.contains(long)),
    }
}

impl FuzzGrammar {
    fn of(program: fn() -> Command) -> FuzzGrammar {
        let mut whole = program();
        let mut options = whole.find_subcommand_mut(SUBCOMMAND).map(std::mem::take).unwrap_or_default();
        // A subcommand has no arguments before it is built.
        options.build();
        FuzzGrammar { program, options }
    }

    /// Returns the argument of a key.
    fn option(&self, of_key: &str) -> Option<&Arg> {
        self.options.get_arguments().find(|option| key(option) == Some(of_key))
    }

    /// Returns the clap id of the option of a key.
    fn id(&self, of_key: &str) -> &str {
        self.option(of_key).map_or("", |option| option.get_id().as_str())
    }

    /// Returns the defaults of files by key; a later file overrides an earlier one.
    fn of_files(&self, files: &[SettingsSource]) -> Result<BTreeMap<String, OptionDefault>> {
        let mut defaults = BTreeMap::new();
        for file in files {
            let Some(ReadSettings { settings, text, .. }) = read_settings(file, is_harmless)? else { continue };
            for (key, value) in &settings.fuzz {
                let line = 1 + text[..key.span().start.min(text.len())].matches('\n').count();
                let place = SettingsPlace { grammar: self, file, line, key: key.get_ref() };
                let words = place.words(value.get_ref())?;
                defaults.insert(key.get_ref().clone(), OptionDefault { words, file: file.path.clone() });
            }
        }
        Ok(defaults)
    }
}

impl SettingsPlace<'_> {
    /// Returns the arguments for a value.
    fn words(&self, value: &Value) -> Result<Vec<String>> {
        let Some(option) = self.grammar.option(self.key) else { return Err(self.unknown().into()) };
        let takes_value = option.get_action().takes_values();
        let values = match value {
            Value::Boolean(is_set) if !takes_value => {
                return Ok(is_set.then(|| format!("--{}", self.key)).into_iter().collect());
            }
            _ if !takes_value => return Err(self.wrong("expected true or false").into()),
            Value::Array(list) if is_repeatable(option) => {
                list.iter().map(|value| self.text(value)).collect::<Result<Vec<String>>>()?
            }
            Value::Array(_) => return Err(self.wrong("expected one value, not a list").into()),
            one => vec![self.text(one)?],
        };
        let words: Vec<String> = values
            .iter()
            .map(|value| self.resolved(value))
            .map(|value| if self.key == SEEDS { value } else { format!("--{}={value}", self.key) })
            .collect();
        self.check(&words)?;
        Ok(words)
    }

    fn text(&self, value: &Value) -> Result<String> {
        match value {
            Value::String(text) if text.starts_with('-') && self.key == SEEDS => {
                Err(self.wrong("a path cannot begin with '-'; write ./ before it").into())
            }
            Value::String(text) => Ok(text.clone()),
            Value::Integer(number) => Ok(number.to_string()),
            Value::Float(number) => Ok(number.to_string()),
            _ => Err(self.wrong("expected a text or a number").into()),
        }
    }

    /// Resolves a path in a file above the current folder, or in a named one, from that file's folder.
    fn resolved(&self, value: &str) -> String {
        let folder = self.file.path.parent().filter(|_| is_elsewhere(self.file));
        let joined = |path: &str| {
            folder.map_or_else(
                || path.to_string(),
                |folder| folder.join(path).components().collect::<PathBuf>().display().to_string(),
            )
        };
        match self.key {
            SEEDS | "out" => joined(value),
            "solver" | "reference" => match value.parse() {
                Ok(SolverSpec::Path(mut spec)) => {
                    spec.path = joined(&spec.path);
                    SolverSpec::Path(spec).to_string()
                }
                // The command line reports the error.
                _ => value.to_string(),
            },
            _ => value.to_string(),
        }
    }

    /// Checks that `squall fuzz` accepts the arguments.
    fn check(&self, words: &[String]) -> Result<()> {
        let solver = (self.key != "solver").then(|| "--solver=builtin:sat".to_string());
        let subcommand = ["squall", SUBCOMMAND].map(str::to_string);
        let words = subcommand.into_iter().chain(solver).chain(words.iter().cloned());
        let Err(error) = (self.grammar.program)().try_get_matches_from(words) else { return Ok(()) };
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        // The rest is about a command line that the user did not write.
        Err(self.wrong(text.lines().next().unwrap_or(text)).into())
    }

    fn unknown(&self) -> Usage {
        if NEVER.contains(&self.key) {
            return self.wrong("it can have no default");
        }
        let known = || self.grammar.options.get_arguments().filter_map(key);
        let nearest = nearest(self.key, known());
        let known = known().collect::<Vec<_>>().join(", ");
        self.wrong(&match nearest {
            Some(nearest) => format!("squall fuzz has no such option; did you mean '{nearest}'?"),
            None => format!("squall fuzz has no such option; it has {known}"),
        })
    }

    fn wrong(&self, what: &str) -> Usage {
        Usage(format!("{}, line {}: '{}' of [fuzz]: {what}", self.file.path.display(), self.line, self.key))
    }
}

fn is_repeatable(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::Append) || option.is_positional()
}

/// Whether the paths of a settings file are relative to its folder, and that is not the current one.
fn is_elsewhere(file: &SettingsSource) -> bool {
    // A file found in the current folder is named as the user names it.
    file.standing != Standing::OfUser && file.path.is_absolute()
}
