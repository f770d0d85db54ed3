//! How a solver is compiled from the sources that a crate carries: the table `[build]` of a profile.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use finding::Instrument;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::version::Version;

/// The sources, the tools and the commands. In the words of commands `{source}`, `{build}` and `{jobs}` stand for the two folders
/// and the number of compilers at a time; the words `{cxx}` and `{flags}` for the compiler and all of its flags, several words each.
/// Commands also find these in the variables `CC`, `CXX`, `CFLAGS`, `CXXFLAGS` and `LDFLAGS`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BuildRecipe {
    /// The crate that carries the sources.
    #[serde(rename = "crate")]
    pub package: String,
    /// The solver's version, by the numbers of the crate's.
    #[serde(default)]
    pub version: VersionPattern,
    /// The folder of the sources in the crate; empty: all of it.
    #[serde(default)]
    pub source: String,
    /// Programs that the commands need. Each is also the name of a Python package that has it, for where it is missing.
    #[serde(default)]
    pub tools: Vec<String>,
    /// What the compiler must be able to do.
    #[serde(default)]
    pub compiler: CompilerNeeds,
    /// Changes of the sources, before anything is compiled.
    #[serde(default)]
    pub edit: Vec<SourceEdit>,
    /// The command that prepares the build folder; empty: none.
    #[serde(default)]
    pub configure: Vec<String>,
    /// Words behind those of `configure` that make it compile faster. Where it does not compile so, it is compiled without them.
    #[serde(default)]
    pub faster: Vec<String>,
    /// The command that compiles.
    pub compile: Vec<String>,
    /// The program's place in the build folder.
    pub program: String,
    /// What else must be on the machine, for the message of a build that failed.
    #[serde(default)]
    pub needs: String,
    /// What is added where no assertions are wanted.
    #[serde(default)]
    pub plain: Option<BuildPart>,
    /// What is added for assertions.
    pub assertions: Option<BuildPart>,
    /// What is added for AddressSanitizer.
    pub asan: Option<BuildPart>,
    /// What is added for UndefinedBehaviorSanitizer.
    pub ubsan: Option<BuildPart>,
    /// What is added for counters of executed lines.
    pub coverage: Option<BuildPart>,
}

/// What a compiler must be able to do, tried by compiling a small program.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CompilerNeeds {
    /// Its flags in the trial alone, such as `-std=c++20`.
    pub flags: Vec<String>,
    /// Headers that it must have.
    pub headers: Vec<String>,
    /// Compilers that have all this, for people.
    pub wanted: String,
}

/// A text of a source file that is replaced. It must stand there exactly once.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceEdit {
    /// The file, relative to the sources.
    pub file: String,
    /// The text.
    pub from: String,
    /// What is put in its place.
    pub to: String,
}

/// What one [`Instrument`] adds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct BuildPart {
    /// Flags of the compiler.
    pub flags: Vec<String>,
    /// Words behind those of [`BuildRecipe::configure`].
    pub configure: Vec<String>,
    /// Variables that the program runs with, as `NAME=VALUE`.
    pub environment: Vec<String>,
    /// Whether a memory limit is put on the program by watching it, since it reserves more than it uses.
    pub watch_memory: bool,
}

/// Where one build is made.
#[derive(Clone, Copy, Debug)]
pub struct BuildPlaces<'p> {
    /// The folder of the sources.
    pub source: &'p Path,
    /// The folder of what is made.
    pub build: &'p Path,
    /// How many compilers run at a time.
    pub jobs: usize,
}

impl BuildRecipe {
    /// What is added for each of the instruments, and where there are no assertions.
    ///
    /// # Errors
    /// The first instrument that the solver cannot be compiled with.
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

    /// What is added for an instrument; none if the solver cannot be compiled with it.
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

/// A command with its places filled in; `cxx` and `flags` stand for words of their own.
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

/// A solver's version made of the numbers of its crate's: `{1/100}.{1%100}.{2}` makes 5.3.3 of 503.3.0. Numbers that are missing
/// are zero. Without a pattern both are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionPattern(Vec<NumberPattern>);

/// One number: that of the crate's at `index`, counted from 0, divided by `divisor`; the quotient or the remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NumberPattern {
    index: usize,
    divisor: u64,
    is_remainder: bool,
}

impl VersionPattern {
    /// The solver's version for a version of the crate.
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
            Error::custom(format!("'{text}' is no pattern of a version: write numbers as in {{1}}.{{2/10}}.{{2%10}}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_version_tells_the_version_of_the_solver() {
        let check = |pattern: &str, version: &str, expect: Option<&str>| {
            let pattern = VersionPattern::parse(pattern);
            let found = pattern.map(|pattern| pattern.apply(&version.parse().unwrap()).to_string());
            assert_eq!(found.as_deref(), expect, "{version}");
        };
        check("{1/100}.{1%100}.{2}", "503.3.0", Some("5.3.3"));
        check("{1/100}.{1%100}.{2}", "416.0.1", Some("4.16.0"));
        check("{2}.{3}.{4}", "0.8", Some("8.0.0"));
        for bad in ["", "{0}", "{1/0}", "{1/2%3}", "{1}-{2}", "1.2", "{x}"] {
            check(bad, "1.2.3", None);
        }
        assert_eq!(VersionPattern::default().apply(&"0.8.0".parse().unwrap()).to_string(), "0.8.0");
    }

    #[test]
    fn places_are_filled_in() {
        let places = BuildPlaces { source: Path::new("/s"), build: Path::new("/b c"), jobs: 3 };
        let words = ["{cxx}", "{flags}", "-o", "{build}/x{jobs}", "{source}/a.cpp", "{other}"].map(String::from);
        let (cxx, flags) = (["c++", "-stdlib=libc++"].map(OsString::from), ["-O1", "-g"].map(OsString::from));
        let found = filled(&words, &places, &cxx, &flags);
        assert_eq!(found, ["c++", "-stdlib=libc++", "-O1", "-g", "-o", "/b c/x3", "/s/a.cpp", "{other}"]);
    }
}
