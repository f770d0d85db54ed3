//! Loads the findings of a campaign's folder and groups them, the most important first.

use crate::explanation::FindingExplanation;
use crate::releases::ReleaseAnswers;
use anyhow::Result;
use finding::folder::{self, FindingFile, FindingFolder, FindingPaths};
use finding::{
    AnswerVector, BugClass, Cause, CauseCount, CauseMatch, Finding, OptionGrade, ScriptOrigin, Trust, symptom,
};
use oracle::replay;
use reduce::ReductionReport;
use reduce::bisect::{Bisection, VersionVerdict, summary};
use reduce::finding::Account;
use reduce::groups::{self, GroupMember};
use reduce::signature::{Circumstances, ScriptSignature};
use smtlib::Store;
use solver::spec::{BARE, SolverSpec};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The contents of a campaign's folder.
pub struct CampaignFindings {
    /// The folder.
    pub root: PathBuf,
    /// The readable findings, by name.
    pub findings: Vec<Triaged>,
    /// The errors of the unreadable ones.
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
    pub matched: Option<CauseMatch>,
}

/// A reduced script.
pub struct ReducedScript {
    /// The script.
    pub text: String,
    /// Its witness.
    pub witness: Option<String>,
    /// Solver options that are still needed; `None` if that was not examined.
    pub options: Option<Vec<String>>,
    /// Whether it shows without the options that the solver's profile adds.
    pub is_bare: bool,
    /// Sizes, calls and truth; `None` while the reduction runs, or if it was killed.
    pub report: Option<ReductionReport>,
    /// What it has in common with other findings of the same bug.
    pub signature: ScriptSignature,
}

/// Findings that likely have one cause.
pub struct CauseGroup<'o> {
    /// The reduced ones, smallest first, then the others.
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
    ///
    /// # Errors
    /// The folder holds no finding and is not a campaign's.
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
                bytes: script.text.len(),
            })
            .collect();
        let mut groups: Vec<CauseGroup<'_>> = groups::group(&members)
            .into_iter()
            .map(|group| {
                let signature = members[group[0]].signature.clone();
                let mut members: Vec<&Triaged> = group.iter().map(|&n| reduced[n].0).collect();
                // A completely reduced finding represents the others.
                members.sort_by_cached_key(|finding| (finding.is_experimental(), !finding.is_reduced()));
                CauseGroup { reduced: members.len(), members, signature: Some(signature) }
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
            members.sort_by_cached_key(|f| (f.is_experimental(), f.finding.mutant_bytes));
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
            members.sort_by_key(|f| f.finding.mutant_bytes);
            rows.push(CauseGroup { members, reduced: 0, signature: None });
        }
        rows.sort_by_cached_key(|g| {
            let best = g.best();
            (best.is_experimental(), best.finding.class, !g.is_cause(), best.importance(), best.folder.clone())
        });
        rows
    }
}

/// Returns the importance of a finding; less is more important.
type Importance = (bool, BugClass, OptionGrade, ScriptOrigin, u8, u8, usize);

impl Triaged {
    fn new(saved: replay::SavedFinding, given: &[SolverSpec]) -> Triaged {
        let folder = FindingFolder::at(&saved.folder);
        let reduced = ReducedScript::load(&folder, &saved.finding, given);
        let shown = reduced.as_ref().map_or(saved.mutant.as_str(), |r| r.text.as_str());
        // A result for another text does not apply to this one.
        let bisection = folder.read::<Bisection>().ok().flatten().filter(|found| found.script == files::sha256(shown));
        let vector = reduced.as_ref().and_then(|_| folder.vector());
        // A reduced script may need fewer options.
        let earlier = reduced.as_ref().and_then(|_| FindingPaths::of(&saved.folder, None).result_earlier());
        let earlier = earlier.filter(|_| !saved.earlier.is_empty());
        let matched = folder.read::<CauseMatch>().ok().flatten();
        Triaged {
            matched,
            earlier: earlier.unwrap_or(saved.earlier),
            drawn: spec_options(&saved.finding.solver.spec, given),
            folder: saved.folder,
            finding: saved.finding,
            mutant: saved.mutant,
            witness: saved.witness,
            reduced,
            bisection,
            vector: vector.map(|saved| saved.vector),
            explanation: None,
        }
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.finding.id
    }

    /// Whether it was reduced completely.
    pub fn is_reduced(&self) -> bool {
        self.reduced.as_ref().and_then(|reduced| reduced.report.as_ref()).is_some_and(|report| report.finished)
    }

    /// Returns the script to show: the reduced one if there is one.
    pub fn script(&self) -> &str {
        self.reduced.as_ref().map_or(&self.mutant, |r| &r.text)
    }

