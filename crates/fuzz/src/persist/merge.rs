//! Merges the folders of a campaign that was done in parts.

use crate::counts::stats::Snapshot;
use crate::findings::disagreements::KeptDisagreements;
use crate::findings::{OutDir, OutError};
use crate::persist::checkpoint::STORE;
use crate::persist::manifest::{self, SHARD};
use crate::persist::store::{CampaignStore, Opened, StoreError};
use crate::persist::stored_findings;
use crate::schedule::completed::Shard;
use crate::state::finding_index::{FindingCounts, FindingIndex, GroupKey};
use finding::folder::FindingFolder;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The result of a merge.
#[derive(Clone, PartialEq, Debug)]
pub struct Merged {
    /// All counts.
    pub counts: Snapshot,
    /// The counts of findings.
    pub tally: FindingCounts,
    /// The number of findings on disk.
    pub findings: usize,
    /// The number of merged parts, and of all parts.
    pub parts: (usize, u64),
}

/// Why folders cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A folder cannot be used.
    #[error(transparent)]
    Out(#[from] OutError),
    /// A store cannot be used.
    #[error("'{path}': {source}")]
    Store {
        /// The folder.
        path: String,
        /// The cause.
        source: StoreError,
    },
    /// It holds no campaign with a store.
    #[error(
        "'{0}' holds no campaign with a store ({STORE}); name the folders that squall fuzz --shard K/N --out wrote"
    )]
    NoCampaign(String),
    /// The target folder is not empty.
    #[error("'{0}' holds a campaign already; name a new folder with --out")]
    NotEmpty(String),
    /// Two parts belong to different campaigns.
    #[error("'{path}' is no part of the same campaign as '{first}': it differs in {differences}")]
    Stranger {
        /// The folder.
        path: String,
        /// The first folder.
        first: String,
        /// The differences.
        differences: String,
    },
    /// Two parts are the same part.
    #[error("'{path}' and '{first}' are both part {shard}; their units would be counted twice")]
    Twice {
        /// The folder.
        path: String,
        /// The other one.
        first: String,
        /// The part.
        shard: String,
    },
    /// A folder is named more than once.
    #[error("'{0}' is named more than once; name every part once")]
    Repeated(String),
    /// A finding cannot be copied.
    #[error("cannot copy the finding '{path}': {source}")]
    Copy {
        /// The finding.
        path: String,
        /// The error.
        source: io::Error,
    },
}

/// One part, claimed so that no other process writes to it meanwhile.
struct CampaignPart {
    out: OutDir,
    manifest: Value,
    identity: BTreeMap<String, String>,
    shard: Shard,
}

/// Merges campaigns done in parts (`--shard K/N`) into a new folder. The parts are unchanged.
/// Errors: [`MergeError`]; the new folder holds no campaign then, and can be used again.
pub fn merge(folders: &[PathBuf], into: &Path) -> Result<Merged, MergeError> {
    // Checked before anything is claimed: claiming a folder twice would look like another process writing to it.
    let mut named = FxHashSet::default();
    for folder in folders {
        if !named.insert(std::fs::canonicalize(folder).unwrap_or_else(|_| folder.clone())) {
            return Err(MergeError::Repeated(folder.display().to_string()));
        }
    }
    let parts: Vec<CampaignPart> = folders.iter().map(|folder| part(folder)).collect::<Result<_, _>>()?;
    check(&parts)?;
    let out = OutDir::claim(into)?;
    let shown = || into.display().to_string();
    // A killed merge left its staging folder behind, and is repeated.
    if out.manifest()?.is_some() && !out.is_staged() {
        return Err(MergeError::NotEmpty(shown()));
    }
    let staging = out.staging()?;
    let refused = |path: String| move |source| MergeError::Store { path, source };
    let first = &parts[0];
    let mut manifest = first.manifest.clone();
    let shards: Vec<&str> = parts.iter().filter_map(|part| part.identity.get(SHARD)).map(String::as_str).collect();
    let joined = BTreeMap::from([(SHARD.to_string(), format!("joined of {}", shards.join(", ")))]);
    manifest["identity"] =
        first.identity.iter().chain(&joined).map(|(n, v)| (n.clone(), Value::from(v.clone()))).collect();
    let system = |action| move |source| OutError::System { action, path: shown(), source };
    staging.write_manifest(&manifest).map_err(system("write to"))?;
    let store = CampaignStore::open(&staging.root().join(STORE)).map_err(refused(into.display().to_string()))?;
    let (Opened::Whole(mut store) | Opened::Damaged { mut store, .. }) = store;
    for part in &parts {
        let path = part.out.root().join(STORE);
        store.absorb(&path, part.shard).map_err(refused(part.out.root().display().to_string()))?;
    }
    let (solvers, seeds) = store.names().map_err(refused(into.display().to_string()))?;
    let kept = copy(&parts, &staging, &seeds, &solvers)?;
    let disagreements = KeptDisagreements::default();
    for part in &parts {
        disagreements.adopt(part.out.root(), staging.root()).map_err(system("write to"))?;
    }
    let past = store.past().map_err(refused(into.display().to_string()))?;
    let findings = kept.len();
    let index = FindingIndex::restore(past.groups.iter().cloned(), kept);
    store.rewrite_groups(&index.all()).map_err(refused(into.display().to_string()))?;
    drop(store);
    out.publish(staging)?;
    let step = parts.iter().map(|part| part.shard.step).max().unwrap_or(1);
    Ok(Merged { counts: past.remembered.totals, tally: index.tally(), findings, parts: (parts.len(), step) })
}

