//! Messages of workers: what the coordinator takes, judges and rejects.

use super::super::claims::{ReceivedClaim, WorkerClaim};
use super::super::parts::Assembled;
use super::super::wire::{self, Heartbeat, MAX_FINDING, MAX_SMALL, Refusal, WorkerMessage};
use super::units::MOST;
use super::{JudgedClaim, NatsCoordinator};
use crate::persist::stored_findings;
use crate::state::event::CampaignEvent;
use crate::worker::work_source::WorkSource;
use async_nats::jetstream::{AckKind, Message};
use std::sync::atomic::Ordering;

impl NatsCoordinator<'_, '_> {
    /// Takes messages, stores their contents, and then acknowledges them.
    pub(super) async fn take(&mut self, batch: Vec<Message>) {
        let mut taken = Vec::new();
        for message in batch {
            let payload = message.payload.clone();
            let headers = message.headers.clone();
            match self.parts.take(headers.as_ref(), &payload, message) {
                Assembled::Waiting => {}
                Assembled::Refused(why, message) => {
                    self.refuse(why);
                    // The server never delivers this message again.
                    let _ = message.ack_with(AckKind::Term).await;
                }
                Assembled::Whole(bytes, messages) => match self.outcome(&bytes) {
                    Ok(None) => taken.extend(messages),
                    Ok(Some(claim)) => self.judge(files::digest::sha256(&bytes), claim, messages),
                    Err(why) => {
                        self.refuse(why);
                        taken.extend(messages);
                    }
                },
            }
        }
        if !self.coordinator.commit() || self.coordinator.control.has_failed() {
            // What could not be stored, including a finding's folder, stays in the stream until the campaign continues.
            return;
        }
        for message in taken {
            // A lost acknowledgement leads to another delivery, which is recognized.
            let _ = message.ack().await;
        }
    }

    /// Passes a claim on to the thread that judges it. A duplicate of a pending one is acknowledged with the first.
    fn judge(&mut self, sha256: String, claim: ReceivedClaim, messages: Vec<Message>) {
        if self.claims.pending.insert(sha256.clone()) {
            // That thread ends after this side, so sending does not fail.
            let _ = self.claims.to_judge.send((sha256, claim, messages));
        }
    }

    /// Acknowledges a judged claim once its result is stored.
    pub(super) async fn judged(&mut self, (sha256, verdict, messages): JudgedClaim) {
        self.claims.pending.remove(&sha256);
        if let Err(why) = verdict {
            self.refuse(why);
        }
        if !self.coordinator.commit() || self.coordinator.control.has_failed() {
            return;
        }
        for message in messages {
            // A lost acknowledgement leads to another delivery, which is recognized.
            let _ = message.ack().await;
        }
    }

    pub(super) fn heartbeat(&self, bytes: &[u8]) -> Result<Heartbeat, Refusal> {
        let heartbeat = wire::read::<Heartbeat>(bytes, MAX_SMALL, Some(&self.expectation.campaign))?.body;
        if wire::is_worker(&heartbeat.worker) { Ok(heartbeat) } else { Err(Refusal::Name) }
    }

    /// Processes a message; a finding or a wrong label is only a claim.
    fn outcome(&mut self, bytes: &[u8]) -> Result<Option<ReceivedClaim>, Refusal> {
        if bytes.len() > MAX_FINDING {
            return Err(Refusal::Size);
        }
        let line = bytes.iter().position(|b| *b == b'\n').unwrap_or(bytes.len());
        let (text, files_at) = (&bytes[..line], (line + 1).min(bytes.len()));
        match wire::read::<WorkerMessage>(text, MAX_SMALL, Some(&self.expectation.campaign))?.body {
            WorkerMessage::Finding { finding, files } => {
                let files = self.expectation.check_finding(&finding, &files, &bytes[files_at..])?;
                let seeds = self.seeds.iter().map(|(name, n)| (name.as_str(), *n)).collect();
                let solvers = self.solvers.iter().map(|(name, n)| (name.as_str(), *n)).collect();
                let key = stored_findings::of_campaign(&finding, &seeds, &solvers).ok_or(Refusal::Shape)?.key;
                let files = files.into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect();
                return Ok(Some(ReceivedClaim::Finding(WorkerClaim { key, finding, files })));
            }
            WorkerMessage::Unconfirmed(key) => {
                self.expectation.check_group(&key)?;
                self.coordinator.unconfirmed(&key, None);
            }
            WorkerMessage::Quarantine { seed, sha256 } => {
                let number = *self.seeds.get(&seed).ok_or(Refusal::Shape)?;
                if !wire::is_sha256(&sha256) || self.hashes.get(number) != Some(&sha256) {
                    return Err(Refusal::Hash);
                }
                return Ok(self.claims.doubted.insert(number).then_some(ReceivedClaim::Refuted(number)));
            }
            WorkerMessage::Report(report) => {
                self.expectation.check_report(&report)?;
                let number = report.plan.number;
                // A unit from an earlier run of the coordinator may be ahead of the units that this run gave out, but at most by `MOST`.
                if !self.coordinator.may_be_out(number, MOST as u64) {
                    return Err(Refusal::Shape);
                }
                // An interrupted unit stays given out: its worker returned it to the queue.
                if report.complete && self.given.remove(&number).is_some() {
                    self.recent.done();
                }
                if !self.coordinator.is_done(number) {
                    self.coordinator.control.sent(report.counts.mutants);
                    self.coordinator.done(*report);
                }
            }
        }
        Ok(None)
    }

    pub(super) fn refuse(&mut self, why: Refusal) {
        self.coordinator.refused.fetch_add(1, Ordering::Relaxed);
        if self.told.insert(why) {
            let message = format!("rejected from a worker: {why}; further messages of this kind are only counted");
            self.coordinator.notify(&CampaignEvent::Trouble { message });
        }
    }
}
