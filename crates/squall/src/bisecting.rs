//! A bisection from files to rows: what `squall bisect` and campaigns share.

use crate::reducing;
use anyhow::{Context, Result, bail};
use reduce::bisect::{Asking, Bisection, Did, Fact, Remembered, Row, Survey, ask, ask_all};
use reduce::finding::{Account, Files, Record, sha256};
use reduce::query::{Trusted, dialect, label};
use reduce::start::{Question, start, witness_of};
use reduce::subject::Subject;
use reduce::{Truth, Wrong};
use smtlib::Command;
use solver::install::{Fleet, InstalledSolver};
use solver::outcome::Answer;
use solver::process::Limits;
use solver::session::{Purpose, Solver};
use solver::spec::SolverSpec;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file beside a finding that holds what came of its bisection.
pub const FILE: &str = "bisection.json";

/// How many checks of a script are looked at where nobody says which one is answered wrongly.
const MAX_CHECKS: usize = 8;

/// What is to be asked, and how.
pub struct Order {
    /// The script, with its witness and record if it is a finding.
    pub places: Files,
    /// A version that errs, or only the solver's name.
    pub solver: Option<SolverSpec>,
    /// How it errs, if that is known.
    pub wrong: Option<Wrong>,
    /// What one run may use.
    pub limits: Limits,
    /// Solvers asked at a time.
    pub jobs: usize,
    /// Ask again, whatever was answered before.
    pub fresh: bool,
}

impl Order {
    /// An order for a finding's folder (its reduced script if there is one) or for a script.
    pub fn new(path: &Path) -> Order {
        let mut places = Files::of(path, None);
        if path.is_dir() && places.output.exists() {
            places.witness = Some(places.output_witness()).filter(|p| p.exists());
            places.input = places.output.clone();
            places.earlier = Some(places.output_earlier()).filter(|p| p.exists());
        }
        Order { places, solver: None, wrong: None, limits: Limits::default(), jobs: 2, fresh: false }
    }
}

/// What is wrong with a script's answer, and on whose word.
struct Known {
    fact: Fact,
    truth: String,
}

/// A script of which it is known what is wrong, ready to be put to other solvers.
struct Case {
    script: String,
    subject: Subject,
    target: Solver,
    spec: SolverSpec,
    versions: Vec<Solver>,
    others: Vec<Solver>,
    known: Known,
    /// What goes before it in the same process.
    earlier: Arc<str>,
}

/// Asks every version of the solver that is here about a script, and the newest of every other solver.
///
/// # Errors
/// The file cannot be read, or nobody says what is wrong.
pub fn bisect(order: &Order, fleet: &Fleet) -> Result<Bisection> {
    let case = open(order, fleet)?;
    let folder = if order.fresh { None } else { cache_folder() };
    let survey = case.survey(order, folder);
    Ok(Bisection {
        found: ask_all(&survey, Asking::AsFound, &case.versions, order.jobs),
        plain: ask_all(&survey, Asking::Plain, &without_options(fleet, &case.versions), order.jobs),
        others: ask_all(&survey, Asking::Elsewhere, &case.others, order.jobs),
        script: case.script,
        solver: case.target.profile().name.clone(),
        wrong: case.known.fact.wrong,
        truth: case.known.truth,
    })
}

/// Asks one solver about a script, with the options that the script needs if it is of the same kind.
///
/// # Errors
/// The file cannot be read, or nobody says what is wrong.
pub fn ask_one(order: &Order, fleet: &Fleet, solver: &Solver) -> Result<Row> {
    let case = open(order, fleet)?;
    let survey = case.survey(order, None);
    if solver.profile().name != case.target.profile().name {
        return Ok(ask(&survey, Asking::Elsewhere, solver));
    }
    // A program named by its path brings its options along.
    let options = match &case.spec {
        SolverSpec::Path(_) => Vec::new(),
        spec => spec.options().to_vec(),
    };
    let solver = fleet.solver(solver.installed().clone()).with_options(options);
    Ok(ask(&survey, Asking::AsFound, &solver))
}

