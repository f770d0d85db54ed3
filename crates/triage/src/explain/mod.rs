//! Finds out by experiment what a finding depends on: which releases fail, which options it needs, which make the failure vanish.

mod asker;
mod changes;
mod minimal;
mod script_query;
mod siblings;

pub use asker::ExplainBound;

use crate::bisection::{self, BisectionOrder, WrongScript};
use crate::explanation::{AskingPart, FORMAT, FindingExplanation, TriedChange, TriedRelease};
use crate::progress::{ExplainStep, ExplainWatch, InstallProgress};
use anyhow::{Context, Result};
use asker::{RepeatedVerdict, ScriptAsker};
use finding::folder::FindingFolder;
use finding::{FailureKind, Finding, SolverLabel};
use oracle::replay::{self, SavedFinding, TruthLost};
use reduce::query;
use reduce::signature::operators;
use reduce::subject::Spelling;
use script_query::{PartedScript, ScriptQuery};
use smtlib::Printer;
use solver::install::Fleet;
use solver::parallel;
use solver::session::Solver;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The maximum number of assertions shown, and the maximum size of each, in bytes.
const MAX_ASSERTIONS: usize = 4;
const MAX_ASSERTION: usize = 400;

/// What to explain, and how.
pub struct ExplainOrder<'o> {
    /// The finding's folder.
    pub folder: &'o Path,
    /// The number of parallel questions.
    pub jobs: usize,
    /// The limit of the whole explanation.
    pub bound: &'o ExplainBound,
    /// Called for each solver that is installed first.
    pub progress: InstallProgress,
    /// Called with messages for the user.
    pub say: fn(&str),
    /// Called for each question.
    pub watch: Option<ExplainWatch<'o>>,
}

/// Why a finding cannot be explained.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unexplained {
    /// There is no witness.
    #[error("its witness is missing: nothing shows that the answer is wrong")]
    WitnessMissing,
    /// The finding is not valid.
    #[error("it does not hold: {0}")]
    DoesNotHold(String),
    /// The solver does not show the failure.
    #[error("it does not reproduce: {solver} answers {answers}")]
    NotShown {
        /// The solver.
        solver: String,
        /// The solver's answers.
        answers: String,
    },
    /// The failure shows only as the script is spelled, and explanations are of its commands and options.
    #[error("the solver is right about the same script in our print: the failure lies in names, `let` or layout")]
    OnlyAsSpelled,
    /// The time was up before the original script was asked.
    #[error("the time was up before anything was found out")]
    OutOfTime,
}

/// Finds out what a finding depends on, and writes it to its folder. Checks the finding's truth and symptom first, like a replay.
/// Errors: [`Unexplained`] where there is nothing to explain, a damaged finding, a solver that is not available, a file
/// that cannot be written.
pub fn explain(order: &ExplainOrder<'_>, fleet: &Fleet) -> Result<FindingExplanation> {
    let saved = replay::load(order.folder)?;
    replayed(order, &saved, fleet)?;
    let bisection =
        BisectionOrder { trials: asker::RUNS, progress: order.progress, ..BisectionOrder::new(order.folder) };
    let case = bisection::open(&bisection, fleet)?;
    if case.subject.spelling == Spelling::Own {
        return Err(Unexplained::OnlyAsSpelled.into());
    }
    case.target.withheld(&case.subject.text()).iter().for_each(|note| (order.say)(note));
    let explanation = found_out(order, &case, &saved.finding, fleet)?;
    let folder = FindingFolder::at(order.folder);
    // An interrupted explanation never replaces a more complete one.
    let kept = FindingExplanation::load(&folder, &explanation.script).ok().flatten();
    if kept.is_none_or(|kept| explanation.untried <= kept.untried) {
        folder.write(&explanation)?;
    }
    Ok(explanation)
}

