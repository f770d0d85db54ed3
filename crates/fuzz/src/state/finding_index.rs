//! The index of findings: groups of hits that look alike, the smallest kept, the rest counted; and how many causes they are.

use crate::findings::outdir::OutDir;
use finding::folder::{FindingFolder, SentFile};
use finding::{BugClass, Finding, symptom};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// How many findings of a group are kept on disk.
const KEPT: usize = 3;

/// How many are kept where many groups are one cause: each may be the last of another.
const KEPT_OF_MANY: usize = 1;

/// How many runs that could not be confirmed a group may cost before its hits are only counted.
const MAX_UNCONFIRMED: u64 = 10;

/// The same for giving up: each run costs an `unknown`, which is slow, of this solver and of others.
const MAX_UNCONFIRMED_GIVEN_UP: u64 = 3;

/// On how many seeds a solver's giving up is confirmed.
const MOST_GIVEN_UP: usize = 10;

/// What hits that are kept together have in common. A cause ([`GroupKey::cause`]) may have several groups.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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
    /// What makes two runs show the same thing.
    pub symptom: String,
    /// Whether the solver does not repeat it every time.
    pub flaky: bool,
}

impl GroupKey {
    /// The key as hits are grouped by it: a crash that names its place is of one group, whatever brought it. A bare signal and a
    /// self-check's message are the same for many mistakes, so that each seed and mode has its group.
    pub fn grouped(self) -> GroupKey {
        if symptom::names_a_place(self.class, &self.symptom) {
            return GroupKey { from_seed: self.from_seed, ..self.cause() };
        }
        match self.is_told() && self.class != BugClass::B {
            true => GroupKey { options: String::new(), ..self },
            false => self,
        }
    }

    /// Whether nothing but the symptom tells the cause. The reason why a solver gave up is known once a hit is confirmed.
    fn is_told(&self) -> bool {
        self.class == BugClass::C || symptom::is_specific(self.class, &self.symptom)
    }

    /// What is counted once: where the symptom tells the cause ([`symptom::is_specific`]), nothing else does.
    pub fn cause(&self) -> GroupKey {
        match self.is_told() {
            true => {
                let (mode, options) = (String::new(), String::new());
                GroupKey { mode, options, seed: 0, from_seed: false, ..self.clone() }
            }
            false => self.clone(),
        }
    }

    /// How many runs that could not be confirmed the group may cost.
    fn most_unconfirmed(&self) -> u64 {
        if self.class.needs_another() { MAX_UNCONFIRMED_GIVEN_UP } else { MAX_UNCONFIRMED }
    }

    /// How many findings of the group are kept on disk.
    pub fn most_kept(&self) -> usize {
        if *self == self.cause() || !self.is_told() { KEPT } else { KEPT_OF_MANY }
    }
}

/// What is known of a group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KnownGroup {
    /// Those on disk: their size in bytes and their name, the smallest first.
    pub kept: Vec<(usize, String)>,
    /// Hits confirmed.
    pub confirmed: u64,
    /// Hits that were not confirmed.
    pub unconfirmed: u64,
    /// Hits only counted.
    pub repeats: u64,
}

/// All groups.
#[derive(Debug, Default)]
pub struct FindingIndex {
    groups: FxHashMap<GroupKey, KnownGroup>,
    /// Those that changed since they were last taken to be stored.
    changed: FxHashSet<GroupKey>,
}

/// What confirming a hit would bring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HitWorth {
    /// A cause of which there is no finding yet.
    NewCause,
    /// Another or a smaller finding of a cause that has one.
    KnownCause,
    /// Nothing: it is only counted.
    Nothing,
}

/// What became of a confirmed finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// Where it lies; none if it is there already, or others of its group are as small.
    pub folder: Option<PathBuf>,
    /// Whether it is the first of its cause.
    pub is_new: bool,
    /// How many causes before it were of the same class, solver and mode: the more, the likelier it is one of their bugs.
    pub alike: u64,
}

/// The counts of a summary.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FindingCounts {
    /// Confirmed findings of mutants by class.
    pub findings: BTreeMap<BugClass, u64>,
    /// Kinds of them by which the schedule learns: by symptom for crashes; else by class, solver, mode, options and seed.
    #[serde(rename = "signatures")]
    pub groups: u64,
    /// Confirmed findings of seeds sent as they are, by class.
    pub seed_findings: BTreeMap<BugClass, u64>,
    /// Further hits in groups whose three findings are no larger; they are not confirmed one by one.
    pub repeats: u64,
    /// Findings that the solver does not repeat every time; they are recorded and marked, and not among `findings`.
    pub flaky: u64,
    /// Hits that did not show again, or whose truth did not hold on a second look.
    pub unconfirmed: u64,
}

impl FindingCounts {
    /// What was counted since `earlier`.
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
    /// The index as it was stored, with what lies on disk: that alone says which findings are kept.
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

    /// The groups that changed since this was last asked.
    pub fn take_changed(&mut self) -> Vec<(GroupKey, KnownGroup)> {
        let changed = std::mem::take(&mut self.changed);
        changed.into_iter().filter_map(|key| Some((key.clone(), self.groups.get(&key)?.clone()))).collect()
    }

    /// All groups.
    pub fn all(&self) -> Vec<(GroupKey, KnownGroup)> {
        self.groups.iter().map(|(key, group)| (key.clone(), group.clone())).collect()
    }

    fn group(&mut self, key: &GroupKey) -> &mut KnownGroup {
        self.changed.insert(key.clone());
        self.groups.entry(key.clone()).or_default()
    }

    /// What confirming a hit of this size would bring. If it is nothing, the hit is counted here.
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

    /// Whether the same message, of the same seed and mode, was found false often enough.
    fn is_acquitted(&self, key: &GroupKey) -> bool {
        let is_accusation = key.class == BugClass::B && symptom::is_own_word(key.class, &key.symptom);
        let known = is_accusation.then(|| GroupKey { class: BugClass::E, ..key.clone() }.grouped());
        known.and_then(|known| self.groups.get(&known)).is_some_and(|group| group.confirmed >= KEPT as u64)
    }

    /// Whether a solver gave up on so many seeds that another one is unlikely to tell anything new.
    pub fn gives_up_often(&self, target: usize) -> bool {
        let is_alike = |other: &GroupKey| other.class == BugClass::C && other.target == target;
        self.groups.iter().filter(|(other, group)| is_alike(other) && group.confirmed > 0).count() >= MOST_GIVEN_UP
    }

    /// Counts a hit that could not be confirmed.
    pub fn unconfirmed(&mut self, key: &GroupKey) {
        self.group(key).unconfirmed += 1;
    }

    /// Takes note of a finding that another process keeps, so that only smaller ones of its group are wanted from now on.
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
    ///
    /// # Errors
    /// Whatever the system says; the index is then as it was before.
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
            // One too many on disk is no loss; one too few would be.
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

    /// The counts.
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

/// Whether a solver gave up for another reason in the finding of this name, which then is of another cause: the reason is not known
/// before a hit is confirmed, so that a group may have several.
fn is_of_other_reason(id: &str, finding: &Finding, out: &OutDir) -> bool {
    finding.class == BugClass::C
        && FindingFolder::at(out.finding(id)).record().is_ok_and(|kept| kept.cause_symptom() != finding.cause_symptom())
}
