//! The source of a worker's units, which takes what comes of them: the campaign of this process, or one on another machine.

use crate::schedule::unit::{UnitPlan, UnitReport};
use crate::seeds::models::ModelKey;
use crate::seeds::partner::PartnerLabel;
use crate::seeds::quarantine::Quarantined;
use crate::state::event::CampaignEvent;
use crate::state::finding_index::{GroupKey, HitWorth};
use finding::folder::SentFile;
use finding::{Finding, FindingKind};

/// The other side of a worker. Workers call it from their threads.
pub(crate) trait WorkSource: Sync {
    /// The next unit, waited for if need be. None when there is nothing left to do.
    fn next(&self) -> Option<UnitPlan>;

    /// What confirming a hit of this size would bring; one that brings nothing is counted.
    fn worth(&self, key: &GroupKey, bytes: usize) -> HitWorth;

    /// Whether a hit of this kind is worth its confirmation as the first of its group; one that is not is counted.
    fn is_wanted(&self, _key: &GroupKey, _kind: &FindingKind) -> bool {
        true
    }

    /// Whether another `unknown` of the solver at this position is unlikely to tell anything new.
    fn gives_up_often(&self, target: usize) -> bool;

    /// A hit that could not be confirmed, with what is told of it.
    fn unconfirmed(&self, key: &GroupKey, event: Option<CampaignEvent>);

    /// A confirmed finding, and its files beside the record.
    fn found(&self, key: &GroupKey, finding: &Finding, files: &[SentFile<'_>]);

    /// Whether a seed of these bytes has a label that is refuted.
    fn is_quarantined(&self, _sha256: &str) -> bool {
        false
    }

    /// A seed's label is refuted; `script` is what was sent.
    fn quarantine(&self, _entry: Quarantined, _script: &str) {}

    /// A seed's logic and statuses became known.
    fn labelled(&self, _seed: usize, _label: &PartnerLabel) {}

    /// A solver was asked for a model of a seed; none if it gave none.
    fn modelled(&self, _key: ModelKey, _model: Option<&str>) {}

    /// What came of a unit.
    fn done(&self, report: UnitReport);
}
