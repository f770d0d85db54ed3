//! Bisects a script over installed releases; shared by `squall bisect` and campaigns.

mod known;

use crate::progress::{BisectionStep, BisectionWatch, InstallProgress};
use crate::reduction;
use crate::releases::{drawn_words, versions, without_options};
use anyhow::{Context, Result, bail};
use files::sha256;
use finding::answer_vector::{PLAIN, REPRINTED, SavedVector, TACTIC};
use finding::folder::{FindingFolder, FindingPaths};
use finding::{AnswerVector, FailureKind};
use known::known;
use oracle::replay::{self, SavedFinding};
use reduce::bisect::{
    AnswerCache, Bisection, KnownWrong, ScriptVariant, Survey, VersionAnswer, VersionVerdict, ask, ask_all,
    asks_by_tactic,
};
use reduce::commits::CommitHistory;
use reduce::finding::Account;
use reduce::query::dialect;
use reduce::subject::{Spelling, Subject, Unreadable};
use solver::cache::SolverCache;
use solver::install::Fleet;
use solver::session::Solver;
use solver::spec::SolverSpec;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The number of checks that are examined if it is not known which one is answered wrongly.
const MAX_CHECKS: usize = 8;

/// The time limit of a run under a switch or another tactic. Some runs never end, and a row without an answer is useless.
const ROW_TIME: Duration = Duration::from_secs(1);

/// What to ask, and how.
pub struct BisectionOrder<'w> {
    /// The script, with witness and record if it is a finding.
    pub paths: FindingPaths,
    /// A version that answers wrongly, or just the solver's name.
    pub solver: Option<SolverSpec>,
    /// The symptom, if known.
    pub wrong: Option<FailureKind>,
    /// The time limit of one run; a finding records its own.
    pub timeout: Option<Duration>,
    /// The number of solvers asked in parallel.
    pub jobs: usize,
    /// Ignore cached answers.
    pub fresh: bool,
    /// The number of attempts to make the script show the failure.
    pub trials: u32,
    /// Called for each solver that is installed first.
    pub progress: InstallProgress,
    /// Called with the parts of the script that no solver receives.
    pub say: fn(&str),
    /// Called for each answer.
    pub watch: Option<BisectionWatch<'w>>,
}

impl BisectionOrder<'_> {
    /// Makes an order for a finding's folder (its reduced script if it has one) or for a script.
    pub fn new(path: &Path) -> Self {
        BisectionOrder {
            paths: FindingPaths::of_smallest(path),
            solver: None,
            wrong: None,
            timeout: None,
            jobs: 2,
            fresh: false,
            trials: 1,
            progress: |_| (),
            say: |_| (),
            watch: None,
        }
    }
}

/// How a script's answer is wrong, and who says so.
pub(crate) struct WrongAnswer {
    /// The failure.
    pub(crate) fact: KnownWrong,
    /// Describes the source of the right answer.
    pub(crate) truth: String,
    /// Whether the failure shows only without the options that the solver's profile adds.
    is_bare: bool,
}

/// A script with a known failure, ready to be sent to other solvers.
pub(crate) struct WrongScript {
    /// SHA-256 of its text.
    pub(crate) script: String,
    /// The script.
    pub(crate) subject: Subject,
    /// The solver that fails.
    pub(crate) target: Solver,
    /// The solver's label with its options.
    pub(crate) spec: SolverSpec,
    /// The solver's installed versions, oldest first.
    pub(crate) versions: Vec<Solver>,
    others: Vec<Solver>,
    /// The failure.
    pub(crate) known: WrongAnswer,
    /// The finding from which the script comes.
    saved: Option<SavedFinding>,
}

