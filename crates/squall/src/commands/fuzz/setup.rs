//! What a command line of `squall fuzz` asks for: seeds, solvers made ready, and the campaign.

use super::arguments::{Args, Assignment, ScheduleKind, SolverOptions, Switch, TruthArg};
use super::resume;
use crate::commands::{corpus, solver};
use ::corpus::seed::{self, SeedSource};
use ::corpus::stored;
use ::fuzz::schedule::SchedulePolicy;
use ::fuzz::schedule::completed::Shard;
use ::fuzz::target::{Incremental, Tactics, Target, TargetError, TargetOptions};
use ::fuzz::{CampaignBudget, CampaignEvent, CampaignWatch, Config, Stops};
use ::solver::batch::MAX_BATCH;
use ::solver::doctor;
use ::solver::install::{Fleet, InstallEvent};
use ::solver::process::{ProcessLimits, processors};
use ::solver::spec::SolverSpec;
use anyhow::{Context, Result};
use finding::OptionGrade;
use mutate::edit::TruthMode;
use mutate::{choice, finite, registry};
use std::sync::Arc;
use std::time::Duration;
use triage::reduced_causes::ReducedCauses;

/// How many units of 100 draw options where that is asked for.
const DRAWN_OPTIONS: u32 = 50;

/// The solvers of a campaign, set up.
pub struct Setup {
    /// Those under test.
    pub targets: Vec<Target>,
    /// The one that is not.
    pub reference: Option<Target>,
}

/// The seeds that a command line names; those embedded in this program where it names none.
pub(super) fn seeds(args: &Args) -> Result<Vec<SeedSource>> {
    let mut seeds = match (&args.corpus, args.seeds.is_empty()) {
        (None, true) => return Ok(seed::embedded()),
        (_, true) => Vec::new(),
        (_, false) => seed::collect(&args.seeds)?,
    };
    if let Some(name) = &args.corpus {
        let (corpus, manifest) = corpus::of_user()?.manifest(name)?;
        seeds.extend(stored::seeds(&corpus.folder, &manifest));
    }
    Ok(seeds)
}

/// Gets the solvers of a campaign, installing what is missing.
///
/// # Errors
/// A solver that is not available. A solver that answers nothing, and options that no mutator can follow, are the command line's fault and end
/// the process.
pub fn setup(args: &Args, fleet: &Fleet, stops: &Stops, watch: &dyn CampaignWatch) -> Result<Setup> {
    let options = target_options(args);
    let target = |spec: &SolverSpec| -> Result<Target> {
        let installed = fleet
            .ensure(spec, &mut |event: &InstallEvent<'_>| {
                watch.event(&CampaignEvent::Install { solver: spec.label(), what: solver::words(event) });
            })
            .with_context(|| format!("cannot get {}", spec.label()))?;
        fleet.verify(&installed)?.note().iter().for_each(|note| eprintln!("{note}"));
        let solver = fleet.solver(installed);
        let tried = doctor::preflight(&solver.clone().with_cancel(stops.user.clone()), &limits(args));
        tried.map_err(TargetError::NoAnswer)?;
        Ok(Target::new(solver, &options, stops)?)
    };
    let all = || -> Result<Setup> {
        let targets = args.solver.iter().map(target).collect::<Result<Vec<Target>>>()?;
        let reference = args.reference.as_ref().map(target).transpose()?;
        Ok(Setup { targets: with_what_varies(args, targets)?, reference })
    };
    let setup = match all() {
        Ok(setup) => setup,
        // What was asked for does not exist: that is the command line's fault.
        Err(error) if error.is::<TargetError>() => {
            usage!("{error:#}")
        }
        Err(error) => return Err(error),
    };
    for complaint in args.settings.iter().flat_map(|(name, path)| registry::complaints(name, path)) {
        eprintln!("{complaint}");
    }
    Ok(setup)
}

/// The limits of one run.
fn limits(args: &Args) -> ProcessLimits {
    ProcessLimits { wall: args.timeout, memory_bytes: Some(args.memory), ..ProcessLimits::default() }
}

