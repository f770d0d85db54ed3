//! The findings of a campaign's folder as they lie there, put into groups, the most important first.

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

/// What lies in a campaign's folder.
pub struct CampaignFindings {
    /// The folder.
    pub root: PathBuf,
    /// The findings that can be read, by name.
    pub findings: Vec<Triaged>,
    /// What is wrong with the others.
    pub damaged: Vec<String>,
}

/// A finding with what was made of it since.
pub struct Triaged {
    /// Its folder.
    pub folder: PathBuf,
    /// Its record.
    pub finding: Finding,
    /// Options on the solver's command line when it was found, beside what makes it the program it is.
    drawn: Vec<String>,
    /// The text that was sent.
    pub mutant: String,
    /// The scripts that must go before the one to show in the same process, each ended by `(reset)`; mostly none.
    pub earlier: String,
    /// The witness of that text.
    pub witness: Option<String>,
    /// What is left of it, if it was reduced.
    pub reduced: Option<ReducedScript>,
    /// Which versions err, if that was asked of the script that is shown.
    pub bisection: Option<Bisection>,
    /// Who errs on the reduced script, if that was asked.
    pub vector: Option<AnswerVector>,
    /// What the script that is shown hangs on, if that was found out.
    pub explanation: Option<FindingExplanation>,
    /// The known cause that it is of, where it was not reduced for that.
    pub matched: Option<CauseMatch>,
}

/// A reduced script.
pub struct ReducedScript {
    /// The script.
    pub text: String,
    /// Its witness.
    pub witness: Option<String>,
    /// Options of the solver that are still needed; none where it was not examined.
    pub options: Option<Vec<String>>,
    /// Whether it shows without what the solver's profile adds.
    pub is_bare: bool,
    /// Sizes, calls and truth; none while the reduction goes on, or where it was killed.
    pub report: Option<ReductionReport>,
    /// What it shares with others of the same bug.
    pub signature: ScriptSignature,
}

/// Findings of one bug, as far as that can be told.
pub struct CauseGroup<'o> {
    /// Those that were reduced, the smallest first, then the others.
    pub members: Vec<&'o Triaged>,
    /// How many of them were reduced.
    pub reduced: usize,
    /// What they share; none where no member was reduced.
    pub signature: Option<ScriptSignature>,
}

impl CampaignFindings {
    /// No findings, to which those of several campaigns can be added.
    pub fn none(root: &Path) -> CampaignFindings {
        CampaignFindings { root: root.to_path_buf(), findings: Vec::new(), damaged: Vec::new() }
    }

    /// Adds the findings of another campaign, to be grouped with these.
    pub fn add(&mut self, more: CampaignFindings) {
        self.findings.extend(more.findings);
        self.damaged.extend(more.damaged);
    }

