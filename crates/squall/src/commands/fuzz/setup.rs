//! The seeds, solvers and campaign of a `squall fuzz` command line.

use super::arguments::{Args, Assignment, OnOff, Switch, TruthArg};
use crate::commands::{corpus, solver};
use ::corpus::seed::{self, SeedSource};
use ::corpus::stored;
use ::fuzz::config::{MutantOptions, SolverOptions};
use ::fuzz::schedule::completed::Shard;
use ::fuzz::under_test::{Incremental, Tactics, Target, TargetError, TargetOptions};
use ::fuzz::{CampaignBudget, CampaignEvent, CampaignWatch, Config, Stops};
use ::solver::batch::MAX_BATCH;
use ::solver::doctor;
use ::solver::install::{Fleet, InstallEvent};
use ::solver::process::{ProcessLimits, processors};
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use clap::ValueEnum;
use experiment::coverage::map::InputKind;
use finding::OptionGrade;
use mutate::choice::{self, MutatorChoice};
use mutate::edit::TruthMode;
use mutate::{finite, mutators};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use triage::reduction_yield::ReductionYield;

/// The prepared solvers of a campaign.
pub struct Setup {
    /// The solvers under test.
    pub targets: Vec<Target>,
    /// The reference solver.
    pub reference: Option<Target>,
}

/// Returns the seeds of a command line, or those embedded in this program.
pub(super) fn seeds(args: &Args) -> Result<Vec<SeedSource>> {
    let mut seeds = if args.also.is_empty() { Vec::new() } else { seed::collect(&args.also)? };
    seeds.extend(of_command(args)?);
    Ok(seeds)
}

fn of_command(args: &Args) -> Result<Vec<SeedSource>> {
    let mut seeds = match (&args.tested.corpus, args.seeds.is_empty()) {
        (None, true) => return Ok(focused(args, seed::embedded())),
        (_, true) => Vec::new(),
        (_, false) => seed::collect(&args.seeds)?,
    };
    if let Some(name) = &args.tested.corpus {
        let (corpus, manifest) = corpus::of_user()?.manifest(name)?;
        seeds.extend(stored::seeds(&corpus.folder, &manifest));
    }
    Ok(with_theory(args, focused(args, seeds)))
}

/// Returns the seeds that execute the focus; all if there is none, or no seed executes it.
fn focused(args: &Args, seeds: Vec<SeedSource>) -> Vec<SeedSource> {
    let Some(focus) = args.tested.focus.found() else { return seeds };
    let digests: BTreeSet<&str> = focus.of_kind(InputKind::Seed).map(|one| &*one.input.digest).collect();
    let is_meant = |seed: &SeedSource| seed.bytes().is_ok_and(|bytes| digests.contains(&*files::sha256(bytes)));
    let kept: Vec<SeedSource> = seeds.iter().filter(|seed| is_meant(seed)).cloned().collect();
    if kept.is_empty() { seeds } else { kept }
}

/// Returns the seeds with the theory as data that they are over.
fn with_theory(args: &Args, mut seeds: Vec<SeedSource>) -> Vec<SeedSource> {
    if let Some(theory) = &args.tested.theory_file {
        // A finding has to say what its names mean.
        for seed in &mut seeds {
            if let Ok(bytes) = seed.bytes() {
                let bytes = [theory.command().as_bytes(), &bytes].concat();
                *seed = SeedSource::Piped { name: seed.name(), bytes: bytes.into() };
            }
        }
    }
    seeds
}

