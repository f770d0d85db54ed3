//! Runs the experiment: the seeds, then each arm, in steps. The results are written to disk after each step.

use super::plan::{CoverageArm, CoverageConditions, CoveragePlan, digest_of_seeds, next_point};
use super::record::{CoveragePoint, PhaseRecord, counts};
use super::scripts::{self, MeasuredScript};
use anyhow::{Context, Result, bail};
use solver::coverage::{CoverageError, CoverageItems, CoverageSet, InstrumentedBuild};
use solver::outcome::{Answer, SolverOutcome};
use solver::parallel;
use solver::process::{CancelToken, ProcessLimits, RunStatus};
use solver::session::{SessionNeeds, Solver};
use std::path::{Path, PathBuf};

/// An arm stops after at least this many consecutive attempts without a mutant.
const BARREN: u64 = 1000;

/// An instrumented build, ready for measurements.
pub struct MeasuredBuild {
    build: InstrumentedBuild,
    solver: Solver,
}

impl MeasuredBuild {
    /// Inspects the build of a solver. Its counters are kept below `folder` while they are needed.
    /// Errors: the build is not instrumented, or the tool that reads its counters is missing.
    pub fn open(solver: Solver, folder: &Path) -> Result<MeasuredBuild, CoverageError> {
        let build = InstrumentedBuild::open(solver.installed(), folder)?;
        let solver = solver.with_variables(build.variables());
        Ok(MeasuredBuild { build, solver })
    }

    /// Returns the measured solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Returns the build.
    pub fn build(&self) -> &InstrumentedBuild {
        &self.build
    }

    /// Returns all coverage items of the build. Runs an empty script if the items are known only from a profile.
    /// Errors: the solver cannot be run, or its counters cannot be read.
    pub fn items(&mut self) -> Result<&CoverageItems> {
        if self.build.items().is_empty() {
            self.build.clear()?;
            let outcome = self.solver.check("", SessionNeeds::SINGLE, &ProcessLimits::default())?;
            ensure_counters_written(&outcome)?;
            self.build.executed(true)?;
        }
        Ok(self.build.items())
    }

    /// Returns what one script executes, in its own process.
    /// Errors: the solver cannot be run, or its counters cannot be read.
    pub fn of_script(&mut self, text: &str, checks: usize, limits: &ProcessLimits) -> Result<CoverageSet> {
        self.under_options(&[], text, checks, limits)
    }

    /// Returns what one script executes under further options on the command line.
    /// Errors: as [`MeasuredBuild::of_script`].
    pub fn under_options(
        &mut self,
        options: &[String],
        text: &str,
        checks: usize,
        limits: &ProcessLimits,
    ) -> Result<CoverageSet> {
        self.build.clear()?;
        let solver = self.solver.clone().with_options(options.iter().cloned());
        let outcome = solver.check(text, SessionNeeds::of_script(checks, text), limits)?;
        ensure_counters_written(&outcome)?;
        Ok(self.build.executed(ended(&outcome))?)
    }