fn open(order: &Order, fleet: &Fleet) -> Result<Case> {
    let places = &order.places;
    let record = reducing::record(places)?;
    let needed = needed(places);
    let spec = reducing::spec(order.solver.as_ref().or(needed.as_ref()), record.as_ref())?;
    let target = fleet.solver(fleet.ensure(&spec, &mut crate::solver::say)?);
    let input = files::named(&places.input)?;
    let mut subject = Subject::read(&input, dialect(target.installed()))
        .with_context(|| format!("cannot read {}", places.input.display()))?;
    let others = others(fleet, &target.profile().name);
    let versions = versions(fleet, &target, &spec);
    // Where no version is named, the newest that errs on the script says what is wrong.
    let tried = match &spec {
        SolverSpec::Named(named) if named.version.is_none() => versions.iter().rev().cloned().collect(),
        _ => vec![target.clone()],
    };
    let known = known(order, record.as_ref(), &mut subject, &tried, &others)?;
    let earlier = reducing::earlier(places.earlier.as_deref())?;
    Ok(Case { script: sha256(&input), subject, target, spec, versions, others, known, earlier })
}

impl Case {
    fn survey(&self, order: &Order, remembered: Option<PathBuf>) -> Survey<'_> {
        Survey {
            subject: &self.subject,
            witness: witness_of(&self.subject),
            fact: self.known.fact.clone(),
            limits: order.limits.clone(),
            remembered: Remembered::new(remembered),
            earlier: Arc::clone(&self.earlier),
        }
    }
}