/// Gets the solvers of a campaign, installing what is missing.
/// Errors: a solver that is not available. A solver that answers nothing, and options without a suitable mutator, are
/// usage errors,
/// which end the process.
pub fn setup(args: &Args, fleet: &Fleet, stops: &Stops, watch: &dyn CampaignWatch) -> Result<Setup> {
    let options = target_options(args);
    let target = |spec: &SolverSpec, grade: Option<OptionGrade>| -> Result<Target> {
        let mut installed = fleet
            .ensure(spec, &mut |event: &InstallEvent<'_>| {
                watch.event(&CampaignEvent::Install { solver: spec.label(), what: solver::words(event) });
            })
            .with_context(|| format!("cannot get {}", spec.label()))?;
        fleet.verify(&installed)?.note().iter().for_each(|note| eprintln!("{note}"));
        if let Some(grade) = grade.filter(|_| !matches!(installed.spec, SolverSpec::Builtin(_))) {
            let mode = installed.profile.mode_of_grade(installed.version.as_ref(), grade);
            let mode = mode.map_err(|why| TargetError::NoMode { solver: installed.label(), why })?;
            // The user named the solver with its mode.
            installed = fleet.ensure(&spec.clone().with_options(&mode.options), &mut |_: &InstallEvent<'_>| ())?;
        }
        let solver = fleet.solver(installed);
        let tried = doctor::preflight(&solver.clone().with_cancel(stops.user.clone()), &limits(args));
        tried.map_err(TargetError::NoAnswer)?;
        Ok(Target::new(solver, &options, stops)?)
    };
    let all = || -> Result<Setup> {
        let targets = args.tested.solver.iter().map(|spec| target(spec, args.tested.grade.map(OptionGrade::from)));
        let targets = targets.collect::<Result<Vec<Target>>>()?;
        let reference = args.tested.reference.as_ref().map(|spec| target(spec, None)).transpose()?;
        Ok(Setup { targets: with_what_varies(args, targets)?, reference })
    };
    let setup = match all() {
        Ok(setup) => setup,
        // The requested combination does not exist: a usage error.
        Err(error) if error.is::<TargetError>() => {
            usage!("{error:#}")
        }
        Err(error) => return Err(error),
    };
    args.tested.focus.describe().iter().for_each(|line| eprintln!("{line}"));
    for complaint in args.tested.settings.iter().flat_map(|(name, path)| mutators::complaints(name, path)) {
        eprintln!("{complaint}");
    }
    Ok(setup)
}

/// Returns the limits of one run.
fn limits(args: &Args) -> ProcessLimits {
    ProcessLimits { wall: args.effort.timeout, memory_bytes: Some(args.place.memory), ..ProcessLimits::default() }
}

/// Returns the targets. Drawing options is an error if no target has any.
fn with_what_varies(args: &Args, targets: Vec<Target>) -> Result<Vec<Target>> {
    let has_options = |grade: OptionGrade| targets.iter().any(|target| target.has_options(grade));
    if let Some(asked @ (SolverOptions::Random | SolverOptions::Experimental)) = args.mutation.options.options
        && !has_options(asked.grade())
    {
        let solvers = targets.iter().map(|target| target.tested.label.clone()).collect::<Vec<_>>().join(", ");
        return Err(TargetError::NoOptions { solvers, has_experimental: has_options(OptionGrade::Experimental) }.into());
    }
    Ok(targets)
}

/// The campaign of a command line. `note` is kept in its folder, for `--resume`; `reward` is the value of new causes.
pub fn config(
    args: &Args,
    seeds: Vec<SeedSource>,
    note: serde_json::Value,
    progress_every: Duration,
    reward: Arc<ReductionYield>,
) -> Config {
    Config {
        seeds,
        mutants: MutantOptions {
            // Other drawn options would leave the mode.
            options: args.tested.grade.map_or(args.mutation.options.options, |_| Some(SolverOptions::Default)),
            ..args.mutation.options.clone()
        },
        jobs: args.place.jobs.map_or_else(processors, usize::from),
        budget: CampaignBudget {
            time: args.end.time,
            cpu: args.end.for_cpu,
            mutants: args.end.mutants,
            units: args.end.units,
            found: args.end.until_found,
        },
        limits: limits(args),
        wants_models: !matches!(args.mutation.assignment, Some(Assignment::Random | Assignment::Search)),
        per_process: if args.effort.no_batch { 1 } else { MAX_BATCH },
        relations: args.effort.relations == OnOff::On,
        keep_mutants: args.place.keep_mutants.clone(),
        sample: args.sample,
        progress_every,
        reward,
        shard: args.place.shard.unwrap_or(Shard::WHOLE),
        build: crate::build::here(),
        identity: args.identity(),
        note,
    }
}

