//! Replaying a finding: is its truth still true, and does the solver still err?

use crate::judge::{Asking, Hit};
use crate::question::SolverQuestion;
use crate::{exhaustion, translate, witness_file};
use files::digest;
use finding::folder::{FindingFile, FindingFolder, FindingPaths, FolderError};
use finding::record::SolverRecord;
use finding::{BugClass, Finding, Trust, symptom};
use semantics::truth::OpenTruth;
use semantics::truth::witness::certify_check;
use smtlib::{Status, Store};
use solver::install::{Fleet, InstallError};
use solver::outcome::{Answer, SolverOutcome};
use solver::process::RunError;
use solver::profiles::GENERIC;
use solver::session::Solver;
use solver::spec::{PathSpec, SolverSpec, SpecError};
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Proof of a finding that needs no witness.
const IN_THE_RUN: &str = "the run shows the bug";

/// A finding as stored on disk.
#[derive(Clone, Debug)]
pub struct SavedFinding {
    /// Its folder.
    pub folder: PathBuf,
    /// Its record.
    pub finding: Finding,
    /// The script that was sent.
    pub mutant: String,
    /// The preceding scripts in the same process; empty if none.
    pub earlier: String,
    /// Its witness, if there is one.
    pub witness: Option<String>,
}

/// Why a finding cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The finding cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The solver cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The proof of a finding's truth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownTruth {
    /// Who vouches for it. Only [`Trust::Certified`] has a witness.
    pub trust: Trust,
    /// The proof in words; for a trusted truth its source.
    pub by: String,
}

/// Why a finding's truth does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TruthLost {
    /// Its witness file is missing.
    #[error("MISSING: {} is not there, so nothing is certified", FindingFile::Witness.name())]
    Missing,
    /// The witness does not satisfy the mutant, or exhaustion does not show the right answer.
    #[error("DOES NOT HOLD: {0}")]
    Fails(String),
}

/// The result of a replay.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The state of the truth.
    pub witness: Result<ShownTruth, TruthLost>,
    /// What the solver did.
    pub outcome: SolverOutcome,
    /// The contradiction with the truth, if any.
    pub hit: Option<Hit>,
    /// Whether the script was translated for the solver, because it was found with another one.
    pub is_translated: bool,
    /// A spelling in the text that this version misreads, which makes the hit meaningless.
    pub misread: Option<String>,
    /// Whether the original symptom shows and the truth holds.
    pub reproduces: bool,
    /// Why it is unknown whether the bug is fixed, if the solver gave no answer.
    pub undecided: Option<&'static str>,
}

/// Returns the solver of a record. A program that was named by a path relative to the campaign's folder gets its full path if the
/// relative one leads elsewhere from here.
/// Errors: the record names no solver, or one that the user never named.
pub fn recorded_solver(record: &SolverRecord, fleet: &Fleet) -> Result<SolverSpec, RecordedSolverError> {
    Ok(fleet.recorded(as_recorded(record.spec.parse()?, record))?)
}