/// Writes what came of a bisection beside the finding, whole.
///
/// # Errors
/// Whatever the system says.
pub fn write(folder: &Path, bisection: &Bisection) -> Result<()> {
    let path = folder.join(FILE);
    let text = serde_json::to_string_pretty(bisection)? + "\n";
    files::atomic::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// The solver with the options that a reduced script still needs, if the script to be asked about is one.
fn needed(places: &Files) -> Option<SolverSpec> {
    if places.input != places.output {
        return None;
    }
    let account: Account = serde_json::from_slice(&std::fs::read(places.account()).ok()?).ok()?;
    account.solver?.parse().ok()
}

/// What is wrong: as the first of the versions `tried` shows it that shows anything, else as the user says, else as others answer.
fn known(
    order: &Order,
    record: Option<&Record>,
    subject: &mut Subject,
    tried: &[Solver],
    others: &[Solver],
) -> Result<Known> {
    let wrong = order.wrong.or_else(|| record.and_then(Record::wrong));
    let earlier = reducing::earlier(order.places.earlier.as_deref())?;
    let least = record.map_or(Purpose::SINGLE, reducing::purpose_of);
    let (mut not_shown, mut gives_up) = (None, None);
    for target in tried {
        let question = Question {
            target: target.clone(),
            wrong,
            trusted: others.iter().cloned().map(Trusted::new).collect(),
            limits: order.limits.clone(),
            purpose: least,
            witness: order.places.witness.as_ref().and_then(|p| std::fs::read_to_string(p).ok()),
            trials: 1,
            earlier: Arc::clone(&earlier),
        };
        subject.dialect = dialect(target.installed());
        let begun = match start(subject, &question) {
            Ok(begun) => begun,
            Err(error) => {
                not_shown.get_or_insert(error);
                continue;
            }
        };
        let fact = Fact { wrong: begun.judge.wrong, check: begun.evidence.check, purpose: begun.judge.purpose };
        let truth = match begun.evidence.truth {
            // What was asked about is one script; how it was found does not change it.
            Truth::Observed => "observed: the solver convicts itself".to_string(),
            truth => truth.to_string(),
        };
        if fact.wrong == Wrong::Unknown && wrong.is_none() {
            // An older version may do worse than give up.
            gives_up.get_or_insert(Known { fact, truth });
            continue;
        }
        return Ok(Known { fact, truth });
    }
    if let Some(known) = gives_up {
        return Ok(known);
    }
    let purpose = purpose(subject, least);
    match wrong {
        Some(wrong) => {
            let check = checks_of(subject).saturating_sub(1);
            Ok(Known { fact: Fact { wrong, check, purpose }, truth: format!("as given: a '{wrong}' is wrong") })
        }
        None => match by_others(order, subject, others, purpose) {
            Some(known) => Ok(known),
            None => bail!(
                "{}; and neither a model that our evaluator agrees with nor two other solvers say what is right: \
                 name what is wrong with --wrong sat or --wrong unsat, or a version that errs with --solver {}@VERSION",
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

fn purpose(subject: &Subject, least: Purpose) -> Purpose {
    let levels = subject.script.commands.iter().any(|c| matches!(c, Command::Push(_)));
    if checks_of(subject) > 1 || levels { least | Purpose::INCREMENTAL } else { least }
}

/// The right answer to the last check that anybody knows it of: by a model our evaluator agrees with, or by two programs.
fn by_others(order: &Order, subject: &mut Subject, others: &[Solver], purpose: Purpose) -> Option<Known> {
    let trusted: Vec<Trusted> = others.iter().cloned().map(Trusted::new).collect();
    let instances = subject.script.instances();
    for (check, instance) in instances.iter().enumerate().rev().take(MAX_CHECKS) {
        let mut said: Vec<(Answer, String)> = Vec::new();
        for solver in &trusted {
            match solver.model(&mut subject.store, instance, &order.limits) {
                Ok(_) => {
                    let fact = Fact { wrong: Wrong::Unsat, check, purpose };
                    let truth = format!("certified: {} has a model that makes every assertion true", solver.label);
                    return Some(Known { fact, truth });
                }
                Err(answer) if answer.is_definite() => said.push((answer, solver.label.clone())),
                Err(_) => {}
            }
        }
        let Some((answer, _)) = said.first() else { continue };
        if said.len() >= 2 && said.iter().all(|(other, _)| other == answer) {
            let wrong = if *answer == Answer::Sat { Wrong::Unsat } else { Wrong::Sat };
            let by = said.iter().map(|(_, who)| who.clone()).collect();
            let truth = Truth::Trusted { answer: answer.word().to_string(), by }.to_string();
            return Some(Known { fact: Fact { wrong, check, purpose }, truth });
        }
    }
    None
}

/// Every version of the solver that is here, the oldest first, with the options of `spec`. A program named by its path is one
/// of them.
fn versions(fleet: &Fleet, target: &Solver, spec: &SolverSpec) -> Vec<Solver> {
    let name = &target.profile().name;
    let mut list: Vec<InstalledSolver> = fleet.list().into_iter().filter(|i| i.profile.name == *name).collect();
    if let SolverSpec::Path(_) = spec {
        list.push(target.installed().clone());
    }
    list.sort_by(|a, b| a.version.cmp(&b.version));
    list.dedup_by(|a, b| a.version.is_some() && a.version == b.version && label(a) == label(b));
    let own = |i: &InstalledSolver| matches!(i.spec, SolverSpec::Path(_));
    list.into_iter()
        .map(|i| {
            // A program named by its path brings its options along.
            let options = if own(&i) { Vec::new() } else { spec.options().to_vec() };
            fleet.solver(i).with_options(options)
        })
        .collect()
}

/// The same versions, without any option.
fn without_options(fleet: &Fleet, versions: &[Solver]) -> Vec<Solver> {
    versions.iter().map(|solver| fleet.solver(solver.installed().clone())).collect()
}

/// The newest version of every other solver.
fn others(fleet: &Fleet, name: &str) -> Vec<Solver> {
    let mut seen = vec![name.to_string()];
    let mut list = Vec::new();
    for installed in fleet.list() {
        if !seen.contains(&installed.profile.name) {
            seen.push(installed.profile.name.clone());
            list.push(fleet.solver(installed));
        }
    }
    list
}

/// Where answers are remembered: beside the installed solvers.
fn cache_folder() -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = from("SQUALL_CACHE")
        .or_else(|| Some(from("XDG_CACHE_HOME")?.join("squall")))
        .or_else(|| Some(from("HOME")?.join(".cache").join("squall")))?;
    Some(folder.join("answers"))
}

/// The row of a version with what it does by default.
pub fn pairs(bisection: &Bisection) -> impl Iterator<Item = (&Row, Did)> {
    let plain = bisection.plain.iter().map(|row| row.did).chain(std::iter::repeat(Did::Undecided));
    bisection.found.iter().zip(plain)
}
