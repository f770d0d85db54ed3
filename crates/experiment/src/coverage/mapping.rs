//! Makes the map of an instrumented build: runs each seed, and some scripts of each theme, mutator and option, one at a time.

use super::map::{FunctionMap, InputKind, MapConditions, MapCounts, OlderMap};
use super::plan::{CoverageArm, CoveragePlan, digest_of_seeds};
use super::run::MeasuredBuild;
use super::scripts::{self, MeasuredScript};
use anyhow::{Context, Result};
use finding::OptionGrade;
use oracle::tested::DrawnOptions;
use solver::coverage::CoverageSet;
use solver::process::{CancelToken, ProcessLimits};

/// The number of problems that are run under each value of an option.
const UNDER_OPTION: u32 = 2;
/// The maximum number of attempts for each script of an input.
const ATTEMPTS: u64 = 10;

/// What a map is made of.
pub struct MapPlan {
    /// The seeds, the target, the arms of mutators, and the conditions.
    pub coverage: CoveragePlan,
    /// An arm for each theme.
    pub themes: Vec<CoverageArm>,
    /// Generated problems of any theme, to run under options.
    pub problems: CoverageArm,
    /// The number of scripts for each theme and mutator.
    pub per: u32,
    /// An earlier map. If it is of the same build and seed, only what it lacks is run.
    pub older: Option<FunctionMap>,
}

impl MapPlan {
    /// Returns each value of the solver's options, as text and as drawn options.
    fn options(&self) -> Vec<(String, DrawnOptions)> {
        let installed = self.coverage.target.solver.installed();
        let choices = installed.profile.choices(installed.version.as_ref(), OptionGrade::Documented);
        let drawn = |option: &str, value: &String| {
            let set = option.replace("{}", value);
            let drawn = match set.starts_with('(') {
                true => DrawnOptions { commands: vec![set.clone().into()], ..DrawnOptions::default() },
                false => DrawnOptions { words: vec![set.clone()], ..DrawnOptions::default() },
            };
            (set, drawn)
        };
        choices.flat_map(|choice| choice.values.iter().map(move |value| drawn(&choice.option, value))).collect()
    }

    /// Returns the scripts of seeds with these digests and themes with these names, as for a map.
    pub(super) fn scripts_of<'p>(
        &'p self,
        digests: &'p [&str],
        themes: &'p [String],
    ) -> impl Iterator<Item = (String, MeasuredScript)> + 'p {
        let is_meant = |bytes: Vec<u8>| digests.contains(&&*files::sha256(bytes));
        let seeds = self.coverage.seeds.iter().enumerate();
        let seeds = seeds.filter(move |(_, seed)| seed.bytes().is_ok_and(is_meant));
        let seeds =
            seeds.filter_map(|(number, seed)| Some((seed.name(), scripts::of_seed(&self.coverage, number as u64)?)));
        let arms = self.themes.iter().filter(|arm| themes.contains(&arm.name));
        let problems = arms.flat_map(|arm| {
            self.of_arm(arm, self.per).zip(1..).map(|(script, n)| (format!("{} {n}", arm.name), script))
        });
        seeds.chain(problems)
    }

    /// Returns up to `count` scripts of an arm.
    fn of_arm<'p>(&'p self, arm: &'p CoverageArm, count: u32) -> impl Iterator<Item = MeasuredScript> + 'p {
        let attempts = 0..u64::from(count) * ATTEMPTS;
        let made = attempts.filter_map(|attempt| scripts::of_attempt(&self.coverage, arm, attempt));
        made.take(count as usize)
    }

    /// Returns the number of inputs.
    pub fn inputs(&self) -> u64 {
        (self.coverage.seeds.len() + self.themes.len() + self.coverage.arms.len() + self.options().len()) as u64
    }
}

/// A map being made.
struct MapMaking<'m> {
    measured: &'m mut MeasuredBuild,
    limits: &'m ProcessLimits,
    cancel: &'m CancelToken,
    done: &'m dyn Fn(u64),
    older: Option<OlderMap<'m>>,
    counts: MapCounts,
}

impl MapMaking<'_> {
    /// Adds an input, by its scripts or from the older map. Returns `false` if cancelled.
    fn add(
        &mut self,
        (kind, name, digest): (InputKind, &str, String),
        options: &[String],
        scripts: impl FnOnce() -> Vec<MeasuredScript>,
    ) -> Result<bool> {
        let taken = |older: &OlderMap<'_>| self.counts.take_over(older, kind, name, &digest).is_some();
        if !self.older.as_ref().is_some_and(taken) {
            let mut sets: Vec<CoverageSet> = Vec::new();
            for script in scripts() {
                sets.push(self.measured.under_options(options, &script.text, script.checks, self.limits)?);
                if self.cancel.is_cancelled() {
                    return Ok(false);
                }
            }
            // A run may reveal new items.
            self.counts.add(kind, name, digest, self.measured.items()?, &sets);
        }
        (self.done)(1);
        Ok(!self.cancel.is_cancelled())
    }
}

/// Makes a map. Calls `done` after each input. `None` if cancelled.
/// Errors: the build cannot be run, or its counters cannot be read.
pub fn make(
    plan: &MapPlan,
    measured: &mut MeasuredBuild,
    cancel: &CancelToken,
    done: &dyn Fn(u64),
) -> Result<Option<FunctionMap>> {
    let coverage = &plan.coverage;
    let program = measured.build().program().to_path_buf();
    let sha256 = files::digest::sha256_of_file(&program);
    let sha256 = sha256.with_context(|| format!("cannot read {}", program.display()))?;
    let conditions =
        MapConditions::new(coverage.target.label.clone(), sha256, coverage.seed, plan.per, coverage.limits.wall);
    let items = measured.items()?.clone();
    let same = plan.older.as_ref().filter(|older| older.conditions == conditions);
    let older = same.map(|older| older.by_items(&items));
    let mut making =
        MapMaking { measured, limits: &coverage.limits, cancel, done, older, counts: MapCounts::default() };
    for (number, seed) in coverage.seeds.iter().enumerate() {
        let digest = files::sha256(seed.bytes().unwrap_or_default());
        let script = || scripts::of_seed(coverage, number as u64).into_iter().collect();
        if !making.add((InputKind::Seed, &seed.name(), digest), &[], script)? {
            return Ok(None);
        }
    }
    let themes = plan.themes.iter().map(|arm| (InputKind::Theme, arm, String::new()));
    // Mutants depend on all seeds.
    let of_seeds = digest_of_seeds(&coverage.seeds);
    let mutators = coverage.arms.iter().map(|arm| (InputKind::Mutator, arm, of_seeds.clone()));
    for (kind, arm, digest) in themes.chain(mutators) {
        if !making.add((kind, &arm.name, digest), &[], || plan.of_arm(arm, conditions.per).collect())? {
            return Ok(None);
        }
    }
    for (set, drawn) in plan.options() {
        let words = drawn.words.clone();
        let target = plan.problems.target.with_options(drawn);
        let arm = CoverageArm { target, name: set.clone(), mutators: plan.problems.mutators.clone() };
        if !making
            .add((InputKind::Option, &set, String::new()), &words, || plan.of_arm(&arm, UNDER_OPTION).collect())?
        {
            return Ok(None);
        }
    }
    let items = making.measured.items()?;
    Ok(Some(making.counts.map(conditions, items)))
}
