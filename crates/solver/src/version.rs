//! Solver versions and ranges of versions, compared by their leading numbers.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use finding::Instrument;

/// A version such as `4.8.7`, `2.6.5.post24` or `1.0.3-prerelease`.
///
/// Versions are compared by their leading dotted numbers, missing ones counting as zero, so `4.8.7` equals `4.8.7.0`; the rest (`post24`)
/// is ignored. The text is kept as written.
#[derive(Clone, Debug)]
pub struct Version {
    numbers: Vec<u64>,
    text: String,
}

impl Version {
    /// Finds the first dotted number in `text` at or after the first occurrence of `prefix` (anywhere, if it is empty), as programs print
    /// it for `--version`.
    pub fn find(text: &str, prefix: &str) -> Option<Version> {
        let rest = &text[text.find(prefix)? + prefix.len()..];
        let mut words = rest.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '[' | ']'));
        words.find_map(|word| {
            let word = word.trim_start_matches(|c: char| !c.is_ascii_digit());
            // A program may print anything; the version ends at the first other character.
            let word = &word[..word.find(|c| !belongs(c)).unwrap_or(word.len())];
            let version: Version = word.parse().ok()?;
            (word.contains('.') || !prefix.is_empty()).then_some(version)
        })
    }

    /// Removes what a package index adds: `.postN` and trailing zeros beyond the third number. `4.8.7.0` becomes `4.8.7`, `2.6.5.post24`
    /// becomes `2.6.5`, `4.4.2.1` stays. Instruments stay, too.
    pub fn without_package_suffix(&self) -> Version {
        let mut numbers = self.numbers.clone();
        while numbers.len() < 3 {
            numbers.push(0);
        }
        let mut text = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(".");
        if let Some(words) = self.instruments() {
            text.push('+');
            text.push_str(words);
        }
        Version { numbers: self.numbers.clone(), text }
    }

    /// Makes a version from numbers.
    pub(crate) fn of(numbers: &[u64]) -> Version {
        let text = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(".");
        let significant = numbers.iter().rposition(|number| *number != 0).map_or(1, |last| last + 1);
        Version { numbers: numbers.iter().copied().take(significant).collect(), text }
    }

    /// Returns the version with only the first `count` numbers.
    pub fn of_numbers(&self, count: usize) -> Version {
        let numbers: Vec<u64> = self.numbers.iter().copied().take(count.max(1)).collect();
        let text = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(".");
        Version { numbers, text }
    }

    /// Returns the release of this version, without instruments.
    pub fn release(&self) -> Version {
        let short = self.without_package_suffix();
        let text = short.text.split('+').next().unwrap_or_default().to_string();
        Version { text, ..short }
    }

    /// Returns its instruments beyond its release, by the names of [`Instrument`]: `assertions` for `5.3.3+assertions`. `None` for a
    /// release.
    pub fn instruments(&self) -> Option<&str> {
        let (_, words) = self.text.split_once('+')?;
        Instrument::all_of(words).map(|_| words)
    }

    /// Returns the leading dotted numbers, without trailing zeros.
    pub(crate) fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// Returns the version as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Why a text is not a version or version range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// A version begins with a number below 2^64.
    #[error("'{0}' is not a version: it must begin with a number, as 4.8.7 does")]
    NoNumber(String),
    /// Versions name folders and are shown on terminals.
    #[error("'{0}' is not a version: it may contain only letters, digits, '.', '-', '_', '+' and '~'")]
    Character(String),
    /// A range is `*` or a list such as `>=4.8,<5`.
    #[error("'{0}' is not a version range: write '*' or comparisons as in '>=4.8,<5'")]
    NoRange(String),
}

