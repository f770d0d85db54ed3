//! The folder of installed solvers: one subfolder each, which is complete or absent.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::version::Version;

const MANIFEST: &str = "install.toml";
const STAGING: &str = ".staging-";
const LOCK: &str = "lock";
/// The age below which a staging folder without a lock may be in creation; an older one belongs to a process that died.
const UNLOCKED_GRACE: Duration = Duration::from_secs(60);

/// The cache folder.
///
/// Invariant: a subfolder with a name other than `.staging-*` holds a complete, tested solver. Solvers are made in a staging folder, and
/// are moved in and out by one rename each.
#[derive(Clone, Debug)]
pub struct SolverCache {
    solvers: PathBuf,
}

/// The data of an installed solver, in `install.toml` in its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstallManifest {
    /// The profile's name.
    pub name: String,
    /// The version, in the spelling of specifications.
    pub version: String,
    /// Its origin, for display.
    pub origin: String,
    /// The command: the program, then fixed arguments. Relative paths start at the solver's folder.
    pub command: Vec<String>,
    /// SHA-256 in hexadecimal: of the program, or over all files of a library. Without `archive_sha256` it is that of a library's
    /// archive, as stored by earlier versions.
    pub sha256: String,
    /// SHA-256 of the archive that contained it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archive_sha256: Option<String>,
}

/// Why the cache folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// No variable defines the cache folder.
    #[error("there is no folder for solvers; set SQUALL_CACHE, XDG_CACHE_HOME or HOME")]
    NoPlace,
    /// A file operation failed.
    #[error("cannot {action} {path}: {source}; is there space, and may you write there?")]
    File {
        /// The attempted action.
        action: &'static str,
        /// The file or folder.
        path: String,
        /// The error.
        source: io::Error,
    },
    /// A manifest is damaged.
    #[error("{path} is damaged ({cause}); remove its folder and install the solver again")]
    Manifest {
        /// The manifest.
        path: String,
        /// The parser's message.
        cause: String,
    },
}

/// A folder in which a solver is made. Dropped without [`Staging::publish`], it is removed with its contents.
#[derive(Debug)]
pub struct Staging {
    folder: PathBuf,
    solvers: PathBuf,
    /// Held while the folder is in use, which distinguishes it from one whose process was killed.
    _lock: File,
}

fn file_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CacheError {
    let path = path.display().to_string();
    move |source| CacheError::File { action, path, source }
}

impl SolverCache {
    /// Returns the cache in `$SQUALL_CACHE`, else `$XDG_CACHE_HOME/squall`, else `~/.cache/squall`.
    pub fn of_user() -> Result<SolverCache, CacheError> {
        let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = from("SQUALL_CACHE")
            .or_else(|| Some(from("XDG_CACHE_HOME")?.join("squall")))
            .or_else(|| Some(from("HOME")?.join(".cache").join("squall")))
            .ok_or(CacheError::NoPlace)?;
        Ok(SolverCache::at(&folder))
    }

    /// Returns the cache in a given folder, which need not exist.
    pub fn at(folder: &Path) -> SolverCache {
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        SolverCache { solvers: absolute.join("solvers") }
    }

    /// Returns the cache folder.
    pub fn root(&self) -> &Path {
        self.solvers.parent().unwrap_or(&self.solvers)
    }

    /// Returns a folder next to the solvers, for other cached data.
    pub fn sibling(&self, name: &str) -> PathBuf {
        self.solvers.with_file_name(name)
    }

    /// Returns a solver's folder, which need not exist.
    pub fn folder_of(&self, name: &str, version: &Version) -> PathBuf {
        self.solvers.join(format!("{name}@{}", version.without_package_suffix()))
    }

    /// Returns the manifest of an installed solver; `None` if it is not installed.
    pub fn find(&self, name: &str, version: &Version) -> Result<Option<(PathBuf, InstallManifest)>, CacheError> {
        let folder = self.folder_of(name, version);
        Ok(read_manifest(&folder)?.map(|manifest| (folder, manifest)))
    }

    /// Returns all installed solvers by name, the newest version of each first. Damaged ones are left out; `find` returns their errors.
    pub fn list(&self) -> Vec<(PathBuf, InstallManifest)> {
        let entries = fs::read_dir(&self.solvers).into_iter().flatten().flatten();
        let folders = entries.map(|entry| entry.path()).filter(|path| !is_staging(path));
        let mut found: Vec<_> =
            folders.filter_map(|folder| read_manifest(&folder).ok()?.map(|manifest| (folder, manifest))).collect();
        let key = |manifest: &InstallManifest| {
            (manifest.name.clone(), std::cmp::Reverse(manifest.version.parse::<Version>().ok()))
        };
        found.sort_by_key(|(_, manifest)| key(manifest));
        found
    }

    /// Returns the folder that contains the solvers' folders. It need not exist.
    pub fn folder(&self) -> &Path {
        &self.solvers
    }