    /// Runs scripts, each in its own process, and adds their sums to a point. Returns what they executed, or `None` if cancelled.
    fn run(
        &mut self,
        scripts: &[MeasuredScript],
        plan: &CoveragePlan,
        cancel: &CancelToken,
        point: &mut CoveragePoint,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<CoverageSet>> {
        self.build.clear()?;
        let outcomes = parallel::in_order(scripts, plan.jobs, |script| {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let needs = SessionNeeds::of_script(script.checks, &script.text);
            let outcome = self.solver.check(&script.text, needs, &plan.limits);
            done(1);
            outcome.map(Some)
        });
        let mut has_ended = false;
        for (script, outcome) in scripts.iter().zip(outcomes) {
            let Some(outcome) = outcome.context("the build cannot be run")? else { return Ok(None) };
            if outcome.status == RunStatus::Cancelled {
                return Ok(None);
            }
            ensure_counters_written(&outcome)?;
            has_ended |= ended(&outcome);
            point.scripts += 1;
            point.cpu_s += outcome.cpu.as_secs_f64();
            if outcome.crash.is_some() {
                point.crashed += 1;
                keep_crashed(&plan.out, &script.text)?;
            }
            point.limited += u64::from(outcome.status.is_limit());
            point.refused += u64::from(outcome.answers.iter().any(|check| check.answer == Answer::Void));
        }
        Ok(Some(self.build.executed(has_ended)?))
    }
}

/// Keeps a script that crashed the build: the crash is a bug in itself.
fn keep_crashed(out: &Path, text: &str) -> Result<()> {
    let folder = out.join("crashed");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let path = folder.join(format!("{}.smt2", &files::digest::sha256(text)[..12]));
    files::atomic::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Whether a process ended by itself, which is when counters are written.
fn ended(outcome: &SolverOutcome) -> bool {
    matches!(outcome.status, RunStatus::Exited(_)) && outcome.crash.is_none()
}

/// Fails if a process reports that it could not write its counters.
fn ensure_counters_written(outcome: &SolverOutcome) -> Result<()> {
    match InstrumentedBuild::complaint(&outcome.stderr) {
        Some(line) => bail!("a run could not write its counters; is the disk full? It said: {line}"),
        None => Ok(()),
    }
}

/// The results of an experiment so far.
pub struct CoverageRun {
    /// The experiment's conditions.
    pub conditions: CoverageConditions,
    /// The seeds.
    pub seeds: PhaseRecord,
    /// The arms that were started.
    pub arms: Vec<PhaseRecord>,
    /// Whether everything was measured.
    pub is_complete: bool,
}

/// The scripts of a phase by attempt number.
type Attempts<'a> = &'a dyn Fn(u64) -> Option<MeasuredScript>;

/// Starts an experiment or resumes it. Calls `begins` for each phase and `done` for each script.
/// Errors: the folder holds another experiment, a file cannot be written, or the build cannot be run or read.
pub fn run(
    plan: &CoveragePlan,
    measured: &mut MeasuredBuild,
    cancel: &CancelToken,
    begins: &dyn Fn(&str),
    done: &(dyn Fn(u64) + Sync),
) -> Result<CoverageRun> {
    let folder = plan.out.join("phases");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let program = measured.build.program().to_path_buf();
    let conditions = CoverageConditions {
        solver: plan.target.label.clone(),
        program: files::digest::sha256_of_file(&program)
            .with_context(|| format!("cannot read {}", program.display()))?,
        instrumentation: measured.build.instrumentation().name().to_string(),
        items: measured.items()?.digest(),
        seeds: plan.seeds.len(),
        seeds_digest: digest_of_seeds(&plan.seeds),
        seed: plan.seed,
        timeout_ms: u64::try_from(plan.limits.wall.as_millis()).unwrap_or(u64::MAX),
    };
    conditions.keep(plan)?;
    begins("seeds");
    let all = plan.seeds.len() as u64;
    let seed = |number: u64| scripts::of_seed(plan, number);
    let mut phase =
        Phase { plan, measured, cancel, done, base: CoverageSet::default(), path: folder.join("seeds.json") };
    let (seeds, mut is_complete) = phase.go_on(&seed, u64::MAX, Some(all))?;
    let mut arms = Vec::new();
    for arm in &plan.arms {
        if !is_complete {
            break;
        }
        begins(&arm.name);
        phase.base = seeds.executed.clone();
        phase.path = path(&folder, arm);
        let mutant = |attempt: u64| scripts::of_attempt(plan, arm, attempt);
        let (record, is_whole) = phase.go_on(&mutant, plan.mutants, None)?;
        if is_whole && record.last().scripts == 0 && plan.mutants > 0 {
            bail!("{} makes no mutant of these seeds that the solver accepts; `squall mutate` says why", arm.name);
        }
        arms.push(record);
        is_complete = is_whole;
    }
    Ok(CoverageRun { conditions, seeds, arms, is_complete })
}

/// Returns the path of an arm's record. Characters of its name that a file name cannot hold are replaced.
fn path(folder: &Path, arm: &CoverageArm) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = arm.name.chars().map(plain).take(40).collect();
    folder.join(format!("{name}-{}.json", &files::sha256(&arm.name)[..8]))
}

/// A phase under way.
struct Phase<'p> {
    plan: &'p CoveragePlan,
    measured: &'p mut MeasuredBuild,
    cancel: &'p CancelToken,
    done: &'p (dyn Fn(u64) + Sync),
    /// What was executed before this phase.
    base: CoverageSet,
    path: PathBuf,
}

impl Phase<'_> {
    /// Runs scripts until there are `total` of them, or `attempts` were made. Returns the record, and whether it is complete.
    ///
    /// An interrupted step starts again: its counters are discarded, and the record holds complete steps only.
    fn go_on(&mut self, script: Attempts<'_>, total: u64, attempts: Option<u64>) -> Result<(PhaseRecord, bool)> {
        let mut record = PhaseRecord::load(&self.path)?;
        (self.done)(record.last().scripts.min(total));
        let barren = BARREN.max(3 * self.plan.seeds.len() as u64);
        loop {
            let before = record.last();
            let is_over = before.scripts >= total || attempts.is_some_and(|all| record.tried >= all);
            if is_over {
                return Ok((record, true));
            }
            let wanted = next_point(before.scripts, total) - before.scripts;
            let (mut scripts, mut failed) = (Vec::new(), 0);
            while (scripts.len() as u64) < wanted && attempts.is_none_or(|all| record.tried < all) && failed < barren {
                if self.cancel.is_cancelled() {
                    return Ok((PhaseRecord::load(&self.path)?, false));
                }
                match script(record.tried) {
                    Some(script) => {
                        scripts.push(script);
                        failed = 0;
                    }
                    None => failed += 1,
                }
                record.tried += 1;
            }
            if scripts.is_empty() {
                return Ok((record, true));
            }
            let mut point = before;
            let ran = self.measured.run(&scripts, self.plan, self.cancel, &mut point, self.done)?;
            let Some(executed) = ran else { return Ok((PhaseRecord::load(&self.path)?, false)) };
            record.executed.add_all(&executed);
            let mut all = self.base.clone();
            all.add_all(&record.executed);
            point.counts = counts(self.measured.build.items(), &all);
            record.points.push(point);
            record.save(&self.path)?;
        }
    }
}
