//! A solver's name in reports, taken apart.

use crate::instrument::Instrument;
use std::cmp::Ordering;

/// The parts of a label: of a known solver `z3+z3str3@4.8.7`, with variant and version in either order, or of a program named by its
/// path `./build/z3@4.8.7`. The second is a build of the user's own, whatever its version says, and so is a known solver that was
/// compiled with more than its release, as in `z3@5.3.3+assertions`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverLabel<'l> {
    /// The solver's name, or the program's path.
    pub name: &'l str,
    /// The version.
    pub version: Option<&'l str>,
    /// The named variant.
    pub variant: Option<&'l str>,
    /// What it was compiled with that its release lacks, by the words of [`Instrument`]: `assertions+asan`.
    pub instruments: Option<&'l str>,
}

impl<'l> SolverLabel<'l> {
    /// Takes a label apart.
    pub fn of(label: &'l str) -> SolverLabel<'l> {
        // A path may hold any character; only what comes after its last part's '@' is a version.
        if let Some(slash) = label.rfind('/') {
            let at = label[slash..].rfind('@').map(|at| slash + at);
            let (name, version) = at.map_or((label, None), |at| (&label[..at], Some(&label[at + 1..])));
            return SolverLabel { name, version, variant: None, instruments: None };
        }
        // Behind a version there is a variant or what it was compiled with: no variant has such a name.
        let behind = label.split_once('@').and_then(|(_, version)| version.split_once('+'));
        let instruments = behind.map(|(_, words)| words).filter(|words| Instrument::all_of(words).is_some());
        let label = instruments.map_or(label, |words| &label[..label.len() - words.len() - 1]);
        let name = label.split(['@', '+']).next().unwrap_or(label);
        let after = |mark: char| {
            let (_, rest) = label.split_once(mark)?;
            rest.split(['@', '+']).next().filter(|part| !part.is_empty())
        };
        SolverLabel { name, version: after('@'), variant: after('+'), instruments }
    }

    /// The order in which labels are listed: by name, then from the oldest version to the newest. `z3@4.8.5` comes before `z3@4.15.4`.
    pub fn order(a: &str, b: &str) -> Ordering {
        fn key(label: &str) -> (&str, Vec<u64>) {
            let parts = SolverLabel::of(label);
            let version = parts.version.unwrap_or_default();
            let numbers = version.split(|c: char| !c.is_ascii_digit()).map_while(|digits| digits.parse::<u64>().ok());
            (parts.name, numbers.collect())
        }
        key(a).cmp(&key(b)).then_with(|| a.cmp(b))
    }

    /// Whether it is no release: a program that was named by its path, or one compiled with more than a release has.
    pub fn is_own_build(&self) -> bool {
        self.is_path() || self.instruments.is_some()
    }

    /// Whether it is a program that was named by its path.
    pub fn is_path(&self) -> bool {
        self.name.contains('/')
    }

    /// The name of the program's file, or of the solver.
    pub fn file_name(&self) -> &'l str {
        self.name.rsplit('/').next().unwrap_or(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::SolverLabel;

    #[test]
    fn labels_are_taken_apart() {
        let check = |label: &str, name: &str, version: Option<&str>, variant: Option<&str>, file: &str| {
            let parts = SolverLabel::of(label);
            assert_eq!(parts, SolverLabel { name, version, variant, instruments: None }, "{label}");
            assert_eq!(parts.file_name(), file, "{label}");
            assert_eq!(parts.is_own_build(), name != file, "{label}");
            assert_eq!(parts.is_path(), name != file, "{label}");
        };
        check("z3", "z3", None, None, "z3");
        check("z3@4.8.7", "z3", Some("4.8.7"), None, "z3");
        check("z3+z3str3@4.8.7", "z3", Some("4.8.7"), Some("z3str3"), "z3");
        check("z3@4.8.7+z3str3", "z3", Some("4.8.7"), Some("z3str3"), "z3");
        check("./build/z3", "./build/z3", None, None, "z3");
        check("./build/z3@4.8.7", "./build/z3", Some("4.8.7"), None, "z3");
        check("/a/z3@4.15.4/c++/z3@4.15.4", "/a/z3@4.15.4/c++/z3", Some("4.15.4"), None, "z3");
        check("/a/z3@4.15.4/z3", "/a/z3@4.15.4/z3", None, None, "z3");
        check("", "", None, None, "");
    }

    #[test]
    fn labels_are_listed_from_the_oldest_version_on() {
        let expect = ["cvc5", "cvc5@1.4.2", "z3@4.8.5", "z3@4.8.7", "z3@4.8.7 a=1", "z3@4.15.4", "z3@5.4.1+asan"];
        let mut labels = expect;
        labels.sort();
        assert_ne!(labels, expect);
        labels.sort_by(|a, b| SolverLabel::order(a, b));
        assert_eq!(labels, expect);
    }

    #[test]
    fn what_a_solver_was_compiled_with_makes_it_a_build_of_its_own() {
        let check = |label: &str, version: &str, variant: Option<&str>, instruments: Option<&str>| {
            let parts = SolverLabel::of(label);
            assert_eq!(parts, SolverLabel { name: "z3", version: Some(version), variant, instruments }, "{label}");
            assert_eq!(parts.is_own_build(), instruments.is_some(), "{label}");
            assert!(!parts.is_path(), "{label}");
        };
        check("z3@5.3.3+assertions", "5.3.3", None, Some("assertions"));
        check("z3@5.3.3+assertions+asan", "5.3.3", None, Some("assertions+asan"));
        check("z3+seq@5.3.3+coverage", "5.3.3", Some("seq"), Some("coverage"));
        check("z3@5.3.3+seq", "5.3.3", Some("seq"), None);
        check("z3@5.3.3+asan+seq", "5.3.3", Some("asan"), None);
    }
}
