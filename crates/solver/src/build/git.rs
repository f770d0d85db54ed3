//! A solver's git repository, read by the program `git` without starting anything that the repository names.
//!
//! Repository settings can start programs (`git-config(1)`): hooks, a file monitor, content filters, a pager, a signature checker, and
//! remote fetches. All of it is switched off by environment settings, which override those of files.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::build::SourceBuildError;
use crate::cache::CacheError;
use crate::process::{self, ProcessJob, ProcessLimits, RunError, RunStatus};

/// The time limit of one git run: enough for a checkout of a large repository on a slow disk.
const WALL: Duration = Duration::from_secs(3600);
/// The output limit: enough for a million commits.
const MOST_OUTPUT: usize = 512 << 20;
/// The maximum size of a file that is read, in bytes.
const MOST_FILE: u64 = 4 << 20;
/// The maximum length of a word to search for, in bytes: the words are arguments of git.
const MOST_WORD: usize = 256;
/// The maximum length of a commit's subject, in characters.
const SUBJECT: usize = 120;
/// An empty folder for hooks, so that there are none.
const NO_HOOKS: &str = "/dev/null";
/// Settings that override the repository's.
const SETTINGS: [(&str, &str); 7] = [
    ("core.hooksPath", NO_HOOKS),
    ("core.fsmonitor", "false"),
    ("log.showSignature", "false"),
    ("log.follow", "false"),
    ("submodule.recurse", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];
/// Variables: git must not prompt, take unneeded locks, or fetch.
const VARIABLES: [&str; 5] =
    ["GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C"];
/// Variables by which git, or a build, would use another repository.
pub(crate) const FOREIGN: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];

/// One commit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SolverCommit {
    /// Its full hash.
    pub hash: String,
    /// The commit date: `2026-11-27`.
    pub date: String,
    /// The first line of its message, without control characters and cut after 120 characters.
    pub subject: String,
}

impl SolverCommit {
    /// Returns the first twelve characters of the hash.
    pub fn short(&self) -> &str {
        self.hash.get(..12).unwrap_or(&self.hash)
    }
}

/// The changed lines of a file, as first and last line from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedFile {
    /// Its path in the repository.
    pub path: String,
    /// The lines that were removed or replaced.
    pub before: Vec<(u32, u32)>,
    /// The lines that were added or stand for others.
    pub after: Vec<(u32, u32)>,
}

/// The changes between two commits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommitChanges {
    /// The hash of the first commit.
    pub before: String,
    /// The hash of the second.
    pub after: String,
    /// The changed text files. A renamed file counts as removed and added.
    pub files: Vec<ChangedFile>,
}

