//! What the releases of a solver do with a script, the oldest first, and how their history reads.

use finding::{AnswerVector, SolverLabel};
use reduce::bisect::{Bisection, VersionVerdict};
use solver::version::Version;

/// What one release does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReleaseAnswer {
    /// Its label, such as `z3@4.8.7`.
    pub label: String,
    /// What it does.
    pub did: VersionVerdict,
}

impl ReleaseAnswer {
    /// Whether it is no release, but a program that was named by its path.
    pub fn is_own_build(&self) -> bool {
        SolverLabel::of(&self.label).is_own_build()
    }
}

/// The answers of the releases that were asked, the oldest first, and of the user's own build. A program without a version counts as
/// the newest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReleaseAnswers {
    rows: Vec<ReleaseAnswer>,
}

impl ReleaseAnswers {
    /// What a bisection found, else what the vector of answers holds, which tells only of those that decided.
    pub fn of(bisection: Option<&Bisection>, vector: Option<&AnswerVector>) -> ReleaseAnswers {
        let mut rows: Vec<ReleaseAnswer> = match (bisection, vector) {
            // Where only commits were asked, nothing is known of releases.
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
        // No version sorts before all others, and a program without one belongs after them. A build of the user's own is newer than
        // the release whose version it says.
        let key = |row: &ReleaseAnswer| (version(&row.label).is_none(), version(&row.label), row.is_own_build());
        rows.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.label.cmp(&b.label)));
        ReleaseAnswers { rows }
    }

    /// All of them.
    pub fn rows(&self) -> &[ReleaseAnswer] {
        &self.rows
    }

    /// The newest that errs: a release, unless only an own build of a newer version does.
    pub fn newest_erring(&self) -> Option<&str> {
        let mut erring = self.rows.iter().rev().filter(|row| row.did == VersionVerdict::Wrong);
        let newest = erring.next()?;
        let release = erring.find(|row| newest.is_own_build() && version(&row.label) == version(&newest.label));
        Some(&release.unwrap_or(newest).label)
    }

    /// Whether an own build errs, and none of the releases that decide.
    pub fn only_own_errs(&self) -> bool {
        let (own, releases): (Vec<_>, Vec<_>) = self.decided().partition(|row| row.is_own_build());
        let errs = |row: &&ReleaseAnswer| row.did == VersionVerdict::Wrong;
        own.iter().any(errs) && !releases.is_empty() && !releases.iter().any(errs)
    }

    /// Whether the newest release that decides errs; none where nobody decided.
    pub fn newest_errs(&self) -> Option<bool> {
        self.decided().last().map(|row| row.did == VersionVerdict::Wrong)
    }

    fn decided(&self) -> impl DoubleEndedIterator<Item = &ReleaseAnswer> {
        self.rows.iter().filter(|row| matches!(row.did, VersionVerdict::Wrong | VersionVerdict::Right))
    }

    /// The first and the last label of each stretch of decided releases that do the same.
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

    /// Of the stretch of erring releases that one of a label stands in, the last, and the first behind it that does not err. None if it does not
    /// err itself, or nothing behind it is right.
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

    /// The versions that err and those that do not, for a column of a table: `4.8.5 to 4.15.4; good: 4.16.0`. None where
    /// nobody decided.
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

    /// When it began and ended, as far as that shows, in one sentence; `name` makes a name of a label. None where no two
    /// releases differ, or nobody errs.
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

/// The version of a label, or the label itself.
fn number(label: &str) -> &str {
    SolverLabel::of(label).version.unwrap_or(label)
}
