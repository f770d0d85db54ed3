//! The manifest of a campaign, `campaign.json`: its identity. Only the same campaign continues in a folder.

use crate::config::{self, Config};
use crate::findings::{OutDir, OutError};
use crate::persist::CampaignError;
use crate::under_test::Target;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};

/// The member of `campaign.json` with the identity.
const IDENTITY: &str = "identity";
/// The member with the identifier, which is the same for all runs of a campaign.
const ID: &str = "id";
/// The member with the digests of the solvers' programs that another build may replace at the same path.
const PROGRAMS: &str = "programs";
/// The part of the units that a folder's campaign does.
pub(crate) const SHARD: &str = "--shard";

/// Returns the settings that determine the mutants.
fn identity(config: &Config) -> BTreeMap<String, String> {
    let mut identity = config.identity.clone();
    identity.extend(config::identity(&config.mutants));
    let names: Vec<String> = config.seeds.iter().map(|seed| seed.name()).collect();
    let digest = files::digest::sha256(names.join("\n"));
    identity.insert("seeds".to_string(), format!("{} files, list {}", names.len(), &digest[..12]));
    identity.insert(SHARD.to_string(), config.shard.to_string());
    identity
}

/// Checks that the campaign in a folder, if there is one, is this one. A manifest without an identity is accepted.
/// Errors: [`CampaignError::Other`] with the differences; [`CampaignError::Rebuilt`] if a program at the same path is another one.
pub(crate) fn check(out: &OutDir, config: &Config, targets: &[Target]) -> Result<(), CampaignError> {
    let Some(manifest) = out.manifest()?.filter(|manifest| manifest.get(IDENTITY).is_some()) else { return Ok(()) };
    let differences = differences(&of(&manifest), &identity(config), &[]);
    let path = out.root().display().to_string();
    if !differences.is_empty() {
        return Err(CampaignError::Other { path, differences });
    }
    let is_rebuilt = |(solver, digest): &(String, String)| {
        let before = manifest.get(PROGRAMS).and_then(|programs| programs.get(solver)).and_then(Value::as_str);
        before.is_some_and(|before| before != digest)
    };
    match programs(targets).into_iter().find(is_rebuilt) {
        Some((solver, _)) => Err(CampaignError::Rebuilt { path, solver }),
        None => Ok(()),
    }
}

/// Returns the digest of each program under test that we did not install.
fn programs(targets: &[Target]) -> BTreeMap<String, String> {
    let solvers = targets.iter().map(|target| target.tested.solver.installed());
    let foreign = solvers.filter(|solver| solver.foreign_program().is_some());
    foreign.map(|solver| (solver.spec.to_string(), solver.digest())).collect()
}

/// Returns the identity in `campaign.json`.
pub(crate) fn of(manifest: &Value) -> BTreeMap<String, String> {
    manifest.get(IDENTITY).cloned().and_then(|identity| serde_json::from_value(identity).ok()).unwrap_or_default()
}

/// Describes the differences between two campaigns; empty if they are the same except for `ignored`.
pub(crate) fn differences(
    there: &BTreeMap<String, String>,
    here: &BTreeMap<String, String>,
    ignored: &[&str],
) -> String {
    let names: BTreeSet<&String> =
        there.keys().chain(here.keys()).filter(|name| !ignored.contains(&name.as_str())).collect();
    let shown = |value: Option<&String>| value.map_or("not given".to_string(), |value| format!("'{value}'"));
    let differing = names.into_iter().filter(|name| there.get(*name) != here.get(*name));
    let words: Vec<String> = differing
        .map(|name| format!("{name} (there {}, here {})", shown(there.get(name)), shown(here.get(name))))
        .collect();
    words.join(", ")
}

/// Returns the identifier of a campaign, if it has one.
pub(crate) fn id(manifest: &Value) -> Option<String> {
    Some(manifest.get(ID)?.as_str()?.to_string())
}

/// Returns a unique identifier: 16 hexadecimal digits from the time, the process and the folder.
fn new_id(out: &OutDir) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let root = std::fs::canonicalize(out.root()).unwrap_or_else(|_| out.root().to_path_buf());
    files::digest::sha256(format!("{now} {} {}", std::process::id(), root.display()))[..16].to_string()
}

/// Writes `campaign.json`.
/// Errors: the manifest cannot be read or written.
pub(crate) fn write(out: &OutDir, config: &Config, targets: &[Target]) -> Result<(), CampaignError> {
    let kept = out.manifest()?.as_ref().and_then(id);
    let manifest: Value = serde_json::json!({
        ID: kept.unwrap_or_else(|| new_id(out)),
        "format": finding::record::FORMAT,
        "squall": config.build.squall,
        "build": config.build,
        "seed": config.mutants.seed,
        "seeds": config.seeds.len(),
        "solvers": targets.iter().map(|t| t.tested.solver.installed().spec.to_string()).collect::<Vec<_>>(),
        PROGRAMS: programs(targets),
        "timeout_s": config.limits.wall.as_secs_f64(),
        "memory_bytes": config.limits.memory_bytes,
        IDENTITY: identity(config),
        "note": config.note,
    });
    out.write_manifest(&manifest).map_err(|source| {
        CampaignError::Out(OutError::System { action: "write to", path: out.root().display().to_string(), source })
    })
}
