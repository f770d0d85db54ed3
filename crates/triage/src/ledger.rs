//! The ledger of nightly runs: one permanent folder with the known causes and the history of each.
//!
//! Invariant: a cause is in the ledger only if its finding is in the folder `findings`, so if a night is killed between the two steps,
//! the next one finds the cause again. Each report is recorded before the next one is made. Nights are ordered by their numbers; clock
//! times are only displayed.

use files::inside;
use finding::BugClass;
use finding::folder::{FINDINGS, FindingFolder, is_name};
use serde::{Deserialize, Serialize};
use solver::install::InstalledSolver;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The name of the ledger file.
pub const LEDGER: &str = "ledger.json";
/// The folder of campaigns inside the nights' folder.
const NIGHTS: &str = "nights";
/// The lock file that names the current owner of the folder.
const LOCK: &str = ".lock";
/// Marks a campaign's folder.
const MARK: &str = "campaign.json";
/// The version of the file format.
const FORMAT: u32 = 1;
/// The maximum file size, in bytes: 10,000 causes take about four million.
const MAX_BYTES: u64 = 256 << 20;

/// The results of all nights.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    format: u32,
    /// The number of nights begun.
    pub nights: u64,
    /// The program tested by the last night.
    pub program: Option<TestedProgram>,
    /// The causes by the names of their findings.
    pub causes: BTreeMap<String, KnownCause>,
}

/// A cause with its history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownCause {
    /// Its class.
    pub class: BugClass,
    /// The failure in one sentence.
    pub summary: String,
    /// The size of its script in bytes.
    pub bytes: usize,
    /// The first sighting.
    pub first: Sighting,
    /// The last sighting.
    pub last: Sighting,
    /// The first night that no longer showed it, if it is gone.
    pub gone: Option<Sighting>,
    /// Whether the cause reappeared after being gone and this is not reported yet.
    #[serde(default)]
    pub back: bool,
    /// The number of nights that met it.
    pub hits: u64,
    /// Whether its presence, or its absence, was reported.
    pub told: bool,
    /// Whether the command for new causes accepted it.
    pub handed: bool,
}

/// A night and its tested program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sighting {
    /// The night's number, from 1.
    pub night: u64,
    /// The time in seconds since 1970, by that machine's clock.
    pub at: u64,
    /// The program's name with its version.
    pub program: String,
}

/// A program under test, identified by its build.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestedProgram {
    /// Its name with its version.
    pub label: String,
    /// SHA-256 of the files that its command line names.
    pub sha256: String,
}

/// The folder of all nights, claimed by this process until dropped.
#[derive(Debug)]
pub struct NightFolder {
    root: PathBuf,
    _lock: File,
}

/// Why a folder of nights cannot be used.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// Another process has claimed it.
    #[error("another night runs in '{0}'; wait for its end, or choose another folder with --out")]
    Claimed(String),
    /// The file is not a ledger.
    #[error("'{path}' is not a ledger of this program: {cause}; move it away to start over")]
    Damaged {
        /// The file.
        path: String,
        /// The error.
        cause: String,
    },
    /// An I/O error.
    #[error("cannot use '{path}': {source}")]
    System {
        /// The file or folder.
        path: String,
        /// The error.
        source: io::Error,
    },
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger { format: FORMAT, nights: 0, program: None, causes: BTreeMap::new() }
    }
}

impl Ledger {
    /// Reads a ledger.
    /// Errors: [`LedgerError`] where it does not exist or is damaged.
    pub fn read(path: &Path) -> Result<Ledger, LedgerError> {
        let damaged = |cause: String| LedgerError::Damaged { path: path.display().to_string(), cause };
        let bytes = files::read::within(path, MAX_BYTES).map_err(|error| system(path)(io::Error::from(error)))?;
        let ledger: Ledger = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        if ledger.format != FORMAT {
            return Err(damaged(format!("its format is {}, but only {FORMAT} is supported", ledger.format)));
        }
        match ledger.causes.keys().find(|name| !is_name(name)) {
            Some(name) => Err(damaged(format!("{name:?} is not a finding's name"))),
            None => Ok(ledger),
        }
    }

