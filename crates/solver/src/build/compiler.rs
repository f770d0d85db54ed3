//! Finds the C++ compiler that a solver's sources need, by trying those on the machine.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::build::error::SourceBuildError;
use crate::process::{self, ProcessJob, ProcessLimits, RunStatus};
use crate::recipe::BuildRecipe;
use crate::sources::path::SearchPath;

/// The time limit of one trial.
const TRIAL_WALL: Duration = Duration::from_secs(60);
/// Versions of compilers tried by number, newest first.
const NUMBERS: std::ops::RangeInclusive<u32> = 9..=39;
/// The standard library of LLVM, which clang may have in addition to that of gcc.
const LIBCXX: &str = "-stdlib=libc++";
/// The names of C compilers for those of C++ compilers.
const C_NAMES: [(&str, &str); 3] = [("clang++", "clang"), ("g++", "gcc"), ("c++", "cc")];

/// A compiler that passed its trial.
#[derive(Clone, Debug)]
pub(crate) struct CxxCompiler {
    /// The program, and arguments that it always gets.
    words: Vec<OsString>,
    c: Option<PathBuf>,
}

impl CxxCompiler {
    /// Returns the first compiler that compiles and links a program with all that the recipe needs and with `flags`: the one named by
    /// `CXX`, which is then the only one tried, else the machine's own and those with a number in their names.
    /// Errors: none does.
    pub(crate) fn find(
        path: &SearchPath,
        recipe: &BuildRecipe,
        flags: &[OsString],
        scratch: &Path,
        name: &str,
    ) -> Result<CxxCompiler, SourceBuildError> {
        let mut tried = Vec::new();
        for words in candidates(path, std::env::var("CXX").ok().as_deref()) {
            match trial(&words, recipe, flags, scratch)? {
                None => {
                    let c = c_compiler(path, &words[0]);
                    return Ok(CxxCompiler { words, c });
                }
                Some(said) => tried.push(format!("{}: {said}", text(&words))),
            }
        }
        let wanted = match recipe.compiler.wanted.as_str() {
            "" => "g++ or clang".to_string(),
            wanted => wanted.to_string(),
        };
        Err(SourceBuildError::NoCompiler { name: name.to_string(), tried: tried.join("; "), wanted })
    }

    /// Returns the command, to which flags are added.
    pub(crate) fn command(&self) -> &[OsString] {
        &self.words
    }

    /// Returns the matching C compiler, if there is one.
    pub(crate) fn c(&self) -> Option<&Path> {
        self.c.as_deref()
    }

    /// Returns the command as text.
    pub(crate) fn text(&self) -> String {
        text(&self.words)
    }
}

/// Returns the compilers to try, in order.
fn candidates(path: &SearchPath, named: Option<&str>) -> Vec<Vec<OsString>> {
    if let Some(named) = named.filter(|named| !named.trim().is_empty()) {
        let mut words: Vec<OsString> = named.split_whitespace().map(OsString::from).collect();
        if let Some(program) = words[0].to_str().and_then(|name| path.program(name)) {
            words[0] = program.into_os_string();
        }
        return vec![words];
    }
    let numbered = |name: &'static str| NUMBERS.rev().map(move |number| format!("{name}-{number}"));
    let plain = ["c++", "g++", "clang++"].map(str::to_string);
    let names = plain.into_iter().chain(numbered("g++")).chain(numbered("clang++"));
    let mut list = Vec::new();
    for name in names {
        let Some(program) = path.program(&name) else { continue };
        list.push(vec![program.clone().into_os_string()]);
        if name.starts_with("clang") {
            list.push(vec![program.into_os_string(), LIBCXX.into()]);
        }
    }
    list
}

/// Returns what is wrong with a compiler; `None` if it is suitable.
fn trial(
    words: &[OsString],
    recipe: &BuildRecipe,
    flags: &[OsString],
    scratch: &Path,
) -> Result<Option<String>, SourceBuildError> {
    let (source, program) = (scratch.join("trial.cpp"), scratch.join("trial"));
    let headers: String = recipe.compiler.headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    std::fs::write(&source, format!("{headers}int main() {{ return 0; }}\n"))
        .map_err(SourceBuildError::file("write", &source))?;
    let mut command = words.to_vec();
    command.extend(recipe.compiler.flags.iter().map(OsString::from));
    command.extend_from_slice(flags);
    command.extend([source.as_os_str(), OsStr::new("-o"), program.as_os_str()].map(OsStr::to_os_string));
    let limits = ProcessLimits { wall: TRIAL_WALL, memory_bytes: None, ..ProcessLimits::default() };
    let run = match process::run(&ProcessJob::new(&command, b"", &limits)) {
        Ok(run) if run.status == RunStatus::Exited(0) => return Ok(None),
        Ok(run) => run,
        Err(error) => return Ok(Some(error.to_string())),
    };
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().find_map(|line| line.split_once("error: ").map(|(_, what)| what));
    Ok(Some(first.or_else(|| lines.next_back()).unwrap_or("it fails").to_string()))
}

/// Returns the C compiler that matches a C++ compiler, by its name.
fn c_compiler(path: &SearchPath, program: &OsStr) -> Option<PathBuf> {
    let program = Path::new(program);
    let name = program.file_name()?.to_str()?;
    let (from, to) = C_NAMES.into_iter().find(|(from, _)| name.contains(from))?;
    path.program(&name.replacen(from, to, 1))
}

fn text(words: &[OsString]) -> String {
    let name = |word: &OsString| Path::new(word).file_name().unwrap_or(word).to_string_lossy().into_owned();
    words.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "../../tests/unit/compiler.rs"]
mod tests;
