//! The source of a worker's units, which receives their results: the campaign of this process, or one on another machine.

use crate::schedule::unit::{UnitPlan, UnitReport};
use crate::seeds::Quarantined;
use crate::seeds::models::ModelKey;
use crate::seeds::partner::PartnerLabel;
use crate::state::event::CampaignEvent;
use crate::state::finding_index::{GroupKey, HitWorth};
use finding::folder::SentFile;
use finding::{Finding, FindingKind};

/// The interface of a worker to its campaign. Workers call it from their threads.
pub(crate) trait WorkSource: Sync {
    /// Waits for the next unit. `None` when there is no more work.
    fn next(&self) -> Option<UnitPlan>;

    /// Returns the value of confirming a hit of this size; one without value is counted.
    fn worth(&self, key: &GroupKey, bytes: usize) -> HitWorth;

    /// Whether a hit of this kind is worth confirming as the first of its group; otherwise it is counted.
    fn is_wanted(&self, _key: &GroupKey, _kind: &FindingKind) -> bool {
        true
    }

    /// Whether another `unknown` of the solver at this position is unlikely to show anything new.
    fn gives_up_often(&self, target: usize) -> bool;

    /// Reports a hit that could not be confirmed, with an event.
    fn unconfirmed(&self, key: &GroupKey, event: Option<CampaignEvent>);

    /// Reports a confirmed finding, and its files besides the record.
    fn found(&self, key: &GroupKey, finding: &Finding, files: &[SentFile<'_>]);

    /// Whether a seed of these bytes has a refuted label.
    fn is_quarantined(&self, _sha256: &str) -> bool {
        false
    }

    /// Reports a seed's refuted label; `script` is the text that was sent.
    fn quarantine(&self, _entry: Quarantined, _script: &str) {}

    /// Reports a seed's logic and statuses.
    fn labelled(&self, _seed: usize, _label: &PartnerLabel) {}

    /// Reports the answer to a request for a seed's model, if there is one.
    fn modelled(&self, _key: ModelKey, _model: Option<&str>) {}

    /// Reports the results of a unit.
    fn done(&self, report: UnitReport);
}
