//! Programs of a solver's commits, built by a user's command and cached by commit.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use crate::build::SourceBuildError;
use crate::build::command::last_lines;
use crate::build::folder::BuildFolder;
use crate::build::git::{GitError, GitRepository, GitWorktree, SolverCommit, without_foreign};
use crate::cache::SolverCache;
use crate::probe;
use crate::process::{self, CancelToken, ProcessJob, ProcessLimits, RunStatus};

/// The folder of these programs, next to the installed solvers.
const COMMITS: &str = "commits";
/// The number of characters of a SHA-256 in a folder's name.
const KEY: usize = 16;
/// The marker in a commit's folder if it does not build.
const FAILED: &str = "failed";
/// The command's output.
const LOG: &str = "log";
/// Runs a user's command with all its output sent to a log.
const LOGGED: &str = r#"exec /bin/sh -c "$1" >"$0" 2>&1"#;

/// How commits are built.
#[derive(Clone, Debug)]
pub struct CommitBuildOrder {
    /// The folder of the repository.
    pub repository: PathBuf,
    /// The command, for a shell in a checkout.
    pub command: String,
    /// The path of the built program, inside the checkout.
    pub program: PathBuf,
    /// The time limit.
    pub limit: Duration,
    /// Whether to ignore cached programs.
    pub fresh: bool,
}

/// The result of building a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommitBuild {
    /// Its program.
    Built(PathBuf),
    /// The commit does not build.
    Failed {
        /// The reason.
        why: String,
        /// The command's output.
        log: PathBuf,
    },
    /// The commit was cancelled.
    Cancelled,
}

/// Builds commits, one at a time, and caches the results.
#[derive(Debug)]
pub struct CommitBuilder {
    order: CommitBuildOrder,
    /// The repository.
    pub repository: GitRepository,
    cancel: CancelToken,
    kept: PathBuf,
    worktree: Option<GitWorktree>,
    folder: Option<BuildFolder>,
    /// The commits built in this run.
    made: BTreeSet<String>,
}

impl CommitBuilder {
    /// Makes a builder.
    /// Errors: there is no such repository, or the program's path leaves the checkout.
    pub fn new(order: CommitBuildOrder, cancel: CancelToken) -> Result<CommitBuilder, GitError> {
        let is_inside = order.program.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || order.program.file_name().is_none() {
            let path = order.program.display();
            return Err(GitError::Usage(format!("--program {path}: give a path inside the checkout, as build/solver")));
        }
        let repository = GitRepository::open(&order.repository)?;
        let key = files::sha256(format!("{}\0{}", order.command, order.program.display()));
        let kept = SolverCache::of_user()?.sibling(COMMITS).join(&key[..KEY]);
        Ok(CommitBuilder { order, repository, cancel, kept, worktree: None, folder: None, made: BTreeSet::new() })
    }

    /// Returns the program of a commit, cached or built now.
    /// Errors: git fails, or a file cannot be written.
    pub fn build(&mut self, commit: &SolverCommit) -> Result<CommitBuild, GitError> {
        let place = self.kept.join(&commit.hash);
        let (log, failed) = (place.join(LOG), place.join(FAILED));
        let program = place.join("bin").join(self.order.program.file_name().unwrap_or_default());
        // A commit built in this run is not built again, even if the cache is ignored.
        let is_remembered = !self.order.fresh || self.made.contains(&commit.hash);
        if is_remembered && probe::is_executable(&program) {
            return Ok(CommitBuild::Built(program));
        }
        if is_remembered && let Ok(why) = files::found_text(&failed) {
            return Ok(CommitBuild::Failed { why, log });
        }
        fs::create_dir_all(place.join("bin")).map_err(SourceBuildError::file("create", &place))?;
        for old in [&program, &failed] {
            let _ = fs::remove_file(old);
        }
        self.made.insert(commit.hash.clone());
        let Some(why) = self.run(commit, &log, &program)? else { return Ok(CommitBuild::Built(program)) };
        if self.cancel.is_cancelled() {
            return Ok(CommitBuild::Cancelled);
        }
        files::atomic::write(&failed, why.as_bytes()).map_err(SourceBuildError::file("write", &failed))?;
        Ok(CommitBuild::Failed { why, log })
    }

    /// Runs the command in a checkout and keeps the program; returns what went wrong, if anything.
    fn run(&mut self, commit: &SolverCommit, log: &Path, program: &Path) -> Result<Option<String>, GitError> {
        let CommitBuildOrder { command, program: left, limit, .. } = self.order.clone();
        let worktree = self.worktree(commit)?;
        let made = worktree.folder().join(&left);
        worktree.check_out(commit)?;
        let mut words = without_foreign();
        words.extend(["/bin/sh", "-c", LOGGED].map(OsString::from));
        words.extend([log.as_os_str().to_os_string(), command.into()]);
        let limits = ProcessLimits { wall: limit, memory_bytes: None, ..ProcessLimits::default() };
        let folder = worktree.folder().to_path_buf();
        let job = ProcessJob::new(&words, b"", &limits);
        let job = ProcessJob { cancel: Some(&self.cancel), folder: Some(&folder), ..job };
        let ended = match process::run(&job)?.status {
            RunStatus::Exited(0) if probe::is_executable(&made) => {
                let partial = program.with_extension("partial");
                let copied = fs::copy(&made, &partial).and_then(|_| fs::rename(&partial, program));
                copied.map_err(SourceBuildError::file("write", program))?;
                return Ok(None);
            }
            RunStatus::Exited(0) => return Ok(Some(format!("no program was left at {}", left.display()))),
            RunStatus::TimedOut => format!("it took longer than {} s", limit.as_secs_f64()),
            other => format!("the build {other}"),
        };
        Ok(Some(format!("{ended}: {}", last_lines(log))))
    }

    fn worktree(&mut self, commit: &SolverCommit) -> Result<&GitWorktree, GitError> {
        let worktree = match self.worktree.take() {
            Some(worktree) => worktree,
            None => {
                let name = format!("checkout-{}", &files::sha256(self.repository.common_folder()?)[..KEY]);
                let folder = BuildFolder::open(&SolverCache::of_user()?.sibling(COMMITS), &name)?;
                let place = folder.source();
                self.folder = Some(folder);
                GitWorktree::add(&self.repository, &place, commit)?
            }
        };
        Ok(self.worktree.insert(worktree))
    }
}

impl Drop for CommitBuilder {
    fn drop(&mut self) {
        self.worktree = None;
        if let Some(folder) = self.folder.take() {
            folder.clear();
        }
    }
}
