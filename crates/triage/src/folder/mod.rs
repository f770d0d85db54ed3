//! Loads the findings of a campaign's folder and groups them, the most important first.

mod triaged;

use crate::explanation::FindingExplanation;
use anyhow::Result;
use finding::folder::{self, FindingFile, FindingFolder};
use finding::{AnswerVector, BugClass, Cause, CauseCount, Finding, KnownMatch, symptom};
use oracle::replay;
use reduce::ReductionReport;
use reduce::bisect::Bisection;
use reduce::finding::Account;
use reduce::groups::{self, GroupMember};
use reduce::signature::{Circumstances, ScriptSignature};
use solver::spec::SolverSpec;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use triaged::spec_options;

/// The contents of a campaign's folder.
pub struct CampaignFindings {
    /// The folder.
    pub root: PathBuf,
    /// The readable findings, by name.
    pub findings: Vec<Triaged>,
    /// The errors of the unreadable findings.
    pub damaged: Vec<String>,
}

/// A finding with the results of later work on it.
pub struct Triaged {
    /// Its folder.
    pub folder: PathBuf,
    /// Its record.
    pub finding: Finding,
    /// Command-line options when it was found, without those that belong to the solver's program.
    drawn: Vec<String>,
    /// The text that was sent.
    pub mutant: String,
    /// The scripts that must precede the shown one in the same process, each ended by `(reset)`; usually empty.
    pub earlier: String,
    /// The witness of that text.
    pub witness: Option<String>,
    /// The reduced script, if it was reduced.
    pub reduced: Option<ReducedScript>,
    /// The versions that fail on the shown script, if it was bisected.
    pub bisection: Option<Bisection>,
    /// Who fails on the reduced script, if that was asked.
    pub vector: Option<AnswerVector>,
    /// The explanation of the shown script, if there is one.
    pub explanation: Option<FindingExplanation>,
    /// The known cause that it matches, if that saved its reduction.
    pub matched: Option<KnownMatch>,
}

/// A reduced script.
pub struct ReducedScript {
    /// The script.
    pub text: String,
    /// Its witness.
    pub witness: Option<String>,
    /// Solver options that are still needed; `None` if that was not examined.
    pub options: Option<Vec<String>>,
    /// Whether the error shows without the options that the solver's profile adds.
    pub is_bare: bool,
    /// Sizes, calls and truth; `None` while the reduction runs, or if it was killed.
    pub report: Option<ReductionReport>,
    /// What the script has in common with other findings of the same bug.
    pub signature: ScriptSignature,
}

/// Findings that likely have one cause.
pub struct CauseGroup<'o> {
    /// The reduced ones, those that err in the newest release first and then the smallest, then the others.
    pub members: Vec<&'o Triaged>,
    /// The number of reduced ones.
    pub reduced: usize,
    /// Their common signature; `None` if none was reduced.
    pub signature: Option<ScriptSignature>,
}

impl CampaignFindings {
    /// Returns an empty set, to which findings of several campaigns can be added.
    pub fn none(root: &Path) -> CampaignFindings {
        CampaignFindings { root: root.to_path_buf(), findings: Vec::new(), damaged: Vec::new() }
    }

    /// Adds another campaign's findings, to be grouped with these.
    pub fn add(&mut self, more: CampaignFindings) {
        self.findings.extend(more.findings);
        self.damaged.extend(more.damaged);
    }

