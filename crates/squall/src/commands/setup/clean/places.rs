//! The program's files on the disk, and how to remove them.
//!
//! Invariant: a removed file has a name that the program gives, in a folder reached without a link, and is not in use.

use ::finding::folder::{FINDINGS, unfinished};
use ::fuzz::findings;
use ::solver::cache::{InstallManifest, SolverCache};
use anyhow::{Context, Result, bail};
use files::atomic::leftovers;
use files::disk_use::{self, DiskUse, entries};
use files::inside;
use std::ffi::OsStr;
use std::fs::{self, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use triage::ledger::LEDGER;
use triage::reduction::TEMPORARY;

/// The kinds for `--remove`.
pub const KINDS: [&str; 7] = ["solvers", "builds", "commits", "answers", "seeds", "caches", "leftovers"];
/// The kinds that the program recreates when needed.
pub const CACHES: [&str; 4] = ["builds", "commits", "answers", "seeds"];
/// A temporary folder counts as a leftover if it was not written to for this time.
const STALE: Duration = Duration::from_secs(3600);
/// The files that identify a folder.
const MANIFEST: &str = "install.toml";
const CORPUS: &str = "corpus.json";
/// The locks of a campaign's folder, and of one of nights.
const LOCK: &str = ".lock";
/// The length of the name of a folder with programs of commits.
const COMMIT_KEY: usize = 16;
/// The folder of campaigns in a folder of nights.
const NIGHTS: &str = "nights";
/// The prefix of the names of a campaign's database files.
const STORE: &str = "campaign.db";

/// Files and folders that belong together.
pub struct DiskItem {
    /// Their kind, as `--remove` names it.
    pub what: &'static str,
    /// Their name; empty for a single item.
    pub name: String,
    /// The folder that the user named, or the cache.
    pub root: PathBuf,
    /// Their size.
    pub taken: DiskUse,
    /// When a solver was started last, in seconds since 1970, if the file system records it.
    pub last_used: Option<u64>,
    /// Their paths below the root.
    paths: Vec<PathBuf>,
    /// Lock files below the root; a user of the files locks one of them.
    locks: Vec<PathBuf>,
}

impl DiskItem {
    /// `paths` are absolute.
    fn new(what: &'static str, name: impl Into<String>, root: &Path, paths: Vec<PathBuf>) -> DiskItem {
        let below = |path: &PathBuf| path.strip_prefix(root).ok().map(Path::to_path_buf);
        let paths: Vec<PathBuf> = paths.iter().filter_map(below).collect();
        let taken = disk_use::of(paths.iter().map(|path| root.join(path)));
        let root = root.to_path_buf();
        DiskItem { what, name: name.into(), root, taken, last_used: None, paths, locks: Vec::new() }
    }

    /// Removes it. Returns the number of freed bytes.
    /// Errors: it is in use, a link is on its path, or an error of the system.
    pub fn remove(&self, cache: &SolverCache) -> Result<u64> {
        let mut held = Vec::new();
        for path in &self.locks {
            let lock = inside::open(&self.root, path)?;
            match lock.try_lock() {
                Ok(()) => held.push(lock),
                Err(TryLockError::WouldBlock) => bail!("another squall uses it; wait until that ends"),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
        if self.what == "solvers" {
            let folder = cache.root().join("solvers").join(&self.name);
            if let Some(pid) = runs_from(&folder) {
                bail!("process {pid} runs it; wait until that ends");
            }
            // One rename removes it from its place, so that no partial solver is ever there.
            if !cache.remove_folder(&folder)? {
                bail!("it no longer exists");
            }
        }
        for path in self.paths.iter().filter(|_| self.what != "solvers") {
            inside::remove_tree(&self.root, path).with_context(|| path.display().to_string())?;
        }
        Ok(self.taken.bytes - self.taken.shared)
    }
}

/// Finds a process whose command line names something in a folder.
fn runs_from(folder: &Path) -> Option<String> {
    let named = [folder.as_os_str().as_encoded_bytes(), b"/"].concat();
    entries(Path::new("/proc")).into_iter().find_map(|process| {
        let line = fs::read(process.join("cmdline")).ok()?;
        let pid = name_of(&process);
        line.windows(named.len()).any(|bytes| bytes == named).then_some(pid).filter(|pid| pid.parse::<u32>().is_ok())
    })
}

/// Returns the contents of the cache.
pub fn of_cache(cache: &SolverCache) -> Vec<DiskItem> {
    let root = &fs::canonicalize(cache.root()).unwrap_or_else(|_| cache.root().to_path_buf());
    let mut items = Vec::new();
    for folder in entries(&root.join("solvers")).into_iter().filter(|folder| has(folder, MANIFEST)) {
        let last_used = last_used(&folder);
        items.push(DiskItem { last_used, ..DiskItem::new("solvers", name_of(&folder), root, vec![folder]) });
    }
    for what in ["builds", "commits"] {
        let all = entries(&root.join(what));
        let is_lock = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "lock");
        let held: Vec<PathBuf> = all.iter().filter(is_lock).map(|path| below(root, path).to_path_buf()).collect();
        for folder in all.iter().filter(|path| is_folder(path)) {
            let name = name_of(folder);
            let beside = |ending: &str| folder.with_file_name(format!("{name}.{ending}"));
            let own = below(root, &beside("lock")).to_path_buf();
            let locks = match held.contains(&own) {
                true => vec![own],
                // The programs of commits: a process that builds more has a checkout.
                false if what == "commits" && name.len() == COMMIT_KEY && is_hash(&name) => held.clone(),
                false => continue,
            };
            let paths = [folder.clone(), beside("log"), beside("lock")];
            let paths = paths.into_iter().filter(|path| path.symlink_metadata().is_ok()).collect();
            items.push(DiskItem { locks, ..DiskItem::new(what, name, root, paths) });
        }
    }
    for (what, ending) in [("answers", ".json"), ("seeds", "")] {
        let is_ours =
            |path: &PathBuf| name_of(path).strip_suffix(ending).is_some_and(|name| name.len() == 64 && is_hash(name));
        let paths: Vec<PathBuf> = entries(&root.join(what)).into_iter().filter(is_ours).collect();
        items.push(DiskItem::new(what, "", root, paths));
    }
    let corpora = entries(&root.join("corpora")).into_iter().filter(|folder| has(folder, CORPUS));
    let corpora: Vec<PathBuf> = corpora.collect();
    let mut left: Vec<PathBuf> = SolverCache::at(root).abandoned();
    for folder in corpora.iter().cloned().chain(["answers", "seeds"].map(|name| root.join(name))) {
        left.extend(leftovers(&folder).into_iter().filter(|path| inside::is_without_links(root, below(root, path))));
    }
    items.push(DiskItem::new("leftovers", "of killed processes", root, left));
    items.extend(corpora.into_iter().map(|folder| DiskItem::new("corpora", name_of(&folder), root, vec![folder])));
    rest(root, &mut items);
    let temporary = std::env::temp_dir();
    let is_left = |path: &PathBuf| name_of(path).starts_with(TEMPORARY) && is_stale_check(path);
    let left = entries(&temporary).into_iter().filter(is_left).collect();
    items.push(DiskItem::new("leftovers", "of reductions", &temporary, left));
    items
}

/// Returns the contents of a campaign's folder, or of one of nights.
/// Errors: it is neither.
pub fn of_campaign(out: &Path) -> Result<Vec<DiskItem>> {
    let root = &fs::canonicalize(out)?;
    if !has(root, LEDGER) && findings::manifest(root)?.is_none() {
        bail!("'{}' has no campaign; name the folder given to one with --out", out.display());
    }
    let nights = entries(&root.join(NIGHTS)).into_iter().filter(|night| has(night, "campaign.json"));
    let folders: Vec<PathBuf> = [root.clone()].into_iter().chain(nights).collect();
    let mut left = Vec::new();
    for folder in &folders {
        let findings = folder.join(FINDINGS);
        left.extend(leftovers(folder));
        for finding in entries(&findings).into_iter().filter(|path| is_folder(path)) {
            left.extend(leftovers(&finding));
        }
        left.extend(if is_folder(&findings) { unfinished(&findings) } else { Vec::new() });
    }
    let in_all = |name: &str| folders.iter().map(|folder| folder.join(name)).collect::<Vec<_>>();
    let stores = ["", "-wal", "-shm"].iter().flat_map(|more| in_all(&format!("{STORE}{more}"))).collect();
    let locks = vec![PathBuf::from(LOCK)];
    let left = DiskItem { locks, ..DiskItem::new("leftovers", "of killed processes", root, left) };
    let mut findings = DiskItem::new("findings", "", root, in_all(FINDINGS));
    // They are among the findings.
    findings.taken.bytes = findings.taken.bytes.saturating_sub(left.taken.bytes);
    let mut items = vec![findings, DiskItem::new("store", "", root, stores), left];
    rest(root, &mut items);
    Ok(items)
}

/// Adds the remaining files.
fn rest(root: &Path, items: &mut Vec<DiskItem>) {
    let mut rest = DiskItem::new("other", "", root, vec![root.to_path_buf()]);
    let known: u64 = items.iter().map(|item| item.taken.bytes).sum();
    rest.taken.bytes = rest.taken.bytes.saturating_sub(known);
    rest.taken.files = rest.taken.files.saturating_sub(items.iter().map(|item| item.taken.files).sum());
    items.push(rest);
}

fn is_hash(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_hexdigit())
}

fn below<'p>(root: &Path, path: &'p Path) -> &'p Path {
    path.strip_prefix(root).unwrap_or(path)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(OsStr::new("")).to_string_lossy().into_owned()
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|data| data.is_dir())
}

