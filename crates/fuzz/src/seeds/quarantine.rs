//! Seeds whose labelled status is wrong: found out once, listed with the evidence, and used no further.
//!
//! Invariant: a seed gets here only when its label is refuted: a model makes every assertion of an `unsat` one true, as the
//! evaluator says, or two solvers contradict the label alike. One solver's word against it is a finding, no refutation.

use crate::findings::outdir::OutDir;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The list in the campaign's folder; the scripts that were sent lie beside it.
const LIST: &str = "quarantine.json";

/// A seed with a wrong label.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Quarantined {
    /// Its path, or `embedded:` and the path within the program.
    pub seed: String,
    /// SHA-256 of its bytes, in hexadecimal. Its name counts for nothing: a copy is as wrong.
    pub sha256: String,
    /// The wrong status and who gave it.
    pub label: String,
    /// The check that it is about, from 0.
    pub check: usize,
    /// What refutes it, in words.
    pub evidence: String,
    /// The script that was sent, in the campaign's folder.
    pub script: String,
    /// A command that shows it again.
    pub replay: String,
}

/// The seeds found out so far, in this campaign and those before it in the same folder.
#[derive(Debug, Default)]
pub(crate) struct Quarantine {
    list: Mutex<Vec<Quarantined>>,
}

impl Quarantine {
    /// What the folder of a campaign lists.
    pub(crate) fn open(out: &OutDir) -> Quarantine {
        let text = files::found_text(out.root().join(LIST)).unwrap_or_default();
        Quarantine { list: Mutex::new(serde_json::from_str(&text).unwrap_or_default()) }
    }

    fn list(&self) -> MutexGuard<'_, Vec<Quarantined>> {
        // It only ever grows, so a thread that panicked here left it whole.
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many seeds are in it.
    pub(crate) fn len(&self) -> usize {
        self.list().len()
    }

    /// Whether a seed of these bytes is in it.
    pub(crate) fn holds(&self, sha256: &str) -> bool {
        self.list().iter().any(|entry| entry.sha256 == sha256)
    }

    /// Adds a seed with the script that was sent, and returns the path of the list. None if it is in it already.
    ///
    /// # Errors
    /// Whatever the system says; the seed is used no further all the same.
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
