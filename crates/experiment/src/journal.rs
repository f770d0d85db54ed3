//! Results that are written to disk at once, one per line, so that interrupted work loses nothing.

use anyhow::{Context, Result};
use rustix::fs::OFlags;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The name of the file.
const NAME: &str = "journal.jsonl";

/// Results by key. A key names all relevant conditions: results under other conditions have another key.
pub struct Journal<T>(Mutex<(HashMap<String, T>, File)>);

impl<T: Clone + Serialize + DeserializeOwned> Journal<T> {
    /// Opens `journal.jsonl` in a folder, and makes both if needed. If the file is a link, it is not followed: the folder may come from
    /// others.
    /// Errors: the file cannot be read or written, or is larger than [`files::MAX_BYTES`].
    pub fn open(folder: &Path) -> Result<Journal<T>> {
        let path = folder.join(NAME);
        let open = || {
            std::fs::create_dir_all(folder)?;
            let mut file = files::inside::open(folder, NAME)?;
            rustix::fs::fcntl_setfl(&file, OFlags::APPEND)?;
            file.write_all(b"\n").map(|()| file)
        };
        let file = open().with_context(|| format!("cannot write {}", path.display()))?;
        let text = files::found(&path).with_context(|| format!("cannot read {}", path.display()))?;
        // A killed process may have left half a line.
        let lines = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        Ok(Journal(Mutex::new((lines.collect(), file))))
    }

    /// Returns a kept result.
    pub fn get(&self, key: &str) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.get(key).cloned()
    }

    /// Keeps a result.
    /// Errors: the file cannot be written.
    pub fn keep(&self, key: String, result: &T) -> Result<()> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One write per line: two commands may use the same folder.
        let line = serde_json::to_string(&(&key, result))? + "\n";
        kept.1.write_all(line.as_bytes()).context("cannot write the journal")?;
        kept.0.insert(key, result.clone());
        Ok(())
    }
}
