//! What the tests of all crates share: what they need of the machine, how much they do, and programs they write.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

/// What `.ci/run` installs where it can, and `SQUALL_REQUIRE=1` stands for.
const INSTALLED: &str = "z3@4.15.4,cvc5-gpl@1.4.2,python-flint,cvc5,cvc4,boolector,nats-server";

/// What was found of a tool that a test needs. Without it a line says that something is skipped.
///
/// # Panics
/// It is missing although `SQUALL_REQUIRE` names it: a list of names with commas between them, or `1` for all that `.ci/run`
/// installs. `z3@4.15.4` in the list stands for `z3` of any version, too.
pub fn require<T>(tool: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        let list = std::env::var("SQUALL_REQUIRE").unwrap_or_default();
        assert!(!is_required(tool, &list), "there is no {tool}, which SQUALL_REQUIRE={list} asks for");
        println!("skipped: there is no {tool}");
    }
    found
}

fn is_required(tool: &str, list: &str) -> bool {
    let list = if list == "1" { INSTALLED } else { list };
    list.split(',').map(str::trim).any(|one| one == tool || one.split_once('@').is_some_and(|(name, _)| name == tool))
}

/// Returns the folder of shared data, which `SQUALL_SHARED` names, if it has this part. It belongs to no repository, and is never
/// required.
pub fn shared(part: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SQUALL_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let found = folder.join(part).exists().then_some(folder);
    if found.is_none() {
        println!("skipped: no shared data");
    }
    found
}

/// How much a test is to do: the number in an environment variable, or this.
pub fn amount<T: FromStr>(variable: &str, default: T) -> T {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Writes a program that can be run at once, and gives its path.
///
/// Another process writes it: one that we write ourselves is also open in a child that another test is just starting, and as
/// long as it is open for writing the system refuses to run it.
///
/// # Panics
/// It cannot be written.
pub fn executable(path: &Path, text: &str) -> String {
    let mut shell = Command::new("sh");
    let made = shell.args(["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", text]).arg(path).status();
    assert!(made.is_ok_and(|status| status.success()), "{} cannot be written", path.display());
    path.display().to_string()
}

/// Checks that a page holds what a table of the program says of it, between `<!-- made of X -->` and `<!-- end -->`. With `SQUALL_BLESS` set
/// the page gets it.
pub fn check_made_part(page: &Path, of: &str, made: &str) {
    let text = std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let (begin, end) = (format!("<!-- made of {of} -->\n"), "<!-- end -->");
    let (before, rest) = text.split_once(&begin).expect("where the part begins");
    let (_, after) = rest.split_once(end).expect("where the part ends");
    let renewed = format!("{before}{begin}{made}{end}{after}");
    if std::env::var_os("SQUALL_BLESS").is_some() {
        std::fs::write(page, renewed).expect("the page is written");
    } else {
        assert!(text == renewed, "{} has another part; SQUALL_BLESS=1 writes this one:\n{made}", page.display());
    }
}

#[cfg(test)]
#[path = "../tests/unit/lib.rs"]
mod tests;
