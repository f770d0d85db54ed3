//! Groups the findings of a running campaign: hits that likely share a cause before any reduction, newest first.

use finding::folder::{self, FindingFolder, FindingPaths};
use finding::{AnswerVector, FindingEvent, KnownMatch, ReducedCause, SolverLabel, symptom};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The groups of a campaign, in order of appearance.
#[derive(Clone, Debug, Default)]
pub struct HitGroups {
    all: Vec<HitGroup>,
    by_key: HashMap<finding::Cause, usize>,
    /// The findings with their group indices, by name.
    by_id: HashMap<String, (usize, FindingEvent)>,
    /// Evidence from reduced scripts, by group index, for groups whose symptom does not identify the cause.
    reduced: BTreeMap<usize, ReducedCause>,
}

/// One group. Sizes are in bytes; they, the summary and the folder are of the finding to show: the smallest reduced one, else the smallest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HitGroup {
    /// The group's common key.
    #[serde(flatten)]
    pub cause: finding::Cause,
    /// The failure in one sentence.
    pub summary: String,
    /// The source of the right answer.
    pub trust: String,
    /// The size as found.
    pub bytes: usize,
    /// The reduced size, if any finding was reduced.
    pub reduced: Option<usize>,
    /// The versions that fail, if any finding was bisected.
    pub versions: Option<String>,
    /// The number of findings reported.
    pub findings: u64,
    /// The folder.
    pub folder: String,
}

impl HitGroup {
    fn show(&mut self, finding: &FindingEvent) {
        self.bytes = finding.bytes;
        self.folder.clone_from(&finding.folder);
        self.summary.clone_from(&finding.summary);
        self.trust = finding.trust.describe();
    }
}

impl HitGroups {
    /// Loads the groups of the findings in a campaign's folder, in the order in which they were found. Also returns the number of
    /// unreadable records.
    pub fn load(out: &Path) -> (HitGroups, usize) {
        let (mut causes, mut damaged) = (HitGroups::default(), 0);
        // A campaign without findings has no such folder.
        let folders = folder::find(out).unwrap_or_default();
        let mut records: Vec<_> = Vec::new();
        for folder in folders {
            match FindingFolder::at(&folder).record() {
                Ok(record) => records.push((record, folder)),
                Err(_) => damaged += 1,
            }
        }
        records.sort_by(|(a, _), (b, _)| (a.found_at, &a.id).cmp(&(b.found_at, &b.id)));
        let mut matched = Vec::new();
        for (record, folder) in records {
            causes.add(&FindingEvent::of(&record, &folder));
            if let Ok(Some(known)) = FindingFolder::at(&folder).read::<KnownMatch>() {
                matched.push((record.id.clone(), known.of));
            }
            if let Some(bytes) = FindingPaths::of(&folder, None).result_bytes() {
                let vector = FindingFolder::at(&folder).vector().map(|saved| saved.vector).unwrap_or_default();
                causes.reduced(&record.id, bytes, &vector);
            }
        }
        matched.iter().for_each(|(id, of)| causes.matched(id, of));
        (causes, damaged)
    }

    /// Adds a new finding.
    pub fn add(&mut self, finding: &FindingEvent) {
        let place = *self.by_key.entry(finding.cause.key()).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push(HitGroup {
                cause: finding.cause.clone(),
                summary: String::new(),
                trust: String::new(),
                bytes: usize::MAX,
                reduced: None,
                versions: None,
                findings: 0,
                folder: String::new(),
            });
        }
        self.by_id.insert(finding.id.clone(), (place, finding.clone()));
        let cause = &mut self.all[place];
        cause.findings += 1;
        if finding.bytes < cause.bytes && cause.reduced.is_none() {
            cause.show(finding);
        }
    }

    /// Records that a finding was reduced to `bytes` bytes; `vector` says who fails on it. The group joins an earlier group with the
    /// same cause, unless the symptom identifies the cause. Returns whether the cause is new.
    pub fn reduced(&mut self, id: &str, bytes: usize, vector: &AnswerVector) -> bool {
        let Some((place, finding)) = self.by_id.get(id).cloned() else { return false };
        let Some(HitGroup { cause, reduced, .. }) = self.all.get(place) else { return false };
        let (is_first, is_told) = (reduced.is_none(), symptom::is_specific(cause.class, &cause.symptom));
        let own = ReducedCause::new(cause.class, SolverLabel::of(&cause.solver).name, &cause.symptom, vector);
        let same = || self.reduced.iter().find(|(other, known)| **other != place && known.is_same(&own));
        let other = same().map(|(other, _)| *other).filter(|_| is_first && !is_told && vector.len() > 1);
        if let Some(other) = other {
            self.join(place, other);
        }
        let place = other.unwrap_or(place);
        if !vector.is_empty() && !is_told {
            self.reduced.entry(place).or_insert(own).vector.add(vector);
        }
        let Some(cause) = self.all.get_mut(place) else { return false };
        if cause.reduced.is_none_or(|before| bytes < before) {
            cause.reduced = Some(bytes);
            cause.show(&finding);
        }
        is_first && other.is_none()
    }

    /// Records that a finding has the cause of another one.
    pub fn matched(&mut self, id: &str, of: &str) {
        if let (Some(&(from, _)), Some(&(to, _))) = (self.by_id.get(id), self.by_id.get(of))
            && from != to
        {
            self.join(from, to);
        }
    }

    /// Moves one group's findings to another one. The old index stays, empty.
    fn join(&mut self, from: usize, to: usize) {
        let Some(moved) = self.all.get_mut(from).map(|cause| std::mem::take(&mut cause.findings)) else { return };
        if let Some(cause) = self.all.get_mut(to) {
            cause.findings += moved;
        }
        let by_id = self.by_id.values_mut().map(|(place, _)| place);
        for place in by_id.chain(self.by_key.values_mut()).filter(|place| **place == from) {
            *place = to;
        }
    }

    /// Records a finding's bisection.
    pub fn bisected(&mut self, id: &str, versions: &str) {
        if let Some(cause) = self.of(id) {
            cause.versions = Some(versions.to_string());
        }
    }

    fn of(&mut self, id: &str) -> Option<&mut HitGroup> {
        self.all.get_mut(self.by_id.get(id)?.0)
    }

    /// Returns the groups, newest first.
    pub fn newest(&self) -> impl DoubleEndedIterator<Item = &HitGroup> {
        self.all.iter().rev().filter(|cause| cause.findings > 0)
    }

    /// Returns the groups by class, the most important first, and then newest first.
    pub fn ranked(&self) -> Vec<&HitGroup> {
        let mut all: Vec<&HitGroup> = self.newest().collect();
        all.sort_by_key(|row| row.cause.class);
        all
    }

    /// Returns the number of groups.
    pub fn len(&self) -> usize {
        self.newest().count()
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
