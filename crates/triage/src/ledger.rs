//! What nights found, in one folder for ever: the causes that are kept, and the history of each.
//!
//! Invariant: a cause is in the ledger only if its finding is in the folder `findings`, so that a night that is killed between the two finds it
//! again. What was told is written before the next thing is told. Nights are ordered by their numbers; clocks are only shown.

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

/// The file's name in the folder.
pub const LEDGER: &str = "ledger.json";
/// The folder of campaigns in that of the nights.
const NIGHTS: &str = "nights";
/// The file that says whose the folder is at the moment.
const LOCK: &str = ".lock";
/// What a campaign's folder has.
const MARK: &str = "campaign.json";
/// The version of the file's layout.
const FORMAT: u32 = 1;
/// The largest file that is read, in bytes: 10,000 causes take some four millions.
const MAX_BYTES: u64 = 256 << 20;

/// What is known from all nights.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    format: u32,
    /// How many nights were begun.
    pub nights: u64,
    /// The program that the last night tested.
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
    /// What is wrong, in one sentence.
    pub summary: String,
    /// The size of its script in bytes.
    pub bytes: usize,
    /// Where it was seen first.
    pub first: Sighting,
    /// Where it was seen last.
    pub last: Sighting,
    /// Where it was first asked for in vain, if it is gone.
    pub gone: Option<Sighting>,
    /// Whether it was gone before it was there again, until that is told.
    #[serde(default)]
    pub back: bool,
    /// How often nights met it.
    pub hits: u64,
    /// Whether its being there, or being gone, was shown.
    pub told: bool,
    /// Whether the command that is given new causes took it.
    pub handed: bool,
}

/// A night, and what it tested.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sighting {
    /// The night's number, from 1.
    pub night: u64,
    /// When, in seconds since 1970 by the clock of that machine.
    pub at: u64,
    /// The program's name with its version.
    pub program: String,
}

/// A program under test, by what tells one build from another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestedProgram {
    /// Its name with its version.
    pub label: String,
    /// SHA-256 of the files that its command line names.
    pub sha256: String,
}

/// The folder of all nights, claimed by this process until it is dropped.
#[derive(Debug)]
pub struct NightFolder {
    root: PathBuf,
    _lock: File,
}

/// Why a folder of nights cannot be used.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// Another process has it.
    #[error("another night runs in '{0}'; wait for its end, or give this one another folder by --out")]
    Claimed(String),
    /// The file is no ledger.
    #[error("'{path}' is no ledger of this program: {cause}; move it away to begin anew")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        cause: String,
    },
    /// Whatever the system says.
    #[error("cannot use '{path}': {source}")]
    System {
        /// The file or folder.
        path: String,
        /// The system's word.
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
    ///
    /// # Errors
    /// [`LedgerError`] where there is none, or it is damaged.
    pub fn read(path: &Path) -> Result<Ledger, LedgerError> {
        let damaged = |cause: String| LedgerError::Damaged { path: path.display().to_string(), cause };
        let bytes = files::read::within(path, MAX_BYTES).map_err(|error| system(path)(io::Error::from(error)))?;
        let ledger: Ledger = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        if ledger.format != FORMAT {
            return Err(damaged(format!("its format is {}, and {FORMAT} is read", ledger.format)));
        }
        match ledger.causes.keys().find(|name| !is_name(name)) {
            Some(name) => Err(damaged(format!("{name:?} is no finding's name"))),
            None => Ok(ledger),
        }
    }

    /// The causes that are not gone.
    pub fn present(&self) -> impl Iterator<Item = (&String, &KnownCause)> {
        self.causes.iter().filter(|(_, cause)| cause.gone.is_none())
    }
}

impl KnownCause {
    /// It was met: one that was gone is told anew.
    pub fn meet(&mut self, now: &Sighting) {
        self.last = now.clone();
        if self.gone.take().is_some() {
            (self.back, self.told, self.handed) = (true, false, false);
        }
    }
}

impl TestedProgram {
    /// The program that a solver is. Files that cannot be read are left out.
    pub fn of(solver: &InstalledSolver) -> TestedProgram {
        let words = solver.command.iter().map(Path::new).chain(solver.spec.options().iter().map(Path::new));
        let named = words.filter(|word| word.is_file());
        let hashes: Vec<String> = named.filter_map(|file| files::digest::sha256_of_file(file).ok()).collect();
        TestedProgram { label: solver.label(), sha256: files::sha256(hashes.join(" ")) }
    }
}

impl fmt::Display for TestedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.label, self.sha256.get(..8).unwrap_or(&self.sha256))
    }
}

impl NightFolder {
    /// Claims a folder, which is made if it is not there.
    ///
    /// # Errors
    /// [`LedgerError`] when another process has it, or it cannot be written.
    pub fn claim(root: &Path) -> Result<NightFolder, LedgerError> {
        fs::create_dir_all(root).map_err(system(root))?;
        // A link in a stranger's folder leads nowhere: what nights write and remove is in theirs.
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

    /// Its ledger; an empty one in the first night.
    ///
    /// # Errors
    /// As [`Ledger::read`].
    pub fn ledger(&self) -> Result<Ledger, LedgerError> {
        let path = self.root.join(LEDGER);
        if path.exists() { Ledger::read(&path) } else { Ok(Ledger::default()) }
    }

    /// Writes the ledger, whole or not at all.
    ///
    /// # Errors
    /// The system's word, such as that the disk is full.
    pub fn save(&self, ledger: &Ledger) -> Result<(), LedgerError> {
        self.write(
            LEDGER,
            serde_json::to_string_pretty(ledger).map_err(io::Error::from).map_err(system(&self.root))? + "\n",
        )
    }

    /// Writes a file of the folder, whole or not at all.
    ///
    /// # Errors
    /// The system's word.
    pub fn write(&self, name: &str, text: String) -> Result<(), LedgerError> {
        inside::write(&self.root, name, text.as_bytes()).map_err(system(&self.root.join(name)))
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of a cause's finding.
    pub fn cause(&self, id: &str) -> PathBuf {
        self.root.join(FINDINGS).join(id)
    }

    /// Keeps the finding of a night.
    ///
    /// # Errors
    /// The system's word.
    pub fn keep(&self, finding: &Path, id: &str) -> Result<(), LedgerError> {
        FindingFolder::at(finding).copy(&self.root.join(FINDINGS), id).map(drop).map_err(system(finding))
    }

    /// The folder of a night's campaign.
    pub fn night(&self, number: u64) -> PathBuf {
        self.root.join(NIGHTS).join(format!("{number:05}"))
    }

    /// The campaigns of nights that are still there, the first first. What else lies beside them is none.
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
