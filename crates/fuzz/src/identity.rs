//! What makes a campaign itself: only the same one goes on in a folder.

use crate::campaign::{CampaignError, Config};
use crate::outdir::{OutDir, OutError};
use crate::target::Target;
use serde_json::Value;
use std::collections::BTreeMap;

/// The member of `campaign.json` that holds it.
const IDENTITY: &str = "identity";

/// What decides which mutants are made.
fn identity(config: &Config) -> BTreeMap<String, String> {
    let mut identity = config.identity.clone();
    identity.insert("--seed".to_string(), config.seed.to_string());
    let names: Vec<String> = config.seeds.iter().map(|seed| seed.name()).collect();
    let digest = crate::seed::sha256(&names.join("\n"));
    identity.insert("seeds".to_string(), format!("{} files, list {}", names.len(), &digest[..12]));
    let shard = config.shard;
    identity.insert("--shard".to_string(), format!("{}/{}", shard.first + 1, shard.step));
    identity
}

/// Whether the campaign in a folder, if there is one, is this one. One written before folders remembered their campaign is
/// taken for the same.
///
/// # Errors
/// [`CampaignError::Other`], which says what differs.
pub(crate) fn check(out: &OutDir, config: &Config) -> Result<(), CampaignError> {
    let Some(there) = out.marked()?.and_then(|mark| mark.get(IDENTITY).cloned()) else { return Ok(()) };
    let there: BTreeMap<String, String> = serde_json::from_value(there).unwrap_or_default();
    let here = identity(config);
    let names: std::collections::BTreeSet<&String> = there.keys().chain(here.keys()).collect();
    let shown = |value: Option<&String>| value.map_or("not given".to_string(), |value| format!("'{value}'"));
    let differences: Vec<String> = names
        .into_iter()
        .filter(|name| there.get(*name) != here.get(*name))
        .map(|name| format!("{name} (there {}, here {})", shown(there.get(name)), shown(here.get(name))))
        .collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(CampaignError::Other { path: out.root().display().to_string(), differences: differences.join(", ") })
}

/// Writes `campaign.json`.
///
/// # Errors
/// Whatever the system says.
pub(crate) fn mark(out: &OutDir, config: &Config, targets: &[Target]) -> Result<(), CampaignError> {
    let mark: Value = serde_json::json!({
        "format": crate::finding::FORMAT,
        "squall": env!("CARGO_PKG_VERSION"),
        "seed": config.seed,
        "seeds": config.seeds.len(),
        "solvers": targets.iter().map(|t| t.solver.installed().spec.to_string()).collect::<Vec<_>>(),
        "timeout_s": config.limits.wall.as_secs_f64(),
        "memory_bytes": config.limits.memory_bytes,
        IDENTITY: identity(config),
        "note": config.note,
    });
    out.mark(&mark).map_err(|source| {
        CampaignError::Out(OutError::System { action: "write to", path: out.root().display().to_string(), source })
    })
}
