//! Finding and reading the files a user names.

use anyhow::{Context, Result, bail};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest file read, in bytes. A larger one is refused with a message.
pub const MAX_BYTES: u64 = 512 << 20;

/// The files that `paths` name: files as they are, folders as the `.smt2` files below them in order of name, `-` as
/// standard input.
///
/// # Errors
/// A path that does not exist, or a folder that cannot be read.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            add_folder(path, &mut files)?;
            if files.len() == before {
                bail!("there is no .smt2 file in {}", path.display());
            }
        } else if path.as_os_str() == "-" || path.exists() {
            files.push(path.clone());
        } else {
            bail!("there is no file {}", path.display());
        }
    }
    Ok(files)
}

fn add_folder(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.with_context(|| format!("cannot read the folder {}", folder.display()))?.path());
    }
    paths.sort();
    for path in paths {
        // Links to folders are not followed: they may lead in circles.
        if path.is_dir() && !path.is_symlink() {
            add_folder(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "smt2") {
            files.push(path);
        }
    }
    Ok(())
}

/// The bytes of a file, or of standard input for `-`.
///
/// # Errors
/// It cannot be read, or is larger than [`MAX_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = MAX_BYTES + 1;
    if path.as_os_str() == "-" {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        let file = std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        file.take(limit).read_to_end(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{} is larger than {} MiB", path.display(), MAX_BYTES >> 20);
    }
    Ok(bytes)
}
