//! The folder of a campaign: claimed once, written atomically.

pub mod disagreements;

use crate::findings::disagreements::FOLDER as DISAGREEMENTS;
use finding::Finding;
use finding::folder::{self, FINDINGS, FindingFolder, SentFile};
use solver::leftovers;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that marks a folder as ours.
const MARK: &str = "campaign.json";

/// The folder of scripts that `squall ci --changed` keeps before the campaign, which sends them.
pub const CHANGE: &str = "change";

/// The suffix of a finding that is being replaced.
const LOCK: &str = ".lock";

/// The hidden folder in which campaigns are merged.
const STAGING: &str = ".joining";

/// The maximum size of a campaign's description, in bytes.
const MAX_MARK: u64 = 64 << 20;

/// The maximum length of an owner's name, in bytes.
const MAX_OWNER: u64 = 200;

/// How often the lock is tried, and the time between attempts.
const LOCK_TRIES: u32 = 5;

const LOCK_WAIT: Duration = Duration::from_millis(20);

/// The folder of a campaign.
#[derive(Debug)]
pub struct OutDir {
    root: PathBuf,
    /// Held while the campaign runs; the system releases it however the process ends. Contains [`OutDir::owner`].
    _lock: File,
    owner: String,
}

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutError {
    /// The folder contains other files.
    #[error(
        "'{path}' exists but is not a campaign of squall (it contains '{example}'); name an empty or new folder with --out"
    )]
    Foreign {
        /// The folder.
        path: String,
        /// One of the files.
        example: String,
    },
    /// The folder contains a symbolic link.
    #[error(
        "'{0}' is a link, and links in the folder of a campaign are not followed; remove it, or name another folder with --out"
    )]
    Link(String),
    /// Another process uses it.
    #[error("another squall is writing to '{0}'; wait for it, or name another folder with --out")]
    InUse(String),
    /// An I/O error.
    #[error("cannot {action} '{path}': {source}")]
    System {
        /// The attempted action.
        action: &'static str,
        /// Its path.
        path: String,
        /// The error.
        source: io::Error,
    },
}

impl OutDir {
    /// Claims a folder, creating it if needed, and kills the solvers left over from an earlier run that was killed.
    /// Errors: [`OutError`] if it contains other files, is in use, or cannot be written, which is tested immediately.
    pub fn claim(root: &Path) -> Result<OutDir, OutError> {
        fs::create_dir_all(root).map_err(system("create the folder", root))?;
        if !root.join(MARK).exists()
            && !root.join(STAGING).exists()
            && let Some(entry) = fs::read_dir(root)
                .map_err(system("read the folder", root))?
                .flatten()
                .find(|e| !e.file_name().to_string_lossy().starts_with('.') && e.file_name() != CHANGE)
        {
            let example = entry.file_name().to_string_lossy().into_owned();
            return Err(OutError::Foreign { path: root.display().to_string(), example });
        }
        let path = root.join(LOCK);
        let mut lock = files::inside::open(root, LOCK).map_err(system("write to", &path))?;
        for name in [MARK, FINDINGS, DISAGREEMENTS, CHANGE] {
            if root.join(name).is_symlink() {
                return Err(OutError::Link(root.join(name).display().to_string()));
            }
        }
        // A process that only tests whether a campaign runs holds the lock for a moment.
        let taken = (0..LOCK_TRIES).find_map(|n| match lock.try_lock() {
            Err(fs::TryLockError::WouldBlock) if n + 1 < LOCK_TRIES => {
                std::thread::sleep(LOCK_WAIT);
                None
            }
            taken => Some(taken),
        });
        match taken.unwrap_or(Err(fs::TryLockError::WouldBlock)) {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(OutError::InUse(root.display().to_string())),
            Err(fs::TryLockError::Error(source)) => return Err(system("lock", &path)(source)),
        }
        folder::remove_unfinished(&root.join(FINDINGS));
        let owner = succeed(&mut lock).map_err(system("write to", &path))?;
        Ok(OutDir { root: root.to_path_buf(), _lock: lock, owner })
    }

    /// Returns the owner of this run's solvers, by which the next run finds them if this one is killed.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of a finding.
    pub fn finding(&self, id: &str) -> PathBuf {
        self.root.join(FINDINGS).join(id)
    }

    /// Returns the campaign's description, as written by [`OutDir::write_manifest`]; `None` in a new folder.
    /// Errors: [`OutError`] when it cannot be read or is damaged.
    pub fn manifest(&self) -> Result<Option<serde_json::Value>, OutError> {
        manifest(&self.root)
    }

    /// Writes the campaign's description atomically.
    /// Errors: a file cannot be written.
    pub fn write_manifest(&self, campaign: &serde_json::Value) -> io::Result<()> {
        // After the manifest, so a folder with findings is always marked as ours.
        self.replace(MARK, format!("{campaign:#}\n").as_bytes())?;
        files::inside::make_folder(&self.root, FINDINGS)?;
        sync_folder(&self.root)
    }