/// Whether a path is a folder with this file, and neither is a link.
fn has(folder: &Path, file: &str) -> bool {
    is_folder(folder) && folder.join(file).symlink_metadata().is_ok_and(|data| data.is_file())
}

/// Whether a path is a folder of a killed reduction, and contains nothing else.
fn is_stale_check(folder: &Path) -> bool {
    let written = fs::symlink_metadata(folder).and_then(|data| data.modified());
    let is_stale = written.is_ok_and(|then| SystemTime::now().duration_since(then).is_ok_and(|age| age > STALE));
    is_folder(folder) && is_stale && entries(folder).iter().all(|path| name_of(path).starts_with("candidate-"))
}

/// When the program of an installed solver was read last, if after its installation. File systems record it daily, or never.
fn last_used(folder: &Path) -> Option<u64> {
    let manifest = folder.join(MANIFEST);
    let installed = manifest.metadata().ok()?.mtime();
    let manifest: InstallManifest = toml::from_str(&files::found_text(&manifest).ok()?).ok()?;
    let words = manifest.command.iter().filter(|word| Path::new(word).is_relative()).map(|word| folder.join(word));
    let read =
        words.filter_map(|path| path.symlink_metadata().ok().filter(|data| data.is_file())).map(|data| data.atime());
    read.max().filter(|read| *read > installed).and_then(|read| u64::try_from(read).ok())
}
