//! What a user writes after `--solver`: a name with variant and version, a path with options, or a built-in stand-in.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use finding::Instrument;

/// A solver as the user named it.
///
/// | text | meaning |
/// |---|---|
/// | `z3` | the program of that name on `PATH`, else the newest installed |
/// | `z3@4.8.7`, `z3@latest` | that version |
/// | `z3+z3str3@4.8.7` | that version with the options of a named variant |
/// | `z3:./build/my-z3` | a program by its path, described by the profile `z3` whatever its file is called |
/// | `z3@5.3.3+assertions` | that version, compiled with assertions; the words are those of [`Instrument`] |
/// | `./my-solver --flag`, `"z3@4.8.7 smt.arith.solver=2"` | with options of the user's own |
/// | `"cvc5@1.3.4 --bare"` | without the options that its profile adds ([`BARE`]) |
/// | `builtin:sat`, `builtin:unsat`, `builtin:unknown`, `builtin:error` | a stand-in inside this process that always answers the same |
///
/// Invariant: `Display` gives a text that parses to an equal specification.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SolverSpec {
    /// A stand-in inside this process.
    Builtin(Builtin),
    /// A solver known by a profile.
    Named(NamedSpec),
    /// A program given by its path.
    Path(PathSpec),
}

/// The option that is passed to no program: it omits the profile's options that affect answers.
pub const BARE: &str = "--bare";

/// A stand-in that gives every `check-sat` the same answer at once, to measure our own cost and to test the handling of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Builtin {
    /// Answers `sat`.
    Sat,
    /// Answers `unsat`.
    Unsat,
    /// Answers `unknown`.
    Unknown,
    /// Reads nothing: an error voids all answers.
    Error,
}

/// `NAME[+VARIANT][@VERSION[+INSTRUMENT…]] [OPTION…]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NamedSpec {
    /// The profile's name, lower case.
    pub name: String,
    /// The name of one of the profile's variants.
    pub variant: Option<String>,
    /// The version, as text: `latest` or one that begins with a digit, followed by its instruments in the order of [`Instrument`].
    pub version: Option<String>,
    /// Further options, appended to the command.
    pub options: Vec<String>,
}

/// `[PROFILE:]PATH [OPTION…]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathSpec {
    /// The profile that describes it; by default the one for its file name.
    pub profile: Option<String>,
    /// The program: a text that contains a `/`.
    pub path: String,
    /// Options, appended to the command.
    pub options: Vec<String>,
}

/// Why a text is not a valid specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The text is empty.
    #[error("no solver is named; write for example z3@4.8.7 or ./my-solver")]
    Empty,
    /// A quote is not closed.
    #[error("'{0}' has a quote that is never closed")]
    OpenQuote(String),
    /// A built-in that does not exist.
    #[error("there is no '{given}'; {}", suggestion(nearest))]
    UnknownBuiltin {
        /// The given text.
        given: String,
        /// The most similar existing one.
        nearest: String,
    },
    /// A part of the specification is malformed.
    #[error("'{text}' names no solver: {reason}")]
    Malformed {
        /// The given text.
        text: String,
        /// The error, and the remedy.
        reason: &'static str,
    },
}

fn suggestion(nearest: &str) -> String {
    format!("did you mean '{nearest}'?")
}

impl Builtin {
    const ALL: [(Builtin, &'static str); 4] = [
        (Builtin::Sat, "builtin:sat"),
        (Builtin::Unsat, "builtin:unsat"),
        (Builtin::Unknown, "builtin:unknown"),
        (Builtin::Error, "builtin:error"),
    ];

    fn name(self) -> &'static str {
        Builtin::ALL.iter().find(|(builtin, _)| *builtin == self).map_or("", |(_, name)| name)
    }
}

impl SolverSpec {
    /// Returns the name in reports, without options: `z3+z3str3@4.8.7`, `./my-solver`. It has no blanks.
    pub fn label(&self) -> String {
        match self {
            SolverSpec::Builtin(_) => self.to_string(),
            SolverSpec::Named(named) => NamedSpec { options: Vec::new(), ..named.clone() }.to_string(),
            // A program of the user's own is not an installed one, whatever its file and version are called.
            SolverSpec::Path(path) => path.program().replace(char::is_whitespace, "_"),
        }
    }

    /// Whether the profile's options are omitted.
    pub fn is_bare(&self) -> bool {
        self.options().iter().any(|option| option == BARE)
    }

    /// Returns the specification with the profile's options omitted.
    pub fn bare(mut self) -> SolverSpec {
        if !self.is_bare() {
            match &mut self {
                SolverSpec::Named(named) => named.options.insert(0, BARE.to_string()),
                SolverSpec::Path(path) => path.options.insert(0, BARE.to_string()),
                SolverSpec::Builtin(_) => {}
            }
        }
        self
    }

    /// Returns the specification with further options; a built-in takes none.
    pub fn with_options(mut self, options: &[String]) -> SolverSpec {
        match &mut self {
            SolverSpec::Named(named) => named.options.extend_from_slice(options),
            SolverSpec::Path(path) => path.options.extend_from_slice(options),
            SolverSpec::Builtin(_) => {}
        }
        self
    }

    /// Returns the specification without some of its options.
    pub fn without_options(mut self, options: &[String]) -> SolverSpec {
        match &mut self {
            SolverSpec::Named(named) => named.options.retain(|option| !options.contains(option)),
            SolverSpec::Path(path) => path.options.retain(|option| !options.contains(option)),
            SolverSpec::Builtin(_) => {}
        }
        self
    }

    /// Returns the user's options, including [`BARE`].
    pub fn options(&self) -> &[String] {
        match self {
            SolverSpec::Builtin(_) => &[],
            SolverSpec::Named(named) => &named.options,
            SolverSpec::Path(path) => &path.options,
        }
    }
}