    /// Reads a campaign's folder, or that of a single finding.
    ///
    /// # Errors
    /// It holds no finding and is no campaign's.
    pub fn load(root: &Path) -> Result<CampaignFindings> {
        let mut out = CampaignFindings::none(root);
        let folders = match folder::find(root) {
            Ok(folders) => folders,
            // A campaign that found nothing is one all the same.
            Err(_) if root.join("campaign.json").is_file() => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let given = solvers_given(root);
        for folder in folders {
            match replay::load(&folder) {
                Ok(saved) => {
                    let mut finding = Triaged::new(saved, &given);
                    // One without it is a finding all the same.
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

    /// All findings, the most important first.
    pub fn by_importance(&self) -> Vec<&Triaged> {
        let mut all: Vec<&Triaged> = self.findings.iter().collect();
        all.sort_by(|a, b| a.importance().cmp(&b.importance()).then_with(|| a.folder.cmp(&b.folder)));
        all
    }

    /// The findings in groups, the most important first. One that was not reduced goes with those that the campaign took for
    /// hits of one cause, if one of them was.
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
                // One that was reduced as far as it goes speaks for the others.
                members.sort_by_cached_key(|finding| (finding.is_experimental(), !finding.is_reduced()));
                CauseGroup { reduced: members.len(), members, signature: Some(signature) }
            })
            .collect();
        // One that was reduced first and matched then is of the cause that it matches, whatever its operators.
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

    /// How many causes the findings have.
    pub fn count(&self) -> CauseCount {
        let (causes, rest): (Vec<_>, Vec<_>) = self.groups().into_iter().partition(CauseGroup::is_cause);
        CauseCount { causes: causes.len(), not_reduced: rest.iter().map(|group| group.members.len()).sum() }
    }

    /// The groups as rows to show, the most important first. What is not reduced stands behind the causes of its class: crashes by
    /// their symptoms, wrong answers of one solver in one row, for they may be of one cause with each other and with those above. What
    /// needs experimental options stands behind all others.
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

/// How important a finding is; less is more.
type Importance = (bool, BugClass, OptionGrade, ScriptOrigin, u8, u8, usize);

impl Triaged {
    fn new(saved: replay::SavedFinding, given: &[SolverSpec]) -> Triaged {
        let folder = FindingFolder::at(&saved.folder);
        let reduced = ReducedScript::load(&folder, &saved.finding, given);
        let shown = reduced.as_ref().map_or(saved.mutant.as_str(), |r| r.text.as_str());
        // One of another text says nothing of this one.
        let bisection = folder.read::<Bisection>().ok().flatten().filter(|found| found.script == files::sha256(shown));
        let vector = reduced.as_ref().and_then(|_| folder.vector());
        // A reduced script may need fewer of them.
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

    /// Its name.
    pub fn name(&self) -> &str {
        &self.finding.id
    }

    /// Whether it was reduced as far as it goes.
    pub fn is_reduced(&self) -> bool {
        self.reduced.as_ref().and_then(|reduced| reduced.report.as_ref()).is_some_and(|report| report.finished)
    }

    /// The script to show: the reduced one if there is one.
    pub fn script(&self) -> &str {
        self.reduced.as_ref().map_or(&self.mutant, |r| &r.text)
    }

    /// The size of all that goes to the solver where the script to show is sent.
    pub fn bytes(&self) -> usize {
        self.earlier.len() + self.script().len()
    }

    /// The two scripts that follow from the script to show, where their answers contradict each other.
    pub fn pair(&self) -> Option<[String; 2]> {
        let files = match self.reduced {
            Some(_) => [FindingFile::ReducedFirst, FindingFile::ReducedSecond],
            None => [FindingFile::First, FindingFile::Second],
        };
        let folder = FindingFolder::at(&self.folder);
        let [first, second] = files.map(|file| folder.text_if_there(file).ok().flatten());
        self.finding.contradiction.as_ref().and(first.zip(second)).map(|(first, second)| [first, second])
    }

    /// Where the script to show lies.
    pub fn script_path(&self) -> PathBuf {
        let file = if self.reduced.is_some() { FindingFile::Reduced } else { FindingFile::Mutant };
        FindingFolder::at(&self.folder).place(file)
    }

    /// The witness of the script to show.
    pub fn shown_witness(&self) -> Option<&str> {
        match &self.reduced {
            Some(reduced) => reduced.witness.as_deref(),
            None => self.witness.as_deref(),
        }
    }

    /// On whose word the right answer stands: of the script to show.
    pub fn trust(&self) -> Trust {
        let reduced = self.reduced.as_ref().and_then(|r| r.report.as_ref());
        reduced.map_or_else(|| self.finding.trust.clone(), |report| report.truth.recorded())
    }

    /// What the solver's model makes false in the script to show, with the values of its subterms; none where that is not the
    /// error, or a reduction did not tell.
    pub fn false_assertion(&self) -> Option<&str> {
        match &self.reduced {
            Some(_) if self.finding.class == BugClass::P => None,
            Some(reduced) => reduced.report.as_ref()?.told.as_deref(),
            None => self.finding.false_assertion.as_deref(),
        }
    }

    /// The step of the reduced script's proof that proves nothing, as it is printed, or that is refuted, with the assignment.
    pub fn broken_step(&self) -> Option<&str> {
        let reduced = self.reduced.as_ref().filter(|_| self.finding.class == BugClass::P)?;
        reduced.report.as_ref()?.told.as_deref()
    }

    /// How the script to show asks: `plain`, `incremental` or the tactic.
    pub fn mode(&self) -> &str {
        let recorded = self.finding.mode.strip_prefix("tactic ").unwrap_or(&self.finding.mode);
        self.reduced.as_ref().map_or(recorded, |r| &r.signature.mode)
    }

    /// Options on the solver's command line that the script to show needs.
    pub fn options(&self) -> Vec<String> {
        let mut options =
            self.reduced.as_ref().and_then(|r| r.options.clone()).unwrap_or_else(|| self.recorded_options());
        options.extend(self.profile_options().iter().cloned());
        options
    }

    /// Options that the solver's profile adds and the script to show needs.
    pub fn profile_options(&self) -> &[String] {
        let is_bare = self.reduced.as_ref().is_some_and(|reduced| reduced.is_bare);
        if is_bare { &[] } else { &self.finding.solver.profile_options }
    }

    /// Options on the solver's command line that the user or the campaign added when it was found.
    pub fn recorded_options(&self) -> Vec<String> {
        self.drawn.clone()
    }

    /// Versions that err, in words; none if it was not bisected.
    pub fn versions(&self) -> Option<String> {
        self.bisection.as_ref().filter(|b| !b.found.is_empty()).map(|b| summary(&b.found))
    }

    /// Whether it shows with nothing set: no option, no tactic. Bisection knows it of the newest version.
    pub fn is_default(&self) -> bool {
        let nothing_set = self.grade() == OptionGrade::Default && matches!(self.mode(), "plain" | "incremental");
        self.shows_plain() || nothing_set
    }

    /// Whether bisection saw it with no option and no tactic.
    fn shows_plain(&self) -> bool {
        self.bisection.as_ref().is_some_and(|b| b.plain.iter().any(|row| row.did == VersionVerdict::Wrong))
    }

    /// Which options the script to show needs, commands of the script among them, or which mode it was found in. What needs an
    /// experimental theory is experimental under any.
    pub fn grade(&self) -> OptionGrade {
        let solver = &self.finding.solver;
        if self.needs_experimental_theory() {
            return OptionGrade::Experimental;
        }
        let mut needed = self.options();
        // What its profile adds is allowed in the mode, too.
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

    /// Whether something that its profile calls an experimental theory is left in the script to show.
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

    /// Whether it needs an option or a theory that its solver's project asks not to get reports about.
    pub fn is_experimental(&self) -> bool {
        self.grade() == OptionGrade::Experimental
    }

    /// What the releases do with the script to show, as far as any was asked.
    pub fn releases(&self) -> ReleaseAnswers {
        ReleaseAnswers::of(self.bisection.as_ref(), self.vector.as_ref())
    }

    /// Whether the newest release that was asked is wrong, if any was asked.
    pub fn is_current(&self) -> Option<bool> {
        self.releases().newest_errs()
    }

    /// What the campaign takes for one cause. Where the symptom tells it, one mistake of several releases is one cause. A program that was
    /// named by its path is another one than those of the same file name.
    fn cause_key(&self) -> Cause {
        let cause = Cause::of(&self.finding);
        let solver = match symptom::is_specific(cause.class, &cause.symptom) {
            true => self.solver_name(),
            false => format!("{} {}", self.solver_name(), cause.solver),
        };
        Cause { solver, ..cause }.key()
    }

    /// The solver's name without a version, or the path of a program that was named by one.
    fn solver_name(&self) -> String {
        match self.finding.solver.spec.parse() {
            Ok(SolverSpec::Path(own)) => own.path,
            Ok(SolverSpec::Named(named)) => named.name,
            _ => self.finding.solver.label.clone(),
        }
    }

    /// Who errs on the script to show, as far as anybody was asked.
    fn known_vector(&self) -> AnswerVector {
        let mut vector = self.bisection.as_ref().map(|b| groups::vector(&b.found)).unwrap_or_default();
        if let Some(own) = &self.vector {
            vector.add(own);
        }
        vector
    }

    /// What needs experimental options last; refutation soundness before solution soundness before crashes before giving up; default
    /// options before others, current versions before old ones, what is certified before what is trusted, the small before the large.
    fn importance(&self) -> Importance {
        let current = match self.is_current() {
            Some(true) => 0,
            None => 1,
            Some(false) => 2,
        };
        let finding = &self.finding;
        let trust = self.trust().rank();
        let grade = self.grade();
        // What shows in a mode that promises more comes first.
        let promised = match grade {
            OptionGrade::Safe | OptionGrade::Stable => grade,
            _ if self.is_default() => OptionGrade::Default,
            _ => grade.max(OptionGrade::Documented),
        };
        (self.is_experimental(), finding.class, promised, finding.origin, current, trust, self.bytes())
    }
}

/// Options after a solver's name. What follows a program named by its path belongs to it, as the campaign's command line in
/// `given` names it; only what was drawn besides is an option.
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

/// The solvers that a campaign was begun with, as its command line named them.
fn solvers_given(root: &Path) -> Vec<SolverSpec> {
    let read = || serde_json::from_slice::<serde_json::Value>(&files::found(root.join("campaign.json")).ok()?).ok();
    let campaign = read().unwrap_or_default();
    let list = campaign["solvers"].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(|spec| spec.as_str()?.parse().ok()).collect()
}

impl ReducedScript {
    /// What is left of a finding; none if it was not reduced, or the files do not belong together.
    fn load(folder: &FindingFolder, finding: &Finding, given: &[SolverSpec]) -> Option<ReducedScript> {
        let text = folder.text(FindingFile::Reduced).ok()?;
        let account: Account = folder.read().ok()??;
        // What was cut off before its first candidate has reduced nothing.
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
    /// The finding that stands for the group: reduced if one is, and the smallest of those.
    pub fn best(&self) -> &Triaged {
        // A group is made around its first member.
        self.members[0]
    }

    /// Whether it counts as a cause: a finding of it was reduced.
    pub fn is_cause(&self) -> bool {
        self.reduced > 0
    }

    /// Whether its wrong answers are not reduced yet, so that nothing distinguishes its cause from that of another group.
    pub fn waits(&self) -> bool {
        let finding = &self.best().finding;
        self.reduced == 0 && !symptom::is_specific(finding.class, finding.cause_symptom())
    }

    /// What the group is about, in one line.
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
