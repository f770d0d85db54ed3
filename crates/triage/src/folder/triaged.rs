//! A finding as triage sees it: its cause, and how important it is.

use super::{ReducedScript, Triaged};
use crate::releases::ReleaseAnswers;
use finding::folder::{FindingFile, FindingFolder, FindingPaths};
use finding::{AnswerVector, BugClass, Cause, KnownMatch, OptionGrade, ScriptOrigin, Trust, symptom};
use oracle::replay;
use reduce::bisect::{Bisection, VersionVerdict, summary};
use reduce::groups::{self};
use smtlib::Store;
use solver::spec::{BARE, SolverSpec};
use std::path::PathBuf;

/// Returns the importance of a finding; less is more important.
type Importance = (bool, BugClass, OptionGrade, ScriptOrigin, u8, u8, usize);

impl Triaged {
    pub(super) fn new(saved: replay::SavedFinding, given: &[SolverSpec]) -> Triaged {
        let folder = FindingFolder::at(&saved.folder);
        let reduced = ReducedScript::load(&folder, &saved.finding, given);
        let shown = reduced.as_ref().map_or(saved.mutant.as_str(), |r| r.text.as_str());
        // A result for another text does not apply to this one.
        let bisection = folder.read::<Bisection>().ok().flatten().filter(|found| found.script == files::sha256(shown));
        let vector = reduced.as_ref().and_then(|_| folder.vector());
        // A reduced script may need fewer options.
        let earlier = reduced.as_ref().and_then(|_| FindingPaths::of(&saved.folder, None).result_earlier());
        let earlier = earlier.filter(|_| !saved.earlier.is_empty());
        let matched = folder.read::<KnownMatch>().ok().flatten();
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

    /// Whether the finding was reduced completely.
    pub fn is_reduced(&self) -> bool {
        self.reduced.as_ref().and_then(|reduced| reduced.report.as_ref()).is_some_and(|report| report.finished)
    }

    /// Whether a complete reduction showed the failure only as the script is spelled.
    pub fn only_as_spelled(&self) -> bool {
        self.reduced.as_ref().and_then(|reduced| reduced.report.as_ref()).is_some_and(|report| report.only_as_spelled)
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
        // The assignment with the best value belongs to the false objective.
        match &self.reduced {
            _ if self.finding.symptom == symptom::WRONG_OPTIMUM => None,
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

    /// Whether the error shows with default settings: no option, no tactic. Bisection knows this for the newest version.
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

    /// Whether the error needs an option or a theory about which the solver's project wants no reports.
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
    pub(super) fn cause_key(&self) -> Cause {
        let cause = Cause::of(&self.finding);
        let solver = match symptom::is_specific(cause.class, &cause.symptom) {
            true => self.solver_name(),
            false => format!("{} {}", self.solver_name(), cause.solver),
        };
        Cause { solver, ..cause }.key()
    }

    /// Returns the solver's name without a version, or the path of a program given by its path.
    pub(super) fn solver_name(&self) -> String {
        match self.finding.solver.spec.parse() {
            Ok(SolverSpec::Path(own)) => own.path,
            Ok(SolverSpec::Named(named)) => named.name,
            _ => self.finding.solver.label.clone(),
        }
    }

    /// Returns who fails on the shown script, as far as known.
    pub(super) fn known_vector(&self) -> AnswerVector {
        let mut vector = self.bisection.as_ref().map(|b| groups::vector(&b.found)).unwrap_or_default();
        if let Some(own) = &self.vector {
            vector.add(own);
        }
        vector
    }

    /// Orders findings: experimental options last; by class (wrong `unsat`, wrong `sat`, crashes, `unknown`); default options first;
    /// current versions before old ones; certified truth before trusted truth; small before large.
    pub(super) fn importance(&self) -> Importance {
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
pub(super) fn spec_options(spec: &str, given: &[SolverSpec]) -> Vec<String> {
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