/// Whether a character is allowed in a version.
fn belongs(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '~')
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Version, VersionError> {
        if !text.chars().all(belongs) {
            return Err(VersionError::Character(text.to_string()));
        }
        let mut numbers = Vec::new();
        for part in text.split('.') {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            match part[..digits].parse::<u64>() {
                Ok(number) => numbers.push(number),
                Err(_) => break,
            }
            if digits < part.len() {
                break;
            }
        }
        if numbers.is_empty() {
            return Err(VersionError::NoNumber(text.to_string()));
        }
        // Trailing zeros are dropped here, so comparing two versions compares two slices.
        while numbers.len() > 1 && numbers.last() == Some(&0) {
            numbers.pop();
        }
        Ok(Version { numbers, text: text.to_string() })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.numbers == other.numbers
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        self.numbers.cmp(&other.numbers)
    }
}

/// Returns the version that was probably meant by one that does not exist: among those with one character more or fewer, or with two
/// neighbours exchanged, the one with the longest common prefix. A different digit is not a typo: 4.8.6 and 4.8.7 are equally plausible.
pub fn meant<'a>(given: &str, versions: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let alike = |version: &str| given.bytes().zip(version.bytes()).take_while(|(g, v)| g == v).count();
    versions.filter(|version| is_slip(given.as_bytes(), version.as_bytes())).max_by_key(|version| alike(version))
}

fn is_slip(given: &[u8], meant: &[u8]) -> bool {
    let (long, short) = if given.len() > meant.len() { (given, meant) } else { (meant, given) };
    let one_more = |at: usize| long[..at] == short[..at] && long[at + 1..] == short[at..];
    let swapped = |at: usize| {
        let mut other = given.to_vec();
        other.swap(at, at + 1);
        other == meant && given != meant
    };
    match long.len() - short.len() {
        0 => (0..given.len().saturating_sub(1)).any(swapped),
        1 => (0..long.len()).any(one_more),
        _ => false,
    }
}

/// A conjunction of comparisons, such as `>=4.8,<5`; `*` includes every version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionRange {
    bounds: Vec<(VersionComparison, Version)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VersionComparison {
    Less,
    LessOrEqual,
    Equal,
    GreaterOrEqual,
    Greater,
}

impl VersionRange {
    /// Whether `version` is in the range. An unknown version (`None`) is only in `*`: claims about some versions do not extend to a
    /// program of unknown version.
    pub fn contains(&self, version: Option<&Version>) -> bool {
        let Some(version) = version else { return self.bounds.is_empty() };
        self.bounds.iter().all(|(comparison, bound)| {
            let order = version.cmp(bound);
            match comparison {
                VersionComparison::Less => order.is_lt(),
                VersionComparison::LessOrEqual => order.is_le(),
                VersionComparison::Equal => order.is_eq(),
                VersionComparison::GreaterOrEqual => order.is_ge(),
                VersionComparison::Greater => order.is_gt(),
            }
        })
    }
}

impl FromStr for VersionRange {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<VersionRange, VersionError> {
        let mut bounds = Vec::new();
        if text.trim() == "*" {
            return Ok(VersionRange { bounds });
        }
        for part in text.split(',') {
            let part = part.trim();
            let (comparison, rest) = [
                (VersionComparison::LessOrEqual, "<="),
                (VersionComparison::GreaterOrEqual, ">="),
                (VersionComparison::Equal, "="),
                (VersionComparison::Less, "<"),
                (VersionComparison::Greater, ">"),
            ]
            .into_iter()
            .find_map(|(comparison, sign)| Some((comparison, part.strip_prefix(sign)?)))
            .ok_or_else(|| VersionError::NoRange(text.to_string()))?;
            let bound = rest.trim().parse().map_err(|_| VersionError::NoRange(text.to_string()))?;
            bounds.push((comparison, bound));
        }
        Ok(VersionRange { bounds })
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bounds.is_empty() {
            return f.write_str("*");
        }
        for (n, (comparison, version)) in self.bounds.iter().enumerate() {
            let sign = match comparison {
                VersionComparison::Less => "<",
                VersionComparison::LessOrEqual => "<=",
                VersionComparison::Equal => "=",
                VersionComparison::GreaterOrEqual => ">=",
                VersionComparison::Greater => ">",
            };
            write!(f, "{}{sign}{version}", if n > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl<'de> serde::Deserialize<'de> for VersionRange {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<VersionRange, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