/// Asks every installed version of the solver, and the newest of every other solver, about a script.
/// Errors: the file cannot be read, or the failure is not known.
pub fn bisect(order: &BisectionOrder<'_>, fleet: &Fleet) -> Result<Bisection> {
    let case = open(order, fleet)?;
    case.target.withheld(&case.subject.text()).iter().for_each(|note| (order.say)(note));
    let folder = || if order.fresh { None } else { cache_folder() };
    let survey = case.survey(folder());
    let as_sent = as_sent(order, fleet, &case)?;
    let added = case.target.profile().options.added.clone();
    // If the finding or the default leaves out the profile's options, the other setting is asked as well.
    let with_added = |solver: &Solver| fleet.solver(solver.installed().clone()).with_options(added.clone());
    let with_added: Vec<Solver> = match case.spec.is_bare() && !added.is_empty() {
        true => case.versions.iter().map(with_added).collect(),
        false => Vec::new(),
    };
    let asked_as_sent = as_sent.as_ref().map_or(0, |sent| sent.versions.len());
    let total = 2 * case.versions.len() + with_added.len() + case.others.len() + asked_as_sent;
    let done = AtomicUsize::new(0);
    let answered = |row: &VersionAnswer| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(watch) = order.watch {
            watch(&BisectionStep { done, total, solver: &row.solver });
        }
    };
    let script = case.script.clone();
    Ok(Bisection {
        original: as_sent.map_or_else(Vec::new, |sent| {
            let survey = Survey { subject: &sent.subject, fact: sent.fact, remembered: AnswerCache::new(folder()) };
            ask_all(&survey, ScriptVariant::AsFound, &sent.versions, order.jobs, &answered)
        }),
        found: ask_all(&survey, ScriptVariant::AsFound, &case.versions, order.jobs, &answered),
        plain: ask_all(
            &survey,
            ScriptVariant::Plain,
            &all_without_options(fleet, &case.versions),
            order.jobs,
            &answered,
        ),
        with_added: ask_all(&survey, ScriptVariant::AsFound, &with_added, order.jobs, &answered),
        added,
        others: ask_all(&survey, ScriptVariant::Elsewhere, &case.others, order.jobs, &answered),
        solver: case.target.profile().name.clone(),
        wrong: case.known.fact.wrong,
        truth: case.known.truth,
        commits: earlier_commits(order, &script),
        script,
    })
}

/// Records who fails on a finding's reduced script: the installed versions of the solver and, unless the symptom identifies the cause (a
/// crash, or a failed self-check), the solver of the finding on the script without options and tactics, on our print of it, under each
/// switch of the profile and, where the script uses a tactic, under each tactic of the profile.
/// Errors: the file cannot be read, or the failure is not known.
pub fn vector(order: &BisectionOrder<'_>, fleet: &Fleet) -> Result<SavedVector> {
    let case = open(order, fleet)?;
    let mut survey = case.survey(if order.fresh { None } else { cache_folder() });
    let mut rows = ask_all(&survey, ScriptVariant::AsFound, &case.versions, order.jobs, &|_| ());
    let is_told =
        matches!(case.known.fact.wrong, FailureKind::Crash | FailureKind::SelfCheck | FailureKind::FalseSelfCheck);
    if !is_told {
        // A failure under a tactic or a drawn option is not the same bug as one that shows without it.
        let drawn = case.saved.as_ref().map(|saved| drawn_words(&saved.finding)).unwrap_or_default();
        let bare = without_options(case.target.installed(), &drawn);
        let row = ask(&survey, ScriptVariant::Plain, &fleet.solver(bare).bare());
        rows.push(VersionAnswer { solver: format!("{} {PLAIN}", row.solver), ..row });
        // A failure of its reader is not the same bug as one that shows in any spelling.
        let row = ask(&survey, ScriptVariant::Reprinted, &case.target);
        rows.push(VersionAnswer { solver: format!("{} {REPRINTED}", row.solver), ..row });
    }
    if case.known.fact.wrong != FailureKind::Slow {
        let wall = &mut survey.fact.question.limits.wall;
        *wall = (*wall).min(ROW_TIME);
    }
    let switches = if is_told { &[][..] } else { &case.target.profile().switches };
    for switch in switches {
        let more = switch.split_whitespace().map(str::to_string);
        let options: Vec<String> = match &case.spec {
            SolverSpec::Path(_) => more.collect(),
            spec => spec.options().iter().cloned().chain(more).collect(),
        };
        let solver = fleet.solver(case.target.installed().clone()).with_options(options);
        let row = ask(&survey, ScriptVariant::AsFound, &solver);
        rows.push(VersionAnswer { solver: format!("{} {switch}", row.solver), ..row });
    }
    // If one tactic is wrong and another one right, these are two causes, even if no option distinguishes them.
    if !is_told && case.subject.spelling != Spelling::Own && asks_by_tactic(&case.subject.script) {
        let (profile, version) = (case.target.profile(), case.target.installed().version.as_ref());
        for tactic in profile.tactics(version) {
            let row = ask(&survey, ScriptVariant::ByTactic(tactic), &case.target);
            rows.push(VersionAnswer { solver: format!("{} {TACTIC} {tactic}", row.solver), ..row });
        }
    }
    Ok(SavedVector { script: case.script.clone(), vector: reduce::groups::vector(&rows) })
}

