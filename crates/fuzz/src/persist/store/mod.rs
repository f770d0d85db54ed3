//! The embedded store of a campaign: SQLite, with a write-ahead log, written in batches.
//!
//! Invariant: the findings folder is authoritative for findings. The store may be thrown away; only counts and the exact set of completed
//! units are lost then, never a finding.

mod merge;
mod past;
mod schema;
pub mod summary;
mod write;

#[cfg(test)]
#[path = "../../../tests/unit/store.rs"]
mod tests;

use rusqlite::{Connection, ErrorCode};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for a reader of the store.
const PATIENCE: Duration = Duration::from_secs(10);
/// The number of different names for damaged stores, before the last name is reused.
const ASIDE: u32 = 100;

/// The fact that a campaign uses the store.
const USED: &str = "used";

/// An open store.
#[derive(Debug)]
pub struct CampaignStore {
    connection: Connection,
}

/// The result of opening a store.
#[derive(Debug)]
pub enum Opened {
    /// The store, new or existing.
    Whole(CampaignStore),
    /// The store was damaged and renamed; this is a new one.
    Damaged {
        /// The new store.
        store: CampaignStore,
        /// The name of the damaged one.
        aside: String,
        /// The error.
        cause: String,
    },
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store or its log is a link, a pipe or the like.
    #[error("'{0}' is not a regular file; nothing else is opened in the folder of a campaign")]
    Irregular(String),
    /// A later program wrote it.
    #[error(
        "'{path}' is a store of version {found}, this program knows {known}; use a newer squall, or another folder with --out"
    )]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: i64,
        /// The latest version known here.
        known: usize,
    },
    /// The file belongs to another program.
    #[error("'{0}' is a database of another program; move it away, or name another folder with --out")]
    Foreign(String),
    /// A damaged one could not be renamed.
    #[error("cannot put the damaged store '{path}' aside: {source}")]
    Aside {
        /// The file.
        path: String,
        /// The error.
        source: std::io::Error,
    },
    /// An SQLite error.
    #[error("the campaign's store: {0}")]
    Sql(#[from] rusqlite::Error),
}

impl StoreError {
    /// Whether the disk is full.
    pub fn is_full(&self) -> bool {
        let StoreError::Sql(error) = self else { return false };
        // The second error comes from a log whose index cannot grow.
        error.sqlite_error_code() == Some(ErrorCode::DiskFull)
            || error.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
    }

    /// Whether the file is damaged.
    pub fn is_damage(&self) -> bool {
        let code = match self {
            StoreError::Sql(error) => error.sqlite_error_code(),
            _ => None,
        };
        matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
    }
}

impl CampaignStore {
    /// Opens or creates the store at a path. A damaged one is renamed.
    /// Errors: it has a later version or belongs to another program, or the system reports an error.
    pub fn open(path: &Path) -> Result<Opened, StoreError> {
        match CampaignStore::open_whole(path) {
            Ok(store) => Ok(Opened::Whole(store)),
            Err(error) if error.is_damage() => {
                let aside = put_aside(path)?;
                let store = CampaignStore::open_whole(path)?;
                Ok(Opened::Damaged { store, aside: aside.display().to_string(), cause: error.to_string() })
            }
            Err(error) => Err(error),
        }
    }

    /// Whether no campaign has used it yet.
    pub(crate) fn is_new(&self) -> Result<bool, StoreError> {
        Ok(self.fact::<i64>(USED)?.is_none())
    }

    /// Marks it as used by a campaign.
    pub(crate) fn greet(&self) -> Result<(), StoreError> {
        self.connection.execute("INSERT OR IGNORE INTO facts VALUES (?1, 1)", [USED])?;
        Ok(())
    }

    fn open_whole(path: &Path) -> Result<CampaignStore, StoreError> {
        check_files(path)?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        let version = check(&connection, path)?;
        // NORMAL writes to the log without waiting for the disk: a killed process loses nothing, a power failure at most the last
        // moments, and never consistency. Findings are synced separately.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        migrate(&mut connection, version)?;
        Ok(CampaignStore { connection })
    }
}

/// Checks that SQLite opens regular files only: it follows links, and waits for writers of a pipe.
fn check_files(path: &Path) -> Result<(), StoreError> {
    for end in ["", "-wal", "-shm", "-journal"] {
        let part = with_end(path, end);
        if part.symlink_metadata().is_ok_and(|data| !data.is_file()) {
            return Err(StoreError::Irregular(part.display().to_string()));
        }
    }
    Ok(())
}

/// Returns the version of a database of ours; 0 for a new one.
fn version(connection: &Connection, path: &Path) -> Result<usize, StoreError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    // Views in place of tables would run foreign queries, which may not terminate.
    const CODE: &str =
        "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger') OR sql LIKE 'CREATE VIRTUAL%'";
    let code: i64 = connection.query_row(CODE, [], |row| row.get(0))?;
    if tables > 0 && (application != schema::APPLICATION || code > 0) {
        return Err(StoreError::Foreign(path.display().to_string()));
    }
    let known = schema::STEPS.len();
    let newer = || StoreError::Newer { path: path.display().to_string(), found: version, known };
    usize::try_from(version).ok().filter(|version| *version <= known).ok_or_else(newer)
}

/// Returns the version of an intact database of ours; 0 for a new one.
fn check(connection: &Connection, path: &Path) -> Result<usize, StoreError> {
    let version = version(connection, path)?;
    let word: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    if word != "ok" {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        return Err(rusqlite::Error::SqliteFailure(code, Some(word)).into());
    }
    Ok(version)
}

/// Performs the missing migrations in one transaction: `squall status` may read while a campaign creates its store, and must not see the
/// tables of an older version.
fn migrate(connection: &mut Connection, version: usize) -> Result<(), StoreError> {
    if version == schema::STEPS.len() {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    for step in schema::STEPS.iter().skip(version) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", schema::APPLICATION)?;
    transaction.pragma_update(None, "user_version", schema::STEPS.len() as i64)?;
    transaction.commit()?;
    Ok(())
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(end);
    PathBuf::from(name)
}

/// Renames a store together with its log.
fn put_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let name = |n: u32| with_end(path, &format!(".damaged-{n}"));
    let aside = (1..ASIDE).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(ASIDE));
    for end in ["", "-wal", "-shm"] {
        match std::fs::rename(with_end(path, end), with_end(&aside, end)) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::Aside { path: path.display().to_string(), source });
            }
            _ => {}
        }
    }
    Ok(aside)
}
