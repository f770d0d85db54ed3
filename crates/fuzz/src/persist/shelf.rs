//! The findings folder read back: the readable truth, from which everything about findings can be had again.

use crate::findings::finding::Finding;
use crate::findings::outdir::OutDir;
use crate::oracle;
use crate::oracle::replay;
use crate::state::book::GroupKey;
use rustc_hash::FxHashMap;

/// A finding on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shelved {
    /// Its group.
    pub key: GroupKey,
    /// The size of its script.
    pub bytes: usize,
    /// Its name.
    pub id: String,
    /// The unit that brought it.
    pub unit: u64,
}

/// What lies in a findings folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf {
    pub(crate) findings: Vec<Shelved>,
    /// Folders that cannot be read as findings of this campaign; they are left alone.
    pub(crate) strange: Vec<String>,
}

/// Reads all findings of a campaign over these seeds and solvers, by their names.
pub(crate) fn read(out: &OutDir, seeds: &[String], targets: &[String]) -> Shelf {
    let seeds: FxHashMap<&str, usize> = seeds.iter().enumerate().map(|(n, name)| (name.as_str(), n)).collect();
    let targets: FxHashMap<&str, usize> = targets.iter().enumerate().map(|(n, name)| (name.as_str(), n)).collect();
    let mut shelf = Shelf::default();
    for folder in replay::find(&out.root().join("findings")).unwrap_or_default() {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let shelved = replay::load_record(&folder).ok().and_then(|finding| shelved(&finding, &seeds, &targets));
        match shelved.filter(|shelved| shelved.id == name) {
            Some(shelved) => shelf.findings.push(shelved),
            None => shelf.strange.push(name),
        }
    }
    shelf
}

/// Where a finding belongs. None if its class, solver or seed is none of the campaign's.
pub(crate) fn shelved(
    finding: &Finding,
    seeds: &FxHashMap<&str, usize>,
    targets: &FxHashMap<&str, usize>,
) -> Option<Shelved> {
    let key = GroupKey {
        class: oracle::class_of(&finding.class)?,
        target: *targets.get(finding.solver.label.as_str())?,
        mode: finding.mode.clone(),
        seed: *seeds.get(finding.seed.name.as_str())?,
        from_seed: finding.origin == "seed",
        options: finding.solver.drawn_options.join(" "),
        flaky: !finding.repeats.confirmed(),
    }
    .grouped();
    Some(Shelved { key, bytes: finding.mutant_bytes, id: finding.id.clone(), unit: finding.campaign.unit })
}
