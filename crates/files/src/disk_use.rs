//! Disk use of files and folders. No link is followed.

use rustc_hash::FxHashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The unit in which the system counts disk use, in bytes.
const BLOCK: u64 = 512;

/// The disk use of several files and folders.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct DiskUse {
    /// Bytes on the disk; a file with several names counts once.
    pub bytes: u64,
    /// Bytes that removing all would not free: the files have other names elsewhere.
    pub shared: u64,
    /// The number of files, without folders and links.
    pub files: u64,
}

/// Returns the disk use of these files and folders with all that is below them. Unreadable ones count as zero.
pub fn of(paths: impl IntoIterator<Item = PathBuf>) -> DiskUse {
    let mut left: Vec<PathBuf> = paths.into_iter().collect();
    let mut taken = DiskUse::default();
    // Names seen, names in total, and bytes of files with several names.
    let mut named: FxHashMap<(u64, u64), (u64, u64, u64)> = FxHashMap::default();
    while let Some(path) = left.pop() {
        let Ok(data) = path.symlink_metadata() else { continue };
        let bytes = data.blocks() * BLOCK;
        if data.is_dir() {
            left.extend(entries(&path));
        } else {
            taken.files += u64::from(data.is_file());
            if data.nlink() > 1 {
                named.entry((data.dev(), data.ino())).or_insert((0, data.nlink(), bytes)).0 += 1;
                continue;
            }
        }
        taken.bytes += bytes;
    }
    for (met, all, bytes) in named.into_values() {
        taken.bytes += bytes;
        taken.shared += if met < all { bytes } else { 0 };
    }
    taken
}

/// Lists the entries of a folder, sorted; empty if it is not a folder, or a link.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    if !folder.symlink_metadata().is_ok_and(|data| data.is_dir()) {
        return Vec::new();
    }
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}
