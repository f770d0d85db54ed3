//! The configuration of a campaign.

use crate::schedule::SchedulePolicy;
use crate::schedule::completed::Shard;
use clap::ValueEnum;
use corpus::seed::SeedSource;
use finding::{BugClass, Build, CauseReward, OptionGrade};
use serde::{Serialize, Serializer};
use serde_json::Value;
use solver::process::ProcessLimits;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The configuration of a campaign.
pub struct Config {
    /// The seeds, at least one.
    pub seeds: Vec<SeedSource>,
    /// How its mutants are made and asked.
    pub mutants: MutantOptions,
    /// The number of worker threads, at least 1.
    pub jobs: usize,
    /// When it ends by itself.
    pub budget: CampaignBudget,
    /// The limits of one solver run.
    pub limits: ProcessLimits,
    /// Whether solvers are asked for models of seeds.
    pub wants_models: bool,
    /// The maximum number of mutants per process of a solver that can be reset, at least 1; the actual number depends on the start time.
    /// It does not affect the mutants.
    pub per_process: usize,
    /// Whether scripts that relate to answered ones are asked, too.
    pub relations: bool,
    /// A folder to which every mutant is written before it is sent.
    pub keep_mutants: Option<PathBuf>,
    /// The maximum number of mutants in the sample that a run returns.
    pub sample: usize,
    /// The interval between status events.
    pub progress_every: Duration,
    /// The worth of new causes for a learning schedule.
    pub reward: Arc<dyn CauseReward>,
    /// The build that runs it.
    pub build: Build,
    /// The part of the units that this process does.
    pub shard: Shard,
    /// Other settings that affect the mutants, by their user-visible names: a folder's campaign only continues with the same ones.
    pub identity: BTreeMap<String, String>,
    /// The caller's data to keep in `campaign.json`, needed to continue.
    pub note: serde_json::Value,
}

/// How the mutants of a campaign are made and asked, as command-line options. To add one: add a field here, and its use.
///
/// All of it is part of the campaign's [`identity`]. [`MutantOptions::default`] requests nothing; it differs from the command line's
/// defaults.
#[derive(clap::Args, Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct MutantOptions {
    /// The campaign's seed; the same seed gives the same mutants.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Scheduling policy for units of work.
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip_serializing_if = "is_default")]
    pub schedule: SchedulePolicy,
    /// Percentage of units in which the models of mutants are checked.
    #[arg(long, value_name = "SHARE", default_value_t = 25, value_parser = clap::value_parser!(u32).range(..=100))]
    pub models: u32,
    /// Percentage of mutants that are rephrased: definitions, names, `let`, assumptions, levels, order, or each check from the beginning.
    #[arg(long, value_name = "SHARE", default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=100))]
    pub reworded: u32,
    /// Options of the solvers: their defaults, or valid combinations drawn from their profiles in half of the units: of documented
    /// options, or of experimental ones, too. Without this, documented ones if a profile lists any.
    #[arg(long, value_enum)]
    #[serde(serialize_with = "as_drawn")]
    pub options: Option<SolverOptions>,
    /// Whether proofs of mutants answered unsat are requested and judged (class P): all of them, as many as fit in a fifth of the CPU
    /// time, or none. Holes count in modes that promise none.
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip_serializing_if = "is_default")]
    pub proofs: ProofQuestions,
    /// Record mutants of easy seeds that take 100 times the CPU time of another release of the solver in this campaign, or of one of its
    /// profile's `switches` (class S).
    #[arg(long)]
    pub slow: bool,
}

/// Which mutants answered `unsat` are asked for a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofQuestions {
    /// As many as the share of extra questions allows, and all in a mode that promises proofs.
    #[default]
    Auto,
    /// All.
    On,
    /// None.
    Off,
}

/// Which options of a solver are drawn for a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SolverOptions {
    /// The solver's defaults.
    Default,
    /// Drawn per unit from the documented options.
    Random,
    /// Drawn per unit, including experimental options.
    Experimental,
}

impl MutantOptions {
    /// Returns which options are drawn: documented ones by default.
    pub fn options(&self) -> SolverOptions {
        self.options.unwrap_or(SolverOptions::Random)
    }
}

impl SolverOptions {
    /// Returns the highest grade that is drawn.
    pub fn grade(self) -> OptionGrade {
        match self {
            SolverOptions::Default => OptionGrade::Default,
            SolverOptions::Random => OptionGrade::Documented,
            SolverOptions::Experimental => OptionGrade::Experimental,
        }
    }

    /// Returns the percentage of units that draw options.
    pub(crate) fn percent(self) -> u32 {
        if self == SolverOptions::Default { 0 } else { 50 }
    }
}

/// Returns options by their command-line names, with their values as text: these identify the mutants of a campaign. Flags and lists that
/// were not given are left out; a pair in a list is written `NAME=VALUE`.
pub fn identity(options: &impl Serialize) -> BTreeMap<String, String> {
    let Ok(Value::Object(fields)) = serde_json::to_value(options) else { return BTreeMap::new() };
    let is_given = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    let fields = fields.into_iter().filter(|(_, value)| is_given(value));
    fields.map(|(name, value)| (format!("--{name}"), describe(&value, ", "))).collect()
}

fn describe(value: &Value, between: &str) -> String {
    match value {
        Value::Bool(true) => "on".to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(|item| describe(item, "=")).collect::<Vec<_>>().join(between),
        other => other.to_string(),
    }
}

/// Skips fields with their default value, which do not affect a campaign's identity.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn as_drawn<S: Serializer>(options: &Option<SolverOptions>, serializer: S) -> Result<S::Ok, S::Error> {
    let drawn = options.unwrap_or(SolverOptions::Random);
    Some(drawn).filter(|drawn| *drawn != SolverOptions::Default).serialize(serializer)
}

/// When a campaign ends by itself; with none of these it continues until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CampaignBudget {
    /// Wall-clock time of this run.
    pub time: Option<Duration>,
    /// CPU time of this run, including solvers, but not parallel reductions.
    pub cpu: Option<Duration>,
    /// The number of mutants sent, including earlier runs of the campaign.
    pub mutants: Option<u64>,
    /// The end of the unit numbers.
    pub units: Option<u64>,
    /// The first reliable finding of this class, or of a more important one.
    pub found: Option<BugClass>,
}

impl CampaignBudget {
    /// Whether a confirmed finding of this class ends the campaign.
    pub(crate) fn is_met_by(&self, class: BugClass) -> bool {
        self.found.is_some_and(|wanted| class <= wanted)
    }
}
