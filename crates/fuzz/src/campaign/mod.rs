//! A campaign: seeds and solvers in, worker threads, findings out.

pub(crate) mod coordinator;

use crate::campaign::coordinator::Coordinator;
use crate::config::Config;
use crate::counts::stats::Counters;
use crate::findings::OutDir;
use crate::persist::CampaignError;
use crate::seeds::models::Models;
use crate::seeds::partner::Labels;
use crate::state::event::{CampaignEvent, CampaignStatus, CampaignWatch};
use crate::sync::Stops;
use crate::under_test::Target;
use crate::worker::context::CampaignContext;
use crate::worker::extra_share::ExtraShare;
use crate::worker::limit_share::LimitShare;
use crate::worker::pool;
use crate::worker::sample::{MutantSample, SampledMutant};
use std::time::{Duration, Instant};

/// The interval between two writes of the history.
pub(crate) const HISTORY_EVERY: Duration = Duration::from_secs(10);

/// The end of a campaign.
#[derive(Debug)]
pub struct Ended {
    /// The final status.
    pub standing: CampaignStatus,
    /// The error that ended it early, if any.
    pub failure: Option<CampaignError>,
    /// A uniform sample of the mutants of this run, as large as [`Config::sample`] says.
    pub sample: Vec<SampledMutant>,
}

/// Runs a campaign to its end: its budget, `stops.user`, or no more work. Findings go to `out`; an existing campaign there is continued.
/// Errors: the folder cannot be used, or holds another campaign; nothing was begun then.
pub fn run(
    config: &Config,
    out: OutDir,
    targets: &[Target],
    reference: Option<&Target>,
    stops: &Stops,
    watch: &dyn CampaignWatch,
) -> Result<Ended, CampaignError> {
    let coordinator = Coordinator::open(config, out, targets, stops, watch)?;
    let campaign = CampaignContext {
        config,
        targets,
        reference,
        models: Models::default(),
        labels: Labels::new(config.seeds.len()),
        control: &coordinator.control,
        source: &coordinator,
        extra: ExtraShare::default(),
        limit_share: LimitShare::default(),
        sample: MutantSample::new(config.sample),
    };
    coordinator.restore(&campaign);
    let mut history = coordinator.history();
    coordinator.announce();
    let counters: Vec<Counters> = (0..config.jobs.max(1)).map(|_| Counters::default()).collect();
    let (mut told, mut ticks) = (Instant::now(), 0);
    pool::work(&campaign, &counters, || {
        coordinator.heed(&counters);
        coordinator.commit();
        if coordinator.control.elapsed() >= HISTORY_EVERY * ticks {
            coordinator.write_history(&mut history, Some(ticks.into()), &counters);
            ticks += 1;
        }
        if told.elapsed() >= config.progress_every {
            told = Instant::now();
            watch.event(&CampaignEvent::Progress(Box::new(coordinator.standing(&counters))));
            watch.event(&CampaignEvent::Detail(Box::new(coordinator.detail(&counters))));
        }
    });
    coordinator.commit();
    watch.settle();
    coordinator.write_history(&mut history, None, &[]);
    let standing = coordinator.standing(&[]);
    watch.event(&CampaignEvent::Summary(Box::new(standing.clone())));
    Ok(Ended { standing, failure: coordinator.control.failure(), sample: campaign.sample.take() })
}