    /// Returns the error of each solver that [`SolverCache::list`] leaves out, by folder name.
    pub fn damaged(&self) -> Vec<(String, CacheError)> {
        let entries = fs::read_dir(&self.solvers).into_iter().flatten().flatten();
        let folders = entries.map(|entry| entry.path()).filter(|path| !is_staging(path));
        let mut damaged: Vec<_> =
            folders.filter_map(|path| Some((name_of(&path), read_manifest(&path).err()?))).collect();
        damaged.sort_by(|(left, _), (right, _)| left.cmp(right));
        damaged
    }

    /// Creates the folder of a new solver. Remains of killed installations are removed first.
    pub fn stage(&self) -> Result<Staging, CacheError> {
        fs::create_dir_all(&self.solvers).map_err(file_error("create", &self.solvers))?;
        self.sweep();
        let folder = tempfile::Builder::new()
            .prefix(STAGING)
            .tempdir_in(&self.solvers)
            .map_err(file_error("create a folder in", &self.solvers))?
            .keep();
        // The lock is held before it has its name: another installation would take an unlocked one for that of a killed process.
        let (path, unnamed) = (folder.join(LOCK), folder.join(format!("{LOCK}.new")));
        let lock = File::create(&unnamed).map_err(file_error("create", &unnamed))?;
        lock.lock().map_err(file_error("lock", &unnamed))?;
        fs::rename(&unnamed, &path).map_err(file_error("create", &path))?;
        Ok(Staging { folder, solvers: self.solvers.clone(), _lock: lock })
    }

    /// Replaces the manifest of an installed solver atomically.
    pub(crate) fn renew(&self, folder: &Path, manifest: &InstallManifest) -> Result<(), CacheError> {
        let path = folder.join(MANIFEST);
        files::atomic::write(&path, text(manifest, &path)?.as_bytes()).map_err(file_error("write", &path))
    }

    /// Removes a solver; returns whether it existed.
    pub fn remove(&self, name: &str, version: &Version) -> Result<bool, CacheError> {
        self.remove_folder(&self.folder_of(name, version))
    }

    /// Removes the folder of a solver; returns whether it existed.
    pub fn remove_folder(&self, folder: &Path) -> Result<bool, CacheError> {
        if !folder.exists() {
            return Ok(false);
        }
        let staging = self.stage()?;
        fs::rename(folder, staging.path().join("removed")).map_err(file_error("remove", folder))?;
        Ok(true)
    }

    fn sweep(&self) {
        let folders =
            fs::read_dir(&self.solvers).into_iter().chain(fs::read_dir(self.sibling("corpora"))).flatten().flatten();
        folders
            .map(|entry| entry.path())
            .chain([self.sibling("seeds")])
            .for_each(|folder| files::atomic::sweep(&folder));
        for path in self.abandoned() {
            let _ = fs::remove_dir_all(&path);
        }
    }

    /// Returns the folders of killed installations.
    pub fn abandoned(&self) -> Vec<PathBuf> {
        let is_abandoned = |path: &PathBuf| match File::open(path.join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            Err(_) => age_of(path).is_some_and(|age| age > UNLOCKED_GRACE),
        };
        let entries = files::disk_use::entries(&self.solvers).into_iter();
        entries.filter(|path| is_staging(path) && is_abandoned(path)).collect()
    }
}

impl Staging {
    /// Returns the folder to fill.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Writes the manifest and moves `content`, a subfolder of the staging folder, to its place. If another process has installed the
    /// same solver meanwhile, its result is kept and ours is dropped.
    pub fn publish(self, content: &Path, manifest: &InstallManifest, version: &Version) -> Result<PathBuf, CacheError> {
        let path = content.join(MANIFEST);
        fs::write(&path, text(manifest, &path)?).map_err(file_error("write", &path))?;
        sync_tree(content).map_err(file_error("write", content))?;
        let place = (SolverCache { solvers: self.solvers.clone() }).folder_of(&manifest.name, version);
        match fs::rename(content, &place) {
            Ok(()) => {
                let _ = File::open(&self.solvers).and_then(|folder| folder.sync_all());
                Ok(place)
            }
            Err(_) if read_manifest(&place)?.is_some() => Ok(place),
            Err(error) => Err(file_error("create", &place)(error)),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_staging(path: &Path) -> bool {
    name_of(path).starts_with(STAGING)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn age_of(path: &Path) -> Option<Duration> {
    SystemTime::now().duration_since(fs::metadata(path).ok()?.modified().ok()?).ok()
}

fn text(manifest: &InstallManifest, path: &Path) -> Result<String, CacheError> {
    toml::to_string(manifest)
        .map_err(|error| CacheError::Manifest { path: path.display().to_string(), cause: error.to_string() })
}

fn read_manifest(folder: &Path) -> Result<Option<InstallManifest>, CacheError> {
    let path = folder.join(MANIFEST);
    let text = match files::found_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_error("read", &path)(error)),
    };
    toml::from_str(&text)
        .map(Some)
        .map_err(|error| CacheError::Manifest { path: path.display().to_string(), cause: error.to_string() })
}

/// Syncs every file of a folder, so that a power failure after the rename cannot leave empty ones.
fn sync_tree(folder: &Path) -> io::Result<()> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            match entry.file_type()? {
                kind if kind.is_dir() => folders.push(entry.path()),
                kind if kind.is_file() => File::open(entry.path())?.sync_all()?,
                _ => {}
            }
        }
    }
    Ok(())
}
