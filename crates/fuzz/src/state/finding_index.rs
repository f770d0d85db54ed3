//! The index of findings: groups of similar hits, of which the smallest are kept and the rest counted; and the number of causes.

use crate::findings::OutDir;
use finding::folder::{FindingFolder, SentFile};
use finding::{BugClass, Finding, symptom};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// The maximum number of findings per group on disk.
const KEPT: usize = 3;

/// The maximum where many groups have one cause: each may be the last of another.
const KEPT_OF_MANY: usize = 1;

/// The number of unconfirmed runs per group after which its hits are only counted.
const MAX_UNCONFIRMED: u64 = 10;

/// Like [`MAX_UNCONFIRMED`], for hits with `unknown`. Each of their runs costs slow `unknown`s, of this solver and of others.
const MAX_UNCONFIRMED_GIVEN_UP: u64 = 3;

/// The number of seeds on which a solver's `unknown` is confirmed.
const MOST_GIVEN_UP: usize = 10;

/// The common properties of hits that are kept together. A cause ([`GroupKey::cause`]) may have several groups.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct GroupKey {
    /// The class.
    pub class: BugClass,
    /// The position of the solver.
    pub target: usize,
    /// The mode of the script: `plain`, `incremental`, `tactic …`.
    pub mode: String,
    /// The position of the seed.
    pub seed: usize,
    /// Whether the hit is on the unmutated seed.
    pub from_seed: bool,
    /// Options drawn for the solver, separated by blanks; empty for its defaults.
    pub options: String,
    /// The symptom.
    pub symptom: String,
    /// Whether the failure is unreliable.
    pub flaky: bool,
}

impl GroupKey {
    /// Returns the key for grouping: a crash with a source location is one group, whatever the input. A bare signal and a self-check's
    /// message are the same for many mistakes, so each seed and mode has its own group.
    pub fn grouped(self) -> GroupKey {
        if symptom::names_a_place(self.class, &self.symptom) {
            return GroupKey { from_seed: self.from_seed, ..self.cause() };
        }
        match self.is_told() && self.class != BugClass::B {
            true => GroupKey { options: String::new(), ..self },
            false => self,
        }
    }

    /// Whether the symptom alone identifies the cause. The reason for `unknown` is known once a hit is confirmed.
    fn is_told(&self) -> bool {
        self.class == BugClass::C || symptom::is_specific(self.class, &self.symptom)
    }

    /// Returns the key for counting: where the symptom identifies the cause ([`symptom::is_specific`]), nothing else matters.
    pub fn cause(&self) -> GroupKey {
        match self.is_told() {
            true => {
                let (mode, options) = (String::new(), String::new());
                GroupKey { mode, options, seed: 0, from_seed: false, ..self.clone() }
            }
            false => self.clone(),
        }
    }

    /// Returns the number of unconfirmed runs that the group may cost.
    fn most_unconfirmed(&self) -> u64 {
        if self.class.needs_another() { MAX_UNCONFIRMED_GIVEN_UP } else { MAX_UNCONFIRMED }
    }

    /// Returns the maximum number of findings of the group on disk.
    pub fn most_kept(&self) -> usize {
        if *self == self.cause() || !self.is_told() { KEPT } else { KEPT_OF_MANY }
    }
}

/// The state of a group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KnownGroup {
    /// The size in bytes and the name of those on disk, smallest first.
    pub kept: Vec<(usize, String)>,
    /// The number of confirmed hits.
    pub confirmed: u64,
    /// The number of unconfirmed hits.
    pub unconfirmed: u64,
    /// The number of hits that were only counted.
    pub repeats: u64,
}

/// All groups.
#[derive(Debug, Default)]
pub struct FindingIndex {
    groups: FxHashMap<GroupKey, KnownGroup>,
    /// The groups that changed since they were last taken for storage.
    changed: FxHashSet<GroupKey>,
}

/// The value of confirming a hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HitWorth {
    /// A cause without a finding yet.
    NewCause,
    /// Another or a smaller finding of a known cause.
    KnownCause,
    /// Nothing: the hit is only counted.
    Nothing,
}

/// The result of recording a confirmed finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// Its path; `None` if it already exists, or others of its group are as small.
    pub folder: Option<PathBuf>,
    /// Whether the finding is the first of its cause.
    pub is_new: bool,
    /// The number of earlier causes of the same class, solver and mode: the more, the likelier it is one of their bugs.
    pub alike: u64,
}

