//! A bisection from files to rows: what `squall bisect` and campaigns share.

use crate::progress::{BisectionStep, BisectionWatch, InstallProgress};
use crate::reduction;
use crate::versions::{drawn_words, versions, without_options};
use anyhow::{Context, Result, bail};
use files::sha256;
use finding::answer_vector::{PLAIN, SavedVector, TACTIC};
use finding::folder::{FindingFolder, FindingPaths};
use finding::{AnswerVector, FailureKind, Trust};
use oracle::question::SolverQuestion;
use oracle::replay::{self, SavedFinding};
use reduce::ShownFailure;
use reduce::bisect::{
    AnswerCache, AskedAs, Bisection, KnownWrong, Survey, VersionAnswer, VersionVerdict, ask, ask_all, asks_by_tactic,
};
use reduce::commits::CommitHistory;
use reduce::finding::Account;
use reduce::query::{AskedCheck, TrustedSolver, dialect};
use reduce::start::{ReductionTask, question_of, start};
use reduce::subject::{Subject, Unreadable};
use semantics::truth::{OpenTruth, unproven};
use solver::cache::SolverCache;
use solver::install::Fleet;
use solver::outcome::Answer;
use solver::process::ProcessLimits;
use solver::session::Solver;
use solver::spec::SolverSpec;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How many checks of a script are looked at where it is not known which one is answered wrongly.
const MAX_CHECKS: usize = 8;

/// How long a run under a switch or by another tactic may take: of a hundred some never end, and a row without an answer tells nothing.
const ROW_TIME: Duration = Duration::from_secs(1);

/// What is to be asked, and how.
pub struct BisectionOrder<'w> {
    /// The script, with its witness and record if it is a finding.
    pub places: FindingPaths,
    /// A version that answers wrongly, or only the solver's name.
    pub solver: Option<SolverSpec>,
    /// How it is wrong, if that is known.
    pub wrong: Option<FailureKind>,
    /// How long one run may take; a finding says so itself.
    pub timeout: Option<Duration>,
    /// Solvers asked at a time.
    pub jobs: usize,
    /// Ask again, whatever was answered before.
    pub fresh: bool,
    /// How often the script is tried until it shows what is wrong.
    pub trials: u32,
    /// Is told of solvers that are installed first.
    pub progress: InstallProgress,
    /// Is told what of the script no solver is sent.
    pub say: fn(&str),
    /// Is told of each answer.
    pub watch: Option<BisectionWatch<'w>>,
}

impl BisectionOrder<'_> {
    /// An order for a finding's folder (its reduced script if there is one) or for a script.
    pub fn new(path: &Path) -> Self {
        BisectionOrder {
            places: FindingPaths::of_smallest(path),
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

/// What is wrong with a script's answer, and on whose word.
pub(crate) struct WrongAnswer {
    /// What is wrong.
    pub(crate) fact: KnownWrong,
    /// On whose word it is, in words.
    pub(crate) truth: String,
    /// Whether it shows only without what the solver's profile adds.
    is_bare: bool,
}

/// A script of which it is known what is wrong, ready to be put to other solvers.
pub(crate) struct WrongScript {
    /// SHA-256 of its text.
    pub(crate) script: String,
    /// The script.
    pub(crate) subject: Subject,
    /// The solver that is wrong.
    pub(crate) target: Solver,
    /// How it is named, with its options.
    pub(crate) spec: SolverSpec,
    /// Its installed versions, the oldest first.
    pub(crate) versions: Vec<Solver>,
    others: Vec<Solver>,
    /// What is wrong.
    pub(crate) known: WrongAnswer,
    /// The finding that it is of.
    saved: Option<SavedFinding>,
}

/// Asks every version of the solver that is here about a script, and the newest of every other solver.
///
/// # Errors
/// The file cannot be read, or it is not known what is wrong.
pub fn bisect(order: &BisectionOrder<'_>, fleet: &Fleet) -> Result<Bisection> {
    let case = open(order, fleet)?;
    case.target.withheld(&case.subject.text()).iter().for_each(|note| (order.say)(note));
    let folder = || if order.fresh { None } else { cache_folder() };
    let survey = case.survey(folder());
    let as_sent = as_sent(order, fleet, &case)?;
    let added = case.target.profile().options.added.clone();
    // As found, or by default, what the profile adds is left out: the other way is asked, too.
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
            ask_all(&survey, AskedAs::AsFound, &sent.versions, order.jobs, &answered)
        }),
        found: ask_all(&survey, AskedAs::AsFound, &case.versions, order.jobs, &answered),
        plain: ask_all(&survey, AskedAs::Plain, &all_without_options(fleet, &case.versions), order.jobs, &answered),
        with_added: ask_all(&survey, AskedAs::AsFound, &with_added, order.jobs, &answered),
        added,
        others: ask_all(&survey, AskedAs::Elsewhere, &case.others, order.jobs, &answered),
        solver: case.target.profile().name.clone(),
        wrong: case.known.fact.wrong,
        truth: case.known.truth,
        commits: earlier_commits(order, &script),
        script,
    })
}