/// Asks one solver about a script, with the options that the script needs if the solver is of the same kind.
/// Errors: the file cannot be read, or the failure is not known.
pub fn ask_one(order: &BisectionOrder<'_>, fleet: &Fleet, solver: &Solver) -> Result<VersionAnswer> {
    let case = open(order, fleet)?;
    let survey = case.survey(None);
    if solver.profile().name != case.target.profile().name {
        return Ok(ask(&survey, ScriptVariant::Elsewhere, solver));
    }
    // A program given by its path has its own options.
    let options = match &case.spec {
        SolverSpec::Path(_) => Vec::new(),
        spec => spec.options().to_vec(),
    };
    let solver = fleet.solver(solver.installed().clone()).with_options(options);
    Ok(ask(&survey, ScriptVariant::AsFound, &solver))
}

/// Reads the script and makes the solver show the failure.
/// Errors: the file cannot be read, or the failure is not known.
pub(crate) fn open(order: &BisectionOrder<'_>, fleet: &Fleet) -> Result<WrongScript> {
    let paths = &order.paths;
    let saved = reduction::saved(paths)?;
    let spec = named(order, saved.as_ref(), fleet)?;
    let target = fleet.solver(fleet.ensure(&spec, &mut { order.progress })?);
    let input = files::named(&paths.input)?;
    let mut subject = match Subject::read(&input, dialect(target.installed())) {
        // Solvers may accept scripts that our parser rejects. Then nothing proves them wrong.
        Err(Unreadable::Mistakes { .. }) if order.wrong.is_some() => {
            Ok(Subject::read_loosely(&String::from_utf8_lossy(&input), dialect(target.installed())))
        }
        read => read,
    }
    .with_context(|| format!("cannot read {}; with --wrong it is sent unchanged", paths.input.display()))?;
    let others = others(fleet, target.profile().family());
    let all = versions(fleet, &target, &spec);
    // Without a named version, the newest one that answers wrongly determines the failure.
    let mut tried: Vec<Solver> = match &spec {
        SolverSpec::Named(named) if named.version.is_none() => all.iter().rev().cloned().collect(),
        _ => vec![target.clone()],
    };
    // The options of the profile may hide the bug.
    if !target.added_options().is_empty() {
        tried.extend(tried.clone().into_iter().map(Solver::bare));
    }
    let known = known(order, saved.as_ref(), &mut subject, &tried, &others)?;
    let script = sha256(&input);
    if !known.is_bare {
        return Ok(WrongScript { script, subject, target, spec, versions: all, others, known, saved });
    }
    let spec = spec.bare();
    let target = fleet.solver(fleet.resolve(&spec)?);
    let versions = versions(fleet, &target, &spec);
    Ok(WrongScript { script, subject, target, spec, versions, others, known, saved })
}

/// Returns the result of an earlier bisection over commits of the same script.
fn earlier_commits(order: &BisectionOrder<'_>, script: &str) -> Option<CommitHistory> {
    let earlier = order.paths.folder.as_ref()?.read::<Bisection>().ok().flatten()?;
    earlier.commits.filter(|_| earlier.script == script)
}

/// Returns the script as the campaign sent it, ready to be sent to the versions.
struct OriginalScript {
    subject: Subject,
    fact: KnownWrong,
    versions: Vec<Solver>,
}