    /// Returns the causes that are not gone.
    pub fn present(&self) -> impl Iterator<Item = (&String, &KnownCause)> {
        self.causes.iter().filter(|(_, cause)| cause.gone.is_none())
    }
}

impl KnownCause {
    /// Records a sighting: a cause that was gone is reported again.
    pub fn meet(&mut self, now: &Sighting) {
        self.last = now.clone();
        if self.gone.take().is_some() {
            (self.back, self.told, self.handed) = (true, false, false);
        }
    }
}

impl TestedProgram {
    /// Identifies a solver's program.
    pub fn of(solver: &InstalledSolver) -> TestedProgram {
        TestedProgram { label: solver.label(), sha256: solver.digest() }
    }
}

impl fmt::Display for TestedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.label, self.sha256.get(..8).unwrap_or(&self.sha256))
    }
}

impl NightFolder {
    /// Claims a folder and creates it if needed.
    /// Errors: [`LedgerError`] if another process has claimed it, or it cannot be written.
    pub fn claim(root: &Path) -> Result<NightFolder, LedgerError> {
        fs::create_dir_all(root).map_err(system(root))?;
        // Symbolic links are refused: nights write and remove files only inside their own folder.
        for name in [FINDINGS, NIGHTS] {
            inside::make_folder(root, name).map_err(system(&root.join(name)))?;
        }
        let path = root.join(LOCK);
        let lock = inside::open(root, LOCK).map_err(system(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(NightFolder { root: root.to_path_buf(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(LedgerError::Claimed(root.display().to_string())),
            Err(TryLockError::Error(source)) => Err(system(&path)(source)),
        }
    }

    /// Returns its ledger; an empty one in the first night.
    /// Errors: as [`Ledger::read`].
    pub fn ledger(&self) -> Result<Ledger, LedgerError> {
        let path = self.root.join(LEDGER);
        if path.exists() { Ledger::read(&path) } else { Ok(Ledger::default()) }
    }

    /// Writes the ledger atomically.
    /// Errors: an I/O error, such as a full disk.
    pub fn save(&self, ledger: &Ledger) -> Result<(), LedgerError> {
        self.write(
            LEDGER,
            serde_json::to_string_pretty(ledger).map_err(io::Error::from).map_err(system(&self.root))? + "\n",
        )
    }

    /// Writes a file of the folder atomically.
    /// Errors: an I/O error.
    pub fn write(&self, name: &str, text: String) -> Result<(), LedgerError> {
        inside::write(&self.root, name, text.as_bytes()).map_err(system(&self.root.join(name)))
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of a cause's finding.
    pub fn cause(&self, id: &str) -> PathBuf {
        self.root.join(FINDINGS).join(id)
    }

    /// Keeps the finding of a night.
    /// Errors: an I/O error.
    pub fn keep(&self, finding: &Path, id: &str) -> Result<(), LedgerError> {
        FindingFolder::at(finding).copy(&self.root.join(FINDINGS), id).map(drop).map_err(system(finding))
    }

    /// Returns the folder of a night's campaign.
    pub fn night(&self, number: u64) -> PathBuf {
        self.root.join(NIGHTS).join(format!("{number:05}"))
    }

    /// Returns the existing campaign folders of nights, in order. Other entries are ignored.
    pub fn nights(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.root.join(NIGHTS)).into_iter().flatten().flatten();
        let is_campaign = |entry: &fs::DirEntry| {
            let is_number = entry.file_name().to_str().is_some_and(|name| name.parse::<u64>().is_ok());
            is_number && entry.file_type().is_ok_and(|kind| kind.is_dir()) && entry.path().join(MARK).is_file()
        };
        let mut all: Vec<PathBuf> = entries.filter(is_campaign).map(|entry| entry.path()).collect();
        all.sort();
        all
    }
}

fn system(path: &Path) -> impl FnOnce(io::Error) -> LedgerError + use<> {
    let path = path.display().to_string();
    move |source| LedgerError::System { path, source }
}
