//! What a campaign is about, and when it ends.

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

/// What a campaign is about.
pub struct Config {
    /// The seeds, at least one.
    pub seeds: Vec<SeedSource>,
    /// How its mutants are made and asked.
    pub mutants: MutantOptions,
    /// Worker threads, at least 1.
    pub jobs: usize,
    /// When it ends by itself.
    pub budget: CampaignBudget,
    /// What one run of a solver may use.
    pub limits: ProcessLimits,
    /// Whether solvers are asked for models of seeds.
    pub wants_models: bool,
    /// The most mutants that share a process of a solver that can be reset, at least 1; how many do depends on what starting
    /// it costs. No mutant depends on it.
    pub per_process: usize,
    /// Whether scripts that relate to answered ones are asked, too.
    pub relations: bool,
    /// A folder that every mutant is written to before it is sent.
    pub keep_mutants: Option<PathBuf>,
    /// How often the watcher is told how things stand.
    pub progress_every: Duration,
    /// What new causes are worth to a schedule that learns.
    pub reward: Arc<dyn CauseReward>,
    /// Which build of this program runs it.
    pub build: Build,
    /// The part of the units that this process does.
    pub shard: Shard,
    /// What else decides which mutants are made, by the names the user knows it by: a folder's campaign only goes on with the same.
    pub identity: BTreeMap<String, String>,
    /// What the caller wants kept in `campaign.json`, to go on by.
    pub note: serde_json::Value,
}

/// How the mutants of a campaign are made and asked, as options of the command line. To add one: a field here, and its use.
///
/// All of it is part of the campaign's [`identity`]. [`MutantOptions::default`] asks for nothing; it is not what the command line begins with.
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
    /// Percentage of mutants that are written in other words: definitions, names, `let`, assumptions, levels, order, or each check
    /// from the beginning.
    #[arg(long, value_name = "SHARE", default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=100))]
    pub reworded: u32,
    /// Options of the solvers: their defaults, or valid combinations drawn from their profiles in half of the units: of
    /// documented options, or of experimental ones, too. Without this, documented ones where a profile lists any.
    #[arg(long, value_enum)]
    #[serde(serialize_with = "as_drawn")]
    pub options: Option<SolverOptions>,
    /// Whether proofs are asked of mutants that are answered unsat, and judged (class P): all of them, as many as a fifth of the
    /// CPU time allows, or none. Holes count in modes that promise none.
    #[arg(long, value_enum, default_value_t)]
    #[serde(skip_serializing_if = "is_default")]
    pub proofs: ProofQuestions,
    /// Record mutants of easy seeds that take 100 times the CPU time of another release of the solver in this campaign, or of one of its
    /// profile's `switches` (class S).
    #[arg(long)]
    pub slow: bool,
}

/// Of which mutants answered `unsat` a proof is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofQuestions {
    /// Of as many as the share of extra questions allows, and of all in a mode that promises proofs.
    #[default]
    Auto,
    /// Of all.
    On,
    /// Of none.
    Off,
}

/// Which options of a solver are drawn for a unit of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SolverOptions {
    /// What the solver does by itself.
    Default,
    /// Drawn for a unit of work among those that it documents.
    Random,
    /// Drawn for a unit of work, also among those that it calls experimental.
    Experimental,
}

impl MutantOptions {
    /// Which options are drawn: documented ones where nothing else is asked for.
    pub fn options(&self) -> SolverOptions {
        self.options.unwrap_or(SolverOptions::Random)
    }
}

impl SolverOptions {
    /// The highest grade that is drawn.
    pub fn grade(self) -> OptionGrade {
        match self {
            SolverOptions::Default => OptionGrade::Default,
            SolverOptions::Random => OptionGrade::Documented,
            SolverOptions::Experimental => OptionGrade::Experimental,
        }
    }

    /// How many units of 100 draw any.
    pub(crate) fn percent(self) -> u32 {
        if self == SolverOptions::Default { 0 } else { 50 }
    }
}

/// Options by their names on the command line, with their values as text: what says so of a campaign which mutants it makes. Left out are
/// flags and lists that nobody gave; of a list, a pair is written `NAME=VALUE`.
pub fn identity(options: &impl Serialize) -> BTreeMap<String, String> {
    let Ok(Value::Object(fields)) = serde_json::to_value(options) else { return BTreeMap::new() };
    let is_given = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    let fields = fields.into_iter().filter(|(_, value)| is_given(value));
    fields.map(|(name, value)| (format!("--{name}"), words(&value, ", "))).collect()
}

fn words(value: &Value, between: &str) -> String {
    match value {
        Value::Bool(true) => "on".to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(|item| words(item, "=")).collect::<Vec<_>>().join(between),
        other => other.to_string(),
    }
}

/// For fields that say nothing of a campaign's identity while they are as ever.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn as_drawn<S: Serializer>(options: &Option<SolverOptions>, serializer: S) -> Result<S::Ok, S::Error> {
    let drawn = options.unwrap_or(SolverOptions::Random);
    Some(drawn).filter(|drawn| *drawn != SolverOptions::Default).serialize(serializer)
}

/// When a campaign ends by itself; with none of these it goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CampaignBudget {
    /// Wall-clock time of this run.
    pub time: Option<Duration>,
    /// CPU time of this run, that of solvers included; reductions beside the campaign are not.
    pub cpu: Option<Duration>,
    /// Mutants sent, those of earlier runs of the campaign included.
    pub mutants: Option<u64>,
    /// Units: none has this number or a later one.
    pub units: Option<u64>,
    /// The first finding of this class, or of a more important one, that shows each time.
    pub found: Option<BugClass>,
}

impl CampaignBudget {
    /// Whether a confirmed finding of this class ends the campaign.
    pub(crate) fn is_met_by(&self, class: BugClass) -> bool {
        self.found.is_some_and(|wanted| class <= wanted)
    }
}