/// Returns the mutators of a command line; empty for the default ones.
fn mutators(args: &Args) -> Vec<String> {
    let mut mutators: Vec<String> = args.tested.mutator.iter().flat_map(|list| choice::names(list)).collect();
    let is_data = args.tested.theory_file.is_some() && args.seeds.is_empty() && args.tested.corpus.is_none();
    if (!args.mutation.theory.is_empty() || is_data) && mutators.is_empty() {
        mutators.push(finite::ENTRY.name.to_string());
    }
    if let Some(focus) = args.tested.focus.found().filter(|_| mutators.is_empty()) {
        let executes = |kind| focus.of_kind(kind).next().is_some();
        let generates = |name: &String| MutatorChoice::read(name).is_ok_and(|one| mutators::needs_no_seed(one.name()));
        let is_of_use = |name: &String| executes(if generates(name) { InputKind::Theme } else { InputKind::Seed });
        mutators = mutators::by_default().into_iter().filter(is_of_use).collect();
    }
    mutators
}

/// Whether any of the mutators uses seeds.
pub(super) fn needs_seeds(args: &Args) -> bool {
    let mutators = mutators(args);
    let needs_none =
        |name: &String| MutatorChoice::read(name).is_ok_and(|choice| mutators::needs_no_seed(choice.name()));
    mutators.is_empty() || !mutators.iter().all(needs_none)
}

fn target_options(args: &Args) -> TargetOptions {
    let tactics = match args.tested.tactics.as_deref() {
        None => Tactics::Profile,
        Some("none") => Tactics::List(Vec::new()),
        Some("random") => Tactics::Random,
        Some(list) => {
            Tactics::List(list.split(';').map(str::trim).filter(|t| !t.is_empty()).map(str::to_string).collect())
        }
    };
    let assignment = args.mutation.assignment.as_ref().and_then(ValueEnum::to_possible_value);
    let options = [
        ("max-depth", args.mutation.max_depth.map(|n| n.to_string())),
        ("max-asserts", args.mutation.max_asserts.map(|n| n.to_string())),
        ("assignment", assignment.map(|value| value.get_name().to_string())),
    ];
    let mut parameters: Vec<(String, String)> =
        options.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect();
    parameters.extend(args.tested.settings.iter().cloned());
    if !args.mutation.theory.is_empty() {
        parameters.push(("theory".to_string(), args.mutation.theory.join(",")));
    }
    let mutators = mutators(args);
    let makes_finite = mutators.is_empty() || mutators.iter().any(|name| name.contains(finite::ENTRY.name));
    let focus = args.tested.focus.found().filter(|_| makes_finite && args.mutation.theory.is_empty());
    // A map of another version may have themes that this one lacks.
    let known = |name: &String| finite::theme::find(name).is_some();
    let themes: Vec<String> = focus.iter().flat_map(|focus| focus.themes()).filter(known).collect();
    if !themes.is_empty() {
        parameters.push((finite::THEORY.to_string(), themes.join(",")));
    }
    if let Some(theory) = args.tested.theory_file.as_ref().filter(|_| makes_finite) {
        parameters.push((finite::DEFINITION.to_string(), theory.command().to_string()));
    }
    TargetOptions {
        mutators,
        logics: args.mutation.logic.clone(),
        truth: match args.mutation.truth {
            // The mutators do this anyway.
            TruthArg::Certified => None,
            TruthArg::Differential => Some(TruthMode::Differential),
            TruthArg::Both => Some(TruthMode::Both),
        },
        incremental: match args.mutation.incremental {
            Switch::On => Incremental::On,
            Switch::Off => Incremental::Off,
            Switch::Auto => Incremental::Auto,
        },
        tactics,
        parameters,
    }
}
