//! The gate before every run: it decides which parts of a script reach a solver.
//!
//! Scripts may come from anywhere, and many solvers can write files: `(set-option :regular-output-channel "F")`, `:sat.drat.file` of z3.
//!
//! Invariant: every text on a solver's standard input passes [`Profile::gate`], and every word of a record on its command line passes
//! [`Profile::admits_word`].

use crate::profile::{OptionChoice, Profile};
use crate::script::{CommandText, commands, hidden, is_misleading};
use smtlib::extension_commands::is_command;
use smtlib::sexpr::{Hiding, ItemKind, atoms, is_one, items};
use smtlib::{BOOLEAN_OPTIONS, NUMERAL_OPTIONS};
use std::borrow::Cow;
use std::ops::Range;

/// Two options of most solvers, which take a number.
const COMMON: &[&str] = &[":rlimit", ":timeout"];

/// Words in the keys of options that write files, whatever the value: with `:sat.drat.file true`, z3 writes the file `true`. A key with
/// one of them passes only if a profile lists it in full.
const WRITING: &[&str] = &[
    "aig",
    "channel",
    "console",
    "directory",
    "drat",
    "dump",
    "err",
    "export",
    "file",
    "filename",
    "files",
    "json",
    "log",
    "out",
    "output",
    "path",
    "plugin",
    "prefix",
    "print",
    "save",
    "trace",
    "write",
];

/// Parameters of `(apply T)` that make z3 print more of the goals to standard output.
const SHOWING: &[&str] = &[":print_benchmark", ":print_dependencies", ":print_model_converter"];

/// Commands that no solver receives: they read or write files.
const FILES: &[&[u8]] = &[b"include", b"get-proof-graph"];

/// A script as sent to a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GatedScript<'t> {
    /// The text. Withheld parts are replaced by blanks, so lines and columns are those of the script; a check with a withheld tactic
    /// becomes a `(check-sat)`.
    pub text: Cow<'t, str>,
    /// The withheld parts, as written.
    pub withheld: Vec<&'t str>,
}

/// Why a whole script is withheld: solvers disagree on where its symbols end, so some see commands where others see none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "not sent to any solver: a quoted symbol has a backslash, which the standard forbids and some solvers read as an escape"
)]
pub struct Misleading;