/// Who errs on a finding's reduced script: the installed versions of the solver and, unless a symptom tells the cause (of a crash
/// or of what a self-check says), the one it was found with on the script without options and tactics, under each of the
/// profile's switches and, where the script asks by a tactic, by each of the profile's tactics.
///
/// # Errors
/// The file cannot be read, or it is not known what is wrong.
pub fn vector(order: &BisectionOrder<'_>, fleet: &Fleet) -> Result<SavedVector> {
    let case = open(order, fleet)?;
    let mut survey = case.survey(if order.fresh { None } else { cache_folder() });
    let mut rows = ask_all(&survey, AskedAs::AsFound, &case.versions, order.jobs, &|_| ());
    let is_told =
        matches!(case.known.fact.wrong, FailureKind::Crash | FailureKind::SelfCheck | FailureKind::FalseSelfCheck);
    if !is_told {
        // What a tactic or a drawn option brings about is another bug than what shows without it.
        let drawn = case.saved.as_ref().map(|saved| drawn_words(&saved.finding)).unwrap_or_default();
        let bare = without_options(case.target.installed(), &drawn);
        let row = ask(&survey, AskedAs::Plain, &fleet.solver(bare).bare());
        rows.push(VersionAnswer { solver: format!("{} {PLAIN}", row.solver), ..row });
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
        let row = ask(&survey, AskedAs::AsFound, &solver);
        rows.push(VersionAnswer { solver: format!("{} {switch}", row.solver), ..row });
    }
    // What one tactic gets wrong and another one right are two causes, though no option tells them apart.
    if !is_told && asks_by_tactic(&case.subject.script) {
        let (profile, version) = (case.target.profile(), case.target.installed().version.as_ref());
        for tactic in profile.tactics(version) {
            let row = ask(&survey, AskedAs::ByTactic(tactic), &case.target);
            rows.push(VersionAnswer { solver: format!("{} {TACTIC} {tactic}", row.solver), ..row });
        }
    }
    Ok(SavedVector { script: case.script.clone(), vector: reduce::groups::vector(&rows) })
}

/// Asks one solver about a script, with the options that the script needs if it is of the same kind.
///
/// # Errors
/// The file cannot be read, or it is not known what is wrong.
pub fn ask_one(order: &BisectionOrder<'_>, fleet: &Fleet, solver: &Solver) -> Result<VersionAnswer> {
    let case = open(order, fleet)?;
    let survey = case.survey(None);
    if solver.profile().name != case.target.profile().name {
        return Ok(ask(&survey, AskedAs::Elsewhere, solver));
    }
    // A program named by its path brings its options along.
    let options = match &case.spec {
        SolverSpec::Path(_) => Vec::new(),
        spec => spec.options().to_vec(),
    };
    let solver = fleet.solver(solver.installed().clone()).with_options(options);
    Ok(ask(&survey, AskedAs::AsFound, &solver))
}