/// The counts of a summary.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FindingCounts {
    /// Confirmed findings of mutants by class.
    pub findings: BTreeMap<BugClass, u64>,
    /// Their kinds, by which the schedule learns: by symptom for crashes; else by class, solver, mode, options and seed.
    #[serde(rename = "signatures")]
    pub groups: u64,
    /// Confirmed findings of unmutated seeds, by class.
    pub seed_findings: BTreeMap<BugClass, u64>,
    /// Further hits in groups whose three findings are not larger; these are not confirmed individually.
    pub repeats: u64,
    /// Unreliable findings; they are recorded and marked, and not included in `findings`.
    pub flaky: u64,
    /// Hits that did not show again, or whose truth did not hold on a second check.
    pub unconfirmed: u64,
}

impl FindingCounts {
    /// Returns the counts since `earlier`.
    pub fn since(&self, earlier: &FindingCounts) -> FindingCounts {
        let fewer = |now: &BTreeMap<BugClass, u64>, then: &BTreeMap<BugClass, u64>| {
            let rest = |class: &BugClass, n: u64| n.saturating_sub(then.get(class).copied().unwrap_or(0));
            let classes = now.iter().map(|(class, n)| (*class, rest(class, *n)));
            classes.filter(|(_, n)| *n > 0).collect()
        };
        FindingCounts {
            findings: fewer(&self.findings, &earlier.findings),
            groups: self.groups.saturating_sub(earlier.groups),
            seed_findings: fewer(&self.seed_findings, &earlier.seed_findings),
            repeats: self.repeats.saturating_sub(earlier.repeats),
            flaky: self.flaky.saturating_sub(earlier.flaky),
            unconfirmed: self.unconfirmed.saturating_sub(earlier.unconfirmed),
        }
    }
}

impl FindingIndex {
    /// Restores the stored index, with the findings on disk, which alone are authoritative.
    pub fn restore(
        stored: impl IntoIterator<Item = (GroupKey, KnownGroup)>,
        on_disk: impl IntoIterator<Item = (GroupKey, usize, String)>,
    ) -> FindingIndex {
        let mut index = FindingIndex::default();
        for (key, group) in stored {
            index.groups.insert(key, KnownGroup { kept: Vec::new(), ..group });
        }
        for (key, bytes, id) in on_disk {
            let group = index.groups.entry(key.clone()).or_default();
            group.kept.push((bytes, id));
            group.kept.sort();
            let kept = group.kept.len() as u64;
            if group.confirmed < kept {
                group.confirmed = kept;
                index.changed.insert(key);
            }
        }
        index
    }

    /// Returns the groups that changed since the last call.
    pub fn take_changed(&mut self) -> Vec<(GroupKey, KnownGroup)> {
        let changed = std::mem::take(&mut self.changed);
        changed.into_iter().filter_map(|key| Some((key.clone(), self.groups.get(&key)?.clone()))).collect()
    }

    /// Returns all groups.
    pub fn all(&self) -> Vec<(GroupKey, KnownGroup)> {
        self.groups.iter().map(|(key, group)| (key.clone(), group.clone())).collect()
    }

    fn group(&mut self, key: &GroupKey) -> &mut KnownGroup {
        self.changed.insert(key.clone());
        self.groups.entry(key.clone()).or_default()
    }

    /// Returns the value of confirming a hit of this size. A hit without value is counted here.
    pub fn worth(&mut self, key: &GroupKey, bytes: usize) -> HitWorth {
        let is_new = self.is_new(key);
        let acquitted = self.is_acquitted(key) || (key.class == BugClass::C && self.gives_up_often(key.target));
        let group = self.groups.entry(key.clone()).or_default();
        let hopeless = group.kept.is_empty() && (acquitted || group.unconfirmed >= key.most_unconfirmed());
        let larger =
            group.kept.len() >= key.most_kept() && group.kept.last().is_some_and(|(largest, _)| *largest <= bytes);
        if hopeless || larger {
            group.repeats += 1;
            self.changed.insert(key.clone());
            return HitWorth::Nothing;
        }
        if is_new { HitWorth::NewCause } else { HitWorth::KnownCause }
    }

    /// Counts a hit that is not confirmed.
    pub fn passed(&mut self, key: &GroupKey) {
        self.group(key).repeats += 1;
    }

