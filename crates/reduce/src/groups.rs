//! Groups of findings that show one bug: the same signature, and no version of the solver on which they differ.

use crate::bisect::{VersionAnswer, VersionVerdict};
use crate::signature::ScriptSignature;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What versions of a solver do with a script: erring or right, by version. Those that decided nothing say nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Versions(BTreeMap<String, bool>);

impl Versions {
    /// What the rows of a bisection say.
    pub fn of(rows: &[VersionAnswer]) -> Versions {
        let errs = |did| match did {
            VersionVerdict::Wrong => Some(true),
            VersionVerdict::Right => Some(false),
            VersionVerdict::Undecided | VersionVerdict::Refused => None,
        };
        Versions(rows.iter().filter_map(|row| Some((row.solver.clone(), errs(row.did)?))).collect())
    }

    /// Whether a version is wrong on the one and is right on the other.
    pub fn contradict(&self, other: &Versions) -> bool {
        self.0.iter().any(|(version, errs)| other.0.get(version).is_some_and(|also| also != errs))
    }

    /// Adds what another script shows.
    pub fn add(&mut self, other: &Versions) {
        self.0.extend(other.0.iter().map(|(version, errs)| (version.clone(), *errs)));
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A finding as far as grouping is concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupMember {
    /// Its signature.
    pub signature: ScriptSignature,
    /// What versions do with it; empty if it was not asked.
    pub versions: Versions,
    /// Its size in bytes.
    pub bytes: usize,
}

/// Findings that look like one bug.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkeletonGroup {
    /// What they have in common.
    pub signature: ScriptSignature,
    /// What versions do with them, taken together.
    pub versions: Versions,
    /// Their places in what was grouped, the smallest finding first.
    pub members: Vec<usize>,
}

/// Groups findings. Each joins the first group of its signature with which no version tells it apart.
///
/// The result does not depend on the order of `members`, except for findings that are equal in all that is looked at.
pub fn group(members: &[GroupMember]) -> Vec<SkeletonGroup> {
    let mut order: Vec<usize> = (0..members.len()).collect();
    // Those of which most versions are known come first: they tell the others apart.
    let key = |n: &usize| {
        let member = &members[*n];
        (&member.signature, usize::MAX - member.versions.0.len(), member.bytes, &member.versions.0)
    };
    order.sort_by(|a, b| key(a).cmp(&key(b)).then(a.cmp(b)));
    let mut groups: Vec<SkeletonGroup> = Vec::new();
    for n in order {
        let GroupMember { signature, versions, .. } = &members[n];
        let fits = |group: &&mut SkeletonGroup| group.signature == *signature && !group.versions.contradict(versions);
        match groups.iter_mut().find(fits) {
            Some(group) => {
                group.versions.add(versions);
                group.members.push(n);
            }
            None => groups.push(SkeletonGroup {
                signature: signature.clone(),
                versions: versions.clone(),
                members: vec![n],
            }),
        }
    }
    for group in &mut groups {
        group.members.sort_by_key(|&n| (members[n].bytes, n));
    }
    groups
}