/// Why the solver of a record is not run.
#[derive(Debug, thiserror::Error)]
pub enum RecordedSolverError {
    /// The record names no solver.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The user never named it.
    #[error(transparent)]
    NotNamed(#[from] InstallError),
}

/// Returns the record's solver with other options.
pub fn as_recorded(spec: SolverSpec, record: &SolverRecord) -> SolverSpec {
    let (SolverSpec::Path(own), Some(program)) = (&spec, record.command.first().map(Path::new)) else { return spec };
    let real = |path: &Path| fs::canonicalize(path).ok();
    let is_elsewhere = !Path::new(&own.path).is_absolute() && real(Path::new(&own.path)) != real(program);
    match program.is_absolute() && program.exists() && is_elsewhere {
        true => SolverSpec::Path(PathSpec { path: program.display().to_string(), ..own.clone() }),
        false => spec,
    }
}

/// Whether a solver is of the same kind as a recorded one. An unknown program counts as a build of it, and so does a recorded one
/// if an earlier version of Squall recorded only its path.
pub fn is_same_kind(record: &SolverRecord, solver: &Solver) -> bool {
    let recorded = record.profile.clone().or_else(|| match record.spec.parse() {
        Ok(SolverSpec::Named(named)) => Some(named.name),
        Ok(SolverSpec::Path(path)) => path.profile,
        _ => None,
    });
    let name = &solver.profile().name;
    name == GENERIC || recorded.is_none_or(|recorded| recorded == *name)
}

/// Reads a finding.
/// Errors: [`FolderError`] when a file is missing or damaged.
pub fn load(path: &Path) -> Result<SavedFinding, FolderError> {
    let folder = FindingFolder::at(path);
    let finding = folder.record()?;
    let mutant = folder.text(FindingFile::Mutant)?;
    let witness = folder.text_if_there(FindingFile::Witness)?;
    let earlier = match finding.predecessors_sha256 {
        Some(_) => folder.text(FindingFile::Predecessors)?,
        None => String::new(),
    };
    Ok(SavedFinding { folder: path.to_path_buf(), finding, mutant, earlier, witness })
}

/// Reads a finding with its reduced script instead of the sent one, if it asks the same single question.
/// Errors: as [`load`].
pub fn load_smallest(path: &Path) -> Result<SavedFinding, FolderError> {
    let mut saved = load(path)?;
    let folder = FindingFolder::at(path);
    let record = &saved.finding;
    let asks_once = record.expected.len() == 1 && saved.earlier.is_empty() && record.contradiction.is_none();
    if asks_once && let Some(reduced) = folder.text_if_there(FindingFile::Reduced)? {
        saved.mutant = reduced;
        saved.witness = FindingPaths::of(path, None).result_witness();
    }
    Ok(saved)
}

impl SavedFinding {
    /// Whether the script and its predecessors are still the text that was sent.
    pub fn is_unchanged(&self) -> bool {
        let earlier = self.finding.predecessors_sha256.as_ref();
        digest::sha256(&self.mutant) == self.finding.mutant_sha256
            && earlier.is_none_or(|sha256| digest::sha256(&self.earlier) == *sha256)
    }

    /// Checks the witness against the mutant's text, without any solver.
    /// Errors: nothing proves the truth.
    pub fn check_witness(&self) -> Result<ShownTruth, TruthLost> {
        let trust = self.finding.trust.recorded();
        let by = match (&trust, &self.witness) {
            (Trust::Trusted(who), _) => match exhaustion::unproven(&self.mutant, self.finding.check) {
                Some(name) => return Err(TruthLost::Fails(OpenTruth::NotTotal(name).to_string())),
                None => who.to_string(),
            },
            (Trust::Exhausted, _) => self.check_exhaustion()?,
            // The model is the solver's own; asking it again judges that.
            (Trust::Certified, None) if self.is_about_the_model() => {
                return Ok(ShownTruth { trust: Trust::Observed, by: IN_THE_RUN.to_string() });
            }
            (Trust::Certified, None) => return Err(TruthLost::Missing),
            (Trust::Certified, Some(text)) => self.check_text(text)?,
            _ => IN_THE_RUN.to_string(),
        };
        Ok(ShownTruth { trust, by })
    }

    /// Whether it is the solver's own model that our evaluator judged.
    fn is_about_the_model(&self) -> bool {
        self.finding.class == BugClass::E
            || matches!(&*self.finding.symptom, symptom::WRONG_MODEL | symptom::WRONG_VALUE | symptom::WRONG_OPTIMUM)
    }

    fn check_exhaustion(&self) -> Result<String, TruthLost> {
        match exhaustion::decide_text(&self.mutant, self.finding.check) {
            Ok(known)
                if known.definition().is_none()
                    && self.finding.expected.get(self.finding.check).is_some_and(|word| word == known.word()) =>
            {
                Ok(known.to_string())
            }
            Ok(known) => Err(TruthLost::Fails(known.to_string())),
            Err(reason) => Err(TruthLost::Fails(reason.to_string())),
        }
    }

