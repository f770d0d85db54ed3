//! Bisects over the commits of a solver's repository, for `squall bisect --git`.
//!
//! Only what the user wrote on the command line is built and run; a record contributes only options to which the user consented.

use crate::bisection::{BisectionOrder, WrongScript, cache_folder, named, open};
use crate::progress::CommitStep;
use crate::reduction::{self, Interrupted, NoSolver};
use anyhow::{Context, Result, bail};
use reduce::bisect::{Bisection, ScriptVariant, VersionVerdict, ask};
use reduce::commits::{CommitAnswer, CommitChange, CommitHistory, backward, first_changed, spread};
use reduce::subject::Unreadable;

use solver::build::commits::{CommitBuild, CommitBuilder};
use solver::build::git::SolverCommit;
use solver::install::Fleet;
use solver::process::CancelToken;
use solver::spec::{PathSpec, SolverSpec};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;

/// The commits to ask, and their builder.
pub struct CommitSearch<'s> {
    /// Builds a commit.
    pub builder: CommitBuilder,
    /// The commits, oldest first.
    pub commits: Vec<SolverCommit>,
    /// Stops the search.
    pub cancel: CancelToken,
    /// Called for each commit before its build, and for each failed build.
    pub watch: &'s dyn Fn(&CommitStep<'_>),
}

/// The state of a search.
struct CommitAsking<'a, 's> {
    order: &'a BisectionOrder<'a>,
    fleet: &'a Fleet,
    search: CommitSearch<'s>,
    /// The name of the solver whose commits these are, if given.
    base: Option<SolverSpec>,
    /// The script with its failure, once a commit has shown it.
    case: Option<WrongScript>,
    /// Why the previously asked commit did not show the failure.
    not_shown: Option<anyhow::Error>,
    asked: BTreeMap<usize, CommitAnswer>,
}

/// Searches the commits of a solver's repository for the first one that fails on a script, and for the first later one that no longer
/// does. The result holds no releases except those already known.
/// Errors: no commit builds or shows the failure, git fails, or the search was interrupted.
pub fn bisect_commits(order: &BisectionOrder<'_>, fleet: &Fleet, search: CommitSearch<'_>) -> Result<Bisection> {
    let saved = reduction::saved(&order.paths)?;
    let script = files::sha256(files::named(&order.paths.input)?);
    let base = match named(order, saved.as_ref(), fleet) {
        // Without a record, the program of a commit suffices.
        Err(error) if error.is::<NoSolver>() => None,
        base => Some(base?),
    };
    let count = search.commits.len();
    let is_shallow = search.builder.repository.is_shallow()?;
    let mut asking = CommitAsking { order, fleet, search, base, case: None, not_shown: None, asked: BTreeMap::new() };
    let newest = asking.newest(count)?;
    let wrong = asking.one_that_errs(newest)?;
    let first_bad = wrong.map(|at| asking.change(asking.after_good(at)..=at, true)).transpose()?;
    let healed = wrong.and_then(|at| asking.asked.range(at..).find(|(_, row)| row.errs() == Some(false)));
    let healed = wrong.zip(healed.map(|(at, _)| *at));
    let first_good = healed.map(|(wrong, good)| asking.change(wrong + 1..=good, false)).transpose()?;
    let CommitAsking { asked, case, not_shown, .. } = asking;
    let Some(case) = case else {
        bail!(not_shown.unwrap_or_else(|| Interrupted.into()).context("no commit asked shows what is wrong"))
    };
    let commits =
        CommitHistory { commits: count, is_shallow, first_bad, first_good, asked: asked.into_values().collect() };
    let known = order.paths.folder.as_ref().and_then(|folder| folder.read::<Bisection>().ok().flatten());
    let empty = || Bisection {
        script: script.clone(),
        solver: case.target.profile().name.clone(),
        wrong: case.known.fact.wrong,
        truth: case.known.truth.clone(),
        found: Vec::new(),
        original: Vec::new(),
        plain: Vec::new(),
        with_added: Vec::new(),
        added: Vec::new(),
        others: Vec::new(),
        commits: None,
    };
    let bisection = known.filter(|known| known.script == script).unwrap_or_else(empty);
    Ok(Bisection { commits: Some(commits), ..bisection })
}

impl CommitAsking<'_, '_> {
    /// Returns the newest commit with a verdict.
    fn newest(&mut self, count: usize) -> Result<usize> {
        for at in backward(count) {
            if self.errs(at)?.is_some() {
                return Ok(at);
            }
        }
        let last = self.asked.values().next_back().map(|row| row.said.clone()).unwrap_or_default();
        bail!("none of the {} newest commits asked builds and decides; the newest: {last}", self.asked.len())
    }