/// Checks the finding like a replay; a flaky solver gets several runs.
fn replayed(order: &ExplainOrder<'_>, saved: &SavedFinding, fleet: &Fleet) -> Result<()> {
    let spec = replay::recorded_solver(&saved.finding.solver, fleet)
        .with_context(|| format!("the solver recorded in {}", saved.folder.display()))?;
    let installed = fleet
        .ensure(&spec, &mut { order.progress })
        .with_context(|| format!("cannot get the finding's solver, {}", spec.label()))?;
    let label = installed.label();
    let solver = fleet.solver(installed).with_cancel(order.bound.cancel().clone());
    let mut answers = String::new();
    for _ in 0..asker::RUNS {
        if order.bound.is_over() {
            return Err(Unexplained::OutOfTime.into());
        }
        let replayed = saved.replay(&solver)?;
        order.bound.add(replayed.outcome.cpu);
        match replayed.witness {
            Err(TruthLost::Missing) => return Err(Unexplained::WitnessMissing.into()),
            Err(TruthLost::Fails(why)) => return Err(Unexplained::DoesNotHold(why).into()),
            _ if replayed.reproduces => return Ok(()),
            _ => answers = reduce::judge::describe(&replayed.outcome),
        }
    }
    match order.bound.is_over() {
        true => Err(Unexplained::OutOfTime.into()),
        false => Err(Unexplained::NotShown { solver: label, answers }.into()),
    }
}

/// All questions about one script.
struct Questions<'a> {
    order: &'a ExplainOrder<'a>,
    script: &'a PartedScript<'a>,
    asker: ScriptAsker<'a>,
    total: AtomicUsize,
    done: AtomicUsize,
}

fn found_out(
    order: &ExplainOrder<'_>,
    case: &WrongScript,
    finding: &Finding,
    fleet: &Fleet,
) -> Result<FindingExplanation> {
    let script = PartedScript::new(case, fleet, finding);
    let target = case.target.installed();
    let itself = script.query(target, &script.parts, None);
    let asker = ScriptAsker::begin(order.bound, &case.known.fact, &itself).ok_or(Unexplained::OutOfTime)?;
    if asker.shown.shown == 0 {
        let answers = "otherwise on its reduced script".to_string();
        return Err(Unexplained::NotShown { solver: query::label(target), answers }.into());
    }
    let shown = asker.shown;
    let questions = Questions { order, script: &script, asker, total: 0.into(), done: 0.into() };
    // If the time is up before the needs are known, all parts may be needed.
    let needs = questions.needs(target).unwrap_or_else(|| script.parts.clone());
    let mut needless: Vec<AskingPart> = script.parts.iter().filter(|part| !needs.contains(part)).cloned().collect();
    needless.extend(script.left_out(finding));
    let (releases, no_release) = questions.releases(&case.versions, &needs);
    let mut added = changes::changes(case.target.profile(), target.version.as_ref(), &needs, !script.has_tactics());
    added.extend(script.not_added());
    let (changes, no_change) = questions.changes(target, &needs, &added);
    let is_about_answers = matches!(case.known.fact.wrong, FailureKind::Sat | FailureKind::Unsat);
    let (passes, no_pass) = match is_about_answers && is_last(case) {
        true => changes::passes(&script.query(target, &[], None), order.bound),
        false => (Vec::new(), 0),
    };
    let (siblings, no_sibling) = match is_about_answers {
        true => siblings::siblings(&script.query(target, &needs, None), case.known.fact.check, order.bound),
        false => (Vec::new(), 0),
    };
    let explanation = FindingExplanation {
        format: FORMAT,
        script: case.script.clone(),
        solver: query::label(target),
        title: title(&case.target),
        class: finding.class,
        symptom: finding.symptom.clone(),
        shown,
        operators: operators(&case.subject.source),
        assertions: assertions(case),
        releases,
        needs,
        needless,
        changes,
        passes,
        siblings,
        untried: no_release + no_change + no_pass + no_sibling,
        text: String::new(),
    };
    Ok(explanation.worded())
}

