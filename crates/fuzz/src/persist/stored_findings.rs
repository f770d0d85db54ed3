//! Loads the findings folder: the readable truth, from which all data about findings can be recovered.

use crate::findings::OutDir;
use crate::state::finding_index::GroupKey;
use finding::folder::{FINDINGS, FindingFolder};
use finding::{Finding, ScriptOrigin};
use rustc_hash::FxHashMap;

/// A finding on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredFinding {
    /// Its group.
    pub key: GroupKey,
    /// Its symptom, or the solver's reason for `unknown`, of which a group may have several.
    pub symptom: String,
    /// The size of its script.
    pub bytes: usize,
    /// Its name.
    pub id: String,
    /// The unit that found it.
    pub unit: u64,
}

/// The contents of a findings folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredFindings {
    pub(crate) findings: Vec<StoredFinding>,
    /// Folders that cannot be read as findings of this campaign; they are ignored.
    pub(crate) unreadable: Vec<String>,
}

/// Reads all findings of a campaign with these seeds and solvers, by name.
pub(crate) fn read(out: &OutDir, seeds: &[String], targets: &[String]) -> StoredFindings {
    let seeds: FxHashMap<&str, usize> = seeds.iter().enumerate().map(|(n, name)| (name.as_str(), n)).collect();
    let targets: FxHashMap<&str, usize> = targets.iter().enumerate().map(|(n, name)| (name.as_str(), n)).collect();
    let mut all = StoredFindings::default();
    for folder in finding::folder::find(&out.root().join(FINDINGS)).unwrap_or_default() {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stored =
            FindingFolder::at(&folder).record().ok().and_then(|finding| of_campaign(&finding, &seeds, &targets));
        match stored.filter(|stored| stored.id == name) {
            Some(stored) => all.findings.push(stored),
            None => all.unreadable.push(name),
        }
    }
    all
}

/// Returns a finding with its group. `None` if its solver or seed does not belong to the campaign.
pub(crate) fn of_campaign(
    finding: &Finding,
    seeds: &FxHashMap<&str, usize>,
    targets: &FxHashMap<&str, usize>,
) -> Option<StoredFinding> {
    let key = GroupKey {
        class: finding.class,
        target: *targets.get(finding.solver.label.as_str())?,
        mode: finding.mode.clone(),
        seed: match &finding.seed {
            Some(seed) => *seeds.get(seed.name.as_str())?,
            None => finding.campaign.place.filter(|place| *place < seeds.len())?,
        },
        from_seed: finding.origin == ScriptOrigin::Seed,
        options: finding.solver.drawn_options.join(" "),
        symptom: finding.symptom.clone(),
        flaky: !finding.repeats.confirmed(),
    }
    .grouped();
    let (id, symptom) = (finding.id.clone(), finding.cause_symptom().to_string());
    Some(StoredFinding { key, symptom, bytes: finding.mutant_bytes, id, unit: finding.campaign.unit })
}
