//! What files and folders take on the disk. No link is followed.

use rustc_hash::FxHashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The unit in which the system counts what a file takes, in bytes.
const BLOCK: u64 = 512;

/// What several files and folders take.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct DiskUse {
    /// Bytes on the disk, a file of several names once.
    pub bytes: u64,
    /// Those of them that would stay if all were removed: the files have other names elsewhere.
    pub shared: u64,
    /// Files; folders and links are none.
    pub files: u64,
}

/// What these files and folders take with all that is below them. What cannot be read takes nothing.
pub fn of(paths: impl IntoIterator<Item = PathBuf>) -> DiskUse {
    let mut left: Vec<PathBuf> = paths.into_iter().collect();
    let mut taken = DiskUse::default();
    // Names met, names in all, and bytes of the files that have several.
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

/// What lies in a folder, sorted; nothing where it is none, or a link.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    if !folder.symlink_metadata().is_ok_and(|data| data.is_dir()) {
        return Vec::new();
    }
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}
