//! The baseline's word on a finding: is it right where the solver under test is wrong.

use crate::bisection;
use crate::progress::InstallProgress;
use anyhow::{Context, Result};
use finding::BugClass;
use fuzz::oracle::replay::{self, SavedFinding};
use reduce::bisect::VersionAnswer;
use solver::install::{Fleet, InstalledSolver};
use solver::outcome::Answer;
use solver::process::CancelToken;
use solver::session::Solver;
use solver::spec::{BARE, SolverSpec};
use std::path::Path;

/// A solver that findings are compared with.
pub struct Baseline {
    installed: InstalledSolver,
    solver: Solver,
    fleet: Fleet,
    cancel: CancelToken,
}

/// What the baseline says of a finding, each with what it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BaselineVerdict {
    /// It answers rightly, so that the finding is new.
    New(String),
    /// It is wrong, too.
    Known(String),
    /// It does not answer, or it cannot be told whether rightly.
    Open(String),
    /// The solver under test does not show it every time.
    Flaky(String),
    /// There was no time left to ask.
    NotAsked,
}

impl BaselineVerdict {
    /// The verdict in a word.
    pub fn word(&self) -> &'static str {
        match self {
            BaselineVerdict::New(_) => "NEW",
            BaselineVerdict::Known(_) => "KNOWN",
            BaselineVerdict::Open(_) => "OPEN",
            BaselineVerdict::Flaky(_) => "FLAKY",
            BaselineVerdict::NotAsked => "LEFT",
        }
    }

    /// What the baseline did, in words that follow its name.
    pub fn reason(&self) -> &str {
        match self {
            BaselineVerdict::New(reason)
            | BaselineVerdict::Known(reason)
            | BaselineVerdict::Open(reason)
            | BaselineVerdict::Flaky(reason) => reason,
            BaselineVerdict::NotAsked => "was not asked: the time was up",
        }
    }
}

impl Baseline {
    /// Gets the solver, installing it if that is needed.
    ///
    /// # Errors
    /// It cannot be had.
    pub fn get(
        spec: &SolverSpec,
        fleet: &Fleet,
        cancel: &CancelToken,
        mut progress: InstallProgress,
    ) -> Result<Baseline> {
        let installed =
            fleet.ensure(spec, &mut progress).with_context(|| format!("cannot get the baseline {}", spec.label()))?;
        let solver = fleet.solver(installed.clone()).with_cancel(cancel.clone());
        Ok(Baseline { installed, solver, fleet: Fleet::of_user()?, cancel: cancel.clone() })
    }

    /// Its name, with the version where that is known.
    pub fn label(&self) -> String {
        self.installed.label()
    }

    /// What it says of the reduced script of a finding.
    ///
    /// # Errors
    /// The script cannot be read, or the solver under test does not show on it what it showed.
    pub fn ask_reduced(&self, folder: &Path) -> Result<VersionAnswer> {
        bisection::ask_one(&bisection::BisectionOrder::new(folder), &self.fleet, &self.solver)
    }

    /// What it says of the finding in a folder.
    ///
    /// # Errors
    /// The finding cannot be read, or the baseline cannot be run.
    pub fn ask(&self, folder: &Path) -> Result<BaselineVerdict> {
        let saved = replay::load(folder)?;
        let finding = &saved.finding;
        if !finding.repeats.confirmed() {
            let repeats = finding.repeats;
            let why = format!("was not asked: it shows in {} of {} repetitions", repeats.shown, repeats.runs);
            return Ok(BaselineVerdict::Flaky(why));
        }
        let mut options = finding.solver.drawn_options.clone();
        // What the finding does without, the baseline does without, too.
        options.extend(
            replay::recorded_solver(&finding.solver).ok().filter(SolverSpec::is_bare).map(|_| BARE.to_string()),
        );
        match self.with_options(&options)? {
            Some(solver) => verdict(&saved, &solver),
            None => verdict(&saved, &self.solver),
        }
    }

    /// The baseline with options drawn for the solver under test; none where none were.
    fn with_options(&self, drawn: &[String]) -> Result<Option<Solver>> {
        let mut spec = self.installed.spec.clone();
        // Commands stand in the script.
        let mut words = drawn.iter().filter(|option| !option.starts_with('(')).cloned().peekable();
        match &mut spec {
            _ if words.peek().is_none() => return Ok(None),
            SolverSpec::Named(named) => named.options.extend(words),
            SolverSpec::Path(path) => path.options.extend(words),
            SolverSpec::Builtin(_) => return Ok(None),
        }
        let installed = self.fleet.resolve(&spec)?;
        Ok(Some(self.fleet.solver(installed).with_cancel(self.cancel.clone())))
    }
}

fn verdict(saved: &SavedFinding, solver: &Solver) -> Result<BaselineVerdict> {
    let replayed = saved.replay(solver)?;
    let check = saved.finding.check;
    let answer = replayed.outcome.answers.get(check).map_or(Answer::Missing, |check| check.answer);
    if let Some(spelling) = &replayed.misread {
        return Ok(BaselineVerdict::Open(format!("answers {}, but is known to misread {spelling}", answer.word())));
    }
    // Giving up is an error only where that is what the finding is about.
    if let Some(hit) =
        replayed.hit.as_ref().filter(|hit| hit.class != BugClass::C || saved.finding.class == BugClass::C)
    {
        return Ok(BaselineVerdict::Known(format!("is wrong, too: {}", hit.symptom)));
    }
    let expected = saved.finding.expected.get(check).map_or("open", String::as_str);
    let is_right = match answer {
        Answer::Sat | Answer::Unsat => answer.word() == expected || !matches!(expected, "sat" | "unsat"),
        // Enough against a crash of which nothing else is known.
        Answer::Unknown => !matches!(expected, "sat" | "unsat"),
        _ => false,
    };
    let said = format!("answers {}", answer.word());
    Ok(if is_right { BaselineVerdict::New(said) } else { BaselineVerdict::Open(said) })
}