    /// Reads a campaign's folder, or that of a single finding.
    /// Errors: the folder holds no finding and is not a campaign's.
    pub fn load(root: &Path) -> Result<CampaignFindings> {
        let mut out = CampaignFindings::none(root);
        let folders = match folder::find(root) {
            Ok(folders) => folders,
            // A campaign without findings is still a campaign.
            Err(_) if root.join("campaign.json").is_file() => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let given = solvers_given(root);
        for folder in folders {
            match replay::load(&folder) {
                Ok(saved) => {
                    let mut finding = Triaged::new(saved, &given);
                    // A finding without it is still a finding.
                    match FindingExplanation::load(&FindingFolder::at(&folder), &files::sha256(finding.script())) {
                        Ok(explanation) => finding.explanation = explanation,
                        Err(error) => out.damaged.push(error.to_string()),
                    }
                    out.findings.push(finding);
                }
                Err(error) => out.damaged.push(error.to_string()),
            }
        }
        Ok(out)
    }

    /// Returns all findings, the most important first.
    pub fn by_importance(&self) -> Vec<&Triaged> {
        let mut all: Vec<&Triaged> = self.findings.iter().collect();
        all.sort_by(|a, b| a.importance().cmp(&b.importance()).then_with(|| a.folder.cmp(&b.folder)));
        all
    }

    /// Groups the findings, the most important first. An unreduced finding joins those that the campaign grouped with it, if one of them
    /// was reduced.
    pub fn groups(&self) -> Vec<CauseGroup<'_>> {
        let reduced: Vec<(&Triaged, &ReducedScript)> =
            self.findings.iter().filter_map(|f| Some((f, f.reduced.as_ref()?))).collect();
        let members: Vec<GroupMember> = reduced
            .iter()
            .map(|(finding, script)| GroupMember {
                solver: finding.solver_name(),
                signature: script.signature.clone(),
                vector: finding.known_vector(),
                bytes: finding.bytes(),
            })
            .collect();
        let mut groups: Vec<CauseGroup<'_>> = groups::group(&members)
            .into_iter()
            .map(|group| {
                let members: Vec<&Triaged> = group.iter().map(|&n| reduced[n].0).collect();
                CauseGroup { reduced: members.len(), members, signature: None }
            })
            .collect();
        // A reduced finding that matched a cause later has that cause, whatever its operators.
        for n in (0..groups.len()).rev() {
            let of = groups[n].members.iter().find_map(|member| Some(&member.matched.as_ref()?.of));
            let of = of.and_then(|of| groups.iter().position(|g| g.members.iter().any(|m| m.name() == of)));
            if let Some(to) = of.filter(|to| *to != n) {
                let CauseGroup { members, reduced, .. } = groups.remove(n);
                let to = &mut groups[to - usize::from(to > n)];
                to.members.extend(members);
                to.reduced += reduced;
            }
        }
        for group in &mut groups {
            // What errs in the newest release represents the others, if it was reduced completely.
            group.members.sort_by_cached_key(|f| {
                (f.is_experimental(), Reverse(f.releases().newest_wrong()), !f.is_reduced(), f.bytes())
            });
            group.signature = group.best().reduced.as_ref().map(|script| script.signature.clone());
        }
        let known = |f: &Triaged| Some((f.cause_key(), f.matched.as_ref()?.of.clone()));
        let known: BTreeMap<Cause, String> = self.findings.iter().filter_map(known).collect();
        let mut rest: BTreeMap<Cause, Vec<&Triaged>> = BTreeMap::new();
        for finding in self.findings.iter().filter(|f| f.reduced.is_none()) {
            let cause = finding.cause_key();
            let matched = known.get(&cause).map(String::as_str);
            let is_of = |m: &&Triaged| m.cause_key() == cause || matched == Some(m.name());
            match groups.iter_mut().find(|g| g.members[..g.reduced].iter().any(is_of)) {
                Some(group) => group.members.push(finding),
                None => rest.entry(cause).or_default().push(finding),
            }
        }
        for mut members in rest.into_values() {
            members.sort_by_cached_key(|f| (f.is_experimental(), f.bytes()));
            groups.push(CauseGroup { members, reduced: 0, signature: None });
        }
        groups.sort_by_cached_key(|g| (g.best().importance(), g.best().folder.clone()));
        groups
    }

    /// Counts the causes.
    pub fn count(&self) -> CauseCount {
        let (causes, rest): (Vec<_>, Vec<_>) = self.groups().into_iter().partition(CauseGroup::is_cause);
        CauseCount { causes: causes.len(), not_reduced: rest.iter().map(|group| group.members.len()).sum() }
    }

