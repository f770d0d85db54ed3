//! Atomic writing: a file is there whole, as it was or as it shall be, whenever the process is killed or the disk is full.

use std::ffi::OsString;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a new file may be read and written by, before the user's mask.
const MODE: u32 = 0o666;

/// How the name of a file ends that is not whole yet.
const PART: &str = ".part";
/// A file that is not whole after this time belongs to a process that was killed.
const STALE: Duration = Duration::from_secs(3600);

/// What processes that were killed while they wrote left in a folder, once it is an hour old. A folder that is not there is clean.
pub fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_part = |name: &str| name.starts_with('.') && name.ends_with(PART);
    let parts = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_part));
    // The entry itself: what a link leads to is not ours.
    let is_stale = |data: &fs::Metadata| {
        data.is_file() && data.modified().is_ok_and(|then| then.elapsed().is_ok_and(|age| age > STALE))
    };
    parts.filter(|entry| entry.metadata().is_ok_and(|data| is_stale(&data))).map(|entry| entry.path()).collect()
}

/// Removes the [`leftovers`] of a folder.
pub fn sweep(folder: &Path) {
    for path in leftovers(folder) {
        // Another process may have been quicker.
        let _ = fs::remove_file(path);
    }
}

/// Writes `content` beside `path`, brings it to the disk and moves it to its place.
///
/// A process that is killed meanwhile may leave a hidden file `.NAME.….part`, which nothing reads and [`sweep`] removes. What a link leads to is
/// replaced, and the link stays. A pipe or device (`/dev/stdout`) is written to as it is: nothing can
/// take its place.
///
/// # Errors
/// What the system says; the old content, if there was one, is untouched then, and nothing is left beside it.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let place = match fs::metadata(path) {
        Ok(data) if data.is_file() => fs::canonicalize(path)?,
        Ok(data) if data.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(_) => return OpenOptions::new().write(true).open(path)?.write_all(content),
        Err(_) => path.to_path_buf(),
    };
    let name = place.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    // Removed when it is dropped before its time.
    let mut beside = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(PART)
        .permissions(Permissions::from_mode(MODE))
        .tempfile_in(folder)?;
    beside.write_all(content)?;
    beside.as_file().sync_all()?;
    // Whether the old or the new file is there after a power cut is left to the system: both are whole.
    beside.persist(&place).map(|_| ()).map_err(|error| error.error)
}
