//! Finding scripts and other files: the one walker of folders that all subcommands share.

use rustc_hash::FxHashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Which files of a folder are wanted.
#[derive(Clone, Copy)]
pub struct WantedFiles {
    /// The name shown to users: `.smt2 file`.
    pub what: &'static str,
    /// Whether a file of this name is wanted.
    pub is_wanted: fn(&Path) -> bool,
}

/// Scripts.
const SCRIPTS: WantedFiles =
    WantedFiles { what: ".smt2 file", is_wanted: |path| path.extension().is_some_and(|extension| extension == "smt2") };

/// How deep folders may nest, at most.
const MAX_DEPTH: usize = 64;

/// The scripts below a folder.
#[derive(Debug, Default)]
pub struct Below {
    /// The scripts, sorted by path.
    pub scripts: Vec<PathBuf>,
    /// Folders that could not be read, and why.
    pub unreadable: Vec<(PathBuf, io::Error)>,
    /// Pipes, sockets and devices with a script's name, which are skipped.
    pub irregular: Vec<PathBuf>,
}

/// Why files cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// A path that does not exist.
    #[error("there is no file {0}")]
    Missing(String),
    /// A folder without any file that is wanted.
    #[error("there is no {what} in {folder}{hint}")]
    Empty {
        /// What is wanted.
        what: &'static str,
        /// The folder.
        folder: String,
        /// What was skipped, and what to do about it.
        hint: String,
    },
    /// A folder that cannot be read.
    #[error("cannot read the folder {path}")]
    Folder {
        /// The folder.
        path: String,
        /// The I/O error.
        source: io::Error,
    },
}

/// Lists the files that `paths` name: for a folder the scripts below it; files and `-` (standard input) as they are.
/// Errors: a path that does not exist, or a folder that cannot be read or holds no script.
pub fn named_scripts(paths: &[PathBuf]) -> Result<Vec<PathBuf>, WalkError> {
    named_files(paths, &SCRIPTS)
}

/// Lists the files that `paths` name: for a folder the wanted files below it; files and `-` (standard input) as they
/// are.
/// Errors: a path that does not exist, or a folder that cannot be read or holds no such file.
pub fn named_files(paths: &[PathBuf], wanted: &WantedFiles) -> Result<Vec<PathBuf>, WalkError> {
    let mut files = Vec::new();
    for path in paths {
        let name = || path.display().to_string();
        if path.is_dir() {
            let below = files_below(path, wanted);
            if let Some((folder, source)) = below.unreadable.into_iter().next() {
                return Err(WalkError::Folder { path: folder.display().to_string(), source });
            }
            if below.scripts.is_empty() {
                let hint = below.irregular.first().map(|path| {
                    format!("; {} is a pipe or device, which is read only if it is named itself", path.display())
                });
                return Err(WalkError::Empty { what: wanted.what, folder: name(), hint: hint.unwrap_or_default() });
            }
            files.extend(below.scripts);
        } else if path.as_os_str() == "-" || path.exists() {
            files.push(path.clone());
        } else {
            return Err(WalkError::Missing(name()));
        }
    }
    Ok(files)
}

/// Lists the scripts below a folder: regular files whose names end in `.smt2`, and links to such files. Links to
/// folders are followed. Pipes, sockets and devices are skipped.
///
/// A dangling link is listed, so that reading it reports the error.
pub fn scripts_below(root: &Path) -> Below {
    files_below(root, &SCRIPTS)
}

/// Lists the wanted files below a folder, by the same rules.
fn files_below(root: &Path, wanted: &WantedFiles) -> Below {
    let mut below = Below::default();
    let mut folders = vec![(root.to_path_buf(), 0)];
    // Links may form cycles: each folder is entered once, under the first name.
    let mut entered = FxHashSet::default();
    while let Some((folder, depth)) = folders.pop() {
        let is_new = fs::canonicalize(&folder).map(|real| entered.insert(real));
        let mut paths = match is_new.and_then(|is_new| if is_new { entries(&folder) } else { Ok(Vec::new()) }) {
            Ok(paths) => paths,
            Err(error) => {
                below.unreadable.push((folder, error));
                continue;
            }
        };
        // Reversed, since folders are entered from the end of the list.
        paths.sort_by(|a, b| b.cmp(a));
        for path in paths {
            let is_wanted = (wanted.is_wanted)(&path);
            match fs::metadata(&path) {
                Ok(data) if data.is_dir() && depth < MAX_DEPTH => folders.push((path, depth + 1)),
                Ok(data) if data.is_dir() || !is_wanted => {}
                Ok(data) if !data.is_file() => below.irregular.push(path),
                _ if is_wanted => below.scripts.push(path),
                _ => {}
            }
        }
    }
    below.scripts.sort();
    below
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}
