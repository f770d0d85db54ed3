//! Files in a folder whose contents may be a stranger's, such as a campaign that was sent: nothing outside it is
//! opened, written or removed.
//!
//! A folder that the user names may be a link. No link below it is followed: each step is opened relative to the descriptor of the one
//! before (`O_NOFOLLOW`), so that a link is harmless even if it appears meanwhile.

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Component, Path};

/// The modes of a new file and of a new folder, before the user's mask.
const FILE: u32 = 0o666;
const FOLDER: u32 = 0o777;
/// How many names are tried for a temporary file.
const NAMES: u32 = 64;

/// Writes `content` to a file below `root`, whole or not at all, as [`crate::atomic::write`] does. A link in its place is itself replaced.
/// Folders on the way must exist.
/// Errors: an I/O error, or a link is on the way.
pub fn write(root: &Path, name: impl AsRef<Path>, content: &[u8]) -> io::Result<()> {
    let (folder, name) = place(root, name.as_ref())?;
    let (mut file, beside) = new_beside(&folder, &name)?;
    let written = file
        .write_all(content)
        .and_then(|()| file.sync_all())
        .and_then(|()| Ok(rustix::fs::renameat(&folder, &beside, &folder, &name)?));
    if written.is_err() {
        // A file that stays is hidden, and nothing reads it.
        let _ = rustix::fs::unlinkat(&folder, &beside, AtFlags::empty());
    }
    written
}

/// Writes `content` to a file below `root` in place: cheaper, but the file may be partial after a crash.
/// Errors: as [`open`].
pub fn overwrite(root: &Path, name: impl AsRef<Path>, content: &[u8]) -> io::Result<()> {
    let mut file = open(root, name)?;
    file.set_len(0)?;
    file.write_all(content)
}

/// Writes a file as [`write`] does, given its whole path; links in its folder's path are followed.
/// Errors: as [`write`].
pub fn put(path: &Path, content: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default();
    write(path.parent().unwrap_or(Path::new("")), name, content)
}

/// Creates a folder below `root` unless it exists.
/// Errors: an I/O error, or a link or file is in its place.
pub fn make_folder(root: &Path, name: impl AsRef<Path>) -> io::Result<()> {
    let (folder, name) = place(root, name.as_ref())?;
    match rustix::fs::mkdirat(&folder, &name, Mode::from_raw_mode(FOLDER)) {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => open_folder(&folder, &name).map(drop),
        Err(error) => Err(error.into()),
    }
}

/// Removes a file below `root`, or a link in its place.
/// Errors: an I/O error, or a link is on the way.
pub fn remove(root: &Path, name: impl AsRef<Path>) -> io::Result<()> {
    let (folder, name) = place(root, name.as_ref())?;
    Ok(rustix::fs::unlinkat(&folder, &name, AtFlags::empty())?)
}

/// Removes a file below `root`, or a folder with its contents. Links in it are removed, not followed.
/// Errors: an I/O error, or a link is on the way; a folder may be half empty then.
pub fn remove_tree(root: &Path, name: impl AsRef<Path>) -> io::Result<()> {
    let (folder, name) = place(root, name.as_ref())?;
    // The folder is named by its descriptor, so that no link can replace it meanwhile.
    let path = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(name);
    match path.symlink_metadata()?.is_dir() {
        true => std::fs::remove_dir_all(path),
        false => std::fs::remove_file(path),
    }
}

/// Opens a file below `root` to read and write, creating it if needed; its content stays.
/// Errors: an I/O error, or a link, pipe or device is in its place.
pub fn open(root: &Path, name: impl AsRef<Path>) -> io::Result<File> {
    let (folder, name) = place(root, name.as_ref())?;
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(&folder, &name, flags, Mode::from_raw_mode(FILE)).map_err(explain)?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// Whether no existing part of a path below `root` is a link.
pub fn is_without_links(root: &Path, name: impl AsRef<Path>) -> bool {
    let mut path = root.to_path_buf();
    name.as_ref().components().all(|step| {
        path.push(step);
        !path.is_symlink()
    })
}

/// Opens the folder that holds a file below `root`, and returns the file's name in it.
fn place(root: &Path, name: &Path) -> io::Result<(OwnedFd, OsString)> {
    let mut steps: Vec<&OsStr> = Vec::new();
    for step in name.components() {
        match step {
            Component::Normal(step) => steps.push(step),
            Component::CurDir => {}
            _ => return Err(io::Error::new(io::ErrorKind::InvalidInput, "the name leads out of its folder")),
        }
    }
    let last = steps.pop().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut folder = rustix::fs::openat(CWD, root, flags, Mode::empty())?;
    for step in steps {
        folder = open_folder(&folder, step)?;
    }
    Ok((folder, last.to_os_string()))
}

fn open_folder(folder: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(folder, name, flags, Mode::empty()).map_err(explain)
}

/// Creates a hidden file with a unique name next to another.
fn new_beside(folder: &OwnedFd, name: &OsStr) -> io::Result<(File, OsString)> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
    let mut error = Errno::EXIST;
    for n in 0..NAMES {
        let mut beside = OsString::from(".");
        beside.push(name);
        beside.push(format!(".{}-{now}-{n}.part", std::process::id()));
        match rustix::fs::openat(folder, &beside, flags, Mode::from_raw_mode(FILE)) {
            Ok(file) => return Ok((File::from(file), beside)),
            Err(Errno::EXIST) => {}
            Err(other) => {
                error = other;
                break;
            }
        }
    }
    Err(error.into())
}

/// Explains the system's error for a link that is not followed.
fn explain(error: Errno) -> io::Error {
    match error {
        Errno::LOOP | Errno::NOTDIR | Errno::MLINK => {
            io::Error::new(io::ErrorKind::InvalidInput, "a link or something else is in its place and is not followed")
        }
        error => error.into(),
    }
}