/// Why a repository cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git, or a command that builds, cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The command line names something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// A command failed: which, where, and git's message.
    #[error("cannot {0} in '{1}': {2}")]
    Failed(&'static str, String, String),
    /// A file or folder could not be created, or another process works there.
    #[error(transparent)]
    Folder(#[from] SourceBuildError),
    /// There is no folder for programs.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// A repository, or a checkout of one.
#[derive(Clone, Debug)]
pub struct GitRepository {
    folder: PathBuf,
    settings: Vec<(String, &'static str)>,
}

impl GitRepository {
    /// Opens the repository in or above a folder.
    /// Errors: there is no repository, or git cannot be run safely.
    pub fn open(folder: &Path) -> Result<GitRepository, GitError> {
        let settings = SETTINGS.map(|(name, value)| (name.to_string(), value)).to_vec();
        let mut repository = GitRepository { folder: folder.to_path_buf(), settings };
        let path = folder.display();
        let unread = |said| GitError::Usage(format!("'{path}' is not a readable git repository: {said}"));
        if !folder.is_dir() {
            return Err(unread("there is no such folder".to_string()));
        }
        repository.try_run(&["rev-parse", "--git-dir"])?.map_err(unread)?;
        if repository.run("read the settings", &["config", "--get", "core.hooksPath"])? != NO_HOOKS {
            return Err(unread("it may start programs, which only git 2.31 or later prevents".to_string()));
        }
        repository.without_own_programs()?;
        Ok(repository)
    }

    /// Whether the repository lacks older commits.
    /// Errors: git fails.
    pub fn is_shallow(&self) -> Result<bool, GitError> {
        Ok(self.run("ask for the depth", &["rev-parse", "--is-shallow-repository"])? == "true")
    }

    /// Returns the folder of its objects, the same for all its checkouts.
    pub(crate) fn common_folder(&self) -> Result<String, GitError> {
        self.run("find the objects", &["rev-parse", "--path-format=absolute", "--git-common-dir"])
    }

    /// Returns the first-parent commits, oldest first: a merge counts as one commit.
    /// Errors: there are no such commits, or `from` is not before `to`.
    pub fn history(&self, from: Option<&str>, to: &str) -> Result<Vec<SolverCommit>, GitError> {
        let newest = self.commit(to)?;
        let format = "--format=%H%x1f%cs%x1f%s";
        let words = ["log", "--first-parent", "--no-color", "--no-decorate", "--no-patch", format, &newest, "--"];
        let text = self.run("list the commits", &words)?;
        let mut commits: Vec<SolverCommit> = text.lines().filter_map(commit).collect();
        commits.reverse();
        if let Some(from) = from {
            let oldest = self.commit(from)?;
            let at = commits.iter().position(|commit| commit.hash == oldest);
            let not_before = || format!("{from} is not among the first parents of {to}; leave --oldest out");
            commits.drain(..at.ok_or_else(|| GitError::Usage(not_before()))?);
        }
        Ok(commits)
    }

    /// Returns the changes of a range: `A..B`, or `A...B` for those of B since it left A.
    /// Errors: the range has no such form, it names no commits, or git fails.
    pub fn changes(&self, range: &str) -> Result<CommitChanges, GitError> {
        let wrong = || GitError::Usage(format!("'{range}' is not a range of commits; write A..B"));
        let (from, to) = range.split_once("..").ok_or_else(wrong)?;
        let (is_merged, to) = to.strip_prefix('.').map_or((false, to), |to| (true, to));
        let or_head = |revision: &str| if revision.is_empty() { "HEAD".to_string() } else { revision.to_string() };
        let (mut before, after) = (self.commit(&or_head(from))?, self.commit(&or_head(to))?);
        if is_merged {
            let none = |_| GitError::Usage(format!("the commits of '{range}' have no common one"));
            before = self.try_run(&["merge-base", &before, &after])?.map_err(none)?;
        }
        // Nothing depends on settings, and git starts no git for a submodule, which would start the programs that its settings name.
        let plain = [
            "-c",
            "core.quotePath=false",
            "diff",
            "--unified=0",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--text",
        ];
        let fixed = ["--no-renames", "--submodule=short", "-O/dev/null", "--no-relative", "--inter-hunk-context=0"];
        let ends = ["--src-prefix=a/", "--dst-prefix=b/", &before, &after, "--"];
        let words = [&plain[..], &fixed, &ends].concat();
        let files = changed_files(&self.run("compare the commits", &words)?);
        Ok(CommitChanges { before, after, files })
    }

    /// Returns a file of a commit; `None` if the commit does not have it, or it is larger than 4 MiB.
    /// Errors: git fails.
    pub fn file_at(&self, commit: &str, path: &str) -> Result<Option<String>, GitError> {
        let name = format!("{commit}:{path}");
        let size = self.try_run(&["cat-file", "-s", &name])?.ok().and_then(|size| size.parse::<u64>().ok());
        if size.is_none_or(|size| size > MOST_FILE) {
            return Ok(None);
        }
        self.run("read a file", &["cat-file", "blob", &name]).map(Some)
    }

    /// Returns the files of a commit with these endings that contain one of some words, of at most 256 bytes each.
    /// Errors: git fails.
    pub fn files_with(&self, commit: &str, words: &[String], endings: &[String]) -> Result<Vec<String>, GitError> {
        let short = words.iter().filter(|word| word.len() <= MOST_WORD);
        let asked: Vec<&str> = short.flat_map(|word| ["-e", word.as_str()]).collect();
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let places: Vec<String> = endings.iter().map(|ending| format!(":(top)*.{ending}")).collect();
        let plain = ["grep", "-l", "-z", "-w", "-F", "--no-color", "--full-name"].into_iter().chain(asked);
        let command: Vec<&str> = plain.chain([commit, "--"]).chain(places.iter().map(String::as_str)).collect();
        let listed = match self.try_run(&command)? {
            Ok(listed) => listed,
            // Without a match git fails, and says nothing.
            Err(said) if said.is_empty() => String::new(),
            Err(said) => return Err(GitError::Failed("search", self.folder.display().to_string(), said)),
        };
        Ok(listed.split('\0').filter_map(|name| name.split_once(':')).map(|(_, path)| path.to_string()).collect())
    }

    fn commit(&self, revision: &str) -> Result<String, GitError> {
        let named = format!("{revision}^{{commit}}");
        self.try_run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &named])?.map_err(|_| {
            let advice = if revision == "HEAD" { ": nothing was committed there yet" } else { "" };
            GitError::Usage(format!("'{revision}' names no commit of '{}'{advice}", self.folder.display()))
        })
    }

    /// Disables settings of the repository that name programs which a checkout would start. The user's own settings stay.
    fn without_own_programs(&mut self) -> Result<(), GitError> {
        let listed = self.run("read the settings", &["config", "--list", "--show-scope", "--name-only", "-z"])?;
        let mut words = listed.split('\0');
        while let (Some(scope), Some(name)) = (words.next(), words.next()) {
            let starts = ["filter.", "hook."].iter().any(|section| name.starts_with(section));
            if starts && matches!(scope, "local" | "worktree") {
                let is_flag = name.ends_with(".required") || name.ends_with(".enabled");
                self.settings.push((name.to_string(), if is_flag { "false" } else { "" }));
            }
        }
        Ok(())
    }

    fn run(&self, action: &'static str, words: &[&str]) -> Result<String, GitError> {
        self.try_run(words)?.map_err(|said| GitError::Failed(action, self.folder.display().to_string(), said))
    }

    /// Returns git's output, or else its error message.
    fn try_run(&self, words: &[&str]) -> Result<Result<String, String>, GitError> {
        let mut command = without_foreign();
        command.extend(VARIABLES.map(OsString::from));
        command.push(format!("GIT_CONFIG_COUNT={}", self.settings.len()).into());
        for (number, (name, value)) in self.settings.iter().enumerate() {
            command.push(format!("GIT_CONFIG_KEY_{number}={name}").into());
            command.push(format!("GIT_CONFIG_VALUE_{number}={value}").into());
        }
        command.extend(["git", "--no-pager"].map(OsString::from));
        command.extend(words.iter().map(OsString::from));
        let limits =
            ProcessLimits { wall: WALL, memory_bytes: None, output_bytes: MOST_OUTPUT, ..ProcessLimits::default() };
        let run = process::run(&ProcessJob { folder: Some(&self.folder), ..ProcessJob::new(&command, b"", &limits) })?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\n').to_string();
        Ok(match run.status {
            RunStatus::Exited(0) => Ok(text(&run.stdout)),
            RunStatus::Exited(_) => Err(text(&run.stderr)),
            other => Err(format!("git ended by {other:?}")),
        })
    }
}

/// A checkout separate from the user's, removed on drop.
#[derive(Debug)]
pub struct GitWorktree {
    repository: GitRepository,
    inside: GitRepository,
}

impl GitWorktree {
    /// Adds a checkout at a path, which may hold the remains of a killed run's checkout.
    /// Errors: git fails.
    pub(crate) fn add(repository: &GitRepository, place: &Path, at: &SolverCommit) -> Result<GitWorktree, GitError> {
        remove(repository, place);
        let path = place.to_string_lossy();
        let words = ["worktree", "add", "--quiet", "--force", "--detach", "--no-checkout", &path, &at.hash];
        repository.run("add a checkout", &words)?;
        let inside = GitRepository { folder: place.to_path_buf(), ..repository.clone() };
        let mut made = GitWorktree { repository: repository.clone(), inside };
        // A repository may have settings that apply only to some of its checkouts.
        made.inside.without_own_programs()?;
        Ok(made)
    }

    /// Returns its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.inside.folder
    }

    /// Checks out a commit, and removes everything else.
    pub(crate) fn check_out(&self, commit: &SolverCommit) -> Result<(), GitError> {
        self.inside.run("check a commit out", &["checkout", "--quiet", "--force", "--detach", &commit.hash])?;
        self.inside.run("clean the checkout", &["clean", "-ffdxq"]).map(|_| ())
    }
}