/// Returns the script as the campaign sent it, if the script of the case was reduced from it.
fn as_sent(order: &BisectionOrder<'_>, fleet: &Fleet, case: &WrongScript) -> Result<Option<OriginalScript>> {
    let (Some(saved), true) = (&case.saved, order.paths.is_reduced()) else { return Ok(None) };
    let spec = replay::recorded_solver(&saved.finding.solver, fleet)?;
    let subject = Subject::read(saved.mutant.as_bytes(), dialect(case.target.installed()))?;
    let subject = Subject { spelling: case.subject.spelling, ..subject };
    let question = reduction::question(saved, order.timeout);
    let fact = KnownWrong { wrong: case.known.fact.wrong, check: saved.finding.check, question };
    Ok(Some(OriginalScript { subject, fact, versions: versions(fleet, &case.target, &spec) }))
}

/// Returns the solver that the user names, or else the recorded one, to which the user must have consented.
/// Errors: no solver is named, or the user never consented to the recorded one.
pub(crate) fn named(order: &BisectionOrder<'_>, saved: Option<&SavedFinding>, fleet: &Fleet) -> Result<SolverSpec> {
    let needed = needed(&order.paths).map(|spec| match saved {
        Some(saved) => replay::as_recorded(spec, &saved.finding.solver),
        None => spec,
    });
    let needed = needed.filter(|_| order.solver.is_none()).map(|spec| fleet.recorded(spec)).transpose()?;
    let named = order.solver.as_ref().or(needed.as_ref());
    reduction::spec(named, saved.map(|saved| &saved.finding), fleet)
}

impl WrongScript {
    pub(crate) fn survey(&self, remembered: Option<PathBuf>) -> Survey<'_> {
        let fact = self.known.fact.clone();
        Survey { subject: &self.subject, fact, remembered: AnswerCache::new(remembered) }
    }
}

/// Asks who fails on the reduced script of a finding, and writes the answers to its folder.
/// Errors: as [`vector`], or the folder cannot be written, or the work is cancelled.
pub fn reduced_vector(folder: &Path, fleet: &Fleet) -> Result<AnswerVector> {
    let order = BisectionOrder { jobs: 1, ..BisectionOrder::new(folder) };
    let saved = vector(&order, fleet)?;
    if fleet.is_cancelled() {
        // An incomplete vector would pass for a complete one.
        bail!(reduction::Interrupted)
    }
    FindingFolder::at(folder).write(&saved)?;
    Ok(saved.vector)
}

/// Returns the solver with the options that a reduced script still needs, if the script is a reduced one.
fn needed(paths: &FindingPaths) -> Option<SolverSpec> {
    let account: Account = paths.account().filter(|_| paths.is_reduced())?;
    account.solver?.parse().ok()
}

/// Returns the solver's display name.
fn spec_name(tried: &[Solver]) -> &str {
    tried.first().map_or("NAME", |solver| &solver.profile().name)
}

/// Returns the same versions without options, including those of their profile.
fn all_without_options(fleet: &Fleet, versions: &[Solver]) -> Vec<Solver> {
    versions.iter().map(|solver| fleet.solver(solver.installed().clone()).bare()).collect()
}

/// Returns the newest release of every other solver, one per family.
fn others(fleet: &Fleet, family: &str) -> Vec<Solver> {
    let mut seen = vec![family.to_string()];
    let mut list = Vec::new();
    for installed in fleet.list() {
        let family = installed.profile.family();
        if installed.is_release() && !seen.iter().any(|seen| seen == family) {
            seen.push(family.to_string());
            list.push(fleet.solver(installed));
        }
    }
    list
}

/// Returns the cache of answers, next to the installed solvers.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    Some(SolverCache::of_user().ok()?.sibling("answers"))
}

/// Pairs each version's row with its verdict under default options.
pub fn pairs(bisection: &Bisection) -> impl Iterator<Item = (&VersionAnswer, VersionVerdict)> {
    let plain = bisection.plain.iter().map(|row| row.did).chain(std::iter::repeat(VersionVerdict::Undecided));
    bisection.found.iter().zip(plain)
}