    /// Whether the same message, of the same seed and mode, was refuted often enough.
    fn is_acquitted(&self, key: &GroupKey) -> bool {
        let is_accusation = key.class == BugClass::B && symptom::is_own_word(key.class, &key.symptom);
        let known = is_accusation.then(|| GroupKey { class: BugClass::E, ..key.clone() }.grouped());
        known.and_then(|known| self.groups.get(&known)).is_some_and(|group| group.confirmed >= KEPT as u64)
    }

    /// Whether a solver answered `unknown` on so many seeds that another one is unlikely to show anything new.
    pub fn gives_up_often(&self, target: usize) -> bool {
        let is_alike = |other: &GroupKey| other.class == BugClass::C && other.target == target;
        self.groups.iter().filter(|(other, group)| is_alike(other) && group.confirmed > 0).count() >= MOST_GIVEN_UP
    }

    /// Counts a hit that could not be confirmed.
    pub fn unconfirmed(&mut self, key: &GroupKey) {
        self.group(key).unconfirmed += 1;
    }

    /// Records a finding that another process keeps, so only smaller ones of its group are wanted from now on.
    pub fn note(&mut self, key: &GroupKey, finding: &Finding) {
        let group = self.group(key);
        let entry = (finding.mutant_bytes, finding.id.clone());
        if !group.kept.contains(&entry) {
            group.kept.push(entry);
            group.kept.sort();
            group.kept.truncate(key.most_kept());
        }
    }

    /// Records a confirmed finding on disk, in place of the largest one if the group is full.
    /// Errors: i/O errors; the index is unchanged then.
    pub fn record(
        &mut self,
        key: &GroupKey,
        finding: &Finding,
        files: &[SentFile<'_>],
        out: &OutDir,
    ) -> io::Result<Recorded> {
        let (alike, is_new) = (self.alike(key), self.is_new(key));
        let group = self.group(key);
        let entry = (finding.mutant_bytes, finding.id.clone());
        if group.kept.contains(&entry) {
            group.repeats += 1;
            return Ok(Recorded { folder: None, is_new: false, alike });
        }
        let place = group.kept.partition_point(|kept| *kept < entry);
        if place >= key.most_kept() {
            group.confirmed += 1;
            return Ok(Recorded { folder: None, is_new, alike });
        }
        let path = out.write(finding, files)?;
        group.confirmed += 1;
        group.kept.insert(place, entry);
        while group.kept.len() > key.most_kept()
            && let Some((_, largest)) = group.kept.pop()
        {
            // One too many on disk does no harm; one too few would.
            if !is_of_other_reason(&largest, finding, out) {
                let _ = out.remove(&largest);
            }
        }
        Ok(Recorded { folder: Some(path), is_new, alike })
    }

    fn is_new(&self, key: &GroupKey) -> bool {
        let cause = key.cause();
        !self.groups.iter().any(|(other, group)| group.confirmed > 0 && other.cause() == cause)
    }

    fn alike(&self, key: &GroupKey) -> u64 {
        let cause = key.cause();
        let of = |key: &GroupKey| (key.class, key.target, key.flaky);
        let confirmed = self.groups.iter().filter(|(_, group)| group.confirmed > 0);
        let others = confirmed.map(|(other, _)| other.cause()).filter(|other| *other != cause);
        let alike: FxHashSet<GroupKey> = others.filter(|o| of(o) == of(&cause) && o.mode == cause.mode).collect();
        alike.len() as u64
    }

    /// Returns the counts.
    pub fn tally(&self) -> FindingCounts {
        let mut tally = FindingCounts::default();
        let mut causes = FxHashSet::default();
        for (key, group) in &self.groups {
            tally.repeats += group.repeats;
            tally.unconfirmed += group.unconfirmed;
            if group.confirmed == 0 {
                continue;
            }
            if key.flaky {
                tally.flaky += group.confirmed;
            } else if key.from_seed {
                *tally.seed_findings.entry(key.class).or_default() += group.confirmed;
            } else {
                *tally.findings.entry(key.class).or_default() += group.confirmed;
                causes.insert(key.cause());
            }
        }
        tally.groups = causes.len() as u64;
        tally
    }
}

/// Whether the solver's reason for `unknown` differs in the finding of this name, which then has another cause: the reason is not known
/// before a hit is confirmed, so a group may have several.
fn is_of_other_reason(id: &str, finding: &Finding, out: &OutDir) -> bool {
    finding.class == BugClass::C
        && FindingFolder::at(out.finding(id)).record().is_ok_and(|kept| kept.cause_symptom() != finding.cause_symptom())
}
