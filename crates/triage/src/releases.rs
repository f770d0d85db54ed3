//! The installed releases of a solver, their verdicts on a script, oldest first, and the description of their history.

use finding::{AnswerVector, Finding, SolverLabel};
use reduce::bisect::{Bisection, VersionVerdict};
use reduce::query::label;
use solver::install::{Fleet, InstalledSolver};
use solver::session::Solver;
use solver::spec::{NamedSpec, PathSpec, SolverSpec};
use solver::version::Version;

/// One release's verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReleaseAnswer {
    /// Its label, such as `z3@4.8.7`.
    pub label: String,
    /// The verdict.
    pub did: VersionVerdict,
}

impl ReleaseAnswer {
    /// Whether the label names a program by its path rather than a release.
    pub fn is_own_build(&self) -> bool {
        SolverLabel::of(&self.label).is_own_build()
    }
}

/// The answers of the releases asked, oldest first, and of the user's own build. A program without a version counts as the newest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReleaseAnswers {
    rows: Vec<ReleaseAnswer>,
}

impl ReleaseAnswers {
    /// Returns the rows of a bisection, or else those of an answer vector, which has only releases with a verdict.
    pub fn of(bisection: Option<&Bisection>, vector: Option<&AnswerVector>) -> ReleaseAnswers {
        let mut rows: Vec<ReleaseAnswer> = match (bisection, vector) {
            // If only commits were asked, nothing is known about releases.
            (Some(bisection), vector) if vector.is_none() || !bisection.found.is_empty() => {
                let row = |row: &reduce::bisect::VersionAnswer| (row.solver.clone(), row.did);
                bisection.found.iter().map(row).map(|(label, did)| ReleaseAnswer { label, did }).collect()
            }
            (_, Some(vector)) => {
                let did = |errs| if errs { VersionVerdict::Wrong } else { VersionVerdict::Right };
                let row = |(label, errs): (&str, bool)| ReleaseAnswer { label: label.to_string(), did: did(errs) };
                vector.releases().map(row).collect()
            }
            (_, None) => Vec::new(),
        };
        // No version sorts before all others, but a program without one belongs after them. A user's own build is newer than the release
        // whose version it reports.
        let key = |row: &ReleaseAnswer| (version(&row.label).is_none(), version(&row.label), row.is_own_build());
        rows.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.label.cmp(&b.label)));
        ReleaseAnswers { rows }
    }

    /// Returns all rows.
    pub fn rows(&self) -> &[ReleaseAnswer] {
        &self.rows
    }

    /// Returns the newest failing release, or a failing own build if only one of a newer version fails.
    pub fn newest_erring(&self) -> Option<&str> {
        let mut erring = self.rows.iter().rev().filter(|row| row.did == VersionVerdict::Wrong);
        let newest = erring.next()?;
        let release = erring.find(|row| newest.is_own_build() && version(&row.label) == version(&newest.label));
        Some(&release.unwrap_or(newest).label)
    }

    /// Returns the newest right release before the newest one that fails.
    pub fn last_right(&self) -> Option<&str> {
        let before = self.rows.iter().rev().skip_while(|row| row.did != VersionVerdict::Wrong);
        before.filter(|row| row.did == VersionVerdict::Right && !row.is_own_build()).map(|row| &*row.label).next()
    }

    /// Returns the version of the newest failing release, own builds aside.
    pub fn newest_wrong(&self) -> Option<Version> {
        let wrong = self.rows.iter().filter(|row| row.did == VersionVerdict::Wrong && !row.is_own_build());
        wrong.filter_map(|row| version(&row.label)).max()
    }

    /// Whether only the user's own build fails.
    pub fn only_own_errs(&self) -> bool {
        let (own, releases): (Vec<_>, Vec<_>) = self.decided().partition(|row| row.is_own_build());
        let errs = |row: &&ReleaseAnswer| row.did == VersionVerdict::Wrong;
        own.iter().any(errs) && !releases.is_empty() && !releases.iter().any(errs)
    }

    /// Whether the newest release with a verdict fails; `None` without a verdict.
    pub fn newest_errs(&self) -> Option<bool> {
        self.decided().last().map(|row| row.did == VersionVerdict::Wrong)
    }

    fn decided(&self) -> impl DoubleEndedIterator<Item = &ReleaseAnswer> {
        self.rows.iter().filter(|row| matches!(row.did, VersionVerdict::Wrong | VersionVerdict::Right))
    }

    /// Returns the first and the last label of each run of equal verdicts.
    fn stretches(&self) -> Vec<(VersionVerdict, &str, &str)> {
        let mut list: Vec<(VersionVerdict, &str, &str)> = Vec::new();
        for row in self.decided().filter(|row| !row.is_own_build()) {
            match list.last_mut() {
                Some((did, _, last)) if *did == row.did => *last = &row.label,
                _ => list.push((row.did, &row.label, &row.label)),
            }
        }
        list
    }

    /// Returns the last release of the failing run that contains a label, and the first later one that is right. `None` if the label does
    /// not fail, or nothing after it is right.
    pub fn end_of(&self, label: &str) -> Option<(&str, &str)> {
        let mut last = None;
        for row in self.decided().skip_while(|row| row.label != label) {
            match (row.did, last) {
                (VersionVerdict::Wrong, _) => last = Some(row.label.as_str()),
                (_, last) => return Some((last?, &row.label)),
            }
        }
        None
    }

    /// Describes the failing versions and the correct ones for a table column: `4.8.5 to 4.15.4; good: 4.16.0`. `None` without a verdict.
    pub fn brief(&self) -> Option<String> {
        let stretches = self.stretches();
        let of = |wanted: VersionVerdict| {
            let parts: Vec<String> = stretches
                .iter()
                .filter(|(did, ..)| *did == wanted)
                .map(|(_, first, last)| match first == last {
                    true => number(first).to_string(),
                    false => format!("{} to {}", number(first), number(last)),
                })
                .collect();
            let own = self.decided().any(|row| row.did == wanted && row.is_own_build());
            let own = own.then(|| if self.only_own_errs() { "only this build" } else { "this build" }.to_string());
            own.into_iter().chain(parts).collect::<Vec<_>>().join(", ")
        };
        let (wrong, right) = (of(VersionVerdict::Wrong), of(VersionVerdict::Right));
        match (wrong.is_empty(), right.is_empty()) {
            (true, true) => None,
            (false, true) => Some(wrong),
            (true, false) => Some(format!("none; good: {right}")),
            (false, false) => Some(format!("{wrong}; good: {right}")),
        }
    }

    /// Describes in one sentence in which releases the failure begins and ends, if known; `name` formats a label. `None` if no two releases
    /// differ, or none fails.
    pub fn history(&self, name: impl Fn(&str) -> String) -> Option<String> {
        use VersionVerdict::{Right, Wrong};
        if self.only_own_errs() {
            return Some("Only this build errs: no release asked does.".to_string());
        }
        let stretches = self.stretches();
        match stretches.as_slice() {
            [(Right, _, before), (Wrong, first, _)] => {
                Some(format!("First bad release asked: {} (good: {}).", name(first), name(before)))
            }
            [(Wrong, _, last), (Right, after, _)] => {
                Some(format!("Last bad release asked: {} (good: {}).", name(last), name(after)))
            }
            [(Right, _, before), (Wrong, first, last), (Right, after, _)] if first == last => Some(format!(
                "The only bad release asked: {} (good: {} before it, {} after it).",
                name(first),
                name(before),
                name(after)
            )),
            [(Right, _, before), (Wrong, first, last), (Right, after, _)] => Some(format!(
                "First bad release asked: {} (good: {}); last bad one: {} (good: {}).",
                name(first),
                name(before),
                name(last),
                name(after)
            )),
            _ => None,
        }
    }
}

