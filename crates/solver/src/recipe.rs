//! How a solver is compiled from the sources that a crate carries: the table `[build]` of a profile.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use finding::Instrument;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::version::Version;

/// The sources, the tools and the commands. In the words of commands `{source}`, `{build}` and `{jobs}` stand for the two folders and the
/// number of parallel compilers; the words `{cxx}` and `{flags}` for the compiler and all of its flags, several words each. Commands also
/// find these in the variables `CC`, `CXX`, `CFLAGS`, `CXXFLAGS` and `LDFLAGS`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BuildRecipe {
    /// The crate that contains the sources.
    #[serde(rename = "crate")]
    pub package: String,
    /// The solver's version, computed from the crate's.
    #[serde(default)]
    pub version: VersionPattern,
    /// The folder of the sources in the crate; if empty, all of it.
    #[serde(default)]
    pub source: String,
    /// Programs that the commands need. If one is missing, the Python package of the same name is installed.
    #[serde(default)]
    pub tools: Vec<String>,
    /// The requirements for the compiler.
    #[serde(default)]
    pub compiler: CompilerNeeds,
    /// Changes of the sources before the compilation.
    #[serde(default)]
    pub edit: Vec<SourceEdit>,
    /// The command that prepares the build folder; empty for none.
    #[serde(default)]
    pub configure: Vec<String>,
    /// Words appended to `configure` for a faster compilation. If that fails, it is compiled without them.
    #[serde(default)]
    pub faster: Vec<String>,
    /// The command that compiles.
    pub compile: Vec<String>,
    /// The program's path in the build folder.
    pub program: String,
    /// Further requirements of the machine, for the message of a failed build.
    #[serde(default)]
    pub needs: String,
    /// Additions for a build without assertions.
    #[serde(default)]
    pub plain: Option<BuildPart>,
    /// Additions for assertions.
    pub assertions: Option<BuildPart>,
    /// Additions for AddressSanitizer.
    pub asan: Option<BuildPart>,
    /// Additions for UndefinedBehaviorSanitizer.
    pub ubsan: Option<BuildPart>,
    /// Additions for line counters.
    pub coverage: Option<BuildPart>,
}

/// The requirements for a compiler, tested by compiling a small program.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CompilerNeeds {
    /// Its flags in the test only, such as `-std=c++20`.
    pub flags: Vec<String>,
    /// Headers that it must have.
    pub headers: Vec<String>,
    /// Suitable compilers, for display.
    pub wanted: String,
}

/// A text of a source file to replace. It must occur exactly once.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceEdit {
    /// The file, relative to the sources.
    pub file: String,
    /// The text.
    pub from: String,
    /// The replacement.
    pub to: String,
}

/// The additions of one [`Instrument`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BuildPart {
    /// Flags of the compiler.
    pub flags: Vec<String>,
    /// Words appended to [`BuildRecipe::configure`].
    pub configure: Vec<String>,
    /// Environment variables of the program, as `NAME=VALUE`.
    pub environment: Vec<String>,
    /// Whether a memory limit is enforced by watching the program, because it reserves more than it uses.
    pub watch_memory: bool,
}

/// The folders of one build.
#[derive(Clone, Copy, Debug)]
pub struct BuildPlaces<'p> {
    /// The folder of the sources.
    pub source: &'p Path,
    /// The folder of the build results.
    pub build: &'p Path,
    /// The number of parallel compilers.
    pub jobs: usize,
}

impl BuildRecipe {
    /// Returns the additions of the instruments, or of a build without assertions.
    /// Errors: the first unsupported instrument.
    pub fn parts(&self, instruments: &BTreeSet<Instrument>) -> Result<Vec<&BuildPart>, Instrument> {
        let mut parts = Vec::new();
        if !instruments.contains(&Instrument::Assertions) {
            parts.extend(&self.plain);
        }
        for &instrument in instruments {
            parts.push(self.part(instrument).ok_or(instrument)?);
        }
        Ok(parts)
    }

    /// Returns the additions of an instrument; `None` if it is unsupported.
    pub fn part(&self, instrument: Instrument) -> Option<&BuildPart> {
        match instrument {
            Instrument::Assertions => self.assertions.as_ref(),
            Instrument::Address => self.asan.as_ref(),
            Instrument::Undefined => self.ubsan.as_ref(),
            Instrument::Coverage => self.coverage.as_ref(),
        }
    }

    /// Whether a program compiled with these reserves more memory than it uses.
    pub fn watches_memory(&self, instruments: &BTreeSet<Instrument>) -> bool {
        instruments.iter().filter_map(|instrument| self.part(*instrument)).any(|part| part.watch_memory)
    }
}

/// Substitutes the placeholders in a command; `cxx` and `flags` expand to several words.
pub fn filled(words: &[String], places: &BuildPlaces<'_>, cxx: &[OsString], flags: &[OsString]) -> Vec<OsString> {
    let mut command = Vec::new();
    for word in words {
        match word.as_str() {
            "{cxx}" => command.extend_from_slice(cxx),
            "{flags}" => command.extend_from_slice(flags),
            word => {
                let word = word.replace("{source}", &places.source.to_string_lossy());
                let word = word.replace("{build}", &places.build.to_string_lossy());
                command.push(OsString::from(word.replace("{jobs}", &places.jobs.to_string())));
            }
        }
    }
    command
}

/// A solver's version computed from the numbers of its crate's: `{1/100}.{1%100}.{2}` turns 503.3.0 into 5.3.3. Missing numbers are zero.
/// Without a pattern both are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionPattern(Vec<NumberPattern>);

/// One number: the crate's number at `index`, from 0, divided by `divisor`; the quotient or the remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NumberPattern {
    index: usize,
    divisor: u64,
    is_remainder: bool,
}

impl VersionPattern {
    /// Returns the solver's version for a version of the crate.
    pub fn apply(&self, version: &Version) -> Version {
        if self.0.is_empty() {
            return version.without_package_suffix();
        }
        let number = |pattern: &NumberPattern| {
            let number = version.numbers().get(pattern.index).copied().unwrap_or(0);
            if pattern.is_remainder { number % pattern.divisor } else { number / pattern.divisor }
        };
        Version::of(&self.0.iter().map(number).collect::<Vec<_>>())
    }

    fn parse(text: &str) -> Option<VersionPattern> {
        let number = |part: &str| {
            let inner = part.strip_prefix('{')?.strip_suffix('}')?;
            let (index, divisor, is_remainder) = match (inner.split_once('/'), inner.split_once('%')) {
                (Some((index, divisor)), None) => (index, divisor, false),
                (None, Some((index, divisor))) => (index, divisor, true),
                (None, None) => (inner, "1", false),
                (Some(_), Some(_)) => return None,
            };
            let index = index.parse::<usize>().ok()?.checked_sub(1)?;
            let divisor = divisor.parse().ok().filter(|divisor| *divisor > 0)?;
            Some(NumberPattern { index, divisor, is_remainder })
        };
        text.split('.').map(number).collect::<Option<_>>().map(VersionPattern)
    }
}

impl<'de> Deserialize<'de> for VersionPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<VersionPattern, D::Error> {
        let text = String::deserialize(deserializer)?;
        VersionPattern::parse(&text).ok_or_else(|| {
            Error::custom(format!("'{text}' is not a version pattern: write numbers as in {{1}}.{{2/10}}.{{2%10}}"))
        })
    }
}

#[cfg(test)]
#[path = "../tests/unit/recipe.rs"]
mod tests;
