//! Groups findings by cause: crashes by their symptom, wrong answers by the vector of answers.

use crate::bisect::{VersionAnswer, VersionVerdict};
use crate::signature::ScriptSignature;
use finding::{AnswerVector, ReducedCause};
use std::collections::BTreeSet;

/// Returns the vector of rows: wrong or right. Rows without a verdict are left out.
pub fn vector(rows: &[VersionAnswer]) -> AnswerVector {
    let errs = |did| match did {
        VersionVerdict::Wrong => Some(true),
        VersionVerdict::Right => Some(false),
        VersionVerdict::Undecided | VersionVerdict::Refused => None,
    };
    rows.iter().filter_map(|row| Some((row.solver.clone(), errs(row.did)?))).collect()
}

/// The properties of a finding that grouping uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupMember {
    /// The solver's name, without a version.
    pub solver: String,
    /// Its signature.
    pub signature: ScriptSignature,
    /// Who fails on it; empty if no solver was asked.
    pub vector: AnswerVector,
    /// Its size in bytes.
    pub bytes: usize,
}

/// A group under construction.
struct GrowingGroup<'m> {
    cause: ReducedCause,
    signatures: BTreeSet<&'m ScriptSignature>,
    members: Vec<usize>,
}

impl GroupMember {
    fn cause(&self) -> ReducedCause {
        ReducedCause::new(self.signature.class, &self.solver, &self.signature.symptom, &self.vector)
    }

    /// Returns the signature if neither symptom nor answers identify the cause. A single answer is the solver's own, which every finding
    /// has.
    fn needed_signature(&self) -> Option<&ScriptSignature> {
        (!self.cause().is_told() && self.vector.len() < 2).then_some(&self.signature)
    }
}

/// Groups findings. A crash joins those with its symptom and, for a bare signal, only if no release distinguishes them. A wrong answer
/// joins the first group of its solver and class that no release and no option distinguishes from it; if no solver was asked, it joins
/// those with its signature.
///
/// A group lists the indices of its findings in `members`, the smallest finding first. The result does not depend on the order of
/// `members`, except for findings that are equal in all compared properties.
pub fn group(members: &[GroupMember]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..members.len()).collect();
    // Findings with most known answers come first: they distinguish the others.
    order.sort_by_cached_key(|&n| {
        let GroupMember { solver, signature, vector, bytes } = &members[n];
        let known = usize::MAX - vector.len();
        (solver, signature.class, &signature.symptom, members[n].needed_signature(), known, vector, bytes, signature)
    });
    let mut groups: Vec<GrowingGroup> = Vec::new();
    for n in order {
        let (cause, needed) = (members[n].cause(), members[n].needed_signature());
        let takes = |group: &&mut GrowingGroup| {
            group.cause.is_same(&cause) && needed.is_none_or(|signature| group.signatures.contains(signature))
        };
        match groups.iter_mut().find(takes) {
            Some(group) => {
                group.cause.vector.add(&cause.vector);
                group.members.push(n);
                group.signatures.insert(&members[n].signature);
            }
            None => {
                let signatures = BTreeSet::from([&members[n].signature]);
                groups.push(GrowingGroup { cause, signatures, members: vec![n] });
            }
        }
    }
    let smallest_first = |mut group: Vec<usize>| {
        group.sort_by_key(|&n| (members[n].bytes, n));
        group
    };
    groups.into_iter().map(|group| smallest_first(group.members)).collect()
}
