//! A solver's name in reports, taken apart.

/// The parts of a label: of a known solver `z3+z3str3@4.8.7`, with variant and version in either order, or of a program named by its
/// path `./build/z3@4.8.7`. The second is a build of the user's own, whatever its version says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverLabel<'l> {
    /// The solver's name, or the program's path.
    pub name: &'l str,
    /// The version.
    pub version: Option<&'l str>,
    /// The named variant.
    pub variant: Option<&'l str>,
}

impl<'l> SolverLabel<'l> {
    /// Takes a label apart.
    pub fn of(label: &'l str) -> SolverLabel<'l> {
        // A path may hold any character; only what comes after its last part's '@' is a version.
        if let Some(slash) = label.rfind('/') {
            let at = label[slash..].rfind('@').map(|at| slash + at);
            let (name, version) = at.map_or((label, None), |at| (&label[..at], Some(&label[at + 1..])));
            return SolverLabel { name, version, variant: None };
        }
        let name = label.split(['@', '+']).next().unwrap_or(label);
        let after = |mark: char| {
            let (_, rest) = label.split_once(mark)?;
            rest.split(['@', '+']).next().filter(|part| !part.is_empty())
        };
        SolverLabel { name, version: after('@'), variant: after('+') }
    }

    /// Whether it is a program that was named by its path.
    pub fn is_own_build(&self) -> bool {
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
            assert_eq!(parts, SolverLabel { name, version, variant }, "{label}");
            assert_eq!(parts.file_name(), file, "{label}");
            assert_eq!(parts.is_own_build(), name != file, "{label}");
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
}
