//! Seeds in a campaign: their models, their partners, and the quarantine of those with a wrong labelled status.
//!
//! Invariant: a seed is quarantined only when its label is refuted: according to the evaluator a model satisfies every assertion of an
//! `unsat` one, or two solvers contradict the label in the same way. A contradiction by a single solver is a finding, not a refutation.

pub mod models;
pub mod partner;

use crate::findings::OutDir;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The list in the campaign's folder, next to the scripts that were sent.
const LIST: &str = "quarantine.json";

/// A seed with a wrong label.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Quarantined {
    /// Its path, or `embedded:` and the path inside the program.
    pub seed: String,
    /// SHA-256 of its bytes, in hexadecimal. Its name does not matter: a copy is equally wrong.
    pub sha256: String,
    /// The wrong status and its source.
    pub label: String,
    /// The check that it is about, from 0.
    pub check: usize,
    /// A description of the refutation.
    pub evidence: String,
    /// The script that was sent, in the campaign's folder.
    pub script: String,
    /// A command that reproduces it.
    pub replay: String,
}

/// The quarantined seeds of this campaign and earlier ones in the same folder.
#[derive(Debug, Default)]
pub(crate) struct Quarantine {
    list: Mutex<Vec<Quarantined>>,
}

impl Quarantine {
    /// Opens the list of a campaign's folder.
    pub(crate) fn open(out: &OutDir) -> Quarantine {
        let text = files::found_text(out.root().join(LIST)).unwrap_or_default();
        Quarantine { list: Mutex::new(serde_json::from_str(&text).unwrap_or_default()) }
    }

    fn list(&self) -> MutexGuard<'_, Vec<Quarantined>> {
        // It only ever grows, so it is valid even after a panic.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of its seeds.
    pub(crate) fn len(&self) -> usize {
        self.list().len()
    }

    /// Whether the quarantine contains a seed of these bytes.
    pub(crate) fn holds(&self, sha256: &str) -> bool {
        self.list().iter().any(|entry| entry.sha256 == sha256)
    }

    /// Adds a seed with the script that was sent, and returns the path of the list. `None` if it is already listed.
    /// Errors: i/O errors; the seed is not used further anyway.
    pub(crate) fn add(&self, entry: Quarantined, script: &str, out: &OutDir) -> io::Result<Option<PathBuf>> {
        let mut list = self.list();
        if list.iter().any(|known| known.sha256 == entry.sha256) {
            return Ok(None);
        }
        let name = entry.script.clone();
        list.push(entry);
        out.replace(&name, script.as_bytes())?;
        out.replace(LIST, serde_json::to_string_pretty(&*list).map_err(io::Error::other)?.as_bytes())?;
        Ok(Some(out.root().join(LIST)))
    }
}