    fn check_text(&self, witness: &str) -> Result<String, TruthLost> {
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &self.mutant);
        if let Some(first) = parsed.errors.first() {
            return Err(TruthLost::Fails(format!("{} does not read: {first}", FindingFile::Mutant.name())));
        }
        let fails = |why: &dyn std::fmt::Display| TruthLost::Fails(why.to_string());
        let model = Arc::new(witness_file::read(&mut store, witness).map_err(|error| fails(&error))?);
        let (checks, check) = (self.finding.expected.len(), self.finding.check);
        let certified = certify_check(&store, &model, &self.mutant, checks, check).map_err(|reason| fails(&reason))?;
        Ok(match certified.assertions {
            1 => "makes the assertion true".to_string(),
            n => format!("makes all {n} assertions true"),
        })
    }

    /// Checks the witness and asks a solver.
    /// Errors: the solver cannot be run.
    pub fn replay(&self, solver: &Solver) -> Result<Replayed, ReplayError> {
        let witness = self.check_witness();
        let finding = &self.finding;
        let (question, text) = self.asked_of(solver);
        let response = question.ask(solver, &text)?;
        let hit = response.hit_like(&finding.symptom, &self.expected(), Asking::of(&text));
        let same = hit.as_ref().is_some_and(|hit| {
            hit.class == finding.class && hit.check == finding.check && hit.symptom == finding.symptom
        });
        let installed = solver.installed();
        let misread = match hit.as_ref().map(|hit| hit.class) {
            None | Some(BugClass::D) => None,
            Some(_) => installed.profile.misread(installed.version.as_ref(), &text).map(str::to_string),
        };
        let reproduces = same && misread.is_none() && witness.is_ok();
        let undecided = (!same).then(|| self.undecided(&response.outcome)).flatten();
        let (outcome, is_translated) = (response.outcome, matches!(text, Cow::Owned(_)));
        Ok(Replayed { witness, outcome, hit, is_translated, misread, reproduces, undecided })
    }

    /// Returns the script and the question for a solver: unchanged for the recorded solver, respelled for another version of it, or as
    /// [`SolverQuestion::elsewhere`].
    fn asked_of(&self, solver: &Solver) -> (SolverQuestion, Cow<'_, str>) {
        let (question, record, installed) = (self.question(), &self.finding.solver, solver.installed());
        if is_same_kind(record, solver) {
            let version = record.version.as_deref().and_then(|version| version.parse().ok());
            let is_same = record.label == installed.label();
            let asked = || translate::for_version(&self.mutant, version.as_ref(), installed);
            return (question, if is_same { Cow::Borrowed(&*self.mutant) } else { asked() });
        }
        let mut store = Store::new();
        let parsed = smtlib::parse(&mut store, &self.mutant);
        if !parsed.errors.is_empty() {
            return (question, Cow::Borrowed(&*self.mutant));
        }
        let (question, text) = question.elsewhere(&store, &parsed.script.commands, solver);
        (question, Cow::Owned(text))
    }

    /// Explains why an outcome without the bug does not show that the bug is fixed.
    fn undecided(&self, outcome: &SolverOutcome) -> Option<&'static str> {
        // A script that is slow everywhere does not count as slow.
        if self.finding.class == BugClass::S {
            return None;
        }
        match outcome.answers.get(self.finding.check).map(|check| check.answer) {
            Some(Answer::Sat | Answer::Unsat | Answer::Unknown) => None,
            Some(Answer::Crashed) => Some("it crashed in another way"),
            Some(Answer::Void) => Some("it reported an error, so its answer is about another problem"),
            Some(Answer::Timeout | Answer::MemOut | Answer::OutputOut | Answer::Cancelled) => {
                Some("it reached a limit")
            }
            Some(Answer::Missing) | None => Some("it gave no answer"),
        }
    }

    /// Returns the question that its solver was asked.
    pub fn question(&self) -> SolverQuestion {
        SolverQuestion::of(&self.finding, &self.earlier)
    }

    fn expected(&self) -> Vec<Status> {
        let word = |word: &String| match word.as_str() {
            "sat" => Status::Sat,
            "unsat" => Status::Unsat,
            _ => Status::Unknown,
        };
        self.finding.expected.iter().map(word).collect()
    }
}
