//! What a campaign is about, and when it ends.

use crate::schedule::SchedulePolicy;
use crate::schedule::completed::Shard;
use corpus::seed::SeedSource;
use finding::{BugClass, Build, CauseReward, OptionGrade};
use solver::process::ProcessLimits;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What a campaign is about.
pub struct Config {
    /// The seeds, at least one.
    pub seeds: Vec<SeedSource>,
    /// The campaign's seed: the same gives the same mutants.
    pub seed: u64,
    /// Worker threads, at least 1.
    pub jobs: usize,
    /// When it ends by itself.
    pub budget: CampaignBudget,
    /// What one run of a solver may use.
    pub limits: ProcessLimits,
    /// Whether solvers are asked for models of seeds.
    pub wants_models: bool,
    /// Percentage of units in which the models of mutants are checked, at most 100.
    pub judged_models: u32,
    /// Percentage of mutants that are written in other words, at most 100.
    pub reworded: u32,
    /// Whether mutants of easy seeds that take far longer than in another release or mode are findings.
    pub slow: bool,
    /// The most mutants that share a process of a solver that can be reset, at least 1; how many do depends on what starting
    /// it costs. No mutant depends on it.
    pub per_process: usize,
    /// How many units of 100 draw options for the solver, at most 100.
    pub drawn_options: u32,
    /// The highest grade of options that are drawn.
    pub option_grade: OptionGrade,
    /// A folder that every mutant is written to before it is sent.
    pub keep_mutants: Option<PathBuf>,
    /// How often the watcher is told how things stand.
    pub progress_every: Duration,
    /// How units are chosen.
    pub schedule: SchedulePolicy,
    /// What new causes are worth to a schedule that learns.
    pub reward: Arc<dyn CauseReward>,
    /// Which build of this program runs it.
    pub build: Build,
    /// The part of the units that this process does.
    pub shard: Shard,
    /// What decides which mutants are made, by the names the user knows it by: a folder's campaign only goes on with the same.
    pub identity: BTreeMap<String, String>,
    /// What the caller wants kept in `campaign.json`, to go on by.
    pub note: serde_json::Value,
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
