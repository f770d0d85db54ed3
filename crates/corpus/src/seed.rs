//! Seeds: their sources, and the result of parsing one.

use files::sha256;
use include_dir::{Dir, include_dir};
use smtlib::sexpr::{ItemKind, items};
use smtlib::{Command, Instance, Script, Store};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum size of a seed, in bytes. Larger ones make mutants that no solver answers in time.
pub const MAX_SEED_BYTES: u64 = 32 << 20;

/// The number of bytes at the start of a seed that are searched for its `set-logic`.
const LOGIC_HEAD: usize = 64 << 10;

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../seeds");

/// Where a seed comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeedSource {
    /// Embedded in this program.
    Embedded(&'static include_dir::File<'static>),
    /// In a file.
    File(PathBuf),
    /// Read from a pipe or device, which can be read only once.
    Piped {
        /// The path that was named.
        name: String,
        /// Its content.
        bytes: Arc<[u8]>,
    },
    /// On another machine.
    Remote(Remote),
}

/// A seed on another machine, known by its contents.
#[derive(Clone)]
pub struct Remote {
    /// Its name there.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// How to get it.
    pub fetch: Arc<dyn Fetch>,
}

/// Gets seeds from another machine.
pub trait Fetch: Send + Sync {
    /// Returns the bytes with this SHA-256.
    /// Errors: the bytes are not available; the error gives the reason.
    fn fetch(&self, sha256: &str) -> std::io::Result<Vec<u8>>;
}

impl PartialEq for Remote {
    fn eq(&self, other: &Remote) -> bool {
        (&self.name, &self.sha256) == (&other.name, &other.sha256)
    }
}

impl Eq for Remote {}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name, self.sha256)
    }
}

/// A seed that was read.
pub struct Seed {
    /// Where the seed came from: [`SeedSource::name`].
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Its terms.
    pub store: Store,
    /// Its commands; at least one of them is a check.
    pub script: Script,
    /// What each check asks; never empty.
    pub instances: Vec<Instance>,
}

/// Why a seed cannot be used. It is skipped and counted.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// The seed cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// The seed is too large.
    #[error("larger than {} MiB", MAX_SEED_BYTES >> 20)]
    TooLarge,
    /// The seed has errors, or bytes that are not UTF-8.
    #[error("line {line}, column {column}: {message}{}", others(*.count))]
    Mistakes {
        /// The line of the first, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// The first error's message.
        message: String,
        /// The number of errors.
        count: usize,
    },
    /// The seed asserts nothing.
    #[error("holds no assertion")]
    Empty,
}

fn others(count: usize) -> String {
    if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() }
}

/// Why the seeds named cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// A file or folder named by the user cannot be read.
    #[error("cannot read seeds from '{path}': {source}")]
    Path {
        /// What was named.
        path: String,
        /// The I/O error.
        source: std::io::Error,
    },
    /// No seed sets a requested logic.
    #[error("no seed sets the logic {wanted}: {others}")]
    Logic {
        /// The requested logics.
        wanted: String,
        /// The logics that seeds set.
        others: String,
    },
    /// There are no seeds.
    #[error("no seeds in {0}: a folder is searched for files whose names end in .smt2")]
    None(String),
}

impl SeedSource {
    /// Returns the name shown: a path, or `embedded:` and a path within the program.
    pub fn name(&self) -> String {
        match self {
            SeedSource::Embedded(file) => format!("embedded:{}", file.path().display()),
            SeedSource::File(path) => path.display().to_string(),
            SeedSource::Piped { name, .. } => name.clone(),
            SeedSource::Remote(remote) => remote.name.clone(),
        }
    }

    /// Reads and sort-checks the seed.
    /// Errors: [`Unusable`] if the seed cannot be read or has an error.
    pub fn load(&self) -> Result<Seed, Unusable> {
        self.load_into(Store::new())
    }

