//! Findings as a campaign groups them: hits that are of one cause as far as can be told before reductions, the newest first.

use finding::folder::{self, FindingFolder, FindingPaths};
use finding::{AnswerVector, CauseMatch, FindingEvent, ReducedCause, SolverLabel, symptom};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The groups of a campaign, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Causes {
    all: Vec<CauseRow>,
    by_key: HashMap<finding::Cause, usize>,
    /// Which group a finding is of, by its name.
    by_id: HashMap<String, usize>,
    /// What reduced scripts tell of a group whose symptom tells nothing, by its place.
    reduced: BTreeMap<usize, ReducedCause>,
}

/// One group. Sizes are in bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CauseRow {
    /// What they have in common.
    #[serde(flatten)]
    pub cause: finding::Cause,
    /// What is wrong, in one sentence.
    pub summary: String,
    /// On whose word the right answer stands.
    pub trust: String,
    /// The size of the smallest script that was found.
    pub bytes: usize,
    /// The size of the smallest reduced script, if one was reduced.
    pub reduced: Option<usize>,
    /// The versions that err, if one was bisected.
    pub versions: Option<String>,
    /// How many findings were announced.
    pub findings: u64,
    /// Where the one to look at lies: the reduced one if there is one, else the smallest.
    pub folder: String,
}

impl Causes {
    /// The groups of the findings in a campaign's folder, by the time at which they were found. Records that cannot be read
    /// are counted.
    pub fn load(out: &Path) -> (Causes, usize) {
        let (mut causes, mut damaged) = (Causes::default(), 0);
        // A campaign without findings has none.
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
            if let Ok(Some(known)) = FindingFolder::at(&folder).read::<CauseMatch>() {
                matched.push((record.id.clone(), known.of));
            }
            if let Some(bytes) = FindingPaths::of(&folder, None).result_bytes() {
                let vector = FindingFolder::at(&folder).vector().map(|saved| saved.vector).unwrap_or_default();
                causes.reduced(&record.id, bytes, &folder, &vector);
            }
        }
        matched.iter().for_each(|(id, of)| causes.matched(id, of));
        (causes, damaged)
    }

    /// A finding was recorded.
    pub fn add(&mut self, finding: &FindingEvent) {
        let place = *self.by_key.entry(finding.cause.key()).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push(CauseRow {
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
        self.by_id.insert(finding.id.clone(), place);
        let cause = &mut self.all[place];
        cause.findings += 1;
        if finding.bytes < cause.bytes {
            cause.bytes = finding.bytes;
            if cause.reduced.is_none() {
                cause.folder.clone_from(&finding.folder);
                cause.summary.clone_from(&finding.summary);
                cause.trust = finding.trust.describe();
            }
        }
    }

    /// A finding was reduced to so many bytes, in its folder; `vector` is who errs on it. A group that turns out to be of the cause
    /// of another one joins it, unless the symptom tells the cause. Whether the cause is none of those that were reduced before.
    pub fn reduced(&mut self, id: &str, bytes: usize, folder: &Path, vector: &AnswerVector) -> bool {
        let Some(&place) = self.by_id.get(id) else { return false };
        let Some(CauseRow { cause, reduced, .. }) = self.all.get(place) else { return false };
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
            cause.folder = folder.display().to_string();
        }
        is_first && other.is_none()
    }

    /// A finding is of the cause of another one.
    pub fn matched(&mut self, id: &str, of: &str) {
        if let (Some(&from), Some(&to)) = (self.by_id.get(id), self.by_id.get(of))
            && from != to
        {
            self.join(from, to);
        }
    }

    /// Makes one group's findings another's. The place of the first stays, with nothing in it.
    fn join(&mut self, from: usize, to: usize) {
        let Some(moved) = self.all.get_mut(from).map(|cause| std::mem::take(&mut cause.findings)) else { return };
        if let Some(cause) = self.all.get_mut(to) {
            cause.findings += moved;
        }
        for place in self.by_id.values_mut().chain(self.by_key.values_mut()).filter(|place| **place == from) {
            *place = to;
        }
    }

    /// A finding was bisected.
    pub fn bisected(&mut self, id: &str, versions: &str) {
        if let Some(cause) = self.of(id) {
            cause.versions = Some(versions.to_string());
        }
    }

    fn of(&mut self, id: &str) -> Option<&mut CauseRow> {
        self.all.get_mut(*self.by_id.get(id)?)
    }

    /// The groups, the newest first.
    pub fn newest(&self) -> impl DoubleEndedIterator<Item = &CauseRow> {
        self.all.iter().rev().filter(|cause| cause.findings > 0)
    }

    /// The groups, the most important class first, and in a class the newest.
    pub fn ranked(&self) -> Vec<&CauseRow> {
        let mut all: Vec<&CauseRow> = self.newest().collect();
        all.sort_by_key(|row| row.cause.class);
        all
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.newest().count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
