//! Copies the seeds of a comparison of fuzzers to folders that all of them use.

use super::peer::PeerSeeds;
use anyhow::{Context, Result};
use corpus::own_statuses;
use corpus::seed::{self, SeedSource};
use files::sha256;
use smtlib::Status;
use std::path::{Path, PathBuf};

/// Three folders of seeds: known to be satisfiable, known to be unsatisfiable, and others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedSeeds {
    /// The folder that holds the three.
    pub folder: PathBuf,
    /// The number of seeds.
    pub count: usize,
}

impl SharedSeeds {
    /// Copies the seeds of files and folders, or the embedded ones if there are no paths, to a folder below `root`. Its name is their
    /// digest, so different seeds never mix. Files that our reader rejects are left out.
    /// Errors: a path cannot be read, or a folder cannot be written.
    pub fn copy(paths: &[PathBuf], root: &Path) -> Result<SharedSeeds> {
        let sources = if paths.is_empty() { seed::embedded() } else { seed::collect(paths)? };
        let (mut digests, mut copies) = (String::new(), Vec::new());
        for (number, source) in sources.iter().enumerate() {
            let Ok(seed) = source.load() else { continue };
            let statuses = own_statuses(&seed).0;
            let all = |status: Status| statuses.iter().all(|stated| *stated == Some(status));
            let below = match () {
                () if all(Status::Sat) => "sat",
                () if all(Status::Unsat) => "unsat",
                () => "other",
            };
            let path = Path::new(below).join(name(source, number));
            digests.push_str(&format!("{}\0{}\0", path.display(), seed.sha256));
            copies.push((path, source));
        }
        anyhow::ensure!(!copies.is_empty(), "none of the seeds can be read; `squall check` says why");
        let folder = root.join(&sha256(digests.as_bytes())[..12]).join("all");
        for kind in ["sat", "unsat", "other"].map(|kind| folder.join(kind)) {
            std::fs::create_dir_all(&kind).with_context(|| format!("cannot make the folder {}", kind.display()))?;
        }
        for (path, source) in &copies {
            let path = folder.join(path);
            let bytes = source.bytes().with_context(|| format!("cannot read {}", source.name()))?;
            files::atomic::write(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(SharedSeeds { folder, count: copies.len() })
    }

    /// Returns the folder of a peer's seeds.
    pub fn of(&self, kind: PeerSeeds) -> PathBuf {
        match kind {
            PeerSeeds::All => self.folder.clone(),
            PeerSeeds::Sat => self.folder.join("sat"),
            PeerSeeds::Unsat => self.folder.join("unsat"),
        }
    }
}

/// Returns a name without blanks, since peers split command lines at blanks. The name has a number, since files in different folders may
/// share a name.
fn name(source: &SeedSource, number: usize) -> String {
    let name = source.name();
    let stem = Path::new(&name).file_stem().unwrap_or_default().to_string_lossy();
    let plain: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("s{number:05}_{plain}.smt2")
}
