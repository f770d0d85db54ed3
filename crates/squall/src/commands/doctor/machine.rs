//! The facts for `squall doctor` about the machine: solvers, Python, folders, limits, the terminal.

use crate::commands::fuzz::is_fit;
use crate::render::progress::ProgressLine;
use ::solver::cache::SolverCache;
use ::solver::doctor::{Check, ClaimVerdict, smoke};
use ::solver::install::{Fleet, InstalledSolver, Integrity};
use ::solver::process::processors;
use ::solver::sources::path::SearchPath;
use ::solver::sources::python::Python;
use rustix::process::{Resource, getrlimit};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// All facts of a report.
pub struct MachineFacts {
    /// The solvers found, or why the search failed.
    pub solvers: Result<Vec<TriedSolver>, String>,
    /// The versions of Python and pip, or which of them is missing.
    pub pip: Result<String, String>,
    /// The folder of installed solvers, or why there is none.
    pub cache: Result<UsableFolder, String>,
    /// The current folder.
    pub work: Result<UsableFolder, String>,
    /// The limits of processes.
    pub limits: MachineLimits,
    /// The terminal.
    pub terminal: TerminalFacts,
}

/// A solver and whether it works.
pub struct TriedSolver {
    /// Its name with its version, or the name of its folder.
    pub label: String,
    /// Its origin, or how it fails.
    pub verdict: Result<String, String>,
    /// Whether it is in the cache folder, and can be reinstalled.
    pub is_installed: bool,
}

/// A folder for output.
pub struct UsableFolder {
    /// The folder, which may not exist yet.
    pub path: PathBuf,
    /// Free bytes for this user.
    pub free: u64,
    /// Why it is not writable, if so.
    pub refused: Option<String>,
}

/// Limits; `None` means no limit or unknown.
#[derive(Clone, Copy, Default)]
pub struct MachineLimits {
    /// Usable processors, at least 1.
    pub cores: usize,
    /// Open files of this process.
    pub open_files: Option<u64>,
    /// Processes and threads of this user.
    pub processes: Option<u64>,
    /// Available memory in bytes.
    pub memory: Option<u64>,
}

/// The terminal's properties.
#[derive(Clone, Default)]
pub struct TerminalFacts {
    /// Whether `squall fuzz` shows its live screen.
    pub has_live_screen: bool,
    /// Whether standard error shows progress bars.
    pub has_progress: bool,
    /// Columns and lines.
    pub size: Option<(u16, u16)>,
}

impl MachineFacts {
    /// Collects all facts; starts every solver that is found.
    pub fn gather() -> MachineFacts {
        let current = std::env::current_dir().map_err(|error| format!("the current folder cannot be used: {error}"));
        MachineFacts {
            solvers: Fleet::of_user().map(|fleet| tried(&fleet)).map_err(|error| error.to_string()),
            pip: pip().map_err(|error| error.to_string()),
            cache: SolverCache::of_user().map(|cache| usable(cache.folder())).map_err(|error| error.to_string()),
            work: current.map(|folder| usable(&folder)),
            limits: MachineLimits {
                cores: processors(),
                open_files: getrlimit(Resource::Nofile).current,
                processes: getrlimit(Resource::Nproc).current,
                memory: available_memory(),
            },
            terminal: TerminalFacts {
                has_live_screen: is_fit(),
                has_progress: std::io::stderr().is_terminal(),
                size: ratatui::crossterm::terminal::size().ok().filter(|_| std::io::stdout().is_terminal()),
            },
        }
    }
}

fn tried(fleet: &Fleet) -> Vec<TriedSolver> {
    let found = fleet.list();
    let line = ProgressLine::steps("testing solvers", found.len() as u64);
    let mut tried = Vec::new();
    for solver in found {
        line.begins(&solver.label());
        tried.push(tried_solver(fleet, solver));
        line.advance(1);
    }
    let damaged = fleet.damaged().into_iter();
    tried.extend(damaged.map(|(label, error)| TriedSolver {
        label,
        verdict: Err(error.to_string()),
        is_installed: true,
    }));
    tried
}

fn tried_solver(fleet: &Fleet, solver: InstalledSolver) -> TriedSolver {
    let (label, origin, is_installed) = (solver.label(), solver.origin.clone(), solver.foreign_program().is_none());
    let verdict = fleet.verify(&solver).map_err(|error| error.to_string()).and_then(|integrity| {
        let failure = smoke(&fleet.solver(solver)).into_iter().find_map(|Check { claim, verdict }| match verdict {
            ClaimVerdict::False(seen) => Some(format!("{claim}: no: {seen}")),
            ClaimVerdict::True | ClaimVerdict::Untested(_) => None,
        });
        failure.map_or(Ok(integrity), Err)
    });
    let words = |integrity: Integrity| integrity.note().map_or(origin.clone(), |note| format!("{origin}; {note}"));
    TriedSolver { label, verdict: verdict.map(words), is_installed }
}

fn pip() -> Result<String, ::solver::install::InstallError> {
    let python = Python::find(&SearchPath::of_environment())?;
    let version = python.pip_version()?;
    Ok(format!("{} with pip {version}", python.program().display()))
}

/// Returns the folder, or the nearest existing parent.
fn usable(path: &Path) -> UsableFolder {
    let there = path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
    UsableFolder {
        path: path.to_path_buf(),
        free: rustix::fs::statvfs(there).map_or(0, |disk| disk.f_bavail.saturating_mul(disk.f_frsize)),
        refused: tempfile::tempfile_in(there).err().map(|error| error.to_string()),
    }
}

/// The memory for new processes without swapping: the kernel's estimate, or the rest of the control group's limit.
fn available_memory() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let machine = kibibytes(&meminfo, "MemAvailable:")?;
    let of_group =
        |file: &str| std::fs::read_to_string(Path::new("/sys/fs/cgroup").join(file)).ok()?.trim().parse().ok();
    let group =
        of_group("memory.max").zip(of_group("memory.current")).map(|(most, now): (u64, u64)| most.saturating_sub(now));
    Some(machine.min(group.unwrap_or(u64::MAX)))
}

/// Returns the value of a line such as `MemAvailable:    2048 kB`, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
#[path = "../../../tests/unit/machine.rs"]
mod tests;