    /// Returns the size of everything that the solver receives with the shown script.
    pub fn bytes(&self) -> usize {
        self.earlier.len() + self.script().len()
    }

    /// Returns the two scripts whose answers contradict each other, derived from the shown script.
    pub fn pair(&self) -> Option<[String; 2]> {
        let files = match self.reduced {
            Some(_) => [FindingFile::ReducedFirst, FindingFile::ReducedSecond],
            None => [FindingFile::First, FindingFile::Second],
        };
        let folder = FindingFolder::at(&self.folder);
        let [first, second] = files.map(|file| folder.text_if_there(file).ok().flatten());
        self.finding.contradiction.as_ref().and(first.zip(second)).map(|(first, second)| [first, second])
    }

    /// Returns the path of the shown script.
    pub fn script_path(&self) -> PathBuf {
        let file = if self.reduced.is_some() { FindingFile::Reduced } else { FindingFile::Mutant };
        FindingFolder::at(&self.folder).place(file)
    }

    /// Returns the witness of the shown script.
    pub fn shown_witness(&self) -> Option<&str> {
        match &self.reduced {
            Some(reduced) => reduced.witness.as_deref(),
            None => self.witness.as_deref(),
        }
    }

    /// Returns the source of the right answer to the shown script.
    pub fn trust(&self) -> Trust {
        let reduced = self.reduced.as_ref().and_then(|r| r.report.as_ref());
        reduced.map_or_else(|| self.finding.trust.clone(), |report| report.truth.recorded())
    }

    /// Returns the assertion of the shown script that the solver's model makes false, with the values of its subterms; `None` if that is
    /// not the error or the reduction did not record it.
    pub fn false_assertion(&self) -> Option<&str> {
        match &self.reduced {
            Some(_) if self.finding.class == BugClass::P => None,
            Some(reduced) => reduced.report.as_ref()?.told.as_deref(),
            None => self.finding.false_assertion.as_deref(),
        }
    }

    /// Returns the invalid step of the reduced script's proof: as printed, or refuted, with the assignment.
    pub fn broken_step(&self) -> Option<&str> {
        let reduced = self.reduced.as_ref().filter(|_| self.finding.class == BugClass::P)?;
        reduced.report.as_ref()?.told.as_deref()
    }

    /// Returns the mode of the shown script: `plain`, `incremental` or the tactic.
    pub fn mode(&self) -> &str {
        let recorded = self.finding.mode.strip_prefix("tactic ").unwrap_or(&self.finding.mode);
        self.reduced.as_ref().map_or(recorded, |r| &r.signature.mode)
    }

    /// Returns the command-line options that the shown script needs.
    pub fn options(&self) -> Vec<String> {
        let mut options =
            self.reduced.as_ref().and_then(|r| r.options.clone()).unwrap_or_else(|| self.recorded_options());
        options.extend(self.profile_options().iter().cloned());
        options
    }

    /// Returns the options of the profile that the shown script needs.
    pub fn profile_options(&self) -> &[String] {
        let is_bare = self.reduced.as_ref().is_some_and(|reduced| reduced.is_bare);
        if is_bare { &[] } else { &self.finding.solver.profile_options }
    }

    /// Returns the command-line options that the user or the campaign added.
    pub fn recorded_options(&self) -> Vec<String> {
        self.drawn.clone()
    }

    /// Describes the failing versions; `None` if it was not bisected.
    pub fn versions(&self) -> Option<String> {
        self.bisection.as_ref().filter(|b| !b.found.is_empty()).map(|b| summary(&b.found))
    }

    /// Whether it shows with default settings: no option, no tactic. Bisection knows this for the newest version.
    pub fn is_default(&self) -> bool {
        let nothing_set = self.grade() == OptionGrade::Default && matches!(self.mode(), "plain" | "incremental");
        self.shows_plain() || nothing_set
    }

    /// Whether bisection saw it with no option and no tactic.
    fn shows_plain(&self) -> bool {
        self.bisection.as_ref().is_some_and(|b| b.plain.iter().any(|row| row.did == VersionVerdict::Wrong))
    }

    /// Returns the grade of the options that the shown script needs, including commands of the script, or of the mode in which it was
    /// found. A script with an experimental theory is always experimental.
    pub fn grade(&self) -> OptionGrade {
        let solver = &self.finding.solver;
        if self.needs_experimental_theory() {
            return OptionGrade::Experimental;
        }
        let mut needed = self.options();
        // Options of the profile are allowed in the mode, too.
        if let Some(mode) = &solver.mode
            && needed.iter().all(|option| mode.options.contains(option) || solver.profile_options.contains(option))
        {
            return mode.grade;
        }
        let commands = solver.drawn_options.iter().filter(|option| option.starts_with('('));
        needed.extend(commands.filter(|command| self.script().contains(command.as_str())).cloned());
        match needed.is_empty() || self.shows_plain() {
            true => OptionGrade::Default,
            false if needed.iter().any(|option| solver.experimental_options.contains(option)) => {
                OptionGrade::Experimental
            }
            false => OptionGrade::Documented,
        }
    }