/// Reads the script, and sees the solver be wrong on it.
///
/// # Errors
/// The file cannot be read, or it is not known what is wrong.
pub(crate) fn open(order: &BisectionOrder<'_>, fleet: &Fleet) -> Result<WrongScript> {
    let places = &order.places;
    let saved = reduction::saved(places)?;
    let spec = named(order, saved.as_ref(), fleet)?;
    let target = fleet.solver(fleet.ensure(&spec, &mut { order.progress })?);
    let input = files::named(&places.input)?;
    let mut subject = match Subject::read(&input, dialect(target.installed())) {
        // Solvers may read what we do not. Nothing proves them wrong then.
        Err(Unreadable::Mistakes { .. }) if order.wrong.is_some() => {
            Ok(Subject::read_loosely(&String::from_utf8_lossy(&input), dialect(target.installed())))
        }
        read => read,
    }
    .with_context(|| format!("cannot read {}; with --wrong it is sent as it stands", places.input.display()))?;
    let others = others(fleet, target.profile().family());
    let all = versions(fleet, &target, &spec);
    // Where no version is named, the newest that answers wrongly on the script says what is wrong.
    let mut tried: Vec<Solver> = match &spec {
        SolverSpec::Named(named) if named.version.is_none() => all.iter().rev().cloned().collect(),
        _ => vec![target.clone()],
    };
    // What the profile adds may hide the bug.
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

/// What an earlier bisection over commits found of the same script.
fn earlier_commits(order: &BisectionOrder<'_>, script: &str) -> Option<CommitHistory> {
    let earlier = order.places.folder.as_ref()?.read::<Bisection>().ok().flatten()?;
    earlier.commits.filter(|_| earlier.script == script)
}

/// The script as the campaign sent it, ready to be put to the versions.
struct OriginalScript {
    subject: Subject,
    fact: KnownWrong,
    versions: Vec<Solver>,
}

/// The script as the campaign sent it, if the one of the case was reduced from it.
fn as_sent(order: &BisectionOrder<'_>, fleet: &Fleet, case: &WrongScript) -> Result<Option<OriginalScript>> {
    let (Some(saved), true) = (&case.saved, order.places.is_reduced()) else { return Ok(None) };
    let spec = replay::recorded_solver(&saved.finding.solver, fleet)?;
    let subject = Subject::read(saved.mutant.as_bytes(), dialect(case.target.installed()))?;
    let question = reduction::question(saved, order.timeout);
    let fact = KnownWrong { wrong: case.known.fact.wrong, check: saved.finding.check, question };
    Ok(Some(OriginalScript { subject, fact, versions: versions(fleet, &case.target, &spec) }))
}

/// The solver that the user names, or else the record, to which the user must have consented.
///
/// # Errors
/// Nobody names one, or the record one that the user never did.
pub(crate) fn named(order: &BisectionOrder<'_>, saved: Option<&SavedFinding>, fleet: &Fleet) -> Result<SolverSpec> {
    let needed = needed(&order.places).map(|spec| match saved {
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

/// Asks who errs on the reduced script of a finding in a folder, and writes it beside.
///
/// # Errors
/// As [`vector`], and whatever the system says of the file.
pub fn reduced_vector(folder: &Path, fleet: &Fleet) -> Result<AnswerVector> {
    let order = BisectionOrder { jobs: 1, ..BisectionOrder::new(folder) };
    let saved = vector(&order, fleet)?;
    if fleet.is_cancelled() {
        // A part of the answers would pass for all of them.
        bail!(reduction::Interrupted)
    }
    FindingFolder::at(folder).write(&saved)?;
    Ok(saved.vector)
}

/// The solver with the options that a reduced script still needs, if the script to be asked about is one.
fn needed(places: &FindingPaths) -> Option<SolverSpec> {
    let account: Account = places.account().filter(|_| places.is_reduced())?;
    account.solver?.parse().ok()
}

/// What is wrong: as the first of the versions `tried` shows it that shows anything, else as the user says, else as others answer.
fn known(
    order: &BisectionOrder<'_>,
    saved: Option<&SavedFinding>,
    subject: &mut Subject,
    tried: &[Solver],
    others: &[Solver],
) -> Result<WrongAnswer> {
    // Where the script was reduced, the number of the check was too, and so may be what goes before it.
    let is_reduced = order.places.is_reduced();
    let shown = reduction::shown(order.wrong, saved, order.solver.as_ref());
    let shown = shown.map(|shown| if is_reduced { ShownFailure { check: None, ..shown } } else { shown });
    let wrong = shown.as_ref().map(|shown| shown.wrong);
    let earlier = reduction::earlier(order.places.earlier.as_deref())?;
    let question = saved.map(|saved| SolverQuestion { earlier, ..reduction::question(saved, order.timeout) });
    let limits = reduction::limits(order.timeout);
    let (mut not_shown, mut gives_up) = (None, None);
    for target in if subject.is_text { &[][..] } else { tried } {
        let task = ReductionTask {
            target: target.clone(),
            question: question.clone(),
            shown: shown.clone(),
            versions: Vec::new(),
            trusted: others.iter().cloned().map(TrustedSolver::new).collect(),
            limits: limits.clone(),
            witness: order.places.witness.as_ref().and_then(|p| files::found_text(p).ok()),
            trials: order.trials,
        };
        subject.dialect = dialect(target.installed());
        let begun = match start(subject, &task) {
            Ok(begun) => begun,
            Err(error) => {
                not_shown.get_or_insert(error);
                continue;
            }
        };
        // Versions may be slower than the one that told.
        let question = question_as(question.as_ref(), begun.judge.shown.wrong, subject, &limits);
        let fact = KnownWrong { wrong: begun.judge.shown.wrong, check: begun.evidence.check, question };
        let is_bare = tried.first().is_some_and(|first| first.added_options() != target.added_options());
        let truth = begun.evidence.truth.reason();
        if fact.wrong == FailureKind::Unknown && wrong.is_none() {
            // An older version may do worse than give up.
            gives_up.get_or_insert(WrongAnswer { fact, truth, is_bare });
            continue;
        }
        return Ok(WrongAnswer { fact, truth, is_bare });
    }
    if let Some(known) = gives_up {
        return Ok(known);
    }
    // A user's word, and that of other solvers, are about a script that all read alike.
    let of_answers = [FailureKind::Sat, FailureKind::Unsat, FailureKind::Unknown];
    let last = subject.script.each_instance().last();
    if wrong.is_none_or(|wrong| of_answers.contains(&wrong))
        && let Some(name) = last.as_ref().and_then(|instance| unproven(&subject.store, &instance.declarations))
    {
        bail!("nobody's answer is known to be wrong: {}", OpenTruth::NotTotal(name.to_string()));
    }
    match wrong {
        Some(wrong) => {
            let check = checks_of(subject).saturating_sub(1);
            let question = question_as(question.as_ref(), wrong, subject, &limits);
            Ok(WrongAnswer {
                fact: KnownWrong { wrong, check, question },
                truth: format!("as given: a '{wrong}' is wrong"),
                is_bare: false,
            })
        }
        None => match by_others(&limits, subject, others) {
            Some(known) => Ok(known),
            None => bail!(
                "{}; and neither a model that our evaluator agrees with nor two other solvers say what is right: \
                 name what is wrong with --wrong sat or --wrong unsat, or a version that answers wrongly with --solver {}@VERSION",
                not_shown.map_or_else(|| "no version is here".to_string(), |error| error.to_string()),
                spec_name(tried)
            ),
        },
    }
}

/// The solver's name, for people.
fn spec_name(tried: &[Solver]) -> &str {
    tried.first().map_or("NAME", |solver| &solver.profile().name)
}

fn checks_of(subject: &Subject) -> usize {
    subject.script.commands.iter().filter(|c| c.is_check()).count()
}

/// How solvers are asked about a way to be wrong: as the finding was, else as the script needs it.
fn question_as(
    found: Option<&SolverQuestion>,
    wrong: FailureKind,
    subject: &Subject,
    limits: &ProcessLimits,
) -> SolverQuestion {
    let shown = ShownFailure::any(wrong);
    match found {
        Some(question) => SolverQuestion { observation: shown.observation(), ..question.clone() },
        None => question_of(&shown, &subject.script.commands, limits),
    }
}

/// The right answer to the last check that anybody knows it of: by a model our evaluator agrees with, or by two programs.
fn by_others(limits: &ProcessLimits, subject: &mut Subject, others: &[Solver]) -> Option<WrongAnswer> {
    let trusted: Vec<TrustedSolver> = others.iter().cloned().map(TrustedSolver::new).collect();
    let instances = subject.script.instances();
    for (check, instance) in instances.iter().enumerate().rev().take(MAX_CHECKS) {
        if unproven(&subject.store, &instance.declarations).is_some() {
            continue;
        }
        let mut said: Vec<(Answer, String)> = Vec::new();
        for solver in &trusted {
            let asked = AskedCheck { script: &subject.script, instance };
            match solver.model(&mut subject.store, asked, limits) {
                Ok(_) => {
                    let question = question_as(None, FailureKind::Unsat, subject, limits);
                    let fact = KnownWrong { wrong: FailureKind::Unsat, check, question };
                    let truth = format!("certified: {} has a model that makes every assertion true", solver.label);
                    return Some(WrongAnswer { fact, truth, is_bare: false });
                }
                Err(answer) if answer.is_definite() => said.push((answer, solver.label.clone())),
                Err(_) => {}
            }
        }
        let Some((answer, _)) = said.first() else { continue };
        if said.len() >= 2 && said.iter().all(|(other, _)| other == answer) {
            let wrong = if *answer == Answer::Sat { FailureKind::Unsat } else { FailureKind::Sat };
            let by = said.iter().map(|(_, who)| who.clone()).collect();
            let truth = Trust::by_solvers(answer.word(), by).reason();
            let question = question_as(None, wrong, subject, limits);
            return Some(WrongAnswer { fact: KnownWrong { wrong, check, question }, truth, is_bare: false });
        }
    }
    None
}

/// The same versions, without any option, of their profile either.
fn all_without_options(fleet: &Fleet, versions: &[Solver]) -> Vec<Solver> {
    versions.iter().map(|solver| fleet.solver(solver.installed().clone()).bare()).collect()
}

/// The newest release of every other solver, one of each family.
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

/// Where answers are remembered: beside the installed solvers.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    Some(SolverCache::of_user().ok()?.beside("answers"))
}

/// The row of a version with what it does by default.
pub fn pairs(bisection: &Bisection) -> impl Iterator<Item = (&VersionAnswer, VersionVerdict)> {
    let plain = bisection.plain.iter().map(|row| row.did).chain(std::iter::repeat(VersionVerdict::Undecided));
    bisection.found.iter().zip(plain)
}
