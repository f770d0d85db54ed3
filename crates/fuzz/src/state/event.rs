//! The events of a campaign.

use crate::counts::error_texts::{ErrorText, UnmadeText};
use crate::counts::stats::Snapshot;
use crate::schedule::pairs::SchedulePass;
use crate::seeds::Quarantined;
use crate::state::finding_index::FindingCounts;
use finding::{AnswerVector, BugClass, CauseCount, FindingEvent};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An event. As JSON: one object with the member `event`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum CampaignEvent {
    /// The campaign begins.
    Started {
        /// The campaign's seed.
        seed: u64,
        /// The number of seed files; 0 where all problems are generated.
        seeds: usize,
        /// The solvers under test.
        solvers: Vec<String>,
        /// The name of each solver's profile.
        profiles: Vec<String>,
        /// The number of worker threads.
        jobs: usize,
        /// The output folder.
        out: String,
        /// The existing contents, if the campaign continues.
        #[serde(skip_serializing_if = "Option::is_none")]
        resumed: Option<Resumed>,
    },
    /// A solver is installed or found.
    Install {
        /// The solver as the user named it.
        solver: String,
        /// A description of the step.
        what: String,
    },
    /// A confirmed finding was recorded.
    Finding(Box<FindingEvent>),
    /// A finding was reduced; its reduced script is in its folder.
    Reduced {
        /// The finding's name.
        id: String,
        /// The size of its script in bytes, before and after.
        bytes: (usize, usize),
        /// Whether nothing smaller exists, as opposed to running out of time.
        finished: bool,
        /// The basis of the reduced script's truth, as text.
        truth: String,
        /// Who fails on it; empty for crashes, and if no solver could be asked.
        vector: AnswerVector,
    },
    /// A finding has a known cause: the solver is right about it without the trigger of that cause. It is not reduced.
    Matched {
        /// The finding's name.
        id: String,
        /// The reduced finding of that cause.
        of: String,
        /// The trigger that was removed: options, a tactic or operators.
        without: Vec<String>,
    },
    /// A finding could not be reduced; it stays as found.
    Unreduced {
        /// The finding's name.
        id: String,
        /// The reason.
        reason: String,
    },
    /// A reduced finding was bisected; the result is in its folder.
    Bisected {
        /// The finding's name.
        id: String,
        /// The failing versions, as text.
        versions: String,
    },
    /// A hit that is not recorded, and the reason.
    Unconfirmed {
        /// Its class.
        class: BugClass,
        /// The solver.
        solver: String,
        /// The seed; `None` for a generated problem.
        #[serde(skip_serializing_if = "Option::is_none")]
        seed: Option<String>,
        /// Why the hit is not a finding.
        reason: String,
    },
    /// A seed yields nothing, or generated problems yield nothing where the schedule planned some.
    SkippedSeed {
        /// The seed; `None` for generated problems.
        #[serde(skip_serializing_if = "Option::is_none")]
        seed: Option<String>,
        /// The solver for which it yields nothing; `None` if for all.
        solver: Option<String>,
        /// The reason.
        reason: String,
    },
    /// A seed's labelled status is wrong; it is not used further.
    Quarantined {
        /// The evidence.
        #[serde(flatten)]
        entry: Box<Quarantined>,
        /// The file that lists all of them.
        list: String,
    },
    /// A problem that needs the user's attention; the campaign continues or waits.
    Trouble {
        /// The problem and the remedy.
        message: String,
    },
    /// The status.
    Progress(Box<CampaignStatus>),
    /// The activity of the workers, and other live information.
    Detail(Box<Detail>),
    /// The campaign is over.
    Summary(Box<CampaignStatus>),
}

/// The earlier work of a campaign that continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Resumed {
    /// The number of units done.
    pub units: u64,
    /// The number of mutants sent.
    pub mutants: u64,
    /// The number of findings on disk.
    pub findings: usize,
}

/// The status of a campaign.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignStatus {
    /// Wall-clock seconds of all runs of the campaign.
    pub wall_s: f64,
    /// CPU seconds of this process and of the programs that it started.
    pub cpu_s: f64,
    /// CPU seconds of the solvers.
    pub solver_cpu_s: f64,
    /// The counts of work.
    #[serde(flatten)]
    pub counts: Snapshot,
    /// The counts of findings.
    #[serde(flatten)]
    pub tally: FindingCounts,
    /// The number of causes of the findings on disk; `None` until a [watch](CampaignWatch) that groups findings adds it.
    #[serde(flatten)]
    pub causes: Option<CauseCount>,
    /// The number of seeds that yielded nothing for at least one solver.
    pub skipped: usize,
    /// The number of quarantined seeds, in this campaign and earlier ones in its folder.
    pub quarantined: usize,
    /// The number of rejected messages from other machines.
    pub refused: u64,
    /// The solvers' most frequent messages in place of answers.
    pub error_texts: Vec<ErrorText>,
    /// The most frequent reasons for which mutants could not be made.
    pub unmade_texts: Vec<UnmadeText>,
}

/// Live information besides the counts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Detail {
    /// Whether the user paused new units.
    pub paused: bool,
    /// The activity of each worker of this process; `None` where it waits.
    pub workers: Vec<Option<Doing>>,
    /// Workers on other machines, by name.
    pub machines: Vec<RemoteWorker>,
    /// Answers of this run, by solver and answer.
    pub answers: BTreeMap<String, BTreeMap<String, u64>>,
    /// The pass over all pairs of seed and solver.
    pub pass: SchedulePass,
}

/// A worker on another machine, according to its last message.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RemoteWorker {
    /// Its name: host and process.
    pub name: String,
    /// The number of its threads.
    pub jobs: usize,
    /// The number of busy threads.
    pub busy: usize,
    /// The number of units that it did.
    pub units: u64,
    /// The number of mutants sent in them.
    pub mutants: u64,
    /// Seconds since its last message.
    pub seen_s: f64,
}

/// A unit in progress.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Doing {
    /// Its number.
    pub unit: u64,
    /// The seed's name; `None` while it makes generated problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The seed's position in the campaign.
    pub position: usize,
    /// The solver.
    pub solver: String,
    /// The mutator, once one is chosen.
    pub mutator: Option<String>,
    /// The number of mutants sent so far.
    pub mutants: u64,
    /// Seconds since its start.
    pub seconds: f64,
}

/// Observes a campaign. Workers call it from their threads.
pub trait CampaignWatch: Sync {
    /// Called for each event.
    fn event(&self, event: &CampaignEvent);

    /// Called when all units are done, before the summary: waits for other work whose time counts.
    fn settle(&self) {}

    /// Called often with the reduction in progress, or `None` when there is none, for display only.
    fn reducing(&self, now: Option<&ReductionNow<'_>>) {
        let _ = now;
    }
}

/// A reduction in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReductionNow<'a> {
    /// The finding.
    pub id: &'a str,
    /// The size of its script in bytes, original and current.
    pub bytes: (usize, usize),
}