fn part(folder: &Path) -> Result<CampaignPart, MergeError> {
    let none = || MergeError::NoCampaign(folder.display().to_string());
    if !folder.join(STORE).is_file() {
        return Err(none());
    }
    let out = OutDir::claim(folder)?;
    let manifest = out.manifest()?.ok_or_else(none)?;
    let identity = manifest::of(&manifest);
    let shard = identity.get(SHARD).and_then(|text| text.parse().ok()).ok_or_else(none)?;
    Ok(CampaignPart { out, manifest, identity, shard })
}

/// Checks that all parts belong to one campaign, and none is there twice.
fn check(parts: &[CampaignPart]) -> Result<(), MergeError> {
    let Some(first) = parts.first() else { return Err(MergeError::NoCampaign(String::new())) };
    let path = |part: &CampaignPart| part.out.root().display().to_string();
    for (n, part) in parts.iter().enumerate().skip(1) {
        let differences = manifest::differences(&first.identity, &part.identity, &[SHARD]);
        if !differences.is_empty() || first.shard.step != part.shard.step {
            let parts = format!("the number of parts ({} and {})", first.shard.step, part.shard.step);
            let differences = if differences.is_empty() { parts } else { differences };
            return Err(MergeError::Stranger { path: path(part), first: path(first), differences });
        }
        if let Some(same) = parts[..n].iter().find(|other| other.shard == part.shard) {
            let shard = part.identity.get(SHARD).cloned().unwrap_or_default();
            return Err(MergeError::Twice { path: path(part), first: path(same), shard });
        }
    }
    Ok(())
}

/// A finding's size in bytes, its name and its folder.
type StoredFindingCopy = (usize, String, PathBuf);

/// Copies what a campaign keeps of every group, each once, and returns it: the smallest findings of each symptom, and all reduced ones.
fn copy(
    parts: &[CampaignPart],
    out: &OutDir,
    seeds: &[String],
    solvers: &[String],
) -> Result<Vec<(GroupKey, usize, String)>, MergeError> {
    let mut groups: FxHashMap<(GroupKey, String), Vec<StoredFindingCopy>> = FxHashMap::default();
    let mut known = FxHashSet::default();
    for part in parts {
        for finding in stored_findings::read(&part.out, seeds, solvers).findings {
            if known.insert(finding.id.clone()) {
                let folder = part.out.finding(&finding.id);
                let group = groups.entry((finding.key, finding.symptom)).or_default();
                group.push((finding.bytes, finding.id, folder));
            }
        }
    }
    let mut kept = Vec::new();
    for ((key, _), mut findings) in groups {
        findings.sort();
        for (place, (bytes, id, folder)) in findings.into_iter().enumerate() {
            if place >= key.most_kept() && !FindingFolder::at(&folder).is_worked_on() {
                continue;
            }
            out.adopt(&id, &folder)
                .map_err(|source| MergeError::Copy { path: folder.display().to_string(), source })?;
            kept.push((key.clone(), bytes, id));
        }
    }
    Ok(kept)
}