impl Questions<'_> {
    /// Returns the needed parts; `None` if the time is up first.
    fn needs(&self, target: &solver::install::InstalledSolver) -> Option<Vec<AskingPart>> {
        minimal::minimal(&self.script.parts, |parts| {
            self.total.fetch_add(1, Ordering::Relaxed);
            let verdict = self.ask("what it needs", &self.script.query(target, parts, None))?;
            Some(verdict.did == reduce::bisect::VersionVerdict::Wrong)
        })
    }

    /// Asks the installed releases; also returns how many were not asked.
    fn releases(&self, versions: &[Solver], needs: &[AskingPart]) -> (Vec<TriedRelease>, usize) {
        self.total.fetch_add(versions.len(), Ordering::Relaxed);
        let rows = parallel::in_order(versions, self.order.jobs, |version| {
            let solver = query::label(version.installed());
            let asked = self.script.query(version.installed(), needs, None);
            let RepeatedVerdict { did, shown } = self.ask(&solver, &asked)?;
            Some(TriedRelease { solver, did, shown })
        });
        answered(rows)
    }

    /// Tries each change; also returns how many were not tried.
    fn changes(
        &self,
        target: &solver::install::InstalledSolver,
        needs: &[AskingPart],
        changes: &[AskingPart],
    ) -> (Vec<TriedChange>, usize) {
        self.total.fetch_add(changes.len(), Ordering::Relaxed);
        let rows = parallel::in_order(changes, self.order.jobs, |change| {
            let asked = self.script.query(target, needs, Some(change));
            let RepeatedVerdict { did, shown } = self.ask(&change.text, &asked)?;
            Some(TriedChange { kind: change.kind, text: change.text.clone(), did, shown })
        });
        answered(rows)
    }

    fn ask(&self, about: &str, script: &ScriptQuery) -> Option<RepeatedVerdict> {
        let verdict = self.asker.verdict(script);
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(watch) = self.order.watch {
            watch(&ExplainStep { done, total: self.total.load(Ordering::Relaxed), about });
        }
        verdict
    }
}

/// Returns the available rows, and the number of missing ones.
fn answered<R>(rows: Vec<Option<R>>) -> (Vec<R>, usize) {
    let all = rows.len();
    let rows: Vec<R> = rows.into_iter().flatten().collect();
    let missing = all - rows.len();
    (rows, missing)
}

/// Whether the wrongly answered check is the last one.
fn is_last(case: &WrongScript) -> bool {
    let checks = case.subject.script.commands.iter().filter(|command| command.is_check()).count();
    case.known.fact.check + 1 == checks
}

/// Returns the assertions of the wrongly answered check; none if they are many or long.
fn assertions(case: &WrongScript) -> Vec<String> {
    let subject = &case.subject;
    let Some(instance) = subject.script.instance(case.known.fact.check) else { return Vec::new() };
    if instance.assertions.len() > MAX_ASSERTIONS {
        return Vec::new();
    }
    let texts: Vec<String> = instance
        .assertions
        .iter()
        .map(|&assertion| {
            let mut text = String::new();
            Printer::new(&subject.store, &subject.dialect).term(assertion, &mut text);
            text
        })
        .collect();
    if texts.iter().any(|text| text.len() > MAX_ASSERTION) { Vec::new() } else { texts }
}

/// Returns the solver's official name with its version; a local build is marked as such.
fn title(solver: &Solver) -> String {
    let installed = solver.installed();
    let label = query::label(installed);
    let parts = SolverLabel::of(&label);
    let name = solver.profile().title.as_deref().unwrap_or(parts.file_name());
    let version = installed.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let variant = parts.variant.map(|variant| format!(" ({variant})")).unwrap_or_default();
    let own = if parts.is_own_build() { " (own build)" } else { "" };
    format!("{name}{version}{variant}{own}")
}
