//! What the program keeps on the disk, place by place, and how each thing there is removed.
//!
//! Invariant: what is removed has a name that the program gives, in a folder that is reached without a link, and nobody works on it.

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

/// What `--remove` may name.
pub const KINDS: [&str; 7] = ["solvers", "builds", "commits", "answers", "seeds", "caches", "leftovers"];
/// Those that are made again where they are missed, without a word of the user.
pub const CACHES: [&str; 4] = ["builds", "commits", "answers", "seeds"];
/// A temporary folder is left behind if nothing was written to it for so long.
const STALE: Duration = Duration::from_secs(3600);
/// The files that say what a folder is.
const MANIFEST: &str = "install.toml";
const CORPUS: &str = "corpus.json";
/// The lock of a campaign's folder, and of that of nights.
const LOCK: &str = ".lock";
/// How long the name is of a folder with programs of commits.
const COMMIT_KEY: usize = 16;
/// The campaigns in a folder of nights.
const NIGHTS: &str = "nights";
/// The database of a campaign: its name, also with what SQLite appends.
const STORE: &str = "campaign.db";

/// Files and folders that belong together.
pub struct DiskItem {
    /// What they are, as `--remove` names them.
    pub what: &'static str,
    /// Which of these; empty where there is one.
    pub name: String,
    /// The folder that the user named, or that of the cache.
    pub root: PathBuf,
    /// What they take.
    pub taken: DiskUse,
    /// When a solver was started last, in seconds since 1970, as far as the file system tells.
    pub last_used: Option<u64>,
    /// Where they are below the root.
    paths: Vec<PathBuf>,
    /// Files below the root, one of which is locked by whoever works on them.
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

    /// Removes it; how many bytes are free by that.
    ///
    /// # Errors
    /// Somebody works on it, a link is on the way, or what the system says.
    pub fn remove(&self, cache: &SolverCache) -> Result<u64> {
        let mut held = Vec::new();
        for path in &self.locks {
            let lock = inside::open(&self.root, path)?;
            match lock.try_lock() {
                Ok(()) => held.push(lock),
                Err(TryLockError::WouldBlock) => bail!("another squall works on it; wait for its end"),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
        if self.what == "solvers" {
            let folder = cache.root().join("solvers").join(&self.name);
            if let Some(pid) = runs_from(&folder) {
                bail!("process {pid} runs it; wait for its end");
            }
            // It leaves its place by one rename, so that a half solver is never there.
            if !cache.remove_folder(&folder)? {
                bail!("it is gone");
            }
        }
        for path in self.paths.iter().filter(|_| self.what != "solvers") {
            inside::remove_tree(&self.root, path).with_context(|| path.display().to_string())?;
        }
        Ok(self.taken.bytes - self.taken.shared)
    }
}

/// A process whose command line names something in a folder.
fn runs_from(folder: &Path) -> Option<String> {
    let named = [folder.as_os_str().as_encoded_bytes(), b"/"].concat();
    entries(Path::new("/proc")).into_iter().find_map(|process| {
        let line = fs::read(process.join("cmdline")).ok()?;
        let pid = name_of(&process);
        line.windows(named.len()).any(|bytes| bytes == named).then_some(pid).filter(|pid| pid.parse::<u32>().is_ok())
    })
}

/// What the cache holds.
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
                // The programs of commits: whoever builds others has a checkout.
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

/// What the folder of a campaign holds, or that of nights.
///
/// # Errors
/// It is neither.
pub fn of_campaign(out: &Path) -> Result<Vec<DiskItem>> {
    let root = &fs::canonicalize(out)?;
    if !has(root, LEDGER) && findings::manifest(root)?.is_none() {
        bail!("'{}' holds no campaign; name the folder that one was given with --out", out.display());
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
    // They lie among the findings.
    findings.taken.bytes = findings.taken.bytes.saturating_sub(left.taken.bytes);
    let mut items = vec![findings, DiskItem::new("store", "", root, stores), left];
    rest(root, &mut items);
    Ok(items)
}

/// Adds what is none of the items.
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

/// Whether it is a folder with such a file, and neither is a link.
fn has(folder: &Path, file: &str) -> bool {
    is_folder(folder) && folder.join(file).symlink_metadata().is_ok_and(|data| data.is_file())
}

/// Whether it is a folder of a reduction that was killed, with nothing else in it than what such a one holds.
fn is_stale_check(folder: &Path) -> bool {
    let written = fs::symlink_metadata(folder).and_then(|data| data.modified());
    let is_stale = written.is_ok_and(|then| SystemTime::now().duration_since(then).is_ok_and(|age| age > STALE));
    is_folder(folder) && is_stale && entries(folder).iter().all(|path| name_of(path).starts_with("candidate-"))
}

/// When the program of an installed solver was read last, if that was after it was installed. File systems note it once a day, or never.
fn last_used(folder: &Path) -> Option<u64> {
    let manifest = folder.join(MANIFEST);
    let installed = manifest.metadata().ok()?.mtime();
    let manifest: InstallManifest = toml::from_str(&files::found_text(&manifest).ok()?).ok()?;
    let words = manifest.command.iter().filter(|word| Path::new(word).is_relative()).map(|word| folder.join(word));
    let read =
        words.filter_map(|path| path.symlink_metadata().ok().filter(|data| data.is_file())).map(|data| data.atime());
    read.max().filter(|read| *read > installed).and_then(|read| u64::try_from(read).ok())
}
