//! The work of a worker comes from the campaign's streams, and its results go there.

use super::super::client::ALIVE_EVERY;
use super::super::parts::{self, PART};
use super::super::wire::{self, Heartbeat, WorkerMessage};
use super::{InHand, NatsWorkSource, RETRY};
use crate::counts::stats::{Counters, Snapshot};
use crate::schedule::unit::{UnitPlan, UnitReport};
use crate::seeds::Quarantined;
use crate::state::event::CampaignEvent;
use crate::state::finding_index::{GroupKey, HitWorth};
use crate::sync::lock;
use crate::worker::work_source::WorkSource;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use finding::Finding;
use finding::folder::SentFile;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl NatsWorkSource<'_> {
    /// Publishes a heartbeat of this worker.
    pub(super) fn heartbeat(&self, name: &str, counters: &[Counters]) {
        let done = *lock(&self.totals);
        let heartbeat = Heartbeat {
            worker: name.to_string(),
            jobs: counters.len(),
            busy: counters.iter().filter(|counters| counters.status.unit().is_some()).count(),
            units: done.units,
            mutants: done.mutants,
        };
        let text = wire::write(&self.joined.id, heartbeat);
        // A lost heartbeat is followed by others.
        let publish = self.joined.client.publish(self.names.heartbeat.clone(), text.into());
        let _ = self.joined.runtime.block_on(async { tokio::time::timeout(RETRY, publish).await });
    }

    /// Keeps a unit's message, with heartbeats while the unit is in progress.
    pub(super) fn hold(&self, plan: &UnitPlan, message: Message) {
        let acker = Arc::new(message.split().1);
        let heartbeat = Arc::clone(&acker);
        let alive = self.joined.runtime.spawn(async move {
            loop {
                tokio::time::sleep(ALIVE_EVERY).await;
                // A lost heartbeat is followed by others.
                let _ = heartbeat.ack_with(AckKind::Progress).await;
            }
        });
        if let Some(before) = lock(&self.in_hand).insert(plan.number, InHand { acker, alive }) {
            before.alive.abort();
        }
    }

    /// Sends an outcome until the server has stored it, however long that takes; returns false if the user stops meanwhile.
    fn send(&self, outcome: WorkerMessage, files: &[&[u8]], id: &str) -> bool {
        let mut bytes = wire::write(&self.joined.id, outcome);
        if !files.is_empty() {
            bytes.push(b'\n');
            files.iter().for_each(|file| bytes.extend_from_slice(file));
        }
        let sha256 = files::digest::sha256(&bytes);
        let pieces: Vec<&[u8]> = bytes.chunks(PART).collect();
        for (n, piece) in pieces.iter().enumerate() {
            loop {
                let mut message = PublishMessage::build().payload(piece.to_vec().into());
                if pieces.len() > 1 {
                    let (name, value) = parts::header(&sha256, n, pieces.len());
                    message = message.header(name, value.as_str());
                }
                // Parts are joined by the hash of the whole message. Another sender's message with the same name has another hash, so its
                // parts cannot pass for ours.
                let part = if pieces.len() > 1 { format!("{n}-{}", &sha256[..16]) } else { n.to_string() };
                // Headers first: the identifier is added to the existing headers.
                let message = message.message_id(format!("{}-{id}-{part}", self.joined.id));
                let stored = self.joined.runtime.block_on(async {
                    let sent = self.joined.context.send_publish(self.names.result.clone(), message).await;
                    sent.map_err(|error| error.to_string())?.await.map_err(|error| error.to_string())
                });
                match stored {
                    Ok(_) => break,
                    Err(_) if self.control.is_stopped() => return false,
                    Err(error) => self.wait(&error),
                }
            }
        }
        self.silent.store(false, Ordering::Relaxed);
        true
    }

    fn wait(&self, error: &str) {
        if !self.silent.swap(true, Ordering::Relaxed) {
            self.trouble(&format!("NATS does not answer ({error}); this worker waits until it does"));
        }
        self.control.wait(RETRY);
    }

    pub(super) fn trouble(&self, message: &str) {
        self.watch.event(&CampaignEvent::Trouble { message: message.to_string() });
    }
}

impl WorkSource for NatsWorkSource<'_> {
    fn next(&self) -> Option<UnitPlan> {
        while !self.control.is_over() {
            let taken = self.joined.runtime.block_on(self.take());
            match taken {
                Ok(Some(plan)) => {
                    self.silent.store(false, Ordering::Relaxed);
                    return Some(plan);
                }
                Ok(None) if self.joined.runtime.block_on(self.is_over_by_now()) => return None,
                Ok(None) => {}
                // The streams of a completed campaign are gone.
                Err(_) if self.joined.runtime.block_on(self.is_over()) => return None,
                Err(error) => self.wait(&error),
            }
        }
        None
    }

    fn worth(&self, key: &GroupKey, bytes: usize) -> HitWorth {
        lock(&self.index).worth(key, bytes)
    }

    fn gives_up_often(&self, target: usize) -> bool {
        lock(&self.index).gives_up_often(target)
    }

    fn unconfirmed(&self, key: &GroupKey, event: Option<CampaignEvent>) {
        let nth = {
            let mut index = lock(&self.index);
            index.unconfirmed(key);
            index.tally().unconfirmed
        };
        if let Some(event) = event {
            self.watch.event(&event);
        }
        self.send(
            WorkerMessage::Unconfirmed(key.clone()),
            &[],
            &format!("u-{}-{nth}", self.joined.client.server_info().client_id),
        );
    }

    fn found(&self, key: &GroupKey, finding: &Finding, files: &[SentFile<'_>]) {
        let named = files.iter().map(|(file, bytes)| (file.name().to_string(), bytes.len())).collect();
        let outcome = WorkerMessage::Finding { finding: Box::new(finding.clone()), files: named };
        let contents: Vec<&[u8]> = files.iter().map(|(_, bytes)| *bytes).collect();
        match self.send(outcome, &contents, &format!("f-{}", finding.id)) {
            true => lock(&self.index).note(key, finding),
            false => drop(lock(&self.unsent).insert(finding.campaign.unit)),
        }
    }

    fn is_quarantined(&self, sha256: &str) -> bool {
        lock(&self.quarantine).contains(sha256)
    }

    fn quarantine(&self, entry: Quarantined, _: &str) {
        let Quarantined { seed, sha256, .. } = entry;
        if lock(&self.quarantine).insert(sha256.clone()) {
            let id = format!("q-{sha256}");
            self.send(WorkerMessage::Quarantine { seed, sha256 }, &[], &id);
        }
    }

    fn done(&self, report: UnitReport) {
        let number = report.plan.number;
        let complete = report.complete && !lock(&self.unsent).remove(&number);
        lock(&self.totals).add(&Snapshot { units: u64::from(complete), ..report.counts });
        let stored = complete && self.send(WorkerMessage::Report(Box::new(report)), &[], &format!("r-{number}"));
        let Some(InHand { acker, alive }) = lock(&self.in_hand).remove(&number) else { return };
        alive.abort();
        let kind = if stored { AckKind::Ack } else { AckKind::Nak(None) };
        // A unit whose acknowledgement is lost is done twice and counted once: harmless, but worth a message.
        if let Err(error) = self.joined.runtime.block_on(acker.ack_with(kind)) {
            self.trouble(&format!("unit {number} could not be acknowledged ({error}); it will be done again"));
        }
    }
}
