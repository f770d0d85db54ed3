//! A build with clang's source coverage, whose profiles `llvm-profdata` and `llvm-cov` read.

use super::CoverageSet;
use super::error::CoverageError;
use super::items::CoverageItems;
use super::lcov;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Version suffixes of tool names, newest first.
const VERSIONS: std::ops::RangeInclusive<u32> = 12..=40;

/// A build with clang's source coverage.
pub(super) struct LlvmBuild {
    program: PathBuf,
    profdata: Vec<PathBuf>,
    cov: Vec<PathBuf>,
    pub(super) items: CoverageItems,
}

impl LlvmBuild {
    /// Finds the tools.
    pub(super) fn open(program: PathBuf) -> Result<LlvmBuild, CoverageError> {
        let tool = |name: &'static str| match tools(name) {
            found if found.is_empty() => Err(CoverageError::NoTool(name)),
            found => Ok(found),
        };
        let (profdata, cov) = (tool("llvm-profdata")?, tool("llvm-cov")?);
        Ok(LlvmBuild { program, profdata, cov, items: CoverageItems::default() })
    }

    /// Returns the variables that make the program add its counters to files in a folder.
    pub(super) fn variables(folder: &Path) -> Vec<(String, String)> {
        // Four files, so that processes seldom wait for each other.
        vec![("LLVM_PROFILE_FILE".to_string(), folder.join("%4m.profraw").display().to_string())]
    }

    /// Reads the profiles in a folder; `None` without any.
    pub(super) fn read(&mut self, folder: &Path) -> Result<Option<CoverageSet>, CoverageError> {
        let entries = fs::read_dir(folder).map_err(CoverageError::file("read", folder))?.flatten();
        let raw: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "profraw"))
            .collect();
        if raw.is_empty() {
            return Ok(None);
        }
        let merged = folder.join("merged.profdata");
        first_that_reads("llvm-profdata", &mut self.profdata, |command| {
            command.args(["merge", "--sparse", "-o"]).arg(&merged).args(&raw);
        })?;
        let program = &self.program;
        let output = first_that_reads("llvm-cov", &mut self.cov, |command| {
            command.arg("export").arg(program).arg("--instr-profile").arg(&merged).arg("--format=lcov");
        })?;
        // Functions whose counters do not match are left out, with a warning.
        if String::from_utf8_lossy(&output.stderr).contains("mismatched data") {
            return Err(CoverageError::OtherBuild { data: merged, notes: self.program.clone() });
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let set = lcov::read(&text, &mut self.items).map_err(|cause| CoverageError::damaged(&merged, cause))?;
        Ok(Some(set))
    }
}

/// Returns the tools of a name on `PATH`: the one without a version, then the newest first.
fn tools(name: &str) -> Vec<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .filter(|folder| folder.is_absolute())
        .collect();
    let names = std::iter::once(name.to_string()).chain(VERSIONS.rev().map(|version| format!("{name}-{version}")));
    let found = |name: String| folders.iter().map(move |folder| folder.join(&name)).find(|path| path.is_file());
    names.filter_map(found).collect()
}

/// Returns the output of the first tool that succeeds, and uses it from then on: only the tool knows whether it can read a profile.
fn first_that_reads(
    tool: &'static str,
    tools: &mut [PathBuf],
    arguments: impl Fn(&mut Command),
) -> Result<Output, CoverageError> {
    let mut last = None;
    for at in 0..tools.len() {
        let mut command = Command::new(&tools[at]);
        arguments(&mut command);
        let output = command.output().map_err(CoverageError::file("start", &tools[at]))?;
        if output.status.success() {
            tools.swap(0, at);
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        last = Some((tools[at].display().to_string(), said.lines().last().unwrap_or("nothing").to_string()));
    }
    let (name, said) = last.unwrap_or_default();
    Err(CoverageError::Tool { tool, name, said })
}
