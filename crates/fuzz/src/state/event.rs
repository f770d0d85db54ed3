//! The events of a campaign.

use crate::counts::error_texts::ErrorText;
use crate::counts::stats::Snapshot;
use crate::schedule::pairs::SchedulePass;
use crate::seeds::quarantine::Quarantined;
use crate::state::finding_index::FindingCounts;
use finding::{AnswerVector, BugClass, CauseCount, FindingEvent};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One thing that happened. As JSON: one object with the member `event`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum CampaignEvent {
    /// The campaign begins.
    Started {
        /// The campaign's seed.
        seed: u64,
        /// How many seed files there are; 0 where all problems are generated.
        seeds: usize,
        /// The solvers under test.
        solvers: Vec<String>,
        /// The name of each one's profile.
        profiles: Vec<String>,
        /// The worker threads.
        jobs: usize,
        /// The folder written to.
        out: String,
        /// What was there already, if the campaign goes on.
        #[serde(skip_serializing_if = "Option::is_none")]
        resumed: Option<Resumed>,
    },
    /// A solver is fetched or found.
    Install {
        /// The solver as the user named it.
        solver: String,
        /// What happens, in words.
        what: String,
    },
    /// A confirmed finding was recorded.
    Finding(Box<FindingEvent>),
    /// A finding was reduced; its reduced script lies beside it.
    Reduced {
        /// The finding's name.
        id: String,
        /// The size of its script in bytes, before and after.
        bytes: (usize, usize),
        /// Whether nothing smaller was found, and not the time up.
        finished: bool,
        /// How the truth of the reduced script stands, in words.
        truth: String,
        /// Who errs on it; empty for crashes, and where nobody could be asked.
        vector: AnswerVector,
    },
    /// A finding is of a known cause: without what shows that, the solver is right about it. It is not reduced.
    Matched {
        /// The finding's name.
        id: String,
        /// The reduced finding of that cause.
        of: String,
        /// Without what: options, a tactic or operators.
        without: Vec<String>,
    },
    /// A finding could not be reduced; it stays as it was found.
    Unreduced {
        /// The finding's name.
        id: String,
        /// Why.
        reason: String,
    },
    /// A reduced finding was bisected; what came of it lies beside it.
    Bisected {
        /// The finding's name.
        id: String,
        /// The versions that err, in words.
        versions: String,
    },
    /// A hit that is not recorded, and why.
    Unconfirmed {
        /// Its class.
        class: BugClass,
        /// The solver.
        solver: String,
        /// The seed; `None` for a generated problem.
        #[serde(skip_serializing_if = "Option::is_none")]
        seed: Option<String>,
        /// Why it is no finding.
        reason: String,
    },
    /// A seed gives nothing, or generated problems give nothing where the schedule had a place for some.
    SkippedSeed {
        /// The seed; `None` for generated problems.
        #[serde(skip_serializing_if = "Option::is_none")]
        seed: Option<String>,
        /// The solver it gives nothing for; none if for no solver.
        solver: Option<String>,
        /// Why.
        reason: String,
    },
    /// A seed's labelled status is wrong; it is used no further.
    Quarantined {
        /// What is known of it.
        #[serde(flatten)]
        entry: Box<Quarantined>,
        /// The file that lists all of them.
        list: String,
    },
    /// Something that needs the user's attention; the campaign goes on or waits.
    Trouble {
        /// What it is and what to do.
        message: String,
    },
    /// How things stand.
    Progress(Box<CampaignStatus>),
    /// What the workers are at, and what else is worth a look while a campaign runs.
    Detail(Box<Detail>),
    /// The campaign is over.
    Summary(Box<CampaignStatus>),
}

/// What a campaign that goes on has behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Resumed {
    /// Units done.
    pub units: u64,
    /// Mutants sent.
    pub mutants: u64,
    /// Findings on disk.
    pub findings: usize,
}

/// How a campaign stands.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignStatus {
    /// Wall-clock seconds of all runs of the campaign.
    pub wall_s: f64,
    /// CPU seconds of this process and of the solvers.
    pub cpu_s: f64,
    /// CPU seconds of the solvers.
    pub solver_cpu_s: f64,
    /// The counts of work.
    #[serde(flatten)]
    pub counts: Snapshot,
    /// The counts of findings.
    #[serde(flatten)]
    pub tally: FindingCounts,
    /// The causes of the findings on disk; `None` until a [watch](CampaignWatch) that groups findings adds it.
    #[serde(flatten)]
    pub causes: Option<CauseCount>,
    /// Seeds that gave nothing, for at least one solver.
    pub skipped: usize,
    /// Seeds whose labelled status is wrong, in this campaign and those before it in its folder.
    pub quarantined: usize,
    /// Messages from other machines that were not used, since they were not what they should be.
    pub refused: u64,
    /// What solvers said in place of answers in this run, the most frequent first, a few.
    pub error_texts: Vec<ErrorText>,
}

/// What is worth a look while a campaign runs, beside its counts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Detail {
    /// Whether the user lets new units wait.
    pub paused: bool,
    /// What each worker of this process is at; none where it waits.
    pub workers: Vec<Option<Doing>>,
    /// Workers on other machines, by name.
    pub machines: Vec<RemoteWorker>,
    /// Answers of this run, by solver and word.
    pub answers: BTreeMap<String, BTreeMap<String, u64>>,
    /// The pass over all pairs of seed and solver.
    pub pass: SchedulePass,
}

/// A worker on another machine, as it told of itself last.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RemoteWorker {
    /// Its name: host and process.
    pub name: String,
    /// Its threads.
    pub jobs: usize,
    /// Those at a unit.
    pub busy: usize,
    /// Units it did.
    pub units: u64,
    /// Mutants it sent in them.
    pub mutants: u64,
    /// Seconds since it was last heard of.
    pub seen_s: f64,
}

/// A unit under way.
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
    /// Mutants sent so far.
    pub mutants: u64,
    /// Seconds since it began.
    pub seconds: f64,
}

/// Watches a campaign. Workers call it from their threads.
pub trait CampaignWatch: Sync {
    /// Something happened.
    fn event(&self, event: &CampaignEvent);

    /// What is being reduced now, or that nothing is any more. It is told often, for display alone.
    fn reducing(&self, now: Option<&ReductionNow<'_>>) {
        let _ = now;
    }
}

/// A reduction under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReductionNow<'a> {
    /// The finding.
    pub id: &'a str,
    /// The size of its script in bytes, as it was found and now.
    pub bytes: (usize, usize),
}
