//! Atomic writing: a file has its whole old or whole new content, even if the process is killed or the disk is full.

use std::ffi::OsString;
use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The mode of a new file, before the user's mask.
const MODE: u32 = 0o666;

/// The suffix of a file that is still being written.
const PART: &str = ".part";
/// A file that is still partial after this time belongs to a process that was killed.
const STALE: Duration = Duration::from_secs(3600);

/// Lists the partial files that killed processes left in a folder, once they are an hour old. A missing folder has
/// none.
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

/// Writes `content` next to `path`, syncs it and renames it to `path`.
///
/// A process that is killed meanwhile may leave a hidden file `.NAME.….part`, which nothing reads and [`sweep`] removes. If `path` is a
/// link, its target is replaced and the link stays. A pipe or device (`/dev/stdout`) is written to directly.
/// Errors: an I/O error. The old content, if any, is untouched then, and no partial file is left.
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
    // It is removed when dropped early.
    let mut beside = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(PART)
        .permissions(Permissions::from_mode(MODE))
        .tempfile_in(folder)?;
    beside.write_all(content)?;
    beside.as_file().sync_all()?;
    // After a power cut either the old or the new file exists: both are whole.
    beside.persist(&place).map(|_| ()).map_err(|error| error.error)
}
