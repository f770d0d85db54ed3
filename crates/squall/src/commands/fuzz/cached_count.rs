//! The number of causes in the folder of a running campaign.

use ::fuzz::CampaignEvent;
use finding::CauseCount;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use triage::folder::CampaignFindings;

/// The folder of a running campaign is read again only after this many times the time that reading it took.
const REST: u32 = 20;

/// Counts the causes of a campaign's findings as `squall report --list` does, and caches the number.
#[derive(Debug, Default)]
pub struct CachedCount {
    out: PathBuf,
    count: CauseCount,
    is_stale: bool,
    not_before: Option<Instant>,
}

impl CachedCount {
    /// Returns the event with the count if it is a progress event; `None` for others.
    pub fn complete(&mut self, event: &CampaignEvent) -> Option<CampaignEvent> {
        match event {
            CampaignEvent::Started { out, .. } => (self.out, self.is_stale) = (PathBuf::from(out), true),
            CampaignEvent::Finding(_)
            | CampaignEvent::Reduced { .. }
            | CampaignEvent::Matched { .. }
            | CampaignEvent::Bisected { .. } => {
                self.is_stale = true;
            }
            CampaignEvent::Progress(standing) => {
                let mut standing = standing.clone();
                standing.causes = self.read(false);
                return Some(CampaignEvent::Progress(standing));
            }
            CampaignEvent::Summary(standing) => {
                let mut standing = standing.clone();
                standing.causes = self.read(true);
                return Some(CampaignEvent::Summary(standing));
            }
            _ => {}
        }
        None
    }

    fn read(&mut self, is_end: bool) -> Option<CauseCount> {
        let began = Instant::now();
        if is_end || (self.is_stale && self.not_before.is_none_or(|at| at <= began)) {
            // If the folder cannot be read now, the last count stays.
            if let Ok(found) = CampaignFindings::load(&self.out) {
                (self.count, self.is_stale) = (found.count(), false);
            }
            let took: Duration = began.elapsed();
            self.not_before = Some(Instant::now() + took * REST);
        }
        Some(self.count)
    }
}