    /// Reads and sort-checks the seed. Its terms are added to `store`, whose own terms stay valid.
    /// Errors: [`Unusable`] if the seed cannot be read or has an error.
    pub fn load_into(&self, store: Store) -> Result<Seed, Unusable> {
        match self {
            SeedSource::Embedded(file) => read(store, self.name(), file.contents()),
            SeedSource::Piped { name, bytes } => read(store, name.clone(), bytes),
            SeedSource::File(_) | SeedSource::Remote(_) => read(store, self.name(), &self.bytes()?),
        }
    }

    /// Returns the seed's size and its first bytes, at most `most`.
    /// Errors: the seed's file cannot be read.
    pub fn head(&self, most: usize) -> std::io::Result<(u64, Vec<u8>)> {
        match self {
            SeedSource::Embedded(file) => Ok(head_of(file.contents(), most)),
            SeedSource::Piped { bytes, .. } => Ok(head_of(bytes, most)),
            SeedSource::File(path) => {
                // A pipe could be read only once.
                if !std::fs::metadata(path)?.is_file() {
                    return Ok((0, Vec::new()));
                }
                let file = File::open(path)?;
                let size = file.metadata()?.len();
                let mut head = Vec::new();
                file.take(most as u64).read_to_end(&mut head)?;
                Ok((size, head))
            }
            // The coordinator has the seeds.
            SeedSource::Remote(_) => Ok((0, Vec::new())),
        }
    }

    /// Returns the first logic that the seed sets; `None` if it sets none in its first [`LOGIC_HEAD`] bytes or cannot
    /// be read.
    fn first_logic(&self) -> Option<String> {
        let (_, head) = self.head(LOGIC_HEAD).ok()?;
        let lists = items(&head).filter(|item| item.kind == ItemKind::List);
        let mut commands = lists.filter_map(|item| std::str::from_utf8(&head[item.span]).ok());
        commands.find_map(|command| {
            let name = command.strip_prefix('(')?.trim_start().strip_prefix("set-logic")?;
            let name = name.strip_suffix(')').filter(|name| name.starts_with(char::is_whitespace))?;
            Some(name.trim().to_string())
        })
    }

    /// Returns the seed's bytes.
    /// Errors: [`Unusable`] when it cannot be read or is too large.
    pub fn bytes(&self) -> Result<Vec<u8>, Unusable> {
        match self {
            SeedSource::Embedded(file) => Ok(file.contents().to_vec()),
            SeedSource::File(path) => bounded(path),
            SeedSource::Piped { bytes, .. } => Ok(bytes.to_vec()),
            SeedSource::Remote(remote) => Ok(remote.fetch.fetch(&remote.sha256)?),
        }
    }
}

/// Returns the seeds embedded in this program, sorted by name.
pub fn embedded() -> Vec<SeedSource> {
    let mut found = Vec::new();
    let mut folders = vec![&EMBEDDED];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        found.extend(folder.files().filter(|f| is_seed(f.path())).map(SeedSource::Embedded));
    }
    found.sort_by_key(SeedSource::name);
    found
}

/// Lists the seeds in these files and folders (searched for `.smt2` files), sorted per path, without duplicates. A pipe or
/// device that is named directly is read at once, since a campaign reads its seeds again and again.
/// Errors: a path does not exist, a pipe cannot be read, or there is no seed at all. Unreadable files inside a folder
/// are reported
/// later.
pub fn collect(paths: &[PathBuf]) -> Result<Vec<SeedSource>, CollectError> {
    let mut found: Vec<SeedSource> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for path in paths {
        let failed = |source| CollectError::Path { path: path.display().to_string(), source };
        let data = std::fs::metadata(path).map_err(failed)?;
        let files = match data.is_dir() {
            true => {
                std::fs::read_dir(path).map_err(failed)?;
                files::scripts_below(path).scripts
            }
            false => vec![path.clone()],
        };
        for file in files.into_iter().filter(|file| seen.insert(file.clone())) {
            found.push(match data.is_dir() || data.is_file() {
                true => SeedSource::File(file),
                false => piped(&file).map_err(failed)?,
            });
        }
    }
    if found.is_empty() {
        let names: Vec<String> = paths.iter().map(|p| format!("'{}'", p.display())).collect();
        return Err(CollectError::None(names.join(", ")));
    }
    Ok(found)
}

