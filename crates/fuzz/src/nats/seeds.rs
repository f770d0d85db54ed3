//! Seeds transferred by their hash: requested in pieces, checked, and cached in a folder.

use super::client::SubjectNames;
use super::wire::{self, MAX_SMALL, Piece};
use crate::config::Config;
use async_nats::Client;
use corpus::seed::{Fetch, MAX_SEED_BYTES, SeedSource};
use rustc_hash::FxHashMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use tokio::runtime::Handle;

/// The maximum size of one piece, in bytes.
const PIECE: usize = 512 << 10;
/// How often a piece is requested, and the time between: the coordinator may be restarting.
const TRIES: u32 = 60;
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves the seeds of a coordinator.
pub(super) struct SeedServer {
    by_hash: FxHashMap<String, SeedSource>,
    /// The seed last requested; its pieces are requested one after the other.
    last: Option<(String, Vec<u8>)>,
}

impl SeedServer {
    /// Reads every seed once to hash it. Also returns the hashes, by position; empty where a seed cannot be read.
    pub(super) fn new(config: &Config) -> (SeedServer, Vec<String>) {
        let mut seed_server = SeedServer { by_hash: FxHashMap::default(), last: None };
        let mut hashes = Vec::with_capacity(config.seeds.len());
        for source in &config.seeds {
            let hash = source.bytes().map(|bytes| files::sha256(&bytes)).unwrap_or_default();
            if !hash.is_empty() {
                seed_server.by_hash.insert(hash.clone(), source.clone());
            }
            hashes.push(hash);
        }
        (seed_server, hashes)
    }

    /// Returns the response to a request: whether there is more, and the piece. `None` if it is not a request of this campaign.
    pub(super) fn answer(&mut self, campaign: &str, request: &[u8]) -> Option<Vec<u8>> {
        let piece: Piece = wire::read(request, MAX_SMALL, Some(campaign)).ok()?.body;
        if self.last.as_ref().is_none_or(|(hash, _)| *hash != piece.sha256) {
            let bytes = self.by_hash.get(&piece.sha256)?.bytes().ok()?;
            self.last = Some((piece.sha256.clone(), bytes));
        }
        let (_, bytes) = self.last.as_ref()?;
        let rest = bytes.get(piece.from..)?;
        let part = &rest[..rest.len().min(PIECE)];
        let more = u8::from(part.len() < rest.len());
        Some([&[more], part].concat())
    }
}

/// A worker's access to its seeds.
pub(super) struct SeedCache {
    pub(super) folder: PathBuf,
    pub(super) client: Client,
    pub(super) campaign: String,
    pub(super) runtime: Handle,
}

impl Fetch for SeedCache {
    /// Returns a seed from the cache, if its hash is right, or from the coordinator.
    fn fetch(&self, sha256: &str) -> io::Result<Vec<u8>> {
        if !wire::is_sha256(sha256) {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the coordinator cannot read it"));
        }
        let place = self.folder.join(sha256);
        if let Ok(bytes) = files::found(&place)
            && files::sha256(&bytes) == sha256
        {
            return Ok(bytes);
        }
        let bytes = self.runtime.block_on(self.ask(sha256))?;
        if files::sha256(&bytes) != sha256 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the received data does not have the expected hash",
            ));
        }
        // A cache that cannot be written only costs time.
        let _ = std::fs::create_dir_all(&self.folder).and_then(|()| files::atomic::write(&place, &bytes));
        Ok(bytes)
    }
}

impl SeedCache {
    async fn ask(&self, sha256: &str) -> io::Result<Vec<u8>> {
        let subject = SubjectNames::of(&self.campaign).seed;
        let mut bytes = Vec::new();
        loop {
            let piece = Piece { sha256: sha256.to_string(), from: bytes.len() };
            let request = wire::write(&self.campaign, piece);
            let mut tries = 0;
            let reply = loop {
                let asked = self.client.request(subject.clone(), request.clone().into());
                match tokio::time::timeout(PATIENCE, asked).await {
                    Ok(Ok(reply)) => break reply.payload,
                    Ok(Err(_)) => tokio::time::sleep(PATIENCE).await,
                    Err(_) => {}
                }
                tries += 1;
                if tries >= TRIES {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "the coordinator does not send it"));
                }
            };
            let Some((more, part)) = reply.split_first() else {
                return Err(io::Error::new(io::ErrorKind::NotFound, "the coordinator does not have it"));
            };
            bytes.extend_from_slice(part);
            if bytes.len() as u64 > MAX_SEED_BYTES || part.len() > PIECE {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the received data is too large"));
            }
            if *more == 0 {
                return Ok(bytes);
            }
            if part.is_empty() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the received data does not end"));
            }
        }
    }
}