    /// Whether the shown script uses a theory that the profile calls experimental.
    fn needs_experimental_theory(&self) -> bool {
        let theories = &self.finding.solver.experimental_theories;
        if theories.is_empty() {
            return false;
        }
        let mut store = Store::new();
        let script = smtlib::parse(&mut store, self.script()).script;
        let needs = smtlib::logic::of_script(&store, &script);
        theories.iter().any(|theory| solver::promises::needs_theory(theory, needs, self.script()))
    }

    /// Whether it needs an option or a theory about which the solver's project wants no reports.
    pub fn is_experimental(&self) -> bool {
        self.grade() == OptionGrade::Experimental
    }

    /// Returns the known verdicts of releases on the shown script.
    pub fn releases(&self) -> ReleaseAnswers {
        ReleaseAnswers::of(self.bisection.as_ref(), self.vector.as_ref())
    }

    /// Whether the newest release asked is wrong, if any was asked.
    pub fn is_current(&self) -> Option<bool> {
        self.releases().newest_errs()
    }

    /// Returns the campaign's key of its cause. Where the symptom identifies the cause, all releases share the key. A program given by
    /// its path differs from others of the same file name.
    fn cause_key(&self) -> Cause {
        let cause = Cause::of(&self.finding);
        let solver = match symptom::is_specific(cause.class, &cause.symptom) {
            true => self.solver_name(),
            false => format!("{} {}", self.solver_name(), cause.solver),
        };
        Cause { solver, ..cause }.key()
    }

    /// Returns the solver's name without a version, or the path of a program given by its path.
    fn solver_name(&self) -> String {
        match self.finding.solver.spec.parse() {
            Ok(SolverSpec::Path(own)) => own.path,
            Ok(SolverSpec::Named(named)) => named.name,
            _ => self.finding.solver.label.clone(),
        }
    }

    /// Returns who fails on the shown script, as far as known.
    fn known_vector(&self) -> AnswerVector {
        let mut vector = self.bisection.as_ref().map(|b| groups::vector(&b.found)).unwrap_or_default();
        if let Some(own) = &self.vector {
            vector.add(own);
        }
        vector
    }

    /// Orders findings: experimental options last; by class (wrong `unsat`, wrong `sat`, crashes, `unknown`); default options first;
    /// current versions before old ones; certified truth before trusted truth; small before large.
    fn importance(&self) -> Importance {
        let current = match self.is_current() {
            Some(true) => 0,
            None => 1,
            Some(false) => 2,
        };
        let finding = &self.finding;
        let trust = self.trust().rank();
        let grade = self.grade();
        // Failures in modes with more guarantees come first.
        let promised = match grade {
            OptionGrade::Safe | OptionGrade::Stable => grade,
            _ if self.is_default() => OptionGrade::Default,
            _ => grade.max(OptionGrade::Documented),
        };
        (self.is_experimental(), finding.class, promised, finding.origin, current, trust, self.bytes())
    }
}

/// Returns the options after a solver's name. Those after a program's path belong to the program, as the campaign's command line in
/// `given` names it; only drawn ones are options.
fn spec_options(spec: &str, given: &[SolverSpec]) -> Vec<String> {
    let Ok(spec) = spec.parse::<SolverSpec>() else { return Vec::new() };
    let options_of = |spec: &SolverSpec| -> Vec<String> {
        spec.options().iter().filter(|option| *option != BARE).cloned().collect()
    };
    let options = options_of(&spec);
    let SolverSpec::Path(own) = &spec else { return options };
    let base = given.iter().find_map(|given| match given {
        SolverSpec::Path(base) if base.path == own.path => options.strip_prefix(options_of(given).as_slice()),
        _ => None,
    });
    base.unwrap_or_default().to_vec()
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
        let signature = ScriptSignature::of(&store, &parsed.script, circumstances);
        let witness = folder.text(FindingFile::ReducedWitness).ok();
        Some(ReducedScript { text, witness, options: needed, is_bare, report: account.report, signature })
    }
}

impl CauseGroup<'_> {
    /// Returns the group's representative: the smallest reduced finding, or else the smallest.
    pub fn best(&self) -> &Triaged {
        // A group always has a first member.
        self.members[0]
    }

    /// Whether it counts as a cause: one of its findings was reduced.
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
            Some(signature) => {
                let text = signature.to_string();
                text.split_once(':').map_or(text.clone(), |(_, rest)| rest.trim().to_string())
            }
            None => format!("not reduced; {}", self.best().finding.summary),
        }
    }
}