    /// Returns the groups as rows to show, the most important first. Unreduced findings follow the causes of their class: crashes by
    /// symptom, and all wrong answers of one solver in one row, since they may share a cause with each other or with those above.
    /// Findings that need experimental options come last.
    pub fn rows(&self) -> Vec<CauseGroup<'_>> {
        let (waiting, mut rows): (Vec<_>, Vec<_>) = self.groups().into_iter().partition(CauseGroup::waits);
        let mut joined: BTreeMap<(bool, BugClass, String), Vec<&Triaged>> = BTreeMap::new();
        for group in waiting {
            let best = group.best();
            let kind = (best.is_experimental(), best.finding.class, best.solver_name());
            joined.entry(kind).or_default().extend(group.members);
        }
        for mut members in joined.into_values() {
            members.sort_by_key(|f| f.bytes());
            rows.push(CauseGroup { members, reduced: 0, signature: None });
        }
        rows.sort_by_cached_key(|g| {
            let best = g.best();
            (best.is_experimental(), best.finding.class, !g.is_cause(), best.importance(), best.folder.clone())
        });
        rows
    }
}

/// Returns the solvers named by a campaign's command line.
fn solvers_given(root: &Path) -> Vec<SolverSpec> {
    let read = || serde_json::from_slice::<serde_json::Value>(&files::found(root.join("campaign.json")).ok()?).ok();
    let campaign = read().unwrap_or_default();
    let list = campaign["solvers"].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(|spec| spec.as_str()?.parse().ok()).collect()
}

impl ReducedScript {
    /// Returns a finding's reduction; `None` if it was not reduced, or the files do not belong together.
    fn load(folder: &FindingFolder, finding: &Finding, given: &[SolverSpec]) -> Option<ReducedScript> {
        let text = folder.text(FindingFile::Reduced).ok()?;
        let account: Account = folder.read().ok()??;
        // A reduction that stopped before its first candidate has reduced nothing.
        let is_begun = account.report.as_ref().is_none_or(|report| report.finished || report.judged > 0);
        if account.result != files::sha256(&text) || !is_begun {
            return None;
        }
        let mut store = smtlib::Store::new();
        let parsed = smtlib::parse(&mut store, &text);
        let needed = account.solver.as_deref().map(|spec| spec_options(spec, given));
        let is_bare =
            account.solver.as_deref().and_then(|spec| spec.parse().ok()).is_some_and(|spec: SolverSpec| spec.is_bare());
        let options = needed.clone().unwrap_or_else(|| spec_options(&finding.solver.spec, given));
        let symptom = finding.cause_symptom();
        let circumstances = Circumstances { class: finding.class, symptom, options: &options };
        let mut signature = ScriptSignature::of(&store, &parsed.script, circumstances);
        if signature.symptom.is_empty() && signature.skeleton.is_empty() {
            // After a reset `(check-sat)` alone may be wrong: the cause is in the scripts before it.
            let earlier = folder.text(FindingFile::ReducedPredecessors).unwrap_or_default();
            let earlier = smtlib::parse(&mut store, &earlier).script;
            signature.skeleton = ScriptSignature::of(&store, &earlier, circumstances).skeleton;
        }
        let witness = folder.text(FindingFile::ReducedWitness).ok();
        Some(ReducedScript { text, witness, options: needed, is_bare, report: account.report, signature })
    }
}

impl CauseGroup<'_> {
    /// Returns the group's representative: of the reduced findings that err in the newest release the smallest, or else the smallest.
    pub fn best(&self) -> &Triaged {
        // A group always has a first member.
        self.members[0]
    }

    /// Whether the group counts as a cause: one of its findings was reduced.
    pub fn is_cause(&self) -> bool {
        self.reduced > 0
    }

    /// Whether its wrong answers still wait for reduction, so nothing distinguishes its cause from that of another group.
    pub fn waits(&self) -> bool {
        let finding = &self.best().finding;
        self.reduced == 0 && !symptom::is_specific(finding.class, finding.cause_symptom())
    }

    /// Describes the group in one line.
    pub fn about(&self) -> String {
        match &self.signature {
            Some(signature) => signature.heading(),
            None => format!("not reduced; {}", self.best().finding.summary),
        }
    }
}