impl Drop for GitWorktree {
    fn drop(&mut self) {
        remove(&self.repository, self.folder());
    }
}

/// Removes a checkout as far as it exists. Remains are removed by the next run.
fn remove(repository: &GitRepository, place: &Path) {
    let _ = repository.try_run(&["worktree", "remove", "--force", "--force", &place.to_string_lossy()]);
    let _ = fs::remove_dir_all(place);
}

/// Returns the command prefix that prevents the use of another repository.
pub(crate) fn without_foreign() -> Vec<OsString> {
    let mut words = vec![OsString::from("/usr/bin/env")];
    words.extend(FOREIGN.iter().flat_map(|name| ["-u", name]).map(OsString::from));
    words
}

/// Reads a diff without context.
fn changed_files(diff: &str) -> Vec<ChangedFile> {
    let mut files: Vec<ChangedFile> = Vec::new();
    let mut removed: Option<String> = None;
    for line in diff.lines() {
        let path = |line: &str, start: &str| line.strip_prefix(start).map(str::to_string);
        if line.starts_with("diff --git ") {
            files.push(ChangedFile::default());
            removed = None;
        } else if let (Some(file), true) = (files.last_mut(), line.starts_with("@@ ")) {
            let mut parts = line.split(' ').skip(1);
            file.before.extend(parts.next().and_then(|part| lines(part.strip_prefix('-')?)));
            file.after.extend(parts.next().and_then(|part| lines(part.strip_prefix('+')?)));
        } else if let Some(file) = files.last_mut().filter(|file| file.before.is_empty() && file.after.is_empty()) {
            // A line of the text may look the same, but stands after a range.
            // Git adds a tab to a name with blanks.
            let line = line.trim_end_matches('\t');
            removed = path(line, "--- a/").or(removed);
            if let Some(name) = line.strip_prefix("+++ ") {
                // A quoted name stays as it is: it is not used, and said.
                let is_gone = name == "/dev/null";
                let added = path(line, "+++ b/").or_else(|| (!is_gone).then(|| name.to_string()));
                file.path = added.or_else(|| removed.clone()).unwrap_or_default();
            }
        }
    }
    files.retain(|file| !file.path.is_empty());
    files
}

/// Reads a range, `FIRST` or `FIRST,COUNT`; `None` for an empty one.
fn lines(range: &str) -> Option<(u32, u32)> {
    let (first, count) = range.split_once(',').unwrap_or((range, "1"));
    let (first, count) = (first.parse::<u32>().ok()?, count.parse::<u32>().ok()?);
    (count > 0).then(|| (first, first.saturating_add(count - 1)))
}

fn commit(line: &str) -> Option<SolverCommit> {
    let mut parts = line.splitn(3, '\x1f').map(str::to_string);
    let (hash, date) = (parts.next()?, parts.next()?);
    let subject = parts.next()?.chars().filter(|c| !c.is_control()).take(SUBJECT).collect();
    Some(SolverCommit { hash, date, subject })
}

#[cfg(test)]
#[path = "../../tests/unit/git.rs"]
mod tests;