/// The targets, if there is anything to draw where it is asked for that options are drawn.
fn with_what_varies(args: &Args, targets: Vec<Target>) -> Result<Vec<Target>> {
    let has_options = |grade: OptionGrade| targets.iter().any(|target| target.has_options(grade));
    if let Some(asked @ (SolverOptions::Random | SolverOptions::Experimental)) = args.options
        && !has_options(asked.grade())
    {
        let solvers = targets.iter().map(|target| target.tested.label.clone()).collect::<Vec<_>>().join(", ");
        return Err(TargetError::NoOptions { solvers, has_experimental: has_options(OptionGrade::Experimental) }.into());
    }
    Ok(targets)
}

/// A campaign as the command line says. `note` is kept in its folder, to go on by; `reward` says what new causes are worth.
pub fn config(
    args: &Args,
    seeds: Vec<SeedSource>,
    note: serde_json::Value,
    progress_every: Duration,
    reward: Arc<ReducedCauses>,
) -> Config {
    Config {
        seeds,
        seed: args.seed,
        jobs: args.jobs.map_or_else(processors, usize::from),
        budget: CampaignBudget {
            time: args.time,
            cpu: args.for_cpu,
            mutants: args.mutants,
            units: args.units,
            found: args.until_found,
        },
        limits: limits(args),
        wants_models: !matches!(args.assignment, Some(Assignment::Random | Assignment::Search)),
        judged_models: args.models,
        reworded: args.reworded,
        slow: args.slow,
        per_process: if args.no_batch { 1 } else { MAX_BATCH },
        drawn_options: if args.options() == SolverOptions::Default { 0 } else { DRAWN_OPTIONS },
        option_grade: args.options().grade(),
        keep_mutants: args.keep_mutants.clone(),
        progress_every,
        schedule: match args.schedule {
            ScheduleKind::Yield => SchedulePolicy::Yield,
            ScheduleKind::Uniform => SchedulePolicy::Uniform,
        },
        reward,
        shard: args.shard.unwrap_or(Shard::WHOLE),
        build: crate::build::here(),
        identity: resume::identity(args),
        note,
    }
}

/// The mutators that a command line names; none for the default ones.
fn mutators(args: &Args) -> Vec<String> {
    let mut mutators: Vec<String> = args.mutator.iter().flat_map(|list| choice::names(list)).collect();
    if !args.theory.is_empty() && mutators.is_empty() {
        mutators.push(finite::ENTRY.name.to_string());
    }
    mutators
}

/// Whether any of the mutators takes seeds.
pub(super) fn needs_seeds(args: &Args) -> bool {
    let mutators = mutators(args);
    let needs_none =
        |name: &String| choice::MutatorChoice::read(name).is_ok_and(|choice| registry::needs_no_seed(choice.name()));
    mutators.is_empty() || !mutators.iter().all(needs_none)
}

fn target_options(args: &Args) -> TargetOptions {
    let tactics = match args.tactics.as_deref() {
        None => Tactics::Profile,
        Some("none") => Tactics::List(Vec::new()),
        Some("random") => Tactics::Random,
        Some(list) => {
            Tactics::List(list.split(';').map(str::trim).filter(|t| !t.is_empty()).map(str::to_string).collect())
        }
    };
    let assignment = args.assignment.map(Assignment::word);
    let options = [
        ("max-depth", args.max_depth.map(|n| n.to_string())),
        ("max-asserts", args.max_asserts.map(|n| n.to_string())),
        ("assignment", assignment.map(str::to_string)),
    ];
    let mut parameters: Vec<(String, String)> =
        options.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect();
    parameters.extend(args.settings.iter().cloned());
    if !args.theory.is_empty() {
        parameters.push(("theory".to_string(), args.theory.join(",")));
    }
    TargetOptions {
        mutators: mutators(args),
        logics: args.logic.clone(),
        truth: match args.truth {
            // What the mutators do anyway.
            TruthArg::Certified => None,
            TruthArg::Differential => Some(TruthMode::Differential),
            TruthArg::Both => Some(TruthMode::Both),
        },
        incremental: match args.incremental {
            Switch::On => Incremental::On,
            Switch::Off => Incremental::Off,
            Switch::Auto => Incremental::Auto,
        },
        tactics,
        parameters,
    }
}
