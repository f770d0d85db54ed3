//! Groups of findings that are of one cause: crashes by their symptom, wrong answers by the vector of answers.

use crate::bisect::{VersionAnswer, VersionVerdict};
use crate::signature::ScriptSignature;
use finding::{AnswerVector, BugClass, symptom};
use std::collections::BTreeSet;

/// The vector of rows: erring or right. Those that decided nothing are left out.
pub fn vector(rows: &[VersionAnswer]) -> AnswerVector {
    let errs = |did| match did {
        VersionVerdict::Wrong => Some(true),
        VersionVerdict::Right => Some(false),
        VersionVerdict::Undecided | VersionVerdict::Refused => None,
    };
    rows.iter().filter_map(|row| Some((row.solver.clone(), errs(row.did)?))).collect()
}

/// A finding as far as grouping is concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupMember {
    /// The solver's name, without a version.
    pub solver: String,
    /// Its signature.
    pub signature: ScriptSignature,
    /// Who errs on it; empty if nobody was asked.
    pub vector: AnswerVector,
    /// Its size in bytes.
    pub bytes: usize,
}

/// Findings of one cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberGroup {
    /// The signature of the smallest one.
    pub signature: ScriptSignature,
    /// Who errs on them, taken together.
    pub vector: AnswerVector,
    /// Their places in what was grouped, the smallest finding first.
    pub members: Vec<usize>,
}

/// What findings must have in criteria to be of one cause, beside vectors that do not contradict each other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct GroupCriteria {
    solver: String,
    class: BugClass,
    symptom: String,
    /// Whether the symptom tells the cause.
    is_told: bool,
    /// Where nothing else tells them apart.
    signature: Option<ScriptSignature>,
}

impl GroupCriteria {
    fn of(member: &GroupMember) -> GroupCriteria {
        let ScriptSignature { class, symptom, .. } = &member.signature;
        let is_told = symptom::tells(*class, symptom) && !symptom.is_empty();
        GroupCriteria {
            solver: member.solver.clone(),
            class: *class,
            symptom: symptom.clone(),
            is_told,
            // One answer is that of the solver itself, which every finding has.
            signature: (!is_told && member.vector.len() < 2).then(|| member.signature.clone()),
        }
    }
}

/// A group to which members may come.
struct GrowingGroup<'m> {
    criteria: GroupCriteria,
    signatures: BTreeSet<&'m ScriptSignature>,
    group: MemberGroup,
}

impl GrowingGroup<'_> {
    fn takes(&self, criteria: &GroupCriteria, member: &GroupMember) -> bool {
        let plain = |criteria: &GroupCriteria| GroupCriteria { signature: None, ..criteria.clone() };
        if plain(&self.criteria) != plain(criteria) {
            return false;
        }
        let is_alike = criteria.signature.as_ref().is_none_or(|signature| self.signatures.contains(signature));
        // A bare signal is the same for very many bugs.
        let is_bare = symptom::is_bare_signal(criteria.class, &criteria.symptom);
        (criteria.is_told && !is_bare) || (is_alike && !self.group.vector.contradicts(&member.vector))
    }
}

/// Groups findings. A crash joins those of its symptom; where that is a bare signal, no release may tell them apart. A wrong answer
/// joins the first group of its solver and class with which no release and no option tells it apart; where nobody was asked, it
/// joins those of its signature, asked or not.
///
/// The result does not depend on the order of `members`, except for findings that are equal in all that is looked at.
pub fn group(members: &[GroupMember]) -> Vec<MemberGroup> {
    let mut order: Vec<usize> = (0..members.len()).collect();
    // Those of which most answers are known come first: they tell the others apart.
    let key = |n: &usize| {
        let member = &members[*n];
        let known = usize::MAX - member.vector.len();
        (GroupCriteria::of(member), known, &member.vector, member.bytes, &member.signature)
    };
    order.sort_by(|a, b| key(a).cmp(&key(b)).then(a.cmp(b)));
    let mut groups: Vec<GrowingGroup> = Vec::new();
    for n in order {
        let member = &members[n];
        let criteria = GroupCriteria::of(member);
        match groups.iter_mut().find(|growing| growing.takes(&criteria, member)) {
            Some(growing) => {
                growing.group.vector.add(&member.vector);
                growing.group.members.push(n);
                growing.signatures.insert(&member.signature);
            }
            None => {
                let (signature, vector) = (member.signature.clone(), member.vector.clone());
                let group = MemberGroup { signature, vector, members: vec![n] };
                groups.push(GrowingGroup { criteria, signatures: BTreeSet::from([&member.signature]), group });
            }
        }
    }
    let mut groups: Vec<MemberGroup> = groups.into_iter().map(|growing| growing.group).collect();
    for group in &mut groups {
        group.members.sort_by_key(|&n| (members[n].bytes, n));
        if let Some(&smallest) = group.members.first() {
            group.signature = members[smallest].signature.clone();
        }
    }
    groups
}