fn version(label: &str) -> Option<Version> {
    SolverLabel::of(label).version?.parse().ok()
}

/// Returns the version of a label, or the label itself.
fn number(label: &str) -> &str {
    SolverLabel::of(label).version.unwrap_or(label)
}

/// Returns the installed releases of the solver, oldest first, with the options of `spec`. Includes the target if it is not a release.
pub fn versions(fleet: &Fleet, target: &Solver, spec: &SolverSpec) -> Vec<Solver> {
    let name = &target.profile().name;
    let text = |i: &InstalledSolver| i.version.as_ref().map(ToString::to_string);
    let is_asked = |i: &InstalledSolver| i.is_release() || text(i) == text(target.installed());
    let mut list: Vec<InstalledSolver> =
        fleet.list().into_iter().filter(|i| i.profile.name == *name && is_asked(i)).collect();
    if let SolverSpec::Path(_) = spec {
        list.push(target.installed().clone());
    }
    list.sort_by(|a, b| a.version.cmp(&b.version));
    list.dedup_by(|a, b| a.version.is_some() && a.version == b.version && label(a) == label(b));
    let own = |i: &InstalledSolver| matches!(i.spec, SolverSpec::Path(_));
    list.into_iter()
        .map(|i| {
            // A program given by its path has its own options.
            let options = if own(&i) { Vec::new() } else { spec.options().to_vec() };
            fleet.solver(i).with_options(options)
        })
        .collect()
}

/// Returns the drawn options of a campaign as command-line words.
pub fn drawn_words(finding: &Finding) -> Vec<String> {
    finding.solver.drawn_options.iter().filter(|option| !option.starts_with('(')).cloned().collect()
}

/// Returns a solver without options. Those after a program's path belong to the program, except `drawn` at the end.
pub fn without_options(installed: &InstalledSolver, drawn: &[String]) -> InstalledSolver {
    let spec = match &installed.spec {
        SolverSpec::Named(named) => SolverSpec::Named(NamedSpec { options: Vec::new(), ..named.clone() }),
        SolverSpec::Path(own) => {
            let options = own.options.strip_suffix(drawn).unwrap_or(&own.options).to_vec();
            SolverSpec::Path(PathSpec { options, ..own.clone() })
        }
        SolverSpec::Builtin(builtin) => SolverSpec::Builtin(*builtin),
    };
    InstalledSolver { spec, ..installed.clone() }
}