impl Profile {
    /// Returns the parts of a script for the solver: known commands that open no file, options in the lists of the profile, and tactics
    /// whose parameters are such options.
    /// Errors: [`Misleading`]; nothing is sent then.
    pub fn gate<'t>(&self, script: &'t str) -> Result<GatedScript<'t>, Misleading> {
        let bytes = script.as_bytes();
        let mut blanks: Vec<Range<usize>> = Vec::new();
        if is_misleading(bytes) {
            return Err(Misleading);
        }
        if memchr::memchr(b'\r', bytes).is_some() {
            // Some solvers end a comment there.
            let comments = hidden(bytes).filter(|(hiding, _)| *hiding == Hiding::Comment).map(|(_, span)| span);
            blanks.extend(comments.flatten().filter(|at| bytes[*at] == b'\r').map(|at| at..at + 1));
        }
        let mut withheld = Vec::new();
        let mut sent_to = 0;
        let between = |from: usize, to: usize, blanks: &mut Vec<Range<usize>>| {
            if items(&bytes[from..to]).any(|item| item.kind != ItemKind::List) {
                blanks.push(from..to);
            }
        };
        for command in commands(bytes) {
            let end = command.start + command.text.len();
            between(sent_to, command.start, &mut blanks);
            sent_to = end;
            let blank = match self.admits(&command) {
                true => continue,
                false if command.name == b"check-sat-using" => {
                    command.start + after_name(&command) - b"-using".len()..end - 1
                }
                false => command.start..end,
            };
            withheld.extend(script.get(command.start..end));
            blanks.push(blank);
        }
        between(sent_to, bytes.len(), &mut blanks);
        let text = match blanks.is_empty() {
            true => Cow::Borrowed(script),
            false => Cow::Owned(blanked(script, &blanks)),
        };
        Ok(GatedScript { text, withheld })
    }

    fn admits(&self, command: &CommandText<'_>) -> bool {
        if command.name.is_empty() {
            return false;
        }
        let Ok(text) = std::str::from_utf8(command.text) else { return false };
        let Some(body) = text.get(after_name(command)..text.len() - 1) else { return false };
        let admitted = match command.name {
            b"set-option" => {
                let mut parts = items(body);
                let key = parts.next().and_then(|item| body.get(item.span));
                let value = parts.next().map_or("", |item| &body[item.span]);
                parts.next().is_none() && key.is_some_and(|key| self.admits_option(key, value))
            }
            b"check-sat-using" | b"apply" | b"set-simplifier" | b"declare-tactic" => {
                self.admits_parameters(atoms(body).map(|span| &body[span]))
            }
            // Terms have attributes of their own.
            b"simplify" | b"eval" | b"query" => {
                let mut parts =
                    items(body).map(|item| &body[item.span]).skip_while(|part| !part.starts_with(':')).peekable();
                parts.peek().is_none() || self.admits_parameters(parts)
            }
            // Commands that only print a text are no reason to withhold the script, even if solvers disagree on where the text ends.
            b"set-info" | b"echo" => !body.contains("\\\""),
            name => !FILES.contains(&name) && std::str::from_utf8(name).is_ok_and(is_command),
        };
        admitted
            || self
                .choice
                .iter()
                .filter(|choice| choice.option.starts_with('('))
                .flat_map(OptionChoice::settings)
                .any(|set| set == text)
    }

    /// Whether a script may set an option to a value.
    pub fn admits_option(&self, key: &str, value: &str) -> bool {
        self.admits_key(key) && is_number_or_truth(value) || self.has_word(key, value)
    }

    /// Whether a key, which takes numbers, true and false, is listed.
    fn admits_key(&self, key: &str) -> bool {
        // The options that name the files of answers and messages are in none of these lists.
        if [BOOLEAN_OPTIONS, NUMERAL_OPTIONS, COMMON].iter().any(|list| list.contains(&key)) {
            return true;
        }
        let key = normal(key);
        let listed = self.script_options.iter().chain(&self.gate.numbers).map(String::as_str);
        let is_writing = writes(&key);
        listed.map(normal).any(|known| match known.strip_suffix('*') {
            Some(prefix) => !is_writing && key.starts_with(prefix),
            None => key == known,
        })
    }

    /// Whether a word is listed for a key: directly, as a setting that a campaign may draw, or as one that distinguishes bugs.
    fn has_word(&self, key: &str, value: &str) -> bool {
        let key = normal(key);
        let is_key = |known: &str| {
            key.strip_prefix(':')
                .is_some_and(|key| normal(known.trim_start_matches('-')).trim_start_matches('_') == key)
        };
        let listed =
            self.gate.words.iter().any(|(known, words)| normal(known) == key && words.iter().any(|word| word == value));
        listed
            || self.choice.iter().any(|choice| {
                choice.option.strip_suffix("={}").is_some_and(is_key) && choice.values.iter().any(|word| word == value)
            })
            || self
                .switches
                .iter()
                .any(|switch| switch.split_once('=').is_some_and(|(known, word)| is_key(known) && word == value))
    }

    /// Whether a tactic, given as text, is one expression whose parameters a script may set.
    pub fn admits_tactic(&self, tactic: &str) -> bool {
        is_one(tactic) && self.admits_parameters(atoms(tactic).map(|span| &tactic[span]))
    }

    /// Whether the parameters among these words, `:key value`, may be set: numbers and truth values if the key writes no file, and words
    /// as for options. Strings are not allowed.
    fn admits_parameters<'t>(&self, words: impl Iterator<Item = &'t str>) -> bool {
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            if word.starts_with('"') {
                return false;
            }
            let Some(value) = word.starts_with(':').then(|| words.peek().copied().unwrap_or_default()) else {
                continue;
            };
            let is_set = is_harmless(word, value)
                || is_number_or_truth(value) && (SHOWING.contains(&word) || self.admits_key(word));
            if !is_set && !self.has_word(word, value) {
                return false;
            }
        }
        true
    }
}

/// Normalizes a key as solvers do: z3 takes `:SAT.DRAT-FILE` for `:sat.drat_file`.
fn normal(key: &str) -> String {
    key.to_ascii_lowercase().replace('-', "_")
}

/// Whether a key has a word of [`WRITING`].
fn writes(key: &str) -> bool {
    key.split(|c: char| !c.is_ascii_alphabetic()).any(|word| WRITING.contains(&word))
}

/// Whether a value cannot name a file: a numeral, a decimal, `true` or `false`.
fn is_number_or_truth(value: &str) -> bool {
    matches!(value, "true" | "false")
        || (!value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

/// Whether an option of any solver writes nothing with a value, as far as its key shows.
pub fn is_harmless(key: &str, value: &str) -> bool {
    is_number_or_truth(value) && !writes(&normal(key))
}

/// Returns the offset of a command's arguments.
fn after_name(command: &CommandText<'_>) -> usize {
    (command.name.as_ptr() as usize).saturating_sub(command.text.as_ptr() as usize) + command.name.len()
}

/// Replaces ranges of a text by blanks, except for line ends.
fn blanked(text: &str, places: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for byte in places.iter().flat_map(|place| place.clone()) {
        if !matches!(bytes[byte], b'\n') {
            bytes[byte] = b' ';
        }
    }
    // Whole commands, words and carriage returns are replaced: all of them whole characters.
    String::from_utf8_lossy(&bytes).into_owned()
}
