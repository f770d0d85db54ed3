//! Checkpoints: write a campaign's state to its store and read it back, with a queue of pending changes.

use crate::config::Config;
use crate::findings::OutDir;
use crate::persist::CampaignError;
#[cfg(feature = "store")]
use crate::persist::store::{CampaignStore, Opened, StoreError};
use crate::persist::stored_findings::{self, StoredFinding};
use crate::persist::{Past, SpentTime, StateUpdate};
use crate::state::event::{CampaignEvent, CampaignWatch};
use crate::state::finding_index::{GroupKey, KnownGroup};
use crate::state::{Delta, Remembered};

/// The name of the store in the campaign's folder.
pub const STORE: &str = "campaign.db";

/// Writes the state of a campaign to its store. Without the feature `store`, only the findings outlive the process.
pub(crate) struct Checkpointer {
    #[cfg(feature = "store")]
    store: CampaignStore,
    waiting: Option<StateUpdate>,
}

/// Why the state could not be written.
#[cfg(feature = "store")]
pub(crate) type WriteError = StoreError;

/// Never exists: without a store nothing is written.
#[cfg(not(feature = "store"))]
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {}

#[cfg(not(feature = "store"))]
impl WriteError {
    pub(crate) fn is_full(&self) -> bool {
        match *self {}
    }
}

impl Checkpointer {
    /// Opens the store of a folder, and returns the known state. The existing findings are those on disk.
    pub(crate) fn open(
        out: &OutDir,
        config: &Config,
        seeds: &[String],
        targets: &[String],
        watch: &dyn CampaignWatch,
    ) -> Result<(Checkpointer, Past), CampaignError> {
        let stored = stored_findings::read(out, seeds, targets);
        if let Some(example) = stored.unreadable.first() {
            let message = format!(
                "{} in findings/ cannot be read as findings of this campaign and are ignored, such as '{example}'",
                stored.unreadable.len()
            );
            watch.event(&CampaignEvent::Trouble { message });
        }
        Checkpointer::open_store(out, config, targets, stored.findings, watch)
    }

    #[cfg(not(feature = "store"))]
    fn open_store(
        _out: &OutDir,
        config: &Config,
        _targets: &[String],
        findings: Vec<StoredFinding>,
        _watch: &dyn CampaignWatch,
    ) -> Result<(Checkpointer, Past), CampaignError> {
        let past = Past { remembered: after(&findings, config), findings, ..Past::default() };
        Ok((Checkpointer { waiting: None }, past))
    }

    #[cfg(feature = "store")]
    fn open_store(
        out: &OutDir,
        config: &Config,
        targets: &[String],
        findings: Vec<StoredFinding>,
        watch: &dyn CampaignWatch,
    ) -> Result<(Checkpointer, Past), CampaignError> {
        let path = out.root().join(STORE);
        let (mut store, damage) = match CampaignStore::open(&path)? {
            Opened::Whole(store) => (store, None),
            Opened::Damaged { store, aside, cause } => {
                (store, Some(format!("'{}' is damaged ({cause}) and was put aside as '{aside}'", path.display())))
            }
        };
        store.name_solvers(targets)?;
        store.name_seeds(config.seeds.iter().map(corpus::seed::SeedSource::name))?;
        let mut past = store.past()?;
        past.findings = findings;
        // A campaign that was killed in its first units also has findings that its store lacks.
        let lost = store.is_new()? && !past.findings.is_empty();
        if damage.is_some() || lost {
            past.remembered = after(&past.findings, config);
            let cause = damage.unwrap_or_else(|| format!("'{}' knows nothing of the findings here", path.display()));
            let (n, mark) = (past.findings.len(), config.shard.number(past.remembered.watermark));
            let message = format!(
                "{cause}; it is rebuilt from {n} findings, counts start at zero, and work continues at unit {mark}"
            );
            watch.event(&CampaignEvent::Trouble { message });
            let mut checkpointer = Checkpointer { store, waiting: None };
            let delta = Delta { watermark: past.remembered.watermark, ..Delta::default() };
            checkpointer.add(Some(delta), past.index().take_changed());
            checkpointer.write(SpentTime::default())?;
            checkpointer.store.greet()?;
            return Ok((checkpointer, past));
        }
        store.greet()?;
        Ok((Checkpointer { store, waiting: None }, past))
    }

    /// Adds pending changes.
    pub(crate) fn add(&mut self, delta: Option<Delta>, groups: Vec<(GroupKey, KnownGroup)>) {
        if delta.is_none() && groups.is_empty() || cfg!(not(feature = "store")) {
            return;
        }
        let waiting = self.waiting.get_or_insert_default();
        if let Some(delta) = delta {
            waiting.delta.extend(delta);
        }
        waiting.groups.extend(groups);
    }

    /// Writes the pending changes, in one transaction. After an error they are still pending.
    #[cfg(feature = "store")]
    pub(crate) fn write(&mut self, spent: SpentTime) -> Result<(), WriteError> {
        if let Some(batch) = &self.waiting {
            self.store.write(batch, spent)?;
            self.waiting = None;
        }
        Ok(())
    }

    /// Nothing is written without a store.
    #[cfg(not(feature = "store"))]
    pub(crate) fn write(&mut self, _spent: SpentTime) -> Result<(), WriteError> {
        Ok(())
    }
}

/// Reconstructs the state from findings alone: units continue after the last one with a finding, so no unit is done twice.
fn after(findings: &[StoredFinding], config: &Config) -> Remembered {
    let positions = findings.iter().filter_map(|finding| config.shard.position(finding.unit));
    Remembered { watermark: positions.max().map_or(0, |last| last + 1), ..Remembered::default() }
}
