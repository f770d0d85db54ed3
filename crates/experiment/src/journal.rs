//! Results kept on disk at once, one per line, so that interrupted work loses nothing.

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Results by a key, which names all conditions that matter: a result under other conditions is another one.
pub struct Journal<T>(Mutex<(HashMap<String, T>, File)>);

impl<T: Clone + Serialize + DeserializeOwned> Journal<T> {
    /// Opens or makes `journal.jsonl` in a folder, which is made, too.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn open(folder: &Path) -> Result<Journal<T>> {
        let path = folder.join("journal.jsonl");
        let open = || {
            std::fs::create_dir_all(folder)?;
            let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
            file.write_all(b"\n").map(|()| file)
        };
        let file = open().with_context(|| format!("cannot write {}", path.display()))?;
        let text = files::found(&path).unwrap_or_default();
        // Killed work may have left half a line.
        let lines = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        Ok(Journal(Mutex::new((lines.collect(), file))))
    }

    /// Returns a kept result.
    pub fn get(&self, key: &str) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.get(key).cloned()
    }

    /// Keeps a result.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, key: String, result: &T) -> Result<()> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(kept.1, "{}", serde_json::to_string(&(&key, result))?).context("cannot write the journal")?;
        kept.0.insert(key, result.clone());
        Ok(())
    }
}