impl FromStr for SolverSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<SolverSpec, SpecError> {
        let mut words = split_words(text)?.into_iter();
        let first = words.next().ok_or(SpecError::Empty)?;
        let options: Vec<String> = words.collect();
        if first.starts_with("builtin:") {
            return parse_builtin(&first, &options);
        }
        if first.contains('/') {
            return Ok(SolverSpec::Path(parse_path(&first, options)));
        }
        parse_named(&first, options).map(SolverSpec::Named)
    }
}

impl PathSpec {
    /// Returns the program as written, with its profile.
    fn program(&self) -> String {
        self.profile.as_ref().map_or_else(|| self.path.clone(), |profile| format!("{profile}:{}", self.path))
    }
}

/// A profile precedes a path only if the path's first character marks its beginning: a file name may contain a ':'.
fn parse_path(word: &str, options: Vec<String>) -> PathSpec {
    match word.split_once(':') {
        Some((profile, path)) if is_plain(profile) && path.starts_with(['.', '/', '~']) && path.contains('/') => {
            PathSpec { profile: Some(profile.to_ascii_lowercase()), path: path.to_string(), options }
        }
        _ => PathSpec { profile: None, path: word.to_string(), options },
    }
}

/// Whether a text may be a name or a version.
fn is_plain(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

fn parse_builtin(word: &str, options: &[String]) -> Result<SolverSpec, SpecError> {
    if !options.is_empty() {
        return Err(SpecError::Malformed { text: word.to_string(), reason: "a built-in takes no options" });
    }
    match Builtin::ALL.iter().find(|(_, name)| *name == word) {
        Some((builtin, _)) => Ok(SolverSpec::Builtin(*builtin)),
        None => Err(SpecError::UnknownBuiltin {
            given: word.to_string(),
            nearest: nearest(word, Builtin::ALL.iter().map(|(_, name)| *name)).unwrap_or("builtin:sat").to_string(),
        }),
    }
}

fn parse_named(word: &str, options: Vec<String>) -> Result<NamedSpec, SpecError> {
    let malformed = |reason| SpecError::Malformed { text: word.to_string(), reason };
    let (program, version) = match word.split_once('@') {
        Some((program, version)) => (program, Some(version)),
        None => (word, None),
    };
    let (name, variant) = match program.split_once('+') {
        Some((name, variant)) => (name, Some(variant)),
        None => (program, None),
    };
    if !is_plain(name) || name.starts_with('-') {
        return Err(malformed("a name holds letters, digits, '-', '_' and '.'; a path holds a '/', as in ./my-solver"));
    }
    if variant.is_some_and(|variant| !is_plain(variant)) {
        return Err(malformed("after '+' comes the name of a variant, as in z3+z3str3"));
    }
    let version = version.map(parse_version).transpose().map_err(malformed)?;
    Ok(NamedSpec { name: name.to_ascii_lowercase(), variant: variant.map(str::to_string), version, options })
}

/// The version becomes part of a folder's name and of a pip requirement: other characters must be rejected.
fn parse_version(text: &str) -> Result<String, &'static str> {
    let (number, words) = text.split_once('+').map_or((text, None), |(number, words)| (number, Some(words)));
    let is_number = is_plain(number) && number.starts_with(|c: char| c.is_ascii_digit());
    match words {
        None if is_number || number == "latest" => Ok(number.to_string()),
        Some(words) if is_number => {
            let known = Instrument::all_of(words);
            known.map(|known| format!("{number}{}", suffix(&known))).ok_or(
                "a version is followed by its instruments: '+assertions', '+asan', '+ubsan', '+coverage'; a variant comes before \
                 the '@', as in z3+z3str3@4.8.7",
            )
        }
        _ => Err("after '@' comes a version, as in z3@4.8.7, or 'latest'"),
    }
}

/// Returns the suffix of a version with these instruments: `+assertions+asan`.
pub fn suffix(instruments: &BTreeSet<Instrument>) -> String {
    instruments.iter().flat_map(|instrument| ["+", instrument.word()]).collect()
}

/// Splits at blanks; single and double quotes group, a backslash quotes the next character. No shell is involved: nothing else has a
/// special meaning.
fn split_words(text: &str) -> Result<Vec<String>, SpecError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().push(chars.next().unwrap_or('\\')),
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(SpecError::OpenQuote(text.to_string()));
    }
    words.extend(word);
    Ok(words)
}

fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    let special = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\');
    if !word.is_empty() && !word.contains(special) {
        return f.write_str(word);
    }
    let escaped = word.replace('\\', "\\\\").replace('"', "\\\"");
    write!(f, "\"{escaped}\"")
}

impl serde::Serialize for SolverSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverSpec::Builtin(builtin) => f.write_str(builtin.name()),
            SolverSpec::Named(named) => named.fmt(f),
            SolverSpec::Path(path) => {
                write_word(f, &path.program())?;
                write_options(f, &path.options)
            }
        }
    }
}

impl fmt::Display for NamedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(variant) = &self.variant {
            write!(f, "+{variant}")?;
        }
        if let Some(version) = &self.version {
            write!(f, "@{version}")?;
        }
        write_options(f, &self.options)
    }
}

fn write_options(f: &mut fmt::Formatter<'_>, options: &[String]) -> fmt::Result {
    options.iter().try_for_each(|option| {
        f.write_str(" ")?;
        write_word(f, option)
    })
}

/// Returns the candidate with the least edit distance (Levenshtein) to `given`, if it may be a typo: at most a third of the letters, and
/// at least one, may differ.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (given.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(given, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let replace = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
