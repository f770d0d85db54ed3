//! Compares a finding with a baseline: is the baseline right where the solver under test is wrong?

use crate::bisection;
use crate::progress::InstallProgress;
use crate::releases::drawn_words;
use anyhow::{Context, Result};
use finding::{BugClass, Finding};
use oracle::replay::{self, SavedFinding};
use reduce::bisect::VersionAnswer;
use solver::install::{Fleet, InstalledSolver};
use solver::outcome::Answer;
use solver::process::CancelToken;
use solver::profile::OptionChoice;
use solver::session::Solver;
use solver::spec::{BARE, SolverSpec};
use std::path::Path;

/// A solver with which findings are compared.
pub struct Baseline {
    installed: InstalledSolver,
    solver: Solver,
    fleet: Fleet,
}

/// The baseline's verdict on a finding, with a description of what the baseline did; also when there is no baseline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BaselineVerdict {
    /// The baseline answers correctly, so the finding is new.
    New(String),
    /// The baseline is wrong as well.
    Known(String),
    /// The baseline does not answer, or its answer cannot be judged.
    Open(String),
    /// The solver under test does not show the failure reliably.
    Flaky(String),
    /// The time was up before the baseline was asked.
    NotAsked,
    /// There is no baseline.
    Absent,
}

impl BaselineVerdict {
    /// Returns the verdict as one word.
    pub fn word(&self) -> &'static str {
        match self {
            BaselineVerdict::New(_) => "NEW",
            BaselineVerdict::Known(_) => "KNOWN",
            BaselineVerdict::Open(_) => "OPEN",
            BaselineVerdict::Flaky(_) => "FLAKY",
            BaselineVerdict::NotAsked => "LEFT",
            BaselineVerdict::Absent => "OPEN",
        }
    }

    /// Describes what the baseline did; the text follows its name.
    pub fn reason(&self) -> &str {
        match self {
            BaselineVerdict::New(reason)
            | BaselineVerdict::Known(reason)
            | BaselineVerdict::Open(reason)
            | BaselineVerdict::Flaky(reason) => reason,
            BaselineVerdict::NotAsked => "was not asked: the time was up",
            BaselineVerdict::Absent => "there is no baseline",
        }
    }
}

impl Baseline {
    /// Gets the solver, installing it if needed.
    /// Errors: the solver is not available.
    pub fn get(
        spec: &SolverSpec,
        fleet: &Fleet,
        cancel: &CancelToken,
        mut progress: InstallProgress,
    ) -> Result<Baseline> {
        let installed =
            fleet.ensure(spec, &mut progress).with_context(|| format!("cannot get the baseline {}", spec.label()))?;
        let solver = fleet.solver(installed.clone()).with_cancel(cancel.clone());
        Ok(Baseline { installed, solver, fleet: Fleet::of_user()? })
    }

    /// Returns the solver's name, with its version if known.
    pub fn label(&self) -> String {
        self.installed.label()
    }

    /// Returns the solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Asks the baseline about the reduced script of a finding.
    /// Errors: the script cannot be read, or the solver under test no longer shows the recorded failure on it.
    pub fn ask_reduced(&self, folder: &Path) -> Result<VersionAnswer> {
        bisection::ask_one(&bisection::BisectionOrder::new(folder), &self.fleet, &self.solver)
    }

    /// Judges the finding in a folder.
    /// Errors: the finding cannot be read, or the baseline cannot be run.
    pub fn ask(&self, folder: &Path) -> Result<BaselineVerdict> {
        let saved = replay::load(folder)?;
        let finding = &saved.finding;
        if !finding.repeats.confirmed() {
            let repeats = finding.repeats;
            let why = format!("was not asked: it shows in {} of {} repetitions", repeats.shown, repeats.runs);
            return Ok(BaselineVerdict::Flaky(why));
        }
        verdict(&saved, &self.as_found(finding))
    }

    /// Whether the baseline shows the failure of a finding; uses the reduced script where it has one check. `None` if the baseline gives
    /// no answer or the record has options that the profile does not know.
    /// Errors: the finding cannot be read, or the solver cannot be run.
    pub fn shows(&self, folder: &Path) -> Result<Option<bool>> {
        let saved = replay::load_smallest(folder)?;
        // A record must not choose further options for the solver. Without its options the finding proves nothing.
        let listed: Vec<String> = self.solver.profile().choice.iter().flat_map(OptionChoice::settings).collect();
        if drawn_words(&saved.finding).iter().any(|word| !listed.contains(word)) {
            return Ok(None);
        }
        let replayed = saved.replay(&self.as_found(&saved.finding))?;
        Ok(match (replayed.reproduces, replayed.undecided) {
            (true, _) => Some(true),
            (false, None) => Some(false),
            (false, Some(_)) => None,
        })
    }

    /// Returns the solver with the options that the finding needs.
    fn as_found(&self, finding: &Finding) -> Solver {
        // These options were drawn for the solver under test; other solvers have different ones.
        let is_alike = replay::is_same_kind(&finding.solver, &self.solver);
        let drawn = if is_alike { drawn_words(finding) } else { Vec::new() };
        // Options that the finding does not need are left out for the baseline, too.
        let is_bare = is_alike && finding.solver.spec.parse().is_ok_and(|spec: SolverSpec| spec.is_bare());
        let bare = is_bare.then(|| BARE.to_string());
        self.solver.clone().with_options(drawn.into_iter().chain(bare))
    }
}

fn verdict(saved: &SavedFinding, solver: &Solver) -> Result<BaselineVerdict> {
    let replayed = saved.replay(solver)?;
    let check = saved.finding.check;
    let answer = replayed.outcome.answers.get(check).map_or(Answer::Missing, |check| check.answer);
    if let Some(spelling) = &replayed.misread {
        return Ok(BaselineVerdict::Open(format!("answers {}, but is known to misread {spelling}", answer.word())));
    }
    // `unknown` is an error only where the finding is about it.
    if let Some(hit) =
        replayed.hit.as_ref().filter(|hit| !hit.class.needs_another() || hit.class == saved.finding.class)
    {
        return Ok(BaselineVerdict::Known(format!("is wrong, too: {}", hit.symptom)));
    }
    let expected = saved.finding.expected.get(check).map_or("open", String::as_str);
    let is_right = match answer {
        Answer::Sat | Answer::Unsat => answer.word() == expected || !matches!(expected, "sat" | "unsat"),
        // This suffices for a crash about which nothing else is known.
        Answer::Unknown => !matches!(expected, "sat" | "unsat"),
        _ => false,
    };
    // A baseline that gives no answer either is no regression.
    if saved.finding.class == BugClass::C && matches!(answer, Answer::Timeout | Answer::MemOut) {
        return Ok(BaselineVerdict::Known(format!("gives up, too: {}", answer.word())));
    }
    let said = match replayed.outcome.complaint() {
        Some(error) if matches!(answer, Answer::Void | Answer::Missing) => {
            format!("answers {}: {}", answer.word(), error.lines().next().unwrap_or_default())
        }
        _ => format!("answers {}", answer.word()),
    };
    Ok(if is_right { BaselineVerdict::New(said) } else { BaselineVerdict::Open(said) })
}