    /// Returns a failing commit: the newest, or the first hit among commits spread over the history.
    fn one_that_errs(&mut self, newest: usize) -> Result<Option<usize>> {
        for at in std::iter::once(newest).chain(spread(newest)) {
            if self.errs(at)? == Some(true) {
                if at != newest {
                    // A failing program shows the failure best.
                    self.case = None;
                    self.asked.remove(&at);
                    if self.errs(at)? != Some(true) {
                        continue;
                    }
                }
                // Commits asked before the failure was known are asked again.
                let early = self.asked.iter().filter(|(other, row)| **other != at && row.did.is_some());
                for other in early.map(|(other, _)| *other).collect::<Vec<_>>() {
                    self.asked.remove(&other);
                    self.errs(other)?;
                }
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Returns the first position after the last correct one before `at`.
    fn after_good(&self, at: usize) -> usize {
        let good = self.asked.range(..at).rev().find(|(_, row)| row.errs() == Some(false));
        good.map_or(0, |(at, _)| at + 1)
    }

    /// Finds where the commits begin or cease to fail; the last one of the range fails.
    fn change(&mut self, range: RangeInclusive<usize>, errs: bool) -> Result<CommitChange> {
        let found = first_changed(range, |at| anyhow::Ok(self.errs(at)?.map(|did| did == errs)))?;
        let (start, end) = found.into_inner();
        let commits = &self.search.commits;
        Ok(CommitChange {
            commit: commits[end].clone(),
            since: (start < end).then(|| commits[start].clone()),
            candidates: end - start + 1,
            before: start.checked_sub(1).and_then(|before| self.asked.get(&before).cloned()),
        })
    }

    /// Whether the commit at a position fails; `None` if it does not build or has no verdict.
    fn errs(&mut self, at: usize) -> Result<Option<bool>> {
        if let Some(row) = self.asked.get(&at) {
            return Ok(row.errs());
        }
        let commit = self.search.commits[at].clone();
        let asked = self.asked.len() + 1;
        (self.search.watch)(&CommitStep { asked, commit: &commit, failed: None });
        let built = self.search.builder.build(&commit)?;
        let (did, said) = match &built {
            CommitBuild::Built(program) => {
                let (did, said) = self.verdict(program)?;
                (Some(did), said)
            }
            CommitBuild::Failed { why, log } => {
                (self.search.watch)(&CommitStep { asked, commit: &commit, failed: Some((why, log)) });
                (None, why.clone())
            }
            CommitBuild::Cancelled => bail!(Interrupted),
        };
        if self.search.cancel.is_cancelled() {
            // An interrupted run is no verdict.
            bail!(Interrupted);
        }
        let row = CommitAnswer { commit, did, said };
        let errs = row.errs();
        self.asked.insert(at, row);
        Ok(errs)
    }

    /// Runs the program of a commit, twice for a verdict. Until a commit shows the failure, the others count as correct.
    fn verdict(&mut self, program: &Path) -> Result<(VersionVerdict, String)> {
        let spec = self.spec(program)?;
        if self.case.is_none() {
            let order = BisectionOrder {
                paths: self.order.paths.clone(),
                solver: Some(spec.clone()),
                watch: None,
                ..*self.order
            };
            match open(&order, self.fleet) {
                Ok(case) => self.case = Some(case),
                // No other commit makes the file readable.
                Err(error) if error.is::<Unreadable>() => return Err(error),
                Err(error) => {
                    let said = format!("{error:#}");
                    self.not_shown = Some(error);
                    return Ok((VersionVerdict::Right, said));
                }
            }
        }
        let case = self.case.as_ref().context("the failure is not known")?;
        let spec = if case.spec.is_bare() { spec.bare() } else { spec };
        let installed = match self.fleet.resolve(&spec) {
            Ok(installed) => installed,
            Err(error) => return Ok((VersionVerdict::Refused, error.to_string())),
        };
        let solver = self.fleet.solver(installed);
        let first =
            ask(&case.survey(if self.order.fresh { None } else { cache_folder() }), ScriptVariant::AsFound, &solver);
        let again = if first.cached { first.clone() } else { ask(&case.survey(None), ScriptVariant::AsFound, &solver) };
        match first.did == again.did {
            true => Ok((first.did, first.said)),
            false => Ok((VersionVerdict::Undecided, format!("{}, and another time {}", first.said, again.said))),
        }
    }

    /// Returns the program of a commit with the profile and options that the script needs.
    fn spec(&self, program: &Path) -> Result<SolverSpec> {
        let path = program.to_string_lossy().into_owned();
        let profiles = self.fleet.profiles();
        let (profile, options) = match &self.base {
            Some(SolverSpec::Named(named)) => {
                let profile = profiles.get(&named.name)?;
                let variant = named.variant.as_ref().and_then(|variant| profile.variants.get(variant));
                let options = variant.into_iter().flat_map(|variant| &variant.options).chain(&named.options);
                (Some(named.name.clone()), options.cloned().collect())
            }
            Some(SolverSpec::Path(own)) => {
                let usual = || profiles.for_program(Path::new(&own.path)).name.clone();
                let usual = Some(usual()).filter(|name| *name != profiles.generic().name);
                (own.profile.clone().or(usual), own.options.clone())
            }
            Some(SolverSpec::Builtin(_)) | None => (None, Vec::new()),
        };
        Ok(SolverSpec::Path(PathSpec { profile, path, options }))
    }
}
