//! The book of findings: groups of hits that look like one cause, the smallest kept, the rest counted.

use crate::finding::Finding;
use crate::outdir::OutDir;
use rustc_hash::FxHashMap;
use serde::Serialize;
use solver::profile::BugClass;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// How many findings of a group are kept on disk.
pub const KEPT: usize = 3;

/// How many runs that could not be confirmed a group may cost before its hits are only counted.
const MAX_UNCONFIRMED: u64 = 10;

/// What hits of one cause have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GroupKey {
    /// The class.
    pub class: BugClass,
    /// The position of the solver.
    pub target: usize,
    /// How the script asks: `plain`, `incremental`, `tactic …`.
    pub mode: String,
    /// The position of the seed.
    pub seed: usize,
    /// Whether it is the seed itself that hit.
    pub from_seed: bool,
    /// Options drawn for the solver, separated by blanks; none are its defaults.
    pub options: String,
    /// Whether the solver does not repeat it every time.
    pub flaky: bool,
}

/// What is known of a group.
#[derive(Clone, Debug, Default)]
struct Group {
    /// Those on disk: their size in bytes and their name, the smallest first.
    kept: Vec<(usize, String)>,
    confirmed: u64,
    unconfirmed: u64,
    repeats: u64,
}

/// All groups.
#[derive(Debug, Default)]
pub struct Book {
    groups: FxHashMap<GroupKey, Group>,
}

/// The counts of a summary.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Confirmed findings of mutants by class.
    pub findings: BTreeMap<&'static str, u64>,
    /// Groups of them.
    pub groups: u64,
    /// Confirmed findings of seeds sent as they are, by class.
    pub seed_findings: BTreeMap<&'static str, u64>,
    /// Further hits in groups whose three findings are no larger; they are not confirmed one by one.
    pub repeats: u64,
    /// Findings that the solver does not repeat every time; they are recorded and marked, and not among `findings`.
    pub flaky: u64,
    /// Hits that did not show again, or whose truth did not hold on a second look.
    pub unconfirmed: u64,
}

impl Book {
    /// Whether a hit of this size is worth confirming. If not, it is counted here.
    pub fn wants(&mut self, key: &GroupKey, bytes: usize) -> bool {
        let group = self.groups.entry(key.clone()).or_default();
        let hopeless = group.kept.is_empty() && group.unconfirmed >= MAX_UNCONFIRMED;
        let larger = group.kept.len() >= KEPT && group.kept.last().is_some_and(|(largest, _)| *largest <= bytes);
        if hopeless || larger {
            group.repeats += 1;
        }
        !hopeless && !larger
    }

    /// Counts a hit that could not be confirmed.
    pub fn unconfirmed(&mut self, key: &GroupKey) {
        self.groups.entry(key.clone()).or_default().unconfirmed += 1;
    }

    /// Records a confirmed finding on disk, in place of the largest one if the group is full. Returns where it lies, or
    /// none if meanwhile others as small were found.
    ///
    /// # Errors
    /// Whatever the system says; the book is then as it was before.
    pub fn record(
        &mut self,
        key: &GroupKey,
        finding: &Finding,
        files: &[(&str, &[u8])],
        out: &OutDir,
    ) -> io::Result<Option<PathBuf>> {
        let group = self.groups.entry(key.clone()).or_default();
        if group.kept.iter().any(|(_, id)| *id == finding.id) {
            group.repeats += 1;
            return Ok(None);
        }
        let place = group.kept.partition_point(|(bytes, _)| *bytes <= finding.mutant_bytes);
        if place >= KEPT {
            group.confirmed += 1;
            return Ok(None);
        }
        let path = out.write(finding, files)?;
        group.confirmed += 1;
        group.kept.insert(place, (finding.mutant_bytes, finding.id.clone()));
        if group.kept.len() > KEPT
            && let Some((_, largest)) = group.kept.pop()
        {
            // One too many on disk is no loss; one too few would be.
            let _ = out.remove(&largest);
        }
        Ok(Some(path))
    }

    /// The counts.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (key, group) in &self.groups {
            tally.repeats += group.repeats;
            tally.unconfirmed += group.unconfirmed;
            if group.confirmed == 0 {
                continue;
            }
            let class = crate::oracle::letter(key.class);
            if key.flaky {
                tally.flaky += group.confirmed;
            } else if key.from_seed {
                *tally.seed_findings.entry(class).or_default() += group.confirmed;
            } else {
                *tally.findings.entry(class).or_default() += group.confirmed;
                tally.groups += 1;
            }
        }
        tally
    }
}