    /// Replaces a file of the campaign's folder atomically.
    /// Errors: i/O errors; the old file is untouched then.
    pub fn replace(&self, name: &str, content: &[u8]) -> io::Result<()> {
        files::inside::write(&self.root, name, content)
    }

    /// Writes a finding. An existing one of the same name is the same finding, and stays.
    /// Errors: i/O errors; nothing of the finding is written then.
    pub fn write(&self, finding: &Finding, files: &[SentFile<'_>]) -> io::Result<PathBuf> {
        let written = FindingFolder::create(&self.root.join(FINDINGS), finding, files)?;
        Ok(written.path().to_path_buf())
    }

    /// Copies a finding from another folder atomically. An existing one of the same name stays.
    /// Errors: a file cannot be copied.
    pub fn adopt(&self, id: &str, from: &Path) -> io::Result<()> {
        FindingFolder::at(from).copy(&self.root.join(FINDINGS), id).map(drop)
    }

    /// Whether a merge is in progress here, or was when its process was killed.
    pub fn is_staged(&self) -> bool {
        self.root.join(STAGING).symlink_metadata().is_ok()
    }

    /// Creates a folder inside this one in which campaigns are merged; nothing is visible before [`OutDir::publish`]. Remains of a killed
    /// merge are removed first.
    /// Errors: [`OutError`] when it cannot be created.
    pub fn staging(&self) -> Result<OutDir, OutError> {
        let path = self.root.join(STAGING);
        if path.symlink_metadata().is_ok() {
            let left: Vec<PathBuf> = fs::read_dir(&self.root)
                .map_err(system("read the folder", &self.root))?
                .flatten()
                .map(|e| e.path())
                .collect();
            // Its mark comes last: while it exists, everything else is leftover.
            for old in left.iter().filter(|old| **old != path && **old != self.root.join(LOCK)).chain([&path]) {
                let is_folder = old.symlink_metadata().is_ok_and(|data| data.is_dir());
                let removed = if is_folder { fs::remove_dir_all(old) } else { fs::remove_file(old) };
                removed.map_err(system("remove", old))?;
            }
        }
        OutDir::claim(&path)
    }

    /// Moves the merged files from [`OutDir::staging`] to their place; the file that makes it a campaign comes last.
    /// Errors: [`OutError`]; the merge can be repeated.
    pub fn publish(&self, staging: OutDir) -> Result<(), OutError> {
        let entries = fs::read_dir(&staging.root).map_err(system("read the folder", &staging.root))?;
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).filter(|name| name != LOCK).collect();
        names.sort_by_key(|name| name == MARK);
        for name in names {
            let from = staging.root.join(&name);
            fs::rename(&from, self.root.join(&name)).map_err(system("move", &from))?;
        }
        sync_folder(&self.root).map_err(system("write to", &self.root))?;
        let left = staging.root.clone();
        drop(staging);
        fs::remove_dir_all(&left).map_err(system("remove", &left))
    }

    /// Removes a finding replaced by a smaller one of its group, unless it is being reduced, or was.
    /// Errors: a file cannot be removed.
    pub fn remove(&self, id: &str) -> io::Result<()> {
        FindingFolder::at(self.finding(id)).remove_unreduced()
    }
}

fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutError {
    let path = path.display().to_string();
    move |source| OutError::System { action, path, source }
}

/// Returns the description of the campaign in a folder without claiming it; `None` where there is no campaign.
/// Errors: [`OutError`] when it cannot be read or is damaged.
pub fn manifest(root: &Path) -> Result<Option<serde_json::Value>, OutError> {
    let path = root.join(MARK);
    let bytes = match files::read::within(&path, MAX_MARK).map_err(io::Error::from) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(system("read", &path)(error)),
    };
    let read = serde_json::from_slice(&bytes);
    read.map(Some).map_err(|error| system("read", &path)(io::Error::from(error)))
}

/// Whether a process has claimed a folder, and is alive.
/// Errors: [`OutError`] when the lock cannot be read.
pub fn is_claimed(root: &Path) -> Result<bool, OutError> {
    let path = root.join(LOCK);
    let lock = match files::read::open(&path) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(system("read", &path)(error)),
    };
    // A reader's lock is released with the file.
    match lock.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(fs::TryLockError::WouldBlock) => Ok(true),
        Err(fs::TryLockError::Error(source)) => Err(system("lock", &path)(source)),
    }
}

/// Kills what the owner named in the lock left behind, writes the new owner to the lock and returns it.
fn succeed(lock: &mut File) -> io::Result<String> {
    let mut earlier = Vec::new();
    lock.take(MAX_OWNER).read_to_end(&mut earlier)?;
    leftovers::end(String::from_utf8_lossy(&earlier).trim());
    let owner = leftovers::new_owner();
    lock.set_len(0)?;
    lock.seek(SeekFrom::Start(0))?;
    lock.write_all(owner.as_bytes())?;
    Ok(owner)
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}
