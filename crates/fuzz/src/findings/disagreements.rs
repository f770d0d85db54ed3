//! Unresolved disagreements between solvers, stored as scripts in the campaign's folder.

use crate::sync::lock;
use files::digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, io};

/// The folder inside the campaign's folder.
pub const FOLDER: &str = "disagreements";
/// The scripts of a disagreement: as sent to a solver that answers `sat`, and to one that answers `unsat`.
const SCRIPTS: [&str; 2] = ["sat.smt2", "unsat.smt2"];
/// The maximum number stored per combination of answers, and in total.
const PER_GROUP: usize = 5;
const MOST: usize = 100;
/// The maximum number reported by a unit, and the maximum size of a script, in bytes.
pub(crate) const PER_UNIT: usize = 2;
pub(crate) const MAX_BYTES: usize = 64 << 10;

/// Contradicting answers to one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SolverDisagreement {
    /// The number of the check, from 0.
    pub check: usize,
    /// Each solver's answer, in the order in which they were asked.
    pub answers: Vec<(String, String)>,
    /// The scripts, for `sat` and `unsat`.
    pub scripts: [String; 2],
}

/// The stored disagreements: sizes and names, grouped by answers.
#[derive(Debug, Default)]
pub(crate) struct KeptDisagreements(Mutex<BTreeMap<String, Vec<(usize, String)>>>);

/// Returns the number of disagreements in a campaign's folder.
pub fn count(root: &Path) -> usize {
    folders(root).len()
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let (folder, mut all) = (root.join(FOLDER), Vec::new());
    if !folder.is_symlink() {
        all.extend(fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    all.retain(|path| !name(path).starts_with('.') && !path.is_symlink());
    all
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the answers named in a script's first line, and its size.
fn group_of(folder: &Path) -> Option<(String, usize)> {
    let text = files::found_text(folder.join(SCRIPTS[0])).ok()?;
    let group = text.lines().next()?.strip_prefix("; ")?.to_string();
    Some((group, text.len()))
}

impl SolverDisagreement {
    /// Returns all answers, the grouping key of disagreements.
    fn group(&self) -> String {
        let said: Vec<String> = self.answers.iter().map(|(solver, answer)| format!("{solver}: {answer}")).collect();
        said.join(", ").replace('\n', " ")
    }

    /// Adds the answers to a script as comments.
    fn commented(&self, script: &str) -> String {
        format!("; {}\n; (answers to check {}; it is unknown which is right)\n{script}", self.group(), self.check + 1)
    }
}

impl KeptDisagreements {
    /// Opens the disagreements of a campaign's folder. Removes partial ones left by a killed process.
    pub(crate) fn open(root: &Path) -> KeptDisagreements {
        for entry in fs::read_dir(root.join(FOLDER)).into_iter().flatten().flatten() {
            if name(&entry.path()).starts_with('.') {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let mut kept: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
        for folder in folders(root) {
            if let Some((group, bytes)) = group_of(&folder) {
                kept.entry(group).or_default().push((bytes, name(&folder)));
            }
        }
        KeptDisagreements(Mutex::new(kept))
    }

    /// Stores a disagreement if there is room, or in place of a larger one of its group.
    /// Errors: i/O errors; nothing is stored then.
    pub(crate) fn keep(&self, one: &SolverDisagreement, root: &Path) -> io::Result<()> {
        let scripts = one.scripts.each_ref().map(|script| one.commented(script));
        let name = digest::sha256(scripts.concat())[..16].to_string();
        self.put(root, &one.group(), (scripts[0].len(), name), |n| Ok(scripts[n].clone().into_bytes()))
    }

    /// Stores the disagreements of another campaign in the same way.
    /// Errors: a file cannot be copied.
    #[cfg(any(test, feature = "store"))]
    pub(crate) fn adopt(&self, from: &Path, root: &Path) -> io::Result<()> {
        for folder in folders(from) {
            let Some((group, bytes)) = group_of(&folder) else { continue };
            self.put(root, &group, (bytes, name(&folder)), |n| files::found(folder.join(SCRIPTS[n])))?;
        }
        Ok(())
    }

    fn put(
        &self,
        root: &Path,
        group: &str,
        (bytes, name): (usize, String),
        script: impl Fn(usize) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        let mut kept = lock(&self.0);
        let all: usize = kept.values().map(Vec::len).sum();
        let alike = kept.entry(group.to_string()).or_default();
        if alike.iter().any(|(_, known)| *known == name) {
            return Ok(());
        }
        let largest = alike.iter().max().cloned();
        let is_full = all >= MOST || alike.len() >= PER_GROUP;
        let replaced = match largest {
            _ if !is_full => None,
            Some((size, name)) if bytes < size => Some(name),
            _ => return Ok(()),
        };
        let folder = root.join(FOLDER);
        // Written under a temporary name and renamed, so partial ones are never visible.
        let partial = folder.join(format!(".{name}"));
        let _ = fs::remove_dir_all(&partial);
        fs::create_dir_all(&partial)?;
        let written = (0..SCRIPTS.len())
            .try_for_each(|n| files::atomic::write(&partial.join(SCRIPTS[n]), &script(n)?))
            .and_then(|()| fs::rename(&partial, folder.join(&name)));
        if let Err(error) = written {
            let _ = fs::remove_dir_all(&partial);
            return Err(error);
        }
        if let Some(old) = replaced {
            alike.retain(|(_, known)| *known != old);
            fs::remove_dir_all(folder.join(old))?;
        }
        alike.push((bytes, name));
        Ok(())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/disagreements.rs"]
mod tests;