/// Keeps the seeds that set one of these logics near their beginning; all seeds if no logic is named.
/// Errors: no seed sets one of the logics.
pub fn of_logics(seeds: Vec<SeedSource>, logics: &[String]) -> Result<Vec<SeedSource>, CollectError> {
    if logics.is_empty() {
        return Ok(seeds);
    }
    let mut others = BTreeSet::new();
    let mut kept = Vec::new();
    for seed in seeds {
        match seed.first_logic() {
            Some(logic) if logics.contains(&logic) => kept.push(seed),
            logic => others.extend(logic),
        }
    }
    match kept.is_empty() {
        true => Err(CollectError::Logic { wanted: logics.join(", "), others: listed(others) }),
        false => Ok(kept),
    }
}

fn listed(names: BTreeSet<String>) -> String {
    match names.is_empty() {
        true => "none sets a logic".to_string(),
        false => format!("they set {}", Vec::from_iter(names).join(", ")),
    }
}

fn piped(path: &Path) -> std::io::Result<SeedSource> {
    let bytes = bounded(path).map_err(|error| match error {
        Unusable::Unreadable(error) => error,
        other => std::io::Error::other(other.to_string()),
    })?;
    Ok(SeedSource::Piped { name: path.display().to_string(), bytes: bytes.into() })
}

/// Returns the size of a seed at hand, and its first bytes.
fn head_of(bytes: &[u8], most: usize) -> (u64, Vec<u8>) {
    (bytes.len() as u64, bytes[..bytes.len().min(most)].to_vec())
}

impl Seed {
    /// Returns the logic in force at this check, if one is set.
    pub fn logic(&self, instance: usize) -> Option<&str> {
        let logic = self.instances.get(instance)?.logic?;
        Some(self.store.name(logic))
    }

    /// Returns the same seed with an empty store, for callers that keep its terms elsewhere.
    pub fn clone_without_terms(&self) -> Seed {
        Seed {
            name: self.name.clone(),
            sha256: self.sha256.clone(),
            store: Store::new(),
            script: self.script.clone(),
            instances: self.instances.clone(),
        }
    }
}

fn is_seed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "smt2")
}

/// Reads a file unless it is too large. A pipe or device that never ends is cut off, too.
fn bounded(path: &Path) -> Result<Vec<u8>, Unusable> {
    let file = File::open(path)?;
    if file.metadata()?.len() > MAX_SEED_BYTES {
        return Err(Unusable::TooLarge);
    }
    let mut bytes = Vec::new();
    file.take(MAX_SEED_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SEED_BYTES {
        return Err(Unusable::TooLarge);
    }
    Ok(bytes)
}

fn read(mut store: Store, name: String, bytes: &[u8]) -> Result<Seed, Unusable> {
    let mistakes = |errors: &[smtlib::Error]| -> Option<Unusable> {
        let first = errors.first()?;
        let (line, column) = first.position(&String::from_utf8_lossy(bytes));
        Some(Unusable::Mistakes { line, column, message: first.message.clone(), count: errors.len() })
    };
    let parsed = match smtlib::parse_bytes(&mut store, bytes) {
        Ok(parsed) => parsed,
        Err(error) => return Err(mistakes(&[error]).unwrap_or(Unusable::Empty)),
    };
    if let Some(unusable) = mistakes(&parsed.errors) {
        return Err(unusable);
    }
    let mut script = parsed.script;
    if !script.commands.iter().any(Command::is_check) {
        // A file with only declarations and assertions gets an implicit `(check-sat)`.
        script.commands.push(Command::CheckSat);
    }
    // Commands carried as text are never mutated, and relations between answers hold for them, too.
    let asks = |instance: &Instance| !instance.assertions.is_empty() || instance.incomplete;
    let instances: Vec<Instance> = script.each_instance().filter(asks).collect();
    if instances.is_empty() {
        return Err(Unusable::Empty);
    }
    Ok(Seed { name, sha256: sha256(bytes), store, script, instances })
}
